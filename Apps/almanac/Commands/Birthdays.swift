import ArgumentParser
import Glibc
import Models
import Ports

/// `almanac birthdays`
struct Birthdays: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "birthdays",
    abstract: "List the next birthdays in order.",
    discussion: """
      With --ics, all birthdays are written as a calendar file. almanacd serves the same calendar at an address that a phone \
      subscribes to; Apps/almanacd/deploy/README.md explains it.
      """)

  @Option(help: "The number of days after today; 30 by default.") var days: Int?
  @Option(help: "Start at another day than today: YYYY-MM-DD.") var on: String?
  @Option(help: "Where February 29 falls in other years: feb28 or mar1.") var feb29: LeapDayArgument = .feb28
  @Option(help: "Write an iCalendar file; - is standard output.", completion: .file()) var ics: String?
  @Option(help: "Add an alarm to the calendar, this long before the day: 9h, 1d.") var alarm: String?
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var isPaged: Bool { true }
  var readsStore: Bool { true }

  func validate() throws {
    if let days, !(0...36_600).contains(days) { throw ValidationError("--days takes 0 to 36600, not \(days)") }
    if ics != nil, days != nil || on != nil {
      throw ValidationError("--ics writes all birthdays; \(days != nil ? "--days" : "--on") is for the list")
    }
    if ics == nil, alarm != nil { throw ValidationError("--alarm is for the calendar: --ics FILE") }
  }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let people = try services.people()
    if let ics {
      var span: Interval?
      if let alarm {
        guard let parsed = Interval(alarm) else {
          throw Failure(.config, .usage, "'\(alarm)' is not an interval", hint: "write 9h, 1d or 2w")
        }
        span = parsed
      }
      let calendar = try people.calendar(leapDay: feb29.rule, alarm: span)
      try OutputFile(path: ics).write(calendar, for: services.terminal)
      return .done
    }
    let days = days ?? 30
    var day = LocalDay.today(services.time.now)
    if let on {
      guard let parsed = CivilDate(on) else {
        throw Failure(.config, .usage, "'\(on)' is not a day", hint: "write YYYY-MM-DD")
      }
      day = parsed
    }
    BirthdayAnswer(terminal: services.terminal).print(
      try people.birthdays(from: day, days: days, leapDay: feb29.rule), days: days,
      reason: EmptyStore(services: services).words)
    return .done
  }
}

/// `--feb29`
enum LeapDayArgument: String, ExpressibleByArgument, CaseIterable {
  /// February 28.
  case feb28
  /// March 1.
  case mar1

  /// The rule.
  var rule: Birthday.LeapDayRule { self == .feb28 ? .feb28 : .mar1 }
}

/// Prints birthdays.
struct BirthdayAnswer {
  /// Where they go.
  let terminal: Terminal

  /// Prints them in their order.
  ///
  /// - Parameter reason: why there are none; empty where nothing more is known.
  func print(_ birthdays: [UpcomingBirthday], days: Int, reason: String = "") {
    Answer(terminal: terminal).list(
      birthdays.map(\.fields),
      columns: [.init("date"), .init("fullName"), .init("age", number: true), .init("birthday")],
      csvFields: ["id", "fullName", "birthday", "date", "age"],
      empty: "no birthdays in the next \(days.counted("day"))\(reason)")
  }
}

/// Today where the user lives.
enum LocalDay {
  /// The day of a point in time in the zone of `TZ` or the machine.
  static func today(_ now: Timestamp) -> CivilDate {
    var seconds = time_t(now.secondsSinceEpoch)
    var parts = tm()
    tzset()
    guard localtime_r(&seconds, &parts) != nil,
      let date = CivilDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    else { return now.date }
    return date
  }
}
