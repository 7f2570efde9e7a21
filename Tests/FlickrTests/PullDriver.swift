import AlmanacTesting
import Flickr
import Models
import Parsing
import Ports
import Synchronization

/// Pulls as an engine does, page by page, and keeps what comes.
final class PullDriver {
  let store: InMemoryRecordStore
  let source: FlickrSource
  let coder = JSONRecordCoder()
  private(set) var cursor: JSONObject?
  private(set) var sourceState: JSONObject = [:]
  private(set) var rejects: [RejectedRecord] = []
  private(set) var progress: [PullPage.Progress] = []
  /// The requests that were said to come.
  let expected = Expected()

  final class Expected: Sendable {
    private let list = Mutex<[HTTPRequest]>([])

    var requests: [HTTPRequest] { list.withLock { $0 } }

    func add(_ request: HTTPRequest) { list.withLock { $0.append(request) } }
  }

  init(
    store: InMemoryRecordStore = InMemoryRecordStore(), source: FlickrSource? = nil, cursor: JSONObject? = nil,
    sourceState: JSONObject = [:]
  ) {
    (self.store, self.source) = (store, source ?? PullDriver.source())
    (self.cursor, self.sourceState) = (cursor, sourceState)
  }

  static func source(key: String? = "k", url: String? = "https://flickr.example") -> FlickrSource {
    FlickrSource(
      photos: FlickrPhotosParser(), person: FlickrPersonParser(), coder: JSONRecordCoder(),
      settings: Settings.Server(url: url), apiKey: key.map { .given($0, from: "a test") } ?? .absent)
  }

  /// Pulls until the end, or until so many pages were committed, as if the process was killed then.
  @discardableResult
  func pull(
    _ follow: Follow, from flickr: FakeFlickr, run: String = "run", jobs: Int = 1, pages: Int = .max
  ) async throws -> [PullPage] {
    var pulled: [PullPage] = []
    repeat {
      var context = PullContext(
        transport: flickr.transport, snapshot: try store.snapshot(), cursor: cursor, sourceState: sourceState,
        now: Timestamp(secondsSinceEpoch: 1_780_000_000), run: run, jobs: jobs)
      context.expect = { [expected] in expected.add($0) }
      let page = try await source.pull(follow, context)
      _ = try await store.write { [coder] (transaction) throws(StoreError) in
        for change in page.changes {
          try transaction.put(coder.encode(change.fields), id: change.id, in: change.collection)
        }
      }
      cursor = page.next
      if let sourceState = page.sourceState { self.sourceState = sourceState }
      rejects += page.rejects.kept
      if let progress = page.progress { self.progress.append(progress) }
      pulled.append(page)
    } while cursor != nil && pulled.count < pages
    return pulled
  }

  func owner(_ nsid: String) throws -> Owner? { try store.snapshot().record(Owner.self, nsid, coder) }

  func count(_ collection: CollectionName) throws -> Int { try store.snapshot().count(collection) }
}
