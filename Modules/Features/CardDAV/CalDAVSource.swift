public import Models
public import Ports

/// Writes the birthdays of all people into calendars of CalDAV servers (RFC 4791).
///
/// A follow is `caldav/ACCOUNT/CALENDAR`. It brings no records: a pull makes the calendar equal to the people of the store.
/// Only events that Almanac made are changed or removed: their `UID` ends with `@almanac`, and `X-ALMANAC-DIGEST` has the
/// digest of their content. If the content has another digest, somebody changed the event, and it stays as it is.
public struct CalDAVSource: AccountSource {
  public var abilities: SourceAbilities { SourceAbilities(accounts: self) }
  public var descriptor: SourceDescriptor { Self.descriptor }
  public static let descriptor: SourceDescriptor = {
    var descriptor = SourceDescriptor(
      name: .calDAV, summary: "birthdays in calendars (CalDAV)",
      forms: [.init("caldav/{account}/{calendar}", "a calendar of an account, which gets the birthdays of all people")],
      pathNote: "the account is a name in servers.caldav.accounts",
      options: [
        .init("alarm", help: "an alarm this long before the day: 9h, 1d"),
        .init(
          "feb29", allowed: Birthday.LeapDayRule.allCases.map(\.rawValue),
          help: "where February 29 falls in other years; feb28 by default"),
      ], collections: [])
    descriptor.hasAccounts = true
    return descriptor
  }()

  let format: any WebDAVFormat
  let calendar: any CalendarFormat
  let coder: any RecordCoder
  let accounts: [SourceAccount]
  let suggestions: Suggestions
  let logins = DigestLogins()

  public init(
    format: any WebDAVFormat, calendar: any CalendarFormat, coder: any RecordCoder, accounts: [SourceAccount] = [],
    suggestions: Suggestions = Suggestions()
  ) {
    (self.format, self.calendar, self.coder) = (format, calendar, coder)
    (self.accounts, self.suggestions) = (accounts, suggestions)
  }

  public func canonical(_ checked: CheckedFollow) throws(FollowError) -> CheckedFollow {
    let follow = checked.follow
    if let alarm = follow.options["alarm"]?.string, Interval(alarm) == nil {
      throw FollowError(
        follow: follow.path, member: "alarm", message: "'\(alarm)' is not an interval", allowed: "write 9h, 1d or 2w")
    }
    return checked
  }

  /// Lists the calendars of an account that take events.
  public func offers(
    of account: SourceAccount, over transport: any HTTPTransport
  ) async throws(SourceError) -> [AccountOffer] {
    try await CollectionDiscovery(client: DAVClient(.calendars, account, format, transport, logins)).offers()
  }

  /// Makes the calendar equal to the people.
  ///
  /// One request tells whether the calendar changed since the last pull that wrote nothing. If neither it nor the people
  /// changed, there is no other; otherwise a second one fetches the events of Almanac.
  public func pull(_ checked: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let (follow, parameters) = (checked.follow, checked.match.parameters)
    let client = try DAVClient(
      .calendars, named: parameters[0], among: accounts, format, context.transport, logins, suggestions)
    let wanted = try events(follow, context)
    var state = CalendarState(context.sourceState, account: "\(client.account.url) \(client.account.user ?? "")")
    let found: WebDAVResource
    if let known = try await resource(state.path, client) {
      found = known
    } else {
      // The calendar is looked for the first time, or was moved.
      let path = try await CollectionDiscovery(client: client).collection(named: parameters[1], of: follow).path
      state = CalendarState(account: state.account)
      state.path = path
      found = try await resource(path, client) ?? WebDAVResource(href: path)
    }
    let path = state.path ?? "/"
    let (content, tag) = (Self.digest(wanted), found.syncToken ?? found.collectionTag)
    if !context.isForced, let tag, state.tag?.exact == tag.exact, state.content == content {
      return .notModified(url: client.start.at(path).url)
    }
    var writer = CalendarWriter(
      client: client, calendar: calendar, path: path, isForced: context.isForced,
      suggestion: suggestions(.forceCalendar(follow: follow.path)))
    let changes = writer.changes(try await writer.events(), to: wanted)
    try writer.check(changes, isReadOnly: found.isReadOnly)
    if context.isPlan { writer.plan(changes) } else { try await writer.write(changes) }
    var page = PullPage.notModified(url: client.start.at(path).url)
    page.publication = writer.publication
    // What this pull wrote changes the tag, so that the next one looks at the events again.
    state.tag = changes.contains(where: \.isWritten) ? nil : tag
    state.content = content
    page.sourceState = state.fields
    return page
  }

  /// The calendar at a path; `nil` without a path, or if there is none any more.
  private func resource(_ path: String?, _ client: DAVClient) async throws(SourceError) -> WebDAVResource? {
    guard let path else { return nil }
    do throws(SourceError) {
      let (_, resources) = try await client.properties(of: path, [.types, .privileges, .syncToken, .collectionTag])
      return resources.first { $0.isCalendar }
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// The events of all people with a birthday, by name.
  private func events(_ follow: Follow, _ context: PullContext) throws(SourceError) -> [CalendarObject] {
    let leapDay = follow.options["feb29"]?.string.flatMap(Birthday.LeapDayRule.init) ?? .feb28
    let alarm = follow.options["alarm"]?.string.flatMap { Interval($0) }
    let events = try SourceError.from { () throws(StoreError) in
      try context.snapshot.all(Person.self, coder) { person in
        calendar.object(of: person, leapDay: leapDay, alarm: alarm, stamp: context.now)
      }
    }
    return events.sorted { ($0.summary, $0.$uid) < ($1.summary, $1.$uid) }
  }

  private static func digest(_ events: [CalendarObject]) -> String {
    var hash = StableHash()
    for event in events {
      hash.combine(event.uid)
      hash.combine(event.digest)
    }
    return hash.hex
  }
}

/// What a follow remembers of its calendar between pulls.
private struct CalendarState {
  /// Identifies the account's server and user: with others, nothing of the rest is valid.
  var account: String
  /// The path of the calendar; `nil` until it was found.
  var path: String?
  /// The token or the tag of the calendar when it was equal to the people; `nil` where that is not known.
  var tag: String?
  /// The digest of all events that the calendar should have.
  var content: String?

  init(account: String) { self.account = account }

  /// Reads the stored form; empty if it belongs to another account.
  init(_ fields: JSONObject, account: String) {
    self.account = account
    guard fields["account"]?.string?.exact == account.exact else { return }
    path = fields["path"]?.string
    tag = fields["tag"]?.string
    content = fields["content"]?.string
  }

  var fields: JSONObject { ["account": .string(account), "path": .of(path), "tag": .of(tag), "content": .of(content)] }
}
