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
    try await daemon.stop()
  }
}
