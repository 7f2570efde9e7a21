import Ports
import Synchronization

/// A writer's place in the queue for the lock.
///
/// A waiting writer locks one byte of the lock file, far behind its contents, at an offset that is the time of its arrival.
/// A writer tries the lock only if no other has locked a byte before its own, so a writer that releases the lock and wants
/// it again comes last. The system unlocks the bytes of a process that ends, however it ends. The queue provides fairness
/// only; exclusion is the lock's.
struct WriterQueue {
  private let lock: LockFile
  /// Our byte while we wait.
  private(set) var ticket: Int?
  /// Bytes up to this one belong to writers that were stopped; they are not waited for.
  private var passedOver: Int
  /// The writer that was before us at the last look, and since when.
  private var ahead: Int?
  private var aheadSince: Duration?
  /// How long to wait before the next look.
  private(set) var pause = shortest

  /// Where the bytes begin: far behind the mark.
  private static var base: Int { 1 << 20 }
  /// A writer that has waited less than this may be overtaken, so that a process with several commits keeps the lock:
  /// handing it on takes a hundred times as long as a commit.
  private static var grace: Duration { .milliseconds(10) }
  /// A writer that is first for so long while the lock is free has been stopped; it is passed over.
  private static var stall: Duration { .milliseconds(500) }
  private static var shortest: Duration { .microseconds(250) }

  init(lock: LockFile, passedOver: Int) { (self.lock, self.passedOver) = (lock, passedOver) }

  private static func place(_ time: Duration) -> Int {
    base + Int(time.components.seconds) * 1_000_000_000 + Int(time.components.attoseconds / 1_000_000_000)
  }

  /// Whether this writer may try the lock, because no earlier one waits.
  mutating func isNext(at now: Duration) -> Bool {
    let first = first(before: ticket ?? Self.place(now - Self.grace))
    if aheadSince == nil || first != ahead {
      ahead = first
      aheadSince = now
      // The nearer its turn, the sooner it looks again: the others will take about as long as they took to arrive.
      let distance = first.map { (ticket ?? Self.place(now)) - $0 } ?? 0
      pause = max(Self.shortest, min(.nanoseconds(distance / 2), .milliseconds(20)))
    } else {
      pause = min(pause * 2, first == nil ? .milliseconds(2) : .milliseconds(20))
    }
    if first == nil { return true }
    if now - aheadSince! < Self.stall { return false }
    // One try. If the lock is held, the holder is waited for.
    aheadSince = now
    return true
  }

  mutating func enter(at now: Duration) {
    guard ticket == nil else { return }
    var place = Self.place(now)
    while ticket == nil {
      // Without byte locks there is no order, but the lock still excludes.
      guard let isOurs = try? system.lockByte(lock.file.number, place) else { return }
      if isOurs { ticket = place }
      place += 1
    }
  }

  mutating func leave() {
    if let ticket { system.unlockByte(lock.file.number, ticket) }
    ticket = nil
  }

  /// The last place that need not be waited for, now that we have the lock: writers before us do not want it.
  var nowPassedOver: Int { ahead ?? passedOver }

  private var system: any FileSystem { lock.file.disk.system }

  private func first(before end: Int) -> Int? {
    let start = max(Self.base, passedOver + 1)
    guard start < end else { return nil }
    return (try? system.lockedByte(lock.file.number, in: start..<end)) ?? nil
  }
}

/// Excludes the tasks of one process from one another, first come, first served.
final class WriteMutex: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }

  private let state = Mutex(State())

  func lock() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func unlock() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.next < state.waiting.count else {
        state.isTaken = false
        state.waiting.removeAll(keepingCapacity: true)
        state.next = 0
        return nil
      }
      state.next += 1
      let next = state.waiting[state.next - 1]
      if state.next == 1024 {
        state.waiting.removeFirst(state.next)
        state.next = 0
      }
      return next
    }
    next?.resume()
  }
}
