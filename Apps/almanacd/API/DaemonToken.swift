import CLibrary
import Models
import Ports
import Synchronization

/// The secret that clients send. Its file is in the store's folder, and is locked while a daemon runs on the store, also with
/// `--once`, so that there is only one.
final class DaemonToken: Sendable {
  private struct State {
    var text: String
    var descriptor: Int32
  }

  private let state: Mutex<State>
  private let path: String
  /// Held while the file is written: who only compares must not wait for the disk.
  private let writing = Mutex(())

  /// Takes the folder's token, or makes one.
  ///
  /// - Throws: `Failure`, `tryLater` where another daemon keeps the store; `cannotCreate` or `inputOutput` where the
  ///   file cannot be used.
  init(folder: String) throws(Failure) {
    path = folder + "/token"
    state = Mutex(try Self.open(folder, or: Self.fresh()))
  }

  /// Takes the token of the folder that is at the path now; where it has none, this one is written there.
  ///
  /// - Throws: as `init` does; then the old token stays.
  func reopen(folder: String) throws(Failure) {
    let held = state.withLock { $0 }
    if let place = FileStamp.place(of: folder + "/token"),
      let own = FileStamp.place(of: "/proc/self/fd/\(held.descriptor)"), place == own
    {
      return
    }
    let new = try Self.open(folder, or: held.text)
    let old = state.withLock { state in
      defer { state = new }
      return state.descriptor
    }
    close(old)
  }

  /// Writes the file again if somebody has removed it from the folder.
  func keep(in folder: String) {
    guard access(folder + "/token", F_OK) != 0, errno == ENOENT else { return }
    try? reopen(folder: folder)
  }

  private static func open(_ folder: String, or fresh: String) throws(Failure) -> State {
    let path = folder + "/token"
    makeFolders(folder)
    let descriptor = CLibrary.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      if let failure = refusal(of: folder) { throw failure }
      throw Failure(
        .store, .cannotCreate, "the token cannot be opened", number: number,
        hint: "let the file belong to the user that runs almanacd", path: path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Failure(
        .store, .tryLater, "another almanacd keeps this store", hint: "stop it first, or use another --store",
        code: .store(.busy), path: folder, retryable: true)
    }
    fchmod(descriptor, 0o600)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    let known = String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
    if known.utf8.count >= 32 { return State(text: known, descriptor: descriptor) }
    guard write(fresh, descriptor) else {
      let number = errno
      close(descriptor)
      throw SmallFile.failure(path, number)
    }
    return State(text: fresh, descriptor: descriptor)
  }

  /// Why nothing can be made in a folder, or in the parent that would hold it.
  private static func refusal(of folder: String) -> Failure? {
    var place = folder[...]
    while access(String(place), F_OK) != 0, errno == ENOENT, let slash = place.lastIndex(of: "/"),
      slash > place.startIndex
    {
      place = place[..<slash]
    }
    guard access(String(place), W_OK | X_OK) != 0, errno == EROFS || errno == EACCES else { return nil }
    return .readOnly(String(place), errno)
  }

  /// Makes the folder and its parents; a failure shows when the token is opened.
  private static func makeFolders(_ path: String) {
    guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return
    }
    makeFolders(String(path[..<slash]))
    mkdir(path, 0o700)
  }

  deinit { close(state.withLock { $0.descriptor }) }

  /// Whether this is the token, in a time that tells nothing about it.
  func isSame(as other: some StringProtocol) -> Bool { state.withLock { Self.equal($0.text, other) } }

  /// Puts a new token into the file; the old one is refused from now on.
  ///
  /// - Throws: `Failure`, `inputOutput` where it cannot be written; then the old one stays.
  func rotate() throws(Failure) -> String {
    let fresh = Self.fresh()
    let problem: Failure? = writing.withLock { _ in
      let old = state.withLock { $0 }
      guard Self.write(fresh, old.descriptor) else {
        let number = errno
        _ = Self.write(old.text, old.descriptor)
        return SmallFile.failure(path, number)
      }
      state.withLock { $0.text = fresh }
      return nil
    }
    if let problem { throw problem }
    return fresh
  }

  /// All tokens have one length, so that a concurrent reader sees the old one or the new one.
  private static func write(_ text: String, _ descriptor: Int32) -> Bool {
    let line = Array("\(text)\n".utf8)
    return pwrite(descriptor, line, line.count, 0) == line.count && ftruncate(descriptor, off_t(line.count)) == 0
      && fsync(descriptor) == 0
  }

  /// 32 bytes from the system's random source, as hexadecimal digits.
  static func fresh() -> String {
    var source = SystemRandomNumberGenerator()
    var digits: [UInt8] = []
    for _ in 0..<32 {
      let byte = UInt8.random(in: .min ... .max, using: &source)
      for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Whether two texts are equal; the time tells nothing but the length of the first, which is no secret.
  static func equal(_ secret: String, _ guess: some StringProtocol) -> Bool {
    let (secret, guess) = (Array(secret.utf8), Array(guess.utf8))
    guard secret.count == guess.count else { return false }
    return secret.indices.reduce(0 as UInt8) { $0 | (secret[$1] ^ guess[$1]) } == 0
  }
}
