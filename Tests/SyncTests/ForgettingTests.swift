import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite struct ForgettingTests {
  @Test(arguments: [StateKey.Kind.undo, .proposal, .decided, .removed, .daemon, .sent])
  func whatNamesTheRecordIsErased(kind: StateKey.Kind) async throws {
    let (store, coder) = (InMemoryRecordStore(time: ManualTime()), JSONRecordCoder())
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      try transaction.setState(StateKey(kind, "1"), to: ["target": "people/p1", "mine": ["lastName": "King"]], coder)
      try transaction.setState(StateKey(kind, "2"), to: ["target": "people/p12", "mine": [:]], coder)
    }
    let forgetting = Forgetting(coder: coder, catalog: CollectionCatalog([]))
    let names = try forgetting.names(of: .people, "p1", remoteID: nil, in: store.snapshot())
    #expect(
      names.filter { $0.collection == .state && $0.$id.hasPrefix("\(kind.rawValue)/") }.map(\.id) == [
        "\(kind.rawValue)/1"
      ])
  }
}
