import AlmanacTesting
import Library
import Models
import Ports
import Testing

struct LibraryListTests {
  private let fixture = LibraryFixture()

  private func prepare() async throws {
    try await fixture.put(
      .apps,
      [
        #"{"id":"1","name":"delta","price":{"amount":"9.99"},"rank":10}"#,
        #"{"id":"2","name":"Alpha","price":{"amount":"10.5"},"rank":9}"#,
        #"{"id":"3","name":"charlie","rank":100}"#,
        #"{"id":"30","name":"bravo","price":{"amount":"0"},"rank":"nine"}"#,
        #"{"id":"4","name":"bravo","price":{"amount":"-1"},"rank":null}"#,
      ])
  }

  @Test(arguments: [
    (LibraryQuery(), ["1", "2", "3", "30", "4"]), (LibraryQuery(limit: 2), ["1", "2"]),
    (LibraryQuery(limit: 0), []), (LibraryQuery(prefix: "3"), ["3", "30"]),
    (LibraryQuery(after: "2"), ["3", "30", "4"]), (LibraryQuery(prefix: "3", after: "3"), ["30"]),
    (LibraryQuery(descending: true), ["4", "30", "3", "2", "1"]),
    (LibraryQuery(descending: true, limit: 2), ["4", "30"]),
    (LibraryQuery(sortField: "name"), ["2", "30", "4", "3", "1"]),
    (LibraryQuery(sortField: "name", descending: true), ["1", "3", "30", "4", "2"]),
    (LibraryQuery(sortField: "name", limit: 3), ["2", "30", "4"]),
    (LibraryQuery(sortField: "name", descending: true, limit: 3), ["1", "3", "30"]),
    (LibraryQuery(sortField: "rank"), ["2", "1", "3", "30", "4"]),
    (LibraryQuery(sortField: "rank", descending: true), ["30", "3", "1", "2", "4"]),
    (LibraryQuery(sortField: "price.amount"), ["4", "30", "1", "2", "3"]),
    (LibraryQuery(sortField: "price.amount", descending: true), ["2", "1", "30", "4", "3"]),
    (LibraryQuery(sortField: "name", after: "2"), ["30", "4", "3"]),
    (LibraryQuery(sortField: "id"), ["1", "2", "3", "4", "30"]),
  ])
  func selectsAndOrders(query: LibraryQuery, ids: [String]) async throws {
    try await prepare()
    #expect(try fixture.list(.apps, query) == ids)
  }

  @Test func conditionsAreMetBeforeTheLimit() async throws {
    try await prepare()
    let condition = RecordCondition(field: "name", comparison: .equal, value: "bravo")
    #expect(try fixture.list(.apps, LibraryQuery(conditions: [condition])) == ["30", "4"])
    #expect(try fixture.list(.apps, LibraryQuery(conditions: [condition], limit: 1)) == ["30"])
    #expect(
      try fixture.list(.apps, LibraryQuery(conditions: [condition], sortField: "id", descending: true, limit: 1))
        == ["30"])
  }

  @Test(arguments: [nil, "name"]) func theReaderCanStop(sortField: String?) async throws {
    try await prepare()
    #expect(try fixture.list(.apps, LibraryQuery(sortField: sortField), stopAfter: 2).count == 2)
  }

  /// The heap of a limited list gives what sorting everything gives.
  @Test(arguments: [1, 2, 7, 50, 200]) func aLimitedListIsTheBeginningOfTheWholeOne(limit: Int) async throws {
    var seed: UInt64 = 9
    let lines = (0..<200).map { index in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1
      return "{\"id\":\"\(index)\",\"n\":\((seed >> 33) % 40)}"
    }
    try await fixture.put(.apps, lines)
    for descending in [false, true] {
      let whole = try fixture.list(.apps, LibraryQuery(sortField: "n", descending: descending))
      let part = try fixture.list(.apps, LibraryQuery(sortField: "n", descending: descending, limit: limit))
      #expect(part == Array(whole.prefix(limit)))
    }
  }

  @Test func showsOneRecordAsItIsKept() async throws {
    try await prepare()
    #expect(
      String(decoding: try fixture.library.record(.apps, "3"), as: UTF8.self)
        == #"{"id":"3","name":"charlie","rank":100}"#)
    let error = #expect(throws: Failure.self) { try fixture.library.record(.apps, "5") }
    #expect(error?.reason == .notFound)
    #expect(try fixture.library.count(.apps) == 5)
    #expect(try fixture.library.count(.photos) == 0)
  }
}
