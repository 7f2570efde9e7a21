import AlmanacTesting
import CardDAV
import Models
import People
import Ports
import Sync
import Synchronization
import Testing

/// What fails, or changes, between the requests that send one edit.
@Suite struct LostReadTests {
  /// The card is read after the change, and that request fails: the edit has arrived all the same.
  @Test func anEditWhoseReadFailsIsNotSentAsAnother() async throws {
    let server = FakeCardDAV()
    server.put("ada.vcf", vCard("Ada L"))
    let fails = Mutex(false)
    let house = CardDAVHouse(
      ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        let failsNow = fails.withLock { fails in
          defer { fails = request.method == .put && request.url.hasSuffix("ada.vcf") && !fails }
          return fails
        }
        if failsNow { throw TransportError(.cannotConnect, "no connection", url: request.url) }
        return try await server.transport.send(request)
      })
    try await house.sync()
    let ada = try #require(try house.person("Ada L"))
    func edit(_ note: String) async throws {
      _ = try await house.people.edit(ada.id, PersonChange(details: ["note": .string(note)]))
    }
    try await edit("one")
    try await house.flush()
    #expect(try house.outbox.entries().map(\.outcomeUnknown) == [true])
    try await edit("two")
    try await house.sync()
    #expect(try house.outbox.entries().map(\.state) != [.conflict])
    for _ in 0..<2 { try await house.sync() }
    #expect(try house.outbox.entries().isEmpty && house.person("Ada L")?.details.note == "two")
    #expect(server.cards["ada.vcf"]?.contains("NOTE:two") == true)
  }

  /// A card is read together with the one before it. If it changes before its own edit is sent, that edit is not refused.
  @Test func aCardThatChangedSinceItWasReadAheadIsReadAgain() async throws {
    let server = FakeCardDAV()
    for name in ["ada", "bob"] { server.put("\(name).vcf", vCard("\(name) L", "NOTE:old")) }
    let lost = Mutex(0)
    let house = CardDAVHouse(
      ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        let count = lost.withLock { lost in
          if request.method == .put { lost += 1 }
          return lost
        }
        if request.method == .put, count < 3 {
          throw TransportError(.connectionLost, "the request was lost", url: request.url, mayHaveArrived: true)
        }
        let response = try await server.transport.send(request)
        let body = request.text
        if count == 3, request.method == .report, body.contains("ada.vcf"), body.contains("bob.vcf") {
          server.put("bob.vcf", vCard("bob L", "NOTE:theirs"))
        }
        return response
      })
    try await house.sync()
    for name in ["ada L", "bob L"] {
      let person = try #require(try house.person(name))
      _ = try await house.people.edit(person.id, PersonChange(details: ["nickname": "new"]))
    }
    for _ in 0..<3 { try await house.flush() }
    #expect(try house.outbox.entries().isEmpty)
    for card in server.cards.values { #expect(card.contains("NICKNAME:new"), "\(card)") }
    #expect(server.cards["bob.vcf"]?.contains("NOTE:theirs") == true && lost.withLock { $0 } > 3)
  }
}
