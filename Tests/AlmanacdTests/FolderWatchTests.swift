import AlmanacTesting
import Foundation
import Models
import Ports
import Testing

@testable import almanacd

/// What makes the daemon look, in place of a clock.
@Suite struct FolderWatchTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "almanacd-watch-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String, atomically: Bool = false) throws {
      try text.write(toFile: path + "/" + name, atomically: atomically, encoding: .utf8)
    }
  }

  /// A watch as soon as the system has one left: other tests hold many of the 128 that it gives to a user.
  private static func watch(_ folders: [String], for change: FolderWatch.Change) async -> FolderWatch {
    while true {
      if let watch = FolderWatch(folders, for: change) { return watch }
      await Task.yield()
    }
  }

  @Test("a file that is written, and one that takes its place by its name, are heard of; many writes are one word")
  func hears() async throws {
    let folder = try Folder()
    let watch = await Self.watch([folder.path], for: .complete)
    var changes = watch.changes.makeAsyncIterator()
    try folder.write("config.json", "{}")
    #expect(await changes.next() != nil)
    try folder.write("config.json", "{ }", atomically: true)
    #expect(await changes.next() != nil)
  }

  @Test("a folder that is not there is heard of when it comes, and then what is written in it, and so is the next one")
  func missing() async throws {
    let (folder, other) = (try Folder(), try Folder())
    let watch = await Self.watch([folder.path, folder.path + "/sources"], for: .complete)
    var changes = watch.changes.makeAsyncIterator()
    for round in 0..<2 {
      try FileManager.default.createDirectory(atPath: folder.path + "/sources", withIntermediateDirectories: false)
      #expect(await changes.next() != nil)
      try folder.write("sources/desk.json", "{}")
      #expect(await changes.next() != nil)
      try FileManager.default.moveItem(atPath: folder.path + "/sources", toPath: other.path + "/\(round)")
      #expect(await changes.next() != nil)
    }
  }

  @Test("a stamp tells a file that was written, replaced or removed, also behind a link")
  func stamps() throws {
    let folder = try Folder()
    let other = try Folder()
    try other.write("config.json", "{}")
    let link = folder.path + "/config.json"
    #expect(FileStamp(link) == FileStamp(folder.path + "/none"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path + "/config.json")
    let first = FileStamp(link)
    #expect(first == FileStamp(other.path + "/config.json"))
    try other.write("config.json", "{ }")
    let second = FileStamp(link)
    #expect(first != second)
    try other.write("config.json", "{ }", atomically: true)
    #expect(second != FileStamp(link))
    #expect(FileStamp.folders(link).count == 2)
    #expect(FileStamp.folders("config.json").first == ".")
    #expect(FileStamp.folders("/config.json") == ["/"])
  }

  @Test("a scheduler in its pause begins at once with what a new config follows, and stops when it is cancelled")
  func wakes() async {
    let time = ManualTime()
    let sync = FakeSync(time: time)
    let scheduler = Scheduler(
      services: Scheduler.Services(
        sync: sync, store: QuietStore(store: InMemoryRecordStore()), outbox: FakeOutbox { [] }, time: StoppedTime(),
        random: SeededRandom(), events: RecordedEvents()))
    let running = Task { await scheduler.run() }
    for path in ["people", "users/ada"] {
      await scheduler.configure([Follow(path: path, every: Interval(seconds: 3600))])
      // The pause has no end of its own: only what wakes it lets this go on.
      while !sync.pulls.contains(where: { $0.follow == path }) { await Task.yield() }
    }
    running.cancel()
    await running.value
    #expect(sync.pulls.map(\.follow) == ["people", "users/ada"])
  }
}

/// A clock whose sleeps last until they are cancelled.
private struct StoppedTime: TimeSource {
  let now = Timestamp(secondsSinceEpoch: 1_780_000_000)
  let uptime = Duration.zero

  func sleep(for duration: Duration) async throws(CancellationError) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
  }
}
