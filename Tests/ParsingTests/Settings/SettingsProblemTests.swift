import Models
import Parsing
import Ports
import Testing

@Suite("Config: mistakes")
struct SettingsProblemTests {
  private func problems(_ text: String, sources: [SourceDescriptor]? = nil) -> [String] {
    do throws(SettingsProblems) {
      _ = try JSONSettingsFormat(sources: sources.map { KnownSources($0) }).read(Array(text.utf8))
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test("every mistake at once, in the order of the file")
  func everyMistake() {
    #expect(
      problems(
        """
        {
          "server": {},
          "follows": [
            {"follow": "people", "limits": 5, "every": "0s"},
            {"limit": 0},
            {"follow": "people"},
            7
          ],
          "daemon": {"listen": 7423, "openMetrics": "yes"}
        }
        """) == [
          #"line 2, column 3, server: unknown key "server"; did you mean "servers"?"#,
          #"line 4, column 26, follows[0].limits: unknown key "limits"; did you mean "limit"?"#,
          #"line 4, column 48, follows[0].every: expected a time of at least a second, such as "1h", "15m" or 90 (seconds), found string "0s""#,
          #"line 5, column 5, follows[1]: "follow" is missing: the path to follow"#,
          #"line 5, column 15, follows[1].limit: expected a whole number of at least 1, found number 0"#,
          #"line 6, column 16, follows[2].follow: "people" is in follows[0] already"#,
          #"line 7, column 5, follows[3]: expected an object, found number"#,
          #"line 9, column 24, daemon.listen: expected a string, found number 7423"#,
          #"line 9, column 45, daemon.openMetrics: expected true or false, found string "yes""#,
        ])
  }

  @Test(
    "one mistake each",
    arguments: [
      ("[]", ": expected an object, found array"),
      (#"{"follows": {}}"#, ", follows: expected an array, found object"),
      (#"{"servers": null}"#, ", servers: expected an object, found null"),
      (#"{"servers": {"x": "http://a"}}"#, #", servers.x: expected an object, found string"#),
      (#"{"servers": {"x y": {"url": 1}}}"#, ", servers['x y'].url: expected a string, found number 1"),
      (
        #"{"follows": [{"follow": "a", "limit": 1.5}]}"#,
        ", follows[0].limit: expected a whole number of at least 1, found number 1.5"
      ),
      (
        #"{"follows": [{"follow": "a", "limit": "5"}]}"#,
        #", follows[0].limit: expected a whole number of at least 1, found string "5""#
      ),
      (#"{"follows": [{"follow": ""}]}"#, ", follows[0].follow: expected a string that is not empty"),
      (
        #"{"follows": [{"follow": "a", "follow": "b"}]}"#,
        #", follows[0].follow: "follow" is given again in the same object"#
      ),
      (#"{"follows": [], "follows": []}"#, #", follows: "follows" is given again in the same object"#),
      (
        #"{"daemon": {"port": 1}}"#,
        #", daemon.port: unknown key "port"; allowed are "listen", "openMetrics", "publicURL", "trustedHosts", "socketMode", "socketGroup", "accessLog", "retention", "notifications", "sendmail", "mediaLimit""#
      ),
      (
        #"{"daemon": {"publicURL": "home.example"}}"#,
        #", daemon.publicURL: expected a URL that begins with http:// or https://, found "home.example""#
      ),
      (#"{"daemon": {"publicURL": "https://a/?b"}}"#, ", daemon.publicURL: expected a base URL, without ? and #"),
      (#"{"daemon": {"trustedHosts": "a"}}"#, ", daemon.trustedHosts: expected an array, found string"),
      (#"{"daemon": {"trustedHosts": [1]}}"#, ", daemon.trustedHosts[0]: expected a string, found number 1"),
      (
        #"{"daemon": {"trustedHosts": ["a.example", "*"]}}"#,
        #", daemon.trustedHosts[1]: expected a host, such as "almanac.example" or "almanac.lan:7423", found string "*""#
      ),
      (
        #"{"daemon": {"trustedHosts": ["https://a.example"]}}"#,
        #", daemon.trustedHosts[0]: expected a host, such as "almanac.example" or "almanac.lan:7423", found string "https://a.example""#
      ),
      (#"{"daemon": {"accessLog": 1}}"#, ", daemon.accessLog: expected true or false, found number 1"),
      (
        #"{"daemon": {"retention": {"charts": "long"}}}"#,
        #", daemon.retention.charts: expected a time of at least a second, such as "1h", "15m" or 90 (seconds), found string "long""#
      ),
      (
        #"{"daemon": {"socketMode": 660}}"#,
        #", daemon.socketMode: expected permission bits as octal digits, such as "0660", found number 660"#
      ),
      (
        #"{"daemon": {"socketMode": "1777"}}"#,
        #", daemon.socketMode: expected permission bits as octal digits, such as "0660", found string "1777""#
      ),
      (#"{"daemon": {"socketGroup": ""}}"#, ", daemon.socketGroup: expected a string that is not empty"),
      (#"{"a\u001b[2J": 1}"#, #"unknown key "a\u001b[2J"; allowed are "servers", "follows", "daemon", "mcp""#),
      (#"{"Follows": []}"#, #", Follows: unknown key "Follows"; did you mean "follows"?"#),
      (
        #"{"follows": [{"follwo": "a", "follow": "a"}]}"#,
        #", follows[0].follwo: unknown key "follwo"; did you mean "follow"?"#
      ),
    ])
  func single(text: String, message: String) {
    let found = problems(text)
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix(message) == true, "\(found)")
  }

  @Test(
    "one mistake is one line: what a misspelled key was to be is not missing as well",
    arguments: [
      ("follows: people", ["line 1, column 1: expected an object in JSON"]),
      ("\n # my config\n{}", ["line 2, column 2: expected an object in JSON"]),
      (#"{"servers": {"flickr": {"apiKey": {"envv": "A"}}}}"#, [#"unknown key "envv"; did you mean "env"?"#]),
      (#"{"follows": [{"folow": "people"}]}"#, [#"unknown key "folow"; did you mean "follow"?"#]),
      (
        #"{"daemon": {"notifications": [{"nme": "a", "webhok": "http://h", "onn": {"stale": true}}]}}"#,
        [#"unknown key "nme""#, #"unknown key "webhok""#, #"unknown key "onn""#]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "a@b.c", "on": {"birthday": [1]}}]}}"#,
        [#"unknown event "birthday"; did you mean "birthdays"?"#]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "a@b.c", "on": {"birthdays": [-1, 400]}}]}}"#,
        ["expected a number of days", "0 to 366"]
      ),
      (
        #"{"daemon": {"notifications": [{"webhook": "https://x", "on": {"stale": true}}, {"name": "b", "on": {"stale": true}}]}}"#,
        [#""name" is missing"#, #"expected one of "webhook", "ntfy" and "mail""#]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "ntfy": "https://ntfy.sh", "on": {"stale": true}}]}}"#,
        ["a URL with a topic"]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "x@y", "token": "t", "on": {"stale": true}}]}}"#,
        [#""token" belongs to "ntfy""#]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "-x@y", "on": {"stale": true}}, {"name": "b", "mail": "x@y", "on": {"stale": false}}]}}"#,
        ["expected a mail address", "is told nothing"]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "x@y", "on": {"charts": [{"chart": "people", "top": 10}, {"chart": "app-store/us/new", "top": 0}], "changes": ["state"]}}]}}"#,
        ["is not a chart", "1 to 200", "the name of a collection"]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "ab", "on": {"stale": true}}, {"name": "a", "mail": "a@b.c", "on": {"stale": true}}]}}"#,
        ["expected a mail address", "is the name of another receiver already"]
      ),
      (
        #"{"daemon": {"notifications": [{"name": "a", "mail": "a@b.c", "on": {"stale": true, "charts": [{"chrt": "x"}]}}]}}"#,
        [#"unknown key "chrt"; did you mean "chart"?"#]
      ),
      (#"{"daemon": {"publicURL": "https://home.example/api"}}"#, ["begin with /api itself; choose another path"]),
      (#"{"servers": {"people": {"caFile": 7}}}"#, ["line 1, column 35, servers.people.caFile: expected a string"]),
      (#"{"servers": {"people": {"caFile": "", "insecure": true}}}"#, ["empty", #"unknown key "insecure""#]),
      (#"{"servers": {"people": {"cafile": "x", "keyFile": "x"}}}"#, [#"did you mean "caFile"?"#, "certFile"]),
    ])
  func oneLineEach(text: String, messages: [String]) {
    let found = problems(text)
    #expect(found.count == messages.count, "\(found)")
    for (line, message) in zip(found, messages) { #expect(line.contains(message), "\(line)") }
  }

  @Test("every follow that comes again points to the first")
  func repeatedFollows() {
    #expect(
      problems(#"{"follows": [{"follow": "a"}, {"follow": "a"}, {"follow": "a"}]}"#) == [
        #"line 1, column 42, follows[1].follow: "a" is in follows[0] already"#,
        #"line 1, column 59, follows[2].follow: "a" is in follows[0] already"#,
      ])
  }

  @Test("intervals", arguments: ["\"\"", "\"5\"", "\"1q\"", "0", "-5", "1.5", "null", "\"1 hh\"", "99999999999"])
  func intervals(value: String) {
    #expect(problems(#"{"follows": [{"follow": "a", "every": \#(value)}]}"#).count == 1)
  }

  @Test(
    "addresses",
    arguments: [
      "", "ftp://a", "a.example", "//a", "http:/a", "http://", "http:///x", "http://:80", "http://a:b",
      "http://a:70000",
      "http://a b", "http://a?x=1", "http://a/#x", "http://[::1", "http://[x]", "http://é", "http://a:",
    ])
  func addresses(url: String) {
    #expect(problems(#"{"servers": {"x": {"url": "\#(url)"}}}"#).count == 1, "\(url)")
  }

  @Test(
    "listening",
    arguments: ["7423", ":7423", "a", "a:", "a:70000", "a:b", "::1:7423", "[::1]", "http://a:1", "a b:1", ""])
  func listening(address: String) {
    let found = problems(#"{"daemon": {"listen": "\#(address)"}}"#)
    #expect(found.count == 1 && found[0].contains("daemon.listen: expected host:port"), "\(address): \(found)")
  }

  @Test("keys have their forms, and never stand in a message")
  func keys() {
    for value in [
      "12345678", "[\"12345678\"]", "true", "\"\"", "{}", #"{"env": "A", "file": "B"}"#, #"{"env": 5}"#,
      #"{"file": ""}"#, #"{"environment": "A"}"#,
    ] {
      let found = problems(#"{"servers": {"x": {"apiKey": \#(value)}}}"#)
      #expect(!found.isEmpty, "\(value)")
      #expect(!found.contains { $0.contains("12345678") }, "\(found)")
    }
    #expect(
      problems(#"{"servers": {"x": "12345678"}}"#) == ["line 1, column 19, servers.x: expected an object, found string"]
    )
    let url = problems(#"{"servers": {"x": {"url": "http://me:12345678@a"}, "y": {"url": "me:12345678@a"}}}"#)
    #expect(url.count == 2 && !url.contains { $0.contains("12345678") }, "\(url)")
  }

  @Test("sources are checked where they are known")
  func sources() {
    let text = #"{"servers": {"flikr": {}}, "follows": [{"follow": "users/x"}, {"follow": "app-stor/fr/new"}]}"#
    #expect(problems(text).isEmpty)
    #expect(
      problems(text, sources: Array(SettingsSources.all.prefix(3))) == [
        #"line 1, column 14, servers.flikr: unknown source "flikr"; did you mean "flickr"?"#,
        #"line 1, column 74, follows[1].follow: unknown source "app-stor"; did you mean "app-store"?"#,
      ])
  }

  @Test("what is no JSON is one problem with its place")
  func syntax() {
    #expect(
      problems("{\n  \"follows\": [\n    {\"follow\": \"a\",}\n  ]\n}") == [
        "line 3, column 20, follows[0]: expected a member name in double quotes, found '}' after a comma"
      ])
    for text in ["{", "{\"a\"}", "// x\n{}", "{} {}", "{'a': 1}", "{\"a\":\n"] { #expect(problems(text).count == 1) }
  }

  @Test(
    "options are those of the follow's source",
    arguments: [
      (
        #"{"follow": "app-store/us/new", "gnre": "x"}"#,
        #"column 45, follows[0].gnre: unknown option "gnre"; did you mean "genre"? allowed are "follow", "limit", "every", "paused", "genre", "feed""#
      ),
      (
        #"{"follow": "people", "genre": "x"}"#,
        #"column 35, follows[0].genre: unknown option "genre"; allowed are "follow", "limit", "every", "paused""#
      ),
      (
        #"{"follow": "app-store/us/new", "genre": true}"#,
        "column 54, follows[0].genre: expected a string that is not empty, found true"
      ),
      (
        #"{"follow": "app-store/us/new", "feed": ""}"#,
        #"column 53, follows[0].feed: expected "marketing", found string """#
      ),
      (
        #"{"follow": "app-store/us/new", "feed": "rss"}"#,
        #"column 53, follows[0].feed: the option feed cannot be 'rss'; expected "marketing""#
      ),
      (
        #"{"follow": "flickr/x", "pages": 10}"#,
        "column 46, follows[0].pages: expected a whole number from 1 to 9, found number 10"
      ),
      (
        #"{"follow": "flickr/x", "public": "yes"}"#,
        #"column 47, follows[0].public: expected true or false, found string "yes""#
      ),
      (#"{"follow": "nowhere/x", "genre": "x"}"#, #"column 25, follows[0].follow: unknown source "nowhere""#),
    ])
  func options(follow: String, message: String) {
    let format = JSONSettingsFormat(sources: KnownSources(SettingsSources.all)) { (follow) throws(FollowError) in
      _ = try SettingsSources.all.first { $0.name == follow.source }?.match(follow)
      return follow
    }
    do throws(SettingsProblems) {
      _ = try format.read(Array(#"{"follows": [\#(follow)]}"#.utf8))
      Issue.record("nothing was found")
    } catch {
      #expect(error.problems.count == 1)
      #expect(error.problems.first?.description.hasPrefix("line 1, \(message)") == true, "\(error.problems)")
    }
  }

  @Test("what a source does not accept is reported at the member that it names")
  func refusedFollow() {
    let format = JSONSettingsFormat { (follow) throws(FollowError) in
      let member = (follow.limit ?? 1) < 9 ? nil : "limit"
      guard member == nil, follow.path == "people" else {
        throw FollowError(follow: follow.path, member: member, message: "no", allowed: "people, and fewer than 9")
      }
      return follow
    }
    let text = """
      {"follows": [
        {"follow": "people", "limit": 9},
        {"limit": 1, "follow": "person"},
        {"follow": "people"}]}
      """
    do throws(SettingsProblems) {
      _ = try format.read(Array(text.utf8))
      Issue.record("nothing was found")
    } catch {
      #expect(
        error.problems.map(\.description) == [
          "line 2, column 33, follows[0].limit: no; people, and fewer than 9",
          "line 3, column 26, follows[1].follow: no; people, and fewer than 9",
          #"line 4, column 14, follows[2].follow: "people" is in follows[0] already"#,
        ])
    }
  }
}
