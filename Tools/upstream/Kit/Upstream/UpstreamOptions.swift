/// The data and the behaviour of an ``Upstream``.
public struct UpstreamOptions: Sendable {
  /// The APIs whose responses have an ETag and a `Last-Modified`, and which support conditional requests (304 and 412).
  public enum Validators: String, Sendable, CaseIterable {
    case none
    /// The same as the real servers: all except Flickr.
    case usual
    /// All APIs, including Flickr.
    case everywhere
  }

  /// The port on 127.0.0.1; 0 to choose a free one.
  public var port: UInt16 = 0
  /// A Unix socket instead of a port.
  public var socketPath: String?
  public var seed: UInt64 = 1
  /// The number of apps that charts choose from.
  public var apps = 1000
  /// The maximum number of entries in a chart.
  public var chartSize = 200
  /// The number of responses after which charts advance by a day; 0 to advance only with `POST /_upstream/advance`.
  public var rotateEvery = 0
  /// The total number of photos, which are distributed among the owners.
  public var photos = 200
  public var owners = 24
  /// The number of deleted owners (code 5), which are the last ones.
  public var deletedOwners = 1
  /// The initial number of people.
  public var people = 20
  public var userIDs = ["ada", "plokmijn", "bo"]
  /// The accepted key for Flickr; nil to accept any that is not empty.
  public var apiKey: String?
  /// Whether a second POST with the same `Idempotency-Key` does not create a second person.
  public var honoursIdempotencyKeys = true
  /// Whether records vary like real ones: numbers as strings, missing fields, different notations.
  public var drift = true
  /// Breaks every Nth photo, app and person, so that a client must keep the others of a list: the photo has no id, the
  /// app no name, the person no valid birthday. 0 breaks no record.
  public var brokenEvery = 0
  /// The APIs whose responses have validators.
  public var validators = Validators.usual
  /// Whether responses are compressed with gzip for clients that accept it.
  public var gzip = false
  /// The delay before each response.
  public var latencyMilliseconds = 0
  public var faults: [FaultRule] = []
  public var faultMix = FaultMix()
  /// The number of requests that ``LocalServer/requests`` keeps.
  public var recordedRequests = 100_000

  func isBroken(_ number: Int) -> Bool { brokenEvery > 0 && number % brokenEvery == brokenEvery - 1 }

  public init() {}
}

extension UpstreamOptions {
  /// A mistake on the command line.
  public struct UsageError: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  public struct CommandLine: Sendable {
    public var options = UpstreamOptions()
    public var faultFile: String?
    /// Whether to write every request to standard error.
    public var isVerbose = false
    public var wantsHelp = false
  }

