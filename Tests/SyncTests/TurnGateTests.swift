import Synchronization
import Testing

@testable import Sync

@Suite struct TurnGateTests {
  @Test func turnsComeOneAfterTheOther() async throws {
    let gate = TurnGate()
    let running = Running()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try? await gate.enter("key")
          running.begin()
          await Task.yield()
          running.end()
          gate.leave("key")
        }
      }
    }
    #expect(running.most == 1)
    #expect(running.total == 50)
  }

  @Test func otherKeysDoNotWait() async throws {
    let gate = TurnGate()
    try await gate.enter("a")
    try await gate.enter("b")
    gate.leave("a")
    gate.leave("b")
    try await gate.enter("a")
    gate.leave("a")
  }

  @Test func whoWasCancelledLosesItsTurn() async throws {
    let gate = TurnGate()
    try await gate.enter("key")
    let waiting = Task { try await gate.enter("key") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let next = Task { try await gate.enter("key") }
    gate.leave("key")
    try await next.value
    gate.leave("key")
  }
}

private final class Running: Sendable {
  private let state = Mutex([0, 0, 0])

  var most: Int { state.withLock { $0[1] } }
  var total: Int { state.withLock { $0[2] } }

  func begin() {
    state.withLock { state in
      state[0] += 1
      state[1] = max(state[0], state[1])
      state[2] += 1
    }
  }

  func end() { state.withLock { $0[0] -= 1 } }
}
