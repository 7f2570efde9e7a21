import AlmanacTesting
import Library
import Models
import Ports
import Testing

/// What a query may name, and what it may be compared with.
struct LibraryFieldsTests {
  private let fixture = LibraryFixture()

  private func failure(_ collection: CollectionName, _ query: LibraryQuery) throws -> Failure? {
    #expect(throws: Failure.self) { try fixture.list(collection, query) }
  }

  @Test(arguments: [
    (CollectionName.people, "nme", "did you mean 'firstName' or 'lastName' or 'fullName'?"),
    (.people, "fulName", "did you mean 'fullName'?"), (.people, "FULLNAME", "did you mean 'fullName'?"),
    (.people, "full name", "did you mean 'fullName'?"),
    (.people, "name", "did you mean 'firstName' or 'lastName' or 'fullName'?"),
    (.apps, "amount", "did you mean 'price.amount'?"), (.apps, "nmae", "did you mean 'name'?"),
    (.apps, "price.amuont", "did you mean 'price.amount'?"), (.apps, "zzz", "the fields are id, storefront, appID"),
    (.runs, "totals.nothing", "the fields are"), (.outbox, "fiels", "did you mean 'fields'?"),
    (.people, "", "birthday"),
    (.people, "birthday.year", "birthday"), (.people, "state", "the fields are"),
  ])
  func anUnknownFieldIsNamedWithThoseThereAre(collection: CollectionName, name: String, hint: String) throws {
    let condition = RecordCondition(field: name, comparison: .equal, value: "x")
    for query in [
      LibraryQuery(conditions: [condition]), LibraryQuery(sortField: name), LibraryQuery(sortField: name, limit: 0),
    ] {
      let failure = try #require(try failure(collection, query))
      #expect(failure.reason == .usage)
      #expect(failure.message == "'\(name)' is not a field of \(collection)")
      #expect(failure.hint?.contains(hint) == true, "\(failure.hint ?? "")")
    }
  }

