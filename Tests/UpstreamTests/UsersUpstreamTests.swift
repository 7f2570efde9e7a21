import Testing
import UpstreamKit

@Suite struct UsersUpstreamTests {
  private let body = #"{"userId": "ada", "name": "Ada Nova", "email": "ada@example.com", "description": "New \u00e9"}"#

  @Test func writesOnlyOverTheVersionThatWasRead() throws {
    let played = try Played()
    let tag = try #require(try played.client.call("GET", "/user/ada")["etag"])
    let put = try played.client.call("PUT", "/user/ada", headers: ["If-Match": tag], body: body)
    #expect(put.status == 200)
    #expect(put["etag"] != tag)
    #expect(try #require(json(put) as? [String: [String: String]])["data"]?["description"] == "New é")
    let late = try played.client.call("PUT", "/user/ada", headers: ["If-Match": tag], body: body)
    #expect(late.status == 412)
    #expect(try played.client.call("PUT", "/user/ada", headers: ["If-Match": "*"], body: body).status == 200)
    #expect(try played.client.call("PUT", "/user/ada", body: body).status == 200)
    let now = try #require(try played.client.call("GET", "/user/ada")["etag"])
    played.upstream.changeUser("ada", email: "other@example.com")
    #expect(try played.client.call("PUT", "/user/ada", headers: ["If-Match": now], body: body).status == 412)
    #expect(played.upstream.user("ada")?.email == "other@example.com")
    #expect(played.upstream.user("ada")?.name == "Ada Nova")
  }
}

@Suite struct PeopleUpstreamTests {
  private let ada = #"{"firstName": "Ada", "lastName": "Nova", "birthday": "--02-29"}"#

  private func list(_ played: Played) throws -> [[String: Any]] {
    try #require(try json(played.client.call("GET", "/people")) as? [[String: Any]])
  }

  @Test func addsPeople() throws {
    let played = try Played { $0.people = 1 }
    let tag = try #require(try played.client.call("GET", "/people")["etag"])
    #expect(try played.client.call("GET", "/people", headers: ["If-None-Match": tag]).status == 304)
    let response = try played.client.call("POST", "/people", body: ada)
    #expect(response.status == 201)
    #expect(response["location"] == "/people/p2")
    let made = try #require((json(response) as? [String: Any])?["data"] as? [String: String])
    #expect(made == ["id": "p2", "firstName": "Ada", "lastName": "Nova", "birthday": "--02-29"])
    #expect(try list(played).last as? [String: String] == made)
    #expect(try played.client.call("GET", "/people", headers: ["If-None-Match": tag]).status == 200)
  }

  @Test func honoursIdempotencyKeys() throws {
    let played = try Played { $0.people = 0 }
    let headers = ["Idempotency-Key": "one"]
    let first = try played.client.call("POST", "/people", headers: headers, body: ada)
    let second = try played.client.call("POST", "/people", headers: headers, body: ada)
    #expect(first.status == 201 && second.status == 201)
    #expect(first.body == second.body)
    #expect(first["idempotency-replayed"] == nil && second["idempotency-replayed"] == "true")
    #expect(played.upstream.peopleCount == 1)
    let other = ada.replacing("Ada", with: "Eva")
    #expect(try played.client.call("POST", "/people", headers: headers, body: other).status == 422)
    _ = try played.client.call("POST", "/people", headers: ["Idempotency-Key": "two"], body: ada)
    #expect(played.upstream.peopleNames == ["Ada Nova", "Ada Nova"])
    #expect(played.upstream.log.map(\.idempotencyKey) == ["one", "one", "one", "two"])
  }

  @Test func ignoresIdempotencyKeysWhenTold() throws {
    let played = try Played {
      $0.people = 0
      $0.honoursIdempotencyKeys = false
    }
    for _ in 0..<2 { _ = try played.client.call("POST", "/people", headers: ["Idempotency-Key": "one"], body: ada) }
    #expect(played.upstream.peopleCount == 2)
  }
}
