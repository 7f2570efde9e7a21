import CLibrary

/// A point in time in the zone of `TZ` or the machine.
public struct LocalTime: CustomStringConvertible {
  public let day: CivilDate
  public let hour: Int
  public let minute: Int

  /// The time that clocks show where the user is; in UTC where the system cannot tell.
  public init(_ time: Timestamp) {
    var seconds = time_t(time.secondsSinceEpoch)
    var parts = tm()
    tzset()
    if localtime_r(&seconds, &parts) != nil,
      let day = CivilDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    {
      (self.day, hour, minute) = (day, Int(parts.tm_hour), Int(parts.tm_min))
    } else {
      (day, hour, minute) = (time.date, time.secondOfDay / 3600, time.secondOfDay / 60 % 60)
    }
  }

  /// `2026-11-22 16:05`
  public var description: String { "\(day) \(padded(hour, 2)):\(padded(minute, 2))" }

  public static func end(of day: CivilDate) -> Timestamp {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(day.year - 1900), Int32(day.month - 1), Int32(day.day + 1))
    (parts.tm_sec, parts.tm_isdst) = (-1, -1)
    tzset()
    let seconds = mktime(&parts)
    return seconds == -1 ? Timestamp(startOf: day.adding(days: 1)) + -1 : Timestamp(secondsSinceEpoch: Int(seconds))
  }
}
