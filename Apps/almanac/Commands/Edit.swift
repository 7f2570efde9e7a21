import ArgumentParser
import Frontend
import Models
import Ports

struct EditRecord: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit, add or remove a record of a source that a file describes.",
    discussion: """
      The record is changed locally; the next sync sends the change, and never overwrites what is newer at the server: \
      such an edit becomes a conflict, which \(help: "outbox resolve") decides.

      A list is set as a whole: --set 'labels=home, garden', or as a JSON array, whose texts may have commas: \
      --set 'labels=["home, sweet home", "garden"]'.
      """)

  @Argument(help: "The collection.", completion: Completions.editable) var collection: String
  @Argument(help: "The record's id or name.", completion: Completions.records) var id: String?
  @Option(
    help: ArgumentHelp("A field and its new value; repeatable.", valueName: "field=value"),
    completion: Completions.editableFields)
  var set: [String] = []
  @Option(
    help: ArgumentHelp("A field to remove; repeatable.", valueName: "field"), completion: Completions.editableFields)
  var clear: [String] = []
  @Flag(help: "Remove the record.") var remove = false
  @Flag(name: .shortAndLong, help: "Do not ask before a removal; needed without a terminal.") var yes = false
  @Flag(help: "Add a record.") var new = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    try require(!new || (id == nil && !collection.contains("/")), "--new takes no id of a record")
    try require(!new || (!remove && clear.isEmpty), "--new cannot be combined with --remove and --clear")
    try require(remove || !set.isEmpty || !clear.isEmpty, "nothing changes: pass --set, --clear or --remove")
    try require(!remove || (set.isEmpty && clear.isEmpty), "--remove cannot be combined with --set and --clear")
    if let other = set.first(where: { !$0.contains("=") }) {
      throw ValidationError("--set \(other) has no value: expected FIELD=VALUE")
    }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let named = try NamedRecord(collection, id, services)
    let name = named.collection
    let library = try services.library()
    let answer = services.answer
    let changes = set.map { text in
      let end = text.firstIndex(of: "=") ?? text.endIndex
      return FieldChange(String(text[..<end]), .string(String(text[end...].dropFirst())))
    }
    guard !new else {
      answer.done(try await library.add(name, changes))
      services.noteWaiting()
      return .done
    }
    let id = try RecordArgument.id(named.name, in: name, as: remove ? .whole : .words, services)
    if remove {
      let record = try services.fields(name, id)
      let title = services.catalog[name]?.nameField.flatMap { record[$0]?.string }
      let question = "remove \(name)/\(id)\(title.map { " (\($0))" } ?? "")?"
      guard try services.terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
      try await library.remove(name, id)
      answer.done(
        ["collection": .string(name.rawValue), "id": .string(id), "outcome": "removed"], line: "\(name)/\(id) removed")
    } else {
      answer.done(try await library.edit(name, id, changes + clear.map { FieldChange($0, nil) }))
    }
    services.noteWaiting()
    return .done
  }
}
