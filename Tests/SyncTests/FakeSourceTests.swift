import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite struct FakeSourceTests {
  @Test func keepsTheContract() async throws {
    let coder = JSONRecordCoder()
    let card: JSONObject = ["id": "one", "color": "red"]
    try await SourceContract(
      source: FakeSource(coder: coder, edits: Bench.edits()), follow: Follow(path: "fake/card/one"),
      badFollows: [Follow(path: "fake/other"), Follow(path: "fake/notes", limit: 101), Follow(path: "fake/card/")],
      answers: [HTTPResponse(status: 200, body: coder.encode(card), url: "http://fake.test/cards/one")],
      store: InMemoryRecordStore()
    ).verify()
  }
}
