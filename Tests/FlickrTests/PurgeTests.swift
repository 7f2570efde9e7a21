import AlmanacTesting
import Flickr
import Models
import Ports
import Testing

/// What a follow of photos brought: photos, and the owners whom nothing else needs.
@Suite struct PurgeTests {
  private func filled() async throws -> PullDriver {
    let driver = PullDriver()
    let flickr = FakeFlickr([
      .init(id: "1", owner: "1@N00"), .init(id: "2", owner: "2@N00"), .init(id: "3", owner: "1@N00"),
    ])
    try await driver.pull(Follow(path: "flickr/search/cats"), from: flickr)
    #expect(try driver.count(.owners) == 2)
    return driver
  }

  @Test func theLastListTakesAllPhotos() async throws {
    let driver = try await filled()
    let (cats, snapshot) = (Follow(path: "flickr/search/cats"), try driver.store.snapshot())
    let person = Follow(path: "flickr/person/2@N00")
    let photos = ["1", "2", "3"].map { RecordName(.photos, $0) }
    #expect(try driver.source.records(of: cats, besides: [], in: snapshot) == photos)
    #expect(try driver.source.records(of: cats, besides: [person], in: snapshot) == photos)
    #expect(try driver.source.records(of: cats, besides: [Follow(path: "flickr/search/dogs")], in: snapshot) == nil)
  }

  @Test func anOwnerGoesWithTheLastPhoto() async throws {
    let driver = try await filled()
    let source = driver.source
    let (first, second) = (RecordName(.owners, "1@N00"), RecordName(.owners, "2@N00"))
    let photos = ["1", "2"].map { RecordName(.photos, $0) }
    let owners = try source.dependents(of: photos, in: driver.store.snapshot())
    #expect(owners == [first, second])
    try await driver.store.delete(.photos, photos.map(\.id))
    let snapshot = try driver.store.snapshot()
    #expect(try source.unneeded(owners, besides: [], in: snapshot) == [second])
    let person = Follow(path: "flickr/person/2@N00")
    #expect(try source.unneeded(owners, besides: [person], in: snapshot) == [])
    // A person who is not followed any more stays as the owner of a photo.
    #expect(try source.records(of: person, besides: [], in: snapshot) == [second])
    #expect(try source.records(of: Follow(path: "flickr/person/1@N00"), besides: [], in: snapshot) == [])
  }
}
