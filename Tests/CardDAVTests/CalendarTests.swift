import AlmanacTesting
import CardDAV
import Foundation
import Models
import Networking
import Parsing
import People
import Ports
import Sync
import Testing

/// A store with people, and the source that writes their birthdays into a calendar.
struct CalDAVHouse {
  let store: any RecordStore
  let coder = JSONRecordCoder()
  let time = ManualTime()
  let source: CalDAVSource
  let engine: SyncEngine
  let people: People
  let events = RecordedEvents()
  let follow: Follow

  init(
    _ transport: any HTTPTransport, store: any RecordStore = InMemoryRecordStore(),
    account: SourceAccount = CalDAVHouse.account(), calendar: String = "cal"
  ) {
    self.store = store
    follow = Follow(path: "caldav/\(account.name)/\(calendar)")
    let random = SeededRandom(seed: 1)
    source = CalDAVSource(format: WebDAVXML(), calendar: ICalendarFormat(), coder: coder, accounts: [account])
    engine = SyncEngine(
      store: store, sources: [source], transport: transport, coder: coder, time: time, random: random, events: events)
    people = People(
      store: store, coder: coder,
      edits: OutboxEdits(
        coder: coder, catalog: CollectionCatalog([CardDAVSource.descriptor]), time: time, random: random),
      contacts: VCardFormat(), calendar: ICalendarFormat(), time: time)
  }

  static func account(_ url: String = FakeCalDAV.origin, password: String = "secret") -> SourceAccount {
    SourceAccount(name: "home", url: url, user: "ann", password: .given(password, from: "the test"))
  }

  @discardableResult
  func add(_ first: String, _ last: String, _ birthday: String?) async throws -> Person {
    try await people.add(firstName: first, lastName: last, birthday: birthday.flatMap { Birthday($0) })
  }

  func publish(force: Bool = false, dryRun: Bool = false) async throws -> SyncReport {
    try await engine.sync([follow], SyncOptions(dryRun: dryRun, force: force))
  }

  var warnings: [String] {
    events.events.compactMap { if case .warning(let message) = $0 { message.description } else { nil } }
  }
}

extension SyncReport {
  /// What was written: `+1 ~2 -3`.
  fileprivate var written: String { "+\(totals.added) ~\(totals.updated) -\(totals.removed)" }
  fileprivate var error: Failure? { follows[0].error }
}

/// Birthdays in a calendar of a server.
@Suite struct CalendarTests {
  private static let foreign = """
    BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:other\r\nBEGIN:VEVENT\r\nUID:meeting@almanac.example\r\n\
    DTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20260101\r\nSUMMARY:Meeting\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
    """

  private func changes(_ server: FakeCalDAV) -> [HTTPRequest] { server.taken().filter { !$0.method.isSafe } }

