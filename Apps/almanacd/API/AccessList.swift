import CLibrary
import Models
import Ports
import Synchronization

enum Rights: String, Sendable, CaseIterable {
  /// Read everything but who has access.
  case read
  case full
  /// Fetch the calendar, with the token in its address; it grants no other access.
  case calendar
  /// Ask and propose as an assistant; it grants no other access.
  case assistant
}

/// Sessions of browsers and named tokens, kept in `access.json` of the store's folder across restarts. Of their secrets, which
/// are 256 random bits, only the SHA-256 is kept.
final class AccessList: Sendable {
  /// A browser that came in through the link.
  struct Session: Sendable {
    /// By which it is listed and revoked; not the secret.
    var id: String
    fileprivate var digest: String
    var since: Timestamp
    /// When it was last heard of; kept about once a minute.
    var lastSeen: Timestamp
    /// How the browser calls itself.
    var browser: String
  }

  struct NamedToken: Sendable {
    var name: String
    var rights: Rights
    fileprivate var digest: String
    var since: Timestamp
    /// When it was last used; kept about once a minute.
    var lastUsed: Timestamp?
  }

  private struct State {
    var sessions: [Session] = []
    var tokens: [NamedToken] = []
  }

  /// How long a browser stays in, in seconds.
  static let sessionLife = 30 * 86_400
  /// How many of each are kept; the oldest sessions are forgotten.
  static let most = 64
  /// The shortest time between two writes of what was used.
  static let usePause = Duration.seconds(60)

