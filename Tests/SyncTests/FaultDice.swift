import AlmanacTesting
import Ports
import Synchronization

/// Decides by chance what goes wrong with a request.
final class FaultDice: Sendable {
  private struct State {
    var odds = 0.0
    var count = 0
  }

  private let random: SeededRandom
  private let faults: [FakeSourceServer.Fault]
  private let state = Mutex(State())

  init(_ random: SeededRandom, faults: [FakeSourceServer.Fault] = FakeSourceServer.Fault.allCases) {
    self.random = random
    self.faults = faults
  }

  /// Something goes wrong with one request in so many; with none where 0.
  var odds: Double {
    get { state.withLock { $0.odds } }
    set { state.withLock { $0.odds = newValue } }
  }

  /// How many faults there were.
  var count: Int { state.withLock { $0.count } }

  func next(_ request: HTTPRequest) -> FakeSourceServer.Fault {
    state.withLock { state in
      guard state.odds > 0, Double(random.below(1_000_000)) * state.odds < 1_000_000 else { return .none }
      let fault = random.pick(faults)
      if fault != .none { state.count += 1 }
      return fault
    }
  }
}
