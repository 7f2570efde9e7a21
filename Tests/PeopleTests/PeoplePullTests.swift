import AlmanacTesting
import Models
import Parsing
import People
import Ports
import Sync
import Testing

struct PeoplePullTests {
  private let house = PeopleHouse()
  private let server = FakePeople()

  private func made(_ id: String?, _ first: String, _ last: String, _ birthday: String) -> FakePeople.Made {
    FakePeople.Made(id: id, firstName: first, lastName: last, birthday: birthday)
  }

  @Test(arguments: ["people/", "people/1", "peoples", "person", ""]) func followIsRefused(path: String) {
    #expect(throws: FollowError.self) { try house.source.check(Follow(path: path)) }
  }

  /// Somebody without a birthday is the only one of that name on the list, and learns it there.
  @Test func whoHasNoBirthdayHereGetsItThere() async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: nil)
    let alan = try await house.people.add(firstName: "Alan", lastName: "Turing", birthday: nil)
    server.set([
      made("1", "Ada", "Lovelace", "1815-12-10"), made("2", "Alan", "Turing", "1912-06-23"),
      made("3", "Alan", "Turing", "1980-01-01"),
    ])
    let page = try await house.sync(server)
    #expect(page.changes.map(\.id) == [ada.id, "r-2", "r-3"])
    #expect(try house.all().first { $0.id == ada.id }?.birthday == .on("1815-12-10"))
    #expect(try house.all().first { $0.id == alan.id }?.birthday == nil)
  }

  /// Somebody without a birthday at the server is stored, and stays the same when the birthday comes.
  @Test(arguments: ["1", nil]) func aPersonMayLackABirthday(_ id: String?) async throws {
    let member = id.map { "\"id\":\"\($0)\"," } ?? ""
    func answer(_ text: String) -> ScriptedTransport {
      ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
        HTTPResponse(status: 200, body: Array("[{\(member)\(text)}]".utf8), url: request.url)
      }
    }
    let page = try await house.sync(server, through: answer(#""firstName":"Ada""#))
    let ada = try #require(try house.all().first)
    #expect(page.rejects.isEmpty && page.coverage == .whole(before: [], now: [.init(.people, ada.id)]))
    #expect(ada.fields.keys == ["id", "firstName", "fullName"] + (id == nil ? [] : ["remoteID"]))
    try await house.sync(server, through: answer(#""firstName":"Ada","birthday":"1815-12-10""#))
    #expect(try house.all().map(\.id) == [ada.id] && house.all()[0].birthday == .on("1815-12-10"))
    // Nor is another one made where it goes again.
    try await house.sync(server, through: answer(#""firstName":"Ada""#))
    #expect(try house.all().map(\.id) == [ada.id])
  }

  /// Somebody here who has a birthday is the only one of that name on the list, which has none.
  @Test func whoHasABirthdayHereIsFoundWithoutIt() async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10"))
    let list = #"[{"id":"1","firstName":"Ada","lastName":"Lovelace"}]"#
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      HTTPResponse(status: 200, body: Array(list.utf8), url: request.url)
    }
    #expect(try await house.sync(server, through: transport).changes.map(\.id) == [ada.id])
  }

  /// The list that comes back holds somebody who was not there when it was asked for.
  @Test(arguments: [false, true]) func whoIsSentDuringAPullIsOnePerson(isReplyLost: Bool) async throws {
    let server = FakePeople(honoursKeys: false)
    server.set([made("1", "Alan", "Turing", "1912-06-23")])
    let transport = ScriptedTransport { [house] request, _ throws(TransportError) in
      do {
        let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: .on("1815-12-10"))
        _ = try await house.people.queue([ada.id])
        if isReplyLost { server.prepare([.replyLost]) }
        try await house.flush(server)
      } catch {
        throw TransportError(.cannotConnect, "\(error)")
      }
      return try await server.transport.send(request)
    }
    try await house.sync(server, through: transport)
    try await house.flush(server)
    try await house.sync(server)
    #expect(server.people.map(\.lastName) == ["Turing", "Lovelace"])
    #expect(try house.all().map(\.lastName).sorted() == ["Lovelace", "Turing"])
    #expect(try house.entries().isEmpty)
  }

  @Test func twoPeopleWithOneIDAreNotOneWithoutAWord() async throws {
    server.set([
      made("1", "Ada", "Lovelace", "1815-12-10"), made("1", "Alan", "Turing", "1912-06-23"),
      made("2", "Grace", "Hopper", "1906-12-09"), made("2", "Grace", "Hopper", "1906-12-09"),
    ])
    let page = try await house.sync(server)
    #expect(page.rejects.total == 1 && page.rejects.kept.first?.found == "the id '1' of Ada Lovelace")
    #expect(page.rejects.kept.first?.raw.contains("Turing") == true)
    #expect(try house.all().map(\.lastName).sorted() == ["Hopper", "Lovelace"])
    // The list is complete nevertheless.
    #expect(page.list != nil)
  }

  @Test func theListIsTakenWhole() throws {
    try house.source.check(Follow(path: "people"))
    #expect(throws: FollowError.self) { try house.source.check(Follow(path: "people", limit: 3)) }
  }

  @Test func newPeopleGetIdsThatStayTheSame() async throws {
    server.set([
      made("42", "Ada", "Lovelace", "1815-12-10"), made("a/b c", "Alan", "Turing", "1912-06-23"),
      made(nil, "Grace", "Hopper", "--12-09"),
    ])
    let page = try await house.sync(server)
    let ids = page.changes.map(\.id)
    #expect(ids[0] == "r-42")
    #expect(ids[1].hasPrefix("h-"))
    #expect(ids[2].hasPrefix("h-"))
    #expect(Set(ids).count == 3)
    #expect(page.changes.allSatisfy { $0.rule == .merge })
    var base = page.changes[0].fields
    base["fullName"] = nil
    #expect(page.changes[0].sourceState == [:] && page.changes[0].base == base)
    #expect(try await PeopleHouse(seed: 9).pull(server).changes.map(\.id) == ids)
    #expect(try house.all().map(\.fullName).sorted() == ["Ada Lovelace", "Alan Turing", "Grace Hopper"])
    #expect(try await house.pull(server).changes.map(\.id) == ids)
  }

  @Test func somebodyHereWhoIsTheSameGetsTheRemoteId() async throws {
    let ada = try await house.people.add(firstName: " Ada", lastName: "Lovelace ", birthday: .on("1815-12-10"))
    server.set([made("42", "Ada ", "Lovelace", "1815-12-10"), made("43", "Ada", "Lovelace", "1815-12-11")])
    let page = try await house.sync(server)
    #expect(page.changes.map(\.id) == [ada.id, "r-43"])
    #expect(try house.all().count == 2)
    #expect(try house.all().first { $0.id == ada.id }?.remoteID == "42")
  }

  /// The answer to the POST was lost, and the person was changed here before the list told of it.
  @Test(arguments: [true, false]) func whoWasSentAndThenChangedHereIsTheSame(honoursKeys: Bool) async throws {
    let server = FakePeople(honoursKeys: honoursKeys)
    let ada = try await house.people.add(firstName: "Ada", lastName: "Byron", birthday: .on("1815-12-10"))
    _ = try await house.people.queue([])
    server.prepare([nil, .replyLost])
    try await house.flush(server)
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "Lovelace"))
    let page = try await house.pull(server)
    #expect(page.changes.map(\.id) == [ada.id])
    #expect(page.changes.first?.fields["remoteID"] == "1")
  }

  @Test func twoTwinsOnTheServerStayTwo() async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "", birthday: .on("--01-01"))
    server.set([made("1", "Ada", "", "--01-01"), made("2", "Ada", "", "--01-01"), made("2", "Ada", "", "--01-01")])
    let page = try await house.sync(server)
    #expect(page.changes.map(\.id) == [ada.id, "r-2"])
    #expect(try await house.pull(server).changes.map(\.id) == [ada.id, "r-2"])
  }

  @Test func whoIsRenamedThereIsTheSameHere() async throws {
    server.set([made("42", "Ada", "Byron", "1815-12-10")])
    try await house.sync(server)
    server.set([made("42", "Ada", "Lovelace", "1815-12-10")])
    try await house.sync(server)
    #expect(try house.all().map(\.fullName) == ["Ada Lovelace"])
  }

  @Test func aServerWithoutIdsKnowsItsPeopleAlsoWhenTheyWereEditedHere() async throws {
    server.set([made(nil, "Ada", "Byron", "1815-12-10")])
    try await house.sync(server)
    let ada = try #require(try house.all().first)
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "Lovelace"))
    let page = try await house.pull(server)
    #expect(page.changes.map(\.id) == [ada.id])
    #expect(page.list?.before == [ada.id])
    #expect(page.list?.now == [ada.id])
  }

  @Test func whoIsGoneThereIsInTheListing() async throws {
    server.set([made("1", "A", "", "--01-01"), made("2", "B", "", "--01-02")])
    try await house.sync(server)
    _ = try await house.people.add(firstName: "C", lastName: "", birthday: .on("--01-03"))
    server.set([made("2", "B", "", "--01-02")])
    let page = try await house.sync(server)
    #expect(page.list?.before == ["r-1", "r-2"] && page.list?.now == ["r-2"])
    #expect(try house.all().map(\.firstName).sorted() == ["B", "C"])
  }

  @Test func whereOneCannotBeReadNobodyIsGone() async throws {
    server.set([made("1", "A", "", "--01-01"), made("2", "B", "", "--01-02")])
    let first = try await house.sync(server)
    server.set([made("2", "B", "", "--01-02")])
    server.setExtra("{\"id\":\"1\",\"firstName\":\"A\",\"birthday\":\"soon\"}")
    let page = try await house.pull(server, sourceState: first.sourceState ?? [:])
    #expect(page.rejects.total == 1)
    #expect(page.list == nil)
    #expect(page.sourceState == [:])
  }

  @Test func whoWasRemovedHereDoesNotComeBack() async throws {
    server.set([
      made("1", "A", "", "--01-01"), made("x/y", "B", "", "--01-02"), made(nil, "C", "", "--01-03"),
      made("4", "D", "", "--01-04"),
    ])
    try await house.sync(server)
    for person in try house.all() where person.firstName != "D" { _ = try await house.people.remove(person.id) }
    let page = try await house.sync(server)
    #expect(page.changes.map(\.id) == ["r-4"])
    #expect(page.list?.now == ["r-4"])
    #expect(try house.all().map(\.firstName) == ["D"])
    // Added again here, it is the same person there.
    let again = try await house.people.add(firstName: "A", lastName: "", birthday: .on("--01-01"))
    try await house.sync(server)
    #expect(try house.all().first { $0.id == again.id }?.remoteID == "1")
  }

  /// Also where the person had other names here than on the server, and where the server gives no ids.
  @Test func whoIsAddedAgainIsNotSentAgain() async throws {
    server.set([made("1", "A", "", "--01-01"), made(nil, "C", "", "--01-03")])
    try await house.sync(server)
    _ = try await house.people.edit("r-1", PersonChange(firstName: "Z", lastName: "Q"))
    for person in try house.all() { _ = try await house.people.remove(person.id) }
    // Added, removed before it was sent, and added once more.
    let first = try await house.people.add(firstName: "Z", lastName: "Q", birthday: .on("--01-01"))
    _ = try await house.people.remove(first.id)
    _ = try await house.people.add(firstName: "Z", lastName: "Q", birthday: .on("--01-01"))
    _ = try await house.people.add(firstName: "C", lastName: "", birthday: .on("--01-03"))
    _ = try await house.people.queue([])
    try await house.flush(server)
    #expect(server.people.count == 2)
    #expect(try house.entries().isEmpty)
    #expect(try Set(house.all().map(\.remoteID)) == ["1", nil])
  }

  @Test func anUnchangedListIsNotSentAgain() async throws {
    server.set([made("1", "A", "", "--01-01")])
    let first = try await house.sync(server)
    let second = try await house.pull(server, sourceState: first.sourceState ?? [:])
    #expect(second.changes.isEmpty)
    #expect(second.list == nil)
    // Somebody who may be on the list can only be found by reading it.
    _ = try await house.people.add(firstName: "B", lastName: "", birthday: .on("--01-02"))
    #expect(try await house.pull(server, sourceState: first.sourceState ?? [:]).changes.count == 1)
  }

  @Test func withoutAnAddressNothingIsAsked() async throws {
    let source = PeopleSource(
      list: PeopleListParser(), answer: PersonAnswerParser(), coder: house.coder,
      edits: OutboxEdits(
        coder: house.coder, catalog: CollectionCatalog([PeopleSource.descriptor]), time: ManualTime(),
        random: SeededRandom()))
    let error = await #expect(throws: SourceError.self) {
      try await source.pull(Follow(path: "people"), over: server.transport)
    }
    #expect(error?.failure.reason == .config)
    #expect(error?.failure.hint?.contains("servers.people.url") == true)
  }
}