  private let path: String
  private let time: any TimeSource
  private let coder: any RecordCoder
  private let state: Mutex<State>
  /// Held while the list is written: who only looks must not wait for the disk.
  private let writing = Mutex(())
  /// When the use of a token or a session was kept last.
  private let useKept = Mutex<Duration?>(nil)
  /// The file as it was read or written last: that of another store at the path is not overwritten by itself.
  private let file = Mutex<FileStamp?>(nil)
  private let inBackground: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The list of a store.
  ///
  /// - Parameter inBackground: runs what may wait for the disk.
  /// - Throws: `Failure`, `inputOutput` where the file is there and cannot be read or understood.
  init(
    folder: String, time: any TimeSource, coder: any RecordCoder,
    inBackground: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      Task(executorPreference: WorkThreads.background) { work() }
    }
  ) throws(Failure) {
    path = folder + "/access.json"
    self.inBackground = inBackground
    self.time = time
    self.coder = coder
    state = Mutex(State())
    try reload()
  }

  /// Reads the list of the folder that is at the path now.
  ///
  /// - Throws: as `init` does; then the old list stays.
  func reload() throws(Failure) {
    let outcome: Swift.Result<Bool, Failure> = writing.withLock { _ in
      do throws(Failure) {
        let (new, hasSecrets) = try Self.read(path, coder)
        state.withLock { $0 = new }
        file.withLock { $0 = FileStamp(path) }
        return .success(hasSecrets)
      } catch { return .failure(error) }
    }
    // A full disk must not keep the daemon from working; the next change writes the file.
    if try outcome.get() { try? change { _ in } }
  }

  /// Starts a session; returns its secret, and why the session is only in memory where the list cannot be written. On a
  /// full disk the dashboard is needed most.
  func enter(browser: String) -> (secret: String, problem: Failure?) {
    let (secret, now) = (DaemonToken.fresh(), time.now)
    let session = Session(
      id: String(DaemonToken.fresh().prefix(12)), digest: Self.digest(secret), since: now, lastSeen: now,
      browser: String(browser.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init)))
    let add: (inout State) -> Void = { state in
      state.sessions.removeAll { !Self.isValid($0, now) }
      state.sessions = (state.sessions + [session]).suffix(Self.most)
    }
    do throws(Failure) {
      try change(evenUnsaved: true, add)
      return (secret, nil)
    } catch {
      return (secret, error)
    }
  }

  /// The session of a secret; `nil` where it is unknown, revoked or too old.
  func session(_ secret: some StringProtocol) -> Session? {
    let (now, digest) = (time.now, Self.digest(secret))
    let session = state.withLock { state -> Session? in
      guard let index = state.sessions.firstIndex(where: { Self.isValid($0, now) && $0.digest == digest }) else {
        return nil
      }
      state.sessions[index].lastSeen = now
      return state.sessions[index]
    }
    if session != nil { keepUse() }
    return session
  }

  func token(_ secret: some StringProtocol) -> NamedToken? {
    let (now, digest) = (time.now, Self.digest(secret))
    let token = state.withLock { state -> NamedToken? in
      guard let index = state.tokens.firstIndex(where: { $0.digest == digest }) else { return nil }
      state.tokens[index].lastUsed = now
      return state.tokens[index]
    }
    if token != nil { keepUse() }
    return token
  }

  /// Keeps when tokens and sessions were used, unless that was done in the last minute.
  private func keepUse() {
    let now = time.uptime
    let isDue = useKept.withLock { last in
      if let last, now - last < Self.usePause { return false }
      last = now
      return true
    }
    guard isDue else { return }
    inBackground { [self] in
      guard file.withLock({ $0 })?.hasSameContent(as: FileStamp(path)) == true else { return }
      // On a full disk, the next minute tries again.
      _ = try? change { _ in }
    }
  }

  /// The sessions of browsers, the newest first.
  var sessions: [Session] {
    let now = time.now
    return state.withLock { $0.sessions.filter { Self.isValid($0, now) }.reversed() }
  }

  var tokens: [NamedToken] { state.withLock { $0.tokens.sorted { $0.name < $1.name } } }

  /// Makes a named token; returns its secret, which is shown only once.
  ///
  /// - Throws: `Failure`: `usage` with the code `duplicate` where the name is taken, `usage` where there are too many;
  ///   `inputOutput` where it cannot be kept.
  func makeToken(_ name: String, _ rights: Rights) throws(Failure) -> String {
    let (secret, now) = (DaemonToken.fresh(), time.now)
    let problem = try change { state -> Failure? in
      if state.tokens.contains(where: { $0.name == name }) {
        return Failure(
          .config, .usage, "there is a token '\(name)' already", hint: "revoke it first", code: .own(.duplicate))
      }
      if state.tokens.count >= Self.most {
        return Failure(.config, .usage, "there are \(Self.most) tokens already", hint: "revoke one first")
      }
      state.tokens.append(NamedToken(name: name, rights: rights, digest: Self.digest(secret), since: now))
      return nil
    }
    if let problem { throw problem }
    return secret
  }

  /// Revokes a named token; `false` if no token has that name.
  ///
  /// - Throws: `Failure`, `inputOutput` where the change cannot be kept: it holds until the daemon ends.
  func revokeToken(_ name: String) throws(Failure) -> Bool {
    try revoke { state in
      let count = state.tokens.count
      state.tokens.removeAll { $0.name == name }
      return state.tokens.count < count
    }
  }

  /// Revokes sessions. Returns `false` if there is none.
  ///
  /// - Throws: `Failure`, `inputOutput` where the change cannot be kept: it holds until the daemon ends.
  func revokeSessions(where isMeant: (Session) -> Bool) throws(Failure) -> Bool {
    try revoke { state in
      let count = state.sessions.count
      state.sessions.removeAll(where: isMeant)
      return state.sessions.count < count
    }
  }

  /// Changes the list also where it cannot be kept: nobody stays in because a disk is full.
  private func revoke(_ body: (inout State) -> Bool) throws(Failure) -> Bool {
    var isKnown = false
    do throws(Failure) {
      try change(evenUnsaved: true) { isKnown = body(&$0) }
      return isKnown
    } catch {
      guard isKnown else { return false }
      var failure = error
      failure.message = "access is revoked until the daemon ends, because it cannot be saved: \(error.message)"
      throw failure
    }
  }

  private static func digest(_ secret: some StringProtocol) -> String { SHA256.digest(Array(secret.utf8)) }

  /// A session of the future was made by a clock that was wrong: it is as good as new.
  private static func isValid(_ session: Session, _ now: Timestamp) -> Bool { now - session.since < sessionLife }

  /// Changes the list and keeps it; what cannot be kept is not changed, or holds until the daemon ends.
  @discardableResult
  private func change<Result: Sendable>(
    evenUnsaved: Bool = false, _ body: (inout State) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = writing.withLock { _ in
      var next = state.withLock { $0 }
      let result = body(&next)
      do throws(Failure) { try SmallFile.replace(path, with: encoded(next)) } catch {
        if evenUnsaved { state.withLock { $0 = next } }
        return .failure(error)
      }
      state.withLock { $0 = next }
      file.withLock { $0 = FileStamp(path) }
      return .success(result)
    }
    return try outcome.get()
  }

  private func encoded(_ state: State) -> [UInt8] {
    let fields: JSONObject = [
      "sessions": .array(
        state.sessions.map {
          [
            "id": .string($0.id), "sha256": .string($0.digest), "since": .string($0.since.description),
            "lastSeen": .string($0.lastSeen.description), "browser": .string($0.browser),
          ]
        }),
      "tokens": .array(
        state.tokens.map { token in
          let fields: JSONObject = [
            "name": .string(token.name), "rights": .string(token.rights.rawValue), "sha256": .string(token.digest),
            "since": .string(token.since.description), "lastUsed": .of(token.lastUsed?.description),
          ]
          return .object(fields)
        }),
    ]
    return coder.encode(fields) + [0x0A]
  }

  /// The list, and whether the file contains secrets, as earlier versions wrote them.
  private static func read(
    _ path: String, _ coder: any RecordCoder
  ) throws(Failure) -> (state: State, hasSecrets: Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return (State(), false) }
    guard descriptor >= 0 else {
      throw Failure(.store, .inputOutput, "cannot be read: \(String(cString: strerror(errno)))", path: path)
    }
    defer { close(descriptor) }
    // A copy of the store may have lost the mode. The file says who has access.
    fchmod(descriptor, 0o600)
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    let count = CLibrary.read(descriptor, &bytes, bytes.count)
    guard count >= 0, let fields = try? coder.decode(Array(bytes.prefix(count))) else {
      throw Failure(
        .store, .inputOutput, "the sessions and named tokens cannot be read: \(path)",
        hint: "remove the file; then sign in again with \(command: "dashboard"), and create the named tokens again",
        path: path)
    }
    var state = State()
    var hasSecrets = false
    func stored(_ item: JSONObject?) -> String? {
      if let digest = item?["sha256"]?.string { return digest.utf8.count == 64 ? digest : nil }
      guard let secret = item?["secret"]?.string, secret.utf8.count >= 32 else { return nil }
      hasSecrets = true
      return Self.digest(secret)
    }
    for item in fields["sessions"]?.array ?? [] {
      guard let id = item.object?["id"]?.string, let digest = stored(item.object),
        let since = item.object?["since"]?.timestamp
      else { continue }
      let seen = item.object?["lastSeen"]?.timestamp
      state.sessions.append(
        Session(
          id: id, digest: digest, since: since, lastSeen: seen ?? since,
          browser: item.object?["browser"]?.string ?? ""))
    }
    for item in fields["tokens"]?.array ?? [] {
      guard let name = item.object?["name"]?.string, let digest = stored(item.object),
        let rights = item.object?["rights"]?.string.flatMap(Rights.init),
        let since = item.object?["since"]?.timestamp
      else { continue }
      let used = item.object?["lastUsed"]?.timestamp
      state.tokens.append(NamedToken(name: name, rights: rights, digest: digest, since: since, lastUsed: used))
    }
    return (state, hasSecrets)
  }
}
