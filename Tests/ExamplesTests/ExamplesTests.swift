import AlmanacTesting
import Foundation
import Synchronization
import Testing
import UpstreamKit

/// The programs of `Tests/Examples`, built as a package of somebody else: through public products, with no trait of
/// ours, so that no other package is fetched.
@Suite struct ExamplesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(.timeLimit(.minutes(30))) func compileAndRunFromOutside() async throws {
    let package = try ExamplePackage(
      of: Self.root,
      programs: [
        "ToDoList": ["Persistence"],
        "ToDoHistory": ["Models", "Persistence", "Ports"],
        "RecordedClient": ["Networking", "Parsing", "Ports", "URLSessionTransport"],
        "Books": [
          "Models", "Networking", "Parsing", "Persistence", "Ports", "Sync", "URLSessionTransport",
        ],
        "Tasks": [
          "Declared", "Library", "Models", "Networking", "Parsing", "Persistence", "Ports", "Sync",
          "URLSessionTransport",
        ],
      ], checks: ["BooksCheck": ("Books", Self.booksCheck)])
    defer { package.remove() }
    let dependencies = try await package.swift("package", "show-dependencies", "--format", "json")
    try #require(dependencies.status == 0, "\(dependencies.output)")
    #expect(try package.dependencies(in: dependencies.output) == ["almanac"])
    let build = try await package.swift("build")
    try #require(build.status == 0, "\(build.output)")

