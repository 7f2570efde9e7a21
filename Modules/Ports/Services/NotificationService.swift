public import Models

/// Tells receivers about birthdays, stale follows, conflicts, charts and changed records.
///
/// What is to be told is stored as a delivery in the same commit as the place up to which changes were looked at. A delivery
/// is removed only after its receiver accepted it, so it is made at least once, with the same id each time.
public protocol NotificationService: Sendable {
  /// Looks at the commits since the last call and at the clock, and stores deliveries. The first call drops those of
  /// receivers that are no longer in the settings.
  ///
  /// - Throws: `Failure` if the store cannot be read or written; nothing is lost.
  func collect() async throws(Failure) -> Int

  /// Attempts the deliveries to a receiver that are due, one after another. Different receivers may be served at the
  /// same time; one receiver may not.
  ///
  /// - Throws: `Failure` if the store cannot be read or written. Failures of the receiver are part of the report.
  func deliver(to target: String) async throws(Failure) -> DeliveryReport

  /// Attempts the deliveries to all receivers that are due, at the same time.
  func deliver() async throws(Failure) -> DeliveryReport

  /// The deliveries that wait, by target, in the order of their creation.
  func waiting() throws(Failure) -> [WaitingDelivery]

  var targets: [String] { get }

  /// What became of the deliveries to each receiver, in the order of the settings.
  func states() throws(Failure) -> [ReceiverState]

  /// Sends a message to a receiver that says that it is a test: one attempt for a few seconds, which is not stored.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such receiver, otherwise why it did not accept the message.
  func test(_ target: String) async throws(Failure)
}

public struct DeliveryReport: Hashable, Sendable {
  /// The targets of accepted deliveries, once for each.
  public var sent: [String] = []
  public var failed: [Failed] = []
  /// When the next delivery is due; `nil` if none waits.
  public var next: Timestamp?

  public struct Failed: Hashable, Sendable {
    public var target: String
    public var failure: Failure
    public var isGivenUp: Bool

    public init(target: String, failure: Failure, isGivenUp: Bool = false) {
      (self.target, self.failure, self.isGivenUp) = (target, failure, isGivenUp)
    }
  }

  public init() {}
}

public struct WaitingDelivery: Hashable, Sendable {
  public var target: String
  public var id: String
  public var title: String
  public var attempts: Int
  /// When the next attempt is due; `nil` for now.
  public var next: Timestamp?
  public var error: String?

  public init(target: String, id: String, title: String, attempts: Int, next: Timestamp?, error: String?) {
    (self.target, self.id, self.title) = (target, id, title)
    (self.attempts, self.next, self.error) = (attempts, next, error)
  }

  public var fields: JSONObject {
    [
      "target": .string(target), "id": .string(id), "title": .string(title), "attempts": .int(attempts),
      "next": .of(next?.description), "error": .of(error),
    ]
  }
}

public struct ReceiverState: Hashable, Sendable {
  public var receiver: String
  public var waiting = 0
  public var lastDelivery: Timestamp?
  /// Why it did not accept the last attempt, or a message that waits; `nil` after it has accepted everything.
  public var error: String?
  /// When the last attempt failed; `nil` after it has accepted a message again.
  public var failedAt: Timestamp?
  /// The failed attempts of a delivery that waits, the most of any.
  public var attempts = 0

  public init(_ receiver: String) { self.receiver = receiver }

  /// The problem that a person should know of: a message was refused three times.
  public var problem: Failure? {
    guard attempts >= 3 else { return nil }
    return Failure(
      .transport, .unavailable, "\(receiver) does not accept notifications: \(error ?? "")",
      hint: "check daemon.notifications in the config; they are kept, and sent again", code: .own(.notifications))
  }

  public var fields: JSONObject {
    [
      "receiver": .string(receiver), "waiting": .int(waiting), "lastDelivery": .of(lastDelivery?.description),
      "error": .of(error), "failedAt": .of(failedAt?.description),
    ]
  }
}

public protocol MailTransport: Sendable {
  /// Hands over a message; it returns when the system has taken it.
  func send(_ mail: Mail) async throws(Failure)
}

public struct Mail: Hashable, Sendable {
  /// The unique part of the message's id. The same message has the same id at each attempt.
  public var id: String
  public var to: String
  public var subject: String
  public var text: String
  public var at: Timestamp

  public init(id: String, to: String, subject: String, text: String, at: Timestamp) {
    (self.id, self.to, self.subject, self.text, self.at) = (id, to, subject, text, at)
  }
}
