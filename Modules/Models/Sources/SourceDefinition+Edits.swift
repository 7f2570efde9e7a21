// How changes of records are sent.

extension SourceDefinition {
  public struct Edits: Hashable, Sendable {
    public var collection: CollectionName
    /// The request for one record. It is read before a change that nothing guards.
    public var read: Request
    public var record: ValuePath
    public var update: Change?
    public var create: Creation?
    public var delete: Change?
    /// Where an answer says which version of the record the server has; `nil` for its entity tag.
    public var version: Place?
    /// Header fields of changes. Their values are templates; one whose variable has no value is left out.
    public var headers: [Header] = []

    public init(
      _ collection: CollectionName, read: Request, record: ValuePath, update: Change? = nil,
      create: Creation? = nil, delete: Change? = nil
    ) {
      (self.collection, self.read, self.record) = (collection, read, record)
      (self.update, self.create, self.delete) = (update, create, delete)
    }
  }

  public struct Change: Hashable, Sendable {
    public enum Method: String, Sendable, CaseIterable {
      case put
      /// Changes a part of the record.
      case patch
      /// As `patch`, for APIs that use POST for it.
      case post
      case delete
    }

    public var method: Method
    public var address: URLTemplate
    public var members: [SentMember]
    /// Whether all of them are sent, and not those of the edited fields alone.
    public var isWhole: Bool
    /// Whether they are sent as `application/x-www-form-urlencoded`.
    public var isForm: Bool

    public init(
      _ method: Method, _ address: URLTemplate, _ members: [SentMember], isWhole: Bool, isForm: Bool = false
    ) {
      (self.isForm, self.method, self.address, self.members, self.isWhole) = (isForm, method, address, members, isWhole)
    }
  }

  /// A request that creates a record. A lost reply must not create a second one, so the request has the key of the edit,
  /// in a header field for a server that knows such keys, or in its body for `find`.
  public struct Creation: Hashable, Sendable {
    public var address: URLTemplate
    public var members: [SentMember]
    public var keyHeader: String?
    /// The address of a list with the record that has the key, which `{key}` stands for.
    public var find: URLTemplate?
    public var found: ValuePath
    /// The place of the record in the answer to the POST; `nil` for that of all answers.
    public var record: ValuePath?
    public var isForm = false
    /// Whether the body is a list of one record.
    public var isList = false

    public init(
      _ address: URLTemplate, _ members: [SentMember], keyHeader: String? = nil, find: URLTemplate? = nil,
      found: ValuePath = ValuePath(.record)
    ) {
      (self.address, self.members, self.keyHeader, self.find, self.found) = (address, members, keyHeader, find, found)
    }
  }

  public struct SentMember: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
      /// The value of a field, whose path has `.` between the levels.
      case field(String, SentForm)
      case key
      case version
      case constant(JSONValue)
      case object([SentMember])
    }

    public var name: String
    public var content: Content

    public init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }
  }

  public enum SentForm: String, Sendable, CaseIterable {
    case stored
    case text
    case number
    /// A time, in seconds since 1970.
    case epoch
    /// A time, in milliseconds since 1970.
    case epochMilliseconds
  }
}

extension SourceDefinition {
  public func edits(of name: CollectionName) -> Edits? { edits.first { $0.collection == name } }
}

extension SourceDefinition.Edits {
  /// The fields of the record whose changes can be sent, without the levels of objects.
  public var editableFields: [String] { Self.names(update?.members) }

  public var newFields: [String] { Self.names(create?.members) }

  private static func names(_ members: [SourceDefinition.SentMember]?) -> [String] {
    var fields: [String] = []
    for path in members?.flatMap(\.fields) ?? [] {
      let name = String(path.prefix { $0 != "." })
      if name != "id", !fields.contains(where: { $0.exact == name.exact }) { fields.append(name) }
    }
    return fields
  }
}

extension SourceDefinition.Creation {
  /// The variables of the addresses, without the key. Each new record has a member of that name.
  public var addressVariables: [String] {
    var names: [String] = []
    for name in address.variables + (find?.variables ?? []) where name.exact != "key" {
      if !names.contains(where: { $0.exact == name.exact }) { names.append(name) }
    }
    return names
  }
}

extension SourceDefinition.SentMember {
  public func holds(_ wanted: Content) -> Bool {
    if case .object(let members) = content { return members.contains { $0.holds(wanted) } }
    return content == wanted
  }

  /// The paths of the fields whose values it holds.
  public var fields: [String] {
    switch content {
    case .field(let name, _): [name]
    case .key, .version, .constant: []
    case .object(let members): members.flatMap(\.fields)
    }
  }
}

extension SourceDefinition.Mapping {
  /// The names of the parts of an id of several parts, each the name of its variable or the last name of its path; empty
  /// if the id has one part.
  public var idVariables: [String] {
    guard id.count > 1 else { return [] }
    return id.map { part in
      switch part {
      case .template(let template): template.variables.first ?? ""
      case .path(let path):
        path.steps.reversed().lazy.compactMap { if case .name(let name) = $0 { name } else { nil } }.first ?? ""
      }
    }
  }
}
