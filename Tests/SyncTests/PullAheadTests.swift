import AlmanacTesting
import Models
import Ports
import Sync
import Synchronization
import Testing

/// Pages of records without edits are fetched while earlier pages are being committed.
@Suite struct PullAheadTests {
  /// The store delays the commit of each page until the next one was requested. A pull that requests pages only after
  /// the commit would never end.
  @Test(.timeLimit(.minutes(10))) func asksWhileItCommits() async throws {
    let asked = AsyncStream.makeStream(of: Int.self)
    let bench = Bench(
      store: HeldStore(asked: asked.stream, last: 3), sources: [PagedSource(pages: 4) { asked.continuation.yield($0) }])
    let report = try await bench.sync("paged/all")
    #expect(report.follows.map(\.status) == [.ok])
    #expect(try bench.ids(PagedSource.items) == ["item-0", "item-1", "item-2", "item-3"])
  }

  /// The first commit waits until three more pages were requested. There are never more than these in progress.
  @Test(.timeLimit(.minutes(10))) func asksForThreePagesAheadAndNoMore() async throws {
    let asked = AsyncStream.makeStream(of: Int.self)
    let store = HeldStore(asked: asked.stream, last: 11, ahead: 3)
    let most = Mutex(0)
    let source = PagedSource(pages: 12) { page in
      let committed = (try? store.base.snapshot().count(PagedSource.items)) ?? 0
      most.withLock { $0 = max($0, page - committed) }
      asked.continuation.yield(page)
    }
    let bench = Bench(store: store, sources: [source])
    let report = try await bench.sync("paged/all")
    #expect(report.follows.map(\.status) == [.ok])
    #expect(try bench.ids(PagedSource.items).count == 12)
    #expect(most.withLock { $0 } == 3)
  }

  /// The request of the next page is sent while a page is read, which waits for it here. One that no page makes is ended with the
  /// pull, and counted.
  @Test(.timeLimit(.minutes(10))) func sendsTheNextRequestWhileAPageIsRead() async throws {
    let sent = AsyncStream.makeStream(of: String.self)
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) async throws(TransportError) -> HTTPResponse in
      sent.continuation.yield(request.url)
      if request.url.hasSuffix("/3") {
        let never = AsyncStream.makeStream(of: Void.self)
        for await _ in never.stream {}
        never.continuation.finish()
        throw TransportError(.cancelled, "cancelled")
      }
      return HTTPResponse(status: 200, body: [], url: request.url)
    }
    let source = PagedSource(
      pages: 3,
      asking: { (page, context) throws(SourceError) in
        let urls = [page, page + 1].map { "http://paged.test/\($0)" }
        do throws(TransportError) { _ = try await context.transport.send(HTTPRequest(.get, urls[0])) } catch {
          throw .transport(error)
        }
        context.expect(HTTPRequest(.get, urls[1]))
        for await url in sent.stream where url == urls[1] { break }
      })
    let report = try await Bench(sources: [source], transport: transport).sync("paged/all")
    #expect(report.follows.map(\.status) == [.ok])
    #expect(report.totals.requests == 4)
    #expect(transport.requests.map(\.url.last) == ["0", "1", "2", "3"])
  }

  /// A commit that fails ends the pull and its requests.
  @Test(.timeLimit(.minutes(10))) func asksNoMoreWhereACommitFails() async throws {
    let asked = Mutex(0)
    let store = InMemoryRecordStore()
    let source = PagedSource(pages: 1000) { _ in asked.withLock { $0 += 1 } }
    let bench = Bench(store: KilledStore(inner: store, kill: Kill(after: 20)), sources: [source])
    let report = try await bench.sync("paged/all")
    #expect(report.follows.map(\.status) == [.failed] && report.outbox.unsent?.kind == .store)
    let committed = try store.snapshot().count(PagedSource.items)
    #expect((1...20).contains(committed))
    #expect(asked.withLock { $0 } <= committed + 5)
  }

  /// If a page fails, the pages before it are kept, and the next pull continues after them.
  @Test func commitsWhatCameBeforeAFailure() async throws {
    let bench = Bench(sources: [PagedSource(pages: 4, broken: 2)])
    let report = try await bench.sync("paged/all")
    #expect(report.follows.map(\.status) == [.failed])
    #expect(try bench.ids(PagedSource.items) == ["item-0", "item-1"])
    #expect(try bench.record(.state, "follow/paged/all")?["cursor"]?.object?["page"]?.int == 2)
  }

  /// A second pull without changes waits for the disk only once, at its end. If it fails on the way, its position is
  /// stored nevertheless.
  @Test func writesOnceWhereNothingChanged() async throws {
    let store = InMemoryRecordStore()
    _ = try await Bench(store: store, sources: [PagedSource(pages: 50)]).sync("paged/all")
    let before = try store.snapshot().sequence
    _ = try await Bench(store: store, sources: [PagedSource(pages: 50)]).sync("paged/all")
    #expect(try store.snapshot().sequence <= before + 2)
    let bench = Bench(store: store, sources: [PagedSource(pages: 50, broken: 30)])
    _ = try await bench.sync("paged/all")
    #expect(try bench.record(.state, "follow/paged/all")?["cursor"]?.object?["page"]?.int == 30)
  }
}

private struct PagedSource: Source {
  let abilities = SourceAbilities()
  static let items = CollectionName(rawValue: "items")

  let descriptor = SourceDescriptor(
    name: SourceName(rawValue: "paged"), summary: "pages", forms: [.init("paged/all", "")],
    collections: [.init(PagedSource.items, fields: [.init("id")], columns: ["id"])])
  var pages: Int
  /// A page that the remote fails to return.
  var broken: Int?
  /// Called with the number of every requested page.
  var asked: @Sendable (Int, PullContext) async throws(SourceError) -> Void

  init(
    pages: Int, broken: Int? = nil,
    asking: @escaping @Sendable (Int, PullContext) async throws(SourceError) -> Void
  ) {
    (self.pages, self.broken, asked) = (pages, broken, asking)
  }

  init(pages: Int, broken: Int? = nil, asked: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.init(pages: pages, broken: broken) { page, _ in asked(page) }
  }

  func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let page = context.cursor?["page"]?.int ?? 0
    try await asked(page, context)
    if page == broken { throw .transport(TransportError(.timeout, "no answer", url: "http://paged.test", requests: 1)) }
    let item = PulledChange(
      collection: Self.items, id: "item-\(page)", fields: ["id": .string("item-\(page)")], .replace)
    return PullPage(changes: [item], url: "http://paged.test", next: page + 1 < pages ? ["page": .int(page + 1)] : nil)
  }
}

/// A store whose commit of page n waits until page n + 1 or a later one was requested.
private struct HeldStore: WrappedStore, LoadsAtOnce {
  let base: any RecordStore = InMemoryRecordStore()
  let asked: AsyncStream<Int>
  /// The last page that is requested.
  let last: Int
  var ahead = 1

  func write<Result: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result
  ) async throws(StoreError) -> Committed<Result> {
    let committed = try base.snapshot().count(PagedSource.items)
    if committed + ahead <= last { for await page in asked where page == committed + ahead { break } }
    return try await base.write(body)
  }
}
