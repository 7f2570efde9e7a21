import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@testable import almanacd

/// The forms that give sources what they need.
@Suite struct SourceFormTests {
  @Test("a follow without a server leads to the form that takes its address")
  func server() async throws {
    let daemon = try await Daemon(config: #"{"follows": [{"follow": "people"}]}"#)
    let client = daemon.client
    let home = try await daemon.eventually("/") { $0.body.contains("Set it up") }
    #expect(home.body.contains("href=\"/add/people#setup\">Set it up</a>"), "\(home.body)")
    #expect(try await client.get("/follows/people").body.contains("/add/people#setup"))
    let form = try await client.get("/add/people")
    #expect(form.body.contains("1. The server") && !form.body.contains("action=\"/do/follow\""), "\(form.body)")
    let empty = try await client.submit("/do/setup/people", [("url", " ")])
    #expect(empty.status == 422 && empty.body.contains("Type the address of the server"), "\(empty.body)")
    let saved = try await client.submit("/do/setup/people", [("url", daemon.upstream?.url ?? "")])
    #expect(saved.status == 303, "\(saved.body)")
    let open = try await client.get("/add/people").body
    #expect(open.contains("Use another server") && open.contains("action=\"/do/follow\""), "\(open)")
  }

  @Test("a definition is uploaded; one with mistakes, or that runs a program or reads files, is refused")
  func definition() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    func text(_ name: String, _ more: String) -> String {
      """
      {"almanac": 1, "source": "\(name)", "title": "things", \(more), "collections": {"\(name)-all": {"id": "$.id", "fields": \
      {"title": "text $.title"}}}, "follows": {"all": {"get": "/all", "take": {"into": "\(name)-all"}}}}
      """
    }
    let url = #""url": "https://things.example""#
    for (content, says) in [
      ("no JSON", "is not a definition"), ("{}", "has"), (text("flickr", url), "flickr"),
      (text("github", url), "which this one would replace. Add that one from the list"),
      (text("gadgets", #""command": ["/bin/sh", "x"]"#), "gadgets"), ("", "Choose a file"),
    ] {
      let refused = try await client.upload("/do/definition", "definition", "x.json", content)
      #expect(refused.status >= 400 && refused.status < 500 && refused.body.contains(says), "\(content): \(refused)")
      #expect(refused.body.contains("aria-describedby=\"problem-definition\""), "\(content): \(refused.body)")
    }
    let program = #"""
      {"almanac": 1, "source": "gadgets", "title": "gadgets", "command": ["/bin/echo", "{}"], "collections": \#
      {"gadgets-all": {"id": "$.id", "fields": {"title": "text $.title"}}}, "follows": {"all": {"take": {"stream": "x", "into": "gadgets-all"}}}}
      """#
    let refused = try await client.upload("/do/definition", "definition", "x.json", program)
    #expect(refused.body.contains("runs a program or reads files of this machine"), "\(refused.body)")
    let added = try await client.upload("/do/definition", "definition", "x.json", text("things", url))
    #expect(added.status == 303 && added.nextPage == "/add/things", "\(added)")
    #expect(try await client.get("/add/things").body.contains("action=\"/do/follow\""))
    let again = try await client.upload("/do/definition", "definition", "x.json", text("things", url))
    #expect(again.status == 422 && again.body.contains("There is a source things already"), "\(again.body)")
    let names = try await client.get("/api/v1/sources").list("items").compactMap { $0["name"] as? String }
    #expect(names.contains("things") && !names.contains("gadgets"))
  }
}
