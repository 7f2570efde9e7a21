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
  /// app no name, a person no birthday that is one. 0 breaks none.
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
