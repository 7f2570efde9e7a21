import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite("Drift: fields that changed since the first sync")
struct DriftTests {
  private let store = InMemoryRecordStore(time: ManualTime())
  private let time = ManualTime()
  private let coder = JSONRecordCoder()
  private let events = RecordedEvents()

  private func report() throws -> [String] {
    try DriftReport(store: store, coder: coder).drifts().map { drift in
      let (was, now) = (drift.drift.before.joined(separator: "|"), drift.drift.now.joined(separator: "|"))
      return "\(drift.follow) \(drift.drift.path) \(was) -> \(now)"
    }
  }

  /// Syncs once with a server that returns these bodies in turn, and returns the status of the report.
  @discardableResult
  private func sync(
    _ bodies: String..., path: String = "fake/card/one", options: SyncOptions = SyncOptions()
  ) async throws -> FollowReport.Status {
    let answers = bodies.map { HTTPResponse(status: 200, body: Array($0.utf8), url: "http://fake.test/") }
    let engine = SyncEngine(
      store: store, sources: [FakeSource(coder: coder, edits: Bench.edits(), rule: .replace)],
      transport: ScriptedTransport(answers),
      coder: coder, time: time, random: SeededRandom(), events: events, shapes: JSONShapeReader())
    let report = try await engine.sync([Follow(path: path)], options)
    time.advance(by: .seconds(60))
    return report.follows[0].status
  }

  /// The number of times that a shape was written.
  private func writes() throws -> Int {
    try store.changes(since: nil, limit: .max).count { $0.collection == .state && $0.id.hasPrefix("shape/") }
  }

  @Test("a type that changed and a field that vanished, with both times")
  func twoPulls() async throws {
    let begun = time.now
    try await sync(#"{"id":"one","n":1,"note":"x"}"#)
    #expect(try report() == [])
    let second = time.now
    try await sync(#"{"id":"one","n":"1"}"#)
    #expect(try report() == ["fake/card/one $.n number -> string", "fake/card/one $.note string -> "])
    let drifts = try DriftReport(store: store, coder: coder).drifts()
    #expect(drifts.allSatisfy { $0.firstSeen == begun && $0.at == second })
    func warnings() -> [String] {
      events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
    }
    #expect(warnings().count == 1 && warnings()[0].contains("no longer have $.note"), "\(warnings())")
    // Another pull with the same responses changes nothing, including the time.
    let count = try writes()
    try await sync(#"{"id":"one","n":"2"}"#)
    #expect(try DriftReport(store: store, coder: coder).drifts() == drifts)
    #expect(try writes() == count && count == 2 && warnings().count == 1)
  }

  @Test("a field that vanished is told also where no record changes by it")
  func aFieldOfNoRecord() async throws {
    try await sync(#"{"id":"one","n":1,"page":{"size":1}}"#)
    let before = events.events.count
    try await sync(#"{"id":"one","n":1}"#)
    let warnings = events.events.dropFirst(before).compactMap {
      if case .warning(let message) = $0 { message.description } else { nil }
    }
    #expect(warnings.count == 1 && warnings[0].contains("no longer have $.page"), "\(warnings)")
  }

  @Test("a field that returns is optional, and is not reported again")
  func comesBack() async throws {
    try await sync(#"{"id":"one","note":"x","n":1}"#)
    try await sync(#"{"id":"one","n":"1"}"#)
    #expect(try report().count == 2)
    try await sync(#"{"id":"one","note":"y","n":2}"#)
    #expect(try report() == [])
    try await sync(#"{"id":"one","n":"1"}"#)
    #expect(try report() == [])
    try await sync(#"{"id":"one","n":true}"#)
    #expect(try report() == ["fake/card/one $.n number|string -> boolean"])
  }

  @Test("the original responses are those of the first sync, of --full, and of changed parameters")
  func restarts() async throws {
    try await sync(#"{"id":"one","n":1}"#)
    try await sync(#"{"id":"one","n":"1"}"#)
    #expect(try report().count == 1)
    try await sync(#"{"id":"one","n":"1"}"#, options: SyncOptions(full: true))
    #expect(try report() == [])
    let count = try writes()
    try await sync(#"{"id":"one","n":"1"}"#, options: SyncOptions(full: true))
    #expect(try writes() == count)
  }

  @Test("a plan and a failed pull store nothing; a response that the parser rejects is compared")
  func failures() async throws {
    try await sync(#"{"id":"one","n":1}"#, options: SyncOptions(dryRun: true))
    #expect(try await sync("<html>", path: "fake/card/one") == .failed)
    #expect(try writes() == 0)
    try await sync(#"{"id":"one","n":1}"#)
    #expect(try writes() == 1)
  }
}
