import AlmanacTesting
import Models
import People
import Ports
import Sync
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
    let request = try #require(server.requests.last)
    #expect(server.methods == [.get, .post])
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
    server.prepare([nil, .replyLost])
    let error = await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    #expect(error?.disposition == .unknown)
    #expect(server.people.count == 1)
    entry.outcomeUnknown = true
    guard case .accepted(let remote) = try await house.push(entry, server) else {
      Issue.record("not accepted")
      return
    }
    #expect(remote.fields["remoteID"] == "1")
    #expect(server.methods == [.get, .post, .get])
    #expect(server.people.count == 1)
  }

  @Test func whatNeverArrivedIsSentUnderTheSameKey() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    var entry = try await queued(house)
    server.prepare([nil, .unreachable])
    await #expect(throws: SourceError.self) { try await house.push(entry, server) }
    entry.outcomeUnknown = true
    _ = try await house.push(entry, server)
    #expect(server.methods == [.get, .post, .get, .post])
    #expect(Set(server.requests.compactMap { $0.headers["Idempotency-Key"] }) == [entry.id])
    #expect(server.people.count == 1)
  }

  @Test("one flush reads the list once, and again where an attempt may have arrived")
  func oneListIsEnough() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    for name in ["Ada", "Bo", "Cy"] {
      let person = try await house.people.add(firstName: name, lastName: "Byron", birthday: .on("1815-12-10"))
      _ = try await house.people.queue([person.id])
    }
    server.set([.init(id: "7", firstName: "Bo", lastName: "Byron", birthday: "1815-12-10")])
    try await house.flush(server)
    #expect(server.methods == [.get, .post, .post])
    #expect(try Set(house.all().map(\.remoteID)).count == 3 && house.entries().isEmpty)
    let memory = KeptAnswer()
    var entry = try await queued(house)
    server.prepare([nil, .replyLost])
    await #expect(throws: SourceError.self) { try await house.push(entry, server, memory) }
    entry.outcomeUnknown = true
    _ = try await house.push(entry, server, memory)
    #expect(server.methods.suffix(3) == [.get, .post, .get] && server.people.count == 4)
  }

  @Test func whereTheListCannotBeReadNothingIsSent() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let entry = try await queued(house)
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

  /// Another store may have sent the person, or this one before it was made anew.
  @Test(arguments: [true, false]) func whoIsOnTheListIsNotMadeAgain(givesIDs: Bool) async throws {
    let (house, server) = (PeopleHouse(), FakePeople(givesIDs: givesIDs))
    _ = try await queued(house)
    server.set([.init(id: givesIDs ? "7" : nil, firstName: "Ada", lastName: "Lovelace", birthday: "1815-12-10")])
    try await house.flush(server)
    #expect(try house.entries().isEmpty)
    #expect(try house.all().map(\.remoteID) == [givesIDs ? "7" : nil])
    #expect(server.methods == [.get])
    #expect(try await house.people.queue([]).entries.isEmpty)
  }

  /// A file that was imported holds the person under another id, as a list or an edit brought them meanwhile.
  @Test(arguments: [true, false]) func aSecondRecordOfAPersonOnTheListIsNotSent(isRenamed: Bool) async throws {
    let (house, server) = (PeopleHouse(), FakePeople(givesIDs: false))
    server.set([.init(id: nil, firstName: "Ada", lastName: "Lovelace", birthday: "1815-12-10")])
    try await house.sync(server)
    let known = try #require(try house.all().first)
    if isRenamed { _ = try await house.people.edit(known.id, PersonChange(lastName: "King")) }
    try await house.put([
      Person(id: "01a", firstName: "ADA", lastName: "Lovelace", birthday: .on("1815-12-10")),
      Person(id: "01b", firstName: "Alan", lastName: "Turing", birthday: .on("1912-06-23")),
      Person(id: "01c", firstName: "Alan", lastName: "Turing", birthday: .on("1912-06-23")),
    ])
    let queued = try await house.people.queue([])
    #expect(queued.people.map(\.id) == ["01b"])
    #expect(queued.leftOut.map(\.person.id) == ["01a", "01c"])
    #expect(queued.leftOut.map(\.reason) == [.listed(as: known.id), .listed(as: "01b")])
    let failure = await #expect(throws: Failure.self) { try await house.people.queue(["01a"]) }
    let message = "ADA Lovelace cannot be sent: the server has the person already, stored here as \(known.id)"
    #expect(failure?.message == message)
    #expect(failure?.hint?.description == "merge 01a with \(known.id)")
    // Who waits is not left out for the sake of somebody else who waits.
    #expect(try await house.people.queue([]).people.map(\.id) == ["01b"])
    try await house.flush(server)
    #expect(server.people.count == 2)
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
    server.prepare([nil, FakePeople.refusal(status)])
    try await house.flush(server)
    #expect(try house.entries().map(\.state) == [state])
    #expect(try house.all().count == 1)
  }

  @Test func theServersWordsAreInTheError() async throws {
    let (house, server) = (PeopleHouse(), FakePeople())
    let entry = try await queued(house)
    server.prepare([nil, FakePeople.refusal(422)])
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
