import AlmanacTesting
import Assembly
import Models
import Parsing
import Ports
import Testing

/// How long proposals wait, and how many of them.
@Suite struct ProposalLimitTests {
  private let time = ManualTime()
  private let store: InMemoryRecordStore
  private let services: LocalServices

  init() {
    store = InMemoryRecordStore(time: time)
    services = LocalServices(
      store: store, sources: .compiled, coder: JSONRecordCoder(), time: time, random: SeededRandom(),
      events: RecordedEvents())
  }

  private func propose(_ name: String) async throws -> Proposal {
    try await services.proposals.propose(.post, of: .people, nil, ["firstName": .string(name)], by: "test")
  }

  @Test func itExpiresAfterThirtyDays() async throws {
    let proposal = try await propose("Ada")
    time.set(by: Proposal.lifetime - 1)
    #expect(try await propose("Ada").$id == proposal.$id)
    #expect(try services.proposals.proposals() == [proposal])
    time.set(by: 1)
    #expect(try services.proposals.proposals().isEmpty)
    await #expect(throws: Failure.self) { try await services.proposals.approve(proposal.id) }
    _ = try await propose("Bo")
    #expect(try store.snapshot().stateKeys(.proposal).count == 1)
  }

  @Test func noMoreThanTwoHundredWait() async throws {
    for number in 1...200 { _ = try await propose("P\(number)") }
    await #expect(throws: Failure.self) { try await propose("P201") }
    await #expect(throws: Failure.self) { try await propose(String(repeating: "x", count: 70_000)) }
    #expect(try services.proposals.proposals().count == 200)
  }

  /// A conflict is decided for what the person has seen, field by field.
  @Test func aConflictIsDecidedBySides() async throws {
    let person = try await services.people.add(
      firstName: "Ada", lastName: "King", birthday: nil, fullName: nil, details: [:], to: nil, isNew: false,
      alongside: nil)
    func change(_ fields: JSONObject) async throws {
      _ = try await services.people.edit(person.id, PersonChange(try PersonInput(patch: fields)), ifStored: nil)
    }
    func stored() throws -> [String?] {
      let fields = try JSONRecordCoder().decode(services.library.record(.people, person.id))
      return ["firstName", "lastName", "nickname"].map { fields[$0]?.string }
    }
    let edit: JSONObject = ["firstName": "A", "lastName": "B", "nickname": "C"]
    let proposal = try await services.proposals.propose(.put, of: .people, person.id, edit, by: "test")
    try await change(["firstName": "Augusta", "lastName": "Byron"])
    let seen = try #require(try services.proposals.proposals().first).theirs
    #expect(seen == ["firstName": "Augusta", "lastName": "Byron"])
    try await change(["lastName": "Lovelace"])
    for theirs in [[:], seen] {
      await #expect(throws: Failure.self) {
        try await services.proposals.approve(proposal.id, over: theirs, keeping: [])
      }
    }
    #expect(try stored() == ["Augusta", "Lovelace", nil])
    let now = try #require(try services.proposals.proposals().first).theirs
    _ = try await services.proposals.approve(proposal.id, over: now, keeping: ["lastName".exact])
    #expect(try stored() == ["A", "Lovelace", "C"])
    #expect(try services.proposals.proposals().isEmpty)
  }

  /// The mark is in the commit of the new person: a program that is killed after it has not lost that.
  @Test func anApprovedPersonIsNotAddedTwice() async throws {
    let proposal = try await propose("Ada")
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.setState(StateKey(.proposal, proposal.id), to: ["approved": "1"], JSONRecordCoder())
    }
    #expect(try services.proposals.proposals().isEmpty)
    await #expect(throws: Failure.self) { try await services.proposals.approve(proposal.id) }
    #expect(try services.library.count(.people) == 0)
  }
}
