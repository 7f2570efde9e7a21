import CLibrary
import Models
import Ports
import Synchronization

/// The file system as the store uses it: reads and writes are complete, interrupted calls are repeated, and errors name
/// the call and the file.
struct Disk: Sendable {
  let system: any FileSystem
  var suggestions: StoreSuggestions

  init(system: any FileSystem, suggestions: StoreSuggestions = StoreSuggestions()) {
    (self.system, self.suggestions) = (system, suggestions)
  }

  /// A folder at any path, also on a network file system.
  init(anywhere path: String, followsLink: Bool = false, suggestions: StoreSuggestions = StoreSuggestions()) {
    self.init(system: RealFileSystem(path: path, isAnywhere: true, followsLink: followsLink), suggestions: suggestions)
  }

  /// Whether the folder exists; checks that a store can be kept in it.
  func openFolder(create: Bool) throws(StoreError) -> Bool {
    do {
      guard try repeating({ () throws(FileFailure) in try system.openFolder(create: create) }) else { return false }
      if let kind = try repeating({ () throws(FileFailure) in try system.unsuitableKind() }) {
        throw StoreError(
          .unsuitablePlace, "a store cannot be kept on a network file system (\(kind))",
          hint: "keep the store on a local disk", path: system.path)
      }
      return true
    } catch let failure as FileFailure {
      if failure.call == "open", failure.number == ELOOP || failure.number == ENOTDIR {
        throw StoreError(
          .unsuitablePlace, "the path is not that of a folder, or is a link", hint: "use the path of the folder itself",
          path: system.path)
      }
      throw error(failure, create ? .cannotCreate : .cannotRead)
    } catch let error as StoreError { throw error } catch { fatalError("the calls above throw no other error") }
  }

  func open(_ name: String, _ access: FileAccess = .read) throws(StoreError) -> OpenFile? {
    do throws(FileFailure) {
      return OpenFile(
        number: try repeating({ () throws(FileFailure) in try system.open(name, access) }), name: name, disk: self)
    } catch {
      if error.isMissing, access != .create { return nil }
      throw self.error(error, access == .read ? .cannotRead : .cannotWrite)
    }
  }

  /// Makes a file that must not be there; one that a killed process left under the same name is removed.
  func create(_ name: String) throws(StoreError) -> OpenFile {
    do throws(FileFailure) {
      let number: Int32
      do throws(FileFailure) {
        number = try repeating({ () throws(FileFailure) in try system.open(name, .create) })
      } catch {
        guard error.isTaken else { throw error }
        try repeating({ () throws(FileFailure) in try system.remove(name) })
        number = try repeating({ () throws(FileFailure) in try system.open(name, .create) })
      }
      return OpenFile(number: number, name: name, disk: self)
    } catch { throw self.error(error, .cannotWrite) }
  }

  func syncFolder() throws(StoreError) { try call(.cannotWrite) { () throws(FileFailure) in try system.syncFolder() } }

