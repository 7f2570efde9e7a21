import CLibrary

/// A value protected by a lock, whose changes threads can wait for.
///
/// `Mutex` has no condition variable, which the threads of the server need.
final class Gate<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
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

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Wakes every thread in ``wait(milliseconds:until:)``.
  func wakeAll() { pthread_cond_broadcast(condition) }

  /// Waits until `body` returns a result. It is called immediately and after each wake-up, under the lock.
  /// - Returns: nil if the time expired first.
  func wait<Result>(milliseconds: Int? = nil, until body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    if let milliseconds {
      clock_gettime(CLOCK_REALTIME, &deadline)
      let nanoseconds = deadline.tv_nsec + milliseconds % 1000 * 1_000_000
      deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
      deadline.tv_nsec = nanoseconds % 1_000_000_000
    }
    while true {
      if let result = body(&value) { return result }
      if milliseconds == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return body(&value)
      }
    }
  }
}

/// Starts a detached thread with a stack of 1 MiB, of which only used pages occupy memory.
/// - Returns: false if the system cannot create a thread.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  defer {
    pthread_attr_destroy(attributes)
    attributes.deallocate()
  }
  pthread_attr_setstacksize(attributes, 1 << 20)
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  let box = Unmanaged.passRetained(Box(body))
  var thread = pthread_t()
  let outcome = pthread_create(
    &thread, attributes,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  if outcome != 0 { box.release() }
  return outcome == 0
}
