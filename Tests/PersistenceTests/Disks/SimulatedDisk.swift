import Glibc
import Persistence
import Synchronization

/// A disk in memory that knows, of every byte and name, whether it was synced.
///
/// `crashed(_:)` makes a disk as a power cut could leave this one: of what was not synced any part is there, in any
/// order, down to pieces of a sector. Without a crash it is a file system in memory.
final class SimulatedDisk: FileSystem {
  let path = "/simulated"
  let bootID: UInt64?
  let processID: Int32
  private let state: Mutex<State>

  /// An empty disk.
  init(processID: Int32 = 1, forgotten: Mutant? = nil) {
    bootID = 1
    self.forgotten = forgotten
    self.processID = processID
    state = Mutex(State())
  }

  private init(_ state: State, boot: UInt64, processID: Int32, forgotten: Mutant?) {
    self.forgotten = forgotten
    bootID = boot
    self.processID = processID
    self.state = Mutex(state)
  }

  struct State {
    var hasFolder = false
    var names: [String: Node] = [:]
    var durableNames: [String: Node] = [:]
    /// Changes of names since the folder was synced, oldest first.
    var pendingNames: [[(name: String, node: Node?)]] = []
    var files: [Int32: Node] = [:]
    var nextFile: Int32 = 3
    /// Files that were opened for reading only.
    var readOnly: Set<Int32> = []
    var random: UInt64 = 88
    var locks: [ObjectIdentifier: Int32] = [:]
    var lastRename = ""
  }

  /// Called before every call that changes something, with its name and its file's name.
  private let hook: Mutex<(@Sendable (String, String) throws(FileFailure) -> Void)?> = Mutex(nil)

  func onChange(_ body: (@Sendable (String, String) throws(FileFailure) -> Void)?) {
    hook.withLock { $0 = body }
  }

  /// Calls that are reported as done and are not: what a store would be that had forgotten them.
  let forgotten: Mutant?

  /// False where the call is one that is forgotten.
  private func willChange(_ call: String, _ name: String) throws(FileFailure) -> Bool {
    let body = hook.withLock { $0 }
    try body?(call, name)
    let isForgotten = state.withLock { state in
      if call == "rename" { state.lastRename = name }
      return forgotten?.matches(call, name, lastRename: state.lastRename) ?? false
    }
    return !isForgotten
  }

