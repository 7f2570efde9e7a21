import AlmanacTesting
import Models
import Persistence
import Ports
import Testing

@Suite("Records that are not values of their type")
struct InvalidValueTests {
  struct ToDo: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title: String
    var isDone = false
    var due: [String: Int]?
  }

  private let folder = TemporaryFolder()

  @Test("are named with their collection and what was found, and passed over")
  func skipped() async throws {
    let store = try JSONFileStore(folder: folder.path + "/store")
    let toDos = StoreCollection<ToDo>("todos", in: store)
    try await toDos.put(ToDo(id: "a", title: "A"), ToDo(id: "z", title: "Z"))
    let others = [
      "b": #""title":1,"isDone":true"#, "c": #""title":"C","isDone":["yes"]"#, "d": #""title":"D""#,
      "e": #""title":"E","isDone":true,"due":{"x":1.5}"#,
    ]
    _ = try await store.write { (transaction) throws(StoreError) in
      for (id, rest) in others { try transaction.put(Array("{\"id\":\"\(id)\",\(rest)}".utf8), id: id, in: toDos.name) }
    }
    var skipped: [String] = []
    let values = try toDos.values(skippingInvalid: { skipped.append($0.message) })
    #expect(values.map(\.id) == ["a", "z"])
    #expect(
      skipped.map { $0.replacing("the record ", with: "").replacing(" of todos is not of type ToDo", with: "") } == [
        "'b': expected String, found number at $.title", "'c': expected Bool, found an array at $.isDone",
        "'d': there is no value at $.isDone",
        "'e': a number does not fit its property, such as 1.5 for an Int",
      ])
    #expect(throws: StoreError.self) { try toDos.values() }
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.put(Array(#"{"id":"c","title":}"#.utf8), id: "c", in: toDos.name)
    }
    var errors: [StoreError] = []
    #expect(try toDos.values(skippingInvalid: { errors.append($0) }).map(\.id) == ["a", "z"])
    #expect(errors.map(\.code) == [.invalidRecord, .damaged, .invalidRecord, .invalidRecord])
    #expect(errors[1].message == "the record 'c' of todos is not JSON" && errors[1].hint != nil)
    #expect { try toDos.value("c") } throws: { ($0 as? StoreError)?.message == errors[1].message }
    try await toDos.delete("b")
    #expect { try toDos.values() } throws: { ($0 as? StoreError)?.message == errors[1].message }
    // A sequence of values ends with the error, or goes on without the record.
    await expectError(.damaged) { for try await _ in toDos.observe() { break } }
    let seen = RecordedEvents()
    for try await values in toDos.observe(skippingInvalid: { seen.report(.warning(message: Advice($0.message))) }) {
      if values.map(\.id) == ["a", "y", "z"] { break }
      #expect(values.map(\.id) == ["a", "z"])
      try await toDos.put(ToDo(id: "y", title: "Y"))
    }
    #expect(seen.events.filter { $0 == .warning(message: Advice(errors[1].message)) }.count >= 2)
  }
}
