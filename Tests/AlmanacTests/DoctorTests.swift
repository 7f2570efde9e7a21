import TestSupport
import Testing

/// What the doctor says of servers, before anybody finds out by a sync.
@Suite struct DoctorTests {
  @Test(arguments: [
    (#"{"follows": [{"follow": "flickr/interestingness"}]}"#, Int32(77), "flickr needs an API key"),
    (
      #"{"servers": {"flickr": {"apiKey": {"env": "NO_SUCH_KEY"}}}, "follows": [{"follow": "flickr/interestingness"}]}"#,
      77, "NO_SUCH_KEY is not set"
    ),
    (#"{"follows": [{"follow": "people"}]}"#, 78, "no server is configured"),
    (#"{"servers": {"people": {"url": "http://127.0.0.1:9"}}, "follows": [{"follow": "people"}]}"#, 69, "refused"),
  ])
  func namesWhatASyncWouldMeet(config: String, status: Int32, words: String) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let file = try almanac.file("config.json", config)
    let result = try await almanac.run("doctor", "--config", file, "--format", "json")
    #expect(result.status == status, "\(result.out)\(result.err)")
    #expect(result.out.contains(words))
    #expect(try result.object()["ok"] as? Bool == false)
  }
}