  func rename(_ old: String, to new: String) throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try system.rename(old, to: new) }
  }

  func link(_ old: String, to new: String) throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try system.link(old, to: new) }
  }

  func remove(_ name: String) throws(StoreError) {
    do throws(FileFailure) {
      try repeating { () throws(FileFailure) in try system.remove(name) }
    } catch {
      if !error.isMissing { throw self.error(error, .cannotWrite) }
    }
  }

  func nestedStores() throws(StoreError) -> [String] {
    try names().sorted().filter { name in
      !name.hasPrefix(StoreBackup.keptPrefix) && hasManifest("\(name)/\(Manifest.name)")
    }
  }

  /// Whether a file is the manifest of a store. A path through a name that is not a folder's opens nothing.
  func hasManifest(_ name: String = Manifest.name) -> Bool { begins(name, with: Manifest.opening) }

  private func begins(_ name: String, with opening: String) -> Bool {
    guard let number = try? system.open(name, .read) else { return false }
    let file = OpenFile(number: number, name: name, disk: self)
    return (try? file.bytes(count: opening.utf8.count)) == Array(opening.utf8)
  }

  /// Whether the folder is a backup. A folder of the same name in it, as of a store that was copied there, says nothing.
  var isBackup: Bool { begins(StoreBackup.markName, with: StoreBackup.markOpening) }

  /// Why the store is not changed: it is a backup. `nil` where it is not.
  var backupError: StoreError? {
    guard isBackup else { return nil }
    return StoreError(
      .unsuitablePlace, "the folder is a backup, which the next one would replace; nothing was changed",
      hint: suggestions.changeBackup(system.path), path: system.path)
  }

  /// A name that no file has: a name with the suffix, with a number between the two where that is taken.
  func unusedName(_ name: String, _ suffix: String) throws(StoreError) -> String {
    let names = Set(try names())
    var unused = name + suffix
    var number = 2
    while names.contains(unused) {
      unused = "\(name).\(number)\(suffix)"
      number += 1
    }
    return unused
  }

  func names() throws(StoreError) -> [String] { try call(.cannotRead) { () throws(FileFailure) in try system.names() } }

  func call<Result>(_ code: StoreError.Code, _ body: () throws(FileFailure) -> Result) throws(StoreError) -> Result {
    do throws(FileFailure) { return try repeating(body) } catch { throw self.error(error, code) }
  }

  /// Repeats what a signal broke off.
  func repeating<Result>(_ body: () throws(FileFailure) -> Result) throws(FileFailure) -> Result {
    while true {
      do throws(FileFailure) { return try body() } catch { if error.number != EINTR { throw error } }
    }
  }

  func error(_ failure: FileFailure, _ code: StoreError.Code, name: String = "") -> StoreError {
    let number = SystemError(failure.number)
    let file = name.isEmpty ? failure.name : name
    let hint: Advice? =
      switch failure.number {
      case EACCES where failure.call == "mkdir", EPERM where failure.call == "mkdir":
        "choose another folder, or make the one above it writable"
      case EACCES, EPERM: permission(file)
      case EMFILE, ENFILE: "raise the limit of open files ('ulimit -n')"
      case ELOOP: "a file of the store cannot be a link"
      default: number.suggestion
      }
    return StoreError(
      number.isFull ? .full : code,
      "\(Self.action(failure.call, isFolder: file.isEmpty)): \(Self.reason(failure.number))",
      hint: hint, path: file.isEmpty ? system.path : path(file))
  }

  /// What lets this user use a file, or the folder: the owner changes the mode, another user gives it away.
  private func permission(_ file: String) -> Advice {
    var status = stat()
    let folder = (system.path, "u+rwx", 0o700)
    let places = file.isEmpty ? [folder] : [(path(file), "u+rw", 0o600), folder]
    for (path, mode, bits) in places where stat(path, &status) == 0 {
      let place = ShellWord.quoted(path)
      guard status.st_uid == geteuid() else {
        let owner = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
        return Advice(
          "it belongs to \(owner ?? "another user"): run the program as that user, or make it yours: sudo chown \(given(place))"
        )
      }
      if Int(status.st_mode) & bits != bits { return "chmod \(mode) \(place)" }
    }
    return "check who owns the \(file.isEmpty ? "folder" : "file"), and its permissions"
  }

  /// What `chown` is given: the whole folder of a store, whose other files may belong to others, too, or else one place.
  private func given(_ place: String) -> String {
    guard access(path(Manifest.name), F_OK) == 0 else { return "\(FolderPath.user) \(place)" }
    return "-R \(FolderPath.user) \(ShellWord.quoted(FolderPath.real(system.path) ?? system.path))"
  }

  private static func action(_ call: String, isFolder: Bool) -> String {
    switch call {
    case "mkdir": "cannot make the folder"
    case "open": "cannot open the \(isFolder ? "folder" : "file")"
    case "opendir", "readdir": "cannot list the folder"
    case "pread", "mmap": "cannot read the file"
    case "pwrite", "ftruncate": "cannot write to the file"
    case "fdatasync", "fsync": "cannot bring the \(isFolder ? "folder" : "file") to the disk"
    case "access": "the \(isFolder ? "folder" : "file") cannot be written"
    case "rename": "cannot rename the file"
    case "link": "cannot give the file a second name"
    case "unlink": "cannot remove the file"
    case "flock", "fcntl": "cannot lock the file"
    case "fstat", "fstatfs", "fchmod": "cannot inspect the \(isFolder ? "folder" : "file")"
    default: "\(call) failed"
    }
  }

  /// The system's reason, as part of a sentence.
  private static func reason(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    // 'Input/output error' begins a sentence; 'ELOOP' would not.
    guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
    return first.lowercased() + text.dropFirst()
  }

  /// A folder in the folder, if the file system has any.
  func subfolder(_ name: String) -> Disk? { system.subfolder(name).map { Disk(system: $0, suggestions: suggestions) } }

  func path(_ name: String) -> String { system.path + "/" + name }
}

extension FileFailure {
  var isMissing: Bool { number == ENOENT }
  var isTaken: Bool { number == EEXIST }
  /// Whether a link or a folder has the name.
  var isNoFile: Bool { number == ELOOP || number == EINVAL }

