/// `Tests/…Tests/…SourceTests.swift`: the feature against recordings, and the contract of every source.
enum SourceTestsTemplate {
  static func text(_ source: NewSource) -> String {
    let (record, server) = (source.record, "https://\(source.name).test")
    let follow = ([source.name] + source.parameters.map { _ in "one" }).joined(separator: "/")
    var path = source.path
    for name in source.parameters {
      guard let range = path.firstRange(of: "{\(name)}") else { continue }
      path.replaceSubrange(range, with: "one")
    }
    let imports = ["Models", "Networking", "Parsing", "Ports", "Sync", "AlmanacTesting", "Testing", source.module]
    let bad = ["\(source.name)/", "\(follow)/more", "elsewhere/one"]
    return """
      \(imports.sorted().map { "import \($0)\n" }.joined())
      @Suite struct \(source.source)Tests {
        private let source = \(source.source)(
          parser: \(source.parser)(), settings: Settings.Server(url: "\(server)/"))
        private let follow = Follow(path: "\(follow)")
        private let url = "\(server)\(path)"

        @Test func keepsTheContract() async throws {
          try await SourceContract(
            source: source, follow: follow,
            badFollows: [
              \(bad.map { "Follow(path: \"\($0)\")" }.joined(separator: ", ")),
              Follow(path: follow.path, limit: 3),
            ],
            answers: [HTTPResponse(status: 200, body: Array(\(record)Sample.answer.utf8), url: url)],
            store: InMemoryRecordStore()
          ).verify()
        }

        @Test func aSeededSyncKeepsWhatCame() async throws {
          let (coder, time) = (JSONRecordCoder(), ManualTime())
          let store = InMemoryRecordStore(time: time)
          let har = try Recording.har([Recording.Exchange(url, \(record)Sample.answer)])
          let transport = try HARTransport(
            [HARFile(name: "\(source.name).har", bytes: Array(har.utf8))], coder: coder, time: time)
          let engine = SyncEngine(
            store: store, sources: [source], transport: transport, coder: coder, time: time, random: SeededRandom(),
            events: RecordedEvents())
          let first = try await engine.sync([follow], SyncOptions())
          #expect(first.follows.map(\\.status) == [.ok])
          #expect(first.totals.added == 1)
          let bytes = try #require(try store.snapshot().record(\(record).collection, \(record)Sample.record.id))
          #expect(try \(record)(fields: try coder.decode(bytes)) == \(record)Sample.record)
          let second = try await engine.sync([follow], SyncOptions())
          #expect(second.follows.map(\\.status) == [.unchanged])
        }

        @Test func whatIsHereIsAskedForWithItsTag() async throws {
          let (coder, time) = (JSONRecordCoder(), ManualTime())
          let transport = ScriptedTransport([
            HTTPResponse(
              status: 200, headers: ["ETag": "\\"1\\""], body: Array(\(record)Sample.answer.utf8), url: url),
            HTTPResponse(status: 304, url: url),
          ])
          let engine = SyncEngine(
            store: InMemoryRecordStore(time: time), sources: [source], transport: transport, coder: coder, time: time,
            random: SeededRandom(), events: RecordedEvents())
          _ = try await engine.sync([follow], SyncOptions())
          let second = try await engine.sync([follow], SyncOptions())
          #expect(second.follows.map(\\.status) == [.unchanged])
          #expect(transport.requests.map(\\.validator?.etag) == [nil, "\\"1\\""])
        }
      }

      """
  }
}
