import AlmanacTesting
import AsyncHTTPTransport
import CLibrary
import Foundation
import Models
import Networking
import Ports
import Synchronization

/// A CardDAV server of somebody else, as a process with an empty folder.
final class RealServer: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case radicale, xandikos, sabre

    /// Where the program is; `nil` if it is not installed.
    var program: String? { self == .sabre ? SabreServer.installed?.program : path(of: rawValue) }

    private func path(of name: String) -> String? {
      (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/usr/local/bin").split(separator: ":")
        .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
  }

  static var installed: [Kind] { Kind.allCases.filter { $0.program != nil } }
  /// Whether a server is missing that the tests need; sabre/dav is only used if it is there.
  static var missing: [Kind] { Kind.allCases.filter { $0 != .sabre && $0.program == nil } }

  let kind: Kind
  let url: String
  let folder: String
  private struct Running {
    let process: Process
    let ended: AsyncStream<Void>
  }

  private let running: Mutex<Running>
  private let program: String
  private let arguments: [String]
  let client: AsyncHTTPTransport
  let book: String

  /// The base of every request of the tests themselves.
  private var stack: TransportStack { StandardStack().transport(over: client) }
  var transport: any HTTPTransport { stack }

  var account: SourceAccount {
    SourceAccount(name: "home", url: url, user: "ann", password: .given("secret", from: "the test"))
  }

  /// The last component of the book's path, which names it in a follow.
  var bookName: String { kind == .xandikos ? "addressbook" : "book" }

  /// Starts a server; once more if another process took its port meanwhile.
  private static func started(_ kind: Kind) async throws -> RealServer {
    for _ in 0..<4 { do { return try await RealServer(kind) } catch is Silent {} }
    return try await RealServer(kind)
  }

  /// Starts a server for one test, and ends it.
  static func with(_ kind: Kind, _ body: (RealServer) async throws -> Void) async throws {
    let server = try await started(kind)
    do { try await body(server) } catch {
      await server.end()
      throw error
    }
    await server.end()
  }

  /// A store that follows the book.
  func house(
    over transport: (any HTTPTransport)? = nil, store: any RecordStore = InMemoryRecordStore(), seed: UInt64 = 1
  ) -> CardDAVHouse {
    CardDAVHouse(transport ?? self.transport, store: store, seed: seed, account: account, book: bookName)
  }

  private init(_ kind: Kind) async throws {
    guard let program = kind.program else { throw Missing(kind: kind) }
    self.kind = kind
    folder = NSTemporaryDirectory() + "almanac-dav-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let port = try Self.freePort()
    url = "http://127.0.0.1:\(port)"
    self.program = program
    switch kind {
    case .radicale:
      book = "/ann/book/"
      try Data("ann:secret\n".utf8).write(to: URL(filePath: folder + "/users"))
      let config = """
        [server]
        hosts = 127.0.0.1:\(port)
        [auth]
        type = htpasswd
        htpasswd_filename = \(folder)/users
        htpasswd_encryption = plain
        delay = 0
        [storage]
        filesystem_folder = \(folder)/data
        [logging]
        level = error
        """
      try Data(config.utf8).write(to: URL(filePath: folder + "/config"))
      let place = folder + "/data/collection-root/ann/book"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data(#"{"tag": "VADDRESSBOOK", "D:displayname": "Book"}"#.utf8)
        .write(to: URL(filePath: place + "/.Radicale.props"))
      arguments = ["-C", folder + "/config"]
    case .xandikos:
      book = "/user/contacts/addressbook/"
      arguments = ["serve", "-d", folder + "/data", "--defaults", "-l", "127.0.0.1", "-p", String(port)]
    case .sabre:
      book = "/addressbooks/ann/book/"
      arguments = try SabreServer.installed?.prepare(in: folder, port: port) ?? []
    }
    client = AsyncHTTPTransport(.init(userAgent: "tests"))
    running = Mutex(try Self.run(program, arguments, in: folder))
    do { try await waitUntilItAnswers() } catch {
      await self.end()
      throw error
    }
  }

  private static func run(_ program: String, _ arguments: [String], in folder: String) throws -> Running {
    let process = Process()
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    process.executableURL = URL(filePath: program)
    process.currentDirectoryURL = URL(filePath: folder)
    process.arguments = arguments
    let null = FileHandle(forWritingAtPath: "/dev/null")
    process.standardOutput = null
    process.standardError = null
    try process.run()
    ServerReaper.shared?.watch(process.processIdentifier)
    return Running(process: process, ended: ended)
  }

  /// Copies the folder, while the server does not run.
  func back(upTo backup: String) async throws {
    try await paused { try FileManager.default.copyItem(atPath: folder, toPath: backup) }
  }

  /// Replaces the folder with a copy, while the server does not run.
  func restore(from backup: String) async throws {
    try await paused {
      try FileManager.default.removeItem(atPath: folder)
      try FileManager.default.copyItem(atPath: backup, toPath: folder)
    }
  }

  private func paused(_ body: () throws -> Void) async throws {
    await stop()
    try body()
    let new = try Self.run(program, arguments, in: folder)
    running.withLock { $0 = new }
    try await waitUntilItAnswers()
  }

  private func stop() async {
    let (pid, ended) = running.withLock { ($0.process.processIdentifier, $0.ended) }
    // A process that a test starts inherits blocked signals, SIGTERM among them.
    kill(pid, SIGKILL)
    for await _ in ended {}
  }

  struct Missing: Error { var kind: Kind }
  struct Silent: Error { var url: String }

  /// Ends the process and removes its folder.
  func end() async {
    await stop()
    await client.shutdown()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, SocketType.stream, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    var length = size
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
    }
    guard isBound, isNamed else { throw Silent(url: "127.0.0.1") }
    return UInt16(bigEndian: address.sin_port)
  }

  private func waitUntilItAnswers() async throws {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(60) {
      do throws(TransportError) {
        _ = try await client.send(HTTPRequest(.get, url + "/"))
        return
      } catch {
        guard running.withLock({ $0.process.isRunning }) else { throw Silent(url: url) }
        await Task.yield()
      }
    }
    throw Silent(url: url)
  }

  private var authorization: String { "Basic " + Data("ann:secret".utf8).base64EncodedString() }

  /// A request of another client.
  func send(
    _ method: HTTPRequest.Method, _ name: String, _ body: String? = nil, headers: HTTPHeaders = [:]
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(
      method, url + book + name, headers: headers, body: body.map { Array($0.utf8) }, isRepeatable: true)
    request.headers["Authorization"] = authorization
    if body != nil {
      request.headers["Content-Type"] = method == .propfind ? "application/xml" : "text/vcard; charset=utf-8"
    }
    return try await client.send(request)
  }

  /// Stores a card as another client does.
  func put(_ name: String, _ card: String) async throws {
    let response = try await send(.put, name, card)
    guard response.isSuccess else { throw Silent(url: "\(response.status) \(url)\(book)\(name)") }
  }

  func remove(_ name: String) async throws { _ = try await send(.delete, name) }

  /// The cards of the book, as another client reads them.
  func cards() async throws -> [String] {
    let body = #"<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>"#
    let list = try await send(.propfind, "", body, headers: ["Depth": "1"])
    guard list.status == 207 else { throw Silent(url: "\(list.status) \(url)\(book)") }
    var cards: [String] = []
    for match in String(decoding: list.body, as: UTF8.self).matches(of: #/href>([^<]*\.vcf)</#) {
      let card = try await send(.get, String(match.1.split(separator: "/").last ?? ""))
      guard card.isSuccess else { throw Silent(url: "\(card.status) \(match.1)") }
      cards.append(String(decoding: card.body, as: UTF8.self))
    }
    return cards
  }

  /// Puts many cards into the folder of the server, which reads them at the next request.
  func fill(_ cards: [(name: String, card: String)]) throws {
    if kind == .sabre { return try SabreServer.installed?.fill(folder, cards) ?? () }
    let place = kind == .radicale ? "\(folder)/data/collection-root/ann/book/" : "\(folder)/data\(book)"
    for (name, card) in cards { try Data(card.utf8).write(to: URL(filePath: place + name)) }
    guard kind == .xandikos else { return }
    for arguments in [["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example", "commit", "-qm", "cards"]] {
      try Tool.run("git", ["-C", place] + arguments)
    }
  }
}
