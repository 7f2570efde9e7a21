import AlmanacTesting
import Models
import Ports
import Sync
import Synchronization
import Testing

/// Edits and removals that `GuardedChanges` sends to a scripted server.
@Suite struct GuardedChangesTests {
  /// What the server answers, and what it was asked.
  final class Server: UpdatableRemote {
    struct Script {
      var reads: [RemoteRecord?] = []
      var removal = RemovalAnswer.removed
      /// What the first edit is refused with.
      var refusal: SourceError?
      var requests: [String] = []
    }

    let script: Mutex<Script>

    init(_ script: Script) { self.script = Mutex(script) }

    func read(_ id: String) async throws(SourceError) -> RemoteRecord {
      let copy = script.withLock { script in
        script.requests.append("read")
        return script.reads.isEmpty ? nil : script.reads.removeFirst()
      }
      guard let copy else { throw Self.missing }
      return copy
    }

    func write(
      _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
    ) async throws(SourceError) -> UpdateAnswer {
      let refusal = script.withLock { script in
        script.requests.append("write \(etag ?? "-")")
        defer { script.refusal = nil }
        return script.refusal
      }
      guard let refusal else { return .accepted(GuardedChangesTests.copy("Ada L.", "\"3\"")) }
      if refusal.isNotFound { throw refusal }
      return .preconditionFailed(refusal)
    }

    func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer {
      let answer = script.withLock { script in
        script.requests.append("remove \(etag ?? "-")")
        return script.removal
      }
      if case .preconditionFailed(let error) = answer, error.isNotFound { throw error }
      return answer
    }

    static let refusal = SourceError.refused(message: "locked")
    static let changed = SourceError.answered(.init(412), message: nil, url: "http://h/1", retryAfter: nil)
    static let missing = SourceError.meant(
      .missing, said: APIFailure(code: "gone", message: "no such record"), url: "http://h/1")
  }

  private static func copy(_ name: String, _ etag: String?) -> RemoteRecord {
    var sourceState = JSONObject()
    sourceState.append("etag", etag)
    return RemoteRecord(["name": .string(name)], base: ["name": .string(name)], sourceState: sourceState)
  }

  private static func send(
    _ script: Server.Script, kind: OutboxEntry.Kind = .delete, etag: String? = nil, unknown: Bool = false
  ) async throws -> (Result<PushOutcome, SourceError>, [String]) {
    let server = Server(script)
    let entry = OutboxEntry(
      id: "e", target: "things/1", kind: kind, edit: kind == .put ? ["name": "Ada L."] : [:], base: ["name": "Ada"],
      outcomeUnknown: unknown, createdAt: Timestamp(secondsSinceEpoch: 0))
    var sourceState = JSONObject()
    sourceState.append("etag", etag)
    let context = PushContext(
      transport: ScriptedTransport([]), record: [:], sourceState: sourceState,
      snapshot: try InMemoryRecordStore().snapshot(),
      now: Timestamp(secondsSinceEpoch: 0), changes: GuardedChanges(.everything))
    do throws(SourceError) {
      let outcome = try await context.changes.send(entry, context, to: server)
      return (.success(outcome), server.script.withLock(\.requests))
    } catch {
      return (.failure(error), server.script.withLock(\.requests))
    }
  }

  /// An edit of the name, from Ada to Ada L.; the names and tags that are read meanwhile.
  struct Change: Sendable {
    var etag: String? = "\"1\""
    var unknown = false
    var reads: [(String, String?)] = []
    var refusal: SourceError?
    var outcome: String
    var requests: [String]
  }

  @Test(arguments: [
    Change(outcome: "accepted", requests: ["write \"1\""]),
    Change(etag: nil, reads: [("Ada", "\"1\"")], outcome: "accepted", requests: ["read", "write \"1\""]),
    Change(etag: nil, reads: [("Grace", nil)], outcome: "newer", requests: ["read"]),
    // An answer that was lost is found; what never arrived is sent again.
    Change(unknown: true, reads: [("Ada L.", "\"2\"")], outcome: "accepted", requests: ["read"]),
    Change(unknown: true, reads: [("Ada", "\"1\"")], outcome: "accepted", requests: ["read", "write \"1\""]),
    // A refusal because of a change, of the same field or another, or because of the own success.
    Change(
      reads: [("Grace", "\"2\"")], refusal: Server.changed, outcome: "newer", requests: ["write \"1\"", "read"]),
    Change(reads: [("Ada", "\"2\"")], refusal: Server.changed, outcome: "newer", requests: ["write \"1\"", "read"]),
    Change(
      reads: [("Ada L.", "\"2\"")], refusal: Server.changed, outcome: "accepted", requests: ["write \"1\"", "read"]),
    Change(
      reads: [("Ada", "\"1\"")], refusal: Server.changed, outcome: "refused", requests: ["write \"1\"", "read"]),
    // A weak tag never matches.
    Change(
      etag: "W/\"1\"", reads: [("Ada", "W/\"1\"")], refusal: Server.changed, outcome: "accepted",
      requests: ["write W/\"1\"", "read", "write -"]),
    Change(refusal: Server.missing, outcome: "removed", requests: ["write \"1\"", "read"]),
    Change(
      reads: [("Ada", "\"1\"")], refusal: Server.missing, outcome: "refused", requests: ["write \"1\"", "read"]),
  ])
  func edits(change: Change) async throws {
    let script = Server.Script(reads: change.reads.map { Self.copy($0.0, $0.1) }, refusal: change.refusal)
    let (result, requests) = try await Self.send(script, kind: .put, etag: change.etag, unknown: change.unknown)
    let outcome =
      switch result {
      case .success(.accepted): "accepted"
      case .success(.remoteIsNewer): "newer"
      case .success(.removed): "removed"
      case .failure: "refused"
      }
    #expect(outcome == change.outcome && requests == change.requests, "\(result) \(requests)")
  }

