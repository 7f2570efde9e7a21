// Keeps the tasks of a JSON API in files, changes them offline, and sends the changes. A definition describes the API.
import Declared
import Library
import Models
import Networking
import Parsing
import Persistence
import Ports
import Sync
import URLSessionTransport

let tasks = CollectionName(rawValue: "tasks")

let definition = """
  {
    "almanac": 1, "source": "work", "url": "https://work.example",
    "collections": {"tasks": {"id": "$.id", "fields": {"title": "text $.title", "done": "bool? $.done"}}},
    "follows": {"all": {"get": "/tasks", "take": {"into": "tasks"}, "complete": true}},
    "edits": {
      "tasks": {
        "read": "/tasks/{id}", "delete": "/tasks/{id}",
        "update": {"patch": "/tasks/{id}", "send": {"title": "title", "done": "done"}},
        "create": {"post": "/tasks", "send": {"title": "title"}, "key": "Idempotency-Key"}
      }
    }
  }
  """

@main
struct Tasks: EventSink {
  func report(_ event: Event) {
    if case .edit(_, let target, let outcome) = event { print("\(target) \(outcome)") }
  }

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count > 1 else {
      fatalError("usage: tasks URL sync|list|waiting|add TITLE|set ID TITLE|remove ID")
    }
    let (url, command, rest) = (arguments.first!, arguments.dropFirst().first!, arguments.dropFirst(2))
    let (coder, time, random) = (JSONRecordCoder(), SystemTimeSource(), SystemRandomSource())
    let source = DeclaredSource(
      try JSONDefinitionFormat().read(Array(definition.utf8), named: nil), compiler: JSONAnswerReaderCompiler(),
      coder: coder, settings: Settings.Server(url: url))
    let store = try JSONFileStore(folder: "tasks.store")
    // What may be edited follows from the descriptors of the sources.
    let catalog = CollectionCatalog([source.descriptor])
    let edits = OutboxEdits(coder: coder, catalog: catalog, time: time, random: random)
    let library = Library(
      store: store, coder: coder, filters: JSONRecordFilterCompiler(), catalog: catalog, edits: edits)
    switch (command, rest.first, rest.dropFirst().first) {
    case ("list", nil, nil):
      try library.list(tasks, LibraryQuery(sortField: "title")) { (record) throws(Failure) in
        let task = (try? coder.decode(record)) ?? [:]
        print(task["id"]?.string ?? "", task["title"]?.string ?? "")
        return .next
      }
    case ("add", let title?, nil):
      let task = try await library.add(tasks, [FieldChange("title", .string(title))])
      print("added", task["id"]?.string ?? "")
    case ("set", let id?, let title?): _ = try await library.edit(tasks, id, [FieldChange("title", .string(title))])
    case ("remove", let id?, nil): try await library.remove(tasks, id)
    case ("waiting", nil, nil):
      let outbox = Outbox(store: store, coder: coder, catalog: catalog, time: time, events: Tasks())
      for entry in try outbox.entries() { print(entry.target, entry.kind, entry.state, entry.lastError ?? "") }
    case ("sync", nil, nil):
      // A sync sends the edits of the source first; `flush` only sends.
      let engine = SyncEngine(
        store: store, sources: [source], transport: StandardStack().transport(over: URLSessionTransport()),
        coder: coder, time: time, random: random, events: Tasks())
      let report = try await engine.sync([Follow(path: "work/all")], SyncOptions())
      print("sent \(report.outbox.sent), \(report.outbox.pending) wait")
      if let error = report.follows[0].error { print(error.message) }
    default: fatalError("unknown arguments \(arguments.joined(separator: " "))")
    }
  }
}
