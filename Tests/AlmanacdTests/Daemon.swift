import AlmanacTesting
import CLibrary
import Foundation
import UpstreamKit

/// A daemon that runs as a process, against a server that plays the four APIs.
final class Daemon: Sendable {
  let program: Program
  let running: Running
  /// Where its standard error goes.
  let errorPath: String
  let upstream: Upstream?
  private let address: WebClient
  /// A client, with which the daemon lives.
  var client: WebClient {
    var client = address
    client.owner = self
    return client
  }
  /// The daemon with its client, for tests that need both.
  var withClient: (Daemon, WebClient) { (self, client) }

  /// Whether the CLI was built beside the tests.
  static let hasCLI: Bool = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let path = URL(filePath: tests).deletingLastPathComponent().appending(path: "almanac").path
    return FileManager.default.isExecutableFile(atPath: path)
  }()

  /// Something that was waited for did not happen in time.
  struct Late: Error, CustomStringConvertible {
    var description: String
  }

  /// Starts a daemon and waits until it listens.
  ///
  /// - Parameters:
  ///   - follows: what the config follows.
  ///   - config: the whole config; made from `follows` where absent.
  ///   - store: the address of a store on a server; the folder of the program is that of the state then.
  init(
    follows: [String] = ["people", "users/ada"], config: String? = nil, store: String? = nil,
    arguments: [String] = [], environment: [String: String] = [:], options: UpstreamOptions = UpstreamOptions(),
    every: String = "1h"
  ) async throws {
    var program = try Program("almanacd")
    let upstream = try Upstream(options)
    self.upstream = upstream
    program.environment = environment
    let text = config ?? Self.config(follows, url: upstream.url, every: every)
    _ = try program.file("config.json", text)
    self.program = program
    running = try program.start(
      ["--config", program.folder + "/config.json", "--listen", "127.0.0.1:0"] + arguments
        + (store.map { ["--store", $0, "--state", program.store] } ?? []))
    errorPath = running.errorPath
    let log = try await Self.waitFor(running, errorPath, "listening")
    let named = arguments.firstIndex(of: "--store").map { arguments[$0 + 1] } ?? program.store
    let token = try String(
      contentsOf: URL(filePath: named, relativeTo: URL(filePath: program.folder + "/")).appending(path: "token"),
      encoding: .utf8
    ).filter { $0 > " " }
    address = try Self.client(log, token: token)
  }

  /// A config that follows something on one server.
  static func config(_ follows: [String], url: String, every: String = "1h", more: String = "") -> String {
    let servers =
      ["app-store", "users", "people"].map { #""\#($0)": {"url": "\#(url)"}"# }
      + [#""flickr": {"url": "\#(url)", "apiKey": "any"}"#]
    let list = follows.map { #"{"follow": "\#($0)", "every": "\#(every)"}"# }
    return #"{"servers": {\#(servers.joined(separator: ","))}, "follows": [\#(list.joined(separator: ","))]\#(more)}"#
  }

  func write(config: String) throws { _ = try program.file("config.json", config) }

  /// Waits until the daemon listens that writes its errors to a file, or to the only one in the folder of a program.
  static func started(
    in program: Program, errorPath: String? = nil
  ) async throws -> (client: WebClient, pid: Int32, errorPath: String) {
    var path = errorPath
    while path == nil {
      let name = try FileManager.default.contentsOfDirectory(atPath: program.folder).first { $0.hasPrefix("err-") }
      path = name.map { "\(program.folder)/\($0)" }
      // The program is started by another task, which needs a thread.
      await Task.yield()
    }
    let log = try await FileWatch.until(path ?? "", seconds: 300) { $0.contains("listening") }
    let token = try? String(contentsOfFile: program.store + "/token", encoding: .utf8).filter { $0 > " " }
    let pid = log.firstMatch(of: /pid=(\d+)/).flatMap { Int32($0.1) } ?? 0
    return (try client(log, token: token), pid, path ?? "")
  }

  var port: UInt16 {
    if case .port(let port) = address.place { port } else { 0 }
  }

  /// The client of a daemon whose log says where it listens.
  private static func client(_ log: String, token: String?) throws -> WebClient {
    // A line of text has `url=…`, a JSON line `"url":"…"`.
    let words = log.split { " \n\",{}".contains($0) }.map { $0.hasPrefix("url=") ? $0.dropFirst("url=".count) : $0 }
    guard let word = words.first(where: { $0.hasPrefix("http://") }) else { throw Late(description: log) }
    let host = String(word.dropFirst("http://".count))
    return WebClient(place: .port(UInt16(host.split(separator: ":").last ?? "") ?? 0), host: host, token: token)
  }

  /// Waits until the log holds a text so many times, and gives the whole log.
  @discardableResult
  func log(holds text: String, times: Int = 1, seconds: Double = 300) async throws -> String {
    try await Self.waitFor(running, errorPath, text, times: times, seconds: seconds)
  }

  /// Waits for a line of the log: woken by the file system, not by a clock.
  static func waitFor(
    _ running: Running, _ errorPath: String, _ text: String, times: Int = 1, seconds: Double = 300
  ) async throws -> String {
    try await FileWatch.until(errorPath, seconds: seconds) { log in
      log.components(separatedBy: text).count > times || (!running.isRunning && !log.isEmpty)
    }
  }

  /// Asks until the answer is as it should be: every look waits for the daemon, none for a clock.
  func eventually(
    _ path: String, seconds: Double = 300, _ isDone: (WebClient.Reply) throws -> Bool
  ) async throws -> WebClient.Reply {
    let end = Date().addingTimeInterval(seconds)
    while true {
      let reply = try await address.get(path)
      if try isDone(reply) { return reply }
      if Date() > end { throw Late(description: "\(path): \(reply.status) \(reply.body)") }
    }
  }

  /// Stops the daemon and gives back how it ended; its folder is removed.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) async throws -> Program.Result {
    running.signal(signal)
    let result = try await running.result()
    upstream?.stop()
    return result
  }

  deinit {
    if running.isRunning { running.end() }
    upstream?.stop()
    program.clean()
  }
}

extension Program {
  /// Where another program of this package was built.
  func beside(_ name: String) -> String {
    URL(filePath: path).deletingLastPathComponent().appending(path: name).path
  }

  /// Runs a command of the CLI, with the config of the daemon and its store, or another one.
  func almanac(_ command: String, store: String? = nil, config: String? = nil) async throws -> Result {
    try await shell(
      """
      ALMANAC_CONFIG='\(config ?? folder + "/config.json")' exec '\(beside("almanac"))' \(command) \
      --store '\(store ?? self.store)'
      """)
  }

  func people(in store: String? = nil) async throws -> Set<String> {
    let list = try await almanac("list people --format csv", store: store)
    guard list.status == 0 else { throw Daemon.Late(description: "\(list)") }
    return Set(
      list.out.split(separator: "\n").dropFirst().compactMap { $0.split(separator: ",").first.map(String.init) })
  }
}

/// A socket such as systemd gives to its services.
struct NotifySocket: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens it in the temporary folder.
  init() throws {
    path = NSTemporaryDirectory() + "almanac-notify-\(UInt32.random(in: 0 ... .max))"
    descriptor = socket(AF_UNIX, SocketType.datagram | SocketType.closeOnExec, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw POSIXError(.EADDRINUSE) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The next datagram; waits for it at most 10 s.
  func next() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Daemon.Late(description: "no datagram came") }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  func close() {
    CLibrary.close(descriptor)
    unlink(path)
  }
}

/// Waits for a file to hold something; inotify(7) says when to look again.
enum FileWatch {
  /// Waits until the file is as it should be, and gives its text.
  ///
  /// - Throws: `Daemon.Late` where it is not in time.
  static func until(
    _ path: String, seconds: Double, _ isDone: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try wait(path, seconds, isDone) })
      }
    }
  }

  private static func wait(_ path: String, _ seconds: Double, _ isDone: (String) -> Bool) throws -> String {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(descriptor) }
    inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
    let end = Date().addingTimeInterval(seconds)
    while true {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      if isDone(text) { return text }
      let rest = end.timeIntervalSinceNow
      if rest <= 0 { throw Daemon.Late(description: "the log does not say it:\n\(text)") }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A process that ended writes no more: its end is seen at the next turn.
      if CLibrary.poll(&poll, 1, Int32(min(rest, 1) * 1000)) > 0 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(descriptor, &buffer, buffer.count)
      }
    }
  }
}