    try await toDoList(package)
    try await toDoHistory(package)
    try await recordedClient(package)
    try await books(package)
    try await tasks(package)
    #expect(try await package.run("BooksCheck") == "the source keeps its contract\n")
  }

  /// The contract of the source in the README's example.
  private static let booksCheck = """
    import AlmanacTesting
    import Models
    import Ports

    @main
    struct BooksCheck {
      static func main() async throws {
        let books = #"[{"title": "Emma", "id": 1, "lent": null}, {"id": "2", "title": "Persuasion"}, {"title": "No id"}]"#
        let url = "http://books.test/books"
        try await SourceContract(
          source: BookSource(server: Settings.Server(url: "http://books.test")), follow: Follow(path: "books"),
          badFollows: [Follow(path: "books/new"), Follow(path: "shelves")],
          answers: [HTTPResponse(status: 200, body: Array(books.utf8), url: url)], store: InMemoryRecordStore()
        ).verify()
        print("the source keeps its contract")
      }
    }

    """

  private func toDoList(_ package: ExamplePackage) async throws {
    _ = try await package.run("ToDoList", "add", "Write a test")
    _ = try await package.run("ToDoList", "add", "Read it")
    // The module alone leaves the file that other programs read.
    #expect(try package.text(of: "todo.store/todos.jsonl").split(separator: "\n").count == 2)
    let lines = try await package.run("ToDoList", "list").split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("[ ]") })
    let line = try #require(lines.first { $0.hasSuffix("Read it") })
    let id = try #require(line.split(separator: " ").dropFirst(2).first.map(String.init))
    _ = try await package.run("ToDoList", "done", id)
    #expect(try await package.run("ToDoList", "list").contains("[x] \(id) Read it"))
    _ = try await package.run("ToDoList", "remove", id)
    #expect(try await package.run("ToDoList", "list").split(separator: "\n").count == 1)
    // A mistake is an error in one line, not a crash.
    await #expect { _ = try await package.run("ToDoList", "done", id) } throws: {
      ($0 as? ExamplePackage.Failed)?.description.contains("ended with 1: todo: ") == true
    }
  }

  private func toDoHistory(_ package: ExamplePackage) async throws {
    for title in ["Write", "Rewrite"] { _ = try await package.run("ToDoHistory", "set", "new", title) }
    let lines = try await package.run("ToDoHistory", "show", "new").split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").last } == ["Rewrite", "Write"], "\(lines)")
    let commit = try #require(lines.last?.split(separator: " ").first.map(String.init))
    #expect(try await package.run("ToDoHistory", "at", commit).contains("new Write\n"))
  }

  /// The first answer is an error that a retry gets over.
  private func recordedClient(_ package: ExamplePackage) async throws {
    let requests = Requests()
    let server = try LocalServer { _ in
      requests.next() == 1 ? .json("{}", status: 503) : .json(#"{"chart": "top"}"#)
    }
    defer { server.stop() }
    let output = try await package.run("RecordedClient", server.url + "/charts")
    #expect(output.contains("received 16 bytes, status 200, requests 2"), "\(output)")
    #expect(output.contains("the replay is the same"), "\(output)")
  }

  /// The server changes a book, adds one and sends one that is invalid; later it removes one, and then it has none.
  private func books(_ package: ExamplePackage) async throws {
    let requests = Requests()
    let server = try LocalServer { request in
      switch (request.path, requests.next()) {
      case ("/books", 1): .json(#"[{"title": "Emma", "id": 1}, {"id": "2", "title": "Persuasion"}]"#)
      case ("/books", 2):
        .json(#"[{"id": "1", "title": "Emma!"}, {"id": "3", "title": "Sanditon"}, {"title": "No id"}]"#)
      case ("/books", 3): .json(#"[{"id": "1", "title": "Emma!"}, {"id": "3", "title": "Sanditon"}]"#)
      default: .json("{}", status: 404)
      }
    }
    defer { server.stop() }
    #expect(try await package.run("Books", server.url, "once") == "ok: 2 added, 0 updated, 0 removed\n")
    #expect(try await package.run("Books", server.url, "once") == "partial: 1 added, 1 updated, 0 removed\n")
    #expect(
      try package.text(of: "books.store/books.jsonl").split(separator: "\n") == [
        #"{"id":"1","title":"Emma!"}"#, #"{"id":"2","title":"Persuasion"}"#, #"{"id":"3","title":"Sanditon"}"#,
      ])
    #expect(try await package.run("Books", server.url, "once") == "ok: 0 added, 0 updated, 1 removed\n")
    let failed = try await package.run("Books", server.url, "once")
    #expect(failed.hasPrefix("failed: 0 added, 0 updated, 0 removed\n") && failed.contains("404"), "\(failed)")
  }

  /// Edits wait until they are sent; one that the server refuses waits for the user.
  private func tasks(_ package: ExamplePackage) async throws {
    let titles = Mutex([1: "Read"])
    let server = try LocalServer { request in
      titles.withLock { titles in
        let id = Int(request.path.split(separator: "/").last ?? "")
        let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any]
        let title = sent?["title"] as? String ?? ""
        func task(_ id: Int) -> String { #"{"id": \#(id), "title": "\#(titles[id] ?? "")"}"# }
        switch (request.method, id) {
        case ("GET", nil): return .json("[\(titles.keys.sorted().map(task).joined(separator: ", "))]")
        case ("POST", nil):
          let new = (titles.keys.max() ?? 0) + 1
          titles[new] = title
          return .json(task(new), status: 201)
        case (_, let id?) where titles[id] == nil: return .json("{}", status: 404)
        case ("PATCH", _) where title == "No": return .json(#"{"message": "no such title"}"#, status: 422)
        case ("PATCH", let id?): titles[id] = title
        case ("DELETE", let id?):
          titles[id] = nil
          return .json("{}")
        default: break
        }
        return .json(task(id ?? 0))
      }
    }
    defer { server.stop() }
    #expect(try await package.run("Tasks", server.url, "sync") == "sent 0, 0 wait\n")
    _ = try await package.run("Tasks", server.url, "set", "1", "Read it")
    #expect(try await package.run("Tasks", server.url, "add", "Write").hasPrefix("added "))
    #expect(try await package.run("Tasks", server.url, "waiting").split(separator: "\n").count == 2)
    #expect(titles.withLock { $0 } == [1: "Read"])
    let sent = try await package.run("Tasks", server.url, "sync")
    #expect(sent.contains("tasks/1 accepted\n") && sent.hasSuffix("sent 2, 0 wait\n"), "\(sent)")
    #expect(titles.withLock { $0 } == [1: "Read it", 2: "Write"])
    #expect(try await package.run("Tasks", server.url, "list") == "1 Read it\n2 Write\n")
    _ = try await package.run("Tasks", server.url, "remove", "2")
    _ = try await package.run("Tasks", server.url, "set", "1", "No")
    #expect(try await package.run("Tasks", server.url, "sync").hasSuffix("sent 1, 0 wait\n"))
    #expect(titles.withLock { $0 } == [1: "Read it"])
    let waiting = try await package.run("Tasks", server.url, "waiting")
    #expect(waiting.hasPrefix("tasks/1 put refused ") && waiting.contains("no such title"), "\(waiting)")
  }
}
