import Dispatch

/// The system calls that the store makes. Names are those of files in one folder.
///
/// A call does what the system call of its name does, once. Short counts and `EINTR` are passed on, and `Disk` handles
/// them, so that every implementation (the real one, one in memory, a simulated disk) shares that code.
package protocol FileSystem: Sendable {
  var path: String { get }

  /// Opens the folder; false where it is missing and is not to be made.
  func openFolder(create: Bool) throws(FileFailure) -> Bool
  /// Whether the folder's path leads to the folder that is open. Throws where the system does not say, such as for a
  /// folder that now belongs to another user.
  var isInPlace: Bool { get throws(FileFailure) }
  /// Whether a name in the folder that is open leads to the file with this identity. Throws as `isInPlace` does.
  func isNamed(_ name: String, _ identity: UInt64) throws(FileFailure) -> Bool
  /// The kind of file system that a store cannot be kept on, where it is one: `nfs`.
  func unsuitableKind() throws(FileFailure) -> String?
  /// Opens a file, never through a link.
  func open(_ name: String, _ access: FileAccess) throws(FileFailure) -> Int32
  func close(_ file: Int32)
  /// Reads bytes at an offset, at most as many as the buffer takes. Returns their number; 0 at the end of the file.
  func read(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int
  /// Writes bytes at an offset. Returns their number, which may be smaller than the buffer's.
  func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) -> Int
  /// Makes the file's bytes durable, with the metadata that reading them needs.
  func sync(_ file: Int32) throws(FileFailure)
  /// Starts to write bytes back that will be synced soon. A hint, without any guarantee.
  func beginSync(_ file: Int32, _ range: Range<Int>)
  func syncFolder() throws(FileFailure)
  func truncate(_ file: Int32, to size: Int) throws(FileFailure)
  func information(_ file: Int32) throws(FileFailure) -> FileInformation
  /// How many bytes this user can still write to the folder's disk, and whether a file of `bytes` finds room now; a quota
  /// shows in the second only. `nil` where it is not known.
  func room(for bytes: Int) -> (free: Int, isEnough: Bool)?
  /// Renames, replacing.
  func rename(_ old: String, to new: String) throws(FileFailure)
  /// Lets `target`, which is empty, share the blocks of `source` until either is changed; false where the file system
  /// cannot do that. A hint that it was done: nothing is changed where it was not.
  func shareBlocks(of source: Int32, with target: Int32) -> Bool
  /// Takes the right to write to a file from everybody, its owner included.
  func makeReadOnly(_ file: Int32) throws(FileFailure)
  /// Sets the time of the last change of a file's bytes to now.
  func touch(_ file: Int32)
  func link(_ old: String, to new: String) throws(FileFailure)
  func remove(_ name: String) throws(FileFailure)
  /// The names in the folder, in no order.
  func names() throws(FileFailure) -> [String]
  /// Maps the first bytes of a file for reading; those past its end appear when it grows.
  func map(_ file: Int32, capacity: Int) throws(FileFailure) -> Mapping
  /// Locks a file for this descriptor, exclusively or shared; false where another descriptor holds a conflicting lock.
  func lock(_ file: Int32, isShared: Bool) throws(FileFailure) -> Bool
  func unlock(_ file: Int32)
  /// Locks one byte of a file for this descriptor, whether the file is that long or not; false where another has it.
  func lockByte(_ file: Int32, _ offset: Int) throws(FileFailure) -> Bool
  /// Releases the byte; closing the file does so too.
  func unlockByte(_ file: Int32, _ offset: Int)
  /// A byte in the range that another descriptor has locked, or `nil`.
  func lockedByte(_ file: Int32, in range: Range<Int>) throws(FileFailure) -> Int?
  /// Watches the folder: `onChange` is called after changes of its files, until the watch is stopped or released.
  func watch(_ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch
  /// A number that differs after every boot of the machine; `nil` where it is not known.
  var bootID: UInt64? { get }
  func randomNumber() -> UInt64
  var processID: Int32 { get }
  /// A folder in the folder; `nil` where there are none, as on a disk in memory.
  func subfolder(_ name: String) -> (any FileSystem)?
}

extension FileSystem {
  /// True: without paths, nothing can be replaced.
  package var isInPlace: Bool { true }

  package func isNamed(_ name: String, _ identity: UInt64) throws(FileFailure) -> Bool { true }

  package func subfolder(_ name: String) -> (any FileSystem)? { nil }

  package func room(for bytes: Int) -> (free: Int, isEnough: Bool)? { nil }

  /// Does nothing: without times, nothing is old.
  package func touch(_ file: Int32) {}
}

package enum FileAccess: Sendable {
  case read
  case write
  /// Made, with mode 0600; it must not be there.
  case create
}

package struct FileInformation: Hashable, Sendable {
  package var size: Int
  /// The same for two names of one file.
  package var identity: UInt64
  package var isReadOnly = false
  /// When it was written to, in nanoseconds since 1970.
  package var modified = 0
  /// When it was written to, or its metadata changed, in nanoseconds since 1970. No program can set this time.
  package var changed = 0
  package var isRemoved = false

  package init(
    size: Int, identity: UInt64, isReadOnly: Bool = false, modified: Int = 0, changed: Int = 0, isRemoved: Bool = false
  ) {
    (self.size, self.identity, self.isReadOnly) = (size, identity, isReadOnly)
    (self.modified, self.changed, self.isRemoved) = (modified, changed, isRemoved)
  }

  /// Whether the file was written to or removed since; its mode and its names may change.
  func isTouched(since earlier: FileInformation) -> Bool {
    size != earlier.size || modified != earlier.modified || isRemoved != earlier.isRemoved
  }
}

package struct FileFailure: Error, Hashable {
  /// The call: `fdatasync`.
  package var call: String
  /// The file's name; empty for the folder itself.
  package var name: String
  package var number: Int32

  package init(_ call: String, _ name: String, _ number: Int32) {
    (self.call, self.name, self.number) = (call, name, number)
  }
}

/// A mapped part of a file; unmapped when the last reference goes.
package final class Mapping: @unchecked Sendable {
  /// The first byte. Bytes never move or change once they were written, hence the unchecked sendability.
  package let base: UnsafeRawPointer
  /// How many bytes may be touched, as far as the file has them.
  package let capacity: Int
  private let release: @Sendable (UnsafeRawPointer, Int) -> Void
  private let rest: (@Sendable (UnsafeRawPointer, Int) -> Void)?

  /// - Parameter rest: drops pages from this process's memory until they are touched again.
  package init(
    base: UnsafeRawPointer, capacity: Int, rest: (@Sendable (UnsafeRawPointer, Int) -> Void)? = nil,
    release: @escaping @Sendable (UnsafeRawPointer, Int) -> Void
  ) { (self.base, self.capacity, self.rest, self.release) = (base, capacity, rest, release) }

  /// Says that these bytes are not needed soon, so that a scan of a large file does not fill the memory with it.
  func rest(_ range: Range<Int>) { rest?(base + range.lowerBound, range.count) }

  deinit { release(base, capacity) }
}

/// Reports changes of the files in a folder until it is stopped.
package final class FolderWatch: @unchecked Sendable {
  // A source is cancelled from any thread, and more than once without harm (dispatch_source_cancel(3)), hence unchecked.
  private let source: any DispatchSourceProtocol
  /// Whether it looks once per second, because the system reports no changes.
  let isPolling: Bool

  private init(_ source: any DispatchSourceProtocol, isPolling: Bool) {
    (self.source, self.isPolling) = (source, isPolling)
    source.resume()
  }

  deinit { stop() }

  package func stop() { source.cancel() }

  /// - Parameter onChange: called on a thread of the system after one or more changes; once per second if the user has no
  ///   inotify instance left.
  static func start(_ path: String, _ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch {
    guard let source = try Platform.watchFolder(path, onChange) else { return polling(onChange) }
    return FolderWatch(source, isPolling: false)
  }

  package static func polling(_ onChange: @escaping @Sendable () -> Void) -> FolderWatch {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler(handler: onChange)
    return FolderWatch(timer, isPolling: true)
  }
}
