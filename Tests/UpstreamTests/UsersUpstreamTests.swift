import Testing
import UpstreamKit

@Suite struct UsersUpstreamTests {
  private let body = #"{"userId": "ada", "name": "Ada Nova", "email": "ada@example.com", "description": "New \u00e9"}"#

  @Test func readsUsers() throws {
    let played = try Played()
    defer { played.upstream.stop() }
    let data = try #require(try played.object("/user/ada")["data"] as? [String: String])
    #expect(data["userId"] == "ada")
    #expect(data["email"]?.contains("@") == true)
    let unknown = try played.client.call("GET", "/user/nobody")
    #expect(unknown.status == 200)
    let error = try #require((json(unknown) as? [String: Any])?["error"] as? [String: Any])
    #expect(error["code"] as? Int == 404)
    #expect(error["message"] as? String == "No user nobody")
    let bare = try Played { $0.isBare = true }
    defer { bare.upstream.stop() }
    #expect(try bare.object("/user/ada")["userId"] as? String == "ada")
  }

  @Test func decodesTheIDOfTheAddress() throws {
    let played = try Played { $0.userIDs = ["a b/ü"] }
    defer { played.upstream.stop() }
    let data = try #require(try played.object("/user/a%20b%2F%C3%BC")["data"] as? [String: String])
    #expect(data["userId"] == "a b/ü")
  }

  @Test func writesOnlyOverTheVersionThatWasRead() throws {
    let played = try Played()
    defer { played.upstream.stop() }
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
    defer { played.upstream.stop() }
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
    defer { played.upstream.stop() }
    let before = played.upstream.user("ada")
    #expect(try played.client.call("PUT", "/user/ada", body: body).status == status)
    #expect(played.upstream.user("ada")?.name == before?.name)
  }

  @Test func forgetsWhatWasWrittenOnReset() throws {
    let played = try Played()
    defer { played.upstream.stop() }
    let before = played.upstream.user("ada")?.name
    _ = try played.client.call("PUT", "/user/ada", body: body)
    #expect(played.upstream.user("ada")?.name == "Ada Nova")
    #expect(try played.client.call("POST", "/_upstream/reset", body: "").status == 200)
    #expect(played.upstream.user("ada")?.name == before)
  }
}
