import Testing
import UpstreamKit

@Suite struct UsersUpstreamTests {
  private let body = #"{"userId": "ada", "name": "Ada Nova", "email": "ada@example.com", "description": "New \u00e9"}"#

  @Test func readsUsers() throws {
    let played = try Played()
    let data = try #require(try played.object("/user/ada")["data"] as? [String: String])
    #expect(data["userId"] == "ada")
    #expect(data["email"]?.contains("@") == true)
    let unknown = try played.client.call("GET", "/user/nobody")
    #expect(unknown.status == 200)
    let error = try #require((json(unknown) as? [String: Any])?["error"] as? [String: Any])
    #expect(error["code"] as? Int == 404)
    #expect(error["message"] as? String == "No user nobody")
  }

  @Test func decodesTheIDOfTheAddress() throws {
    let played = try Played { $0.userIDs = ["a b/ü"] }
    let data = try #require(try played.object("/user/a%20b%2F%C3%BC")["data"] as? [String: String])
    #expect(data["userId"] == "a b/ü")
  }

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

  @Test func replacesTheWholeUser() throws {
    let played = try Played()
    let short = #"{"data": {"name": "A", "email": "a@b"}}"#
    #expect(try played.client.call("PUT", "/user/ada", body: short).status == 200)
    let user = try #require(played.upstream.user("ada"))
    #expect(user.name == "A" && user.email == "a@b" && user.description == nil)
  }

  @Test(arguments: [
    (#"{"name": "A", "email": "nowhere"}"#, 422), (#"{"email": "a@b"}"#, 422), ("[]", 400), ("{", 400),
    (#"{"userId": "bo", "name": "A", "email": "a@b"}"#, 409),
  ])
  func refuses(body: String, status: Int) throws {
    let played = try Played()
    let before = played.upstream.user("ada")
    #expect(try played.client.call("PUT", "/user/ada", body: body).status == status)
    #expect(played.upstream.user("ada")?.name == before?.name)
  }

  @Test func forgetsWhatWasWrittenOnReset() throws {
    let played = try Played()
    let before = played.upstream.user("ada")?.name
    _ = try played.client.call("PUT", "/user/ada", body: body)
    #expect(played.upstream.user("ada")?.name == "Ada Nova")
    #expect(try played.client.call("POST", "/_upstream/reset", body: "").status == 200)
    #expect(played.upstream.user("ada")?.name == before)
  }
}

@Suite struct PeopleUpstreamTests {
  private let ada = #"{"firstName": "Ada", "lastName": "Nova", "birthday": "--02-29"}"#

  private func list(_ played: Played) throws -> [[String: Any]] {
    try #require(try json(played.client.call("GET", "/people")) as? [[String: Any]])
  }

  @Test func listsBirthdaysInEveryForm() throws {
    let played = try Played()
    let people = try list(played)
    #expect(people.count == 20)
    let texts = people.compactMap { $0["birthday"] as? String }
    #expect(texts.contains { $0.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil })
    #expect(texts.contains { $0.wholeMatch(of: /--\d\d-\d\d/) != nil })
    #expect(texts.contains { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT00:00:00Z/) != nil })
    #expect(people.contains { $0["birthday"] is Int })
    #expect(people.contains { $0["id"] == nil })
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

  @Test(arguments: [
    (#"{"firstName": "A", "birthday": "2000-01-01"}"#, 422), (#"{"firstName": "A", "lastName": "B"}"#, 422),
    (#"{"firstName": "A", "lastName": "B", "birthday": "soon"}"#, 422), ("no", 400),
    (#"{"firstName": "A", "lastName": "B", "birthday": 86400}"#, 201),
    (#"{"firstName": "A", "lastName": "B", "birthday": "2000-02-29T10:00:00+02:00"}"#, 201),
  ])
  func checks(body: String, status: Int) throws {
    let played = try Played { $0.people = 0 }
    #expect(try played.client.call("POST", "/people", body: body).status == status)
    #expect(played.upstream.peopleCount == (status == 201 ? 1 : 0))
  }

  @Test func growsToAnySize() throws {
    let played = try Played { $0.people = 3000 }
    #expect(try list(played).count == 3000)
    played.upstream.addPerson("Late", "Comer", birthday: "2001-01-01")
    #expect(try list(played).last?["firstName"] as? String == "Late")
  }
}
