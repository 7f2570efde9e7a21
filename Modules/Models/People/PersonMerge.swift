public struct PersonMerge: Hashable, Sendable {
  public enum Side: String, Sendable, CaseIterable { case a, b }

  public struct Conflict: Hashable, Sendable {
    /// The field; `name` stands for all names together.
    public var field: String
    public var a: String
    public var b: String
  }

  public static let name = "name"

  public let a: Person
  public let b: Person
  public private(set) var conflicts: [Conflict] = []
  private var fields: JSONObject

  /// - Parameter a: the person who stays.
  public init(_ a: Person, _ b: Person) {
    (self.a, self.b) = (a, b)
    fields = a.fields
    let (mine, theirs) = (a.fields, b.fields)
    let united = a.details.united(with: b.details).fields
    if Self.names.contains(where: { mine[$0] != theirs[$0] }) {
      conflicts.append(Conflict(field: Self.name, a: a.fullName, b: b.fullName))
    }
    let assigned = Person.assignedFields + Self.names
    for field in Person.schema.map(\.name) where field != "id" && !assigned.contains(field) {
      guard let other = theirs[field] else { continue }
      guard !Person.listFields.contains(field), let own = mine[field], own != other else {
        fields[field] = united[field] ?? other
        continue
      }
      if field == "note" {
        fields[field] = .string([own, other].compactMap(\.string).joined(separator: "\n"))
      } else if let born = a.birthday, let otherBorn = b.birthday, field == "birthday", born.isLess(than: otherBorn) {
        fields[field] = other
      } else if let born = a.birthday, let otherBorn = b.birthday, field == "birthday", otherBorn.isLess(than: born) {
        continue
      } else {
        conflicts.append(Conflict(field: field, a: Self.text(own), b: Self.text(other)))
      }
    }
  }

  private static let names = ["firstName", "lastName", "fullName"]

  /// A value as people read it: of a photo, its address, or its kind and size.
  private static func text(_ value: JSONValue) -> String {
    let photo = ContactPhoto.withoutData(value.object ?? [:])
    let parts = [photo["type"]?.string, photo["bytes"]?.int.map { $0.counted("byte") }].compactMap(\.self)
    return value.string ?? photo["url"]?.string ?? parts.joined(separator: ", ")
  }

  /// The merged person, with the id of `a`.
  ///
  /// - Parameter sides: whose values the fields in conflict get; `a` where nothing is said.
  public func person(_ sides: [ExactString: Side]) -> Person {
    var fields = fields
    for conflict in conflicts where sides[conflict.field.exact] == .b {
      for field in conflict.field == Self.name ? Self.names : [conflict.field] { fields[field] = b.fields[field] }
    }
    // Whatever fields are taken, they were read from one of both.
    return (try? Person(fields: fields)) ?? a
  }
}

extension Birthday {
  /// Whether it is the same day, of which the other one knows the year, too.
  fileprivate func isLess(than other: Birthday) -> Bool {
    year == nil && other.year != nil && (month, day) == (other.month, other.day)
  }
}
