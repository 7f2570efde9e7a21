import CLibrary
import Models
import Persistence
import Ports

/// Measures a first pull of many pages: 500 photos of 600 bytes and some owners per page, with one commit per page.
enum PullBench {
  static func run(
    _ store: JSONFileStore, pages: Int, _ report: (String, Int, String) -> Void
  ) async throws(StoreError) {
    var spent = 0
    let before = StoreBench.figure("wchar", in: "/proc/self/io")
    var records = 0
    var bytes = 0
    var slowest = 0
    for page in 0..<pages {
      let photos = (0..<500).map { photo(page * 500 + $0) }
      // About every fourth page has a new owner: 120 after 200 pages, each of them put with its page.
      let owners = page % 5 < 3 ? [owner(page)] : []
      let begun = StoreBench.now()
      _ = try await store.write { (transaction) throws(StoreError) in
        for (id, record) in photos { try transaction.put(record, id: id, in: .photos) }
        for (id, record) in owners { try transaction.put(record, id: id, in: .owners) }
      }
      let taken = StoreBench.now() - begun
      spent += taken
      slowest = max(slowest, taken)
      records += photos.count + owners.count
      bytes += (photos + owners).reduce(0) { $0 + $1.record.count }
    }
    report("pull", spent / records, "ns")
    report("slowest-commit", slowest, "ns")
    report("record-size", bytes / records, "bytes")
    report("written-a-record", (StoreBench.figure("wchar", in: "/proc/self/io") - before) / records, "bytes")
  }

  private static func photo(_ number: Int) -> (id: String, record: [UInt8]) {
    // Ids in the approximate order of search pages: newer photos have greater ids.
    let id = String(53_000_000_000 - number * 37 + number % 11 * 100)
    var text =
      "{\"id\":\"\(id)\",\"owner\":\"\(10_000_000 + number % 120)@N00\",\"title\":\"Photo \(number)\",\"tags\":["
    text += "\"lake\",\"evening\"],\"url\":\"https://live.staticflickr.com/65535/\(id)_b.jpg\",\"description\":\""
    let missing = 600 - text.utf8.count - 2
    return (id, Array((text + String(repeating: "y", count: max(missing, 0)) + "\"}").utf8))
  }

  private static func owner(_ number: Int) -> (id: String, record: [UInt8]) {
    let id = "\(10_000_000 + number)@N00"
    let text = "{\"id\":\"\(id)\",\"username\":\"somebody\(number)\",\"iconURL\":\"https://example.org/\(number).jpg\"}"
    return (id, Array(text.utf8))
  }
}
