import Glibc

/// A value behind a lock, with threads that wait for it to change (pthread_cond_init(3)). For threads of our own alone:
/// tasks must not wait in it.
final class Monitor<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// A value that nobody waits for.
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

  /// Waits until `body` gives something.
  func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    withLock { value in
      while true {
        if let result = body(&value) { return result }
        pthread_cond_wait(condition, mutex)
      }
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
