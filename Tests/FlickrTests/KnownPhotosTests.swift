import AlmanacTesting
import Flickr
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// Pages of photos that did not change are not read again; owners who are missing are asked for nevertheless.
@Suite struct KnownPhotosTests {
  private let store = InMemoryRecordStore(time: ManualTime())
  private let reads = CountedPhotos()

  private func sync(_ flickr: FakeFlickr, limit: Int = 4000) async throws -> FollowReport {
    let coder = JSONRecordCoder()
    let source = FlickrSource(
      photos: reads, person: FlickrPersonParser(), coder: coder,
      settings: Settings.Server(url: "https://flickr.example"), apiKey: .given("k", from: "a test"))
    let engine = SyncEngine(
      store: ExplainedStore(store), sources: [source], transport: flickr.transport, coder: coder, time: ManualTime(),
      random: SeededRandom(), events: RecordedEvents())
    return try await engine.sync([Follow(path: "flickr/search/cats", limit: limit)], SyncOptions()).follows[0]
  }

  @Test func areNotRead() async throws {
    let flickr = FakeFlickr(photos: 1200, owners: 3)
    #expect(try await sync(flickr).counts.added == 1203)
    #expect(reads.taken() == 3)
    let sequence = try store.snapshot().sequence
    let again = try await sync(flickr)
    #expect(again.status == .unchanged && again.counts.unchanged == 1200)
    #expect(reads.taken() == 0)
    #expect(try store.snapshot().sequence == sequence, "the clock stood still, so that nothing was written")
    #expect(flickr.asked.count == 3)
    // An owner who is not stored any more is asked for, as if the page was read.
    try await store.delete(.owners, [FakeFlickr.nsid(1)])
    #expect(try await sync(flickr).counts.added == 1)
    #expect(reads.taken() == 0)
    #expect(flickr.asked.count == 4)
    var entries = flickr.entries
    entries[700] = FakeFlickr.Entry(id: entries[700].id, owner: FakeFlickr.nsid(9))
    let changed = try await sync(FakeFlickr(entries))
    #expect(changed.counts.updated == 1 && changed.counts.added == 1)
    #expect(reads.taken() == 1)
  }

  /// A page of which the limit takes a part is read.
  @Test func areReadAtTheLimit() async throws {
    let flickr = FakeFlickr(photos: 1200, owners: 3)
    _ = try await sync(flickr, limit: 700)
    #expect(reads.taken() == 2)
    #expect(try await sync(flickr, limit: 700).status == .unchanged)
    #expect(reads.taken() == 1)
  }
}

/// Counts the pages that are read.
private final class CountedPhotos: ResponseParser {
  private let base = FlickrPhotosParser()
  private let count = Mutex(0)

  /// The number since the last call.
  func taken() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<PhotoPage>> {
    count.withLock { $0 += 1 }
    return try base.parse(body)
  }
}
