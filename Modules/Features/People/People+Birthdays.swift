public import Models
public import Ports

extension People {
  /// The birthdays of `day` and the `days` days after it, by day, then by name. Over more than a year somebody comes
  /// more than once; nobody has a birthday before being born. O(n log n) for n people.
  public func birthdays(
    from day: CivilDate, days: Int, leapDay: Birthday.LeapDayRule
  ) throws(Failure) -> [UpcomingBirthday] {
    guard days >= 0 else {
      throw Failure(.config, .usage, "the number of days is at least 0", code: "days")
    }
    let lastDay = CivilDate(year: 9999, month: 12, day: 31)!
    let end = day.adding(days: min(days, lastDay.daysSinceEpoch - day.daysSinceEpoch))
    var upcoming: [UpcomingBirthday] = []
    do throws(StoreError) {
      try store.snapshot().scan(.people, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        // Of nearly everybody the birthday alone is read, which takes a tenth of the time of a whole person.
        if let text = try? coder.text("birthday", of: record), let birthday = Birthday(text),
          birthday.next(onOrAfter: max(day, birthday.dateOfBirth ?? day), leapDay: leapDay).map({ $0 > end }) ?? true
        {
          return .next
        }
        let person = try Person(stored: record, coder)
        guard let birthday = person.birthday else { return .next }
        var from = max(day, birthday.dateOfBirth ?? day)
        while let date = birthday.next(onOrAfter: from, leapDay: leapDay), date <= end {
          upcoming.append(UpcomingBirthday(person: person, date: date, age: birthday.age(in: date.year)))
          guard date < lastDay else { break }
          from = date.adding(days: 1)
        }
        return .next
      }
    } catch {
      throw error.failure
    }
    return upcoming.sorted { lhs, rhs in
      (lhs.date, lhs.person.fullName, lhs.person.id.exact) < (rhs.date, rhs.person.fullName, rhs.person.id.exact)
    }
  }
}
