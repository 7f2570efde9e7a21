import Glibc
public import Models

/// Today where the user lives.
public enum LocalDay {
  /// The day of a point in time in the zone of `TZ` or the machine.
  public static func today(_ now: Timestamp) -> CivilDate {
    var seconds = time_t(now.secondsSinceEpoch)
    var parts = tm()
    tzset()
    guard localtime_r(&seconds, &parts) != nil,
      let date = CivilDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    else { return now.date }
    return date
  }
}
