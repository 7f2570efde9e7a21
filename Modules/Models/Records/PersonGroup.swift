/// A group of people that has a card of its own in an address book (RFC 6350 section 6.1.4). The groups that the cards of people
/// name are `ContactDetails.groups`.
public struct PersonGroup: Record {
  public var id: String
  public var name: String
  /// The members in the order of the card, as it names them: the `UID`s of cards, without `urn:uuid:`, and other addresses.
  public var members: [String]
  /// The path of the follow that the card belongs to.
  public var origin: String

  public init(id: String, name: String, members: [String], origin: String) {
    (self.id, self.name, self.members, self.origin) = (id, name, members, origin)
  }

  public static let collection = CollectionName.groups

  public static let schema: [RecordField] = [.init("id"), .init("name"), .init("members", .texts), .init("origin")]

  /// Members are independent of each other.
  public static let listFields = ["members"]

  public static let assignedFields = ["origin"]

  public var fields: JSONObject {
    [
      "id": .string(id), "name": .string(name), "members": .array(members.map { .string($0) }),
      "origin": .string(origin),
    ]
  }

  public init(fields: JSONObject) throws(RecordError) {
    let reader = FieldReader(Self.collection, fields)
    id = try reader.string("id")
    name = try reader.string("name")
    members = fields["members"]?.array?.compactMap(\.string) ?? []
    origin = try reader.optionalString("origin") ?? ""
  }

  public static func == (lhs: PersonGroup, rhs: PersonGroup) -> Bool { lhs.fields == rhs.fields }
  public func hash(into hasher: inout Hasher) { hasher.combine(id.exact) }
}

/// Who is in which group: one with a card of its own, or one that the person's card names. No other code decides it.
public struct PeopleGroups: Sendable {
  public struct Group: Sendable {
    public var name: String
    public var card: PersonGroup?
    public var people: [ExactString] = []
    /// The members that are nobody of the address book.
    public var missing: [String] = []
  }

  /// By name; of one name, those with cards first.
  public private(set) var all: [Group]
  private let uids: [ExactString: String]

  /// - Parameters:
  ///   - groups: those with cards of their own.
  ///   - uids: the `UID`s of the cards of people, by the ids of the people.
  public init(_ people: [Person], groups: [PersonGroup], uids: [ExactString: String]) {
    self.uids = uids
    var owners: [[ExactString]: ExactString] = [:]
    var named: [ExactString: Group] = [:]
    for person in people {
      if let uid = uids[person.id.exact] { owners[[(person.origin ?? "").exact, uid.exact]] = person.id.exact }
      for name in person.details.groups { named[name.exact, default: Group(name: name)].people.append(person.id.exact) }
    }
    all = groups.map { card in
      var group = Group(name: card.name, card: card)
      for member in card.members {
        if let id = owners[[card.origin.exact, member.exact]] {
          if !group.people.contains(id) { group.people.append(id) }
        } else {
          group.missing.append(member)
        }
      }
      return group
    }
    all = (all + named.values).sorted { lhs, rhs in
      if lhs.name.exact != rhs.name.exact { return lhs.name.exact < rhs.name.exact }
      return lhs.card != nil && (rhs.card == nil || lhs.card!.id.exact < rhs.card!.id.exact)
    }
  }

  /// The group of a name that has a card in an address book; `nil` for a book that is `nil`.
  public func card(named name: String, in book: String?) -> PersonGroup? {
    book.flatMap { book in all.first { $0.name.exact == name.exact && $0.card?.origin.exact == book.exact }?.card }
  }

  /// How the card of a group names a person; `nil` if the person's card has no `UID`.
  public func member(_ id: String) -> String? { uids[id.exact] }
}
