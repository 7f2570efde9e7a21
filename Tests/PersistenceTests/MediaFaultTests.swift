import Persistence
import Ports
import Testing

@Suite("An image that could not be kept leaves no trace")
struct MediaFaultTests {
  @Test(arguments: FaultyDisk.Fault.allCases)
  func everyCall(_ fault: FaultyDisk.Fault) async throws {
    var call = 1
    var isOver = false
    while !isOver {
      let disk = SimulatedDisk()
      let first = try await MediaFolder(system: disk).keep([1, 2, 3], type: "image/png", for: "a")
      let faulty = FaultyDisk(disk, fault, at: call)
      do throws(StoreError) {
        let item = try await MediaFolder(system: faulty).keep([4, 5], type: "image/gif", for: "b")
        var chance = Chance(UInt64(call))
        let crashed = try MediaFolder(system: disk.crashed(&chance))
        #expect(try crashed.item(for: "b") == item, "call \(call)")
        #expect(try crashed.bytes(of: item) == [4, 5], "call \(call)")
        isOver = faulty.fired == nil && call > 60
      } catch {
        #expect(!fault.isHarmless && faulty.fired != nil, "call \(call): \(error)")
        // A disk that stays full may also fail the removal; then at least nothing is found that is not whole.
        let media = try MediaFolder(system: disk)
        if let item = try? media.item(for: "b") { #expect(try media.bytes(of: item) == [4, 5], "call \(call)") }
      }
      let media = try MediaFolder(system: disk)
      #expect(try media.item(for: "a") == first)
      #expect(try media.bytes(of: first) == [1, 2, 3])
      #expect(try media.verify() == [])
      call += 1
    }
  }
}