  @Test func theCalendarFollowsThePeople() async throws {
    let server = FakeCalDAV()
    server.put("meeting.ics", Self.foreign)
    let house = CalDAVHouse(server.transport)
    let ada = try await house.add("Ada", "Lovelace", "--12-10")
    let leap = try await house.add("Leap, Jr;", "Day\nNight", "1992-02-29")
    try await house.add("No", "Birthday", nil)
    #expect(try await house.publish().written == "+2 ~0 -0")
    #expect(server.objects.count == 3 && server.objects["meeting.ics"] == Self.foreign)
    let uid = "UID:\(ada.id)@almanac\r\n"
    #expect(server.objects.values.contains { $0.contains(uid) && $0.contains(":Ada Lovelace\r\n") })
    let text = try #require(server.objects.values.first { $0.contains("UID:\(leap.id)@almanac\r\n") })
    #expect(text.contains("SUMMARY:Leap\\, Jr\\; Day\\nNight\r\n"), "\(text)")
    #expect(text.contains("BYMONTH=2;BYMONTHDAY=-1"), "\(text)")
    #expect(!text.contains("METHOD"))
    #expect(server.taken().filter { $0.method == .put }.allSatisfy { $0.headers["If-None-Match"] == "*" })

    // The first repetition reads the events, because its own changes changed the tag; the next ones ask for the tag alone.
    for count in [2, 1, 1] {
      let report = try await house.publish()
      #expect(report.written == "+0 ~0 -0" && report.totals.requests == count, "\(report)")
      #expect(changes(server).isEmpty)
    }

    _ = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("1815-12-10")))
    let changed = try await house.publish()
    #expect(changed.written == "+0 ~1 -0" && changed.totals.requests == 3)
    #expect(server.taken().last?.headers["If-Match"] != nil)
    #expect(server.objects.count == 3 && server.objects.values.contains { $0.contains("DTSTART;VALUE=DATE:18151210") })

    _ = try await house.people.edit(leap.id, PersonChange(clearsBirthday: true))
    #expect(try await house.publish().written == "+0 ~0 -1")
    #expect(server.taken().last?.headers["If-Match"] != nil)
    _ = try await house.people.remove(ada.id)
    #expect(try await house.publish().written == "+0 ~0 -1")
    #expect(server.objects == ["meeting.ics": Self.foreign])
  }

  @Test func optionsAreThoseOfTheFollow() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    try await house.add("Leap", "Day", "--02-29")
    let follow = Follow(path: house.follow.path, options: ["alarm": "9h", "feb29": "mar1"])
    _ = try await house.engine.sync([follow], SyncOptions())
    let text = try #require(server.objects.values.first)
    #expect(text.contains("TRIGGER:-PT9H0M0S") && text.contains("BYYEARDAY=60"), "\(text)")
    #expect(try await house.publish().written == "+0 ~1 -0")
    for options: JSONObject in [["alarm": "soon"], ["feb29": "feb27"]] {
      #expect(throws: FollowError.self) { try house.source.check(Follow(path: house.follow.path, options: options)) }
    }
  }

  @Test func whatSomebodyChangedStays() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    let ada = try await house.add("Ada", "Lovelace", "--12-10")
    let grace = try await house.add("Grace", "Hopper", "--12-09")
    try await house.add("Karen", "Jones", "--08-26")
    try await house.add("Mary", "Keller", "--12-17")
    _ = try await house.publish()
    server.edit("Ada", "SUMMARY:Ada Lovelace", "SUMMARY:Ada\r\nLOCATION:London")
    server.edit("Grace", "TRANSP:TRANSPARENT", "TRANSP:OPAQUE")
    let edited = server.objects
    // What programs note for themselves is no change.
    server.edit("Karen", "END:VEVENT", "LAST-MODIFIED:20260101T000000Z\r\nX-SEEN:1\r\nEND:VEVENT")
    #expect(try await house.publish().written == "+0 ~0 -0")
    #expect(
      house.warnings == [
        "caldav/home/cal: 2 events were changed at the server and stay as they are there: Ada, Grace Hopper; writing them "
          + "anew discards those changes: a sync of caldav/home/cal with 'SyncOptions.force' does it nevertheless"
      ])
    // It is said once.
    #expect(try await house.publish().written == "+0 ~0 -0" && house.warnings.count == 1)
    // Neither a change nor a removal of the person overwrites it.
    _ = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("--12-11")))
    _ = try await house.people.remove(grace.id)
    #expect(try await house.publish().written == "+0 ~0 -0" && house.warnings.count == 2)
    for (name, text) in edited where text.contains("Ada") || text.contains("Grace") {
      #expect(server.objects[name] == text)
    }
    #expect(try await house.publish(force: true).written == "+0 ~1 -1")
    #expect(server.objects.count == 3 && !server.objects.values.contains { $0.contains("London") })
    // An event that was removed there is written again.
    let name = try #require(server.objects.first { $0.value.contains("Ada") }?.key)
    server.remove(name)
    #expect(try await house.publish().written == "+1 ~0 -0" && server.objects[name] != nil)
  }

  @Test func eventsWithoutTheMarkAreOfSomebodyElse() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    let ada = try await house.add("Ada", "Lovelace", "--12-10")
    let file = String(decoding: try house.people.calendar(leapDay: .feb28, alarm: nil), as: UTF8.self)
    // Somebody imported the file into this calendar, also with a person who is gone.
    server.put("imported.ics", file)
    server.put("other.ics", file.replacing("\(ada.id)@almanac", with: "gone@almanac"))
    let before = server.objects
    #expect(try await house.publish().written == "+0 ~0 -0" && house.warnings.count == 1)
    #expect(server.objects == before)
    #expect(try await house.publish(force: true).written == "+0 ~1 -0")
    #expect(server.objects["other.ics"] == before["other.ics"] && server.objects.count == 2)
    // A server that does not understand the filter gives all events.
    server.change { $0.ignoresFilter = true }
    server.put("meeting.ics", Self.foreign)
    _ = try await house.people.remove(ada.id)
    #expect(try await house.publish().written == "+0 ~0 -1")
    #expect(Set(server.objects.keys) == ["meeting.ics", "other.ics"])
  }

  /// Servers store the same event in other ways.
  @Test func rewrittenEventsAreNotChanged() async throws {
    let server = FakeCalDAV()
    let rewritten: @Sendable (String) -> String = { text in
      let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
      let head = lines.firstIndex(of: "BEGIN:VEVENT")!
      let events = lines[head...].split { $0 == "END:VEVENT" }.dropLast().map(Array.init)
      return (lines[..<head] + events.reversed().flatMap { [$0[0]] + $0.dropFirst().sorted() + ["END:VEVENT"] })
        .joined(separator: "\n").replacing("\\,", with: ",").replacing("VALUE=DATE", with: "value=date")
        + "\nEND:VCALENDAR\n"
    }
    server.change { $0.rewrites = rewritten }
    let house = CalDAVHouse(server.transport)
    try await house.add("A long name, which is folded", String(repeating: "é", count: 60), "1980-02-29")
    #expect(try await house.publish().written == "+1 ~0 -0")
    let report = try await house.publish()
    #expect(report.written == "+0 ~0 -0" && report.totals.unchanged == 1 && house.warnings.isEmpty, "\(report)")
  }

  @Test func lostAnswersLeadToTheSameCalendar() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(StandardStack(time: ManualTime()).transport(over: server.transport))
    let people = [
      try await house.add("Ada", "Lovelace", "--12-10"), try await house.add("Grace", "Hopper", "--12-09"),
      try await house.add("Karen", "Jones", "--08-26"), try await house.add("Mary", "Keller", "--12-17"),
    ]
    func expectEqual() {
      for person in people.dropFirst() {
        #expect(server.objects.values.count { $0.contains("UID:\(person.id)@almanac\r\n") } == 1)
      }
    }
    server.change { $0.losses = 1 }
    #expect(try await house.publish().written == "+4 ~0 -0")
    expectEqual()
    _ = try await house.people.edit(people[1].id, PersonChange(birthday: Birthday("--12-08")))
    _ = try await house.people.remove(people[0].id)
    server.change { $0.losses = 2 }
    #expect(try await house.publish().written == "+0 ~1 -1")
    expectEqual()
    #expect(server.objects.count == 3)
    #expect(try await house.publish().written == "+0 ~0 -0" && house.warnings.isEmpty)
  }

  /// Somebody changes an event between the look at the calendar and the change.
  @Test func nothingNewerIsOverwritten() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    let ada = try await house.add("Ada", "Lovelace", "--12-10")
    let grace = try await house.add("Grace", "Hopper", "--12-09")
    try await house.add("Karen", "Jones", "--08-26")
    _ = try await house.publish()
    _ = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("--12-11")))
    server.change { $0.before = { $0.edit("Ada", "SUMMARY:Ada", "SUMMARY:My Ada") } }
    #expect(try await house.publish().written == "+0 ~0 -0" && house.warnings.count == 1)
    #expect(server.objects.values.contains { $0.contains("SUMMARY:My Ada") })
    _ = try await house.people.remove(grace.id)
    server.change { $0.before = { $0.edit("Grace", "SUMMARY:Grace", "SUMMARY:My Grace") } }
    #expect(try await house.publish().written == "+0 ~0 -0")
    #expect(server.objects.values.contains { $0.contains("SUMMARY:My Grace") })
    // Another program wrote the new event, or removed the changed one.
    let other = CalDAVHouse(server.transport, store: house.store)
    let mary = try await house.add("Mary", "Keller", "--12-17")
    _ = try await other.publish()
    #expect(server.objects.values.contains { $0.contains("UID:\(mary.id)@almanac") })
    _ = try await house.people.edit(mary.id, PersonChange(birthday: Birthday("--12-18")))
    server.change { state in
      state.before = { server in
        for (name, text) in server.objects where text.contains("Mary") { server.remove(name) }
      }
    }
    _ = try await house.publish()
    #expect(server.objects.values.contains { $0.contains("Mary") && $0.contains("1218") })
  }

  @Test func mostEventsAreNotRemovedAtOnce() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    var people: [Person] = []
    for number in 1...5 { people.append(try await house.add("P\(number)", "Q", "--01-0\(number)")) }
    _ = try await house.publish()
    let empty = CalDAVHouse(server.transport)
    let error = try #require(try await empty.publish().error)
    #expect(error.code == .own(.massRemoval) && error.reason == .unavailable, "\(error)")
    #expect(error.message.hasPrefix("5 of 5 events would be removed from the calendar at once; nothing was changed: a"))
    #expect(server.objects.count == 5)
    for person in people.prefix(2) { _ = try await house.people.remove(person.id) }
    #expect(try await house.publish().written == "+0 ~0 -2")
    #expect(try await empty.publish(force: true).written == "+0 ~0 -3")
  }

  @Test func aPlanWritesNothing() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    let ada = try await house.add("Ada", "Lovelace", "--12-10")
    try await house.add("Grace", "Hopper", "--12-09")
    try await house.add("Karen", "Jones", "--08-26")
    _ = try await house.publish()
    let before = server.objects
    _ = try await house.people.remove(ada.id)
    try await house.add("Mary", "Keller", "--12-17")
    let plan = try await house.publish(dryRun: true)
    #expect(plan.written == "+1 ~0 -1" && server.objects == before && plan.error == nil, "\(plan)")
    #expect(plan.outgoing?.map(\.method) == ["PUT", "DELETE"])
    #expect(plan.outgoing?.map { $0.edit["summary"]?.string } == ["Mary Keller", "Ada Lovelace"])
    #expect(try await house.publish().written == "+1 ~0 -1")
  }

  @Test func refusalsAreSaid() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    for number in 1...4 { try await house.add("P\(number)", "Q", "--01-0\(number)") }
    func error(_ house: CalDAVHouse) async throws -> Failure { try #require(try await house.publish().error) }
    let wrong = CalDAVHouse(server.transport, store: house.store, account: CalDAVHouse.account(password: "wrong"))
    #expect(try await error(wrong).reason == .denied)
    let missing = try await error(CalDAVHouse(server.transport, store: house.store, calendar: "none"))
    #expect(missing.reason == .notFound)
    #expect(missing.hint == "the calendars of the account are caldav/home/cal, caldav/home/shared")
    let readOnly = try await error(CalDAVHouse(server.transport, store: house.store, calendar: "shared"))
    #expect(readOnly.reason == .denied && readOnly.message.contains("may only be read"), "\(readOnly)")
    #expect(changes(server).isEmpty)
    // A server that does not say so before.
    server.change { $0.listsPrivileges = false }
    server.change { $0.answer = { $0.method == .put ? (403, "need-privileges") : nil } }
    let refused = try await error(house)
    #expect(refused.reason == .denied && refused.message.contains("may only be read"), "\(refused)")
    #expect(changes(server).count == 1)
    server.change { $0.answer = { $0.method == .put ? (507, "quota-not-exceeded") : nil } }
    #expect(try await error(house).message.contains("507: quota-not-exceeded"))
    #expect(changes(server).count == 1)
    // One event is refused, and the others are written.
    server.change {
      $0.answer = { $0.text.contains("P2 Q") && $0.method == .put ? (415, "valid-calendar-data") : nil }
    }
    let one = try await error(house)
    let words = "the server refuses the event of P2 Q: the server answered 415: valid-calendar-data"
    #expect(one.message == words, "\(one)")
    #expect(server.objects.count == 3)
    server.change { $0.answer = nil }
    #expect(try await house.publish().written == "+1 ~0 -0")
    // Without entity tags nothing can be changed safely.
    server.change { $0.tag = { "W/\"\($0)\"" } }
    let day = try #require(CivilDate("2026-01-01"))
    let person = try #require(try house.people.birthdays(from: day, days: 1, leapDay: .feb28).first)
    _ = try await house.people.edit(person.person.id, PersonChange(birthday: Birthday("--02-02")))
    server.put("x.ics", Self.foreign)
    #expect(try await error(house).message.contains("no strong entity tag"))
  }

  @Test func aMovedCalendarIsFound() async throws {
    let server = FakeCalDAV()
    let house = CalDAVHouse(server.transport)
    try await house.add("Ada", "Lovelace", "--12-10")
    _ = try await house.publish()
    server.move(to: "/calendars/ann/")
    let report = try await house.publish()
    #expect(report.written == "+0 ~0 -0" && report.totals.unchanged == 1 && report.error == nil, "\(report)")
  }

  @Test func calendarsAreListed() async throws {
    let server = FakeCalDAV()
    for path in ["", "/ann/", "/principals/ann/", "/ann/cal/"] {
      let house = CalDAVHouse(server.transport)
      let offers = try await house.source.offers(
        of: CalDAVHouse.account(FakeCalDAV.origin + path), over: server.transport)
      let all = [
        AccountOffer(path: "caldav/home/cal", title: "My cal", isReadOnly: false),
        AccountOffer(path: "caldav/home/shared", title: "My shared", isReadOnly: true),
      ]
      #expect(offers == (path == "/ann/cal/" ? [all[0]] : all))
    }
    _ = server.taken()
    let nothing = CalDAVHouse(server.transport, account: CalDAVHouse.account(FakeCalDAV.origin + "/nowhere/"))
    _ = try await nothing.publish()
    #expect(server.taken().contains { $0.url.hasSuffix("/.well-known/caldav") })
  }
}
