import AlmanacTesting
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Testing

/// The Model Context Protocol over HTTP, and what becomes of proposals.
@Suite struct AssistantTests {
  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

  private static func daemon(_ settings: String = "") async throws -> (Daemon, assistant: WebClient) {
    try await withAssistant(Daemon(config: #"{"mcp": {"http": true\#(settings)}}"#))
  }

  private static func withAssistant(_ daemon: Daemon) async throws -> (Daemon, assistant: WebClient) {
    let made = try await daemon.client.post("/api/v1/tokens", #"{"name": "desk", "rights": "assistant"}"#)
    var assistant = daemon.client
    assistant.token = try made.object()["token"] as? String
    return (daemon, assistant)
  }

  private static func call(_ tool: String, _ arguments: String, _ client: WebClient) async throws -> [String: Any] {
    let message =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    return try #require(try await client.post("/mcp", message).object()["result"] as? [String: Any])
  }

  @Test func tokensForAssistantsOpenNothingElse() async throws {
    let (daemon, assistant) = try await Self.daemon()
    #expect(try await assistant.post("/mcp", Self.ping).status == 200)
    #expect(try await assistant.get("/api/v1/status").status == 403)
    #expect(try await assistant.get("/mcp").status == 405)
    #expect(try await daemon.client.post("/mcp", Self.ping).status == 403)
    for rights in ["read", "calendar"] {
      let made = try await daemon.client.post("/api/v1/tokens", #"{"name": "\#(rights)", "rights": "\#(rights)"}"#)
      var other = daemon.client
      other.token = try made.object()["token"] as? String
      #expect(try await other.post("/mcp", Self.ping).status == 403)
    }
    #expect(
      try await assistant.send("POST", "/mcp", headers: ["Origin": "https://evil.example"], body: Self.ping).status
        == 403)
  }

  @Test func itIsOffByDefault() async throws {
    let (_, assistant) = try await Self.withAssistant(Daemon(config: "{}"))
    let reply = try await assistant.post("/mcp", Self.ping)
    #expect(reply.status == 404 && reply.body.contains("mcp.http"), "\(reply.body)")
  }

  @Test func headerFieldsMustRepeatTheMessage() async throws {
    let (_, assistant) = try await Self.daemon()
    func status(
      _ fields: [String: String], revision: String? = "2026-07-28",
      meta: String =
        #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#
    ) async throws -> Int {
      let message =
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","_meta":{\#(meta)}}}"#
      var headers = ["Content-Type": "application/json"]
      headers["MCP-Protocol-Version"] = revision
      headers.merge(fields) { $1 }
      return try await assistant.send("POST", "/mcp", headers: headers, body: message).status
    }
    #expect(try await status(["Mcp-Method": "tools/call", "Mcp-Name": "status"]) == 200)
    #expect(try await status(["Mcp-Method": "tools/call", "Mcp-Name": "=?base64?c3RhdHVz?="]) == 200)
    #expect(try await status(["Mcp-Method": "tools/call", "Mcp-Name": "list"]) == 400)
    #expect(try await status(["Mcp-Method": "tools/list", "Mcp-Name": "status"]) == 400)
    #expect(try await status([:]) == 400)
    #expect(try await status([:], revision: "2031-01-01") == 400)
    let right = ["Mcp-Method": "tools/call", "Mcp-Name": "status"]
    #expect(try await status(right, revision: nil) == 400)
    #expect(try await status(right, meta: "") == 400)
    #expect(try await status(right, meta: #""io.modelcontextprotocol/protocolVersion":"2026-07-28""#) == 400)
    #expect(try await status([:], revision: nil, meta: "") == 200)
    let note = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    #expect(try await assistant.post("/mcp", note).status == 202)
  }

  @Test func proposalsAreDecidedOverTheAPI() async throws {
    let (daemon, assistant) = try await Self.daemon(#", "approve": ["people"]"#)
    let client = daemon.client
    let made = try await client.post("/api/v1/collections/people", #"{"firstName": "Ada", "lastName": "King"}"#)
    let id = try #require(try made.object()["id"] as? String)
    func person() async throws -> [String: Any] { try await client.get("/api/v1/collections/people/\(id)").object() }
    func proposals() async throws -> [[String: Any]] {
      try #require(try await client.get("/api/v1/proposals").object()["items"] as? [[String: Any]])
    }
    func propose(_ fields: String) async throws {
      let result = try await Self.call(
        "propose_edit", #"{"collection":"people","record":"\#(id)","fields":\#(fields)}"#, assistant)
      #expect(result["isError"] as? Bool == false, "\(result)")
    }
    // A small edit needs no approval where the setting says so; a larger one and a removal do.
    try await propose(#"{"nickname":"Countess"}"#)
    #expect(try await person()["nickname"] as? String == "Countess")
    try await propose(#"{"nickname":"A","note":"B","firstName":"D","lastName":"E"}"#)
    _ = try await Self.call("propose_removal", #"{"collection":"people","record":"\#(id)"}"#, assistant)
    var waiting = try await proposals()
    #expect(waiting.map { $0["kind"] as? String } == ["put", "delete"])
    #expect(waiting.first?["proposedBy"] as? String == "desk")
    #expect(try await person()["nickname"] as? String == "Countess")
    let (first, second) = (waiting[0]["id"] as? String ?? "", waiting[1]["id"] as? String ?? "")
    #expect(try await client.post("/api/v1/proposals/\(first)/approve", "{}").status == 200)
    // The page asks a person as well.
    for place in ["/", "/collections/people/\(id)"] {
      let page = try await client.get(place).body
      #expect(page.contains("Proposed by desk") && page.contains("/do/proposals/\(second)/approve"), "\(page)")
    }
    // What is decided on the page of the record leads back to it.
    let own = try await client.get("/collections/people/\(id)").form("/do/proposals/\(second)/reject")
    let there = try await client.submit("/do/proposals/\(second)/reject", own)
    #expect(there.nextPage == "/collections/people/\(id)", "\(there)")
    _ = try await client.submit(
      "/do/several/again", client.get(there.headers["location"] ?? "").form("/do/several/again"))
    let rejected = try await client.submit("/do/proposals/\(second)/reject", [])
    #expect(rejected.status == 303 && rejected.nextPage == "/outbox", "\(rejected.body)")
    // Both decisions are taken back on the next page: the proposal waits again, and the record is what it was.
    func undo(_ reply: WebClient.Reply) async throws -> String {
      let page = try await client.get(reply.headers["location"] ?? "")
      let form = page.form("/do/several/again")
      let back = try await client.submit("/do/several/again", form)
      #expect(back.status == 303, "\(page) \(back)")
      #expect(try await client.get(back.headers["location"] ?? "").body.contains(" for your decision again"))
      return try #require(try await proposals().last?["id"] as? String)
    }
    var third = try await undo(rejected)
    let approved = try await client.submit("/do/proposals/\(third)/approve", [])
    #expect(try await client.get("/api/v1/collections/people/\(id)").status == 404)
    third = try await undo(approved)
    #expect(try await person()["nickname"] as? String == "A")
    #expect(try await client.submit("/do/proposals/\(third)/reject", []).status == 303)
    try await propose(#"{"nickname":"F","note":"G","firstName":"H","lastName":"I"}"#)
    let fourth = try #require(try await proposals().last?["id"] as? String)
    let fifth = try await undo(try await client.submit("/do/proposals/\(fourth)/approve", []))
    #expect(try await person()["nickname"] as? String == "A")
    #expect(try await client.submit("/do/proposals/\(fifth)/approve", []).status == 303)
    #expect(try await person()["nickname"] as? String == "F")
    // Several that are approved at once wait again at once.
    for edit in [
      #"{"nickname":"K","note":"L","firstName":"M","lastName":"N"}"#,
      #"{"middleName":"O","role":"P","title":"Q","namePrefix":"R"}"#,
    ] {
      try await propose(edit)
    }
    let both = try await proposals().map { ("entry", $0["id"] as? String ?? "") }
    // It waits again in its former place.
    _ = try await undo(try await client.submit("/do/proposals/\(both[0].1)/reject", []))
    #expect(try await proposals().map { $0["id"] as? String ?? "" } == both.map(\.1))
    let all = try await client.submit("/do/several/approve", both)
    #expect(try await person()["nickname"] as? String == "K")
    _ = try await undo(all)
    #expect(try await person()["nickname"] as? String == "F")
    #expect(try await person()["title"] == nil)
    waiting = try await proposals()
    #expect(waiting.map { $0["id"] as? String ?? "" } == both.map(\.1))
    for one in waiting {
      #expect(try await client.submit("/do/proposals/\(one["id"] ?? "")/reject", []).status == 303)
    }
    // What was decided in another tab is no error of this one.
    let gone = try await client.submit(
      "/do/proposals/\(waiting[0]["id"] ?? "")/approve", [], headers: ["Referer": "http://\(client.host)/outbox"])
    #expect(try await client.get(gone.headers["location"] ?? "").body.contains("This edit waits no more"), "\(gone)")
    _ = try await Self.call("propose_person", #"{"fields":{"firstName":"Bo"}}"#, assistant)
    // A new person is a press away, and is gone when that is undone.
    let new = try await client.submit("/do/proposals/\(try await proposals()[0]["id"] ?? "")/approve", [])
    let page = try await client.get(new.headers["location"] ?? "")
    let link = try #require(page.body.firstMatch(of: /href="(\/collections\/people\/[^"]+)">Show</), "\(page)").1
    #expect(try await client.get(String(link)).body.contains("<h1>Bo</h1>"))
    #expect(try await client.submit("/do/several/again", page.form("/do/several/again")).status == 303)
    #expect(try await client.get("/api/v1\(link)").status == 404)
    let sixth = try await proposals()[0]["id"] as? String ?? ""
    #expect(try await client.submit("/do/proposals/\(sixth)/approve", []).status == 303)
    #expect(try await client.submit("/do/several/again", [("entry", "[]")]).status == 422)
    try await propose(#"{"nickname":"A","note":"B","firstName":"D","lastName":"E"}"#)
    #expect(try await client.submit("/do/proposals/\(try await proposals()[0]["id"] ?? "")/approve", []).status == 303)
    #expect(try await person()["nickname"] as? String == "A")
    waiting = try await proposals()
    #expect(waiting.isEmpty)
    #expect(try await client.post("/api/v1/proposals/\(first)/approve", "{}").status == 404)
  }

  @Test func aConflictIsNotApprovedByOneClick() async throws {
    let (daemon, assistant) = try await Self.daemon()
    let client = daemon.client
    let made = try await client.post("/api/v1/collections/people", #"{"firstName": "Ada", "lastName": "King"}"#)
    let id = try #require(try made.object()["id"] as? String)
    func change(_ nickname: String) async throws {
      let reply = try await client.send(
        "PATCH", "/api/v1/collections/people/\(id)", headers: ["Content-Type": "application/merge-patch+json"],
        body: #"{"nickname": "\#(nickname)"}"#)
      #expect(reply.status == 200)
    }
    func proposal() async throws -> [String: Any] {
      try #require(try await client.get("/api/v1/proposals").object()["items"] as? [[String: Any]]).last ?? [:]
    }
    func nickname() async throws -> String? {
      try await client.get("/api/v1/collections/people/\(id)").object()["nickname"] as? String
    }
    let target = #""collection":"people","record":"\#(id)""#
    _ = try await Self.call("propose_edit", #"{\#(target),"fields":{"nickname":"A"}}"#, assistant)
    try await change("Countess")
    let first = try #require(try await proposal()["id"] as? String)
    // The page has a side for the field and the state that it shows, and no button for all of it.
    let page = try await client.get("/outbox")
    let form = page.form("/do/proposals/\(first)/approve")
    let shown = try #require(form.first { $0.0 == "tag" }?.1)
    #expect(form.contains { $0.0 == "take.nickname" } && !page.body.contains("name=\"sure\""), "\(page.body)")
    for fields in [[("sure", "true")], [("tag", shown)], [("take.nickname", "mine")]] {
      #expect(try await client.submit("/do/proposals/\(first)/approve", fields).status != 303, "\(fields)")
    }
    for body in ["{}", #"{"theirs": {"nickname": "B"}, "mine": ["nickname"]}"#, #"{"evenIfChanged": true}"#] {
      #expect(try await client.post("/api/v1/proposals/\(first)/approve", body).status != 200, "\(body)")
    }
    #expect(try await nickname() == "Countess")
    let decided = try await client.submit(
      "/do/proposals/\(first)/approve", [("tag", shown), ("take.nickname", "mine")])
    #expect(decided.status == 303, "\(decided.body)")
    #expect(try await nickname() == "A")
    // A removal is decided as a whole, and over the API with the values that were read.
    _ = try await Self.call("propose_removal", "{\(target)}", assistant)
    try await change("B")
    let second = try #require(try await proposal()["id"] as? String)
    #expect(try await client.submit("/do/proposals/\(second)/approve", []).status == 422)
    let body = #"{"theirs": {"nickname": "B"}, "mine": ["nickname"]}"#
    #expect(try await client.post("/api/v1/proposals/\(second)/approve", body).status == 200)
    #expect(try await client.get("/api/v1/collections/people/\(id)").status == 404)
  }

  @Test func whatIsHiddenIsNotFound() async throws {
    let (daemon, assistant) = try await Self.daemon(#", "hide": ["people"]"#)
    _ = try await daemon.client.post("/api/v1/collections/people", #"{"firstName": "Ada", "lastName": "King"}"#)
    for (tool, arguments) in [
      ("list", #"{"collection":"people"}"#), ("birthdays", "{}"), ("propose_person", #"{"fields":{"firstName":"Bo"}}"#),
      ("search", #"{"words":"ada","in":["people"]}"#),
    ] { #expect(try await Self.call(tool, arguments, assistant)["isError"] as? Bool == true, "\(tool)") }
    for (tool, arguments) in [
      ("search", #"{"words":"ada"}"#), ("changes", "{}"), ("collections", "{}"), ("outbox", "{}"), ("status", "{}"),
    ] {
      let result = try await Self.call(tool, arguments, assistant)
      let found = "\(result["structuredContent"] ?? "")"
      #expect(result["isError"] as? Bool == false && !found.contains("Ada") && !found.contains("people"), "\(tool)")
    }
    let log = try String(contentsOfFile: daemon.program.store + "/mcp.log", encoding: .utf8)
    #expect(log.split(separator: "\n").count == 9)
    #expect(log.contains(#""client":"desk""#) && log.contains("is hidden"))
  }

  /// A mistyped name would hide nothing.
  @Test(arguments: ["poeple", "people.birthday", "nowhere/x"]) func nothingIsShownWhileWhatIsHiddenIsUnknown(
    _ name: String
  ) async throws {
    let (_, assistant) = try await Self.daemon(#", "hide": ["\#(name)"]"#)
    let result = try await Self.call("birthdays", "{}", assistant)
    #expect(result["isError"] as? Bool == true && "\(result)".contains(name), "\(result)")
  }

  /// Values of hidden records are in no result of any tool, resource or collection.
  @Test func valuesOfHiddenRecordsAreNowhere() async throws {
    let (daemon, assistant) = try await Self.daemon(#", "hide": ["people"]"#)
    let client = daemon.client
    let made = try await client.post("/api/v1/collections/people", #"{"firstName": "Zyxwvu", "lastName": "King"}"#)
    let id = try #require(try made.object()["id"] as? String)
    let coder = JSONRecordCoder()
    let store = try JSONFileStore(folder: daemon.program.store)
    let edit = OutboxEntry(
      id: "e1", target: "people/\(id)", kind: .put, edit: ["nickname": "Zyxwvu"], base: [:],
      createdAt: Timestamp(secondsSinceEpoch: 0))
    let reject = Reject(
      id: "people:1", follow: "people", url: "https://x", index: 0, path: "$", expected: "a", found: "b",
      raw: "Zyxwvu", at: Timestamp(secondsSinceEpoch: 0))
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      try transaction.put(edit, coder)
      try transaction.put(reject, coder)
      let run: JSONObject = ["id": "1", "follows": [["follow": "people", "notes": ["Zyxwvu"]]]]
      try transaction.put(coder.encode(run), id: "1", in: .runs)
      let proposal = Proposal(
        id: "p1", .put, of: .people, id, ["nickname": "Zyxwvu"], over: [:], by: "x",
        at: Timestamp(secondsSinceEpoch: 1 << 32))
      try transaction.setState(StateKey(.proposal, "p1"), to: proposal.fields, coder)
    }
    #expect(try await client.get("/api/v1/outbox").body.contains("Zyxwvu"))
    func message(_ method: String, _ params: String) async throws -> String {
      try await assistant.post("/mcp", #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#).body
    }
    let names = ["outbox", "rejects", "runs", "people", "cards", "state", "profiles"]
    var answers: [String] = []
    for name in names {
      answers.append(try await message("resources/read", #"{"uri":"almanac://\#(name)"}"#))
      for record in [id, "e1", "people:1", "1"] {
        let arguments = #"{"collection":"\#(name)","record":"\#(record)"}"#
        for tool in ["show", "history"] {
          answers.append(try await message("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#))
        }
        answers.append(try await message("resources/read", #"{"uri":"almanac://\#(name)/\#(record)"}"#))
      }
      let edit = #"{"collection":"\#(name)","record":"\#(id)","fields":{"nickname":"A"}}"#
      answers.append(try await message("tools/call", #"{"name":"propose_edit","arguments":\#(edit)}"#))
      answers.append(
        try await message("tools/call", #"{"name":"list","arguments":{"collection":"\#(name)"}}"#))
      answers.append(
        try await message("tools/call", #"{"name":"search","arguments":{"words":"zyx","in":["\#(name)"]}}"#))
    }
    for tool in ["search", "birthdays", "changes", "collections", "outbox", "status", "prices"] {
      let arguments = tool == "search" ? #"{"words":"zyx"}"# : "{}"
      answers.append(try await message("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#))
    }
    for method in ["resources/list", "resources/templates/list"] { answers.append(try await message(method, "{}")) }
    for answer in answers {
      #expect(!answer.contains("Zyxwvu") && !answer.contains("\\\"id\\\":\\\"\(id)"), "\(answer)")
    }
    #expect(answers.contains { $0.contains("profiles") })
  }

  @Test(.enabled(if: OfficialClient.checker != nil, "\(OfficialClient.isMissing)"))
  func aCheckerOfTheProtocolFindsNothing() async throws {
    let (daemon, assistant) = try await Self.daemon()
    var checker = daemon.program
    checker.environment["CHECKER"] = OfficialClient.checker
    checker.environment["TOKEN"] = assistant.token
    let found = try await checker.shell(
      "$CHECKER http://127.0.0.1:\(daemon.port)/mcp --token \"$TOKEN\" --strict --legacy-probes")
    #expect(found.status == 0, "\(found.out)")
  }

  @Test(.enabled(if: OfficialClient.python != nil && Daemon.hasCLI, "\(OfficialClient.isMissing)"))
  func theOfficialClientReadsTheDemo() async throws {
    var demo = try Program("almanac")
    try await demo.run("demo", "--store", demo.store, "--quiet", exits: 0)
    let (daemon, assistant) = try await Self.withAssistant(
      Daemon(config: #"{"mcp": {"http": true}}"#, arguments: ["--store", demo.store]))
    demo.environment["PYTHON"] = OfficialClient.python
    demo.environment["CLIENT"] = try demo.file("client.py", OfficialClient.script)
    let token = try #require(assistant.token)
    let result = try await demo.shell("$PYTHON $CLIENT http://127.0.0.1:\(daemon.port)/mcp \(token)", exits: 0)
    #expect(result.out == OfficialClient.answer)
  }
}
