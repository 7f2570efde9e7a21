import AlmanacTesting
import Library
import Models
import Parsing
import Ports

/// A library over a store in memory.
struct LibraryFixture {
  let store = InMemoryRecordStore()
  let library: Library

  init() {
    library = Library(store: store, coder: JSONRecordCoder(), filters: JSONRecordFilterCompiler(), catalog: .everything)
  }

  func put(_ collection: CollectionName, _ lines: [String]) async throws {
    _ = try await store.write { (transaction) throws(StoreError) in
      for line in lines {
        let id = (try? JSONRecordCoder().decode(Array(line.utf8)))?["id"]?.string ?? ""
        try transaction.put(Array(line.utf8), id: id, in: collection)
      }
    }
  }

  func list(_ collection: CollectionName, _ query: LibraryQuery, stopAfter: Int = .max) throws -> [String] {
    var ids: [String] = []
    try library.list(collection, query) { record in
      let fields = try? JSONRecordCoder().decode(record)
      ids.append(fields?["id"]?.string ?? "?")
      return ids.count == stopAfter ? .stop : .next
    }
    return ids
  }

  func lines(_ collection: CollectionName) throws -> [String] {
    var lines: [String] = []
    try library.list(collection, LibraryQuery()) { record in
      lines.append(record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      return .next
    }
    return lines
  }
}
