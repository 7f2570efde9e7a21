import Models
import Persistence
import Ports

struct ToDo: Codable, Identifiable {
  var id, title: String
}

/// `history set ID TITLE` changes an item, `history show ID` lists what it was, `history at COMMIT` all items as they were.
@main
struct ToDoHistory {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst() + ["", "", ""]
    let store = try JSONFileStore(folder: "todo.store", history: .keep())
    let toDos = StoreCollection<ToDo>("todos", in: store)
    switch words[1] {
    case "set":
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.put(ToDo(id: words[2], title: words[3]), in: toDos)
        transaction.explain(ChangeCause(.edit, tool: .command("set")))
      }
    case "show":
      for change in try toDos.history(words[2]) {
        print(change.commit, change.origin?.at.description ?? "", change.after?.title ?? "deleted")
      }
    default:
      for toDo in try store.snapshot(at: UInt64(words[2]) ?? 0).values(in: toDos) { print(toDo.id, toDo.title) }
    }
  }
}
