/// What an ``Upstream`` holds and how it behaves.
public struct UpstreamOptions: Sendable {
  /// Where answers carry an ETag and a `Last-Modified`, and conditional requests get 304 and 412.
  public enum Validators: String, Sendable, CaseIterable {
    /// Nowhere.
    case none
    /// Where the real servers do: everywhere but Flickr.
    case usual
    /// Also at Flickr.
    case everywhere
  }

  /// The port on 127.0.0.1; 0 takes a free one.
  public var port: UInt16 = 0
  /// A Unix socket in place of the port.
  public var socketPath: String?
  /// Decides every generated record.
  public var seed: UInt64 = 1
  /// How many apps there are for the charts to choose from.
  public var apps = 1000
  /// The most entries of a chart.
  public var chartSize = 200
  /// Charts move by a day after this many answers; 0 keeps them until ``Upstream/advance(days:)``.
  public var rotateEvery = 0
  /// How many photos there are in all, given out to the owners in turn.
  public var photos = 200
  /// How many owners there are.
  public var owners = 24
  /// How many of them, the last ones, are deleted (code 5).
  public var deletedOwners = 1
  /// How many people there are at the start.
  public var people = 20
  /// The users.
  public var userIDs = ["ada", "plokmijn", "bo"]
  /// Flickr's key; nil takes any that is not empty.
  public var apiKey: String?
  /// Answers a user and a new person as the bare object, not in `{"data": …}`.
  public var isBare = false
  /// Answers the list of people as `{"data": […]}`.
  public var wrapsPeople = false
  /// Whether a second POST with the same `Idempotency-Key` makes no second person.
  public var honoursIdempotencyKeys = true
  /// Whether records vary as the real ones do: numbers as strings, absent fields, other spellings.
  public var drift = true
  /// Breaks every Nth photo, app and person, so that a client must keep the others of a list: a photo has no id, an
  /// app no name, a person no valid birthday. 0 breaks no record.
  public var brokenEvery = 0
  /// Where answers carry validators.
  public var validators = Validators.usual
  /// Adds `Cache-Control: max-age=…`, in seconds.
  public var maxAge: Int?
  /// Codes answers in gzip for clients that accept it.
  public var gzip = false
  /// Waits so long before each answer.
  public var latencyMilliseconds = 0
  /// The start of the addresses of pictures; nil is this server as the client called it.
  public var imageBase: String?
  /// Faults by script.
  public var faults: [FaultRule] = []
  /// Faults by chance.
  public var faultMix = FaultMix()
  /// How many requests ``LocalServer/requests`` keeps.
  public var recordedRequests = 100_000

  /// Whether the record of this number is broken.
  func isBroken(_ number: Int) -> Bool {
    brokenEvery > 0 && number % brokenEvery == brokenEvery - 1
  }

  /// The usual options: small data, no faults.
  public init() {}
}

extension UpstreamOptions {
  /// What is wrong with a command line.
  public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// For a person.
    public let description: String
  }

  /// A command line that was read.
  public struct CommandLine: Sendable {
    /// The options.
    public var options = UpstreamOptions()
    /// A fault script to read.
    public var faultFile: String?
    /// Whether to write every request to standard error.
    public var isVerbose = false
    /// Whether only the help was asked for.
    public var wantsHelp = false
  }

  /// Reads a command line, without the name of the program.
  /// - Throws: ``UsageError`` that says what is allowed.
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
    case "--bare": line.options.isBare = true
    case "--wrap-people": line.options.wrapsPeople = true
    case "--no-idempotency": line.options.honoursIdempotencyKeys = false
    case "--no-drift": line.options.drift = false
    case "--gzip": line.options.gzip = true
    default: return false
    }
    if hasValue { throw UsageError(description: "\(name) takes no value") }
    return true
  }

  private typealias Setting = @Sendable (inout CommandLine, String) -> Bool

  private static func number(
    _ path: any WritableKeyPath<UpstreamOptions, Int> & Sendable, from least: Int = 0, to most: Int = 100_000_000
  ) -> Setting {
    { line, text in
      guard let number = Int(text), (least...most).contains(number) else { return false }
      line.options[keyPath: path] = number
      return true
    }
  }

  private static func text(_ path: any WritableKeyPath<UpstreamOptions, String?> & Sendable) -> Setting {
    { line, text in
      line.options[keyPath: path] = text
      return !text.isEmpty
    }
  }

  private static let settings: [String: Setting] = [
    "--port": { line, text in
      guard let port = UInt16(text) else { return false }
      line.options.port = port
      return true
    },
    "--socket": text(\.socketPath),
    "--seed": { line, text in
      guard let seed = UInt64(text) else { return false }
      line.options.seed = seed
      return true
    },
    "--apps": number(\.apps, from: 1),
    "--chart-size": { line, text in
      guard let size = Int(text), (0...200).contains(size) else { return false }
      line.options.chartSize = size
      return true
    },
    "--rotate-every": number(\.rotateEvery),
    "--photos": number(\.photos),
    "--owners": number(\.owners, from: 1),
    "--deleted-owners": number(\.deletedOwners),
    "--people": number(\.people),
    "--users": { line, text in
      line.options.userIDs = text.split(separator: ",").map(String.init)
      return true
    },
    "--api-key": text(\.apiKey),
    "--validators": { line, text in
      guard let validators = Validators(rawValue: text) else { return false }
      line.options.validators = validators
      return true
    },
    "--max-age": { line, text in
      guard let seconds = Int(text), seconds >= 0 else { return false }
      line.options.maxAge = seconds
      return true
    },
    "--broken-every": number(\.brokenEvery),
    "--latency-ms": number(\.latencyMilliseconds),
    "--image-base": text(\.imageBase),
    "--faults": { line, text in
      line.faultFile = text
      return !text.isEmpty
    },
    "--fault-rate": { line, text in
      guard let rate = Double(text), (0...1).contains(rate) else { return false }
      line.options.faultMix.rate = rate
      return true
    },
    "--fault-kinds": { line, text in
      let names = text.split(separator: ",").map(String.init)
      line.options.faultMix.kinds = names.compactMap(Fault.init(name:))
      return !names.isEmpty && line.options.faultMix.kinds.count == names.count
    },
    "--fault-seed": { line, text in
      guard let seed = UInt64(text) else { return false }
      line.options.faultMix.seed = seed
      return true
    },
    "--fault-streak": { line, text in
      guard let streak = Int(text), streak >= 0 else { return false }
      line.options.faultMix.longestStreak = streak
      return true
    },
  ]

  /// The help text.
  public static let help = """
    upstream: a local server that plays the APIs of the App Store's charts, Flickr, users and people.

    usage: upstream [options]

    Its first line says where it listens. Ctrl-C and SIGTERM end it. Without options: a free port, 1000 apps in charts
    of 200, 200 photos of 24 owners, 20 people, the users ada, plokmijn and bo, no faults.

    where       --port N (0: a free one) · --socket PATH
    data        --seed N · --apps N · --chart-size N (at most 200) · --photos N · --owners N · --deleted-owners N
                --people N · --users ID,ID · --image-base URL · --no-drift · --broken-every N
    changes     --rotate (charts move with every answer) · --rotate-every N
    protocol    --api-key KEY · --bare · --wrap-people · --no-idempotency · --validators none|usual|everywhere
                --max-age SECONDS · --gzip · --latency-ms N
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
