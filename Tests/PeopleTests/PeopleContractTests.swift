import AlmanacTesting
import Models
import Ports
import Testing

struct PeopleContractTests {
  @Test(arguments: ["[%]", "{\"data\":[%]}"]) func holds(envelope: String) async throws {
    let body = envelope.replacing(
      "%",
      with: #"{"id":1,"firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10"},"#
        + #"{"firstName":"Grace","lastName":"Hopper","birthday":"--12-09"},{"id":"3","birthday":"never"}"#)
    try await SourceContract(
      source: PeopleHouse().source, follow: Follow(path: "people"),
      badFollows: [Follow(path: "people/1"), Follow(path: "users/1"), Follow(path: "people", limit: 5)],
      answers: [HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: Array(body.utf8), url: "")],
      store: InMemoryRecordStore()
    ).verify()
  }
}
