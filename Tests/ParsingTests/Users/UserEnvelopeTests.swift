import Models
import Parsing
import Ports
import Testing

/// Users in and out of envelopes.
@Suite("User envelopes")
struct UserEnvelopeTests {
  private func answer(_ text: String) throws -> APIAnswer<Profile> {
    try UserEnvelopeParser().parse(Array(text.utf8)).value
  }

  @Test(
    "wrapped or bare, ids as text or number, under three names",
    arguments: [
      #"{"data":{"userId":"7","name":"Ada","email":"a@x.example","description":"d"}}"#,
      #"{"userId":7,"name":"Ada","email":"a@x.example","description":"d"}"#,
      #"{"data":{"id":7,"name":"Ada","email":"a@x.example","description":"d"},"support":{}}"#,
      #"{"number":"7","name":"Ada","email":"a@x.example","description":"d","error":null}"#,
    ])
  func users(text: String) throws {
    #expect(try answer(text) == .success(Profile(id: "7", name: "Ada", email: "a@x.example", description: "d")))
  }

  @Test("no description stays none; an empty one stays empty")
  func description() throws {
    #expect(
      try answer(#"{"id":"7","name":"A","email":"e","description":null}"#)
        == .success(Profile(id: "7", name: "A", email: "e")))
    #expect(
      try answer(#"{"id":"7","name":"A","email":"e","description":""}"#)
        == .success(Profile(id: "7", name: "A", email: "e", description: "")))
  }

  @Test("an empty name or address is the user's own business")
  func empty() throws {
    #expect(try answer(#"{"id":"7","name":"","email":""}"#) == .success(Profile(id: "7", name: "", email: "")))
  }

  @Test(
    "the API's own errors",
    arguments: [
      (#"{"error":{"code":404,"message":"no such user"}}"#, "404", "no such user"),
      (#"{"error":{"code":"E7"},"data":null}"#, "E7", "error E7 without a message"),
      (#"{"error":"gone"}"#, "error", "gone"),
    ])
  func failures(text: String, code: String, message: String) throws {
    #expect(try answer(text) == .failure(APIFailure(code: code, message: message)))
  }

  @Test(
    "anything else is a wrong shape",
    arguments: [
      ("{}", "$.userId"), (#"{"data":{}}"#, "$.data.userId"), (#"{"data":[]}"#, "$.data"),
      (#"{"data":null}"#, "$.data"),
      (#"{"id":"7","email":"e"}"#, "$.name"), (#"{"id":"7","name":"A","email":null}"#, "$.email"), ("[]", "$"),
      (#"{"id":"7","name":["A"],"email":"e"}"#, "$.name"),
    ])
  func shapes(text: String, path: String) throws {
    let error = try #require(throws: ParsingError.self) { try answer(text) }
    #expect(error.code == .shape)
    #expect(error.path == path)
  }
}
