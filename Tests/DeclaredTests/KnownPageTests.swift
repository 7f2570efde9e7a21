import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// A page whose bytes came before is not read again, whatever names the next page.
@Suite struct KnownPageTests {
  @Test(arguments: [
    #""get": "/items?size=2{&page}", "pages": {"page": 1, "count": "$.total"}"#,
    #""get": "/items?size=2{&page}", "pages": {"page": 1}"#,
    #""get": "/items?size=2{&offset}", "pages": {"offset": 0, "more": "$.more"}"#,
    #""get": "/items?size=2{&cursor}", "pages": {"cursor": {"cursor": "$.cursor"}}"#,
    #""get": "/items?size=2{&cursor}", "pages": {"cursor": {"cursor": "header X-Cursor"}}"#,
    #""get": "/items?size=2", "pages": {"next": "$.next"}"#,
    #""get": "/items?size=2", "pages": {"link": "next"}"#,
    #""get": "/items?size=2{&after}", "pages": {"last": {"after": "$.id"}}"#,
    #""get": "/items?size=99""#,
  ])
  func isNotRead(list: String) async throws {
    for complete in ["", #", "complete": true"#] {
      let reads = CountedReads()
      let shop = try Shop(items: 7, follow: "\(list)\(complete)", compiler: reads)
      let first = try await shop.sync()
      #expect(first.status == .ok && first.counts.added == 7, "\(list)")
      let (requests, pages) = (shop.requests, reads.taken())
      let before = try shop.store.snapshot().sequence
      let second = try await shop.sync()
      #expect(second.status == .unchanged && second.counts.unchanged == 7, "\(list)")
      #expect(shop.requests == requests && reads.taken() == 0, "\(list)")
      #expect(try shop.store.snapshot().sequence <= before + 1, "the report of the run")
      shop.change { $0.items[4].name = "another" }
      #expect(try await shop.sync().counts.updated == 1, "\(list)")
      #expect(reads.taken() == 1 && shop.requests == requests)
      shop.change { _ = $0.items.remove(at: 6) }
      let last = try await shop.sync()
      #expect(last.error == nil && last.counts.removed == (complete.isEmpty ? 0 : 1), "\(list)")
      #expect(try shop.ids() == (complete.isEmpty ? 0..<7 : 0..<6).map(String.init))
      // What a complete list lacks is read twice.
      #expect((1...pages * 2).contains(reads.taken()))
    }
  }

  /// A limit takes a part of the page, and a request of a record is made of what the record says.
  @Test(arguments: [
    (#""get": "/items?size=2{&page}", "pages": {"page": 1}, "limit": {"default": 3, "most": 9}"#, 1),
    (
      #""get": "/items?size=99", "each": {"for": {"login": "$.maker.login"}, "get": "/makers/{login}", \#(Self.makers)}"#,
      1
    ),
  ])
  func isRead(list: String, pages: Int) async throws {
    let reads = CountedReads()
    let shop = try Shop(items: 7, follow: list, compiler: reads)
    _ = try await shop.sync()
    _ = reads.taken()
    #expect(try await shop.sync().status == .unchanged)
    #expect(reads.taken() == pages)
  }

  /// A page that was known may be too long for a limit where the page before is longer now.
  @Test func isReadWhereTheLimitEndsIt() async throws {
    let list = #""get": "/items?size=2{&page}", "pages": {"page": 1}, "limit": {"default": 3, "most": 9}"#
    let shop = try Shop(items: 4, follow: list)
    shop.change { $0.answers["/items?size=2&page=1"] = HTTPResponse(#"{"items": [\#($0.items[0].json)]}"#) }
    #expect(try await shop.sync().counts.added == 3)
    shop.change { $0.answers = [:] }
    #expect(try await shop.sync().counts.unchanged == 2)
  }

  /// The next page is named beside the body: a list that ends earlier is another one, also if one of its pages is never kept.
  @Test func aListThatEndsEarlierIsAnother() async throws {
    let shop = try Shop(items: 5, follow: #""get": "/items?size=3", "pages": {"link": "next"}, "complete": true"#)
    shop.change { $0.items[4].name = nil }
    let first = try await shop.sync()
    #expect(first.counts.added == 4 && first.counts.rejected == 1)
    shop.change { state in
      let items = state.items.prefix(3).map(\.json).joined(separator: ", ")
      state.answers["/items?size=3"] = HTTPResponse(
        #"{"items": [\#(items)], "next": "\#(Shop.base)/items?cursor=3&size=3", "cursor": 3, "total": 5, "pages": 2, "more": true}"#
      )
    }
    #expect(try await shop.sync().counts.removed == 1)
    #expect(try shop.ids() == ["0", "1", "2"])
  }

  private static let makers = #""take": {"into": "makers"}"#
}

/// Counts the answers that are read.
private final class CountedReads: AnswerReaderCompiler {
  private struct Reader: AnswerReader {
    let base: any AnswerReader
    let reads: CountedReads

    func read(_ body: [UInt8], variables: [ExactString: String]) throws(ParsingError) -> Parsed<DeclaredAnswer> {
      reads.count.withLock { $0 += 1 }
      return try base.read(body, variables: variables)
    }
  }

  private let base = JSONAnswerReaderCompiler()
  private let count = Mutex(0)

  /// The number since the last call.
  func taken() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func reader(of request: SourceDefinition.Request) -> any AnswerReader {
    Reader(base: base.reader(of: request), reads: self)
  }

  func json(_ body: [UInt8], _ format: SourceDefinition.Format) throws(ParsingError) -> [UInt8] {
    try base.json(body, format)
  }

  func values(_ paths: [ValuePath], in body: [UInt8]) -> [JSONValue?]? { base.values(paths, in: body) }
}
