import AlmanacTesting
import Models
import Ports
import Sync
import Testing

/// The ids of records as sources pass them, and as servers send them.
@Suite struct RecordIDTests {
  private static let books = CollectionName(rawValue: "books")

  /// A source whose server always sends the same records.
  private struct Books: Source {
    let abilities = SourceAbilities()
    let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "books"), summary: "books", forms: [.init("books", "all books")],
      collections: [.init(RecordIDTests.books, fields: [.init("id"), .init("title")], columns: ["id", "title"])])
    let changes: [(id: String, fields: JSONObject)]

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      PullPage(
        changes: changes.map { PulledChange(collection: RecordIDTests.books, id: $0.id, fields: $0.fields, .replace) },
        url: "http://books.test/books")
    }
  }

  private func bench(_ changes: (String, JSONObject)...) -> Bench {
    Bench(sources: [Books(changes: changes.map { (id: $0.0, fields: $0.1) })])
  }

  @Test("A source need not repeat the id: a number, another place and none become the text at the beginning")
  func anyForm() async throws {
    let bench = bench(
      ("1", ["id": 1, "title": "Emma"]), ("2", ["title": "Persuasion", "id": "2"]), ("3", ["title": "Sanditon"]))
    #expect(try await bench.sync("books").totals.added == 3)
    for (id, title) in [("1", "Emma"), ("2", "Persuasion"), ("3", "Sanditon")] {
      let record = try #require(try bench.store.snapshot().record(Self.books, id))
      #expect(String(decoding: record, as: UTF8.self) == #"{"id":"\#(id)","title":"\#(title)"}"#)
    }
    #expect(try await bench.sync("books").follows.map(\.status) == [.unchanged])
  }

  @Test(
    "Another id in the fields fails the pull and names the record",
    arguments: [
      (JSONValue.string("7"), "'7'"), (.int(7), "the number 7"), (.number("1.0"), "the number 1.0"),
      (.null, "a value of type null"),
    ])
  func anotherID(value: JSONValue, found: String) async throws {
    let bench = bench(("0", [:]), ("1", ["id": value, "title": "Emma"]))
    let error = try #require(try await bench.sync("books").follows.first?.error)
    #expect(error.message == "the record '1' of books has another id in its fields: \(found)")
    #expect(error.hint?.contains("PulledChange") == true && error.reason == .unparsable && error.code == .own(.badID))
    #expect(error.url == "http://books.test/books")
    #expect(try bench.ids(Self.books).isEmpty)
  }

  @Test("An id that the store cannot keep rejects its record alone", arguments: ["", "a\u{1}b", "a\nb"])
  func impossibleID(id: String) async throws {
    let bench = bench((id, ["title": "Emma"]), ("2", ["title": "Persuasion"]))
    let report = try #require(try await bench.sync("books").follows.first)
    #expect(report.status == .partial && report.counts.added == 1 && report.counts.rejected == 1)
    #expect(try bench.ids(Self.books) == ["2"])
    let rejected = try #require(try bench.ids(.rejects).first)
    let reject = try Reject(fields: try #require(try bench.record(.rejects, rejected)))
    #expect(reject.path == "$.id" && reject.found.contains("1 to 1024 bytes") && reject.raw.contains("Emma"))
  }
}
