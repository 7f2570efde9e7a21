import AlmanacTesting
import Flickr
import Models
import Parsing
import Ports
import Testing

struct PhotosTests {
  private let coder = JSONRecordCoder()

  private func photos(
    _ photos: [Photo], owners: [Owner] = [], listed: [String: Set<ExactString>] = [:]
  ) async throws -> Photos {
    let store = InMemoryRecordStore()
    try await store.put(photos + owners as [any Record], coder)
    return Photos(store: store, coder: coder) { (follow, _) throws(StoreError) in listed[follow] }
  }

  private func photo(_ id: String, _ owner: String, posted: Int? = nil, taken: Int? = nil) -> Photo {
    Photo(
      id: id, ownerID: owner, title: "", thumbnailURL: "https://a.example/s.jpg", imageURL: "https://a.example/l.jpg",
      pageURL: "https://a.example/", takenAt: taken.map { Timestamp(secondsSinceEpoch: $0) },
      postedAt: posted.map { Timestamp(secondsSinceEpoch: $0) })
  }

  private func owner(_ id: String, _ name: String) -> Owner {
    Owner(id: id, username: name, iconURL: "https://a.example/\(id).jpg")
  }

  @Test func anUnknownOwnerIsAnErrorWithTheOwnersThereAre() async throws {
    let photos = try await photos(
      [photo("1", "7@N01"), photo("2", "8@N01")], owners: [owner("7@N01", "Ada"), owner("9@N01", "Grace")])
    let failure = #expect(throws: Failure.self) { try photos.photos(PhotoQuery(owner: "Gracie")) }
    #expect(failure?.reason == .notFound && failure?.hint?.hasPrefix("did you mean 'Grace'?") == true)
    #expect(failure?.hint?.hasSuffix("the owners are Ada, Grace") == true, "\(String(describing: failure))")
    // Somebody without photos is no mistake.
    #expect(try photos.photos(PhotoQuery(owner: "grace")).isEmpty)
    #expect(try photos.photos(PhotoQuery(owner: "8@n01")).map(\.photo.id) == ["2"])
  }

  @Test func theListOfAFollowIsTurnedOverFromAnyOfItsPhotos() async throws {
    let photos = try await photos(
      [
        photo("1", "7@N01", posted: 3), photo("2", "8@N01", posted: 2), photo("3", "7@N01", posted: 1),
        photo("4", "7@N01"),
      ],
      owners: [owner("7@N01", "Ada")], listed: ["flickr/search/cats": ["1".exact, "2".exact, "3".exact, "9".exact]])
    func ids(_ query: PhotoQuery) throws -> [String] { try photos.photos(query).map(\.photo.id) }
    var query = PhotoQuery(follow: "flickr/search/cats", limit: 2)
    #expect(try ids(query) == ["1", "2"])
    #expect(try photos.photos(query) { _ in .stop } == 3)
    query.after = "2"
    #expect(try ids(query) == ["3"])
    query.owner = "ada"
    query.after = nil
    #expect(try ids(query) == ["1", "3"])
    #expect(try ids(PhotoQuery(after: "3", limit: 5)) == ["4"])
    query.after = "4"
    #expect(throws: Failure.self) { try ids(query) }
    let failure = #expect(throws: Failure.self) { try ids(PhotoQuery(follow: "flickr/search/dogs")) }
    #expect(failure?.reason == .notFound && failure?.message.contains("flickr/search/dogs") == true)
  }

  @Test func showTheOwnersNameOrId() async throws {
    let listings = try await photos(
      [photo("1", "7@N01"), photo("2", "8@N01")], owners: [owner("7@N01", "Ada")]
    ).photos(PhotoQuery())
    #expect(listings.map(\.owner) == ["Ada", "8@N01"])
    #expect(listings.map(\.iconURL) == ["https://a.example/7@N01.jpg", nil])
  }

  @Test func newestComesFirstThenById() async throws {
    let listings = try await photos([
      photo("9", "7@N01"), photo("1", "7@N01", taken: 200), photo("3", "7@N01", posted: 100),
      photo("2", "7@N01", posted: 100), photo("4", "7@N01", posted: 300, taken: 1), photo("10", "7@N01"),
    ]).photos(PhotoQuery())
    #expect(listings.map(\.photo.id) == ["4", "1", "2", "3", "10", "9"])
  }

  @Test(arguments: [("ada", ["1"]), ("7@n01", ["1"]), ("8@N01", ["2"]), ("9@n01", []), ("Bo", [])])
  func onlyOfOneOwner(owner name: String, ids: [String]) async throws {
    let listings = try await photos(
      [photo("1", "7@N01"), photo("2", "8@N01")], owners: [owner("7@N01", "Ada"), owner("9@N01", "Bo")]
    ).photos(PhotoQuery(owner: name))
    #expect(listings.map(\.photo.id) == ids)
  }
}
