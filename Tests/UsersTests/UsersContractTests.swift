import AlmanacTesting
import Models
import Parsing
import Ports
import Testing
import Users

struct UsersContractTests {
  @Test(arguments: [true, false]) func holds(wraps: Bool) async throws {
    let body = #"{"userId":"ada","name":"Ada","email":"ada@example.org"}"#
    try await SourceContract(
      source: UsersSource(
        user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: "https://users.example")),
      follow: Follow(path: "users/ada"),
      badFollows: [
        Follow(path: "people"), Follow(path: "users/ada", limit: 3), Follow(path: "users/ada", options: ["genre": "3"]),
      ],
      answers: [
        HTTPResponse(
          status: 200, headers: ["ETag": "\"1\""], body: Array((wraps ? "{\"data\":\(body)}" : body).utf8), url: "")
      ], store: InMemoryRecordStore()
    ).verify()
  }
}
