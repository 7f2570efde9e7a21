import Models
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("limits", "limit"), ("limt", "limit"), ("LIMIT", "limit"), ("ilmit", "limit"), ("evry", "every"), ("x", nil),
    ("", nil), ("something else", nil), ("genre", "genre"),
  ])
  func finds(text: String, name: String?) {
    #expect(NearestName.of(text, among: ["limit", "every", "genre"]) == name)
  }

  @Test func theLimitIsKept() {
    #expect(NearestName.of("uss", among: ["fr", "us"], within: 1) == "us")
    #expect(NearestName.of("uxx", among: ["fr", "us"], within: 1) == nil)
    // A swap counts once.
    #expect(NearestName.of("rf", among: ["us", "fr"], within: 1) == "fr")
  }
}
