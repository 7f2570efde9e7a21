import AlmanacTesting
import Library
import Models
import Ports
import Testing

struct LibraryPagesTests {
  private let fixture = LibraryFixture()

  private static let lines = (0..<60).map { index in
    let value =
      switch index % 5 {
      case 0: "\"rank\":\(index % 7)"
      case 1: "\"rank\":\"\(index % 3).50\""
      case 2: "\"rank\":\"word \(index % 4)\""
      case 3: "\"rank\":null"
      default: "\"other\":true"
      }
    return #"{"id":"\#(index)","name":"n\#(index % 9)",\#(value)}"#
  }

  private func ids(_ records: [[UInt8]]) -> [String] {
    records.compactMap { record in
      String(decoding: record, as: UTF8.self).split(separator: "\"").dropFirst(3).first.map(String.init)
    }
  }

  @Test(arguments: [nil, "rank", "name", "id"], [false, true])
  func pagesTogetherAreTheList(sortField: String?, descending: Bool) async throws {
    try await fixture.put(.apps, Self.lines)
    let condition = RecordCondition(field: "name", comparison: .notEqual, value: "n3")
    for conditions in [[], [condition]] {
      let query = LibraryQuery(conditions: conditions, sortField: sortField, descending: descending)
      let whole = try fixture.list(.apps, query)
      for limit in [1, 7, whole.count, 100] {
        var query = query
        var found: [String] = []
        while true {
          let page = try fixture.library.page(.apps, query, limit: limit, counts: true)
          #expect(page.total == whole.count)
          found += ids(page.records)
          guard let next = page.next else { break }
          #expect(page.records.count == limit)
          query.start = next
        }
        #expect(found == whole, "\(String(describing: sortField)) \(descending) \(limit)")
      }
    }
  }

  @Test func aPageGoesOnWhereItsLastRecordIsGone() async throws {
    try await fixture.put(.apps, Self.lines)
    var query = LibraryQuery(sortField: "rank")
    let whole = try fixture.list(.apps, query)
    let page = try fixture.library.page(.apps, query, limit: 10, counts: false)
    #expect(page.total == nil)
    query.start = page.next
    let last = try #require(page.next?.id)
    try await fixture.store.delete(.apps, [last])
    let rest = try fixture.library.page(.apps, query, limit: 100, counts: false)
    #expect(ids(rest.records) == Array(whole.dropFirst(10)))
  }

  @Test(arguments: [
    (["alpha"], ["1", "2", "3", "5"]), (["ALPHA", "beta"], ["1", "3"]), (["alp"], ["1", "2", "3", "5"]),
    (["name"], []), (["true"], []), (["7"], ["4"]), (["q\"r"], ["4"]), ([], ["1", "2", "3", "4", "5"]),
  ])
  func everyWordIsInAText(words: [String], expected: [String]) async throws {
    try await fixture.put(
      .apps,
      [
        #"{"id":"1","name":"Alpha","artist":"the beta"}"#, #"{"id":"2","name":"alphabet"}"#,
        #"{"id":"3","name":"x","tags":["beta",{"a":"ALPHA"}],"flag":true}"#, #"{"id":"4","name":"q\"r","n":"7"}"#,
        #"{"id":"5","name":"\u0061lpha","n":7}"#,
      ])
    #expect(try fixture.list(.apps, LibraryQuery(words: words)) == expected)
  }
}
