import Models
import Parsing
import Ports
import Testing

@Suite("Config: texts of any kind")
struct SettingsMutationTests {
  private let format = JSONSettingsFormat()

  /// `ALMANAC_MUTATIONS` is the number of files.
  @Test("mutated files: no crash, every mistake has a place in the file")
  func mutations() {
    let sample = Array(
      #"{"servers":{"flickr":{"url":"http://a/","apiKey":{"env":"K"}}},"follows":[{"follow":"a","limit":5,"every":"1h"},{"follow":"b","genre":6}],"daemon":{"listen":"a:1","openMetrics":true}}"#
        .utf8)
    let pieces = ["{", "}", "[", "]", ",", ":", "\"", "null", "1e9", "\"follow\":", "\\u", "{}", "\"a\""]
    var mutator = Mutator(seeds: [sample], tokens: pieces.map { Array($0.utf8) }, seed: 3)
    for _ in 0..<Chance.count("ALMANAC_MUTATIONS", otherwise: 2000) { check(mutator.next()) }
  }

  private func check(_ bytes: [UInt8]) {
    do {
      let settings = try format.read(bytes)
      let more = try format.adding([Follow(path: "x/y", limit: 1)], to: bytes)
      #expect(try format.read(more).follows == settings.follows + [Follow(path: "x/y", limit: 1)])
      #expect(try format.removing(path: "x/y", from: more).map { try format.read($0) } == settings)
    } catch let error as SettingsProblems {
      let lines = 1 + bytes.count { $0 == 0x0A }
      for problem in error.problems
      where !(1...lines).contains(problem.line) || problem.column < 1 || problem.message.isEmpty {
        Issue.record("\(problem)")
      }
      if error.problems.isEmpty { Issue.record("no problem named") }
    } catch {
      Issue.record(error)
    }
  }

  @Test("600 edits in a row of a file of any layout: the rest stays as it was")
  func edits() throws {
    var chance = Chance(seed: 9)
    for start in [
      "", "{}", "{\n\t\"daemon\": { },\n\t\"follows\": [\n\t]\n}\n", #"{"follows":[{"follow":"p/0"}],"daemon":{}}"#,
      "{ \"servers\" : { } }", "{\r\n  \"follows\": [\r\n    {\r\n      \"follow\": \"p/1\"\r\n    }\r\n  ]\r\n}\r\n",
    ] {
      var bytes = Array(start.utf8)
      var expected = try format.read(bytes).follows
      for _ in 0..<100 {
        let path = "p/\(chance.next(8))"
        let index = expected.firstIndex { $0.path == path }
        if chance.next(2) == 0 {
          let limit = chance.next(2) == 0 ? 1 + chance.next(9) : nil
          let follow = Follow(path: path, limit: limit, every: limit.map { Interval(seconds: $0) })
          bytes = try format.adding([follow], to: bytes)
          if let index { expected[index] = follow } else { expected.append(follow) }
        } else {
          let removed = try format.removing(path: path, from: bytes)
          #expect((removed == nil) == (index == nil))
          bytes = removed ?? bytes
          if let index { expected.remove(at: index) }
        }
        #expect(try format.read(bytes).follows == expected)
      }
    }
  }
}
