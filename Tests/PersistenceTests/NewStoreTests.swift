import AlmanacTesting
import Persistence
import Ports
import Testing

@Suite("A store that is made while somebody looks whether there is one")
struct NewStoreTests {
  @Test(arguments: [false, true]) func isNotDamaged(compacted: Bool) async throws {
    let made = SimulatedDisk()
    let writer = try JSONFileStore(system: made, time: ManualTime())
    _ = try await writer.apply([Step(collection: "people", id: "a", value: "1")])
    if compacted { _ = try await writer.compact() }
    let names = try made.names()
    // The manifest is looked for in vain, then all of it is there.
    for look in [{ try $0.snapshot().contents() }, { try $0.verify().isEmpty ? $0.snapshot().contents() : [:] }]
      as [@Sendable (JSONFileStore) throws -> StoreModel.Contents]
    {
      let disk = SimulatedDisk()
      _ = try disk.openFolder(create: true)
      let reader = try JSONFileStore(system: disk, time: ManualTime())
      disk.onListing {
        disk.onListing(nil)
        for name in names { disk.plant(name, made.contents(name) ?? []) }
      }
      #expect(try look(reader) == ["people": ["a": line("a", "1")]])
    }
  }
}
