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
    await #expect(throws: Failure.self) { try await services.proposals.approve(proposal.id, evenIfChanged: false) }
    _ = try await propose("Bo")
    #expect(try store.snapshot().stateKeys(.proposal, JSONRecordCoder()).count == 1)
  }

  @Test func noMoreThanTwoHundredWait() async throws {
    for number in 1...200 { _ = try await propose("P\(number)") }
    await #expect(throws: Failure.self) { try await propose("P201") }
    await #expect(throws: Failure.self) { try await propose(String(repeating: "x", count: 70_000)) }
    #expect(try services.proposals.proposals().count == 200)
  }

  /// The mark is in the commit of the new person: a program that is killed after it has not lost that.
  @Test func anApprovedPersonIsNotAddedTwice() async throws {
    let proposal = try await propose("Ada")
    _ = try await store.write { (transaction) throws(StoreError) in
      try transaction.setState(StateKey(.proposal, proposal.id), to: ["approved": "1"], JSONRecordCoder())
    }
    #expect(try services.proposals.proposals().isEmpty)
    await #expect(throws: Failure.self) { try await services.proposals.approve(proposal.id, evenIfChanged: false) }
    #expect(try services.library.count(.people) == 0)
  }
}
