import Models
import Parsing
import Ports
import Testing

/// The envelope of Flickr's responses: failures in four formats, and people.
@Suite("Flickr responses and people")
struct AnswerTests {
  private func person(_ text: String) throws -> APIAnswer<Owner> {
    try FlickrPersonParser().parse(Array(text.utf8)).value
  }

  @Test(
    "Flickr's failures, as JSON, JSONP and XML",
    arguments: [
      (#"{"stat":"fail","code":1,"message":"User not found"}"#, "1", "User not found"),
      (#"{"stat":"fail","code":"5","message":"User deleted"}"#, "5", "User deleted"),
      (#"{"stat":"fail","code":105}"#, "105", "the service is not available now"),
      (#"{"stat":"fail"}"#, "unknown", "error unknown without a message"),
      (#"jsonFlickrApi({"stat":"fail", "code":98, "message":"Bad token"})"#, "98", "Bad token"),
      (" jsonFlickrApi ( {\"stat\":\"fail\",\"code\":2} ) ;\n", "2", "unknown user"),
      (
        "<?xml version=\"1.0\"?>\n<rsp stat=\"fail\">\n <err code=\"100\" msg=\"Invalid &quot;key&quot; &amp; more\" />\n</rsp>",
        "100", "Invalid \"key\" & more"
      ),
    ])
  func failures(text: String, code: String, message: String) throws {
    let failure = APIFailure(code: code, message: message)
    for text in [text, "\u{FEFF}\(text)", "\r\n\(text)\r\n"] {
      #expect(try person(text) == .failure(failure))
      #expect(try FlickrPhotosParser().parse(Array(text.utf8)).value == .failure(failure))
    }
  }

  @Test(
    "other bodies are foreign, and say what they are",
    arguments: [
      ("oauth_problem=token_rejected", "an OAuth error: oauth_problem=token_rejected"),
      ("<html><title>502</title></html>", "an HTML page titled '502'"),
      ("\u{FEFF}<html><title>502</title>", "an HTML page titled '502'"),
      ("<?xml version=\"1.0\"?><rsp stat=\"ok\"/>", "an XML document"), ("", "an empty body"),
      ("jsonFlickrApi()", "an empty body"),
    ])
  func foreign(text: String, found: String) throws {
    let error = try #require(throws: ParsingError.self) { try person(text) }
    if text.hasPrefix("json") {
      #expect(error.code == .truncated || error.code == .syntax || error.code == .foreign)
    } else {
      #expect(error.code == .foreign)
      #expect(error.found == found)
      #expect(error.hint != nil)
    }
  }

  @Test("an error within JSONP has its place in the whole body")
  func shifted() throws {
    let text = "jsonFlickrApi(\n{\"photos\": oops})"
    let error = try #require(throws: ParsingError.self) { try FlickrPhotosParser().parse(Array(text.utf8)) }
    #expect(error.offset == 26)
    #expect(error.line == 2)
    #expect(error.column == 12)
    #expect(error.path == "$.photos")
  }

  @Test("a person with every field")
  func everyField() throws {
    let text = #"""
      {"person":{"id":"1@N00","nsid":"1@N00","ispro":1,"iconserver":"8033","iconfarm":9,"path_alias":null,"username":{"_content":"ada"},
      "realname":{"_content":"Ada L."},"location":{"_content":"London"},"photosurl":{"_content":"https:\/\/x.example\/p\/"},
      "profileurl":"https:\/\/x.example\/u\/","photos":{"count":{"_content":"853"}}},"stat":"ok"}
      """#
    #expect(
      try person(text)
        == .success(
          Owner(
            id: "1@N00", username: "ada", realName: "Ada L.", location: "London",
            iconURL: "https://farm9.staticflickr.com/8033/buddyicons/1@N00.jpg", photosURL: "https://x.example/p/",
            profileURL: "https://x.example/u/", photoCount: 853, isPro: true)))
  }

  @Test("nulls, empty texts and zeros are absent")
  func absent() throws {
    let text = #"""
      {"person":{"nsid":"1@N00","ispro":"0","iconserver":"0","iconfarm":0,"username":"ada","realname":{"_content":""},
      "location":null,"photos":{"count":0,"firstdate":{"_content":null}}},"stat":"ok"}
      """#
    #expect(
      try person(text)
        == .success(
          Owner(id: "1@N00", username: "ada", iconURL: Owner.placeholderIconURL, photoCount: 0, isPro: false)))
    #expect(
      try person(#"{"person":{"id":"1@N00","username":"ada"}}"#)
        == .success(Owner(id: "1@N00", username: "ada", iconURL: Owner.placeholderIconURL)))
  }

  @Test(
    "no person is a wrong shape",
    arguments: [
      ("{}", "$.person"), (#"{"person":7}"#, "$.person"), (#"{"person":{"nsid":"1@N00"}}"#, "$.person.username"),
      ("[]", "$"), (#"{"person":{"username":"a"}}"#, "$.person.id"),
      (#"{"person":{"id":"1","username":"a","iconfarm":"x"}}"#, "$.person.iconfarm"),
    ])
  func shapes(text: String, path: String) throws {
    let error = try #require(throws: ParsingError.self) { try person(text) }
    #expect(error.code == .shape)
    #expect(error.path == path)
  }
}
