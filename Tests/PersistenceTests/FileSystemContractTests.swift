import CLibrary
import Persistence
import Testing

@Suite("Every file system does what the system calls do")
struct FileSystemContractTests {
  enum Plug: CaseIterable, Sendable { case real, inMemory, simulated }

  private let folder = TemporaryFolder()

  private func system(_ plug: Plug) throws -> any FileSystem {
    let system: any FileSystem =
      switch plug {
      case .real: RealFileSystem(path: folder.path + "/store")
      case .inMemory: InMemoryFileSystem()
      case .simulated: SimulatedDisk()
      }
    #expect(try !system.openFolder(create: false))
    #expect(try system.openFolder(create: true))
    return system
  }

  private func text(_ system: any FileSystem, _ file: Int32, at offset: Int = 0) throws(FileFailure) -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    var failure: FileFailure?
    let count = bytes.withUnsafeMutableBytes { buffer in
      do throws(FileFailure) { return try system.read(file, buffer, at: offset) } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func write(_ system: any FileSystem, _ file: Int32, _ text: String, at offset: Int = 0) throws(FileFailure) {
    var failure: FileFailure?
    Array(text.utf8).withUnsafeBytes { bytes in
      do throws(FileFailure) { _ = try system.write(file, bytes, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func number(_ body: () throws(FileFailure) -> Void) -> Int32 {
    do throws(FileFailure) { try body() } catch { return error.number }
    return 0
  }

  @Test(arguments: Plug.allCases)
  func files(_ plug: Plug) throws {
    let system = try system(plug)
    #expect(number { () throws(FileFailure) in _ = try system.open("a", .read) } == ENOENT)
    let file = try system.open("a", .create)
    #expect(number { () throws(FileFailure) in _ = try system.open("a", .create) } == EEXIST)
    try write(system, file, "hello")
    try write(system, file, "J", at: 0)
    #expect(try text(system, file) == "Jello")
    #expect(try text(system, file, at: 4) == "o")
    #expect(try text(system, file, at: 5) == "")
    // A hole is zero bytes.
    try write(system, file, "x", at: 7)
    #expect(try text(system, file) == "Jello\0\0x")
    try system.truncate(file, to: 2)
    try system.truncate(file, to: 4)
    #expect(try text(system, file) == "Je\0\0")
    #expect(try system.information(file).size == 4)
    try system.sync(file)
    try system.syncFolder()
    let reader = try system.open("a", .read)
    #expect(number { () throws(FileFailure) in try write(system, reader, "z") } == EBADF)
    #expect(try system.information(reader).identity == system.information(file).identity)
    // A file stays while it is open.
    try system.remove("a")
    #expect(number { () throws(FileFailure) in try system.remove("a") } == ENOENT)
    #expect(try text(system, reader) == "Je\0\0")
    #expect(try system.names() == [])
    system.close(reader)
    system.close(file)
  }

  @Test(arguments: Plug.allCases)
  func names(_ plug: Plug) throws {
    let system = try system(plug)
    for name in ["a", "b"] {
      let file = try system.open(name, .create)
      try write(system, file, name)
      system.close(file)
    }
    #expect(number { () throws(FileFailure) in try system.link("a", to: "b") } == EEXIST)
    #expect(number { () throws(FileFailure) in try system.link("none", to: "c") } == ENOENT)
    #expect(number { () throws(FileFailure) in try system.rename("none", to: "c") } == ENOENT)
    try system.link("a", to: "c")
    // Two names of one file: nothing happens.
    try system.rename("a", to: "c")
    #expect(try system.names().sorted() == ["a", "b", "c"])
    try system.rename("b", to: "c")
    #expect(try system.names().sorted() == ["a", "c"])
    let file = try system.open("c", .read)
    #expect(try text(system, file) == "b")
    system.close(file)
  }

  @Test(arguments: Plug.allCases)
  func mappings(_ plug: Plug) throws {
    let system = try system(plug)
    let file = try system.open("a", .create)
    try write(system, file, "abc")
    let mapping = try system.map(file, capacity: 1 << 16)
    #expect(mapping.base.load(as: UInt8.self) == UInt8(ascii: "a"))
    // What is appended appears by itself.
    try write(system, file, "d", at: 3)
    #expect(mapping.base.load(fromByteOffset: 3, as: UInt8.self) == UInt8(ascii: "d"))
    // And stays when the file is closed and gone.
    system.close(file)
    try system.remove("a")
    #expect(mapping.base.load(fromByteOffset: 3, as: UInt8.self) == UInt8(ascii: "d"))
  }

  @Test(arguments: Plug.allCases)
  func locks(_ plug: Plug) throws {
    let system = try system(plug)
    let first = try system.open("lock", .create)
    let second = try system.open("lock", .write)
    #expect(try system.lock(first, isShared: false))
    #expect(try system.lock(first, isShared: false))
    #expect(try !system.lock(second, isShared: false))
    // Who does not have it cannot give it back.
    system.unlock(second)
    #expect(try !system.lock(second, isShared: false))
    system.unlock(first)
    #expect(try system.lock(second, isShared: false))
    #expect(try !system.lock(first, isShared: false))
    system.close(second)
    #expect(try system.lock(first, isShared: false))
    system.close(first)
  }

  @Test(arguments: Plug.allCases)
  func sharedLocks(_ plug: Plug) throws {
    let system = try system(plug)
    let files = [try system.open("lock", .create), try system.open("lock", .read), try system.open("lock", .write)]
    #expect(try system.lock(files[0], isShared: true))
    #expect(try system.lock(files[1], isShared: true))
    #expect(try !system.lock(files[2], isShared: false))
    system.unlock(files[0])
    #expect(try !system.lock(files[2], isShared: false))
    system.close(files[1])
    #expect(try system.lock(files[2], isShared: false))
    #expect(try !system.lock(files[0], isShared: true))
    system.close(files[2])
    system.close(files[0])
  }

  @Test(arguments: Plug.allCases)
  func lockedBytes(_ plug: Plug) throws {
    let system = try system(plug)
    let first = try system.open("lock", .create)
    let second = try system.open("lock", .write)
    let far = 1 << 60
    #expect(try system.lockedByte(first, in: 0..<far) == nil)
    #expect(try system.lockByte(first, far))
    #expect(try system.lockByte(first, 7))
    // The own ones are not seen, those of others are, and only in the range.
    #expect(try system.lockedByte(first, in: 0..<far + 1) == nil)
    #expect(try system.lockedByte(second, in: 0..<far) == 7)
    #expect(try system.lockedByte(second, in: 8..<far) == nil)
    #expect(try system.lockedByte(second, in: 8..<far + 1) == far)
    #expect(try !system.lockByte(second, 7))
    #expect(try system.lockByte(second, 8))
    // The lock of the file is another thing.
    #expect(try system.lock(second, isShared: false))
    system.unlockByte(second, 7)
    #expect(try !system.lockByte(second, 7))
    system.unlockByte(first, 7)
    #expect(try system.lockedByte(second, in: 0..<far) == nil)
    system.close(first)
    #expect(try system.lockedByte(second, in: 0..<far + 1) == nil)
    system.close(second)
  }
}
