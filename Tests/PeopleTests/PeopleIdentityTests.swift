import AlmanacTesting
import Models
import People
import Ports
import Testing

/// A person keeps id, calendar UID and the server's id, whatever the server's list says of ids and names.
struct PeopleIdentityTests {
  private let house = PeopleHouse()
  private let server = FakePeople()

  private func made(_ id: String?, _ first: String, _ last: String, _ birthday: String) -> FakePeople.Made {
    FakePeople.Made(id: id, firstName: first, lastName: last, birthday: birthday)
  }

  /// Adds people here and sends them; the server gives them the ids 1, 2 and so on.
  private func send(_ people: [(String, String, String)]) async throws -> [String] {
    var ids: [String] = []
    for (first, last, birthday) in people {
      let person = try await house.people.add(firstName: first, lastName: last, birthday: .on(birthday))
      _ = try await house.people.queue([person.id])
      try await house.flush(server)
      ids.append(person.id)
    }
    return ids
  }

  /// `id first last remoteID` of everybody here.
  private func here() throws -> Set<String> {
    Set(try house.all().map { "\($0.id) \($0.fullName) \($0.remoteID ?? "-")" })
  }

  @Test func whoWasSentStaysTheSameOnAListWithoutIds() async throws {
    let ids = try await send([("Ada", "Lovelace", "1815-12-10"), ("Alan", "Turing", "1912-06-23")])
    let before = try here()
    server.listIDs { _ in false }
    let page = try await house.sync(server)
    #expect(page.changes.map(\.id) == ids)
    #expect(page.list?.now == ids)
    #expect(try here() == before)
    #expect(before.contains("\(ids[0]) Ada Lovelace 1"))
  }

  @Test(arguments: [["1"], ["2"], []]) func aListThatHasSomeIds(listed: [String]) async throws {
    let ids = try await send([("Ada", "Lovelace", "1815-12-10"), ("Alan", "Turing", "1912-06-23")])
    let before = try here()
    server.listIDs { listed.contains($0.id ?? "") }
    try await house.sync(server)
    server.listIDs { !listed.contains($0.id ?? "") }
    #expect(try await house.sync(server).list?.now == ids)
    #expect(try here() == before)
  }

  @Test func anIdThatAppearsLaterIsTaken() async throws {
    server.set([made("7", "Ada", "Lovelace", "1815-12-10")])
    server.listIDs { _ in false }
    try await house.sync(server)
    let id = try #require(try house.all().first?.id)
    server.listIDs { _ in true }
    try await house.sync(server)
    #expect(try here() == ["\(id) Ada Lovelace 7"])
    // And the id that a name gave is not given to somebody else of that name.
    server.set([made("7", "Augusta", "King", "1815-12-10"), made(nil, "Ada", "Lovelace", "1815-12-10")])
    try await house.sync(server)
    #expect(try house.all().count == 2)
    #expect(try here().contains("\(id) Augusta King 7"))
    let before = try here()
    try await house.sync(server)
    #expect(try here() == before)
  }

  @Test func newIdsForTheSamePeople() async throws {
    let ids = try await send([("Ada", "Lovelace", "1815-12-10"), ("Alan", "Turing", "1912-06-23")])
    server.set([made("a", "Ada", "Lovelace", "1815-12-10"), made("b", "Alan", "Turing", "1912-06-23")])
    try await house.sync(server)
    #expect(try here() == ["\(ids[0]) Ada Lovelace a", "\(ids[1]) Alan Turing b"])
  }

  @Test func twoOfTheSameNameStayTwo() async throws {
    let twins = [made("1", "Ada", "", "--01-01"), made("2", "Ada", "", "--01-01")]
    server.set(twins)
    try await house.sync(server)
    let before = try here()
    #expect(before == ["r-1 Ada 1", "r-2 Ada 2"])
    for hidden in [["1"], ["2"], ["1", "2"]] {
      server.listIDs { !hidden.contains($0.id ?? "") }
      try await house.sync(server)
      #expect(try here() == before, "\(hidden)")
    }
    server.set([twins[1]])
    try await house.sync(server)
    #expect(try house.all().count == 1)
  }

  @Test(arguments: [
    ("Ada", "King", "1815-12-10"), ("Augusta", "Byron", "1815-12-10"), ("Ada", "Byron", "1815-12-11"),
  ])
  func renamedOnAListWithoutIds(first: String, last: String, birthday: String) async throws {
    let ids = try await send([("Ada", "Byron", "1815-12-10"), ("Alan", "Turing", "1912-06-23")])
    server.listIDs { _ in false }
    try await house.sync(server)
    server.set([made("1", first, last, birthday), made("2", "Alan", "Turing", "1912-06-23")])
    try await house.sync(server)
    #expect(try here() == ["\(ids[0]) \(first) \(last) 1", "\(ids[1]) Alan Turing 2"])
    #expect(try house.all().first { $0.id == ids[0] }?.birthday == .on(birthday))
  }

