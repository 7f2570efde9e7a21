import Glibc
import Models
import Ports

/// The secret that whoever asks must know. It lies in the store's folder, and its file is locked as long as a daemon
/// keeps the store, so that there are never two.
final class DaemonToken: Sendable {
  /// 64 hexadecimal digits.
  let text: String
  private let descriptor: Int32

  /// Takes the folder's token, or makes one.
  ///
  /// - Throws: `Failure`, `tryLater` where another daemon keeps the store; `cannotCreate` or `inputOutput` where the
  ///   file cannot be used.
  init(folder: String) throws(Failure) {
    let path = folder + "/token"
    _ = mkdir(folder, 0o700)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure(.cannotCreate, "cannot be made", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Failure(
        .store, .tryLater, "another almanacd keeps this store", hint: "stop it first, or use another --store",
        code: "busy", path: folder, retryable: true)
    }
    fchmod(descriptor, 0o600)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    let known = String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
    if known.utf8.count >= 32 {
      text = known
    } else {
      text = Self.fresh()
      let line = Array("\(text)\n".utf8)
      guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, line, line.count, 0) == line.count,
        fsync(descriptor) == 0
      else {
        close(descriptor)
        throw Self.failure(.inputOutput, "cannot be written", path)
      }
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether this is the token, in a time that tells nothing about it.
  func isSame(as other: some StringProtocol) -> Bool { Self.equal(text, other) }

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

  /// Whether two texts are equal; the time depends on the length of the second alone.
  static func equal(_ secret: String, _ guess: some StringProtocol) -> Bool {
    let secret = Array(secret.utf8)
    let guess = Array(guess.utf8)
    var difference = secret.count ^ guess.count
    for index in guess.indices { difference |= Int(guess[index] ^ secret[index % secret.count]) }
    return difference == 0
  }

  private static func failure(_ reason: Failure.Reason, _ what: String, _ path: String) -> Failure {
    Failure(.store, reason, "the token \(what): \(String(cString: strerror(errno)))", path: path)
  }
}
