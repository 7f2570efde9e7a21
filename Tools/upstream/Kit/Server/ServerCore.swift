/// The state that the threads of a ``LocalServer`` share. It outlives the server until the last thread has ended.
final class ServerCore: Sendable {
  struct State {
    var stopped = false
    var accepting = true
    /// The number of threads that serve or wait for a connection.
    var workers = 0
    var idle = 0
    var waiting: [(descriptor: Int32, number: Int)] = []
    /// The connections that are being served.
    var open: Set<Int32> = []
    var connections = 0
    var received = 0
    var requests: [ReceivedRequest] = []
    var watchers: [Watcher] = []
  }

  /// A task that waits for the server to reach a state.
  struct Watcher {
    let isDone: @Sendable (State) -> Bool
    let resume: @Sendable () -> Void
  }

  let handler: @Sendable (ReceivedRequest) -> Reply
  let limits: LocalServer.Limits
  private let state = Gate(State())
  /// The number of threads that are kept for further connections.
  private static let idleLimit = 64

  init(limits: LocalServer.Limits, handler: @escaping @Sendable (ReceivedRequest) -> Reply) {
    (self.limits, self.handler) = (limits, handler)
  }

  /// Accepts connections until the listening socket is shut down.
  func acceptAll(_ listener: Int32) {
    while let descriptor = Socket.accept(listener) {
      enum Next { case refuse, wake, start }
      let next = state.withLock { state -> Next in
        if state.stopped { return .refuse }
        state.connections += 1
        state.waiting.append((descriptor, state.connections))
        if state.idle >= state.waiting.count { return .wake }
        state.workers += 1
        return .start
      }
      switch next {
      case .refuse: Socket.close(descriptor)
      case .wake: state.wakeAll()
      case .start:
        if !startThread({ self.work() }) { change { $0.workers -= 1 } }
      }
    }
    change { $0.accepting = false }
    state.wakeAll()
  }

  /// Runs a thread, which serves one connection after another.
  private func work() {
    while let next = take() {
      let ending = Connection(descriptor: next.descriptor, number: next.number, core: self).serve()
      // Out of the set first: the number of a closed descriptor may be another connection's at once.
      change { $0.open.remove(next.descriptor) }
      switch ending {
      case .proper: Socket.close(next.descriptor)
      case .reset: Socket.reset(next.descriptor)
      }
    }
    change { $0.workers -= 1 }
    state.wakeAll()
  }

  private func take() -> (descriptor: Int32, number: Int)? {
    enum Outcome {
      case serve((descriptor: Int32, number: Int))
      case leave
    }
    var isIdle = false
    let outcome = state.wait { state -> Outcome? in
      if !state.waiting.isEmpty {
        if isIdle { state.idle -= 1 }
        let next = state.waiting.removeFirst()
        state.open.insert(next.descriptor)
        // A stop that has already gone through the open ones must not miss this one.
        if state.stopped { Socket.shutDown(next.descriptor) }
        return .serve(next)
      }
      if state.stopped || !isIdle && state.idle >= ServerCore.idleLimit {
        if isIdle { state.idle -= 1 }
        return .leave
      }
      if !isIdle {
        state.idle += 1
        isIdle = true
      }
      return nil
    }
    if case .serve(let next) = outcome { return next }
    return nil
  }

  /// Assigns a number to a request and stores it.
  /// - Returns: nil if the server has stopped.
  func record(_ make: (Int) -> ReceivedRequest) -> ReceivedRequest? {
    change { state in
      if state.stopped { return nil }
      state.received += 1
      let request = make(state.received)
      if limits.recorded > 0 {
        if state.requests.count >= limits.recorded {
          // Removes a quarter at a time, so that a full list is not moved for every request.
          state.requests.removeFirst(max(1, limits.recorded / 4))
        }
        state.requests.append(request)
      }
      return request
    }
  }

  /// Changes the state and resumes all tasks whose condition is met.
  @discardableResult
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, done) = state.withLock { state in
      let result = body(&state)
      guard !state.watchers.isEmpty else { return (result, [Watcher]()) }
      let watchers = state.watchers
      let isDone = watchers.map { state.stopped || $0.isDone(state) }
      guard isDone.contains(true) else { return (result, []) }
      state.watchers = zip(watchers, isDone).filter { !$0.1 }.map(\.0)
      return (result, zip(watchers, isDone).filter(\.1).map(\.0))
    }
    for watcher in done { watcher.resume() }
    return result
  }

  /// Suspends until the condition is met, or the server stops.
  func wait(until isDone: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      change { $0.watchers.append(Watcher(isDone: isDone, resume: { continuation.resume() })) }
    }
  }

  /// Closes all connections and waits for the threads, up to the given time.
  func stop(milliseconds: Int) {
    let first = change { state in
      if state.stopped { return false }
      state.stopped = true
      for descriptor in state.open { Socket.shutDown(descriptor) }
      return true
    }
    guard first else { return }
    state.wakeAll()
    _ = state.wait(milliseconds: milliseconds) { $0.workers == 0 && !$0.accepting ? true : nil }
    // Connections that the system could not create a thread for.
    let unserved = change { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for connection in unserved { Socket.close(connection.descriptor) }
  }
}