  @Test("with a tag, a removal is one request")
  func guarded() async throws {
    let (outcome, requests) = try await Self.send(.init(), etag: "\"1\"")
    #expect(try outcome.get() == .removed)
    #expect(requests == ["remove \"1\""])
  }

  @Test("without a tag, or after a lost answer, the record is read first", arguments: [nil, "\"1\""])
  func readFirst(etag: String?) async throws {
    let (outcome, requests) = try await Self.send(.init(reads: [Self.copy("Ada", "\"1\"")]), etag: etag, unknown: true)
    #expect(try outcome.get() == .removed)
    #expect(requests == ["read", "remove \"1\""])
  }

  @Test("a record with another tag may have changed where no field shows it")
  func otherTag() async throws {
    let copy = Self.copy("Ada", "\"2\"")
    let (outcome, requests) = try await Self.send(.init(reads: [copy]), etag: "\"1\"", unknown: true)
    #expect(try outcome.get() == .remoteIsNewer(copy))
    #expect(requests == ["read"])
    // A proxy makes weak tags of strong ones.
    let (weak, _) = try await Self.send(.init(reads: [Self.copy("Ada", "W/\"1\"")]), etag: "\"1\"", unknown: true)
    #expect(try weak.get() == .removed)
  }

  @Test("a record that changed at the server is not removed")
  func changed() async throws {
    let (outcome, requests) = try await Self.send(.init(reads: [Self.copy("Grace", "\"2\"")]))
    #expect(try outcome.get() == .remoteIsNewer(Self.copy("Grace", "\"2\"")))
    #expect(requests == ["read"])
  }

  @Test("where no tag or content tells, what the program sets or derives is no change", arguments: [false, true])
  func assigned(isChanged: Bool) async throws {
    let person: JSONObject = [
      "id": "1", "firstName": "Ada", "lastName": "B", "fullName": "Ada B", "origin": "carddav/home/book",
    ]
    var there = person
    (there["origin"], there["fullName"], there["photo"]) = ("carddav/work/book", "Dr. Ada B", ["url": "http://x"])
    if isChanged { there["lastName"] = "C" }
    let server = Server(.init(reads: [RemoteRecord(there, base: there, sourceState: [:])]))
    let entry = OutboxEntry(
      id: "e", target: "people/1", kind: .delete, edit: [:], base: person, createdAt: Timestamp(secondsSinceEpoch: 0))
    let context = PushContext(
      transport: ScriptedTransport([]), record: [:], snapshot: try InMemoryRecordStore().snapshot(),
      now: Timestamp(secondsSinceEpoch: 0), changes: GuardedChanges(.everything))
    let outcome = try await context.changes.send(entry, context, to: server)
    #expect((outcome == .removed) == !isChanged, "\(outcome)")
  }

  @Test(
    "a weak tag is not sent, and a server that refuses without a change refuses the removal", arguments: ["", "W/"])
  func refused(prefix: String) async throws {
    let etag = "\(prefix)\"1\""
    let (outcome, requests) = try await Self.send(
      .init(reads: [Self.copy("Ada", etag)], removal: .preconditionFailed(Server.refusal)), etag: etag)
    #expect(throws: SourceError.self) { try outcome.get() }
    #expect(requests == ["remove \(prefix.isEmpty ? etag : "-")", "read"])
  }

  @Test("a removal that is turned down because of a change becomes a conflict")
  func preconditionFailed() async throws {
    let (outcome, _) = try await Self.send(
      .init(reads: [Self.copy("Ada", "\"2\"")], removal: .preconditionFailed(Server.refusal)), etag: "\"1\"")
    #expect(try outcome.get() == .remoteIsNewer(Self.copy("Ada", "\"2\"")))
  }

  @Test("404 counts as removed only if a read confirms it", arguments: [true, false])
  func notFound(isGone: Bool) async throws {
    let reads = isGone ? [] : [Self.copy("Ada", "\"1\"")]
    let (outcome, requests) = try await Self.send(
      .init(reads: reads, removal: .preconditionFailed(Server.missing)), etag: "\"1\"")
    if isGone {
      #expect(try outcome.get() == .removed)
    } else {
      #expect(throws: SourceError.self) { try outcome.get() }
    }
    #expect(requests == ["remove \"1\"", "read"])
  }
}
