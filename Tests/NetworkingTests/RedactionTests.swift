import Ports
import Testing

@testable import Networking

@Suite struct RedactionTests {
  @Test(arguments: [
    ("https://h/a?api_key=s3cr3t&x=1", "https://h/a?api_key=REDACTED&x=1"),
    ("https://h/a?x=1&API%5FKEY=s3cr3t#f", "https://h/a?x=1&API%5FKEY=REDACTED#f"),
    ("https://user:pw@h/a", "https://REDACTED@h/a"),
    ("https://h/a?access_token=t&auth=u&key=v", "https://h/a?access_token=REDACTED&auth=REDACTED&key=REDACTED"),
    ("https://h/keys?monkey=1", "https://h/keys?monkey=1"),
    ("https://h/topsecret/a?q=topsecret", "https://h/REDACTED/a?q=REDACTED"),
    ("https://h/a?q=a%2Fb%2Bc%3D", "https://h/a?q=REDACTED"),
    ("not a url", "not a url"),
  ])
  func cleansURLs(_ url: String, _ expected: String) {
    #expect(Redaction(secrets: ["topsecret", "a/b+c="]).url(url) == expected)
  }

  @Test func cleansHeaders() {
    let headers: HTTPHeaders = [
      "Authorization": "Bearer abc", "Set-Cookie": "sid=1", "X-Shop-Token": "t", "Location": "/a?token=x",
      "Idempotency-Key": "01h", "ETag": "\"1\"", "X-Echo": "topsecret",
    ]
    let cleaned = Redaction(secrets: ["topsecret"]).headers(headers)
    #expect(
      cleaned.fields.map(\.value) == [
        "REDACTED", "REDACTED", "REDACTED", "/a?token=REDACTED", "01h", "\"1\"", "REDACTED",
      ])
  }

  @Test func cleansBodiesAndKeepsTheirLength() {
    let body = #"{"access_token": "a\"b", "note":"topsecret","path":"a\/b+c=","secret":"photo"}"#
    let cleaned = Redaction(secrets: ["topsecret", "a/b+c="]).body(Array(body.utf8))
    #expect(
      String(decoding: cleaned, as: UTF8.self)
        == #"{"access_token": "xxxx", "note":"xxxxxxxxx","path":"xxxxxxx","secret":"photo"}"#)
    #expect(cleaned.count == body.utf8.count)
  }
}
