import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What fails is said once, on a line of its own, in the form of the answers; the exit code says it too.
@Suite struct FailedFollowTests {
  /// A recording that answers nothing, and a config with two follows that need it.
  private func failing() throws -> (Program, [String]) {
    let almanac = try Program("almanac")
    let seed = try almanac.file(
      "none.har", #"{"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": []}}"#)
    let config = try almanac.file(
      "config.json",
      """
      {"servers": {"people": {"url": "http://api.example"}, "users": {"url": "http://api.example"}},
       "follows": [{"follow": "people"}, {"follow": "users/ada"}]}
      """)
    return (almanac, ["--seed", seed, "--config", config])
  }

  @Test(arguments: ["table", "json", "jsonl", "csv"], [[], ["--quiet"]])
  func aLineForEachInEveryFormat(format: String, options: [String]) async throws {
    let (almanac, place) = try failing()
    defer { almanac.clean() }
    let result = try await almanac.run(["sync", "--format", format] + options + place)
    #expect(result.status == 69)
    let lines = result.err.split(separator: "\n")
    #expect(lines.count == 2, "\(result.err)")
    for (line, follow) in zip(lines, ["people", "users/ada"]) {
      if format.hasPrefix("json") {
        let error = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(error["kind"] as? String == "seed" && error["follow"] as? String == follow)
        #expect(error["message"] is String && error["retryable"] as? Bool == false)
      } else {
        #expect(line.hasPrefix("almanac: \(follow): "), "\(line)")
        #expect(line.contains("http://api.example/"), "\(line)")
      }
    }
    #expect(result.out.isEmpty == (format == "table" && !options.isEmpty), "\(result.out)")
    if format == "csv" {
      let rows = result.out.split(separator: "\n")
      #expect(rows.first?.hasSuffix(",bytes,error.message") == true)
      for row in rows.dropFirst() { #expect(row.contains("failed") && row.contains("http://api.example"), "\(row)") }
    }
  }

  @Test func fetchingPeopleSaysItToo() async throws {
    let (almanac, place) = try failing()
    defer { almanac.clean() }
    let result = try await almanac.run(["people", "fetch", "--format", "json"] + place)
    #expect(result.status == 69)
    #expect(result.err.hasPrefix(#"{"kind":"seed","#) && result.err.contains(#""follow":"people""#), "\(result.err)")
  }

  /// 69 where every download failed in one way, 1 where in several; 0 where an image came.
  @Test(arguments: [
    ([500, 500], 69), ([404, 404], 69), ([404, 500], 1), ([500, 200], 0),
  ])
  func downloads(answers: [Int], status: Int) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let owners = answers.indices.map {
      #"{"id":"\#($0)@N00","username":"u","iconURL":"http://api.example/\#($0).gif"}"# + "\n"
    }
    let file = try almanac.file("owners.jsonl", owners.joined())
    #expect(try await almanac.run("import", file).status == 0)
    let entries = answers.enumerated().map { index, status in
      """
      {"request": {"method": "GET", "url": "http://api.example/\(index).gif", "headers": []},
       "response": {"status": \(status), "headers": [], "content": {"text": "GIF89a--"}}}
      """
    }
    let seed = try almanac.file(
      "run.har",
      """
      {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [\(entries.joined(separator: ","))]}}
      """)
    let result = try await almanac.run("media", "fetch", "--seed", seed, "--format", "json")
    #expect(result.status == Int32(status), "\(result.out)\(result.err)")
    let failed = answers.filter { $0 != 200 }.count
    #expect(result.err.split(separator: "\n").count == failed, "\(result.err)")
    #expect(try (result.object()["failed"] as? [Any])?.count == failed)
  }

  @Test(arguments: [("12", 1, 1), ("1K", 2, 0), ("0.5KiB", 2, 0), ("5", 0, 2)])
  func sizes(limit: String, fetched: Int, left: Int) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let owners = (0..<2).map { #"{"id":"\#($0)@N00","username":"u","iconURL":"http://api.example/\#($0).gif"}"# + "\n" }
    #expect(try await almanac.run("import", almanac.file("owners.jsonl", owners.joined())).status == 0)
    let entries = ["GIF89a----------------", "GIF89a------"].enumerated().map { index, text in
      """
      {"request": {"method": "GET", "url": "http://api.example/\(index).gif", "headers": []},
       "response": {"status": 200, "headers": [], "content": {"text": "\(text)"}}}
      """
    }
    let seed = try almanac.file(
      "run.har",
      """
      {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [\(entries.joined(separator: ","))]}}
      """)
    let result = try await almanac.run("media", "fetch", "--max-bytes", limit, "--seed", seed, "--format", "json")
    #expect(result.status == 0, "\(result.err)")
    let object = try result.object()
    #expect(object["fetched"] as? Int == fetched && object["left"] as? Int == left, "\(result.out)")
    for number in 0..<left {
      #expect(result.err.contains("http://api.example/\(number).gif: larger than"), "\(result.err)")
    }
    let wrong = try await almanac.run("media", "fetch", "--max-bytes", "1X")
    #expect(wrong.status == 64 && wrong.err.contains("512K"), "\(wrong.err)")
  }
}