  private func with<Result>(_ body: (inout State) throws(FileFailure) -> Result) throws(FileFailure) -> Result {
    // What comes out are numbers, names and mappings; nodes stay within the lock.
    nonisolated(unsafe) var result: Swift.Result<Result, FileFailure>?
    state.withLock { state in
      do throws(FileFailure) { result = .success(try body(&state)) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  func openFolder(create: Bool) throws(FileFailure) -> Bool {
    try with { (state) throws(FileFailure) in
      if create { state.hasFolder = true }
      return state.hasFolder
    }
  }

  func unsuitableKind() throws(FileFailure) -> String? { nil }

  func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32 {
    if access == .create { _ = try willChange("create", name) }
    return try with { (state) throws(FileFailure) in
      var node = state.names[name]
      if access == .create {
        guard node == nil else { throw FileFailure("open", name, EEXIST) }
        node = Node(name: name)
        state.names[name] = node
        state.pendingNames.append([(name, node)])
      }
      guard let node else { throw FileFailure("open", name, ENOENT) }
      state.nextFile += 1
      state.files[state.nextFile] = node
      if access == .read { state.readOnly.insert(state.nextFile) }
      return state.nextFile
    }
  }

  func close(_ file: Int32) {
    state.withLock { state in
      state.readOnly.remove(file)
      if let node = state.files.removeValue(forKey: file), state.locks[ObjectIdentifier(node)] == file {
        state.locks[ObjectIdentifier(node)] = nil
      }
    }
  }

  func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try with { (state) throws(FileFailure) in
      let node = state.files[file]!
      let count = max(0, min(bytes.count, node.size - offset))
      if count > 0 { memcpy(bytes.baseAddress!, node.storage.base + offset, count) }
      return count
    }
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    guard try willChange("write", name(file)) else { return bytes.count }
    return try with { (state) throws(FileFailure) in
      if state.readOnly.contains(file) { throw FileFailure("write", "", EBADF) }
      state.files[file]!.write(bytes, at: offset)
      return bytes.count
    }
  }

  func sync(_ file: Int32) throws(FileFailure) {
    guard try willChange("sync", name(file)) else { return }
    try with { (state) throws(FileFailure) in state.files[file]!.sync() }
  }

  /// What a sync leaves that fails.
  func failSync(_ file: Int32, _ chance: inout Chance) {
    var local = chance
    state.withLock { $0.files[file]!.failSync(&local) }
    chance = local
  }

  func syncFolder() throws(FileFailure) {
    guard try willChange("syncFolder", "") else { return }
    try with { (state) throws(FileFailure) in
      state.durableNames = state.names
      state.pendingNames = []
    }
  }

  func truncate(_ file: Int32, to size: Int) throws(FileFailure) {
    guard try willChange("truncate", name(file)) else { return }
    try with { (state) throws(FileFailure) in state.files[file]!.truncate(to: size) }
  }

  func information(_ file: Int32) throws(FileFailure) -> FileInformation {
    try with { (state) throws(FileFailure) in
      let node = state.files[file]!
      return FileInformation(size: node.size, identity: UInt64(UInt(bitPattern: ObjectIdentifier(node))))
    }
  }

  func rename(_ old: String, to new: String) throws(FileFailure) {
    guard try willChange("rename", new) else { return }
    try with { (state) throws(FileFailure) in
      guard let node = state.names.removeValue(forKey: old) else { throw FileFailure("rename", old, ENOENT) }
      state.names[new] = node
      state.pendingNames.append([(old, nil), (new, node)])
    }
  }

  func link(_ old: String, to new: String) throws(FileFailure) {
    guard try willChange("link", new) else { return }
    try with { (state) throws(FileFailure) in
      guard let node = state.names[old] else { throw FileFailure("link", old, ENOENT) }
      guard state.names[new] == nil else { throw FileFailure("link", new, EEXIST) }
      state.names[new] = node
      state.pendingNames.append([(new, node)])
    }
  }

  func remove(_ name: String) throws(FileFailure) {
    guard try willChange("remove", name) else { return }
    try with { (state) throws(FileFailure) in
      guard state.names.removeValue(forKey: name) != nil else { throw FileFailure("unlink", name, ENOENT) }
      state.pendingNames.append([(name, nil)])
    }
  }

  func names() throws(FileFailure) -> [String] { try with { (state) throws(FileFailure) in Array(state.names.keys) } }

  func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping {
    try with { (state) throws(FileFailure) in
      let node = state.files[file]!
      node.reserve(capacity)
      let storage = node.storage
      return Mapping(base: UnsafeRawPointer(storage.base), capacity: capacity) { _, _ in _ = storage }
    }
  }

  func lock(_ file: Int32) throws(FileFailure) -> Bool {
    try with { (state) throws(FileFailure) in
      let node = ObjectIdentifier(state.files[file]!)
      if let holder = state.locks[node], holder != file { return false }
      state.locks[node] = file
      return true
    }
  }

  func unlock(_ file: Int32) {
    state.withLock { state in
      if let node = state.files[file] { state.locks[ObjectIdentifier(node)] = nil }
    }
  }

  func randomNumber() -> UInt64 {
    state.withLock { state in
      state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state.random
    }
  }

  private func name(_ file: Int32) -> String { state.withLock { $0.files[file]!.name } }

  /// A disk as a power cut may leave this one, after the machine started again.
  func crashed(_ chance: inout Chance) -> SimulatedDisk {
    nonisolated(unsafe) var survived = State()
    var local = chance
    state.withLock { state in
      survived.hasFolder = state.hasFolder
      survived.random = state.random
      var names = state.durableNames
      // Each change of names is there or not, whatever happened to those before it.
      let keep = local.shares
      for change in state.pendingNames where local.flip(keep) {
        for (name, node) in change { names[name] = node }
      }
      var copies: [ObjectIdentifier: Node] = [:]
      for (name, node) in names {
        let copy = copies[ObjectIdentifier(node)] ?? node.crashed(&local)
        copies[ObjectIdentifier(node)] = copy
        survived.names[name] = copy
      }
      survived.durableNames = survived.names
    }
    chance = local
    return SimulatedDisk(survived, boot: bootID! + 1, processID: processID + 1, forgotten: forgotten)
  }

  /// The same disk after every process was killed: nothing is lost but the locks.
  func killed() -> SimulatedDisk {
    nonisolated(unsafe) var survived = State()
    state.withLock { state in
      survived = state
      survived.locks = [:]
      survived.files = [:]
      survived.readOnly = []
      // Files are written through shared nodes, so they are copied.
      var copies: [ObjectIdentifier: Node] = [:]
      let copied = { (node: Node) -> Node in
        let copy = copies[ObjectIdentifier(node)] ?? node.copy()
        copies[ObjectIdentifier(node)] = copy
        return copy
      }
      survived.names = state.names.mapValues(copied)
      survived.durableNames = state.durableNames.mapValues(copied)
      survived.pendingNames = state.pendingNames.map { $0.map { ($0.name, $0.node.map(copied)) } }
    }
    return SimulatedDisk(survived, boot: bootID!, processID: processID + 1, forgotten: forgotten)
  }

  /// The bytes of a file; `nil` where there is none.
  func contents(_ name: String) -> [UInt8]? {
    state.withLock { $0.names[name].map { Array(UnsafeRawBufferPointer(start: $0.storage.base, count: $0.size)) } }
  }

  /// Puts a file there, synced.
  func plant(_ name: String, _ bytes: [UInt8]) {
    state.withLock { state in
      state.hasFolder = true
      let node = Node(name: name)
      bytes.withUnsafeBytes { node.write($0, at: 0) }
      node.sync()
      state.names[name] = node
      state.durableNames[name] = node
    }
  }
}
