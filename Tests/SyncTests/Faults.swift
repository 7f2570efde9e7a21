import AlmanacTesting
import Models
import Ports
import Synchronization

/// Decides at random which requests fail.
final class FaultDice: Sendable {
  private struct State {
    var odds = 0.0
    var count = 0
  }

  private let random: SeededRandom
  private let faults: [FakeSourceServer.Fault]
  private let state = Mutex(State())

  init(_ random: SeededRandom, faults: [FakeSourceServer.Fault] = FakeSourceServer.Fault.allCases) {
    (self.random, self.faults) = (random, faults)
  }

  /// The average number of requests per fault; 0 for no faults.
  var odds: Double {
    get { state.withLock { $0.odds } }
    set { state.withLock { $0.odds = newValue } }
  }

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

/// Delays a response until a test releases it.
final class SlowTransport: HTTPTransport {
  private struct State {
    var isArmed = false
    var running = 0
    var most = 0
  }

  private let inner: any HTTPTransport
  private let state = Mutex(State())
  private let (held, hold) = AsyncStream.makeStream(of: Void.self)
  private let (released, go) = AsyncStream.makeStream(of: Void.self)

  init(_ inner: any HTTPTransport) { self.inner = inner }

  /// The largest number of concurrent requests.
  var most: Int { state.withLock { $0.most } }

  func holdNextAnswer() { state.withLock { $0.isArmed = true } }

  func waitUntilHeld() async { for await _ in held {} }

  func release() { go.finish() }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    state.withLock { state in
      state.running += 1
      state.most = max(state.most, state.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    let response = try await inner.send(request)
    let isArmed = state.withLock { state in
      defer { state.isArmed = false }
      return state.isArmed
    }
    if isArmed {
      hold.finish()
      for await _ in released {}
    } else {
      for _ in 0..<5 { await Task.yield() }
    }
    return response
  }
}

/// A process that is paused at one of its requests, before or after that is sent, until a test lets it go on.
final class PausedTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let isAfter: Bool
  private let left: Mutex<Int>
  private let (paused, pause) = AsyncStream.makeStream(of: Void.self)
  private let (released, go) = AsyncStream.makeStream(of: Void.self)

  /// Pauses the process at the request with this number, from 0.
  init(_ inner: any HTTPTransport, at request: Int, isAfter: Bool) {
    (self.inner, self.isAfter) = (inner, isAfter)
    left = Mutex(request)
  }

  /// Waits until the process is paused, or has ended.
  func reached() async { for await _ in paused {} }

  /// Notes that the process is paused, or has ended.
  func reach() { pause.finish() }

  /// Lets the process go on.
  func release() { go.finish() }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let isHere = left.withLock { left in
      left -= 1
      return left == -1
    }
    if isHere, !isAfter { await wait() }
    defer { if isHere { reach() } }
    let response = try await inner.send(request)
    if isHere, isAfter { await wait() }
    return response
  }

  private func wait() async {
    reach()
    for await _ in released {}
  }
}

/// A store whose server cannot be reached for some writes.
final class UnreachableStore: WrappedStore, LoadsAtOnce {
  let base: any RecordStore
  private let failures = Mutex(0)

  init(inner: any RecordStore) { base = inner }

  /// The number of writes that fail.
  var left: Int {
    get { failures.withLock { $0 } }
    set { failures.withLock { $0 = newValue } }
  }

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    let fails = failures.withLock { left in
      if left > 0 { left -= 1 } else { return false }
      return true
    }
    if fails { throw StoreError(.unreachable, "the server is away") }
    return try await base.write(body)
  }
}

/// Which process of a store may send.
final class Lead: Sendable {
  private let current = Mutex("")

  var holder: String {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}

/// The store of a process, which commits only while it leads.
struct LeadingStore: WrappedStore, LoadsAtOnce {
  let base: any RecordStore
  let lead: Lead
  let name: String

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    try await base.write { (transaction: inout any StoreTransaction) throws(StoreError) -> Result in
      guard lead.holder == name else { throw StoreError(.leaseLost, "another daemon leads") }
      return try body(&transaction)
    }
  }
}
