import Glibc
import Ports

/// A file that is closed when nobody holds it any more.
final class OpenFile: Sendable {
  let number: Int32
  let name: String
  let disk: Disk

  init(number: Int32, name: String, disk: Disk) {
    self.number = number
    self.name = name
    self.disk = disk
  }

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

  /// Writes everything.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try call(.cannotWrite) { () throws(FileFailure) in
        try disk.system.write(number, rest, at: offset + done)
      }
      // A disk that takes nothing and gives no reason would keep us here for ever.
      if count == 0 { throw disk.error(FileFailure("pwrite", name, EIO), .cannotWrite) }
      done += count
    }
  }

  func beginSync(_ range: Range<Int>) { disk.system.beginSync(number, range) }

  func sync() throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try disk.system.sync(number) }
  }

  func truncate(to size: Int) throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try disk.system.truncate(number, to: size) }
  }

  func information() throws(StoreError) -> FileInformation {
    try call(.cannotRead) { () throws(FileFailure) in try disk.system.information(number) }
  }

  func makeReadOnly() throws(StoreError) {
    try call(.cannotWrite) { () throws(FileFailure) in try disk.system.makeReadOnly(number) }
  }

  /// Shares the blocks of another file instead of writing them; false where that is not possible.
  func shareBlocks(of source: OpenFile) -> Bool { disk.system.shareBlocks(of: source.number, with: number) }

  func map(capacity: Int) throws(StoreError) -> Mapping {
    try call(.cannotRead) { () throws(FileFailure) in try disk.system.map(number, capacity: capacity) }
  }

  private func call<Result>(
    _ code: StoreError.Code, _ body: () throws(FileFailure) -> Result
  ) throws(StoreError) -> Result {
    do throws(FileFailure) { return try disk.repeating(body) } catch { throw disk.error(error, code, name: name) }
  }
}
