/// A time in UTC, in whole seconds since 1970, with the notations of the APIs.
struct Instant {
  let seconds: Int

  /// The first day of the generated data: 2 March 2026.
  static let start = Instant(seconds: 1_772_409_600)

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  private var days: Int { Int((Double(seconds) / 86_400).rounded(.down)) }

  /// The year, month and day in the proleptic Gregorian calendar, computed in eras of 400 years that begin on 1 March.
  var civil: (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private var clock: String {
    let second = seconds - days * 86_400
    return "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  /// `2026-03-02`
  var date: String { "\(civil.year)-\(two(civil.month))-\(two(civil.day))" }

  /// `2026-03-02 10:20:30`, Flickr's local time.
  var dateAndTime: String { "\(date) \(clock)" }

  /// `2026-03-02T10:20:30-07:00`, the time of the legacy feed in California; the clock is that of the zone.
  var californian: String {
    let local = Instant(seconds: seconds - 7 * 3600)
    return "\(local.date)T\(local.clock)-07:00"
  }

  /// `March 2, 2026`
  var long: String { "\(Instant.months[civil.month - 1]) \(civil.day), \(civil.year)" }

  /// `Mon, 02 Mar 2026 10:20:30`, without the zone (RFC 9110, section 5.6.7).
  private var stamp: String {
    let weekday = Instant.weekdays[((days % 7) + 7) % 7]
    return "\(weekday), \(two(civil.day)) \(Instant.months[civil.month - 1].prefix(3)) \(civil.year) \(clock)"
  }

  /// `Mon, 02 Mar 2026 10:20:30 GMT`
  var http: String { stamp + " GMT" }

  /// `Mon, 02 Mar 2026 10:20:30 +0000`
  var rfc822: String { stamp + " +0000" }
}
