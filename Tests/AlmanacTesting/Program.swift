import Foundation

/// Runs a program of this package as a process.
public struct Program: Sendable {
  public let path: String
  /// The working directory of the program; removed by `clean`.
  public let folder: String
  /// Environment variables in addition to PATH and HOME.
  public var environment: [String: String] = [:]

  /// Creates a runner for the program that was built with the tests, or for another build in `ALMANAC_PROGRAMS`.
  ///
  /// - Parameter name: the name of the product.
  public init(_ name: String) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = ProcessInfo.processInfo.environment["ALMANAC_PROGRAMS"].map { URL(filePath: $0) }
    path = (folder ?? URL(filePath: tests).deletingLastPathComponent()).appending(path: name).path
    self.folder = NSTemporaryDirectory() + "almanac-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
  }

  public var store: String { folder + "/store" }

  /// Makes the folder of the store, which is an empty store: commands that only read need one.
  public func makeStore() throws {
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
  }

  public func clean() { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes a file into the folder and returns its path.
  public func file(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// Builds the library that ends a program at a call, which it counts: see `kill_at.c`.
  ///
  /// - Returns: its path in the folder, for `LD_PRELOAD`.
  public func killLibrary() throws -> String {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "AlmanacTests/kill_at.c").path
    let library = folder + "/kill_at.so"
    let clang = try Tool.run("clang", ["-shared", "-fPIC", "-O1", "-o", library, source])
    guard clang.status == 0 else { throw POSIXError(.ENOEXEC) }
    return library
  }

  /// The program as the library ends it right before a call.
  package func killed(at call: Int, by library: String) -> Program {
    var program = self
    program.environment.merge(["LD_PRELOAD": library, "KILL_AT": "\(call)", "KILL_AT_LOG": killLogFile]) { $1 }
    return program
  }

  private var killLogFile: String { folder + "/kill.log" }

  /// The name of the call before which it was killed, or the number of calls of a run that ended.
  package var killLog: String { (try? String(contentsOfFile: killLogFile, encoding: .utf8)) ?? "" }

  public struct Result: Sendable {
    /// The exit status; 128 plus the signal if the process was killed.
    public var status: Int32
    public var out: String
    public var err: String

    public func json() throws -> Any {
      try JSONSerialization.jsonObject(with: Data(out.utf8), options: .fragmentsAllowed)
    }
    /// Standard output as a list of objects.
    public func records() throws -> [[String: Any]] { try json() as? [[String: Any]] ?? [] }
    /// Standard output as one object.
    public func object() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }
  }

  /// Starts the program with its own store and config file.
  public func start(_ arguments: [String], input: String = "") throws -> Running {
    try Running(self, arguments, input: input)
  }

  public func run(_ arguments: String..., input: String = "") async throws -> Result {
    try await start(arguments, input: input).result()
  }

  public func run(_ arguments: [String], input: String = "") async throws -> Result {
    try await start(arguments, input: input).result()
  }

  /// Runs a shell command in which `$PROGRAM` is the program, for tests of pipes and redirections.
  public func shell(_ line: String) async throws -> Result {
    var shell = self
    shell.environment["PROGRAM"] = path
    return try await Running(shell, ["-c", line], input: "", executable: "/bin/sh").result()
  }
}

public final class Running: Sendable {
  private let process: Process
  private let files: (out: String, err: String)
  /// The file of what it writes to standard error.
  public var errorPath: String { files.err }
  private let ended: AsyncStream<Void>

  init(_ program: Program, _ arguments: [String], input: String, executable: String? = nil) throws {
    let process = Process()
    process.executableURL = URL(filePath: executable ?? program.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: program.folder)
    var environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": program.folder,
      "ALMANAC_STORE": program.store, "TZ": "UTC",
    ]
    environment.merge(program.environment) { _, new in new }
    process.environment = environment
    let id = UUID().uuidString
    files = ("\(program.folder)/out-\(id)", "\(program.folder)/err-\(id)")
    for path in [files.out, files.err] { try Data().write(to: URL(filePath: path)) }
    let (out, err) = (FileHandle(forWritingAtPath: files.out), FileHandle(forWritingAtPath: files.err))
    process.standardOutput = out
    process.standardError = err
    let inputPath = "\(program.folder)/in-\(id)"
    try Data(input.utf8).write(to: URL(filePath: inputPath))
    let fed = FileHandle(forReadingAtPath: inputPath)
    process.standardInput = fed
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in end.finish() }
    (self.ended, self.process) = (ended, process)
    try process.run()
    if program.path.hasSuffix("/almanacd") { ServerReaper.shared?.watch(process.processIdentifier) }
    // The child has its own copies. Ours would stay open, and after 1,024 of them Foundation cannot start a process.
    for handle in [out, err, fed] { try? handle?.close() }
  }

  public var pid: Int32 { process.processIdentifier }

  public func signal(_ number: Int32) { kill(pid, number) }

  /// Kills the process, and waits for its end.
  package func end() {
    signal(SIGKILL)
    process.waitUntilExit()
  }

  public var errorSoFar: String { (try? String(contentsOfFile: files.err, encoding: .utf8)) ?? "" }

  public var outputSoFar: String { (try? String(contentsOfFile: files.out, encoding: .utf8)) ?? "" }

  public var isRunning: Bool { process.isRunning }

  /// Waits until the process exits.
  public func result() async throws -> Program.Result {
    for await _ in ended {}
    let status =
      process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
    return Program.Result(
      status: status, out: try String(contentsOfFile: files.out, encoding: .utf8),
      err: try String(contentsOfFile: files.err, encoding: .utf8))
  }
}

extension Running {
  /// The peak of the resident memory so far, including shared libraries, in KiB; 0 after the process has exited.
  public var peakKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
