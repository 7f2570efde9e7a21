import ArgumentParser

/// What the daemon can be told when it is started.
struct DaemonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The store's folder.", valueName: "dir"))
  var store: String?

  @Option(help: ArgumentHelp("The config file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Where it answers; 127.0.0.1:7423 where nothing is said.", valueName: "host:port"))
  var listen: String?

  @Option(help: ArgumentHelp("Answer also on a Unix socket.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("Seconds in which a client must take 32 KiB of what waits for it.", visibility: .hidden))
  var writeDeadline = 30

  @Flag(help: "Sync everything once, send the edits, and end.")
  var once = false

  @Option(help: ArgumentHelp("Answer every request from a recording; repeatable.", valueName: "file.har"))
  var seed: [String] = []

  @Option(help: ArgumentHelp("Use another base URL for one source; repeatable.", valueName: "source=url"))
  var server: [String] = []

  @Option(help: "How it logs: text or json lines.")
  var logFormat: LogFormat = .text

  @Flag(help: "Log every exchange.")
  var verbose = false

  @Flag(help: "Log warnings and errors only.")
  var quiet = false

  mutating func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs the name of a folder") }
  }

  /// The options that the arguments say, as they are read at the start.
  static func reading(_ arguments: [String]) throws -> DaemonOptions { try parse(arguments) }
}

/// `--log-format`
enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people.
  case text
  /// For programs: one JSON object a line.
  case json
}
