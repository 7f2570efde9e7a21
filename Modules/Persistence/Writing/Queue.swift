import Ports

/// A writer's place in the queue for the lock.
///
/// Whoever waits has one byte of the lock file locked, far behind all that is in it, at the time of its arrival. A
/// writer tries the lock only when nobody has a byte before its own, so that who gives the lock back and wants it again
/// comes last. The system unlocks the bytes of a process that ends, however it ends. The queue is for fairness alone:
/// what keeps writers apart is the lock.
struct Queue {
  private let lock: LockFile
  /// The byte that is ours while we wait.
  private(set) var ticket: Int?
  /// Bytes up to this one are of writers that do not move: nobody waits for them.
  private var passedOver: Int
  /// Who was before us when we looked last, and since when it is the same one.
  private var ahead: Int?
  private var aheadSince: Duration?
  /// How long to wait before the next look.
  private(set) var pause = shortest

  /// Where the bytes begin: far behind the mark.
  private static var base: Int { 1 << 20 }
  /// Who has waited no longer than this may be overtaken: a process with several commits need not hand the lock on after
  /// each, which takes a hundred times as long as a commit.
  private static var grace: Duration { .milliseconds(10) }
  /// A writer that has been the next one for so long, while the lock is free, was stopped: it is passed over.
  private static var stall: Duration { .milliseconds(500) }
  private static var shortest: Duration { .microseconds(250) }

  init(lock: LockFile, passedOver: Int) {
    self.lock = lock
    self.passedOver = passedOver
  }

  private static func place(_ time: Duration) -> Int {
    base + Int(time.components.seconds) * 1_000_000_000 + Int(time.components.attoseconds / 1_000_000_000)
  }

  /// Whether this writer may try the lock: nobody waits who came before.
  mutating func isNext(at now: Duration) -> Bool {
    let first = first(before: ticket ?? Self.place(now - Self.grace))
    if aheadSince == nil || first != ahead {
      ahead = first
      aheadSince = now
      // The nearer its turn, the sooner it looks again: those between came in the time in which they will be served.
      let distance = first.map { (ticket ?? Self.place(now)) - $0 } ?? 0
      pause = max(Self.shortest, min(.nanoseconds(distance / 2), .milliseconds(20)))
    } else {
      pause = min(pause * 2, first == nil ? .milliseconds(2) : .milliseconds(20))
    }
    if first == nil { return true }
    if now - aheadSince! < Self.stall { return false }
    // One try. Where somebody has the lock, it is he who is waited for.
    aheadSince = now
    return true
  }

  /// Stands in the queue, if it does not yet.
  mutating func enter(at now: Duration) {
    guard ticket == nil else { return }
    var place = Self.place(now)
    while ticket == nil {
      // Without byte locks nobody is served in turn, but the lock works as ever.
      guard let isOurs = try? system.lockByte(lock.file.number, place) else { return }
      if isOurs { ticket = place }
      place += 1
    }
  }

  mutating func leave() {
    if let ticket { system.unlockByte(lock.file.number, ticket) }
    ticket = nil
  }

  /// Up to whom nobody need be waited for, now that we have the lock: who was before us does not want it.
  var nowPassedOver: Int { ahead ?? passedOver }

  private var system: any FileSystem { lock.file.disk.system }

  private func first(before end: Int) -> Int? {
    let start = max(Self.base, passedOver + 1)
    guard start < end else { return nil }
    return (try? system.lockedByte(lock.file.number, in: start..<end)) ?? nil
  }
}
