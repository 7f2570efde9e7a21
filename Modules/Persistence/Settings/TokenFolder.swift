import CLibrary
public import Models
public import Ports

/// Keeps the tokens of sources in `.tokens` in the folder of definitions: a file for each source that only its owner can
/// read, and a lock file beside it.
public struct TokenFolder: TokenKeeper {
  private let definitions: DefinitionFolder
  private let time: any TimeSource

  public init(in definitions: DefinitionFolder, time: any TimeSource) {
    (self.definitions, self.time) = (definitions, time)
  }

  /// The stored tokens of a source, which may be used or replaced at any time.
  public func secrets(of source: SourceName) -> [String] {
    let tokens = ClaimedFile(definitions: definitions, file: "\(definitions.path)/.tokens/\(source)", lock: -1).tokens
    return [tokens?.refresh, tokens?.access].compactMap(\.self)
  }

  /// The longest wait for another process.
  private static let timeout = Duration.seconds(30)

  public func claim(_ source: SourceName) async throws(Failure) -> any ClaimedTokens {
    let file = "\(definitions.path)/.tokens/\(source)"
    try definitions.makeFolder(".tokens")
    let lock = open("\(file).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw Self.failure("opened", "\(file).lock") }
    let start = time.uptime
    // The lock of `flock` belongs to the open file, so it also excludes other tasks of this process.
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let isBusy = errno == EWOULDBLOCK || errno == EINTR
      let failure = isBusy ? nil : Self.failure("locked", "\(file).lock")
      var isLate = time.uptime - start > Self.timeout
      if failure == nil, !isLate {
        do { try await time.sleep(for: .milliseconds(50)) } catch { isLate = true }
      }
      guard failure == nil, !isLate else {
        close(lock)
        throw failure
          ?? Failure(
            .config, .tryLater, "another process renews the access token of \(source)", hint: "try again later",
            code: .own(.tokenClaimed), path: file, retryable: true)
      }
    }
    return ClaimedFile(definitions: definitions, file: file, lock: lock)
  }

  fileprivate static func failure(_ operation: String, _ file: String) -> Failure {
    Failure(
      .config, .cannotCreate, "the file \(file) cannot be \(operation)", number: errno,
      hint: "the folder must be writable: a refresh token that is not stored cannot be used again",
      code: .own(.unwritable), path: file)
  }
}

private struct ClaimedFile: ClaimedTokens {
  let definitions: DefinitionFolder
  let file: String
  let lock: Int32

  /// Four lines: the hash of the key, the refresh token, the access token and its end.
  var tokens: StoredTokens? {
    guard let bytes = try? DefinitionFolder.bytes(of: file) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 5, let end = Timestamp(rfc3339: String(lines[3])) else { return nil }
    return StoredTokens(key: String(lines[0]), refresh: String(lines[1]), access: String(lines[2]), end: end)
  }

  func replace(_ tokens: StoredTokens) throws(Failure) {
    let lines = [tokens.key, tokens.refresh, tokens.access, tokens.end.description]
    guard !lines.contains(where: { $0.utf8.contains(0x0A) }) else {
      throw Failure(.config, .unparsable, "a token contains a line break", code: .own(.badToken), path: file)
    }
    try definitions.replace(file, Array(lines.map { $0 + "\n" }.joined().utf8), mode: 0o600)
  }

  func release() {
    _ = flock(lock, LOCK_UN)
    close(lock)
  }
}
