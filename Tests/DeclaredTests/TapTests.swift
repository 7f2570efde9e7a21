import AlmanacTesting
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Sync
import Synchronization
import Testing

@testable import Declared

/// A folder with a tap, a program that prints messages of the Singer protocol, and an engine with its source.
private final class TapHouse: Sendable {
  static let items = CollectionName(rawValue: "items")

  let folder: String
  let store = InMemoryRecordStore(time: ManualTime())
  let events = RecordedEvents()
  let coder = JSONRecordCoder()
  private let runs = Atomic(0)

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/tap-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("config.json", #"{"api_token": "s3cret-token", "start_date": "2026-01-01", "replication_key": "words"}"#)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }
  func read(_ name: String) -> String? { try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

  /// A source whose program is the shell script, with the file of the state in `$4`.
  func source(_ script: String, _ follow: String = "", timeout: String = "1m") throws -> TapSource {
    try write("tap.sh", script)
    let text = """
      {
        "almanac": 1, "source": "tap", "command": ["/bin/sh", "tap.sh", "--config", "config.json"],
        "timeout": "\(timeout)",
        "collections": {"items": {"id": "$.id", "fields": {"name": "text $.name", "state": "text? $.state"}}},
        "follows": {"all": {"take": {"stream": "items", "into": "items", "gone": {"$.deleted": true}}\(follow)}}
      }
      """
    return TapSource(
      try JSONDefinitionFormat().read(Array(text.utf8), named: nil), compiler: JSONAnswerReaderCompiler(), coder: coder,
      programs: ChildPrograms(
        folder: folder, environment: ["PATH": "/usr/bin:/bin", "PWD": "/words", "TAP_PASSWORD": "hunter22"]),
      events: events)
  }

  func sync(
    _ source: TapSource, _ kill: Kill = Kill(after: nil), _ options: SyncOptions = SyncOptions()
  ) async throws -> FollowReport {
    var options = options
    options.run = "run-\(runs.add(1, ordering: .relaxed).newValue)"
    let engine = SyncEngine(
      store: KilledStore(inner: store, kill: kill), sources: [source], transport: ScriptedTransport([]), coder: coder,
      time: ManualTime(), random: SeededRandom(), events: events)
    return try await engine.sync([Follow(path: "tap/all")], options).follows[0]
  }

  func count() throws -> Int { try store.snapshot().count(Self.items) }

  func item(_ id: String) throws -> JSONObject? {
    try store.snapshot().record(Self.items, id).map { try coder.decode($0) }
  }

  /// Whether the process whose id is in a file has ended.
  ///
  /// - Parameter isReaped: whether it was waited for; one that a program started is left to the system.
  func hasEnded(_ file: String, isReaped: Bool = true) throws -> Bool {
    let id = try #require(read(file).flatMap { Int32($0.filter(\.isNumber)) })
    if kill(id, 0) != 0, errno == ESRCH { return true }
    let state = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return !isReaped && state?.contains(") Z ") == true
  }
}

@Suite("Declared sources: programs that print the Singer protocol")
struct TapTests {
  private static let schema =
    #"echo '{"type": "SCHEMA", "stream": "items", "schema": {}, "key_properties": ["id"]}'"# + "\n"

  private static func record(_ id: String, _ more: String = #", "name": "n""#) -> String {
    #"echo '{"type": "RECORD", "stream": "items", "record": {"id": \#(id)\#(more)}}'"# + "\n"
  }

  private static func state(_ value: Int) -> String {
    #"echo '{"type": "STATE", "value": {"at": \#(value)}}'"# + "\n"
  }

  @Test("records are stored, the state is handed to the next run, and an unchanged run changes nothing")
  func states() async throws {
    let house = try TapHouse()
    let script =
      #"[ "$3" = --state ] && cat "$4" > state.txt"# + "\n" + Self.schema + Self.record("1") + Self.record("2")
      + Self.state(5)
    let source = try house.source(script)
    let first = try await house.sync(source)
    #expect(first.status == .ok && first.counts.added == 2, "\(String(describing: first.error))")
    #expect(house.read("state.txt") == nil)
    #expect(try await house.sync(source).status == .unchanged)
    #expect(house.read("state.txt") == #"{"at":5}"#)
    _ = try await house.sync(source, Kill(after: nil), SyncOptions(full: true))
    #expect(try house.item("2")?["name"] == "n")
  }

  @Test("a record that comes again counts with its last values; a mark of removal removes it; a bad one is rejected")
  func records() async throws {
    let house = try TapHouse()
    let report = try await house.sync(
      house.source(
        Self.schema + Self.record("1", #", "name": "a""#) + Self.record("1", #", "name": "b""#) + Self.record("2")
          + Self.record("2", #", "deleted": true"#) + Self.record("3", "") + Self.record("4")))
    #expect(report.status == .partial && report.counts.rejected == 1)
    #expect(try house.item("1")?["name"] == "b")
    #expect(try house.count() == 2)
  }

  @Test("pages are committed with the state; after a kill, the next run begins at the state that was stored")
  func kills() async throws {
    let script = """
      first=1
      [ "$3" = --state ] && first=$(($(tr -dc 0-9 < "$4") + 1))
      \(Self.schema)
      i=$first
      while [ $i -le 3500 ]; do
        echo '{"type": "RECORD", "stream": "items", "record": {"id": '$i', "name": "n"}}'
        [ $((i % 100)) = 0 ] && echo '{"type": "STATE", "value": {"at": '$i'}}'
        i=$((i + 1))
      done
      echo "$first" >> starts.txt
      """
    for steps in 1...6 {
      let house = try TapHouse()
      let source = try house.source(script)
      _ = try? await house.sync(source, Kill(after: steps))
      let before = try house.count()
      let report = try await house.sync(source)
      #expect(report.error == nil, "killed after \(steps): \(String(describing: report.error))")
      #expect(try house.count() == 3500, "killed after \(steps)")
      let start = house.read("starts.txt")?.split(separator: "\n").last.flatMap { Int($0) } ?? 0
      #expect(start <= before + 1 && start > before - 100, "killed after \(steps): \(start) of \(before)")
    }
  }

  @Test("a program that fails is an error with its last words, without secrets; nobody is left of it")
  func failures() async throws {
    let house = try TapHouse()
    let failed = try await house.sync(
      house.source(
        "echo $$ > pid\n" + Self.schema + Self.record("1")
          + "echo 'no words: s3cret-token of 2026-01-01 and '$TAP_PASSWORD >&2\nexit 3\n"))
    #expect(failed.error?.code == .reported("tap-exit-3"))
    #expect(failed.error?.message.contains("no words: REDACTED of 2026-01-01 and REDACTED") == true, "\(failed.error!)")
    let lines = house.events.events.compactMap { if case .program(_, let line) = $0 { line } else { nil } }
    #expect(lines == ["no words: REDACTED of 2026-01-01 and REDACTED"])
    #expect(try house.hasEnded("pid"))
    for (script, code) in [
      ("echo hello", "tap-message"),
      (Self.state(1) + "echo '{\"type\": \"BATCH\", \"stream\": \"items\"}'", "tap-batch"),
      (Self.record("1"), "tap-no-stream"), ("echo '[1]'", "tap-message"), ("kill -9 $$", "tap-exit-137"),
    ] {
      #expect(try await house.sync(house.source(script)).error?.code?.text == code, "\(script)")
    }
    let missing = try await house.sync(
      TapSource(
        try JSONDefinitionFormat().read(
          Array(
            #"{"almanac": 1, "source": "tap", "command": ["tap-none"], "collections": {"items": {"id": "$.id", "fields": {}}}, "follows": {"all": {"take": {"stream": "a", "into": "items"}}}}"#
              .utf8), named: nil), compiler: JSONAnswerReaderCompiler(), coder: house.coder,
        programs: ChildPrograms(folder: house.folder, environment: [:])))
    #expect(missing.error?.reason == .config && missing.error?.message.contains("tap-none") == true)
  }

  @Test("a program that is silent, or whose records cannot be stored, is ended with the processes that it started")
  func endings() async throws {
    let house = try TapHouse()
    let silent = try await house.sync(
      house.source(
        "echo $$ > pid; trap '' TERM; /bin/sh -c 'echo $$ > child; exec tail -f /dev/null' & wait", timeout: "1s"))
    #expect(
      silent.error?.code == .reported("tap-silent") && silent.error?.retryable == true,
      "\(String(describing: silent.error))")
    #expect(try house.hasEnded("pid"))
    #expect(try house.hasEnded("child", isReaped: false))
    let endless =
      "echo $$ > pid\n\(Self.schema)while :; do echo '{\"type\": \"RECORD\", \"stream\": \"items\", \"record\": {\"id\": 1, \"name\": \"n\"}}'; done\n"
    let full = try? await house.sync(house.source(endless), Kill(after: 2))
    #expect(full?.error != nil || full == nil)
    #expect(try house.hasEnded("pid"))
    let source = try house.source(endless)
    let task = Task { try await house.sync(source) }
    while try house.count() == 0 { await Task.yield() }
    task.cancel()
    _ = try? await task.value
    #expect(try house.hasEnded("pid"))
  }

  @Test("only a complete list removes, behind the guard, and only where the stream was there")
  func removals() async throws {
    let house = try TapHouse()
    func list(_ ids: [String], _ follow: String = #", "complete": true"#) throws -> TapSource {
      try house.source(
        #"[ "$3" = --state ] && touch state.txt"# + "\n" + Self.schema + ids.map { Self.record($0) }.joined()
          + Self.state(1), follow)
    }
    let all = ["1", "2", "3", "4"]
    _ = try await house.sync(list(all))
    #expect(try await house.sync(list(Array(all.dropLast()))).counts.removed == 1)
    #expect(try await house.sync(list(["1"])).error?.code == .own(.massRemoval))
    #expect(try await house.sync(house.source("", #", "complete": true"#)).error?.code == .reported("tap-no-stream"))
    #expect(try house.count() == 3)
    #expect(house.read("state.txt") == nil)
    _ = try await house.sync(list(all, ""))
    #expect(try await house.sync(list(["1"], "")).counts.removed == 0)
    #expect(house.read("state.txt") != nil)
    #expect(try house.count() == 4)
  }

  @Test(
    "a complete run that dies, has a record without an id, or activates a version, removes nothing; complete may come later"
  )
  func runsInDoubt() async throws {
    let house = try TapHouse()
    let all = (1...6).map { Self.record(String($0)) }.joined()
    _ = try await house.sync(house.source(Self.schema + all))
    func complete(_ script: String) async throws -> FollowReport {
      try await house.sync(house.source(Self.schema + script, #", "complete": "7d""#))
    }
    let dead = try await complete(Self.record("1") + Self.record("2") + Self.record("3") + "exit 1\n")
    #expect(dead.error?.code == .reported("tap-exit-1") && dead.counts.removed == 0)
    // A version says which records a target has to keep, and nothing about whether all of them came.
    let version = #"echo '{"type": "ACTIVATE_VERSION", "stream": "items", "version": 1}'"# + "\n"
    let odd = try await complete(
      version + (1...5).map { Self.record(String($0)) }.joined() + Self.record("null", #", "name": "n""#) + version)
    #expect(odd.error == nil && odd.counts.removed == 0 && odd.counts.rejected == 1, "\(odd)")
    // So that was not the complete run of the week, though it printed everything.
    #expect(try await complete(version + (1...5).map { Self.record(String($0)) }.joined()).counts.removed == 1)
    #expect(try house.count() == 5)
    #expect(try await complete(Self.record("1")).counts.removed == 0)
  }

  @Test("a state is handed back as it came, also one of the future")
  func futureState() async throws {
    let house = try TapHouse()
    let script =
      #"[ "$3" = --state ] && cat "$4" > state.txt"# + "\n" + Self.schema
      + #"echo '{"type": "STATE", "value": {"at": "2999-01-01T00:00:00Z"}}'"# + "\n"
    _ = try await house.sync(house.source(script))
    _ = try await house.sync(house.source(script))
    #expect(house.read("state.txt") == #"{"at":"2999-01-01T00:00:00Z"}"#)
  }

  @Test("a program has no file of ours but its own") func inheritsNothing() async throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let started = try ChildPrograms(folder: "/", environment: ["PATH": "/usr/bin:/bin"])
      .start(["/bin/sh", "-c", "ls /proc/$$/fd"], file: nil)
    var output: [UInt8] = []
    while case .output(let bytes) = await started.next(within: .seconds(60)) { output += bytes }
    await started.end()
    let inherited = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(inherited.contains("1") && !inherited.contains("\(file)"), "\(inherited)")
  }

  @Test("a recording starts no program")
  func recordings() async throws {
    let house = try TapHouse()
    let definition = try house.source("").definition
    let source = TapSource(definition, compiler: JSONAnswerReaderCompiler(), coder: house.coder)
    #expect(try await house.sync(source).error?.code == .transport(.recordingMissing))
  }
}
