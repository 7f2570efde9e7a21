import Ports
import Synchronization

final class FakeMediaStore: MediaStore {
  private let images = Mutex<[String: (item: MediaItem, bytes: [UInt8])]>([:])
  private let failure = Mutex<StoreError?>(nil)

  func failNextKeep(with error: StoreError) { failure.withLock { $0 = error } }

  var urls: [String] { images.withLock { $0.keys.sorted() } }

  func item(for url: String) throws(StoreError) -> MediaItem? { images.withLock { $0[url]?.item } }

  func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem {
    if let error = failure.withLock({ $0.take() }) { throw error }
    let item = MediaItem(digest: "\(bytes.count)", type: type, bytes: bytes.count)
    images.withLock { $0[url] = (item, bytes) }
    return item
  }

  func bytes(of item: MediaItem) throws(StoreError) -> [UInt8] {
    images.withLock { $0.values.first { $0.item == item }?.bytes ?? [] }
  }

  func count() throws(StoreError) -> Int { images.withLock { $0.count } }
}
