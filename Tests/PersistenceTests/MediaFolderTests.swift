import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Images are kept once, and checked")
struct MediaFolderTests {
  private let folder = TemporaryFolder()

  @Test func keepsAndFinds() async throws {
    let media = try MediaFolder(folder: folder.path + "/media")
    #expect(try media.count() == 0)
    #expect(try media.item(for: "https://example.org/a.png") == nil)
    let item = try await media.keep([1, 2, 3], type: "image/png", for: "https://example.org/a.png")
    let same = try await media.keep([1, 2, 3], type: "image/png", for: "https://example.org/b\"\\.png")
    #expect(item == same)
    #expect(item.digest == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    #expect(try media.count() == 2)
    #expect(try media.item(for: "https://example.org/b\"\\.png") == item)
    #expect(try media.bytes(of: item) == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/media").count == 3)
    #expect(try media.verify() == [])
  }

  @Test("the images that were not used for the longest time make room, and are not missing until they are wanted")
  func eviction() async throws {
    let path = folder.path + "/media"
    let media = try MediaFolder(folder: path)
    var items: [MediaItem] = []
    let now = Date()
    for index in 0..<5 {
      items.append(
        try await media.keep(Array(repeating: UInt8(index), count: 1000), type: "image/png", for: "https://x/\(index)"))
      // The one with the highest number is the oldest.
      try FileManager.default.setAttributes(
        [.modificationDate: now - Double(index) * 86_400 * 10], ofItemAtPath: path + "/" + items[index].digest)
    }
    _ = try await media.keep(Array(repeating: 4, count: 1000), type: "image/png", for: "https://x/same")
    let unused = Timestamp(secondsSinceEpoch: Int(now.timeIntervalSince1970) - 86_400 * 7)
    #expect(try media.evict(to: 5000, unusedSince: unused) == 5000)
    // Looking at a picture counts.
    #expect(try media.bytes(of: items[4]).count == 1000)
    #expect(try media.evict(to: 3500, unusedSince: unused) == 3000)
    #expect(try (0..<5).filter { try media.isEvicted("https://x/\($0)") } == [2, 3])
    #expect(try media.item(for: "https://x/3") == nil && media.item(for: "https://x/same") != nil)
    // What was used lately stays, whatever the limit.
    #expect(try media.evict(to: 0, unusedSince: unused) == 2000)
    #expect(try media.count() == 3)
    try media.want("https://x/3")
    #expect(try !media.isEvicted("https://x/3"))
    #expect(try media.verify() == [])
  }

  @Test func namesDamage() async throws {
    let media = try MediaFolder(folder: folder.path + "/media")
    let item = try await media.keep(Array(repeating: 7, count: 1000), type: "image/png", for: "a")
    let path = folder.path + "/media/" + item.digest
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[500] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    await expectError(.damaged) { _ = try media.bytes(of: item) }
    #expect(try media.verify().map(\.path) == [path])
    // Keeping it again mends it.
    _ = try await media.keep(Array(repeating: 7, count: 1000), type: "image/png", for: "a")
    #expect(try media.bytes(of: item).count == 1000)
  }

  @Test func putsDamagedFilesAside() async throws {
    let media = try MediaFolder(folder: folder.path + "/media")
    let item = try await media.keep([1, 2, 3], type: "image/png", for: "a")
    _ = try await media.keep([4, 5, 6], type: "image/png", for: "b")
    #expect(try media.repair() == [])
    let folder = folder.path + "/media/"
    let reference = SHA256.digest("b".utf8) + ".ref"
    try Data([1, 2, 4]).write(to: URL(fileURLWithPath: folder + item.digest))
    var line = try Data(contentsOf: URL(fileURLWithPath: folder + reference))
    line[20] ^= 1
    try line.write(to: URL(fileURLWithPath: folder + reference))
    #expect(Set(try media.verify().map(\.path)) == [folder + item.digest, folder + reference])
    #expect(try media.verify().allSatisfy { $0.severity == .damage })
    #expect(try media.repair().map(\.severity) == [.note, .note])
    #expect(try media.verify() == [])
    #expect(try media.item(for: "a") == nil && media.item(for: "b") == nil)
    _ = try await media.keep([1, 2, 3], type: "image/png", for: "a")
    #expect(try media.item(for: "a") == item)
  }
}

@Suite("An image that could not be kept leaves no trace")
struct MediaFaultTests {
  @Test(arguments: SimulatedDisk.Fault.allCases)
  func everyCall(_ fault: SimulatedDisk.Fault) async throws {
    var call = 1
    var isOver = false
    while !isOver {
      let disk = SimulatedDisk()
      let first = try await MediaFolder(system: disk).keep([1, 2, 3], type: "image/png", for: "a")
      let faulty = disk.failing(fault, at: call)
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