  /// Nobody takes somebody else's place: too little is the same, or more than one could be meant.
  @Test func aNewPersonIsNotTakenForOneWhoIsGone() async throws {
    server.listIDs { _ in false }
    server.set([made(nil, "Ada", "", "--01-01"), made(nil, "Bo", "Berg", "--02-02"), made(nil, "Cy", "Elm", "--03-03")])
    try await house.sync(server)
    let before = try house.all()
    server.set([
      made(nil, "Dee", "", "--01-01"), made(nil, "Bo", "Oak", "--02-02"), made(nil, "Bo", "Ash", "--02-02"),
      made(nil, "Cy", "Elm", "--03-03"),
    ])
    let page = try await house.pull(server)
    #expect(Set(page.changes.map(\.id)).intersection(before.map(\.id)).count == 1)
    // With other ids they are others, unless everything is the same.
    let other = FakePeople()
    other.set([made("1", "Ada", "Byron", "1815-12-10")])
    let house = PeopleHouse()
    try await house.sync(other)
    other.set([made("2", "Ada", "King", "1815-12-10")])
    #expect(try await house.pull(other).changes.map(\.id) == ["r-2"])
  }

  @Test func whoWasEditedHereAndRenamedThereIsTheSame() async throws {
    let ids = try await send([("Ada", "Byron", "1815-12-10")])
    server.listIDs { _ in false }
    try await house.sync(server)
    #expect(try await house.people.edit(ids[0], PersonChange(firstName: "Augusta", lastName: "King")).isOnServer)
    server.set([made("1", "Augusta", "King", "1815-12-10")])
    #expect(try await house.sync(server).changes.map(\.id) == ids)
  }

  @Test func whoWasRemovedHereDoesNotComeBackWithoutAnId() async throws {
    let ids = try await send([("Ada", "Byron", "1815-12-10"), ("Alan", "Turing", "1912-06-23")])
    #expect(try await house.people.remove(ids[0]).isOnServer)
    for hasIDs in [false, true] {
      server.listIDs { _ in hasIDs }
      try await house.sync(server)
      #expect(try house.all().map(\.id) == [ids[1]])
    }
    // Nor in the place of somebody with the same last name and birthday.
    server.set([made("1", "Ada", "Byron", "1815-12-10"), made("3", "Medora", "Byron", "1815-12-10")])
    server.listIDs { _ in false }
    try await house.sync(server)
    server.set([made("1", "Ada", "Byron", "1815-12-10")])
    try await house.sync(server)
    #expect(try house.all().isEmpty)
  }

  /// A list that is behind takes nobody away who was just sent.
  @Test func whoIsNotOnTheListYetStays() async throws {
    let ids = try await send([("Ada", "Byron", "1815-12-10")])
    let there = server.people
    server.set([made("9", "Alan", "Turing", "1912-06-23")])
    try await house.sync(server)
    #expect(try here().contains("\(ids[0]) Ada Byron 1"))
    server.set(there)
    try await house.sync(server)
    #expect(try here() == ["\(ids[0]) Ada Byron 1"])
    // Once it was there, it is gone when it is gone.
    server.set([])
    try await house.sync(server)
    #expect(try house.all().isEmpty)
  }

  /// Whoever has the same name as somebody with a lost reply is not taken for that one.
  @Test func aLostReplyIsNotFoundInATwinWithoutAnId() async throws {
    server.set([made("5", "Ada", "Byron", "1815-12-10")])
    try await house.sync(server)
    server.listIDs { _ in false }
    _ = try await house.people.edit("r-5", PersonChange(lastName: "King"))
    let ada = try await house.people.add(firstName: "Ada", lastName: "Byron", birthday: .on("1815-12-10"))
    // Earlier versions queued people whom the list has under another id.
    var entry = OutboxEntry(
      id: "e", target: "people/\(ada.id)", kind: .post,
      edit: ["firstName": "Ada", "lastName": "Byron", "birthday": "1815-12-10"], base: [:],
      createdAt: Timestamp(secondsSinceEpoch: 0))
    entry.outcomeUnknown = true
    try await house.put([entry])
    try await house.flush(server)
    #expect(server.people.count == 2)
    try await house.sync(server)
    #expect(try house.all().map(\.id).sorted() == [ada.id, "r-5"].sorted())
  }
}
