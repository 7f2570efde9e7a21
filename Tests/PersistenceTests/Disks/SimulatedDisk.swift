import CLibrary
import Persistence
import Synchronization

/// A disk in memory that knows, of every byte and name, whether it was synced.
///
/// `crashed(_:)` makes a disk as a power cut could leave this one: of what was not synced any part is there, in any
/// order, down to pieces of a sector.
final class SimulatedDisk: FileSystem {
  let path = "/simulated"
  private let memory: InMemoryFileSystem
  private let state: State
  private let forgets: Forgetting?
  private let faults: Faults?

  /// What a store would be that had forgotten a call: whether this one is reported as done and is not. It is told the
  /// call, its file's name, and the name that the last rename gave.
  typealias Forgetting = @Sendable (_ call: String, _ name: String, _ lastRename: String) -> Bool

  /// Called before every call that changes something, with its name and its file's name.
  typealias Hook = @Sendable (_ call: String, _ name: String) throws(FileFailure) -> Void

  /// What differs between the disk itself and what programs see of it.
  private struct Unsynced {
    /// By identity.
    var files: [UInt64: SimulatedFile] = [:]
    var names: [String: UInt64] = [:]
    /// Changes of names since the folder was synced, oldest first.
    var changes: [[(name: String, identity: UInt64?)]] = []
    var lastRename = ""
    var hook: Hook?
    var listing: (@Sendable () -> Void)?
  }

  private final class State: Sendable {
    let unsynced: Mutex<Unsynced>

    init(_ unsynced: Unsynced) { self.unsynced = Mutex(unsynced) }
  }

  convenience init(forgets: Forgetting? = nil) { self.init(InMemoryFileSystem(), State(Unsynced()), forgets) }

  private init(_ memory: InMemoryFileSystem, _ state: State, _ forgets: Forgetting?, _ faults: Faults? = nil) {
    (self.memory, self.state, self.forgets, self.faults) = (memory, state, forgets, faults)
  }

  /// The same disk for a program of which the call with this number fails, counted from 1, or all from it on.
  func failing(_ fault: Fault, at call: Int) -> SimulatedDisk {
    SimulatedDisk(memory, state, forgets, Faults(fault, at: call))
  }

  /// The call that failed first, if one did.
  var fired: String? { faults?.fired }

  private func check(_ call: String, _ name: String = "") throws(FileFailure) {
    if let fault = faults?.hit(call) { throw FileFailure(call, name, fault.number) }
  }

  var bootID: UInt64? { memory.bootID }
  var processID: Int32 { memory.processID }
  func randomNumber() -> UInt64 { memory.randomNumber() }

  /// Sets what is called before every change.
  func onChange(_ hook: Hook?) { state.unsynced.withLock { $0.hook = hook } }

  /// Sets what happens just before the names are listed.
  func onListing(_ hook: (@Sendable () -> Void)?) { state.unsynced.withLock { $0.listing = hook } }

  /// Does a call that changes something; where it is one that is forgotten, nothing.
  private func change(
    _ call: String, _ name: String, _ body: (inout Unsynced) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let hook = state.unsynced.withLock { $0.hook }
    try hook?(call, name)
    let result = state.unsynced.withLock { unsynced -> Result<Void, FileFailure> in
      if call == "rename" { unsynced.lastRename = name }
      if forgets?(call, name, unsynced.lastRename) == true { return .success(()) }
      do throws(FileFailure) { return .success(try body(&unsynced)) } catch { return .failure(error) }
    }
    try result.get()
  }

  func openFolder(create: Bool) throws(FileFailure) -> Bool {
    try check("openFolder")
    return try memory.openFolder(create: create)
  }

  func unsuitableKind() throws(FileFailure) -> String? {
    try check("unsuitableKind")
    return nil
  }

  func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32 {
    try check(access == .create ? "create" : "open", name)
    guard access == .create else { return try memory.open(name, access) }
    var file: Int32 = 0
    try change("create", name) { (unsynced) throws(FileFailure) in
      file = try memory.open(name, access)
      let identity = try memory.information(file).identity
      unsynced.files[identity] = SimulatedFile()
      unsynced.changes.append([(name, identity)])
    }
    return file
  }

  func close(_ file: Int32) { memory.close(file) }

