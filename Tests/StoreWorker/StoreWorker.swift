import CLibrary
import Models
import Persistence
import Ports

/// A process that uses a store and can be killed at any call; driven by `kill_sweep.py` and `many_writers.py`.
///
/// `storeworker commits DIR COUNT TAG [fold]` commits one after another and prints each when it is acknowledged;
/// with `fold` it folds after every third. `storeworker check DIR` prints the state as lines `sequence` and records, and what
/// is damaged, of a hundred past states, too.
@main
struct StoreWorker {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else { fail("usage: storeworker commits|check DIR …") }
    do throws(StoreError) {
      let store = try JSONFileStore(folder: arguments[2], history: .keep(), lockTimeout: .seconds(60))
      switch arguments[1] {
      case "commits" where arguments.count >= 5:
        try await commits(store, Int(arguments[3]) ?? 1, arguments[4], folds: arguments.last == "fold")
      case "check": try check(store)
      case "repair": for finding in try await store.repair() { print(finding.message) }
      default: fail("unknown command")
      }
    } catch {
      fail("\(error.code.rawValue): \(error)")
    }
  }

  private static func commits(
    _ store: JSONFileStore, _ count: Int, _ tag: String, folds: Bool
  ) async throws(StoreError) {
    for number in 1...count {
      let result = try await store.write { (transaction) throws(StoreError) in
        // Two records that must always agree, and one of our own.
        for id in ["left", "right"] {
          let old = try transaction.record(.people, id).map { String(decoding: $0, as: UTF8.self) }
          let value = old.flatMap { Int($0.split(separator: "\"")[7]) } ?? 0
          try transaction.put(Array("{\"id\":\"\(id)\",\"n\":\"\(value + 1)\"}".utf8), id: id, in: .people)
        }
        let id = "\(tag)-\(number)"
        let text = "{\"id\":\"\(id)\",\"text\":\"\(String(repeating: "x", count: 100))\"}"
        try transaction.put(Array(text.utf8), id: id, in: .apps)
        transaction.explain(ChangeCause(.edit, run: id))
      }
      write("\(result.sequence ?? 0) \(tag)-\(number)\n")
      if folds, number % 3 == 0 { _ = try await store.compact() }
    }
  }

  private static func check(_ store: JSONFileStore) throws(StoreError) {
    let snapshot = try store.snapshot()
    print("sequence \(snapshot.sequence)")
    for collection in snapshot.collections {
      try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        print("\(collection) \(record.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })")
        return .next
      }
    }
    let damage = try store.verify().filter { $0.severity == .damage }
    for finding in damage { print("damage \(finding.path) \(finding.offset ?? -1) \(finding.message)") }
    // Each commit raised both counters.
    for commit in stride(from: 1, through: snapshot.sequence, by: Int(snapshot.sequence / 100 + 1)) {
      let past = try store.snapshot(at: commit)
      for id in ["left", "right"] {
        let record = try past.record(.people, id).map { String(decoding: $0, as: UTF8.self) } ?? "none"
        if record != "{\"id\":\"\(id)\",\"n\":\"\(commit)\"}" { print("damage: commit \(commit) was \(record)") }
      }
      if try store.origin(of: commit)?.cause?.run == nil { print("damage: commit \(commit) has no cause") }
    }
  }

  /// One call, so that a line is out or not when we are killed.
  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = CLibrary.write(1, bytes, bytes.count)
  }

  private static func fail(_ message: String) -> Never {
    let bytes = Array((message + "\n").utf8)
    _ = CLibrary.write(2, bytes, bytes.count)
    exit(1)
  }
}
