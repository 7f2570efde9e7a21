/// `Tests/…Tests/…SourceTests.swift`: tests of the feature with recordings, and the contract of all sources.
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
        }\(removal(source))
      }

      """
  }

  /// A list of one record less, also after a rejected one and with `--full`.
  private static func removal(_ source: NewSource) -> String {
    guard source.parameters.isEmpty, source.under == nil else { return "" }
    let record = source.record
    return """


        @Test(arguments: [false, true])
        func whatIsGoneFromTheListIsRemoved(isFull: Bool) async throws {
          let (coder, time) = (JSONRecordCoder(), ManualTime())
          let other = \(record)Sample.answer.replacing("\\"one\\"", with: "\\"two\\"")
          let lists = [
            "[\\(\(record)Sample.answer), \\(other)]",
            "[\\(\(record)Sample.answer), {}]",
            "[\\(\(record)Sample.answer)]",
          ]
          let transport = ScriptedTransport(lists.map { HTTPResponse(status: 200, body: Array($0.utf8), url: url) })
          let store = InMemoryRecordStore(time: time)
          let engine = SyncEngine(
            store: store, sources: [source], transport: transport, coder: coder, time: time, random: SeededRandom(),
            events: RecordedEvents())
          for _ in 1...2 { _ = try await engine.sync([follow], SyncOptions()) }
          #expect(try store.snapshot().count(\(record).collection) == 2)
          _ = try await engine.sync([follow], SyncOptions(full: isFull))
          #expect(try store.snapshot().count(\(record).collection) == 1)
        }
      """
  }
}

/// `Tests/…Tests/…ParserTests.swift`: a table of responses and parsed records.
enum ParserTestsTemplate {
  static func text(_ source: NewSource) -> String {
    let record = source.record
    let wrap = { (json: String) in source.under?.around(json) ?? json }
    let path = source.under?.shown(below: "$") ?? "$"
    let first = MemberPath(Array(source.id.member.steps.prefix(1)))
    let required = ([source.id] + source.fields.filter { !$0.isOptional }).map(\.member.last)
      .reduce(into: [String]()) { known, name in if !known.contains(name) { known.append(name) } }
    let arguments = Layout.call("@Test(arguments: [", required.map { "\"\($0)\"" }, "])", indentation: 2)
    return """
      import Models
      import Parsing
      import Ports
      import Testing

      @Suite struct \(source.parser)Tests {
        private func outcome(_ body: String) -> String {
          do throws(ParsingError) {
            let parsed = try \(source.parser)().parse(Array(body.utf8))
            return "\\(parsed.value.map(\\.id)), \\(parsed.rejects.kept.map(\\.path))"
          } catch {
            return "\\(error.code.rawValue) \\(error.path)"
          }
        }

        @Test(arguments: [
          (#"\(wrap("[]"))"#, "[], []"), (#"\(wrap("[{}]"))"#, #"[], ["\(first.shown(below: "\(path)[0]"))"]"#),
          (#"\(wrap("{}"))"#, "shape \(first.shown(below: path))"), (#"\(wrap("7"))"#, "shape \(path)"),
          ("", "foreign $"), ("<html></html>", "foreign $"), ("{", "truncated $"),
        ])
        func reads(_ body: String, _ expected: String) {
          #expect(outcome(body) == expected)
        }

      \(arguments)
        func needs(_ member: String) {
          let found = outcome(\(record)Sample.answer.replacing("\\"\\(member)\\":", with: "\\"other\\":"))
          #expect(found.hasPrefix("shape ") && found.contains(member), "\\(found)")
        }

        @Test func readsTheSample() throws {
          let parsed = try \(source.parser)().parse(Array(\(record)Sample.answer.utf8))
          #expect(parsed.value == [\(record)Sample.record])
          #expect(parsed.rejects.isEmpty)
        }

        @Test func whatIsWrittenIsReadAgain() throws {
          #expect(try \(record)(fields: \(record)Sample.record.fields) == \(record)Sample.record)
        }
      }

      """
  }
}

/// `Tests/…Tests/…Sample.swift`: a response from the API's documentation, and the record in it.
enum SampleTemplate {
  static func text(_ source: NewSource) -> String {
    var sample = SampleTree.value("null")
    let under = source.under?.steps ?? []
    sample.put("\"one\"", at: (under + source.id.member.steps)[...])
    for field in source.fields { sample.put(field.sampleJSON, at: (under + field.member.steps)[...]) }
    let values = ["id: \"one\""] + source.fields.map { "\($0.name): \($0.sample)" }
    return """
      import Models

      /// An answer, and what it means. Put one here that the API really gave.
      enum \(source.record)Sample {
        /// The answer.
        static let answer = #\"""
          \(sample.text(indentation: 4))
          \"""#

        /// The record in it.
        static let record = \(Layout.call("\(source.record)(", values, ")", indentation: 2).drop { $0 == " " })
      }

      """
  }
}

/// Builds the example response from the paths of its members.
indirect enum SampleTree {
  case value(String)
  case object([(name: String, tree: SampleTree)])
  case list([SampleTree])

  /// Adds a value at its path.
  mutating func put(_ json: String, at steps: ArraySlice<MemberPath.Step>) {
    guard let step = steps.first else {
      self = .value(json)
      return
    }
    switch step {
    case .name(let name):
      var members: [(name: String, tree: SampleTree)] = []
      if case .object(let known) = self { members = known }
      let index = members.firstIndex { $0.name == name } ?? members.endIndex
      if index == members.endIndex { members.append((name, .value("null"))) }
      members[index].tree.put(json, at: steps.dropFirst())
      self = .object(members)
    case .index(let index):
      var elements: [SampleTree] = []
      if case .list(let known) = self { elements = known }
      while elements.count <= index { elements.append(.value("null")) }
      elements[index].put(json, at: steps.dropFirst())
      self = .list(elements)
    }
  }

  /// The JSON text, with one member per line.
  func text(indentation: Int) -> String {
    let (inner, outer) = (String(repeating: " ", count: indentation + 2), String(repeating: " ", count: indentation))
    switch self {
    case .value(let json): return json
    case .object(let members):
      let lines = members.map { "\(inner)\"\($0.name)\": \($0.tree.text(indentation: indentation + 2))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    case .list(let elements):
      return "[\(elements.map { $0.text(indentation: indentation) }.joined(separator: ", "))]"
    }
  }
}
