import ServiceLifecycle

/// Threads for tasks that may wait for a disk. The pool of the language has as many threads as the machine has cores: two
/// that wait would silence everything on a machine with two.
final class WorkThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var first = 0
    var idle = 0
    var threads = 0

    var waiting: Int { jobs.count - first }

    mutating func next() -> UnownedJob? {
      guard first < jobs.count else { return nil }
      let job = jobs[first]
      first += 1
      if first == jobs.count || first > 256 {
        jobs.removeFirst(first)
        first = 0
      }
      return job
    }
  }

  /// Answers requests.
  static let requests = WorkThreads(most: 16)
  /// Syncs, sends, compacts, and watches store and config.
  static let background = WorkThreads(most: 16)

  private let most: Int
  private let state = Monitor(State())

  /// At most so many threads; each is made when it is needed, and stays.
  init(most: Int) { self.most = most }

  /// Runs a closure on one of the threads.
  ///
  /// In a task of its own, which is cancelled with the caller's: `withTaskExecutorPreference` alone moves nothing until
  /// something in it changes the executor.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(executorPreference: self) { try await body() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.signal { state in
      state.jobs.append(job)
      guard state.waiting > state.idle, state.threads < most else { return false }
      state.threads += 1
      return true
    }
    guard needsThread, !OwnThread.start({ [self] in work() }) else { return }
    // The job waits for another thread; without any it must run here.
    let isAlone = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    if isAlone, let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func work() {
    while true {
      state.withLock { $0.idle += 1 }
      let job = state.wait { state -> UnownedJob? in
        guard let job = state.next() else { return nil }
        state.idle -= 1
        return job
      }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// A service that works on threads of its own.
struct OnWorkThreads: Service {
  /// What works.
  let service: any Service

  func run() async throws {
    try await WorkThreads.background.run { try await service.run() }
  }
}