  /// Parses the arguments, without the name of the program.
  /// - Throws: ``UsageError`` with the allowed values.
  public static func parse(_ arguments: [String]) throws(UsageError) -> CommandLine {
    var line = CommandLine()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let pair = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = pair[0]
      if try flag(name, hasValue: pair.count > 1, &line) { continue }
      guard name.hasPrefix("--"), let set = settings[name] else {
        throw UsageError(description: "unknown option \(argument); --help lists all")
      }
      guard let value = pair.count > 1 ? pair[1] : rest.popFirst() else {
        throw UsageError(description: "\(name) needs a value")
      }
      guard set(&line, value) else { throw UsageError(description: "\(name): '\(value)' is not allowed") }
    }
    return line
  }

  private static func flag(_ name: String, hasValue: Bool, _ line: inout CommandLine) throws(UsageError) -> Bool {
    switch name {
    case "--help", "-h": line.wantsHelp = true
    case "--verbose": line.isVerbose = true
    case "--rotate": line.options.rotateEvery = 1
    case "--no-idempotency": line.options.honoursIdempotencyKeys = false
    case "--no-drift": line.options.drift = false
    case "--gzip": line.options.gzip = true
    default: return false
    }
    if hasValue { throw UsageError(description: "\(name) takes no value") }
    return true
  }

  private typealias Setting = @Sendable (inout CommandLine, String) -> Bool

  /// - Parameter read: the value of a text; `nil` if the text is not allowed.
  private static func setting<Value>(
    _ path: any WritableKeyPath<CommandLine, Value> & Sendable, _ read: @escaping @Sendable (String) -> Value?
  ) -> Setting {
    { line, text in
      guard let value = read(text) else { return false }
      line[keyPath: path] = value
      return true
    }
  }

  private static func number(
    _ path: any WritableKeyPath<CommandLine, Int> & Sendable, from least: Int = 0, to most: Int = 100_000_000
  ) -> Setting {
    setting(path) { text in Int(text).flatMap { (least...most).contains($0) ? $0 : nil } }
  }

  private static func text(_ path: any WritableKeyPath<CommandLine, String?> & Sendable) -> Setting {
    setting(path) { $0.isEmpty ? nil : .some($0) }
  }

  private static let settings: [String: Setting] = [
    "--port": setting(\.options.port) { UInt16($0) },
    "--socket": text(\.options.socketPath),
    "--seed": setting(\.options.seed) { UInt64($0) },
    "--apps": number(\.options.apps, from: 1),
    "--chart-size": number(\.options.chartSize, to: 200),
    "--rotate-every": number(\.options.rotateEvery),
    "--photos": number(\.options.photos),
    "--owners": number(\.options.owners, from: 1),
    "--deleted-owners": number(\.options.deletedOwners),
    "--people": number(\.options.people),
    "--users": setting(\.options.userIDs) { $0.split(separator: ",").map(String.init) },
    "--api-key": text(\.options.apiKey),
    "--validators": setting(\.options.validators) { Validators(rawValue: $0) },
    "--broken-every": number(\.options.brokenEvery),
    "--latency-ms": number(\.options.latencyMilliseconds),
    "--faults": text(\.faultFile),
    "--fault-rate": setting(\.options.faultMix.rate) { text in
      Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
    },
    "--fault-kinds": setting(\.options.faultMix.kinds) { text in
      let names = text.split(separator: ",").map(String.init)
      let kinds = names.compactMap(Fault.init(name:))
      return !names.isEmpty && kinds.count == names.count ? kinds : nil
    },
    "--fault-seed": setting(\.options.faultMix.seed) { UInt64($0) },
    "--fault-streak": number(\.options.faultMix.longestStreak, to: .max),
  ]

  public static let help = """
    upstream: a local server that plays the APIs of the App Store's charts, Flickr, users and people.

    usage: upstream [options]

    Its first line says where it listens. Ctrl-C and SIGTERM end it. Without options: a free port, 1000 apps in charts
    of 200, 200 photos of 24 owners, 20 people, the users ada, plokmijn and bo, no faults.

    where       --port N (0: a free one) · --socket PATH
    data        --seed N · --apps N · --chart-size N (at most 200) · --photos N · --owners N · --deleted-owners N
                --people N · --users ID,ID · --no-drift · --broken-every N
    changes     --rotate (charts move with every answer) · --rotate-every N
    protocol    --api-key KEY · --no-idempotency · --validators none|usual|everywhere · --gzip · --latency-ms N
    faults      --faults FILE (a script) · --fault-rate R (of 1) · --fault-seed N · --fault-streak N
                --fault-kinds LIST of 429 500 502 503 504 html redirect reset lost-reply close truncate drip delay gzip
                hang garbage endless bomb
    --verbose   writes every request to standard error

    While it runs: GET /_upstream/log and /state, POST /_upstream/reset, /advance, /faults, /users/ID, /people

    examples
      upstream --photos 2000 --owners 100 --rotate
      upstream --fault-rate 0.2 --fault-seed 42 --fault-kinds 429,503,reset,truncate --verbose

    All of it, with fault scripts and what is played: Tools/upstream/README.md

    """
}
