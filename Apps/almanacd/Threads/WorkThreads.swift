import CLibrary
import ServiceLifecycle

/// Threads for tasks that may wait for a disk. The pool of the language has as many threads as the machine has cores: two
/// that wait would silence everything on a machine with two.
///
/// As many threads work as there are processors: more would only take them from one another, and wake each other for every
/// request. Where none of them takes another task for a while, they wait for a disk, and one more begins.
final class WorkThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var first = 0
    /// The jobs that were taken so far, with overflow.
    var taken = 0
    var threads = 0
    var idle = 0
    /// Idle threads that were woken and have not looked yet.
    var woken = 0
    var isWatched = false

    var isWaiting: Bool { first < jobs.count }

    mutating func next() -> UnownedJob? {
      guard first < jobs.count else { return nil }
      let job = jobs[first]
      first += 1
      taken &+= 1
      if first == jobs.count || first > 256 {
        jobs.removeFirst(first)
        first = 0
      }
      return job
    }
  }

  /// What is to be done for a job that was added.
  private enum Step {
    case nothing, start, watch
  }

  static let requests = WorkThreads("requests", most: 16)
  /// Syncs, sends, compacts, and watches store and config.
  static let background = WorkThreads("work", most: 16)

  /// How long jobs wait before one more thread begins, in microseconds.
  private static let timeout: UInt32 = 5000

  private let name: String
  private let most: Int
  private let active: Int
  private let rest: Int
  private let state = Monitor(State())
  private let watch = Monitor<Bool?>(nil)

  /// A thread is created when it is needed. Those that work where none waits are kept; the others end after a rest, because
  /// each holds memory.
  ///
  /// - Parameters:
  ///   - name: what the system calls the threads, at most 15 bytes: `/proc/PID/task/*/comm`.
  ///   - most: the maximum number of threads.
  ///   - active: how many work where none waits.
  ///   - rest: how long one more than those may have nothing to do, in milliseconds.
  init(
    _ name: String = "threads", most: Int, active: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    rest: Int = 30_000
  ) {
    self.name = name
    self.most = most
    self.active = min(most, active)
    self.rest = rest
  }

  var count: Int { state.withLock { $0.threads } }

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
    let step = state.signal { state -> (result: Step, wakes: Bool) in
      state.jobs.append(job)
      if state.threads - state.idle < active { return Self.wake(&state, most) }
      guard !state.isWatched else { return (.nothing, false) }
      state.isWatched = true
      return (.watch, false)
    }
    take(step)
  }

  /// Lets one more thread work.
  private static func wake(_ state: inout State, _ most: Int) -> (result: Step, wakes: Bool) {
    if state.idle > 0 {
      state.idle -= 1
      state.woken += 1
      return (.nothing, true)
    }
    guard state.threads < most else { return (.nothing, false) }
    state.threads += 1
    return (.start, false)
  }

  private func take(_ step: Step) {
    switch step {
    case .nothing: break
    case .start:
      guard !OwnThread.start(name, { [self] in work() }) else { return }
      // The job waits for another thread; without any it must run here.
      let isAlone = state.withLock { state in
        state.threads -= 1
        return state.threads == 0
      }
      if isAlone, let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    case .watch:
      let isNew = watch.signal { isWatching in
        defer { isWatching = true }
        return (isWatching == nil, true)
      }
      if isNew, !OwnThread.start("watch", { [self] in keepWatch() }) {
        watch.withLock { $0 = nil }
        state.withLock { $0.isWatched = false }
      }
    }
  }

  private func work() {
    while case .job(let job) = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private enum Turn {
    case job(UnownedJob), end
  }

  private func next() -> Turn {
    var isIdle = false
    return state.wait(milliseconds: rest) { state, isLate -> Turn? in
      if isIdle {
        guard state.woken > 0 else {
          guard isLate, state.threads > active else { return nil }
          state.idle -= 1
          state.threads -= 1
          return .end
        }
        state.woken -= 1
        isIdle = false
      }
      if let job = state.next() { return .job(job) }
      state.idle += 1
      isIdle = true
      return nil
    }
  }

  /// Lets more threads begin as long as jobs wait and none is taken; sleeps where no job waits.
  private func keepWatch() {
    while true {
      watch.wait { $0 == true ? () : nil }
      watch.withLock { $0 = false }
      var taken = state.withLock { $0.taken }
      while true {
        usleep(Self.timeout)
        let step = state.signal { state -> (result: Step?, wakes: Bool) in
          guard state.isWaiting else {
            state.isWatched = false
            return (nil, false)
          }
          defer { taken = state.taken }
          return state.taken == taken ? Self.wake(&state, most) : (.nothing, false)
        }
        guard let step else { break }
        take(step)
      }
    }
  }
}

struct OnWorkThreads: Service {
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
    // A clock that is set must not end a wait.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
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

  /// Changes the value, and wakes a thread that waits where the closure says so.
  func signal<Result>(_ body: (inout Value) -> (result: Result, wakes: Bool)) -> Result {
    let (result, wakes) = withLock { body(&$0) }
    // After the lock, so that the thread does not wait for it at once.
    if wakes { pthread_cond_signal(condition) }
    return result
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

  /// Waits until `body` returns a value. Once the time is over, it is told so, and the wait has no end any more.
  func wait<Result>(milliseconds: Int, _ body: (inout Value, _ isLate: Bool) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    // As timespec(3type): seconds and nanoseconds.
    var end: (seconds: Int, nanoseconds: Int)?
    var isLate = false
    while true {
      if let result = body(&value, isLate) { return result }
      guard !isLate else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let deadline = end ?? Self.moment(in: milliseconds)
      end = deadline
      isLate = withUnsafeBytes(of: deadline) { bytes in
        pthread_cond_timedwait(condition, mutex, bytes.assumingMemoryBound(to: timespec.self).baseAddress!) == ETIMEDOUT
      }
    }
  }

  private static func moment(in milliseconds: Int) -> (seconds: Int, nanoseconds: Int) {
    var now = (seconds: 0, nanoseconds: 0)
    withUnsafeMutableBytes(of: &now) { bytes in
      _ = clock_gettime(CLOCK_MONOTONIC, bytes.assumingMemoryBound(to: timespec.self).baseAddress!)
    }
    let nanoseconds = now.nanoseconds + milliseconds % 1000 * 1_000_000
    return (now.seconds + milliseconds / 1000 + nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
  }
}

enum OwnThread {
  /// Runs a closure on a new thread; `false` where the system has none left.
  ///
  /// - Parameter name: what the system calls it, at most 15 bytes. Without one it would have that of its parent.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(
      Box {
        setName(name)
        body()
      })
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

  /// pthread_setname_np(3) without its macro: the system does the same.
  private static func setName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8)
    _ = write(file, bytes, bytes.count)
    close(file)
  }
}
