import CLibrary
import Persistence
import Synchronization

/// A folder in memory: a store in it works as one on a disk, and is gone with it.
///
/// Every store that is opened on the same value shares its files, as processes share a folder.
final class InMemoryFileSystem: FileSystem {
  let path = "/memory"
  let bootID: UInt64?
  let processID: Int32
  private let state: Mutex<State>

  /// A folder that is not there yet, on a machine that was started so many times.
  convenience init(boot: UInt64 = 1, processID: Int32 = 1) { self.init(State(), boot: boot, processID: processID) }

  private init(_ state: State, boot: UInt64, processID: Int32) {
    bootID = boot
    self.processID = processID
    self.state = Mutex(state)
  }

  private struct State {
    var hasFolder = false
    var names: [String: MemoryFile] = [:]
    var open: [Int32: (file: MemoryFile, isWritable: Bool)] = [:]
    /// By the file's identity: the openings that have the lock.
    var locks: [UInt64: (openings: Set<Int32>, isShared: Bool)] = [:]
    /// By the file's identity: locked bytes, and the openings that have them.
    var lockedBytes: [UInt64: [Int: Int32]] = [:]
    var lastNumber: Int32 = 3
    var lastIdentity: UInt64 = 0
    var random: UInt64 = 88

    mutating func unlock(_ file: Int32, _ identity: UInt64) {
      locks[identity]?.openings.remove(file)
      if locks[identity]?.openings.isEmpty == true { locks[identity] = nil }
    }

    mutating func make(_ name: String) -> MemoryFile {
      lastIdentity += 1
      return MemoryFile(name: name, identity: lastIdentity)
    }
  }

