import Hummingbird
import Models
import Ports

/// Edits the records of a collection, by the rules of the feature that has them: made here at once, and queued for the
/// remote.
protocol RecordEditor: Sendable {
  /// - Parameter note: a record of the same commit.
  func add(_ fields: JSONObject, alongside note: CommitNote?) async throws -> JSONObject
  /// Changes the members of a merge patch (RFC 7396).
  ///
  /// - Parameter current: the expected stored record; `nil` for any.
  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws
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

  func add(_ fields: JSONObject, alongside note: CommitNote?) async throws -> JSONObject {
    try await library.add(collection, Self.changes(fields), alongside: note)
  }

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

private struct ProfileEditor: RecordEditor {
  let profiles: any ProfileService
  let others: LibraryEditor

  func add(_ fields: JSONObject, alongside note: CommitNote?) async throws -> JSONObject {
    try await others.add(fields, alongside: note)
  }

  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws {
    try patch.check(members: ProfileChange.fields)
    let change: ProfileChange
    do throws(ProfileChange.NoText) { change = try ProfileChange(patch: patch) } catch {
      throw Problem(.unprocessableContent, "\(error.field) is a text")
    }
    _ = try await profiles.edit(id, change, ifStored: current)
  }

  func remove(_ id: String, ifStored current: [UInt8]?) async throws { try await others.remove(id, ifStored: current) }
}

private struct PeopleEditor: RecordEditor {
  let people: any PeopleService
  let books: [FollowedBook]

  func add(_ fields: JSONObject, alongside note: CommitNote?) async throws -> JSONObject {
    try fields.check(members: PersonInput.fields + ["to", "new"])
    if let absent = fields.members.first(where: { $0.value == .null && PersonInput.names.contains($0.key) }) {
      throw Problem(.unprocessableContent, "\(absent.key) is a text", field: absent.key)
    }
    var patch = fields
    (patch["to"], patch["new"]) = (nil, nil)
    if let value = fields["new"], value.bool == nil {
      throw Problem(.unprocessableContent, "new is true or false", field: "new")
    }
    let new = PersonChange(try input(patch))
    return try await people.add(
      firstName: new.firstName ?? "", lastName: new.lastName ?? "", birthday: new.birthday, fullName: new.fullName,
      details: new.details, to: try FollowedBook(member: fields["to"], books),
      isNew: fields["new"]?.bool ?? false, alongside: note
    ).fields
  }

  func edit(_ id: String, _ patch: JSONObject, ifStored current: [UInt8]?) async throws {
    try patch.check(members: PersonInput.fields)
    _ = try await people.edit(id, PersonChange(try input(patch)), ifStored: current)
  }

  func remove(_ id: String, ifStored current: [UInt8]?) async throws {
    _ = try await people.remove(id, ifStored: current)
  }

  private func input(_ patch: JSONObject) throws(Failure) -> PersonInput {
    try Failure.from { () throws(PersonInput.Mistake) in try PersonInput(patch: patch) }
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
