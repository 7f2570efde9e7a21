import AlmanacTesting
import Models
import Testing

@Suite("Numbers at the ends of their range: times, days and sums")
struct ExtremeNumberTests {
  @Test("no arithmetic leaves the years 0 to 9999, and what is written can be read")
  func times() {
    for number in ExtremeNumbers.integers {
      let time = Timestamp(secondsSinceEpoch: number)
      let day = CivilDate(daysSinceEpoch: number)
      #expect(Timestamp(rfc3339: time.description) == time && (0..<86_400).contains(time.secondOfDay))
      #expect(CivilDate(day.description) == day && CivilDate(time.date.description) == time.date)
      #expect(Timestamp(exactly: number) == (time.secondsSinceEpoch == number ? time : nil))
      for other in ExtremeNumbers.integers {
        let (sum, later) = (time + other, day.adding(days: other))
        #expect(Timestamp(rfc3339: sum.description) == sum && CivilDate(later.description) == later)
        #expect(time + (sum - time) == sum)
      }
    }
    #expect(Timestamp.first.description == "0000-01-01T00:00:00Z")
    #expect(Timestamp.last.description == "9999-12-31T23:59:59Z")
    #expect(Timestamp(exactly: Timestamp.first.secondsSinceEpoch - 1) == nil)
    #expect(Timestamp(exactly: Timestamp.last.secondsSinceEpoch + 1) == nil)
    #expect(Timestamp(rfc3339: "9999-12-31T23:59:59-00:01") == nil)
    #expect(Timestamp(rfc3339: "0000-01-01T00:00:00+00:01") == nil)
    #expect(Birthday("0000-01-01") == nil && Birthday(year: 0, month: 1, day: 1) == nil)
  }

  @Test("an interval has 0 seconds to 100 years")
  func intervals() {
    for number in ExtremeNumbers.integers {
      #expect((0...3_153_600_000).contains(Interval(seconds: number).seconds))
    }
    #expect(Interval(seconds: .max) == Interval("100y"))
  }

  @Test("sums that do not fit are the nearest numbers that do")
  func sums() {
    #expect(Int.max.plus(1) == .max && Int.min.plus(-1) == .min && Int.max.plus(.min) == -1)
    #expect(Int.min.minus(1) == .min && Int.max.minus(-1) == .max && (-1).minus(.max) == .min)
    #expect(Int.max.times(2) == .max && Int.min.times(2) == .min && Int.min.times(-1) == .max && 3.times(-4) == -12)
    let doubles: [(Double, Int)] = [
      (.nan, 0), (.infinity, .max), (-.infinity, .min), (1e308, .max), (-1e308, .min), (0x1p63, .max), (-0x1p63, .min),
      (2.9, 2), (-2.9, -2), (-0.0, 0),
    ]
    for (double, number) in doubles { #expect(Int(nearest: double) == number, "\(double)") }
    let counts = ["-1", "0", "9007199254740992", "9007199254740993", "1e3"].map { JSONValue(number: $0)?.count }
    #expect(counts == [nil, 0, 1 << 53, nil, nil])
  }
}
