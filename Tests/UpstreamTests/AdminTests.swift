import Testing
import UpstreamKit

@Suite struct AdminTests {
  @Test func showsTheLogWithoutItself() throws {
    let played = try Played()
    defer { played.upstream.stop() }
    for target in ["/people", "/user/ada", "/user/bo", "/x/1_2_q.jpg", "/nothing"] {
      _ = try played.client.call("GET", target)
    }
    let log = try played.object("/_upstream/log")
    #expect(log["total"] as? Int == 5)
    #expect(log["byRoute"] as? [String: Int] == ["people": 1, "users": 2, "images": 1, "other": 1])
    #expect(log["byStatus"] as? [String: Int] == ["200": 4, "404": 1])
    let requests = try #require(log["requests"] as? [[String: Any]])
    #expect(
      requests.map { $0["target"] as? String } == ["/people", "/user/ada", "/user/bo", "/x/1_2_q.jpg", "/nothing"])
  }

  @Test func changesTheServer() throws {
    let played = try Played { $0.people = 0 }
    defer { played.upstream.stop() }
    func post(_ path: String, _ body: String) throws -> [String: Any] {
      try #require(try json(played.client.call("POST", "/_upstream/" + path, body: body)) as? [String: Any])
    }
    #expect(try post("advance", #"{"days": 3}"#)["day"] as? Int == 3)
    #expect(try post("advance", "")["day"] as? Int == 4)
    let users = try #require(try post("users/ada", #"{"name": "X", "description": null}"#)["users"] as? [[String: Any]])
    #expect(users.first?["name"] as? String == "X")
    #expect(users.first?["version"] as? Int == 2)
    #expect(users.first?["description"] == nil)
    let state = try post("people", #"{"firstName": "A", "lastName": "B", "birthday": "--01-02"}"#)
    #expect((state["people"] as? [Any])?.count == 1)
    let faults = try #require(try post("faults", #"[{"fault": 503, "times": 2}]"#)["faults"] as? [String: Any])
    #expect((faults["rules"] as? [[String: Any]])?.first?["left"] as? Int == 2)
    #expect(try played.client.call("GET", "/people").status == 503)
    #expect(try post("reset", "")["day"] as? Int == 0)
    #expect(try played.client.call("GET", "/people").text == "[]")
  }

  @Test(arguments: [
    ("faults", #"[{"fault": "x"}]"#, 400), ("people", "{}", 400), ("users/ada", "x", 400), ("nothing", "", 404),
  ])
  func refuses(path: String, body: String, status: Int) throws {
    let played = try Played()
    defer { played.upstream.stop() }
    #expect(try played.client.call("POST", "/_upstream/" + path, body: body).status == status)
  }
}
