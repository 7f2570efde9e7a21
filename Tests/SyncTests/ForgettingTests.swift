import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite struct ForgettingTests {
  /// Names the records of `state` that are erased with a person, of one record of each kind that names the person.
  private func erased(prefix: (StateKey.Kind) -> String) async throws -> [StateKey.Kind] {
    let (store, coder) = (InMemoryRecordStore(time: ManualTime()), JSONRecordCoder())
    let keys = StateKey.Kind.allCases.map { ($0, prefix($0)) }
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      for (kind, prefix) in keys {
        let values: JSONObject = ["target": "people/p1", "mine": ["lastName": "King"]]
        try transaction.setState(StateKey(kind, prefix + "1"), to: values, coder)
        try transaction.setState(StateKey(kind, prefix + "2"), to: ["target": "people/p12", "mine": [:]], coder)
      }
    }
    let forgetting = Forgetting(coder: coder, catalog: CollectionCatalog([]))
    let names = try forgetting.names(of: .people, "p1", remoteID: nil, in: store.snapshot())
    let found = names.filter { $0.collection == .state }.compactMap { StateKey(id: $0.id) }
    #expect(!found.contains { $0.name.hasSuffix("2") })
    return found.filter { $0.name.hasSuffix("1") && $0.kind != .remote }.map(\.kind)
  }

  @Test func whatNamesTheRecordIsErased() async throws {
    #expect(
      try await erased { $0.valuesPrefix ?? "" } == [
        .daemon, .decided, .imported, .notify, .proposal, .removed, .sent, .undo,
      ])
  }

  /// What was reached of the change feed stays, so that no message is sent twice.
  @Test func theRestOfNotificationsStays() async throws {
    #expect(try await !erased { _ in "receiver/" }.contains(.notify))
  }
}
