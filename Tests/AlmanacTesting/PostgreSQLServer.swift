import Foundation

/// A PostgreSQL server of its own for tests, as a process that ends with the tests.
///
/// It listens on a Unix socket in its folder, accepts every user, and does not sync its files: a crash of the server is
/// survived, a power failure is not.
public final class PostgreSQLServer: Sendable {
  /// The folder of the data and the socket.
  public let folder: String
  private let process: Process
  private let commands: FileHandle
  private let answers: FileHandle

  /// Where the server's programs are; `nil` if it is not installed.
  public static let programs: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/usr/local/bin"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let debian = versions.sorted { ($0 as NSString).intValue > ($1 as NSString).intValue }
      .map { "/usr/lib/postgresql/\($0)/bin" }
    return (path.split(separator: ":").map(String.init) + debian).first {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
    }
  }()

  /// Whether the tests that need a server can run.
  public static var isInstalled: Bool { programs != nil }

  private static let running = Task { try await PostgreSQLServer() }

  /// The server that all tests of a process share, each with a schema of its own.
  public static func shared() async throws -> PostgreSQLServer { try await running.value }

  // Reads commands until the test process ends, however it ends. PostgreSQL does not run as root.
  private static let script = """
    set -e
    cd /
    d=$(mktemp -d /tmp/almanac-pg-XXXXXX)
    trap 'pg_ctl -D "$d/data" -m immediate stop > "$d/out" 2>&1 || true; rm -rf "$d"' EXIT
    initdb -A trust -U postgres -E UTF8 --no-locale --no-sync -D "$d/data" > "$d/out"
    options="-c listen_addresses= -c unix_socket_directories=$d -c max_connections=200 -c fsync=off"
    start() { pg_ctl -w -D "$d/data" -l "$d/log" -o "$options" start > "$d/out"; }
    start
    echo "$d"
    while read -r command; do
      case $command in
        crash) pg_ctl -D "$d/data" -m immediate -w stop > "$d/out"; start;;
        stop) pg_ctl -D "$d/data" -m immediate -w stop > "$d/out";;
        start) start;;
        secure*) pg_ctl -D "$d/data" -m immediate -w stop > "$d/out"
          openssl req -x509 -newkey rsa:2048 -nodes -keyout "$d/data/server.key" -out "$d/data/server.crt" -days 2 \\
            -subj /CN=localhost -addext subjectAltName=DNS:localhost > "$d/out" 2>&1
          chmod 711 "$d" && cp "$d/data/server.crt" "$d/authority.crt" && chmod 644 "$d/authority.crt"
          echo "hostssl all all 127.0.0.1/32 scram-sha-256" > "$d/data/pg_hba.conf"
          options="-c listen_addresses=127.0.0.1 -p ${command#secure } -c unix_socket_directories=$d -c ssl=on"
          start;;
        pause) kill -STOP $(head -1 "$d/data/postmaster.pid"); kill -STOP $(pgrep -P $(head -1 "$d/data/postmaster.pid"));;
        continue) kill -CONT $(pgrep -P $(head -1 "$d/data/postmaster.pid")) $(head -1 "$d/data/postmaster.pid");;
      esac
      echo done
    done
    """

  /// Starts a server, in about a second.
  public init() async throws {
    guard let programs = Self.programs else { throw Missing() }
    let (input, output) = (Pipe(), Pipe())
    // Other children must not keep the pipe open, or the server would outlive the tests.
    for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    process = Process()
    let shell = ["/bin/sh", "-c", Self.script]
    let words = geteuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] + shell : shell
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: "/dev/null")
    (commands, answers) = (input.fileHandleForWriting, output.fileHandleForReading)
    try process.run()
    try? input.fileHandleForReading.close()
    try? output.fileHandleForWriting.close()
    folder = try Self.line(answers)
  }

  /// The address of a store in this server.
  public func address(_ schema: String) -> String {
    "postgres:///postgres?host=\(folder)&user=postgres&schema=\(schema)"
  }

  /// The address of a new store, in a schema that no other test uses.
  public func newAddress() -> String { address("s" + UUID().uuidString.lowercased().filter { $0 != "-" }) }

  /// Kills the server as a crash would, and starts it again.
  public func crash() throws { try command("crash") }
  public func stop() throws { try command("stop") }
  /// Starts the server after `stop`.
  public func start() throws { try command("start") }
  /// Stops the server's processes without ending them: it is silent.
  public func pause() throws { try command("pause") }
  public func resume() throws { try command("continue") }

  /// Restarts the server, which then accepts only TLS and passwords, on a port of this machine. It needs `openssl`.
  ///
  /// - Returns: the file of the authority that signed its certificate, which is for `localhost`.
  public func secure(port: UInt16) throws -> String {
    try command("secure \(port)")
    return folder + "/authority.crt"
  }

  /// Ends the server and removes its folder.
  public func end() { try? commands.close() }

  /// Runs SQL with psql, as the superuser.
  ///
  /// - Returns: the values, a line for each row.
  public func query(_ sql: String) throws -> String { try run("psql", "-d", "postgres", "-XAtqc", sql) }

  /// Runs a program of PostgreSQL on this server, as the superuser.
  ///
  /// - Returns: what it printed.
  @discardableResult
  public func run(_ words: String...) throws -> String {
    let (process, output) = try begin(words)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.trimmingCharacters(in: .newlines)
  }

  /// Starts a program of PostgreSQL on this server, as the superuser. Nobody reads what it prints.
  ///
  /// - Returns: ends the program.
  public func start(_ words: String...) throws -> () -> Void {
    let (process, output) = try begin(words)
    return {
      process.terminate()
      try? output.fileHandleForReading.close()
    }
  }

  private func begin(_ words: [String]) throws -> (Process, Pipe) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ["PATH": "\(Self.programs ?? ""):\(path)", "PGHOST": folder, "PGUSER": "postgres"]
    process.standardOutput = output
    try process.run()
    try? output.fileHandleForWriting.close()
    return (process, output)
  }

  private func command(_ word: String) throws {
    try commands.write(contentsOf: Data((word + "\n").utf8))
    _ = try Self.line(answers)
  }

  private static func line(_ handle: FileHandle) throws -> String {
    var bytes = Data()
    while let byte = try handle.read(upToCount: 1), byte != Data("\n".utf8) {
      if byte.isEmpty { break }
      bytes += byte
    }
    guard !bytes.isEmpty else { throw Missing() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The server could not be started.
  public struct Missing: Error {}
}