  private func with<Result>(_ body: (inout State) throws(FileFailure) -> Result) throws(FileFailure) -> Result {
    // What comes out are numbers, names and mappings; files stay within the lock.
    nonisolated(unsafe) var result: Swift.Result<Result, FileFailure>?
    state.withLock { state in
      do throws(FileFailure) { result = .success(try body(&state)) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  private func withFile<Result>(
    _ call: String, _ number: Int32, _ body: (MemoryFile) throws(FileFailure) -> Result
  ) throws(FileFailure) -> Result {
    try with { (state) throws(FileFailure) in
      guard let opening = state.open[number] else { throw FileFailure(call, "", EBADF) }
      return try body(opening.file)
    }
  }

  func openFolder(create: Bool) throws(FileFailure) -> Bool {
    try with { (state) throws(FileFailure) in
      if create { state.hasFolder = true }
      return state.hasFolder
    }
  }

  func unsuitableKind() throws(FileFailure) -> String? { nil }

  func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32 {
    try with { (state) throws(FileFailure) in
      if access == .create {
        guard state.names[name] == nil else { throw FileFailure("open", name, EEXIST) }
        state.names[name] = state.make(name)
      }
      guard let file = state.names[name] else { throw FileFailure("open", name, ENOENT) }
      if access == .write, file.isReadOnly { throw FileFailure("open", name, EACCES) }
      state.lastNumber += 1
      state.open[state.lastNumber] = (file, access != .read)
      return state.lastNumber
    }
  }

  func close(_ file: Int32) {
    state.withLock { state in
      guard let opening = state.open.removeValue(forKey: file) else { return }
      let identity = opening.file.identity
      state.unlock(file, identity)
      state.lockedBytes[identity] = state.lockedBytes[identity]?.filter { $0.value != file }
    }
  }

  func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try withFile("pread", file) { (file) throws(FileFailure) in file.read(bytes, at: offset) }
  }

  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try with { (state) throws(FileFailure) in
      guard let opening = state.open[file], opening.isWritable else { throw FileFailure("pwrite", "", EBADF) }
      opening.file.write(bytes, at: offset)
      return bytes.count
    }
  }

  func sync(_ file: Int32) throws(FileFailure) {}

  func beginSync(_ file: Int32, _ range: Range<Int>) {}

  func syncFolder() throws(FileFailure) {}

  func truncate(_ file: Int32, to size: Int) throws(FileFailure) {
    try withFile("ftruncate", file) { (file) throws(FileFailure) in file.truncate(to: size) }
  }

  func information(_ file: Int32) throws(FileFailure) -> FileInformation {
    try withFile("fstat", file) { (file) throws(FileFailure) in
      FileInformation(
        size: file.size, identity: file.identity, isReadOnly: file.isReadOnly, modified: file.modified,
        changed: file.modified)
    }
  }

  func isNamed(_ name: String, _ identity: UInt64) throws(FileFailure) -> Bool {
    state.withLock { $0.names[name]?.identity == identity }
  }

  func shareBlocks(of source: Int32, with target: Int32) -> Bool { false }

  func makeReadOnly(_ file: Int32) throws(FileFailure) {
    try withFile("fchmod", file) { (file) throws(FileFailure) in file.isReadOnly = true }
  }

  func rename(_ old: String, to new: String) throws(FileFailure) {
    try with { (state) throws(FileFailure) in
      guard let file = state.names[old] else { throw FileFailure("rename", old, ENOENT) }
      // Two names of one file: rename(2) does nothing then.
      if let other = state.names[new], other === file { return }
      state.names[old] = nil
      state.names[new] = file
    }
  }

  func link(_ old: String, to new: String) throws(FileFailure) {
    try with { (state) throws(FileFailure) in
      guard let file = state.names[old] else { throw FileFailure("link", old, ENOENT) }
      guard state.names[new] == nil else { throw FileFailure("link", new, EEXIST) }
      state.names[new] = file
    }
  }

  func remove(_ name: String) throws(FileFailure) {
    try with { (state) throws(FileFailure) in
      guard state.names.removeValue(forKey: name) != nil else { throw FileFailure("unlink", name, ENOENT) }
    }
  }

  /// Sorted, so that a life that is lived again makes the same calls in the same order.
  func names() throws(FileFailure) -> [String] { try with { (state) throws(FileFailure) in state.names.keys.sorted() } }

  func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping {
    try withFile("mmap", file) { (file) throws(FileFailure) in file.map(capacity: capacity) }
  }

  func lock(_ file: Int32, isShared: Bool) throws(FileFailure) -> Bool {
    try with { (state) throws(FileFailure) in
      guard let identity = state.open[file]?.file.identity else { throw FileFailure("flock", "", EBADF) }
      var openings = state.locks[identity]?.openings ?? []
      openings.remove(file)
      guard openings.isEmpty || isShared && state.locks[identity]!.isShared else { return false }
      state.locks[identity] = (openings.union([file]), isShared)
      return true
    }
  }

  func unlock(_ file: Int32) {
    state.withLock { state in if let identity = state.open[file]?.file.identity { state.unlock(file, identity) } }
  }

  func lockByte(_ file: Int32, _ place: Int) throws(FileFailure) -> Bool {
    try with { (state) throws(FileFailure) in
      guard let identity = state.open[file]?.file.identity else { throw FileFailure("fcntl", "", EBADF) }
      if let holder = state.lockedBytes[identity]?[place], holder != file { return false }
      state.lockedBytes[identity, default: [:]][place] = file
      return true
    }
  }

  func unlockByte(_ file: Int32, _ place: Int) {
    state.withLock { state in
      guard let identity = state.open[file]?.file.identity, state.lockedBytes[identity]?[place] == file else { return }
      state.lockedBytes[identity]?[place] = nil
    }
  }

  func lockedByte(_ file: Int32, in range: Range<Int>) throws(FileFailure) -> Int? {
    try with { (state) throws(FileFailure) in
      guard let identity = state.open[file]?.file.identity else { throw FileFailure("fcntl", "", EBADF) }
      return state.lockedBytes[identity]?.filter { $0.value != file && range.contains($0.key) }.keys.min()
    }
  }

  func randomNumber() -> UInt64 {
    state.withLock { state in
      state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state.random
    }
  }
}

extension InMemoryFileSystem {
  /// The bytes of a file; `nil` where there is none.
  func contents(_ name: String) -> [UInt8]? { state.withLock { $0.names[name]?.bytes } }

  /// Puts a file there, in the place of one that has the name.
  func plant(_ name: String, _ bytes: [UInt8]) {
    state.withLock { state in
      state.hasFolder = true
      let file = state.make(name)
      bytes.withUnsafeBytes { file.write($0, at: 0) }
      state.names[name] = file
    }
  }

  /// Says that a file was written to at a time, in seconds since 1970; unless that is said, it was just now.
  func age(_ name: String, modified: Int) { state.withLock { $0.names[name]?.modified = modified * 1_000_000_000 } }

