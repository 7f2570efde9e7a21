import Glibc
import Persistence
import Synchronization

/// A simulated disk of which one call fails, or all from one on.
final class FaultyDisk: FileSystem {
  enum Fault: CaseIterable, Sendable {
    case inputOutput, full, quota, interrupted, shortWrite
    /// All of a write is there, and it fails all the same.
    case lateWrite
    /// The disk is full from then on.
    case staysFull

    /// Whether only writes can meet it.
    var needsWrite: Bool { self == .shortWrite || self == .lateWrite }

    /// Whether the caller must get over it by itself.
    var isHarmless: Bool { self == .interrupted || self == .shortWrite }

    var number: Int32 {
      switch self {
      case .inputOutput, .lateWrite: EIO
      case .full, .staysFull: ENOSPC
      case .quota: EDQUOT
      case .interrupted, .shortWrite: EINTR
      }
    }
  }

  let inner: SimulatedDisk
  private let fault: Fault
  private let target: Int
  private let state: Mutex<(calls: Int, fired: String?, chance: Chance)>

  /// Lets the call of this number fail, counted from 1.
  init(_ inner: SimulatedDisk, _ fault: Fault, at target: Int) {
    self.inner = inner
    self.fault = fault
    self.target = target
    state = Mutex((0, nil, Chance(UInt64(target))))
  }

  var fired: String? { state.withLock { $0.fired } }

  private func isHit(_ call: String) -> Bool {
    state.withLock { state in
      state.calls += 1
      let writes = ["create", "write", "sync", "syncFolder", "rename", "link"].contains(call)
      let isHit = state.calls == target || (fault == .staysFull && state.calls > target && writes)
      if isHit, fault.needsWrite, call != "write" { return false }
      if isHit, state.fired == nil { state.fired = call }
      return isHit
    }
  }

  private func check(_ call: String, _ name: String = "") throws(FileFailure) {
    if isHit(call) { throw FileFailure(call, name, fault.number) }
  }

  var path: String { inner.path }
  var bootID: UInt64? { inner.bootID }
  var processID: Int32 { inner.processID }
  func randomNumber() -> UInt64 { inner.randomNumber() }
  func close(_ file: Int32) { inner.close(file) }
  func unlock(_ file: Int32) { inner.unlock(file) }
  func beginSync(_ file: Int32, _ range: Range<Int>) { inner.beginSync(file, range) }
  func unlockByte(_ file: Int32, _ place: Int) { inner.unlockByte(file, place) }

  func openFolder(create: Bool) throws(FileFailure) -> Bool {
    try check("openFolder")
    return try inner.openFolder(create: create)
  }

  func unsuitableKind() throws(FileFailure) -> String? {
    try check("unsuitableKind")
    return nil
  }

  func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32 {
    try check(access == .create ? "create" : "open", name)
    return try inner.open(name, access)
  }

  func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try check("read")
    return try inner.read(file, bytes, at: offset)
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    guard isHit("write") else { return try inner.write(file, bytes, at: offset) }
    if fault == .interrupted { throw FileFailure("write", "", EINTR) }
    let part = fault == .lateWrite ? bytes.count : max(1, bytes.count / 2)
    let count = try inner.write(file, UnsafeRawBufferPointer(rebasing: bytes[..<min(part, bytes.count)]), at: offset)
    if fault == .shortWrite { return count }
    throw FileFailure("write", "", fault.number)
  }

  func sync(_ file: Int32) throws(FileFailure) {
    guard isHit("sync") else { return try inner.sync(file) }
    if fault != .interrupted {
      var chance = Chance(state.withLock { $0.chance.next() })
      inner.failSync(file, &chance)
    }
    throw FileFailure("sync", "", fault.number)
  }

  func syncFolder() throws(FileFailure) {
    try check("syncFolder")
    try inner.syncFolder()
  }

  func truncate(_ file: Int32, to size: Int) throws(FileFailure) {
    try check("truncate")
    try inner.truncate(file, to: size)
  }

  func information(_ file: Int32) throws(FileFailure) -> FileInformation {
    try check("information")
    return try inner.information(file)
  }

  func shareBlocks(of source: Int32, with target: Int32) -> Bool { inner.shareBlocks(of: source, with: target) }

  func makeReadOnly(_ file: Int32) throws(FileFailure) {
    try check("makeReadOnly")
    try inner.makeReadOnly(file)
  }

  func rename(_ old: String, to new: String) throws(FileFailure) {
    try check("rename", new)
    try inner.rename(old, to: new)
  }

  func link(_ old: String, to new: String) throws(FileFailure) {
    try check("link", new)
    try inner.link(old, to: new)
  }

  func remove(_ name: String) throws(FileFailure) {
    try check("remove", name)
    try inner.remove(name)
  }

  func names() throws(FileFailure) -> [String] {
    try check("names")
    return try inner.names()
  }

  func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping {
    try check("map")
    return try inner.map(file, capacity: capacity)
  }

  func lock(_ file: Int32, isShared: Bool) throws(FileFailure) -> Bool {
    try check("lock")
    return try inner.lock(file, isShared: isShared)
  }

  func lockByte(_ file: Int32, _ place: Int) throws(FileFailure) -> Bool {
    try check("lockByte")
    return try inner.lockByte(file, place)
  }

  func lockedByte(_ file: Int32, in range: Range<Int>) throws(FileFailure) -> Int? {
    try check("lockedByte")
    return try inner.lockedByte(file, in: range)
  }
}
