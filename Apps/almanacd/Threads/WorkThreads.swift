import Glibc
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

  /// The maximum number of threads. A thread is created when it is needed, and kept.
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

/// A value behind a lock, with threads that wait for it to change (pthread_cond_init(3)). For threads of our own alone:
/// tasks must not wait in it.
final class Monitor<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// A monitor without waiting threads.
  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads and changes the value; short.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Changes the value and wakes a thread that waits.
  func signal<Result>(_ body: (inout Value) -> Result) -> Result {
    withLock { value in
      let result = body(&value)
      pthread_cond_signal(condition)
      return result
    }
  }

  /// Waits until `body` returns a value.
  ///
  /// Each call of `body` is an access of its own. One access around the loop would allow the optimizer to keep the value in
  /// registers while other threads change it.
  func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// Threads of our own.
enum OwnThread {
  /// Runs a closure on a new thread; `false` where the system has none left.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let failed = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Box>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.release() }
    return failed == 0
  }
}
