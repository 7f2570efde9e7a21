import AlmanacTesting
import Foundation
import Models
import Testing
import UpstreamKit

@testable import almanacd

/// The past of records in the API and on the pages.
@Suite struct HistoryPageTests {
  @Test("each schema of the API's description has a name of its own")
  func schemaNames() {
    let names = DescribedStatus.schemaNames
    #expect(
      names.count > 50 && Set(names).count == names.count,
      "\(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 })")
    #expect(DescribedStatus.mistake(in: ["items": [["at": "x"]], "more": false], OpenAPI.ref("RecordChanges")) != nil)
  }

  @Test("the past is read and restored through the API and on the pages, and each change names its route")
  func past() async throws {
    let (daemon, client) = try await Daemon(follows: []).withClient
    let body = #"{"firstName": "Ada", "lastName": "Byron"}"#
    let added = try await client.post("/api/v1/collections/people", body).object()
    let id = try #require(added["id"] as? String)
    let record = "people/\(id)"
    let edited = try await client.send(
      "PATCH", "/api/v1/collections/\(record)", headers: ["Content-Type": "application/json"],
      body: #"{"lastName": "King"}"#)
    #expect(edited.status == 200, "\(edited)")

    let changes = try await client.get("/api/v1/history/\(record)").list("items")
    #expect(changes.map { $0["command"] as? String } == ["PATCH", "POST"])
    #expect((changes[0]["was"] as? [String: Any])?["lastName"] as? String == "Byron")
    let first = try #require(changes[1]["commit"] as? Int)
    #expect(try await client.get("/api/v1/history?in=people&by=PATCH&limit=1").list("items").count == 1)
    let blamed = try await client.get("/api/v1/blame/\(record)").list("items")
    #expect(blamed.first { $0["field"] as? String == "lastName" }?["command"] as? String == "PATCH")
    #expect(try await client.get("/api/v1/diff?from=commit:\(first)").list("items").map { $0["id"] as? String } == [id])

    let then = try await client.get("/api/v1/collections/\(record)?at=commit:\(first)")
    #expect(try then.object()["lastName"] as? String == "Byron" && then.headers["etag"] == "\"commit-\(first)\"")
    for path in ["collections/people?where=lastName+%3D+Byron", "search?words=byron"] {
      #expect(try await client.get("/api/v1/\(path)&at=commit:\(first)").list("items").count == 1, "\(path)")
      #expect(try await client.get("/api/v1/\(path)").list("items").isEmpty, "\(path)")
    }
    for (path, status) in [
      ("collections/\(record)?at=soon", 400), ("diff", 400), ("history/people/nobody", 404),
      ("blame/people/nobody", 404),
      ("collections/people/nobody?at=now", 404), ("history?since=commit:99999", 404),
      ("history?field=lastNam", 400), ("history?in=people&field=lastNam", 400), ("history?in=people&field=note", 200),
      ("history?by=snyc", 400), ("history?by=restore", 200), ("collections/people?where=lastName+%3D+%22King%22", 400),
      ("collections/people?sort=lastName&sort=id", 400), ("collections/people?at=yesterday+noon", 400),
    ] {
      #expect(try await client.get("/api/v1/\(path)").status == status, "\(path)")
    }

    let page = try await client.get("/collections/\(record)")
    #expect(page.body.contains("Last name: Byron → King") && page.body.contains(">A program<"), "\(page.body)")
    let past = try await client.get("/collections/\(record)?at=commit:\(first)")
    #expect(past.body.contains("This is the record as it was") && !past.body.contains("/do/people/edit"))
    let restored = try await client.submit("/do/restore", past.form("/do/restore"))
    #expect(restored.status == 303 && restored.nextPage == "/collections/people/\(id)", "\(restored)")
    let again = try await client.get("/api/v1/collections/\(record)").object()
    #expect(again["lastName"] as? String == "Byron")
    // A restoration is taken back, and made again.
    let undo = try await client.get(restored.headers["location"] ?? "").form("/do/restore")
    #expect(try await client.submit("/do/restore", undo).status == 303)
    #expect(try await client.get("/api/v1/collections/\(record)").object()["lastName"] as? String == "King")
    #expect(try await client.submit("/do/restore", past.form("/do/restore")).status == 303)
    let last = try await client.get("/api/v1/history/\(record)?limit=1").list("items")[0]
    #expect(last["by"] as? String == "restore" && last["command"] as? String == "page")

    let nothing = try await client.send("POST", "/api/v1/restore/\(record)?at=commit:\(first)")
    #expect(nothing.status == 422, "\(nothing)")
    let king = try await client.send("POST", "/api/v1/restore/\(record)?at=commit:\(first + 1)")
    #expect(try king.object()["lastName"] as? String == "King", "\(king)")

    // What was removed is not found, and its page leads to what it was.
    #expect(try await client.send("DELETE", "/api/v1/collections/\(record)").status == 204)
    let removed = try await client.get("/collections/\(record)")
    #expect(removed.status == 404 && removed.body.contains("Ada King") && removed.body.contains("?at=commit:"))
    let revived = try await client.submit("/do/restore", removed.form("/do/restore"))
    #expect(revived.status == 303, "\(revived)")
    #expect(try await client.get("/api/v1/collections/people?where=lastName+%3D+King").list("items").count == 1)
    #expect(try await client.get("/api/v1/history/people/nobody?by=sync").status == 404)

    // A person who was removed here comes back with the card.
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u-1\r\nN:Kettle;Iris;;;\r\nFN:Iris Kettle\r\nX-SKI:1\r\nEND:VCARD\r\n"
    #expect(try await client.upload("/do/people/import", "cards", "iris.vcf", card).status == 303)
    let kettles = try await client.get("/api/v1/collections/people?where=lastName+%3D+Kettle").list("items")
    let iris = "/collections/people/\(try #require(kettles.first?["id"] as? String))"
    #expect(try await client.send("DELETE", "/api/v1\(iris)").status == 204)
    let back = try await client.submit("/do/restore", client.get(iris).form("/do/restore"))
    #expect(back.status == 303, "\(back)")
    let exported = try await daemon.program.almanac("export people --to vcf")
    #expect(exported.out.contains(card), "\(exported)")
  }
}
