import AlmanacTesting
import Models
import Ports
import Sync
import Synchronization
import Testing

/// Entries that somebody names while another process is sending them.
@Suite struct SendingElsewhereTests {
  /// A clock whose first sleep lets something happen elsewhere, and returns when that is done.
  private final class Interlude: TimeSource {
    private let time: ManualTime
    private let event: Mutex<(@Sendable () async -> Void)?>

    init(_ time: ManualTime, _ event: @escaping @Sendable () async -> Void) {
      self.time = time
      self.event = Mutex(event)
    }

    var now: Timestamp { time.now }
    var uptime: Duration { time.uptime }

    func sleep(for duration: Duration) async throws(CancellationError) {
      try await time.sleep(for: duration)
      let event = event.withLock { event in
        defer { event = nil }
        return event
      }
      await event?()
    }
  }

  private func engine(
    _ name: String, _ bench: Bench, _ transport: any HTTPTransport, time: (any TimeSource)? = nil
  ) -> SyncEngine {
    SyncEngine(
      store: bench.store, sources: bench.sources, transport: transport, coder: bench.coder,
      time: time ?? bench.time, random: SeededRandom(), events: bench.events,
      process: ProcessIdentity(name: name) { ["a", "b"].contains($0) })
  }

  @Test("what the other process sends is not sent again", arguments: [true, false])
  func isWaitedFor(otherSucceeds: Bool) async throws {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    slow.holdNextAnswer()
    let other = engine("a", bench, slow)
    let sending = Task { try await other.flush(only: nil) }
    await slow.waitUntilHeld()
    let time = Interlude(bench.time) {
      // It ends, or dies with its lease given back and the outcome unknown.
      if otherSucceeds {
        slow.release()
        _ = try? await sending.value
      } else {
        try? await bench.put(.state, ["id": "sending/notes/l-e1", "process": "dead", "until": "2000-01-01T00:00:00Z"])
      }
    }
    let counts = try await engine("b", bench, server, time: time).flush(only: ["e1"])
    #expect(counts.sent == (otherSucceeds ? 0 : 1) && counts.pending == 0)
    #expect(try bench.outbox.entries().isEmpty)
    #expect(server.now.notes.count == 1)
    if !otherSucceeds {
      slow.release()
      _ = try? await sending.value
    }
  }

  @Test("one that takes too long is told, and nothing is sent")
  func isNotWaitedForEver() async throws {
    let server = FakeSourceServer(coder: Bench().coder, honoursKeys: false)
    let slow = SlowTransport(server)
    let bench = Bench(server: server, transport: slow)
    try await bench.add(note: "hello", entry: "e1")
    slow.holdNextAnswer()
    let other = engine("a", bench, slow)
    let sending = Task { try await other.flush(only: nil) }
    await slow.waitUntilHeld()
    let mine = engine("b", bench, server)
    let failure = await #expect(throws: Failure.self) { _ = try await mine.flush(only: ["e1"]) }
    #expect(failure?.reason == .tryLater && failure?.retryable == true)
    // Nobody waits for what was not named.
    #expect(try await mine.flush(only: nil).pending == 1)
    slow.release()
    #expect(try await sending.value.sent == 1)
    #expect(server.now.notes.count == 1)
  }
}
