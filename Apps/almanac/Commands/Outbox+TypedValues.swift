import Models
import Ports

/// Values that a person types for fields in conflict, instead of both sides.
struct TypedValues {
  let entry: OutboxEntry
  let title: String
  let terminal: Terminal
  let catalog: CollectionCatalog
  let check: ([FieldChange]) throws(Failure) -> Void

  private static let profileTexts = ["name", "email", "description"]

  func canEdit(_ name: String) -> Bool {
    switch entry.targetCollection {
    case .profiles: return Self.profileTexts.contains(name)
    case .people: return name != "photo" && PersonInput.fields.contains(name)
    default:
      guard let described = catalog[entry.targetCollection], described.editableFields.contains(name) else {
        return false
      }
      switch kind(name) {
      case .object?, .birthday?, nil: return false
      default: return true
      }
    }
  }

  /// Asks for the value; null for one that is removed, `nil` at the end of the input.
  ///
  /// - Throws: `Failure`, `usage` if the field cannot have what was typed.
  func ask(_ name: String) throws(Failure) -> JSONValue? {
    let isList = kind(name) == .texts || entry.targetCollection == .people && kind(name) == .objects
    guard isList else {
      let words = kind(name) == .objects ? "a list in JSON" : "the new value"
      guard let text = terminal.ask("  \(name), \(words): ") else { return nil }
      return try value(of: text, name)
    }
    terminal.complain("  \(name), one value in each line, and an empty line after the last:")
    var values: [JSONValue] = []
    while let line = terminal.ask("    ") {
      if line.allSatisfy(\.isWhitespace) {
        let list: JSONValue = values.isEmpty ? .null : .array(values)
        try check(list, name)
        return list
      }
      values.append(try item(line, name))
    }
    return nil
  }

  /// Writes the values into the record, as an edit of what the server has.
  func store(_ edited: JSONObject, _ services: CompositionRoot) async throws(Failure) {
    switch entry.targetCollection {
    case .profiles:
      let text = edited["description"]
      let change = ProfileChange(
        name: edited["name"]?.string, email: edited["email"]?.string,
        description: text.map { $0.string.map { .set($0) } ?? .clear })
      _ = try await services.profiles().edit(entry.targetID, change)
    case .people:
      let change = PersonChange(try Failure.from { () throws(PersonInput.Mistake) in try PersonInput(patch: edited) })
      _ = try await services.people().edit(entry.targetID, change)
    default:
      _ = try await services.library().edit(entry.targetCollection, entry.targetID, Self.changes(edited))
    }
  }

  private func kind(_ name: String) -> RecordField.Kind? {
    catalog.fields(of: entry.targetCollection).first { $0.name == name }?.kind
  }

  private func value(of text: String, _ name: String) throws(Failure) -> JSONValue {
    let value: JSONValue = text.allSatisfy(\.isWhitespace) ? .null : .string(text)
    if entry.targetCollection == .people, name == "birthday", value != .null {
      return .string(try BirthdayArgument.parse(text).description)
    }
    if entry.targetCollection == .profiles, value == .null, name != "description" {
      throw .usage("the \(name) cannot be empty", code: .badValue)
    }
    try check(value, name)
    return value
  }

  private func item(_ line: String, _ name: String) throws(Failure) -> JSONValue {
    guard entry.targetCollection == .people else { return .string(line) }
    return try Failure.from { () throws(PersonInput.Mistake) in try PersonInput.element(line, of: name) }
  }

  /// Records of other collections have fields of their own.
  private func check(_ value: JSONValue, _ name: String) throws(Failure) {
    guard entry.targetCollection != .people, entry.targetCollection != .profiles else { return }
    try check(Self.changes([name: value]))
  }

  private static func changes(_ edited: JSONObject) -> [FieldChange] {
    edited.members.map { FieldChange($0.key, $0.value == .null ? nil : $0.value) }
  }
}

extension TypedValues {
  init(_ entry: OutboxEntry, _ services: CompositionRoot) {
    self.init(
      entry: entry, title: OutboxCommand.title(of: entry, services), terminal: services.terminal,
      catalog: services.catalog
    ) { (changes) throws(Failure) in try services.library().check(changes, of: entry.targetCollection) }
  }
}
