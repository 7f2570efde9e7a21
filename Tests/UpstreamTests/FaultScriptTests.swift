import Testing
import UpstreamKit

@Suite struct FaultScriptTests {
  @Test func readsEveryKey() throws {
    let rules = try FaultScript.rules(
      parsing: Array(
        """
        [
          {"fault": 429, "retryAfter": 2, "path": "/people", "times": 2},
          {"fault": "lost-reply", "method": "POST"},
          {"fault": "html", "status": 200, "contains": "getInfo", "after": 3},
          {"fault": "drip", "piece": 100, "ms": 20, "times": null, "chance": 0.5},
          {"fault": "redirect", "status": 308, "location": "/x"},
          {"fault": "truncate", "bytes": 5}
        ]
        """.utf8))
    #expect(
      rules == [
        FaultRule(.status(429, retryAfter: "2"), path: "/people", times: 2), FaultRule(.lostReply, method: "POST"),
        FaultRule(.html(200), contains: "getInfo", after: 3),
        FaultRule(.drip(piece: 100, milliseconds: 20), times: nil, chance: 0.5),
        FaultRule(.redirect(308, to: "/x")), FaultRule(.truncate(5)),
      ])
  }

  @Test(arguments: [
    ("{}", "an array of rules is expected"), ("[1]", "rule 0: an object is expected"), ("[", "not JSON at byte 1"),
    (#"[{"fault": "reset"}, {"fault": "rest"}]"#, "rule 1: unknown fault 'rest'"),
    (#"[{"fault": "reset", "time": 1}]"#, "rule 0: unknown key time"),
    (#"[{"fault": "reset", "chance": 2}]"#, "rule 0: chance is from 0 to 1"),
    (#"[{"fault": 200}]"#, "rule 0: unknown fault '200'"),
  ])
  func namesWhatIsWrong(text: String, message: String) {
    #expect(throws: FaultScript.Failure.self) { try FaultScript.rules(parsing: Array(text.utf8)) }
    do {
      _ = try FaultScript.rules(parsing: Array(text.utf8))
    } catch {
      #expect(error.description == "fault script: " + message)
    }
  }
}
