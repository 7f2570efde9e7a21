import AlmanacTesting
import Foundation
import Models
import Ports
import Synchronization
import Testing
import UpstreamKit

@testable import almanacd

/// The room that the pictures of a store may take.
@Suite struct PictureRoomTests {
  /// Pictures of 10 bytes each; the first ones were not used for the longest time.
  private final class Pictures: MediaStore {
    let lastUses: Mutex<[Timestamp]>

    init(_ lastUses: [Timestamp]) { self.lastUses = Mutex(lastUses) }

    var sizes: Int { lastUses.withLock { $0.count * 10 } }

    func evict(to most: Int, unusedSince unused: Timestamp) throws(StoreError) -> Int {
      lastUses.withLock { uses in
        while uses.count * 10 > most, let first = uses.first, first < unused { uses.removeFirst() }
        return uses.count * 10
      }
    }

    func item(for url: String) throws(StoreError) -> MediaItem? { nil }
    func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem {
      throw StoreError(.cannotWrite, "not used here", path: "")
    }
    func bytes(of item: MediaItem) throws(StoreError) -> [UInt8] { [] }
    func count() throws(StoreError) -> Int { sizes / 10 }
    func isEvicted(_ url: String) throws(StoreError) -> Bool { false }
    func want(_ url: String) throws(StoreError) {}
  }

  @Test(
    "nothing is removed before nine tenths are in use; then what was not used for a week, until eight tenths remain",
    arguments: [(10, 30, 8), (10, 8, 8), (10, 6, 10), (9, 30, 9), (5, 30, 5), (12, 6, 12)])
  func room(count: Int, days: Int, left: Int) throws {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let pictures = Pictures((0..<count).map { now + (-days * 86_400 + $0) })
    #expect(try DaemonServices.room(in: pictures, most: 100, at: now) == 100 - left * 10)
    #expect(pictures.sizes == left * 10)
  }

  private final class Asked: MediaService {
    let most = Mutex<[Int?]>([])

    func fetch(maxBytes: Int?) async throws(Failure) -> MediaReport {
      most.withLock { $0.append(maxBytes) }
      return MediaReport()
    }
    func fetch(image url: String) async throws(Failure) -> MediaItem { throw Failure(.store, .notFound, "none") }
  }

  /// A fetch with so much room, or with a store that fails.
  private static func fetch(_ room: Result<Int, StoreError>) async -> (fetch: PictureFetch, asked: [Int?]) {
    let (time, media) = (ManualTime(), Asked())
    let services = Scheduler.Services(
      sync: FakeSync(time: time), store: QuietStore(store: InMemoryRecordStore()), outbox: FakeOutbox(list: { [] }),
      time: time, random: SeededRandom(seed: 1), events: RecordedEvents(),
      roomForMedia: { () throws(StoreError) in try room.get() })
    return (await PictureFetch.made(by: media, services, most: 1000), media.most.withLock { $0 })
  }

  @Test("a fetch takes no more than there is room for, and asks for nothing where there is none")
  func limit() async {
    #expect(await Self.fetch(.success(400)).asked == [400])
    #expect(await Self.fetch(.success(4000)).asked == [1000])
    let full = await Self.fetch(.success(0))
    #expect(full.asked.isEmpty && full.fetch.problem?.contains("all the room") == true)
    var problems = PictureProblems()
    #expect(problems.news(in: full.fetch).count == 1)
  }

  @Test("a server that is silent is not a lack of room: nothing is reported but the store's own problem")
  func silentStore() async {
    var problems = PictureProblems()
    let silent = await Self.fetch(.failure(StoreError(.unreachable, "the server does not answer")))
    #expect(silent.asked.isEmpty && silent.fetch.isInterrupted, "\(silent.fetch)")
    #expect(silent.fetch.problem == "the server does not answer" && problems.news(in: silent.fetch).isEmpty)
    // A damaged picture lasts.
    let damaged = await Self.fetch(.failure(StoreError(.damaged, "a picture is damaged")))
    #expect(problems.news(in: damaged.fetch) == ["pictures: a picture is damaged"])
  }

  /// Whether pictures are missing after a fetch: left for later, larger than the room, or there was none.
  private static func isShort(_ fetch: WebClient.Reply?) throws -> Bool {
    guard let fields = try fetch?.object() else { return false }
    return ["left", "failed"].contains { fields[$0] as? Int ?? 0 > 0 } || fields["problem"] is String
  }

  @Test("the pictures of a store stay below daemon.mediaLimit")
  func setting() async throws {
    let most = 300
    let upstream = try Upstream(UpstreamOptions())
    let daemon = try await Daemon(
      config: Daemon.config(
        ["app-store/us/top-paid"], url: upstream.url, more: #", "daemon": {"mediaLimit": \#(most)}"#))
    try await daemon.log(holds: "synced")
    // The daemon fetches by itself, too: a request may join a fetch that began before the list was stored.
    var fetch: WebClient.Reply?
    for _ in 0..<3 where try !Self.isShort(fetch) {
      _ = try await daemon.client.post("/api/v1/media/fetch", "{}")
      fetch = try await daemon.eventually("/api/v1/media/fetch") { try $0.object()["state"] as? String == "done" }
    }
    #expect(try Self.isShort(fetch), "\(fetch?.body ?? "")")
    let files = try FileManager.default.subpathsOfDirectory(atPath: daemon.program.store + "/media")
      .filter { !$0.contains(".") }
    let sizes = try files.compactMap { name -> Int? in
      let attributes = try FileManager.default.attributesOfItem(atPath: daemon.program.store + "/media/" + name)
      return attributes[.type] as? FileAttributeType == .typeRegular ? attributes[.size] as? Int : nil
    }
    #expect(!sizes.isEmpty && sizes.reduce(0, +) <= most, "\(files) \(sizes) \(fetch?.body ?? "")")
  }
}
