import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Backups of a store")
struct BackupTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/store" }
  private var backup: String { folder.path + "/backups/nightly" }

  init() throws {
    // A missing folder above a backup is an error: a disk that is not mounted.
    try FileManager.default.createDirectory(atPath: folder.path + "/backups", withIntermediateDirectories: true)
  }

  private func open(_ path: String? = nil) throws(StoreError) -> JSONFileStore {
    try JSONFileStore(folder: path ?? self.path, time: ManualTime())
  }

  private func put(_ ids: [String], value: String = "1") async throws {
    _ = try await open().apply(ids.map { Step(collection: "people", id: $0, value: value) })
  }

  private func ids(_ path: String) throws -> [String] { try open(path).changes(since: nil, limit: 1000).map(\.id) }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("a backup beside other files is not replaced: they would be lost")
  func otherFiles() async throws {
    try await put(["a"])
    _ = try StoreBackup().make(of: path, in: backup)
    // A program that reads the backup as a store leaves files of its own.
    try await open(backup).publish(.complete)
    _ = try StoreBackup().make(of: path, in: backup)
    try Data("my notes".utf8).write(to: URL(filePath: backup + "/notes.txt"))
    await expectError(.cannotCreate, saying: "notes.txt") { _ = try StoreBackup().make(of: path, in: backup) }
    #expect(try names(backup).contains("notes.txt"))
  }

  @Test("is not changed, because the next one would replace the change; what is restored or copied can be")
  func isNotChanged() async throws {
    try await put(["a"])
    _ = try StoreBackup().make(of: path, in: backup)
    let store = try open(backup)
    func expectRefusal(_ body: () async throws -> Void) async {
      await #expect { try await body() } throws: {
        let error = $0 as? StoreError
        return error?.code == .unsuitablePlace && error?.hint?.contains("restore") == true
          && error?.message.contains("is a backup") == true
      }
    }
    await expectRefusal { try await store.put("x") }
    await expectRefusal { _ = try await store.recover() }
    await expectRefusal { try StoreBackup.checkIsStore(backup) }
    var rows = [LoadedRecord(id: "x", record: Array(#"{"id":"x"}"#.utf8), place: 1)]
    await expectRefusal { _ = try await store.load(.people) { () throws(StoreError) in rows.popLast() } }
    // A store with a folder of that name is none.
    try await put(["b"])
    try FileManager.default.createDirectory(atPath: path + "/backup", withIntermediateDirectories: true)
    try await put(["c"])
    #expect(rmdir(path + "/backup") == 0)
    // What changes no record is allowed.
    _ = try await store.compact()
    #expect(try await store.repair().isEmpty && ids(backup) == ["a"])
    _ = try StoreBackup().make(of: path, in: backup)
    let restored = folder.path + "/restored"
    _ = try StoreBackup().restore(backup, to: restored)
    let journal = try #require(try names(backup).first { $0.hasPrefix("journal.") })
    try Data("damaged".utf8).write(to: URL(filePath: "\(backup)/\(journal)"))
    await expectRefusal { _ = try await open(backup).repair() }
    #expect(try Data(contentsOf: URL(filePath: "\(backup)/\(journal)")) == Data("damaged".utf8))
    try await open(restored).put("b")
    #expect(try ids(restored) == ["a", "b", "c"])
  }

  @Test("a backup, or a store, inside a backup or a store is refused before anything is made")
  func insideAnother() async throws {
    try await put(["a"])
    _ = try StoreBackup().make(of: path, in: backup)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: backup)
    let before = try names(backup)
    for place in [backup + "/monday", backup + "/of/may/1", link + "/monday", path + "/inside"] {
      for body in [
        { _ = try StoreBackup().make(of: path, in: place) }, { _ = try open(place) },
      ] {
        await expectError(.unsuitablePlace, saying: "would be inside the ", body)
      }
    }
    #expect(try names(backup) == before && !names(path).contains("inside"))
    _ = try StoreBackup().make(of: path, in: backup)
    #expect(try ids(backup) == ["a"])
  }

  @Test("a copy of the folder that is put back: cursors of commits that it lacks expire, whatever is committed then")
  func plainCopy() async throws {
    func cursor() throws -> ChangeCursor { try #require(try open().changes(since: nil, limit: 1000).last?.cursor) }
    func commit(_ ids: ClosedRange<Int>, _ value: String) async throws {
      for id in ids { try await put(["p\(id)"], value: value) }
    }
    try await commit(1...5, "1")
    let valid = try cursor()
    let copy = folder.path + "/copy"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try await commit(6...8, "1")
    let lost = try cursor()
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/old")
    try FileManager.default.moveItem(atPath: copy, toPath: path)
    await expectError(.cursorExpired) { _ = try open().changes(since: lost, limit: 10) }
    // The store has gone on past the number of the cursor's commit.
    try await commit(6...9, "2")
    await expectError(.cursorExpired) { _ = try open().changes(since: lost, limit: 10) }
    #expect(try open().changes(since: valid, limit: 10).map(\.id) == ["p6", "p7", "p8", "p9"])
    // A cursor of an earlier version has no mark, and cannot be judged.
    let parts = lost.description.split(separator: "-")
    #expect(parts.count == 5)
    let unmarked = ChangeCursor(parts.prefix(4).joined(separator: "-"))
    #expect(try open().changes(since: unmarked, limit: 10).map(\.id) == ["p9"])
    for tail in ["-", "-0", "-0000000g", "-00000000-0"] {
      await expectError(.invalidCursor) {
        _ = try open().changes(since: ChangeCursor(unmarked.description + tail), limit: 1)
      }
    }
  }

  @Test("replaced stores that are kept have numbers where their names are taken")
  func keptNames() async throws {
    try await put(["a"])
    _ = try StoreBackup().make(of: path, in: backup)
    let time = ManualTime()
    var kept: [String] = []
    for _ in 0..<3 {
      let previous = try StoreBackup(time: time).restore(backup, to: path).previous
      kept.append((previous ?? "").split(separator: "/").last.map(String.init) ?? "")
    }
    #expect(kept[1] == kept[0] + "-2" && kept[2] == kept[0] + "-3", "\(kept)")
    #expect(!kept[0].hasSuffix("-"))
  }

  @Test("a backup whose time cannot be noted says so, unless the note of an earlier one can be brought up to date")
  func unnoted() async throws {
    try await put(["a"])
    let (note, blocker) = (path + "/last-backup", path + "/last-backup.new")
    try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: false)
    let first = try StoreBackup().make(of: path, in: backup)
    #expect(first.noteProblem?.code == .cannotWrite && StoreBackup.last(of: path) == nil)
    let old = Date(timeIntervalSince1970: 1000)
    try Data().write(to: URL(filePath: note))
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: note)
    #expect(try StoreBackup().make(of: path, in: backup).noteProblem == nil)
    #expect(try #require(StoreBackup.last(of: path)).secondsSinceEpoch > 1000)
    try FileManager.default.removeItem(atPath: blocker)
    #expect(try StoreBackup().make(of: path, in: backup).noteProblem == nil)
    #expect(try Data(contentsOf: URL(filePath: note)).starts(with: Array("almanac-backup ".utf8)))
    #expect(!FileManager.default.fileExists(atPath: blocker))
  }

  @Test("contains compacted records, newer commits, pictures and the named files, and nothing of the running store")
  func contents() async throws {
    try await put(["a", "b"])
    _ = try await open().compact()
    try await put(["c"])
    let media = try MediaFolder(folder: path + "/media")
    _ = try await media.keep(Array("picture".utf8), type: "image/png", for: "https://x/1")
    for name in ["token", "daemon.json"] { try Data("x".utf8).write(to: URL(filePath: path + "/" + name)) }
    try Data("{}".utf8).write(to: URL(filePath: folder.path + "/config.json"))
    let maker = StoreBackup(
      files: ["token", "access.json"],
      attachments: [.init(file: folder.path + "/config.json", name: "config/config.json")], time: ManualTime())
    #expect(StoreBackup.last(of: path) == nil)
    let copy = try maker.make(of: path, in: backup)
    #expect(copy.sequence == 2 && copy.records == 3)
    #expect(StoreBackup.last(of: path) != nil && StoreBackup.last(of: backup) == nil)
    #expect(copy.folder.hasSuffix("/backups/nightly") && copy.copied == copy.bytes)
    #expect(try ids(backup).sorted() == ["a", "b", "c"])
    let found = try names(backup)
    #expect(found.contains("token") && found.contains("backup") && found.contains("config"))
    #expect(!found.contains("daemon.json") && !found.contains("lock") && !found.contains("people.jsonl"))
    #expect(try MediaFolder(folder: backup + "/media").item(for: "https://x/1") != nil)
    #expect(try names(folder.path + "/backups") == ["nightly"])
    let modes = try found.map {
      try (FileManager.default.attributesOfItem(atPath: backup + "/" + $0)[.posixPermissions] as! Int) & 0o077
    }
    #expect(modes.allSatisfy { $0 == 0 })
  }

  @Test("replaces an earlier backup, and copies only what it does not have")
  func incremental() async throws {
    try await put((0..<2000).map { "a\($0)" }, value: String(repeating: "x", count: 500))
    _ = try await open().compact()
    let first = try StoreBackup(time: ManualTime()).make(of: path, in: backup)
    try await put(["z"])
    // What a killed backup left.
    try FileManager.default.createDirectory(atPath: backup + ".part/media", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: backup + ".part/media/x"))
    let second = try StoreBackup(time: ManualTime()).make(of: path, in: backup)
    #expect(second.sequence == first.sequence + 1)
    #expect(second.bytes > 1_000_000 && second.copied < 10_000, "\(second)")
    #expect(try open(backup).snapshot().count(.people) == 2001)
    #expect(try names(folder.path + "/backups") == ["nightly"])
    // The store and its backup share no file.
    for name in try names(backup) where name.hasSuffix(".records") {
      func inode(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as! Int
      }
      #expect(try inode(backup + "/" + name) != inode(path + "/" + name))
    }
  }

  @Test("leaves a folder alone that is not a backup of this store")
  func refusals() async throws {
    try await put(["a"])
    let maker = StoreBackup(time: ManualTime())
    let other = folder.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: other + "/letter.txt"))
    await expectError(.cannotCreate) { _ = try maker.make(of: path, in: other) }
    #expect(try names(other) == ["letter.txt"])
    await expectError(.cannotCreate) { _ = try maker.make(of: path, in: path) }
    await expectError(.notFound) { _ = try maker.make(of: folder.path + "/missing", in: backup) }
    _ = try maker.make(of: path, in: backup)
    // An empty folder where a disk was not mounted must not replace the backup of years.
    let second = folder.path + "/second"
    try await open(second).put("b")
    await expectError(.cannotCreate) { _ = try maker.make(of: second, in: backup) }
    #expect(try ids(backup) == ["a"])
    _ = try maker.make(of: second, in: backup, replaces: true)
    #expect(try ids(backup) == ["b"])
    #expect(try names(folder.path).sorted() == ["backups", "other", "second", "store"])
  }

  @Test("of a damaged store fails, and preserves the earlier one")
  func damaged() async throws {
    try await put((0..<100).map { "a\($0)" })
    _ = try await open().compact()
    let maker = StoreBackup(time: ManualTime())
    _ = try maker.make(of: path, in: backup)
    try await put(["b"])
    _ = try await open().compact()
    let name = try #require(try names(path).last { $0.hasSuffix(".records") })
    let file = try FileHandle(forUpdating: URL(filePath: path + "/" + name))
    try file.seek(toOffset: 40)
    try file.write(contentsOf: Data("#".utf8))
    try file.close()
    await expectError(.damaged) { _ = try maker.make(of: path, in: backup) }
    #expect(try open(backup).snapshot().count(.people) == 100)
    #expect(try open(backup).verify().isEmpty)
    #expect(try names(folder.path + "/backups") == ["nightly"])
  }

  @Test("is put back: the store before is kept, its writers are told, and its cursors expire")
  func restored() async throws {
    try await put(["a"])
    let maker = StoreBackup(files: ["list"], others: ["token"], kept: ["token"], time: ManualTime())
    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    }
    try write("first", "token")
    try write("with the revoked token", "list")
    _ = try maker.make(of: path, in: backup)
    #expect(try !names(backup).contains("token"))
    try write("without it", "list")
    let store = try open()
    try await store.put("b")
    let cursor = try store.snapshot().end
    let copy = try maker.restore(backup, to: path)
    let previous = try #require(copy.previous)
    #expect(try ids(path) == ["a"])
    #expect(try String(contentsOfFile: path + "/token", encoding: .utf8) == "first")
    #expect(try String(contentsOfFile: path + "/list", encoding: .utf8) == "without it")
    _ = try maker.restore(backup, to: folder.path + "/elsewhere")
    #expect(try String(contentsOfFile: folder.path + "/elsewhere/list", encoding: .utf8) == "with the revoked token")
    #expect(try ids(previous) == ["a", "b"])
    #expect(try open().verify().isEmpty)
    await expectError(.moved) { try await store.put("c") }
    try await open().put("d")
    await expectError(.cursorExpired) { _ = try open().changes(since: cursor, limit: 10) }
    #expect(!FileManager.default.fileExists(atPath: path + "/backup"))
    // The next backup has to be asked for: its history is another one.
    await expectError(.cannotCreate) { _ = try maker.make(of: path, in: backup) }
    // A second one in the same second keeps its own former store.
    #expect(try maker.restore(backup, to: path).previous != previous)
  }

  @Test(
    "that cannot be read may be of another store, and is replaced only where that is asked for",
    arguments: [true, false])
  func unreadable(isMissing: Bool) async throws {
    try await put(["a"])
    let maker = StoreBackup(time: ManualTime())
    _ = try maker.make(of: path, in: backup)
    let manifest = URL(filePath: backup + "/manifest")
    if isMissing { try FileManager.default.removeItem(at: manifest) } else { try Data().write(to: manifest) }
    let before = try names(backup)
    await expectError(.cannotCreate) { _ = try maker.make(of: path, in: backup) }
    #expect(try names(backup) == before)
    _ = try maker.make(of: path, in: backup, replaces: true)
    #expect(try ids(backup) == ["a"])
  }

  @Test("that is damaged is not put back")
  func damagedBackup() async throws {
    try await put((0..<100).map { "a\($0)" })
    _ = try await open().compact()
    let maker = StoreBackup(time: ManualTime())
    _ = try maker.make(of: path, in: backup)
    try await put(["b"])
    let name = try #require(try names(backup).first { $0.hasSuffix(".records") })
    let file = try FileHandle(forUpdating: URL(filePath: backup + "/" + name))
    try file.seek(toOffset: 40)
    try file.write(contentsOf: Data("#".utf8))
    try file.close()
    await expectError(.damaged) { try maker.restore(backup, to: path) }
    #expect(try open().snapshot().count(.people) == 101)
    // One that is made anew does not take over the damaged file.
    await expectError(.damaged) { _ = try maker.make(of: path, in: backup) }
    await expectError(.notFound) { try maker.restore(folder.path + "/nothing", to: path) }
    #expect(try names(folder.path).sorted() == ["backups", "store"])
  }
}
