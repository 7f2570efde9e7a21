public import Models
public import Ports

/// Turns commits and the clock into deliveries, and makes them.
public actor Notifications: NotificationService {
  /// The hour of the day from which on notices of birthdays are sent, in local time.
  public static let morning = 8
  /// The shortest time between two looks at the follows, and at people who were stored during the day.
  private static let statusPause = Duration.seconds(10)
  /// The longest time that a test message may take: a page waits for it.
  private static let testTimeout = Duration.seconds(5)
  private static let batch = 500
  /// After so many changes without a notice, the position in the feed is stored nevertheless.
  private static let mostUnstored = 1000

  public struct Receiver: Sendable {
    public var target: NotificationTarget
    /// The value of its secret or token.
    public var secret: String?
    /// Why it cannot be used, such as a missing secret.
    public var problem: Failure?

    public init(_ target: NotificationTarget, secret: String? = nil, problem: Failure? = nil) {
      (self.target, self.secret, self.problem) = (target, secret, problem)
    }
  }

  public struct Services: Sendable {
    public var store: any RecordStore
    public var coder: any RecordCoder
    /// Sends requests, without repeating them.
    public var transport: any HTTPTransport
    public var mail: any MailTransport
    public var sync: any SyncService
    public var people: any PeopleService
    public var time: any TimeSource
    /// Chance, for ids and pauses.
    public var random: any RandomSource
    /// The day and the hour of a moment in local time.
    public var local: @Sendable (Timestamp) -> (day: CivilDate, hour: Int)
    public var events: any EventSink
    public var suggestions: Suggestions
    public var catalog: CollectionCatalog

    public init(
      store: any RecordStore, coder: any RecordCoder, transport: any HTTPTransport, mail: any MailTransport,
      sync: any SyncService, people: any PeopleService, time: any TimeSource, random: any RandomSource,
      local: @escaping @Sendable (Timestamp) -> (day: CivilDate, hour: Int), events: any EventSink,
      suggestions: Suggestions = Suggestions(), catalog: CollectionCatalog = CollectionCatalog([])
    ) {
      (self.suggestions, self.catalog, self.store, self.coder) = (suggestions, catalog, store, coder)
      (self.transport, self.mail, self.sync, self.people) = (transport, mail, sync, people)
      (self.time, self.random, self.local, self.events) = (time, random, local, events)
    }
  }

  private let receivers: [Receiver]
  private let follows: [Follow]
  private let services: Services
  /// The position in the feed that was reached without a notice.
  private var reached: (stored: ChangeCursor?, cursor: ChangeCursor, unstored: Int)?
  private var lastSequence: UInt64?
  /// The state of the store in which birthdays were last looked for.
  private var birthdaySequence: UInt64?
  private var nextStatus = Duration.zero
  private var hasDroppedUnknown = false

  public init(_ receivers: [Receiver], follows: [Follow], services: Services) {
    (self.receivers, self.follows, self.services) = (receivers, follows, services)
  }

  // MARK: Collecting

  /// Looks at what was committed, at the follows and at the day, and stores deliveries.
  public func collect() async throws(Failure) -> Int {
    let targets = receivers.map(\.target)
    if targets.isEmpty { return 0 }
    if !hasDroppedUnknown {
      try await dropUnknown()
      hasDroppedUnknown = true
    }
    var count = 0
    while true {
      let (stored, isAtEnd) = try await collectOnce(targets)
      count += stored
      if isAtEnd { return count }
    }
  }

  private func collectOnce(_ targets: [NotificationTarget]) async throws(Failure) -> (stored: Int, isAtEnd: Bool) {
    let snapshot = try Failure.reading(services.store.snapshot())
    let isNew = snapshot.sequence != lastSequence
    let now = services.time.now
    let (today, hour) = services.local(now)
    let stored = try Failure.reading(Watermark(in: snapshot, services.coder))
    let isStatusDue = services.time.uptime >= nextStatus
    let isDayDue = hour >= Self.morning && stored?.day.map { $0 < today } ?? true
    // People who were stored since the look of the day.
    let areBirthdaysDue = isDayDue || hour >= Self.morning && isStatusDue && snapshot.sequence != birthdaySequence
    guard isNew || isStatusDue || isDayDue else { return (0, true) }
    var rules = try NoticeRules(
      targets: targets, snapshot: snapshot, coder: services.coder, now: now, mark: stored,
      suggestions: services.suggestions, catalog: services.catalog
    ) { () throws(Failure) in try services.sync.status(follows).follows }
    if isStatusDue {
      if stored != nil, targets.contains(where: \.rules.stale) {
        rules.follows(try services.sync.status(follows).follows)
      }
      nextStatus = services.time.uptime + Self.statusPause
    }
    if areBirthdaysDue { try rules.birthdays(today: today, services.people) }
    var isAtEnd = true
    do throws(StoreError) {
      if isNew {
        try rules.edits()
        try rules.charts()
        if stored != nil { isAtEnd = try changes(&rules) }
      }
      let count = try await store(rules, over: stored)
      if areBirthdaysDue { birthdaySequence = snapshot.sequence }
      if isAtEnd { lastSequence = snapshot.sequence }
      return (count, isAtEnd)
    } catch {
      if error.code == .aborted, !Task.isCancelled { return (0, false) }
      throw error.failure
    }
  }

  /// Reads the next changes; whether they are the last ones.
  private func changes(_ rules: inout NoticeRules) throws(StoreError) -> Bool {
    let stored = rules.mark.cursor
    let cursor = reached.flatMap { $0.stored == stored ? $0.cursor : nil } ?? stored
    let changes: [StoreChange]
    do throws(StoreError) { changes = try services.store.changes(since: cursor, limit: Self.batch) } catch {
      guard error.code == .cursorExpired else { throw error }
      services.events.report(
        .warning(message: "notifications: some changes are not kept any more, so nobody is told about them"))
      rules.skipChanges()
      return true
    }
    guard let last = changes.last else { return true }
    let known = rules.notices.count
    try rules.changes(changes)
    let unstored = (cursor == stored ? 0 : reached?.unstored ?? 0) + changes.count
    // A commit of its own for each commit that concerns nobody would never come to an end.
    if rules.notices.count == known, unstored < Self.mostUnstored {
      reached = (stored, last.cursor, unstored)
      rules.keepCursor(stored)
    }
    return changes.count < Self.batch
  }

  /// Commits the deliveries together with the watermark, unless another process did so meanwhile.
  private func store(_ rules: NoticeRules, over stored: Watermark?) async throws(StoreError) -> Int {
    var mark = rules.mark
    var deliveries: [Delivery] = []
    for (target, notice) in rules.notices {
      mark.number += 1
      deliveries.append(Delivery(number: mark.number, id: messageID(), target: target, notice: notice))
    }
    guard mark != stored else { return 0 }
    let coder = services.coder
    let (written, new) = (mark, deliveries)
    _ = try await services.store.write { (transaction) throws(StoreError) in
      guard try Watermark(in: transaction, coder) == stored else {
        throw StoreError(.aborted, "another process looked at the same changes")
      }
      try transaction.setState(Watermark.key, to: written.fields, coder)
      for delivery in new { try transaction.setState(delivery.key, to: delivery.fields, coder) }
    }
    return deliveries.count
  }

  private func messageID() -> String {
    let digits = [services.random.next(), services.random.next()].map { padded($0, 16, radix: 16) }
    return "msg_" + digits.joined()
  }

  // MARK: Delivering

  public func deliver(to target: String) async throws(Failure) -> DeliveryReport {
    var report = DeliveryReport()
    guard let receiver = receivers.first(where: { $0.target.$name == target.exact }) else { return report }
    let waiting = try Failure.reading(Self.deliveries(services.store.snapshot(), services.coder))
    for var delivery in waiting where delivery.$target == target.exact {
      if Task.isCancelled { break }
      delivery.look(at: receiver.target)
      guard delivery.isDue(at: services.time.now) else {
        report.next = [report.next, delivery.next].compactMap(\.self).min()
        // The order is kept, except around a message that the receiver refuses.
        if delivery.isRefused { continue }
        break
      }
      // It may have been erased with its record since.
      let isKept = try Failure.reading(services.store.snapshot().hasState(delivery.key))
      guard isKept else { continue }
      do throws(Failure) {
        try await send(delivery, to: receiver)
        try await settle(delivery, nil)
        report.sent.append(delivery.target)
      } catch  where error.reason == .cancelled {
        throw error
      } catch  where error.kind == .store {
        throw error
      } catch {
        let failed = try await fail(delivery, error, of: receiver.target)
        report.failed.append(.init(target: delivery.target, failure: error, isGivenUp: failed.isGivenUp))
        if !failed.isGivenUp { report.next = [report.next, failed.next].compactMap(\.self).min() }
        if !failed.isRefused { break }
      }
    }
    return report
  }

  nonisolated public func deliver() async throws(Failure) -> DeliveryReport {
    let results = await withTaskGroup(of: (Int, Result<DeliveryReport, Failure>).self) { group in
      for (index, target) in targets.enumerated() {
        group.addTask {
          do throws(Failure) { return (index, .success(try await self.deliver(to: target))) } catch {
            return (index, .failure(error))
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var all = DeliveryReport()
    for (_, result) in results.sorted(by: { $0.0 < $1.0 }) {
      let report = try result.get()
      all.sent += report.sent
      all.failed += report.failed
      all.next = [all.next, report.next].compactMap(\.self).min()
    }
    return all
  }

  /// Removes the deliveries of receivers that the config no longer has.
  private func dropUnknown() async throws(Failure) {
    let known = Set(receivers.map(\.target.$name))
    for delivery in try Failure.reading(Self.deliveries(services.store.snapshot(), services.coder))
    where !known.contains(delivery.$target) {
      try await remove(delivery)
      services.events.report(
        .warning(
          message: "notifications: '\(delivery.notice.title)' is dropped, because the config has no"
            + " \(delivery.target) any more"))
    }
  }

  public nonisolated func waiting() throws(Failure) -> [WaitingDelivery] {
    try Failure.reading(Self.deliveries(services.store.snapshot(), services.coder)).map { delivery in
      WaitingDelivery(
        target: delivery.target, id: delivery.id, title: delivery.notice.title, attempts: delivery.attempts,
        next: delivery.next, error: delivery.error)
    }
  }

  /// O(deliveries that wait).
  public nonisolated func states() throws(Failure) -> [ReceiverState] {
    try Self.states(of: targets, in: services.store, services.coder)
  }

  /// The states of receivers, for programs that send nothing. O(deliveries that wait).
  public static func states(
    of targets: [String], in store: any RecordStore, _ coder: any RecordCoder
  ) throws(Failure) -> [ReceiverState] {
    if targets.isEmpty { return [] }
    return try store.read { (snapshot) throws(StoreError) in
      let waiting = Dictionary(grouping: try deliveries(snapshot, coder), by: \.$target)
      var states: [ReceiverState] = []
      for target in targets {
        var state = try StoredReceiver.read(target, in: snapshot, coder)
        let deliveries = waiting[target.exact] ?? []
        let worst = deliveries.max { $0.attempts < $1.attempts }
        (state.waiting, state.attempts) = (deliveries.count, worst?.attempts ?? 0)
        state.error = state.error ?? worst?.error
        states.append(state)
      }
      return states
    }
  }

  public nonisolated var targets: [String] { receivers.map(\.target.name) }

  /// Sends a message that is attempted once. If the receiver accepts it, what waits for it is due.
  public func test(_ target: String) async throws(Failure) {
    guard let receiver = receivers.first(where: { $0.target.name.exact == target.exact }) else {
      let names: Advice = targets.isEmpty ? "none is named there" : "there are: \(targets.joined(separator: ", "))"
      throw Failure(
        .config, .notFound, "daemon.notifications has no receiver '\(target)'", hint: names, code: .own(.noReceiver))
    }
    let notice = Notice.test(at: services.time.now)
    try await sendNow(Delivery(number: 0, id: messageID(), target: target, notice: notice), to: receiver)
    let (now, coder) = (services.time.now, services.coder)
    do throws(StoreError) {
      _ = try await services.store.write { (transaction) throws(StoreError) in
        try StoredReceiver.note(nil, of: target, at: now, in: &transaction, coder)
        for var delivery in try Self.deliveries(transaction, coder) where delivery.$target == target.exact {
          (delivery.next, delivery.error) = (now, nil)
          try transaction.setState(delivery.key, to: delivery.fields, coder)
        }
      }
    } catch {
      // The receiver has accepted the message, which is what was asked.
      services.events.report(
        .warning(message: "notifications: that '\(target)' works cannot be stored: \(error.failure.message)"))
    }
  }

  private static func deliveries(
    _ snapshot: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [Delivery] {
    try snapshot.states(.notify, from: Delivery.prefix, coder) { _, fields in Delivery(fields: fields) }
  }

  /// Sends a message that a person waits for, which is given up after `testTimeout`.
  private func sendNow(_ delivery: Delivery, to receiver: Receiver) async throws(Failure) {
    let time = services.time
    let result = await withTaskGroup(of: Result<Void, Failure>.self) { group in
      group.addTask {
        do throws(Failure) { return .success(try await self.send(delivery, to: receiver)) } catch {
          return .failure(error)
        }
      }
      group.addTask {
        try? await time.sleep(for: Self.testTimeout)
        return .failure(
          Failure(
            .transport, .unavailable, "it did not answer within \(Self.testTimeout.components.seconds) s",
            hint: "check that it is running; other messages wait longer for its answer, and are sent again",
            code: .transport(.timeout), retryable: true))
      }
      defer { group.cancelAll() }
      return await group.next()
    }
    try result?.get()
  }

  private func send(_ delivery: Delivery, to receiver: Receiver) async throws(Failure) {
    if let problem = receiver.problem { throw problem }
    let request: HTTPRequest
    switch receiver.target.channel {
    case .mail(let address):
      return try await services.mail.send(
        Mail(
          id: delivery.id, to: address, subject: delivery.notice.title, text: delivery.notice.text,
          at: delivery.notice.at))
    case .webhook(let url, _):
      request = delivery.webhook(url, secret: receiver.secret, at: services.time.now, services.coder)
    case .ntfy(let url, _): request = delivery.ntfy(url, token: receiver.secret, services.coder)
    }
    let response = try await Failure.from { () async throws(TransportError) in
      try await services.transport.send(request)
    }
    guard !response.isSuccess else { return }
    var failure = SourceError.status(response, url: request.url).failure
    if failure.reason == .denied {
      let secret = if case .webhook = receiver.target.channel { "secret" } else { "token" }
      let place = "of the receiver '\(receiver.target.name)' in daemon.notifications"
      failure.hint = receiver.secret == nil ? "set \"\(secret)\" \(place)" : "check \"\(secret)\" \(place)"
    }
    throw failure
  }

  private func remove(_ delivery: Delivery) async throws(Failure) {
    try await services.store.commit { (transaction) throws(StoreError) in
      try transaction.clearState(delivery.key)
      try StoredReceiver.remove(delivery.target, in: &transaction)
    }
  }

  /// Removes a delivery that its receiver has accepted, or refuses for days with an error.
  private func settle(_ delivery: Delivery, _ error: String?) async throws(Failure) {
    let (now, coder) = (services.time.now, services.coder)
    try await services.store.commit { (transaction) throws(StoreError) in
      try transaction.clearState(delivery.key)
      try StoredReceiver.note(error, of: delivery.target, at: now, in: &transaction, coder)
    }
  }

  /// Stores when the delivery is attempted next, or gives up one that its receiver refuses for days.
  private func fail(
    _ delivery: Delivery, _ failure: Failure, of receiver: NotificationTarget
  ) async throws(Failure) -> (next: Timestamp?, isRefused: Bool, isGivenUp: Bool) {
    var delivery = delivery
    let now = services.time.now
    delivery.isRefused = Self.isRefusal(failure)
    if delivery.isRefused, now - delivery.notice.at > Delivery.refusedFor {
      try await settle(delivery, failure.message)
      return (nil, true, true)
    }
    delivery.fail(failure, of: receiver, at: now, random: services.random.next())
    let (coder, target) = (services.coder, delivery.target)
    try await services.store.commit { [delivery] (transaction) throws(StoreError) in
      if try transaction.hasState(delivery.key) { try transaction.setState(delivery.key, to: delivery.fields, coder) }
      try StoredReceiver.note(failure.message, of: target, at: now, in: &transaction, coder)
    }
    return (delivery.next, delivery.isRefused, false)
  }

  /// Whether the receiver refuses this message, and may accept others.
  private static func isRefusal(_ failure: Failure) -> Bool {
    [.invalid, .tooLarge].contains(failure.status?.meaning) || failure.status == .unsupportedMediaType
  }
}
