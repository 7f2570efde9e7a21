import AlmanacTesting
import Library
import Models
import Ports
import Testing

struct LibraryChangesTests {
  private let fixture = LibraryFixture()

  @Test func theFeedHoldsWhatUsersSee() async throws {
    for index in 0..<400 {
      try await fixture.put(.state, ["{\"id\":\"\(index)\"}"])
      if index % 100 == 99 { try await fixture.put(.people, ["{\"id\":\"\(index)\"}"]) }
    }
    #expect(try fixture.library.changes(since: nil, limit: 10).map(\.id) == ["99", "199", "299", "399"])
    let first = try fixture.library.changes(since: nil, limit: 2)
    #expect(first.map(\.id) == ["99", "199"])
    let second = try fixture.library.changes(since: first.last?.cursor, limit: 3)
    #expect(second.map(\.id) == ["299", "399"])
    #expect(try fixture.library.changes(since: second.last?.cursor, limit: 3).isEmpty)
    #expect(try fixture.library.changes(since: nil, limit: 0).isEmpty)
  }

  @Test func aCursorThatIsNoneIsAMistake() {
    let error = #expect(throws: Failure.self) {
      try fixture.library.changes(since: ChangeCursor("yesterday"), limit: 1)
    }
    #expect(error?.reason == .usage)
  }
}