  func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try check("read")
    return try memory.read(file, bytes, at: offset)
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    let fault = faults?.hit("write")
    if fault == .interrupted { throw FileFailure("write", "", EINTR) }
    let isWhole = fault == nil || fault == .lateWrite || bytes.count < 2
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(isWhole ? bytes.count : bytes.count / 2))
    try change("write", memory.name(file)) { (unsynced) throws(FileFailure) in
      _ = try memory.write(file, bytes, at: offset)
      let identity = try memory.information(file).identity
      unsynced.files[identity, default: SimulatedFile()].write(bytes, at: offset)
    }
    if let fault, fault != .shortWrite { throw FileFailure("write", "", fault.number) }
    return bytes.count
  }

  func sync(_ file: Int32) throws(FileFailure) {
    if let fault = faults?.hit("sync") {
      if fault != .interrupted { failSync(file) }
      throw FileFailure("sync", "", fault.number)
    }
    try change("sync", memory.name(file)) { (unsynced) throws(FileFailure) in
      unsynced.files[try memory.information(file).identity]?.sync()
    }
  }

  func beginSync(_ file: Int32, _ range: Range<Int>) {}

  /// Leaves what a sync leaves that fails: some of what was written is on the disk, and the system takes all for it.
  private func failSync(_ file: Int32) {
    guard var chance = faults?.chance, let identity = try? memory.information(file).identity else { return }
    state.unsynced.withLock { $0.files[identity]?.failSync(&chance) }
  }

  func syncFolder() throws(FileFailure) {
    try check("syncFolder")
    try change("syncFolder", "") { (unsynced) throws(FileFailure) in
      for change in unsynced.changes { for (name, identity) in change { unsynced.names[name] = identity } }
      unsynced.changes = []
    }
  }

  func truncate(_ file: Int32, to size: Int) throws(FileFailure) {
    try check("truncate")
    try change("truncate", memory.name(file)) { (unsynced) throws(FileFailure) in
      try memory.truncate(file, to: size)
      unsynced.files[try memory.information(file).identity]?.truncate(to: size)
    }
  }

  func information(_ file: Int32) throws(FileFailure) -> FileInformation {
    try check("information")
    return try memory.information(file)
  }

  func shareBlocks(of source: Int32, with target: Int32) -> Bool { false }

  func makeReadOnly(_ file: Int32) throws(FileFailure) {
    try check("makeReadOnly")
    try memory.makeReadOnly(file)
  }

  func rename(_ old: String, to new: String) throws(FileFailure) {
    try check("rename", new)
    try change("rename", new) { (unsynced) throws(FileFailure) in
      let identity = memory.identity(old)
      try memory.rename(old, to: new)
      // Two names of one file stay.
      if memory.identity(old) == nil { unsynced.changes.append([(old, nil), (new, identity)]) }
    }
  }

  func link(_ old: String, to new: String) throws(FileFailure) {
    try check("link", new)
    try change("link", new) { (unsynced) throws(FileFailure) in
      try memory.link(old, to: new)
      unsynced.changes.append([(new, memory.identity(new))])
    }
  }

  func remove(_ name: String) throws(FileFailure) {
    try check("remove", name)
    try change("remove", name) { (unsynced) throws(FileFailure) in
      try memory.remove(name)
      unsynced.changes.append([(name, nil)])
    }
  }

  func names() throws(FileFailure) -> [String] {
    try check("names")
    state.unsynced.withLock { $0.listing }?()
    return try memory.names()
  }

  func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping {
    try check("map")
    return try memory.map(file, capacity: capacity)
  }

  func lock(_ file: Int32, isShared: Bool) throws(FileFailure) -> Bool {
    try check("lock")
    return try memory.lock(file, isShared: isShared)
  }

  func unlock(_ file: Int32) { memory.unlock(file) }

  func lockByte(_ file: Int32, _ place: Int) throws(FileFailure) -> Bool {
    try check("lockByte")
    return try memory.lockByte(file, place)
  }

  func unlockByte(_ file: Int32, _ place: Int) { memory.unlockByte(file, place) }

  func lockedByte(_ file: Int32, in range: Range<Int>) throws(FileFailure) -> Int? {
    try check("lockedByte")
    return try memory.lockedByte(file, in: range)
  }
}

extension SimulatedDisk {
  /// A disk as a power cut may leave this one, after the machine started again.
  func crashed(_ chance: inout Chance) -> SimulatedDisk {
    var local = chance
    let unsynced = state.unsynced.withLock { $0 }
    var names = unsynced.names
    // Each change of names is there or not, whatever happened to those before it.
    let keep = local.share
    for change in unsynced.changes where local.flip(keep) { for (name, identity) in change { names[name] = identity } }
    // Each file has its own chance, so that the order of the names, which is another in each process, is of no matter.
    let seed = local.next()
    chance = local
    var survived = Unsynced()
    survived.names = names
    var files: [String: (identity: UInt64, bytes: [UInt8])] = [:]
    for (name, identity) in names {
      if survived.files[identity] == nil {
        var own = Chance(seed &+ identity)
        survived.files[identity] = SimulatedFile(unsynced.files[identity]?.crashedBytes(&own) ?? [])
      }
      files[name] = (identity, survived.files[identity]!.durable)
    }
    let memory = memory.copy(files, boot: memory.bootID! + 1, processID: processID + 1)
    return SimulatedDisk(memory, State(survived), forgets)
  }

