import AlmanacTesting
import Models
import Parsing
import Testing

/// Every parser keeps the promises of its port.
@Suite struct ParserContractTests {
  @Test func appStore() throws {
    try ResponseParserContract.check(
      AppStoreFeedParser(),
      good: """
        {"feed": {"entry": [{"im:name": {"label": "Atlas"}, "im:artist": {"label": "Maker"},
         "im:image": [{"label": "https://img.example/1.png", "attributes": {"height": "53"}}],
         "id": {"label": "https://apps.example/id7", "attributes": {"im:id": "7"}}}]}}
        """)
  }

  @Test func flickrPhotos() throws {
    try ResponseParserContract.check(
      FlickrPhotosParser(),
      good: """
        {"photos": {"page": 1, "pages": "1", "perpage": 100, "total": "1", "photo": [{"id": "51", "owner": "1@N00",
         "secret": "ab", "server": "65535", "farm": 66, "title": "Pier"}]}, "stat": "ok"}
        """)
  }

  @Test func flickrPerson() throws {
    try ResponseParserContract.check(
      FlickrPersonParser(),
      good: """
        {"person": {"id": "1@N00", "nsid": "1@N00", "iconserver": "0", "iconfarm": 0,
         "username": {"_content": "ada"}}, "stat": "ok"}
        """)
  }

  @Test func user() throws {
    try ResponseParserContract.check(
      UserEnvelopeParser(), good: #"{"data": {"userId": "ada", "name": "Ada", "email": "ada@example.com"}}"#)
  }

  @Test func people() throws {
    try ResponseParserContract.check(
      PeopleListParser(), good: #"[{"firstName": "Ada", "lastName": "King", "birthday": "--12-10"}]"#)
  }

  @Test func personAnswer() throws {
    try ResponseParserContract.check(
      PersonAnswerParser(), good: #"{"id": "7", "firstName": "Ada", "lastName": "King", "birthday": "1990-12-10"}"#)
  }
}
