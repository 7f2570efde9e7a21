import Models
import Ports

/// Edits the records of a collection, by the rules of the feature that has them: made here at once, and queued for the
/// remote.
protocol RecordEditor: Sendable {
  /// Adds a record and returns it.
  func add(_ fields: JSONObject) async throws -> JSONObject
  /// Changes the members of a merge patch (RFC 7396).
  ///
  /// - Parameter current: the expected stored record; `nil` for any.
  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws
  /// Removes a record.
  func remove(_ id: String, ifStored current: [UInt8]?) async throws
}

extension DaemonServices {
  /// The editor of a collection. One whose records cannot be edited refuses.
  func editor(of collection: CollectionName) -> any RecordEditor {
    switch collection {
    case .people: PeopleEditor(people: people, books: books)
    case .profiles: ProfileEditor(profiles: profiles, others: LibraryEditor(library: library, collection: collection))
    default: LibraryEditor(library: library, collection: collection)
    }
  }
}

extension CollectionDescriptor {
  /// The schema of a new record, of a change, and whether records can be removed, as the editor of the collection has them.
  var editing: (new: String?, change: String?, isRemovable: Bool) {
    switch name {
    case .people: ("NewPerson", "PersonChange", true)
    case .profiles: (nil, "ProfileChange", false)
    default:
      (
        newFields.isEmpty ? nil : "\(recordType)Change", editableFields.isEmpty ? nil : "\(recordType)Change",
        isRemovable
      )
    }
  }
}

/// Edits records of sources that a file describes.
private struct LibraryEditor: RecordEditor {
  let library: any LibraryService
  let collection: CollectionName

  func add(_ fields: JSONObject) async throws -> JSONObject { try await library.add(collection, Self.changes(fields)) }

  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws {
    _ = try await library.edit(collection, id, Self.changes(patch), ifStored: current)
  }

  func remove(_ id: String, ifStored current: [UInt8]?) async throws {
    try await library.remove(collection, id, ifStored: current)
  }

  /// Null takes away, and members of objects are changed one by one.
  private static func changes(_ object: JSONObject, below path: String = "") -> [FieldChange] {
    object.members.flatMap { member -> [FieldChange] in
      if case .object(let inner) = member.value, !inner.isEmpty {
        return changes(inner, below: "\(path)\(member.key).")
      }
      return [FieldChange("\(path)\(member.key)", member.value == .null ? nil : member.value)]
    }
  }
}

/// Edits profiles.
private struct ProfileEditor: RecordEditor {
  let profiles: any ProfileService
  let others: LibraryEditor

  func add(_ fields: JSONObject) async throws -> JSONObject { try await others.add(fields) }

  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws {
    try patch.check(members: ["name", "email", "description"])
    var change = ProfileChange()
    for member in patch.members {
      switch (member.key, member.value) {
      case ("name", .string(let text)): change.name = text
      case ("email", .string(let text)): change.email = text
      case ("description", .string(let text)): change.description = .set(text)
      case ("description", .null): change.description = .clear
      default: throw Problem(.unprocessableContent, "\(member.key) is a text")
      }
    }
    _ = try await profiles.edit(id, change, ifStored: current)
  }

  func remove(_ id: String, ifStored current: [UInt8]?) async throws { try await others.remove(id, ifStored: current) }
}

/// Edits people.
private struct PeopleEditor: RecordEditor {
  let people: any PeopleService
  let books: [FollowedBook]

  private static let names = ["firstName", "lastName", "fullName", "birthday"]

  func add(_ fields: JSONObject) async throws -> JSONObject {
    try fields.check(members: Self.names + ContactDetails.editableFields + ["to"])
    func name(_ key: String) throws(Problem) -> String {
      guard let value = fields[key] else { return "" }
      guard let text = value.string else { throw Problem(.unprocessableContent, "\(key) is a text") }
      return text
    }
    return try await people.add(
      firstName: try name("firstName"), lastName: try name("lastName"),
      birthday: try fields["birthday"].map { value throws(Problem) in try Self.birthday(value) },
      fullName: try name("fullName"), details: Self.details(fields), to: try FollowedBook(member: fields["to"], books)
    ).fields
  }

  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws {
    try patch.check(members: Self.names + ContactDetails.editableFields)
    var change = PersonChange(details: Self.details(patch))
    for member in patch.members where change.details[member.key] == nil {
      switch (member.key, member.value) {
      case ("birthday", .null): change.clearsBirthday = true
      case ("birthday", let value): change.birthday = try Self.birthday(value)
      case (let name, .string(let text)): change.set(name, text)
      case (let name, .null): change.set(name, "")
      default: throw Problem(.unprocessableContent, "\(member.key) is a text")
      }
    }
    _ = try await people.edit(id, change, ifStored: current)
  }

  func remove(_ id: String, ifStored current: [UInt8]?) async throws {
    _ = try await people.remove(id, ifStored: current)
  }

  private static func birthday(_ value: JSONValue) throws(Problem) -> Birthday {
    guard let birthday = value.string.flatMap({ Birthday($0) }) else {
      throw Problem(.unprocessableContent, "birthday takes YYYY-MM-DD or --MM-DD")
    }
    return birthday
  }

  private static func details(_ fields: JSONObject) -> JSONObject {
    JSONObject(members: fields.members.filter { member in !(names + ["to"]).contains { $0.exact == member.key.exact } })
  }
}

extension PersonChange {
  fileprivate mutating func set(_ name: String, _ text: String) {
    switch name {
    case "firstName": firstName = text
    case "lastName": lastName = text
    default: fullName = text
    }
  }
}

extension FollowedBook {
  /// The address book that a member of a body names; `nil` if it names none.
  ///
  /// - Throws: `Problem` with 422 where it is not a path; `Failure` where it is not followed.
  init?(member value: JSONValue?, _ books: [FollowedBook]) throws {
    guard let value, value != .null else { return nil }
    guard let path = value.string else {
      throw Problem(.unprocessableContent, "to is the path of a followed address book", field: "to")
    }
    try self.init(path, among: books)
  }
}

extension JSONObject {
  /// - Throws: `Problem` with 422 where it has another member than these.
  func check(members: [String]) throws(Problem) {
    for key in keys where !members.contains(key) {
      throw Problem(
        .unprocessableContent, "unknown member '\(key)'", hint: "known are: \(members.joined(separator: ", "))")
    }
  }
}