  /// Quotation marks and a second condition are compared, too: what no record has so was not meant.
  @Test(arguments: [
    (#"firstName = "Ada""#, "leave out the quotation marks: firstName = Ada"),
    ("firstName != 'Ada'", "firstName != Ada"), ("firstName ~ “Ad”", "firstName ~ Ad"),
    (#"birthday > "1990""#, "birthday > 1990"), ("firstName = Ada and lastName = B", "a 'where' of its own"),
  ])
  func whatWasNotMeantIsRefused(condition: String, hint: String) async throws {
    try await fixture.put(.people, [#"{"id":"1","firstName":"Ada","lastName":"\"B\" and name = x","fullName":"Ada"}"#])
    let failure = try #require(try failure(.people, LibraryQuery(conditions: [RecordCondition(parsing: condition)])))
    #expect(failure.code == .own(.badCondition) && failure.hint?.contains(hint) == true, "\(failure)")
    for condition in [#"lastName ~ "B""#, "lastName ~ and name = x"] {
      #expect(try fixture.list(.people, LibraryQuery(conditions: [RecordCondition(parsing: condition)])) == ["1"])
    }
  }

  @Test(arguments: [
    ("birthday == 1990-01-02", "did you mean 'birthday = …'?"), ("birthday =~ 1990", "did you mean 'birthday ~ …'?"),
    ("birthday <> 1990", "did you mean 'birthday != …'?"), ("birthday => 1990", "did you mean 'birthday >= …'?"),
    ("birthday !~ 1990", "~ (contains)"), ("birthday", "FIELD"), ("birthday is null", "'FIELD is absent'"),
    ("= 5", "FIELD"),
  ])
  func whatIsNoConditionIsRefused(text: String, hint: String) {
    let failure = #expect(throws: Failure.self) { try RecordCondition(parsing: text) }
    #expect(failure?.code == .own(.badCondition) && failure?.hint?.contains(hint) == true, "\(failure as Any)")
  }

  /// What was imported beside the known fields can be asked for; what no record has cannot.
  @Test func recordsMayHaveMoreFields() async throws {
    try await fixture.put(
      .people,
      [
        #"{"id":"1","firstName":"A"}"#, #"{"id":"2","firstName":"B","nick":"bee","pet":{"name":"Rex"},"only":{}}"#,
        #"{"id":"3","nick":"cee","none":null}"#,
      ])
    let nick = RecordCondition(field: "nick", comparison: .equal, value: "bee")
    #expect(try fixture.list(.people, LibraryQuery(conditions: [nick])) == ["2"])
    #expect(try fixture.list(.people, LibraryQuery(sortField: "nick", descending: true)) == ["3", "2", "1"])
    let pet = RecordCondition(field: "pet.name", comparison: .contains, value: "r")
    #expect(try fixture.list(.people, LibraryQuery(conditions: [pet])) == ["2"])
    let failure = try #require(try failure(.people, LibraryQuery(sortField: "nik")))
    #expect(failure.hint?.hasPrefix("did you mean 'nick'?") == true, "\(failure.hint ?? "")")
    for name in ["pet", "only", "none", "pet.age"] {
      #expect(try self.failure(.people, LibraryQuery(sortField: name))?.code == .own(.noField), "\(name)")
    }
  }

  /// A collection without a table is judged by its records, and not at all while it has none.
  @Test func aCollectionWithoutATableIsJudgedByItsRecords() async throws {
    let films = CollectionName(rawValue: "films")
    let year = RecordCondition(field: "year", comparison: .greater, value: "1950")
    #expect(try fixture.list(films, LibraryQuery(conditions: [year])) == [])
    try await fixture.put(films, [#"{"id":"1","year":1940}"#, #"{"id":"2","year":1960}"#])
    #expect(try fixture.list(films, LibraryQuery(conditions: [year], sortField: "year")) == ["2"])
    let failure = try #require(try failure(films, LibraryQuery(sortField: "yaer")))
    #expect(failure.hint == "did you mean 'year'? the fields are id, year")
  }

  @Test(arguments: [
    (CollectionName.owners, "photoCount", RecordCondition.Comparison.greater, "many"),
    (.owners, "photoCount", .equal, ""), (.owners, "photoCount", .less, "1,000"), (.owners, "photoCount", .less, "+5"),
    (.owners, "photoCount", .less, "007"), (.apps, "price.amount", .less, "$1"), (.apps, "price.amount", .less, ".5"),
    (.apps, "price.amount", .less, "5."), (.apps, "price", .less, "1"), (.apps, "price", .contains, "1"),
    (.owners, "isPro", .less, "true"), (.owners, "isPro", .equal, "yes"), (.owners, "deleted", .notEqual, "1"),
    (.charts, "observedAt", .greater, "yesterday"), (.charts, "observedAt", .greater, "2026-01-01T00:00:00+02:00"),
    (.charts, "observedAt", .equal, "2026/01"), (.charts, "observedAt", .less, ""),
    (.apps, "releaseDate", .equal, "Jan 2026"), (.apps, "releaseDate", .less, "01/02/2026"),
    (.apps, "releaseDate", .greater, "2025-13"), (.apps, "releaseDate", .greater, "2025-02-30"),
    (.apps, "releaseDate", .less, "2025-00"), (.apps, "releaseDate", .less, "2025-01-00"),
    (.apps, "releaseDate", .less, "2025-2"), (.charts, "observedAt", .less, "2026-01-01T24"),
    (.charts, "observedAt", .less, "2026-01-01T23:60"), (.people, "birthday", .equal, "1990-02-29"),
    (.people, "birthday", .equal, "--02-30"), (.people, "birthday", .equal, "--13"),
    (.people, "birthday", .equal, "born 1990"), (.people, "birthday", .equal, "= 1990-02-03"),
    (.people, "birthday", .less, "May"), (.outbox, "fields", .equal, "x"), (.runs, "follows", .less, "x"),
    (.runs, "totals", .greater, "1"),
  ])
  func whatCanNeverBeMetIsRefused(
    collection: CollectionName, field: String, comparison: RecordCondition.Comparison, value: String
  ) throws {
    let condition = RecordCondition(field: field, comparison: comparison, value: value)
    let failure = try #require(try failure(collection, LibraryQuery(conditions: [condition])))
    #expect(failure.reason == .usage && failure.code == .own(.badCondition))
    #expect(failure.message.contains("'\(field)'") && failure.hint != nil, "\(failure)")
  }

  @Test(arguments: [
    (CollectionName.owners, "photoCount", RecordCondition.Comparison.greaterOrEqual, "-10.5e3"),
    (.owners, "photoCount", .contains, "5"), (.apps, "price.amount", .less, "1"), (.apps, "price.amount", .equal, "0"),
    (.owners, "isPro", .equal, "true"), (.owners, "isPro", .notEqual, "false"), (.charts, "observedAt", .greater, "2"),
    (.charts, "observedAt", .greater, "2026-01"), (.charts, "observedAt", .less, "2026-01-01T00"),
    (.charts, "observedAt", .equal, "2026-01-01T00:00:00Z"), (.charts, "observedAt", .contains, "-01-"),
    (.apps, "releaseDate", .equal, "2026-01-01"), (.apps, "releaseDate", .equal, "2026-01-01T00:00:00Z"),
    (.apps, "releaseDate", .less, "2024-02-29"), (.apps, "releaseDate", .less, "2024-1"),
    (.apps, "releaseDate", .less, "2024-01-"), (.apps, "releaseDate", .less, "2024-01-3"),
    (.people, "birthday", .less, "--"), (.charts, "observedAt", .less, "2026-12-31T23:59:59Z"),
    (.people, "birthday", .greaterOrEqual, "1990"), (.people, "birthday", .equal, "--02-29"),
    (.people, "birthday", .equal, "1990-02-28"), (.people, "birthday", .contains, "-02-"), (.people, "id", .equal, "1"),
    (.people, "firstName", .less, ""), (.charts, "ranks", .equal, "1"), (.outbox, "fields.name", .equal, "x"),
    (.runs, "totals.added", .greater, "0"),
  ])
  func whatCanBeComparedIs(
    collection: CollectionName, field: String, comparison: RecordCondition.Comparison, value: String
  ) throws {
    let condition = RecordCondition(field: field, comparison: comparison, value: value)
    #expect(try fixture.list(collection, LibraryQuery(conditions: [condition])) == [])
  }

  @Test(arguments: [
    (RecordCondition.Comparison.less, "1980", ["1"]), (.lessOrEqual, "1990-02-03", ["1", "2"]),
    (.greater, "1980", ["2"]), (.greaterOrEqual, "1970", ["1", "2"]), (.less, "--06", ["3"]),
    (.lessOrEqual, "--12-24", ["3", "4"]), (.greater, "--06", ["4"]), (.greaterOrEqual, "--05-12", ["3", "4"]),
    (.absent, "", ["5"]), (.present, "", ["1", "2", "3", "4"]), (.notEqual, "--05-12", ["1", "2", "4", "5"]),
  ])
  func birthdaysOfTwoFormsHaveNoOrder(
    comparison: RecordCondition.Comparison, value: String, expected: [String]
  ) async throws {
    let birthdays = ["1975-05-12", "1990-02-03", "--05-12", "--12-24"]
    let lines = birthdays.enumerated().map { #"{"id":"\#($0.offset + 1)","fullName":"A","birthday":"\#($0.element)"}"# }
    try await fixture.put(.people, lines + [#"{"id":"5","fullName":"A"}"#])
    let condition = RecordCondition(field: "birthday", comparison: comparison, value: value)
    #expect(try fixture.list(.people, LibraryQuery(conditions: [condition])) == expected)
  }

  /// A year, a month and a day stand for every time in them, whether a record has a day or a time.
  @Test(arguments: [
    (RecordCondition.Comparison.equal, "2025", ["2", "3", "4"]), (.equal, "2025-02", ["2", "3"]),
    (.equal, "2025-02-23", ["2", "3"]), (.equal, "2025-02-23T10", ["3"]), (.equal, "2025-02-23T10:00:00Z", ["3"]),
    (.equal, "2023", []), (.notEqual, "2025", ["1", "5", "6"]), (.notEqual, "2025-02-23", ["1", "4", "5", "6"]),
    (.less, "2025", ["1"]), (.lessOrEqual, "2025-02", ["1", "2", "3"]), (.lessOrEqual, "2025", ["1", "2", "3", "4"]),
    (.greater, "2025", ["5"]), (.greater, "2025-02-23", ["4", "5"]), (.greaterOrEqual, "2025-03", ["4", "5"]),
    (.greaterOrEqual, "2025-02-23", ["2", "3", "4", "5"]),
  ])
  func aYearIsAPeriod(comparison: RecordCondition.Comparison, value: String, expected: [String]) async throws {
    let days = ["2024-12-31", "2025-02-23", "2025-02-23T10:00:00Z", "2025-11-01T00:00:00Z", "2026-01-01"]
    let lines = days.enumerated().map { #"{"id":"\#($0.offset + 1)","releaseDate":"\#($0.element)"}"# }
    try await fixture.put(.apps, lines + [#"{"id":"6"}"#])
    let condition = RecordCondition(field: "releaseDate", comparison: comparison, value: value)
    #expect(try fixture.list(.apps, LibraryQuery(conditions: [condition])) == expected)
    let first = try fixture.library.page(.apps, LibraryQuery(conditions: [condition]), limit: 10, counts: true)
    #expect(first.total == expected.count, "the API's pages select the same")
  }

  @Test(arguments: [("1975", ["1"]), ("1990-02", ["2"]), ("--05", ["3"]), ("--1", ["4"])])
  func aBirthdayEqualsItsBeginning(value: String, expected: [String]) async throws {
    let birthdays = ["1975-05-12", "1990-02-03", "--05-12", "--12-24"]
    try await fixture.put(
      .people, birthdays.enumerated().map { #"{"id":"\#($0.offset + 1)","fullName":"A","birthday":"\#($0.element)"}"# })
    let condition = RecordCondition(field: "birthday", comparison: .equal, value: value)
    #expect(try fixture.list(.people, LibraryQuery(conditions: [condition])) == expected)
  }

  @Test(arguments: ["price", "price.amount"])
  func anyFieldCanBeAbsent(field: String) async throws {
    try await fixture.put(.apps, [#"{"id":"1","price":{"amount":"1","currency":"EUR"}}"#, #"{"id":"2","name":"B"}"#])
    let present = RecordCondition(field: field, comparison: .present)
    #expect(try fixture.list(.apps, LibraryQuery(conditions: [present])) == ["1"])
    let absent = RecordCondition(field: field, comparison: .absent)
    #expect(try fixture.list(.apps, LibraryQuery(conditions: [absent])) == ["2"])
    #expect(try failure(.apps, LibraryQuery(conditions: [RecordCondition(field: "prize", comparison: .absent)])) != nil)
  }

  /// Also in a store where nobody has one.
  @Test(arguments: [
    ("emails ~ example.org", ["1"]), ("emails~EXAMPLE", ["1", "2"]), ("emails = b@example.com", ["2"]),
    ("emails != b@example.com", ["1", "3"]), ("emails.type = work", ["1"]), ("emails.type is absent", ["2", "3"]),
    ("phones ~ 555", ["3"]), ("addresses ~ paris", []), ("groups ~ fam", ["2"]),
  ])
  func listsAreComparedByTheirValues(text: String, expected: [String]) async throws {
    let query = LibraryQuery(conditions: [try RecordCondition(parsing: text)])
    #expect(try fixture.list(.people, query).isEmpty)
    try await fixture.put(
      .people,
      [
        #"{"id":"1","firstName":"A","emails":[{"value":"a@example.org","type":"work"}]}"#,
        #"{"id":"2","firstName":"B","emails":[{"value":"b@example.com"}],"groups":["Family"]}"#,
        #"{"id":"3","firstName":"C","phones":[{"value":"+1 555","type":"cell"}]}"#,
      ])
    #expect(try fixture.list(.people, query) == expected)
  }

  @Test(arguments: ["", "null", "none"])
  func whoAsksForNothingIsShownTheOperator(value: String) throws {
    let condition = RecordCondition(field: "birthday", comparison: .equal, value: value)
    #expect(try failure(.people, LibraryQuery(conditions: [condition]))?.hint?.contains("'birthday is absent'") == true)
  }

  /// The members of a list are those that its description names, or else those that the records have.
  @Test func anUnknownMemberOfAListIsRefused() async throws {
    try await fixture.put(.runs, [#"{"id":"1","state":"done","follows":[{"follow":"users/ada","status":"done"}]}"#])
    for (collection, field, known) in [
      (CollectionName.people, "emails.typ", "emails.type"), (.people, "addresses.cty", "addresses.city"),
      (.runs, "follows.stat", "follows.status"),
    ] {
      let wrong = RecordCondition(field: field, comparison: .equal, value: "x")
      let failure = try #require(try failure(collection, LibraryQuery(conditions: [wrong])))
      #expect(failure.code == .own(.noField) && failure.hint?.contains(known) == true, "\(failure)")
      let right = RecordCondition(field: known, comparison: .equal, value: "x")
      #expect(throws: Never.self) { try fixture.list(collection, LibraryQuery(conditions: [right])) }
    }
  }

  @Test(
    arguments: [
      (CollectionName.apps, "price"), (.outbox, "base"), (.runs, "follows"), (.runs, "follows.path"), (.runs, "totals"),
      (.people, "emails.value"),
    ])
  func objectsHaveNoOrder(collection: CollectionName, field: String) throws {
    let failure = try #require(try failure(collection, LibraryQuery(sortField: field)))
    #expect(failure.reason == .usage && failure.code == .own(.badSort), "\(failure)")
    // The advice can be taken.
    let hint = failure.hint?.description ?? ""
    guard let names = hint.firstRange(of: "sort by one of ")?.upperBound else { return }
    for name in hint[names...].prefix(while: { $0 != "\n" }).split(separator: ", ") {
      #expect(throws: Never.self) { try fixture.list(collection, LibraryQuery(sortField: String(name))) }
    }
  }
}
