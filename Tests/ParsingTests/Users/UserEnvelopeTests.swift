import Models
import Parsing
import Ports
import Testing

/// Users as REST services write them, in words of our own: what each becomes.
@Suite("User envelopes")
struct UserEnvelopeTests {
  private func user(_ body: String) -> String {
    do throws(ParsingError) {
      switch try UserEnvelopeParser().parse(Array(body.utf8)).value {
      case .success(let user): return "\(user.id) \(user.name) \(user.email) \(user.description ?? "-")"
      case .failure(let failure): return "\(failure.code): \(failure.message)"
      }
    } catch {
      return "\(error.code) \(error.path)"
    }
  }

  @Test(
    "a user, bare and wrapped, its id by any name",
    arguments: [
      #"{"data":{"userId":"7","name":"N","email":"e"}}"#, #"{"userId":7,"name":"N","email":"e"}"#,
      #"{"data":{"id":"7","name":"N","email":"e","description":null},"support":{}}"#,
      #"{"number":"7","name":"N","email":"e"}"#, #"{"data":[{"userId":"7","name":"N","email":"e"}]}"#,
      #"{"error":null,"data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":false,"data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":"","data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":{},"data":{"userId":"7","name":"N","email":"e"}}"#,
      "\u{FEFF}{\"data\":\r\n{\"userId\":\"7\",\"name\":\"N\",\"email\":\"e\"}}\r\n",
      #"{"data":{"userId":"7","name":"old","name":"N","email":"e"}}"#,
    ])
  func users(body: String) {
    #expect(user(body) == "7 N e -")
  }

  @Test("a description, and empty texts, which are the user's own business")
  func texts() {
    #expect(user(#"{"id":"7","name":"N","email":"e","description":"d"}"#) == "7 N e d")
    #expect(user(#"{"id":"7","name":"","email":"","description":""}"#) == "7   ")
  }

  @Test(
    "errors of the API, and bodies without a user",
    arguments: [
      (#"{"error":{"code":404,"message":"gone"}}"#, "404: gone"),
      (#"{"error":{"code":"E7"},"data":null}"#, "E7: error E7 without a message"),
      (#"{"error":"not found"}"#, "error: not found"), (#"{"error":true,"message":"m"}"#, "error: m"),
      (#"{"error":404,"message":"m"}"#, "error: 404"), (#"{"error":["a","b"]}"#, "error: a"),
      (#"{"error":{"code":1,"message":"m"},"data":null}"#, "1: m"), ("{}", "shape $.userId"),
      (#"{"data":{}}"#, "shape $.data.userId"), (#"{"data":null}"#, "shape $.data"), (#"{"data":[]}"#, "shape $.data"),
      (#"{"data":[{"userId":"7","name":"N","email":"e"},{"userId":"8","name":"M","email":"f"}]}"#, "shape $.data"),
      ("[]", "shape $"), ("null", "shape $"), ("", "foreign $"), ("<html>", "foreign $"),
      (#"{"data":{"name":"N","email":"e"}}"#, "shape $.data.userId"),
      (#"{"data":{"userId":"7","name":null,"email":"e"}}"#, "shape $.data.name"),
      (#"{"id":"7","name":["A"],"email":"e"}"#, "shape $.name"), (#"{"id":"7","email":"e"}"#, "shape $.name"),
      (#"{"id":"7","name":"A","email":null}"#, "shape $.email"),
    ])
  func errors(body: String, expected: String) {
    #expect(user(body) == expected)
  }
}
