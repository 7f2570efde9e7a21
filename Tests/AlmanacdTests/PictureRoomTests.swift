import Models
import Ports
import Synchronization
import Testing

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
  func room(count: Int, days: Int, left: Int) {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let pictures = Pictures((0..<count).map { now + (-days * 86_400 + $0) })
    #expect(DaemonServices.room(in: pictures, most: 100, at: now) == 100 - left * 10)
    #expect(pictures.sizes == left * 10)
  }
}
