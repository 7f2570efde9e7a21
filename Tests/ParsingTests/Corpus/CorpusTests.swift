import Testing

/// Every real sample, and what becomes of it: models, rejects or an error, pinned one by one.
@Suite("real samples", .enabled(if: Samples.areThere, "\(Samples.reason)"))
struct CorpusTests {
  static let tables = [
    "appstore-legacy": AppStoreTable.legacy, "appstore-v1v2": AppStoreTable.marketing,
    "appstore-reviews": AppStoreTable.reviews, "itunes-search": AppStoreTable.search, "flickr": FlickrTable.rows,
    "rest-users": RestTable.rows, "json-corpora": JSONTable.corpora, "jsonl": JSONTable.lines,
    "http-recordings": JSONTable.recordings, "har": JSONTable.har,
  ]

  @Test("each class as pinned", arguments: tables.keys.sorted())
  func table(folder: String) throws {
    let rows = try #require(CorpusTests.tables[folder]).split(separator: "\n").map(String.init)
    let names = try Samples.names(in: folder)
    #expect(names.count == rows.count, "\(folder) has other files than the table")
    for (name, row) in zip(names, rows) {
      #expect("\(name) | \(outcome(folder, try Samples.bytes("\(folder)/\(name)")))" == row)
    }
  }

  private func outcome(_ folder: String, _ body: [UInt8]) -> String {
    switch folder {
    case "flickr": "\(Outcome.photos(body)) | \(Outcome.owner(body))"
    case "rest-users": "\(Outcome.profile(body)) | \(Outcome.people(body))"
    case "json-corpora", "jsonl", "http-recordings", "har": Outcome.json(body)
    default: Outcome.appStore(body)
    }
  }

  @Test("the large ones for measuring")
  func large() throws {
    #expect(
      Outcome.appStore(try Samples.bytes("perf/appstore-legacy-mixed-126.derived.give.json")) == "126 apps, dated")
    #expect(
      Outcome.photos(try Samples.bytes("perf/flickr-page-500.derived.give.json")) == "495 of 1000 photos, 5 rejects")
    #expect(Outcome.people(try Samples.bytes("perf/people-10k.synthetic.give.json")) == "0 people, 10000 rejects")
  }
}