  /// What an opened file was called when it was made; empty for one that is not open.
  func name(_ file: Int32) -> String { state.withLock { $0.open[file]?.file.name ?? "" } }

  func identity(_ name: String) -> UInt64? { state.withLock { $0.names[name]?.identity } }

  /// A copy that nobody has opened, with these files instead of its own.
  func copy(_ files: [String: (identity: UInt64, bytes: [UInt8])], boot: UInt64, processID: Int32) -> InMemoryFileSystem
  {
    copy(boot: boot, processID: processID) { state in
      var copies: [UInt64: MemoryFile] = [:]
      state.names = [:]
      for (name, contents) in files {
        let file = copies[contents.identity] ?? MemoryFile(name: name, identity: contents.identity)
        if copies.updateValue(file, forKey: contents.identity) == nil {
          contents.bytes.withUnsafeBytes { file.write($0, at: 0) }
        }
        state.names[name] = file
      }
    }
  }

  /// A copy that nobody has opened.
  func copy(boot: UInt64, processID: Int32) -> InMemoryFileSystem {
    copy(boot: boot, processID: processID) { state in
      var copies: [UInt64: MemoryFile] = [:]
      state.names = state.names.mapValues { file in
        let copy = copies[file.identity] ?? file.copy()
        copies[file.identity] = copy
        return copy
      }
    }
  }

  private func copy(boot: UInt64, processID: Int32, _ change: (inout State) -> Void) -> InMemoryFileSystem {
    nonisolated(unsafe) var copy = State()
    state.withLock { state in
      copy.hasFolder = state.hasFolder
      copy.names = state.names
      copy.lastIdentity = state.lastIdentity
      copy.random = state.random
      change(&copy)
    }
    return InMemoryFileSystem(copy, boot: boot, processID: processID)
  }
}

/// A file in memory. Bytes that a mapping shows do not move; writes appear in it.
final class MemoryFile: @unchecked Sendable {
  // Touched only under its file system's lock, hence unchecked.

  /// Memory that mappings share.
  private final class Storage: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
      guard let memory = calloc(max(capacity, 1), 1) else { fatalError("out of memory for \(capacity) bytes") }
      base = memory
      self.capacity = capacity
    }

    deinit { free(base) }
  }

  /// What it was called when it was made.
  let name: String
  let identity: UInt64
  var isReadOnly = false
  var modified = Int.max
  private(set) var size = 0
  private var storage = Storage(capacity: 0)

  init(name: String, identity: UInt64) { (self.name, self.identity) = (name, identity) }

  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: storage.base, count: size)) }

  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    let count = max(0, min(bytes.count, size - offset))
    if count > 0 { memcpy(bytes.baseAddress!, storage.base + offset, count) }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard bytes.count > 0 else { return }
    let end = offset + bytes.count
    if end > storage.capacity { reserve(size == 0 ? end : max(end, storage.capacity * 2)) }
    memcpy(storage.base + offset, bytes.baseAddress!, bytes.count)
    size = max(size, end)
    // Another time than before, which is what programs look at.
    modified -= 1
  }

  func truncate(to size: Int) {
    if size > storage.capacity { reserve(size) }
    if size < self.size { memset(storage.base + size, 0, self.size - size) }
    self.size = size
    modified -= 1
  }

  /// Shows its first bytes, and those that come, up to so many. A file that outgrows what was shown gets new memory,
  /// in which what was shown earlier does not change any more.
  func map(capacity: Int) -> Mapping {
    reserve(capacity)
    let storage = storage
    return Mapping(base: UnsafeRawPointer(storage.base), capacity: capacity) { _, _ in _ = storage }
  }

  private func reserve(_ capacity: Int) {
    guard capacity > storage.capacity else { return }
    let grown = Storage(capacity: capacity)
    memcpy(grown.base, storage.base, size)
    storage = grown
  }

  func copy() -> MemoryFile {
    let copy = MemoryFile(name: name, identity: identity)
    copy.reserve(size)
    memcpy(copy.storage.base, storage.base, size)
    copy.size = size
    copy.isReadOnly = isReadOnly
    copy.modified = modified
    return copy
  }
}

extension InMemoryFileSystem {
  /// Nothing reports its changes.
  func watch(_ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch { .polling(onChange) }
}

extension FileSystem {
  /// Other disks of tests have nobody who changes them from outside.
  func watch(_ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch {
    throw FileFailure("watch", "", ENOTSUP)
  }
}
