import Foundation
import Persistence

struct ToDo: Codable, Identifiable {
  var id: String
  var title: String
  var isDone = false
}

/// `todo add TITLE`, `todo done ID`, `todo remove ID`, `todo list`; `todo watch` follows what other processes do.
@main
struct ToDoList {
  static func main() async {
    do {
      try await run(CommandLine.arguments.dropFirst().first, CommandLine.arguments.dropFirst(2).first)
    } catch {
      FileHandle.standardError.write(Data("todo: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ command: String?, _ text: String?) async throws {
    let toDos = StoreCollection<ToDo>("todos", in: try JSONFileStore(folder: "todo.store"))
    switch (command, text) {
    case ("add"?, let title?):
      try await toDos.put(ToDo(id: String(UInt32.random(in: 0 ... .max), radix: 36), title: title))
    case ("done"?, let id?): try await toDos.update(id) { $0.isDone = true }
    case ("remove"?, let id?): try await toDos.delete(id)
    case ("watch"?, nil):
      for try await open in toDos.observe(where: { !$0.isDone }) {
        print("\(open.count) open")
        fflush(nil)
      }
    default:
      for toDo in try toDos.values() { print(toDo.isDone ? "[x]" : "[ ]", toDo.id, toDo.title) }
    }
  }
}
