import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

@Suite("Numbers at the ends of their range: requests to the daemon")
struct ExtremeNumberTests {
  @Test("no number in a query, a cookie, a header or a body ends the daemon")
  func requests() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    _ = try await client.post("/api/v1/collections/people", #"{"firstName": "Ada", "lastName": "Byron"}"#)
    let paths = [
      "/api/v1/collections/people?limit=N", "/api/v1/collections/people?after=N",
      "/api/v1/collections/people?at=commit:N",
      "/api/v1/search?words=ada&limit=N", "/api/v1/changes?limit=N", "/api/v1/changes?after=N",
      "/api/v1/history?limit=N", "/api/v1/history?since=commit:N", "/api/v1/diff?from=commit:N",
      "/api/v1/birthdays?days=N", "/api/v1/runs?limit=N", "/charts?from=N", "/follows?from=N", "/changes?skip=N",
      "/history?skip=N", "/collections/people?after=x&start=N", "/birthdays?month=N", "/birthdays?days=N",
      "/people?from=N",
      "/activity?from=N",
    ]
    for number in ExtremeNumbers.texts {
      for path in paths {
        let status = try await client.get(path.replacing("N", with: number)).status
        #expect((200..<600).contains(status), "\(path) \(number)")
      }
      for cookie in ["\(number).\(number)", "0.\(number)"] {
        #expect(try await client.get("/", headers: ["Cookie": "almanac_seen=\(cookie)"]).status == 200, "\(cookie)")
      }
      let follow = #"{"follow": "people", "limit": \#(number)}"#
      #expect(try await client.post("/api/v1/follows", follow).status < 600)
    }
    #expect(try await client.get("/api/v1/collections").status == 200)
    _ = daemon
  }
}
