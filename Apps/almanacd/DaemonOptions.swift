import ArgumentParser

struct DaemonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The store's folder, or postgres://HOST/DATABASE.", valueName: "dir"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The folder for the token and the socket, where the store is on a server; ~/.local/state/almanac by default.",
      valueName: "dir"))
  var state: String?

  @Option(help: ArgumentHelp("The config file.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("The address to listen on; 127.0.0.1:7423 by default.", valueName: "host:port"))
  var listen: String?

  @Option(help: ArgumentHelp("A Unix socket to listen on as well.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("Seconds that a client has to read 32 KiB of an answer.", visibility: .hidden))
  var writeDeadline = 30

  @Option(help: ArgumentHelp("Milliseconds without a change before a new store folder is opened.", visibility: .hidden))
  var settling = 2000

  @Option(
    help: ArgumentHelp(
      "Seconds without a sign of life after which another daemon on the same server takes over the work.",
      valueName: "seconds"))
  var lease = 30

  @Flag(
    help: """
      Sync everything once, send the edits, and exit. A request without a response for 30 s is not repeated, and after \
      two of them the server is not asked again; one that fails is asked again for 10 s.
      """)
  var once = false

  @Option(help: ArgumentHelp("A recording that answers every request; repeatable.", valueName: "file.har"))
  var seed: [String] = []

  @Option(help: ArgumentHelp("Another base URL for one source; repeatable.", valueName: "source=url"))
  var server: [String] = []

  @Option(help: "The format of the log: text, or json for one object a line.")
  var logFormat: LogFormat = .text

  @Flag(help: "Log every exchange.")
  var verbose = false

  @Flag(help: "Log warnings and errors only.")
  var quiet = false

  mutating func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store expects the name of a folder") }
    if state?.isEmpty == true { throw ValidationError("--state expects the name of a folder") }
    if !(0...3600).contains(writeDeadline) { throw ValidationError("--write-deadline expects 0 to 3600 seconds") }
    if !(3...3600).contains(lease) { throw ValidationError("--lease expects 3 to 3600 seconds") }
  }

  static func reading(_ arguments: [String]) throws -> DaemonOptions { try parse(arguments) }
}

enum LogFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people.
  case text
  /// For programs: one JSON object a line.
  case json
}
