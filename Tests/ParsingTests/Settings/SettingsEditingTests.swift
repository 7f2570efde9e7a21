import Models
import Parsing
import Ports
import Testing

@Suite("Config: editing")
struct SettingsEditingTests {
  private let format = JSONSettingsFormat()
  private let cats = Follow(path: "flickr/search/cats", limit: 5, every: Interval(seconds: 900))
  private let people = Follow(path: "people")

  private func adding(_ follow: Follow, to text: String) throws -> String {
    let bytes = try format.adding([follow], to: Array(text.utf8))
    // Whatever it looks like, it says what was there and the follow.
    var expected = try format.read(Array(text.utf8))
    if let index = expected.follows.firstIndex(where: { $0.path == follow.path }) {
      expected.follows[index] = follow
    } else {
      expected.follows.append(follow)
    }
    #expect(try format.read(bytes) == expected)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func removing(_ path: String, from text: String) throws -> String? {
    try format.removing(path: path, from: Array(text.utf8)).map { bytes in
      var expected = try format.read(Array(text.utf8))
      expected.follows.removeAll { $0.path == path }
      #expect(try format.read(bytes) == expected)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test(
    "what a misspelled key means is not added beside it",
    arguments: [
      (#"{"folows": [{"follow": "people"}]}"#, "follows", #"unknown key "folows"; did you mean "follows"?"#),
      (#"{"server": {}}"#, "servers.people.url", #"unknown key "server"; did you mean "servers"?"#),
      (#"{"daemon": {"lisen": "127.0.0.1:1"}}"#, "daemon.listen", #"unknown key "lisen"; did you mean "listen"?"#),
    ])
  func misspelled(text: String, place: String, message: String) throws {
    let error = #expect(throws: SettingsProblems.self) {
      if place == "follows" {
        _ = try format.adding([cats], to: Array(text.utf8))
      } else {
        _ = try format.setting(place, to: .string("https://x.example"), in: Array(text.utf8))
      }
    }
    #expect(error?.problems.map(\.message) == [message])
    // Elsewhere, the mistake stays.
    #expect(try format.setting("daemon.openMetrics", to: .bool(true), in: Array(text.utf8)) != nil)
  }

  @Test("into nothing, and into an empty object")
  func intoNothing() throws {
    let file = "{\n  \"follows\": [\n    {\"follow\": \"people\"}\n  ]\n}"
    #expect(try adding(people, to: "") == "\(file)\n")
    #expect(try adding(people, to: " \n") == "\(file)\n")
    #expect(try adding(people, to: "{}") == file)
    #expect(try adding(people, to: "{\n}\n") == "\(file)\n")
  }

  @Test(
    "where there are no follows yet",
    arguments: [
      ("{\n\t\"daemon\": {}\n}\n", "{\n\t\"daemon\": {},\n\t\"follows\": [\n\t\t{\"follow\": \"people\"}\n\t]\n}\n"),
      (
        "{\r\n  \"daemon\" : {}\r\n}",
        "{\r\n  \"daemon\" : {},\r\n  \"follows\" : [\r\n    {\"follow\" : \"people\"}\r\n  ]\r\n}"
      ),
      (#"{"daemon": {}}"#, #"{"daemon": {}, "follows": [{"follow": "people"}]}"#),
      (#"{"daemon":{},"servers":{}}"#, #"{"daemon":{},"servers":{},"follows":[{"follow":"people"}]}"#),
      (
        "{\n  \"follows\": [ ],\n  \"daemon\": {}\n}",
        "{\n  \"follows\": [\n    {\"follow\": \"people\"}\n  ],\n  \"daemon\": {}\n}"
      ),
      (#"{"follows":[]}"#, #"{"follows":[{"follow":"people"}]}"#),
    ])
  func withoutFollows(text: String, expected: String) throws { #expect(try adding(people, to: text) == expected) }

  @Test(
    "after others, laid out as the last of them",
    arguments: [
      (
        "{\"follows\": [\n  {\"follow\": \"users/a\"}\n]}",
        "{\"follows\": [\n  {\"follow\": \"users/a\"},\n  {\"follow\": \"flickr/search/cats\", \"limit\": 5, \"every\": \"15m\"}\n]}"
      ),
      (
        #"{"follows":[{"follow":"a"}]}"#,
        #"{"follows":[{"follow":"a"},{"follow":"flickr/search/cats","limit":5,"every":"15m"}]}"#
      ),
      (
        #"{"follows":[{"follow":"users/a"},{"follow":"users/b","limit":1}]}"#,
        #"{"follows":[{"follow":"users/a"},{"follow":"users/b","limit":1},{"follow":"flickr/search/cats","limit":5,"every":"15m"}]}"#
      ),
      (
        "{\"follows\": [\n  {\n    \"follow\": \"users/a\"\n  }\n]}",
        "{\"follows\": [\n  {\n    \"follow\": \"users/a\"\n  },\n  {\n    \"follow\": \"flickr/search/cats\",\n    \"limit\": 5,\n    \"every\": \"15m\"\n  }\n]}"
      ),
      (
        "{\"follows\": [{ \"follow\" :\"a\" , \"limit\" :1 }\n , { \"follow\" :\"b\" , \"limit\" :1 }]}",
        "{\"follows\": [{ \"follow\" :\"a\" , \"limit\" :1 }\n , { \"follow\" :\"b\" , \"limit\" :1 }\n , { \"follow\" :\"flickr/search/cats\" , \"limit\" :5 , \"every\" :\"15m\" }]}"
      ),
    ])
  func afterOthers(text: String, expected: String) throws { #expect(try adding(cats, to: text) == expected) }

  @Test("the same path is replaced in its place, the same follow changes nothing")
  func replacing() throws {
    let text =
      "{\"follows\": [\n  {\"follow\":\"a\"},\n  {\"follow\":\"people\",\"limit\":3},\n  {\"follow\":\"b\"}\n],\n \"daemon\": { }}"
    #expect(try adding(Follow(path: "people", limit: 9), to: text) == text.replacing("3", with: "9"))
    #expect(try adding(people, to: text) == text.replacing(",\"limit\":3", with: ""))
    let same = #"{"follows": [{"every": "60m", "follow": "people"}]}"#
    #expect(try adding(Follow(path: "people", every: Interval(seconds: 3600)), to: same) == same)
  }

  /// What is new is over lines, indented and spaced as the rest of the file is.
  @Test(
    "a value keeps the layout of the file",
    arguments: [
      // A new file, and one without members.
      ("", "servers.a.url", #""http://a""#, "{\n  \"servers\": {\n    \"a\": {\"url\": \"http://a\"}\n  }\n}\n"),
      ("{}", "daemon.openMetrics", "true", "{\n  \"daemon\": {\"openMetrics\": true}\n}"),
      // A new member of the file, and of an empty object.
      (
        "{\n\t\"follows\": []\n}\n", "servers.a.apiKey", #"{"command": ["pass", "a"]}"#,
        "{\n\t\"follows\": [],\n\t\"servers\": {\n\t\t\"a\": {\n\t\t\t\"apiKey\": {\"command\": [\"pass\", \"a\"]}\n\t\t}\n\t}\n}\n"
      ),
      (
        "{\r\n  \"servers\": {}\r\n}", "servers.a.url", #""http://a""#,
        "{\r\n  \"servers\": {\r\n    \"a\": {\"url\": \"http://a\"}\r\n  }\r\n}"
      ),
      // Every object is over lines, and every array.
      (
        "{\n    \"daemon\": {\n        \"trustedHosts\": [\n            \"a\"\n        ]\n    },\n    \"follows\": [\n        {\n            \"follow\": \"a\"\n        }\n    ]\n}",
        "daemon.retention", #"{"runs": "1d"}"#,
        "{\n    \"daemon\": {\n        \"trustedHosts\": [\n            \"a\"\n        ],\n        \"retention\": {\n            \"runs\": \"1d\"\n        }\n    },\n    \"follows\": [\n        {\n            \"follow\": \"a\"\n        }\n    ]\n}"
      ),
      (
        "{\n  \"daemon\": {\n    \"trustedHosts\": [\n      \"a\"\n    ]\n  }\n}", "daemon.trustedHosts",
        #"["b", "c"]"#,
        "{\n  \"daemon\": {\n    \"trustedHosts\": [\n      \"b\",\n      \"c\"\n    ]\n  }\n}"
      ),
      // An object in one line, and a file in one.
      (
        "{\n  \"servers\": {\"a\": {\"url\": \"http://a\"}}\n}", "servers.b",
        #"{"url": "http://b", "apiKey": {"env": "B"}}"#,
        "{\n  \"servers\": {\"a\": {\"url\": \"http://a\"}, \"b\": {\"url\": \"http://b\", \"apiKey\": {\"env\": \"B\"}}}\n}"
      ),
      (#"{"follows":[]}"#, "servers.a.url", #""http://a""#, #"{"follows":[],"servers":{"a":{"url":"http://a"}}}"#),
      // One value in place of another.
      (
        "{\n  \"servers\": {\n    \"a\": {\"url\": \"http://a\"}\n  }\n}", "servers.a", #"{"apiKey": {"env": "A"}}"#,
        "{\n  \"servers\": {\n    \"a\": {\n      \"apiKey\": {\"env\": \"A\"}\n    }\n  }\n}"
      ),
    ])
  func layout(text: String, place: String, value: String, expected: String) throws {
    let value = try #require(try JSONRecordCoder().decode(Array("{\"value\": \(value)}".utf8))["value"])
    let changed = try #require(try format.setting(place, to: value, in: Array(text.utf8)))
    #expect(String(decoding: changed, as: UTF8.self) == expected)
  }

  @Test("members are escaped")
  func escaping() throws {
    let format = JSONSettingsFormat(sources: KnownSources(SettingsSources.all))
    let odd = Follow(path: "app-store/\"a\\b\"\u{1}é", options: ["genre": "6014", "feed": "marketing"])
    let bytes = try format.adding([odd], to: Array("{}".utf8))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        .contains(#""app-store/\"a\\b\"\u0001é", "genre": "6014", "feed": "marketing""#))
    #expect(try format.read(bytes).follows == [odd])
  }

  @Test("removing the first, one between, the last, the only one")
  func removing() throws {
    let text =
      "{\"follows\": [\n  {\"follow\": \"a\"},\n  {\"follow\": \"b\"},\n  {\"follow\": \"c\"}\n], \"daemon\":{}}"
    for (path, line) in [
      ("a", "{\"follow\": \"a\"},\n  "), ("b", ",\n  {\"follow\": \"b\"}"), ("c", ",\n  {\"follow\": \"c\"}"),
    ] {
      #expect(try removing(path, from: text) == text.replacing(line, with: ""))
    }
    #expect(try removing("a", from: "{\"follows\": [\n  {\"follow\": \"a\"}\n]}\n") == "{\"follows\": []}\n")
    #expect(try removing("x", from: text) == nil)
    #expect(try removing("x", from: "") == nil)
    #expect(try removing("x", from: "{}") == nil)
  }

  @Test("adding and removing again gives the same bytes")
  func thereAndBack() throws {
    for text in [
      "{\"follows\": [\n  {\"follow\": \"a\"}\n]}", #"{"follows":[{"follow":"a","limit":1}],"daemon":{}}"#,
      "{ \"daemon\" : {\n} ,\n\n  \"follows\" : [ { \"follow\" : \"a\" }\n\t, { \"follow\" : \"b\" } ] }\r\n",
    ] {
      #expect(try removing(cats.path, from: try adding(cats, to: text)) == text)
    }
  }

  @Test("a text that is no JSON is not edited")
  func mistakes() {
    #expect(throws: SettingsProblems.self) { try format.adding([people], to: Array("{".utf8)) }
    #expect(throws: SettingsProblems.self) { try format.removing(path: "a", from: Array("{".utf8)) }
  }

  @Test("beside mistakes elsewhere, which stay")
  func besideMistakes() throws {
    let text = #"{"daemon": {"listen": 5}, "follows": ["x", {"follow": "people", "limt": 3}, {"follow": "users/ada"}]}"#
    func edited(_ change: (JSONSettingsFormat, [UInt8]) throws -> [UInt8]?) throws -> String? {
      try change(format, Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    let ada = #"{"follow": "users/ada"}"#
    #expect(
      try edited { try $0.adding([cats], to: $1) }
        == text.replacing(ada, with: ada + #", {"follow": "flickr/search/cats", "limit": 5, "every": "15m"}"#))
    #expect(
      try edited { try $0.adding([Follow(path: "users/ada", limit: 1)], to: $1) }
        == text.replacing(ada, with: #"{"follow": "users/ada", "limit": 1}"#))
    #expect(try edited { try $0.removing(path: "users/ada", from: $1) } == text.replacing(", " + ada, with: ""))
    // What is wrong itself can be removed, but not completed.
    #expect(
      try edited { try $0.removing(path: "people", from: $1) }
        == text.replacing(#"{"follow": "people", "limt": 3}, "#, with: ""))
    let refused = #expect(throws: SettingsProblems.self) { _ = try edited { try $0.adding([people], to: $1) } }
    #expect(refused?.problems.map(\.path) == ["follows[1].limt"])
    #expect(throws: SettingsProblems.self) { _ = try format.adding([people], to: Array(#"{"follows": 5}"#.utf8)) }
    let twice = #"{"follows": [{"follow": "a"}, {"follow": "b"}, {"follow": "a"}]}"#
    #expect(try format.removing(path: "a", from: Array(twice.utf8)) == Array(#"{"follows": [{"follow": "b"}]}"#.utf8))
    let problems = #expect(throws: SettingsProblems.self) { _ = try format.read(Array(text.utf8)) }
    #expect(problems?.problems.count == 3 && problems?.readable?.follows.map(\.path) == ["people", "users/ada"])
  }
}