  var reason: String { String(cString: strerror(number)) }
}

/// An open file; closed when the last reference goes.
final class OpenFile: Sendable {
  let number: Int32
  let name: String
  let disk: Disk
  private let identity = Mutex<UInt64?>(nil)

  init(number: Int32, name: String, disk: Disk) { (self.number, self.name, self.disk) = (number, name, disk) }

  deinit { disk.system.close(number) }

  /// Reads until the buffer is full or the file ends; how many bytes were read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try call(.cannotRead) { () throws(FileFailure) in
        try disk.system.read(number, rest, at: offset + done)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads a piece of the file, shorter where the file ends.
  func bytes(at offset: Int = 0, count: Int) throws(StoreError) -> [UInt8] {
    var failure: StoreError?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, initialized in
      do throws(StoreError) {
        initialized = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The XXH64 of all bytes, read a piece at a time.
  func checksum() throws(StoreError) -> UInt64 {
    var hash = XXHash64()
    var offset = 0
    while true {
      let piece = try bytes(at: offset, count: 1 << 18)
      if piece.isEmpty { return hash.value }
      piece.withUnsafeBytes { hash.update($0) }
      offset += piece.count
    }
  }

  /// Whether another file has the same bytes, read a piece at a time.
  func hasSameBytes(as other: OpenFile) throws(StoreError) -> Bool {
    var offset = 0
    while true {
      let piece = try bytes(at: offset, count: 1 << 18)
      if try other.bytes(at: offset, count: 1 << 18) != piece { return false }
      if piece.isEmpty { return true }
      offset += piece.count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try call(.cannotWrite) { () throws(FileFailure) in
        try disk.system.write(number, rest, at: offset + done)
      }
      // A call that writes nothing without an error would make this loop endless.
      if count == 0 { throw disk.error(FileFailure("pwrite", name, EIO), .cannotWrite) }
      done += count
    }
  }

  func write(_ bytes: [UInt8], at offset: Int = 0) throws(StoreError) {
    try bytes.withByteSlice { (slice) throws(StoreError) in try write(slice.raw, at: offset) }
  }

  func beginSync(_ range: Range<Int>) { disk.system.beginSync(number, range) }

  func sync() throws(StoreError) { try call(.cannotWrite) { () throws(FileFailure) in try disk.system.sync(number) } }

  func truncate(to size: Int) throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try disk.system.truncate(number, to: size) }
  }

  func information() throws(StoreError) -> FileInformation {
    try call(.cannotRead) { () throws(FileFailure) in try disk.system.information(number) }
  }

  /// Whether its name in the folder still leads to it. The open file keeps its identity from being used again.
  var isNamed: Bool {
    get throws(StoreError) {
      let identity = try learnedIdentity()
      return try call(.cannotRead) { () throws(FileFailure) in try disk.system.isNamed(name, identity) }
    }
  }

  /// Its identity, which the system is asked for once.
  @discardableResult
  func learnedIdentity() throws(StoreError) -> UInt64 {
    if let known = identity.withLock({ $0 }) { return known }
    let found = try information().identity
    identity.withLock { $0 = found }
    return found
  }

  func makeReadOnly() throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try disk.system.makeReadOnly(number) }
  }

  /// Shares the blocks of another file instead of writing them; false where that is not possible.
  func shareBlocks(of source: OpenFile) -> Bool { disk.system.shareBlocks(of: source.number, with: number) }

  func map(capacity: Int) throws(StoreError) -> Mapping {
    try call(.cannotRead) { () throws(FileFailure) in try disk.system.map(number, capacity: capacity) }
  }

  /// The whole file, mapped, and its bytes.
  func mapped() throws(StoreError) -> (mapping: Mapping, bytes: ByteSlice) {
    let size = try information().size
    let mapping = try map(capacity: size)
    return (mapping, ByteSlice(mapping.base, count: size))
  }

  private func call<Result>(
    _ code: StoreError.Code, _ body: () throws(FileFailure) -> Result
  ) throws(StoreError) -> Result {
    do throws(FileFailure) { return try disk.repeating(body) } catch { throw disk.error(error, code, name: name) }
  }
}

/// A file to which nobody should write, and how it was when it was last known to be right.
struct WatchedFile: Sendable {
  let file: OpenFile
  let known: FileInformation

  init(_ file: OpenFile) throws(StoreError) {
    self.file = file
    known = try file.information()
  }

  /// Whether it was written to or removed since.
  var isTouched: Bool { get throws(StoreError) { try file.information().isTouched(since: known) } }
}
