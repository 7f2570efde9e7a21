import AlmanacTesting
import Models
import People
import Ports
import Testing

struct PeoplePushTests {
  private func queued(_ house: PeopleHouse) async throws -> OutboxEntry {
    let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10"))
    _ = try await house.people.queue([ada.id])
    return try #require(try house.entries().first)
  }

  @Test func aPersonIsMadeOnce() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let entry = try await queued(house)
    let outcome = try await house.push(entry, server)
    let person = Person(
      id: entry.targetID, firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10"), remoteID: "1")
    var base = person.fields
    base["fullName"] = nil
    #expect(outcome == .accepted(RemoteRecord(person.fields, base: base, sourceState: ["unlisted": true])))
    let request = try #require(server.requests.first)
    #expect(server.methods == [.post])
    #expect(request.url == "https://people.example/people")
    #expect(request.headers["Idempotency-Key"] == entry.id)
    #expect(request.isRepeatable == nil && !request.method.isIdempotent)
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == "{\"firstName\":\"Ada\",\"lastName\":\"Lovelace\",\"birthday\":\"1815-12-10\"}")
  }

  /// The list is read before anything is sent again, whether or not the server honours the key.
  @Test(arguments: [true, false]) func aLostReplyIsFoundOut(honoursKeys: Bool) async throws {
    let (house, server) = (PeopleHouse(), FakePeople(honoursKeys: honoursKeys))
    var entry = try await queued(house)
    server.prepare([.replyLost])
    let error = await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    #expect(error?.disposition == .unknown)
    entry.outcomeUnknown = true
    guard case .accepted(let remote) = try await house.push(entry, server) else {
      Issue.record("not accepted")
      return
    }
    #expect(remote.fields["remoteID"] == "1")
    #expect(server.methods == [.post, .get])
    #expect(server.people.count == 1)
  }

  @Test func whatNeverArrivedIsSentUnderTheSameKey() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    var entry = try await queued(house)
    server.prepare([.unreachable])
    await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    entry.outcomeUnknown = true
    _ = try await house.push(entry, server)
    #expect(server.methods == [.post, .get, .post])
    #expect(Set(server.requests.compactMap { $0.headers["Idempotency-Key"] }) == [entry.id])
    #expect(server.people.count == 1)
  }

  @Test func whereTheListCannotBeReadNothingIsSent() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    var entry = try await queued(house)
    entry.outcomeUnknown = true
    server.prepare([FakePeople.refusal(503)])
    await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    #expect(server.methods == [.get])
  }

  @Test func somebodyElsesTwinDoesNotCount() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let twin = Person(id: "other", firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10"), remoteID: "1")
    var entry = try await queued(house)
    try await house.put([twin])
    server.set([.init(id: "1", firstName: "Ada", lastName: "Lovelace", birthday: "1815-12-10")])
    entry.outcomeUnknown = true
    guard case .accepted(let remote) = try await house.push(entry, server) else {
      Issue.record("not accepted")
      return
    }
    #expect(remote.fields["remoteID"] == "2")
    #expect(server.people.count == 2)
  }

  @Test func somebodyWhomAPullHasFoundCountsAsSent() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let entry = try await queued(house)
    server.set([.init(id: "7", firstName: "Ada", lastName: "Lovelace", birthday: "1815-12-10")])
    try await house.sync(server)
    guard case .accepted(let remote) = try await house.push(entry, server) else {
      Issue.record("not accepted")
      return
    }
    #expect(remote.fields["remoteID"] == "7")
    #expect(server.methods == [.get])
  }

  /// Whoever accepts without telling the person is asked for the list.
  @Test(arguments: [(true, false), (false, true), (false, false)])
  func anAnswerWithoutIdIsEnough(givesIDs: Bool, tells: Bool) async throws {
    let (house, server) = (PeopleHouse(), FakePeople(givesIDs: givesIDs, tells: tells))
    _ = try await queued(house)
    try await house.flush(server)
    #expect(try house.entries().isEmpty)
    #expect(try house.all().map(\.remoteID) == [givesIDs ? "1" : nil])
    #expect(try await house.people.queue([]).entries.isEmpty)
    try await house.sync(server)
    #expect(try house.all().count == 1)
  }

  @Test(arguments: [(422, OutboxEntry.State.refused), (400, .refused), (503, .pending), (401, .pending)])
  func refusals(status: Int, state: OutboxEntry.State) async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    _ = try await queued(house)
    server.prepare([FakePeople.refusal(status)])
    try await house.flush(server)
    #expect(try house.entries().map(\.state) == [state])
    #expect(try house.all().count == 1)
  }

  @Test func theServersWordsAreInTheError() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let entry = try await queued(house)
    server.prepare([FakePeople.refusal(422)])
    let error = await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    #expect(error?.failure.message.contains("too young") == true)
  }

  /// An entry of an older store, or one that was imported.
  @Test func whoHasNoBirthdayIsRefused() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    var entry = try await queued(house)
    entry.edit["birthday"] = .null
    let error = await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    #expect(error?.disposition == .refused)
    #expect(error?.failure.message.contains("without a birthday") == true)
    #expect(server.requests.isEmpty)
  }

  @Test func changesOfPeopleAreRefused() async throws {
    let entry = OutboxEntry(
      id: "e", target: "people/1", kind: .put, edit: [:], base: [:], createdAt: Timestamp(secondsSinceEpoch: 0))
    let error = await #expect(throws: SourceError.self) { try await PeopleHouse().push(entry, FakePeople()) }
    #expect(error?.disposition == .refused)
  }
}
