import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

struct Birthdays: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "birthdays", abstract: "List the next birthdays in order.",
    discussion: """
      With --ics, all birthdays are written as a calendar file. almanacd serves the same calendar at an address that a phone \
      subscribes to; Apps/almanacd/deploy/README.md explains it.

      With --to, all birthdays are written into a calendar of a CalDAV server, one event for each person; \
      \(help: "account add caldav URL") adds the account, and lists its calendars. Repeated, it changes only what differs, and removes the \
      events of people who are gone. Other events of the calendar are never touched. An event of Almanac that was changed at \
      the server stays as it is there, and is named; --force writes it anew.

      With --keep, the calendar is also followed: each sync and the daemon keep it up to date, until \(help: "unfollow PATH").
      """)

  @Option(help: "The number of days after today; 30 by default.") var days: Int?
  @Option(help: "Start at another day than today: YYYY-MM-DD.") var on: String?
  @Option(help: "Where February 29 falls in other years: feb28 or mar1; feb28 by default.")
  var feb29: Birthday.LeapDayRule?
  @Option(help: "Write all birthdays as an iCalendar file; - is standard output.", completion: .file()) var ics: String?
  @Option(
    help: ArgumentHelp("Write into a calendar: caldav/ACCOUNT/CALENDAR.", valueName: "path"),
    completion: Completions.calendars)
  var to: String?
  @Option(help: "Add an alarm to the calendar, this long before the day begins: 9h (15:00 of the day before), 1d.")
  var alarm: String?
  @Flag(help: "With --to: keep the calendar up to date.") var keep = false
  @Flag(help: "With --to: print the planned changes; change nothing locally or on the server.") var dryRun = false
  @Flag(help: "With --to: replace also what was changed at the server, and accept that most events are removed.")
  var force = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    if let days, !(0...36_600).contains(days) { throw ValidationError("--days takes 0 to 36600, not \(days)") }
    if ics != nil, days != nil || on != nil {
      throw ValidationError("--ics writes all birthdays; \(days != nil ? "--days" : "--on") is for the list")
    }
    if to != nil, ics != nil || days != nil || on != nil {
      let other = ics != nil ? "--ics writes a file" : days != nil ? "--days is for the list" : "--on is for the list"
      throw ValidationError("--to writes all birthdays into a calendar; \(other)")
    }
    if ics == nil, to == nil, alarm != nil {
      throw ValidationError("--alarm is for a calendar: --ics FILE, or --to PATH")
    }
    if to == nil, keep || dryRun || force {
      throw ValidationError("\(keep ? "--keep" : dryRun ? "--dry-run" : "--force") needs --to PATH")
    }
    if keep, dryRun { throw ValidationError("--keep and --dry-run exclude each other") }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let people = try services.people()
    let span = try alarm.map { (text) throws(Failure) in try Interval(option: text, "write 9h, 1d or 2w") }
    if let to { return try await publish(to: to, services) }
    let leapDay = feb29 ?? .feb28
    if let ics {
      let calendar = try people.calendar(leapDay: leapDay, alarm: span)
      try OutputFile(path: ics).write(calendar, for: services.terminal)
      return .done
    }
    let days = days ?? 30
    var day = LocalTime(services.time.now).day
    if let on {
      guard let parsed = CivilDate(on) else { throw .usage("'\(on)' is not a day", hint: "write YYYY-MM-DD") }
      day = parsed
    }
    let birthdays = try people.birthdays(from: day, days: days, leapDay: leapDay)
    services.terminal.birthdays(birthdays, days: days, reason: services.emptyStore)
    return .done
  }
}

extension Birthdays {
  /// Makes a calendar of a server equal to the people: a sync of this one path, which need not be followed.
  private func publish(to path: String, _ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    var change = FollowChange(path)
    change.options.append("alarm", alarm)
    change.options.append("feb29", feb29?.rawValue)
    var follow = try Failure.from { () throws(FollowError) in try services.check(change.follow) }
    guard follow.source == .calDAV else {
      throw .usage("\(path) is not a calendar", hint: "write caldav/ACCOUNT/CALENDAR", path: path)
    }
    let settings = try services.completed(services.settings.strict())
    let accounts = settings.servers[.calDAV]?.accounts.map(\.name) ?? []
    let account = follow.parameters.first ?? ""
    guard accounts.contains(where: { $0.exact == account.exact }) else {
      throw AccountCommand.notFound(account, of: .calDAV, among: settings).advising(
        """
        \(accounts.isEmpty ? "" : "the accounts are \(accounts.joined(separator: ", ")); ")\
        \(command: "account", "add", "caldav", "URL") adds one
        """)
    }
    if let earlier = settings.follows.first(where: { $0.$path == follow.$path }) {
      follow = change.completing(follow, from: earlier)
    }
    let sync = dryRun ? try services.planning() : try services.sync()
    let options = SyncOptions(dryRun: dryRun, force: force, asksEarly: services.hasOtherServers, sendsEdits: false)
    let report = try await sync.sync([follow], options)
    services.terminal.status([])
    if let error = report.follows.first?.error { throw error }
    if keep { _ = try await services.follows().follow(change) }
    services.terminal.print(report, path: follow.path, isKept: keep)
    return .done
  }
}

extension Terminal {
  /// Prints what was written into a calendar, or would be.
  fileprivate func print(_ report: SyncReport, path: String, isKept: Bool) {
    let counts = report.totals
    var fields: JSONObject = ["calendar": .string(path)]
    fields.members += ["added", "updated", "removed", "unchanged", "requests"].compactMap { name in
      counts.fields[name].map { JSONObject.Member(key: name, value: $0) }
    }
    let isPlan = report.plan != nil
    let planned = (report.outgoing ?? []).map { request -> JSONObject in
      [
        "method": .of(request.method), "target": .of(request.target), "summary": .of(request.edit["summary"]?.string),
        "url": .of(request.url),
      ]
    }
    if isPlan { fields.append("planned", .objects(planned)) }
    answer.done(fields) {
      let parts = [("added", counts.added), ("updated", counts.updated), ("removed", counts.removed)]
        .filter { $0.1 > 0 }
      let would = isPlan ? "would be " : ""
      let words = parts.enumerated().map { index, part in
        index > 0 ? "\(part.1) \(part.0)" : "\(part.1.counted("event")) \(would)\(part.0)"
      }
      let nothing = isPlan ? "nothing would change" : "nothing changed"
      let end = isPlan && !parts.isEmpty ? "; nothing was written" : ""
      line(Printable.text("\(path): \(parts.isEmpty ? nothing : words.joined(separator: ", "))\(end)"))
      if !planned.isEmpty { answer.list(planned, columns: ["method", "summary", "target"]) }
      if isKept { note("\(command: "sync") and the daemon keep \(path) up to date") }
    }
  }

  /// Prints them in their order.
  ///
  /// - Parameter reason: why there are none; empty where nothing more is known.
  func birthdays(_ birthdays: [UpcomingBirthday], days: Int, reason: Advice = "") {
    answer.list(
      birthdays.map(\.fields), columns: ["date", "fullName", .init("age", number: true), "birthday"],
      csvFields: ["id", "fullName", "birthday", "date", "age"],
      empty: "no birthdays in the next \(days.counted("day"))\(reason)")
  }
}
