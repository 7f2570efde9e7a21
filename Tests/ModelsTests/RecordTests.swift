import Models
import Testing

@Suite struct RecordTests {
  private static let catalog = CollectionCatalog([
    SourceDescriptor(
      name: .appStore, summary: "charts", forms: [], collections: [CollectionDescriptor(App.self, columns: [])])
  ])
  private static let time = Timestamp(secondsSinceEpoch: 1_780_000_000)

  /// Every record is read back as it was written, with all of its fields and with only those that it must have.
  @Test func readsWhatItWrites() throws {
    for (full, least) in try RecordFieldTests.samples
    where !(full is Person || full is PersonGroup || full is OutboxEntry) {
      try roundTrip(full)
      try roundTrip(least)
    }
    let birthday = try #require(Birthday("--02-29"))
    try roundTrip(Person(id: "1", firstName: "f", lastName: "l", birthday: birthday, remoteID: "9"))
    try roundTrip(Person(id: "1", firstName: "小龙", lastName: "李", birthday: nil, fullName: "李小龙"))
    try roundTrip(
      OutboxEntry(
        id: "1", target: "profiles/a/b", kind: .put, edit: ["name": "x", "description": .null],
        base: ["name": "y", "description": "z"], theirs: ["name": "q"], attempts: 2, outcomeUnknown: true,
        state: .conflict, lastError: "e", createdAt: Self.time))
  }

  /// A name that nobody gave is absent, and a record of an earlier version, which has an empty one, is the same.
  @Test(arguments: [("Ada", "", "lastName"), ("", "Byron", "firstName")])
  func aNameThatNobodyGaveIsAbsent(first: String, last: String, absent: String) throws {
    let person = Person(id: "1", firstName: first, lastName: last, birthday: nil)
    #expect(person.fields[absent] == nil && person.fields.keys.count == 3)
    var old = person.fields
    old[absent] = ""
    #expect(try Person(fields: old) == person)
    #expect(Person.areEqual(old, person.fields) && !Person.areEqual(old, ["id": "1", "fullName": "X"]))
  }

  @Test func anAppOfAnEarlierVersionIsReadByItsID() throws {
    let old: JSONObject = [
      "id": "42", "name": "n", "artist": "a", "thumbnailURL": "t", "artworkURL": "u", "more": .int(1),
    ]
    let app = try App(fields: old)
    #expect(app.id == "42" && app.appID == "42" && app.storefront == nil)
    #expect(try Self.catalog.canonical(old, in: .apps)["more"] == .int(1))
    #expect(
      App(storefront: "fr", appID: "42", name: "n", artist: "a", thumbnailURL: "t", artworkURL: "u").id == "fr/42")
  }

  @Test(arguments: [
    ("0", "0.00000", true), ("0", "-0.00", true), ("0.00", "0.00000", true), ("00.50", ".5", true),
    ("10", "10.0", true), ("10", "1", false), ("0.5", "0.05", false), ("-1.5", "1.5", false), ("-1.5", "-1.50", true),
    ("100", "1.00", false),
  ]) func pricesCompareByValue(_ one: String, _ other: String, _ isSame: Bool) {
    let (lhs, rhs) = (Price(amount: one, currency: "EUR"), Price(amount: other, currency: "EUR"))
    #expect((lhs == rhs) == isSame)
    if isSame { #expect(lhs.hashValue == rhs.hashValue) }
    #expect(lhs != Price(amount: one, currency: "USD"))
    func app(_ price: Price) -> JSONObject { ["id": "1", "name": "n", "price": .object(price.fields)] }
    #expect(Self.catalog.areEqual(app(lhs), app(rhs), in: .apps) == isSame)
    #expect(Self.catalog.areEqual(app(lhs), app(rhs), in: .people) == (one == other))
    var renamed = app(rhs)
    renamed["name"] = "m"
    #expect(!Self.catalog.areEqual(app(lhs), renamed, in: .apps))
  }

  private func roundTrip<R: Record>(_ record: R) throws {
    let fields = record.fields
    #expect(fields.keys.first == "id")
    #expect(try R(fields: fields) == record)
    for member in fields.members {
      #expect(member.value != .null, "\(R.collection): \(member.key) is written as null")
      var damaged = fields
      damaged[member.key] = .array([.null])
      if member.key != "fullName", !(R.self == ChartSnapshot.self && member.key == "id") {
        #expect(throws: RecordError.self, "\(R.collection).\(member.key)") { try R(fields: damaged) }
      }
    }
  }

  @Test(arguments: [
    ("https://live.staticflickr.com/1/2_a_s.jpg", "https://live.staticflickr.com/1/2_a_n.jpg"),
    ("https://live.staticflickr.com/1/2_a_t.jpg", nil), ("https://example.org/x.png", nil), ("", nil),
  ]) func theImageForATile(smallest: String, tile: String?) {
    let photo = Photo(id: "2", ownerID: "o", title: "", thumbnailURL: smallest, imageURL: "i", pageURL: "p")
    #expect(photo.tileURL == tile)
  }

  @Test func splitsTargets() {
    let entry = OutboxEntry(id: "1", target: "profiles/a/b", kind: .put, edit: [:], base: [:], createdAt: Self.time)
    #expect(entry.targetCollection == .profiles)
    #expect(entry.targetID == "a/b")
  }

  @Test func makesSortableIDs() {
    let early = RecordID.make(at: Self.time) { .max }
    let late = RecordID.make(at: Self.time + 1) { 0 }
    #expect(early.count == 26)
    #expect(early < late)
    #expect(early != RecordID.make(at: Self.time) { 1 })
    let soon = RecordID.make(at: Self.time, milliseconds: 1) { 0 }
    #expect(early < soon && soon < RecordID.make(at: Self.time, milliseconds: 2) { 0 })
    #expect(RecordID.make(at: Self.time, milliseconds: 5000) { .max } < late)
    #expect(early.hasSuffix(String(repeating: "z", count: 16)))
  }

  @Test(arguments: [
    ("90s", 90), (" 6h ", 21_600), ("\t1h30m\n", 5400), ("15m", 900), ("1h30m", 5400), ("7d", 604_800),
    ("2w", 1_209_600), ("2 hours", 7200), ("1 Day 12 hours", 129_600), ("30 min", 1800), ("90 s", 90),
  ]) func readsIntervals(text: String, seconds: Int) {
    #expect(Interval(text)?.seconds == seconds)
    #expect(Interval(Interval(seconds: seconds).description)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "0s", "1", "h", "-1h", "1.5h", "1x", "hours", "2 hourss", "1h 30", "1,h", "99999999999999999999s",
  ]) func refusesIntervals(text: String) { #expect(Interval(text) == nil) }

  @Test func staleness() {
    let follow = Follow(path: "people", every: Interval(seconds: 1))
    #expect(follow.isStale(lastSuccess: nil, now: Self.time))
    #expect(!follow.isStale(lastSuccess: Self.time, now: Self.time + 5))
    #expect(follow.isStale(lastSuccess: Self.time, now: Self.time + 6))
    #expect(!Follow(path: "people").isStale(lastSuccess: Self.time, now: Self.time + 10_800))
    #expect(Follow(path: "people").isStale(lastSuccess: Self.time, now: Self.time + 10_801))
  }
}