  /// The same disk after every process was killed: nothing is lost but the locks.
  func killed() -> SimulatedDisk {
    var survived = state.unsynced.withLock { $0 }
    survived.hook = nil
    return SimulatedDisk(memory.copy(boot: memory.bootID!, processID: processID + 1), State(survived), forgets)
  }

  /// The bytes of a file; `nil` where there is none.
  func contents(_ name: String) -> [UInt8]? { memory.contents(name) }

  /// Says that a file was written to at a time, in seconds since 1970; unless that is said, it was just now.
  func age(_ name: String, modified: Int) { memory.age(name, modified: modified) }

  /// Puts a file there, synced.
  func plant(_ name: String, _ bytes: [UInt8]) {
    state.unsynced.withLock { unsynced in
      memory.plant(name, bytes)
      let identity = memory.identity(name)!
      unsynced.files[identity] = SimulatedFile(bytes)
      unsynced.names[name] = identity
    }
  }
}

extension SimulatedDisk {
  enum Fault: CaseIterable, Sendable {
    case inputOutput, full, quota, interrupted, shortWrite
    /// All of a write is there, and it fails all the same.
    case lateWrite
    /// The disk is full from then on.
    case staysFull

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

  /// Counts calls, and chooses those that fail.
  private final class Faults: Sendable {
    private let fault: Fault
    private let target: Int
    private let state: Mutex<(calls: Int, fired: String?, chance: Chance)>

    init(_ fault: Fault, at target: Int) {
      (self.fault, self.target) = (fault, target)
      state = Mutex((0, nil, Chance(UInt64(target))))
    }

    var fired: String? { state.withLock { $0.fired } }
    var chance: Chance { Chance(state.withLock { $0.chance.next() }) }

    func hit(_ call: String) -> Fault? {
      state.withLock { state in
        state.calls += 1
        let writes = ["create", "write", "sync", "syncFolder", "rename", "link"].contains(call)
        let isHit = state.calls == target || (fault == .staysFull && state.calls > target && writes)
        guard isHit, !fault.needsWrite || call == "write" else { return nil }
        if state.fired == nil { state.fired = call }
        return fault
      }
    }
  }
}

/// What is on the disk of a file, and what of it is not yet there.
struct SimulatedFile {
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case size(Int)
  }

  private(set) var durable: [UInt8]
  private var pending: [Change] = []

  init(_ durable: [UInt8] = []) { self.durable = durable }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if bytes.count > 0 { pending.append(.write(offset: offset, bytes: Array(bytes))) }
  }

  mutating func truncate(to size: Int) { pending.append(.size(size)) }

  /// Brings what is pending to the disk; what an earlier sync lost stays lost.
  mutating func sync() {
    for change in pending {
      switch change {
      case .size(let size): Self.resize(&durable, to: size)
      case .write(let offset, let written):
        Self.grow(&durable, to: offset + written.count)
        durable.replaceSubrange(offset..<offset + written.count, with: written)
      }
    }
    pending = []
  }

  /// A sync that fails: some of what was pending is on the disk, and the system takes all of it for written.
  mutating func failSync(_ chance: inout Chance) {
    durable = crashedBytes(&chance)
    pending = []
  }

  /// The file after a power cut: of what was not synced each sector, or the beginning of one, is there or not.
  func crashedBytes(_ chance: inout Chance) -> [UInt8] {
    var bytes = durable
    let keep = chance.share
    for change in pending {
      switch change {
      case .size(let size): if chance.flip(keep) { Self.resize(&bytes, to: size) }
      case .write(let offset, let written):
        // The size may be on the disk before the bytes are: then they are zero.
        if chance.flip(keep) { Self.grow(&bytes, to: offset + chance.below(written.count + 1)) }
        var start = 0
        while start < written.count {
          let end = min(written.count, ((offset + start) / 512 + 1) * 512 - offset)
          if chance.flip(keep) {
            var kept = end - start
            // A truncated sector; at least two bytes of it are missing.
            if chance.below(8) == 0, kept > 2 { kept = chance.below(kept - 1) }
            if kept > 0 {
              Self.grow(&bytes, to: offset + start + kept)
              bytes.replaceSubrange(offset + start..<offset + start + kept, with: written[start..<start + kept])
            }
          }
          start = end
        }
      }
    }
    return bytes
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    if size < bytes.count { bytes.removeLast(bytes.count - size) } else { grow(&bytes, to: size) }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if bytes.count < size { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
  }
}
