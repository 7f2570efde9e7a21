import AlmanacTesting
import Foundation
import Models
import Ports
import Testing

@testable import Networking

@Suite struct RedactionTests {
  @Test(arguments: [
    ("https://h/a?api_key=s3cr3t&x=1", "https://h/a?api_key=REDACTED&x=1"),
    ("https://h/a?x=1&API%5FKEY=s3cr3t#f", "https://h/a?x=1&API%5FKEY=REDACTED#f"),
    ("https://user:pw@h/a", "https://REDACTED@h/a"),
    ("https://h/a?access_token=t&auth=u&key=v", "https://h/a?access_token=REDACTED&auth=REDACTED&key=REDACTED"),
    ("https://h/keys?monkey=1", "https://h/keys?monkey=1"),
    ("https://h/topsecret/a?q=topsecret", "https://h/REDACTED/a?q=REDACTED"),
    ("https://h/a?q=a%2Fb%2Bc%3D", "https://h/a?q=REDACTED"),
    ("not a url", "not a url"),
  ])
  func cleansURLs(_ url: String, _ expected: String) {
    #expect(Redaction(secrets: ["topsecret", "a/b+c="]).url(url) == expected)
  }

  @Test func cleansHeaders() {
    let headers: HTTPHeaders = [
      "Authorization": "Bearer abc", "Set-Cookie": "sid=1", "X-Shop-Token": "t", "Location": "/a?token=x",
      "Idempotency-Key": "01h", "ETag": "\"1\"", "X-Echo": "topsecret",
      "Library-API-Key": "k", "Shop-Auth": "a",
    ]
    let cleaned = Redaction(secrets: ["topsecret"]).headers(headers)
    #expect(
      cleaned.fields.map(\.value) == [
        "REDACTED", "REDACTED", "REDACTED", "/a?token=REDACTED", "01h", "\"1\"", "REDACTED",
        "REDACTED", "REDACTED",
      ])
  }

  @Test func cleansBodiesAndKeepsTheirLength() {
    let body = #"{"access_token": "a\"b", "note":"topsecret","path":"a\/b+c=","secret":"photo"}"#
    let cleaned = Redaction(secrets: ["topsecret", "a/b+c="]).body(Array(body.utf8))
    #expect(
      String(decoding: cleaned, as: UTF8.self)
        == #"{"access_token": "xxxx", "note":"xxxxxxxxx","path":"xxxxxxx","secret":"photo"}"#)
    #expect(cleaned.count == body.utf8.count)
  }

  @Test func cleansForms() {
    let cleaned = Redaction().body(Array("grant_type=refresh_token&refresh_token=r1&client_id=a&client_secret=s".utf8))
    #expect(
      String(decoding: cleaned, as: UTF8.self)
        == "grant_type=refresh_token&refresh_token=xx&client_id=a&client_secret=x")
  }

  static let key = "K/3y+with\"quote\\é-0123456789"

  /// The ways in which a server may repeat a key.
  static let spellings: [(String, String)] = {
    let bytes = Array(key.utf8)
    func hex(_ value: Int, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let percent = bytes.map { "%" + hex(Int($0), 2) }.joined()
    var spellings = [
      ("as it is", key), ("percent-encoded", percentEncoded(key)), ("every byte", percent),
      ("upper case", percent.uppercased()), ("twice", percent.replacing("%", with: "%25")),
      ("some of it", "%4B/3y+with\"quote\\\\\\u00e9-0123456789"),
      ("JSON", #"K\/3y+with\"quote\\é-0123456789"#), ("JSON in JSON", #"K\\/3y+with\\\"quote\\\\\\u00E9-0123456789"#),
      ("every scalar", key.utf16.map { "\\u" + hex(Int($0), 4) }.joined()),
    ]
    for before in ["", "u", "us", "user:"] {
      for after in ["", "x", "xy"] {
        let text = Base64.encoded(Array((before + key + after).utf8))
        spellings.append(("Base 64 of \(before)…\(after)", text))
        spellings.append(
          ("its web form", text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")))
        spellings.append(("its percent-encoding", percentEncoded(text)))
      }
    }
    return spellings
  }()

  @Test(arguments: spellings)
  func knowsEverySpelling(_ name: String, _ text: String) {
    let redaction = Redaction(secrets: [Self.key])
    let cleaned = redaction.text("<\(text)> and <\(text)>")
    #expect(cleaned.contains("REDACTED") && !cleaned.contains(text), "\(name): \(cleaned)")
    // A few digits of the surrounding text may remain in Base64, but none of the key.
    let rest = cleaned.replacing("REDACTED", with: "").filter { $0 != "<" && $0 != ">" }
    #expect(rest.count <= " and ".count + 2 * 12, "\(name): \(cleaned)")
    let body = redaction.body(Array("<\(text)>".utf8))
    #expect(body.count == text.utf8.count + 2, "\(name)")
    #expect(
      body.filter { $0 == 0x78 }.count >= text.utf8.count - 12, "\(name): \(String(decoding: body, as: UTF8.self))")
  }

  @Test func knowsAKeyThatWasCutOff() {
    let redaction = Redaction(secrets: ["0123456789abcdef0123456789abcdef"])
    #expect(redaction.text("found \"Invalid key 0123456789abcdef0123…\"") == "found \"Invalid key REDACTED…\"")
    #expect(redaction.text("found \"0123…\"") == "found \"REDACTED…\"")
    #expect(redaction.text("cut at 012345678") == "cut at REDACTED")
    #expect(redaction.text("0123456789 is a number") == "0123456789 is a number")
  }

  @Test func aSourceAddsNames() throws {
    let redaction = Redaction(names: SecretNames(adding: ["appId", "X-Ticket"]))
    #expect(redaction.url("http://a/?appid=12345&q=1") == "http://a/?appid=REDACTED&q=1")
    #expect(redaction.headers(["x-ticket": "12345", "X-Other": "1"]) == ["x-ticket": "REDACTED", "X-Other": "1"])
    #expect(Redaction().url("http://a/?appid=12345&q=1") == "http://a/?appid=12345&q=1")
  }

  /// A source whose server repeats the key in all that it says.
  private struct Telltale: EditableSource, KeyedSource, AccountSource {
    let descriptor = SourceDescriptor(name: .users, summary: "users", forms: [.init("users/{id}", "")], collections: [])
    var abilities: SourceAbilities { SourceAbilities(edits: self, key: self, accounts: self) }
    let editableCollections: [CollectionName] = []
    static let error = SourceError.refused(message: "no topsecret here")

    func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow {
      var follow = follow
      follow.follow.path = follow.follow.path.lowercased()
      return follow
    }
    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      guard context.cursor == nil else { throw Self.error }
      let reject = RejectedRecord(index: 0, path: "$", expected: "a user", found: "topsecret", raw: "topsecret")
      return PullPage(rejects: [reject], url: "http://a/?api_key=topsecret")
    }
    func push(_ entry: OutboxEntry, _ context: PushContext) async throws(SourceError) -> PushOutcome {
      throw Self.error
    }
    func proveKey(over transport: any HTTPTransport) async throws(SourceError) { throw Self.error }
    func offers(
      of account: SourceAccount, over transport: any HTTPTransport
    ) async throws(SourceError) -> [AccountOffer] { throw Self.error }
  }

  @Test func nothingThatASourceSaysLeavesSourcesUnredacted() async throws {
    let source = try #require(Sources([Telltale()], redactor: Redaction(secrets: ["topsecret"]))[.users])
    #expect(try source.check(Follow(path: "users/ADA")).follow.path == "users/ada")
    let store = InMemoryRecordStore()
    let (pull, transport) = (try source.open(source.check(Follow(path: "users/ada"))), ScriptedTransport([]))
    var context = PullContext(
      transport: transport, snapshot: try store.snapshot(), now: Timestamp(secondsSinceEpoch: 0), run: "run")
    let page = try await pull.page(context)
    #expect(page.url == "http://a/?api_key=REDACTED" && page.rejects.kept.map(\.raw) == ["REDACTED"])
    context.cursor = [:]
    let masked = SourceError.refused(message: "no REDACTED here")
    await #expect(throws: masked) { try await pull.page(context) }
    await #expect(throws: masked) { try await source.proveKey(over: transport) }
    await #expect(throws: masked.failure(of: source.descriptor)) {
      try await source.offers(of: SourceAccount(name: "a", url: "http://a/"), over: transport)
    }
  }

  @Test func leavesEverythingElse() {
    let redaction = Redaction(secrets: ["topsecret", "aaaa"])
    for text in ["", "top", "secret", "100 %", "%zz%", "\\", "\\u12", "%74op", "aaab", "ü€😀"] {
      #expect(redaction.text(text) == text)
    }
    #expect(redaction.text("aaaaaaaaa") == "REDACTEDREDACTEDa")
  }

  /// `ALMANAC_MUTATIONS` is the number of texts.
  @Test func findsASecretInRandomTexts() {
    let count = ProcessInfo.processInfo.environment["ALMANAC_MUTATIONS"].flatMap { Int($0) } ?? 2000
    let random = SeededRandom(seed: 11)
    let letters = Array("ab%2\\u0061+/=\"".utf8)
    for round in 0..<count {
      func bytes(_ count: Int) -> String {
        String(decoding: (0..<count).map { _ in letters[Int(random.next() % UInt64(letters.count))] }, as: UTF8.self)
      }
      let secret = bytes(4 + round % 9)
      let cleaned = Redaction(secrets: [secret]).text(bytes(round % 7) + secret + bytes(round % 5))
      #expect(!cleaned.contains(secret) && cleaned.contains(Redaction.mask), "\(secret): \(cleaned)")
    }
  }
}
