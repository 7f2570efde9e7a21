import Models
import Ports

extension RecordStoreContract {
  static let feed: [Check] = [
    Check("the feed holds every change in its order") { store in
      try await store.put(["b", "a"], "1")
      _ = try await store.write { (transaction) throws(StoreError) in
        try transaction.delete(.people, "a")
        try transaction.put(sample("c", "2"), id: "c", in: .apps)
      }
      let all = try store.changes(since: nil, limit: 100)
      try expectEqual(all.map(\.id), ["b", "a", "a", "c"])
      try expectEqual(all.map(\.collection), [.people, .people, .people, .apps])
      try expectEqual(all.map { $0.record != nil }, [true, true, false, true])
      try expectEqual(all[3].record, sample("c", "2"))
    },
    Check("the feed goes on after any cursor, in pieces of any size") { store in
      for round in 0..<5 { try await store.put(["a", "b", "c\(round)"], "\(round)") }
      let all = try store.changes(since: nil, limit: 100)
      try expectEqual(all.count, 15)
      try expectEqual(Set(all.map(\.cursor)).count, 15)
      for (index, change) in all.enumerated() {
        let rest = try store.changes(since: ChangeCursor(change.cursor.description), limit: 100)
        try expectEqual(rest, Array(all[(index + 1)...]))
      }
      for limit in 1...4 {
        var found: [StoreChange] = []
        var cursor: ChangeCursor?
        while case let piece = try store.changes(since: cursor, limit: limit), !piece.isEmpty {
          try expect(piece.count <= limit, "\(piece.count) changes, limit \(limit)")
          found += piece
          cursor = piece.last?.cursor
        }
        try expectEqual(found, all)
      }
      let end = all[14].cursor
      try expectEqual(try store.changes(since: end, limit: 10), [])
      try await store.put(["z"], "9")
      try expectEqual(try store.changes(since: end, limit: 10).map(\.id), ["z"])
    },
    Check("the end of the feed is known without reading it, and stays where it was") { store in
      try expectEqual(try store.snapshot().end, nil)
      try await store.put(["a", "b"], "1")
      let first = try store.snapshot()
      guard let end = first.end else { throw ContractViolation(description: "a store with a commit has an end") }
      try expectEqual(try store.changes(since: end, limit: 10), [])
      try await store.put(["c"], "2")
      try expectEqual(first.end, end)
      try expectEqual(try store.changes(since: end, limit: 10).map(\.id), ["c"])
      try await store.put(["d", "e"], "3")
      let rest = try store.changes(since: end, limit: 2)
      try expectEqual(rest.map(\.id), ["c", "d"])
      try expectEqual(try store.changes(since: rest.last?.cursor, limit: 10).map(\.id), ["e"])
    },
    Check("a cursor that is none is refused") { store in
      try await store.put(["a"])
      for text in ["", "nonsense", "-1", "99999999999999999999", "7-7-7"] {
        try await expectError(.cursorExpired) { _ = try store.changes(since: ChangeCursor(text), limit: 1) }
      }
    },
  ]
}
