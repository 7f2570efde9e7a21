import AlmanacTesting
import CardDAV
import Models
import Ports
import Synchronization
import Testing

/// Logins other than user and password with each request.
@Suite struct LoginTests {
  /// The examples of RFC 7616 sections 3.9.1, and of RFC 2617 section 3.5.
  @Test(arguments: [
    (
      "SHA-256", "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
      "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    ),
    ("MD5", "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "8ca523f5e9506fed4657c9700eebdbec"),
  ]) func theAnswersAreThoseOfTheStandard(algorithm: String, nonce: String, response: String) throws {
    let text = """
      Basic realm="x, y", Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
      nonce="\(nonce)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
      """
    let challenge = try #require(DigestChallenge([text]))
    let answer = challenge.answer(
      "GET", "/dir/index.html", user: "Mufasa", password: "Circle of Life", count: 1,
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    for part in ["response=\"\(response)\"", "nc=00000001", "qop=auth", "opaque=\"FQhe", "algorithm=\(algorithm)"] {
      #expect(answer.contains(part), "\(answer)")
    }
  }

  @Test func theStrongestChallengeIsAnswered() throws {
    let both = ["Digest realm=\"r\", nonce=\"a\", algorithm=MD5", "Digest realm=\"r\", nonce=\"b\", algorithm=SHA-256"]
    #expect(
      try #require(DigestChallenge(both)).answer(
        "GET", "/", user: "u", password: "p", count: 1, clientNonce: "c"
      ).contains("nonce=\"b\""))
    #expect(DigestChallenge(["Basic realm=\"r\""]) == nil)
    #expect(DigestChallenge(["Digest realm=\"r\", nonce=\"a\", algorithm=SHA-512-256"]) == nil)
  }

  /// A server that demands something else than user and password.
  private func transport(_ server: FakeCardDAV, _ accepts: @escaping @Sendable (String) -> Bool, seen: Seen)
    -> ScriptedTransport
  {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      let given = request.headers["Authorization"] ?? ""
      seen.add(given)
      guard accepts(given) else {
        var response = HTTPResponse(status: 401, body: [], url: request.url)
        response.headers["WWW-Authenticate"] = "Digest realm=\"dav\", nonce=\"n1\", qop=\"auth\""
        return response
      }
      var known = request
      known.headers["Authorization"] = "Basic \(CardDAVHouse.account().basicCredentials ?? "")"
      return try await server.transport.send(known)
    }
  }

  private final class Seen: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ text: String) { list.withLock { $0.append(text) } }
    var all: [String] { list.withLock { $0 } }
  }

  @Test(arguments: [Settings.Account.Login.basic, .digest]) func aServerIsAnsweredOnceItAsked(
    _ login: Settings.Account.Login
  ) async throws {
    let server = FakeCardDAV()
    server.put("ada.vcf", vCard("Ada L"))
    let seen = Seen()
    var account = CardDAVHouse.account()
    account.login = login
    let house = CardDAVHouse(transport(server, { $0.hasPrefix("Digest ") }, seen: seen), account: account)
    #expect(try await house.sync().error == nil)
    #expect(try house.names == ["Ada L"])
    let given = seen.all
    #expect(given.count { !$0.hasPrefix("Digest ") } == 1 && given[0].hasPrefix("Basic ") == (login == .basic))
    for (index, text) in given.dropFirst().enumerated() { #expect(text.contains("nc=0000000\(index + 1),"), "\(text)") }
  }

  @Test func aWrongPasswordIsNotTriedAgainAndAgain() async throws {
    let seen = Seen()
    let house = CardDAVHouse(transport(FakeCardDAV(), { _ in false }, seen: seen))
    #expect(try await house.sync().error?.reason == .denied)
    #expect(seen.all.count == 2)
  }

  @Test func aTokenIsSentAsItIs() async throws {
    let server = FakeCardDAV()
    server.put("ada.vcf", vCard("Ada L"))
    var account = CardDAVHouse.account(user: nil)
    account.login = .bearer
    let house = CardDAVHouse(
      transport(server, { $0 == "Bearer \(FakeCardDAV.password)" }, seen: Seen()), account: account)
    #expect(try await house.sync().error == nil && house.names == ["Ada L"])
  }
}
