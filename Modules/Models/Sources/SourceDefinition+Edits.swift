// How changes of records are sent.

extension SourceDefinition {
  /// How edits of a collection's records are sent.
  public struct Edits: Hashable, Sendable {
    /// The collection.
    public var collection: CollectionName
    /// The address of one record. It is read before a change that no entity tag guards.
    public var read: URLTemplate
    /// The place of the record in an answer.
    public var record: ValuePath
    /// How a record is changed; `nil` if it cannot be.
    public var update: Change?
    /// The address that a DELETE removes a record at; `nil` if it cannot be removed.
    public var delete: URLTemplate?

    /// Creates a description.
    public init(
      _ collection: CollectionName, read: URLTemplate, record: ValuePath, update: Change? = nil,
      delete: URLTemplate? = nil
    ) {
      self.collection = collection
      self.read = read
      self.record = record
      self.update = update
      self.delete = delete
    }
  }

  /// A request that changes a record.
  public struct Change: Hashable, Sendable {
    /// The method of a change.
    public enum Method: String, Sendable, CaseIterable {
      /// Replaces the record: all members are sent.
      case put
      /// Changes a part of the record: the members of the edited fields are sent.
      case patch
      /// As `patch`, for APIs that use POST for it.
      case post
    }

    /// The method.
    public var method: Method
    /// The address.
    public var address: URLTemplate
    /// The members of the body.
    public var members: [SentMember]

    /// Creates a description.
    public init(_ method: Method, _ address: URLTemplate, _ members: [SentMember]) {
      self.method = method
      self.address = address
      self.members = members
    }
  }

  /// A member of a body.
  public struct SentMember: Hashable, Sendable {
    /// Its value.
    public indirect enum Content: Hashable, Sendable {
      /// The value of a field, whose path has `.` between the levels.
      case field(String, SentForm)
      /// An object of further members.
      case object([SentMember])
    }

    /// The name.
    public var name: String
    /// The value.
    public var content: Content

    /// Creates a member.
    public init(_ name: String, _ content: Content) {
      self.name = name
      self.content = content
    }
  }

  /// How the value of a field is sent.
  public enum SentForm: String, Sendable, CaseIterable {
    /// As it is stored.
    case stored
    /// A text.
    case text
    /// A number with these digits.
    case number
    /// A time, in seconds since 1970.
    case epoch
    /// A time, in milliseconds since 1970.
    case epochMilliseconds
  }
}

extension SourceDefinition {
  /// The edits of a collection's records; `nil` if the source sends none.
  public func edits(of name: CollectionName) -> Edits? { edits.first { $0.collection == name } }
}

extension SourceDefinition.Edits {
  /// The fields of the record whose changes can be sent, without the levels of objects.
  public var editableFields: [String] {
    var fields: [String] = []
    for path in update?.members.flatMap(\.fields) ?? [] {
      let name = String(path.prefix { $0 != "." })
      if name != "id", !fields.contains(where: { $0.exact == name.exact }) { fields.append(name) }
    }
    return fields
  }
}

extension SourceDefinition.SentMember {
  /// The paths of the fields whose values it holds.
  public var fields: [String] {
    switch content {
    case .field(let name, _): [name]
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
