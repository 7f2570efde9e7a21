import AlmanacTesting
import Library
import Models
import Ports
import Testing

struct LibraryImportTests {
  private let fixture = LibraryFixture()

  private func load(_ text: String, into collection: CollectionName = .people) async throws -> ImportedRecords {
    var pieces = [Array(text.utf8)][...]
    return try await fixture.library.importLines(into: collection) { pieces.popFirst() }
  }

  private static let ada =
    #"{"id":"1","firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10","fullName":"Ada Lovelace"}"#

  @Test func whatGoesOutComesInAgain() async throws {
    let records: [(CollectionName, String)] = [
      (.people, Self.ada),
      (.profiles, #"{"id":"a","name":"A","email":"a@b","description":"é \" \\ \n"}"#),
      (
        .apps,
        #"{"id":"1","name":"A","artist":"B","thumbnailURL":"https://t","artworkURL":"https://a","price":{"amount":"0.99000","currency":"EUR"}}"#
      ),
      (
        .charts,
        #"{"id":"fr/top-paid/2026-01-01T00:00:00Z","storefront":"fr","chart":"top-paid","observedAt":"2026-01-01T00:00:00Z","lastObservedAt":"2026-01-01T00:00:00Z","ranks":["1"]}"#
      ),
      (.runs, #"{"id":"r","whatever":[1,2.50,{"x":null}]}"#),
    ]
    for (collection, line) in records {
      var result = try await load(line + "\n", into: collection)
      result.unread = []
      #expect(result == ImportedRecords(added: 1, updated: 0, unchanged: 0))
      let out = try fixture.lines(collection)
      let back = try await load(out.joined(separator: "\n"), into: collection)
      #expect(back == ImportedRecords(added: 0, updated: 0, unchanged: 1))
      #expect(try fixture.lines(collection) == out)
      if collection != .profiles { #expect(out == [line]) }
    }
  }

  @Test func whatNoFieldReadsIsNamed() async throws {
    let lines = [
      #"{"id":"1","firstName":"Ada","phone":"1","emails":[{"value":"a@b","typ":"work"},{"value":"c@d","typ":"x"}],"none":null}"#,
      #"{"id":"2","firstName":"Bo","phone":"2","groups":"family","age":7}"#, Self.ada.replacing("1\"", with: "3\""),
      #"{"id":"4","firstName":"Cy","lastName":"D","fullName":"Cy D","emials":[]}"#,
    ]
    let result = try await load(lines.joined(separator: "\n"))
    #expect(result.added == 4)
    var phone = UnreadMember("phone", line: 1, isKept: true, meant: "phones")
    phone.count = 2
    var type = UnreadMember("emails.typ", line: 1, isKept: false, meant: "emails.type")
    type.count = 1
    #expect(
      result.unread == [
        phone, type, UnreadMember("groups", line: 2, isKept: true, expected: "a list"),
        UnreadMember("age", line: 2, isKept: true), UnreadMember("emials", line: 4, isKept: true, meant: "emails"),
      ])
    let stored = try fixture.lines(.people)
    #expect(stored[0].contains(#""emails":[{"value":"a@b"},{"value":"c@d"}]"#) && stored[0].contains(#""phone":"1""#))
    #expect(stored[1].contains(#""groups":"family""#), "\(stored[1])")
    // What is stored already says nothing new; what is left out does.
    #expect(try await load(lines.joined(separator: "\n")).unread == [type])
    #expect(try await load(lines[3].replacing("emials", with: "emals")).unread.map(\.name) == ["emals"])
  }

  /// A file that repeats the stored full name beside another first name was edited in one place only.
  @Test(arguments: [
    ("Ada Lovelace", "Augusta", "Ada Lovelace", "Augusta Lovelace"),
    ("Dr. Ada Lovelace", "Augusta", "Dr. Ada Lovelace", "Dr. Augusta Lovelace"),
    ("Ada Lovelace", "Augusta", "Lady Lovelace", "Lady Lovelace"), ("Dr. Ada Lovelace", "Ada", "A. L.", "A. L."),
    ("Lady Lovelace", "Augusta", "Lady Lovelace", "Lady Lovelace"),
  ])
  func theFullNameFollowsAnEditedName(stored: String, first: String, given: String, expected: String) async throws {
    func line(_ first: String, _ full: String) -> String {
      #"{"id":"1","firstName":"\#(first)","lastName":"Lovelace","birthday":"1815-12-10","fullName":"\#(full)","x":1}"#
    }
    _ = try await load(line("Ada", stored))
    _ = try await load(line(first, given))
    #expect(try fixture.lines(.people) == [line(first, expected)])
    #expect(try await load(line(first, expected)) == ImportedRecords(added: 0, updated: 0, unchanged: 1))
  }

  /// A file of another program need not have the id that a server gave: without it the person is never sent or linked again.
  @Test func theIdOnTheServerIsKept() async throws {
    func line(_ last: String, _ remoteID: String?) -> String {
      let remote = remoteID.map { #","remoteID":"\#($0)""# } ?? ""
      return #"{"id":"1","firstName":"Ada","lastName":"\#(last)","fullName":"Ada \#(last)"\#(remote),"x":1}"#
    }
    _ = try await load(line("Byron", "7"))
    #expect(try await load(line("Byron", nil)) == ImportedRecords(added: 0, updated: 0, unchanged: 1))
    #expect(try await load(line("Lovelace", nil)) == ImportedRecords(added: 0, updated: 1, unchanged: 0))
    #expect(try fixture.lines(.people) == [line("Lovelace", "7")])
    #expect(try await load(line("Lovelace", "8")).updated == 1)
    #expect(try fixture.lines(.people) == [line("Lovelace", "8")])
  }

  /// Records that are asked for by ascending id are read ahead.
  @Test(arguments: ["in order", "backwards", "shuffled", "few"]) func whatIsThereIsFoundInAnyOrder(order: String)
    async throws
  {
    func line(_ id: Int, _ name: String) -> String {
      #"{"id":"\#(1000 + id)","firstName":"\#(name)","lastName":"L","birthday":"1990-01-01","fullName":"\#(name) L"}"#
    }
    let numbers = Array(0..<300)
    _ = try await load(numbers.filter { $0 % 3 > 0 }.map { line($0, "A") }.joined(separator: "\n"))
    let asked =
      switch order {
      case "backwards": Array(numbers.reversed())
      case "shuffled": numbers.sorted { $0 * 83 % 301 < $1 * 83 % 301 }
      case "few": numbers.filter { $0 % 50 < 2 || $0 > 250 }
      default: numbers
      }
    let result = try await load(asked.map { line($0, $0 % 5 == 0 ? "B" : "A") }.joined(separator: "\n"))
    let added = asked.count { $0 % 3 == 0 }
    let updated = asked.count { $0 % 3 > 0 && $0 % 5 == 0 }
    #expect(result == ImportedRecords(added: added, updated: updated, unchanged: asked.count - added - updated))
    let known = Set(numbers.filter { $0 % 3 > 0 }).union(asked).sorted()
    #expect(try fixture.lines(.people) == known.map { line($0, asked.contains($0) && $0 % 5 == 0 ? "B" : "A") })
  }

  @Test func countsAndCommitsOnce() async throws {
    _ = try await load(Self.ada)
    let sequence = try fixture.store.snapshot().sequence
    let result = try await load(
      """
      \(Self.ada)
      {"id":"2","firstName":"Alan","lastName":"","birthday":"--06-23"}

      """)
    #expect(result == ImportedRecords(added: 1, updated: 0, unchanged: 1))
    #expect(try fixture.store.snapshot().sequence == sequence + 1)
    let second = try await load(
      #"{"birthday":"--06-23","lastName":"Turing","firstName":"Alan","id":"2","note":"kept"}"#)
    #expect(second == ImportedRecords(added: 0, updated: 1, unchanged: 0))
    #expect(
      try fixture.lines(.people)[1]
        == #"{"id":"2","firstName":"Alan","lastName":"Turing","birthday":"--06-23","fullName":"Alan Turing","note":"kept"}"#
    )
  }

  @Test func peopleWithoutABirthdayAndWithAFullNameOfTheirOwn() async throws {
    let lee = #"{"id":"2","firstName":"小龙","lastName":"李","fullName":"李小龙"}"#
    #expect(try await load("\(Self.ada)\n\(lee)\n").added == 2)
    #expect(try fixture.lines(.people)[1] == lee)
    #expect(try await load(lee).unchanged == 1)
  }

  @Test func lineEndsMarksAndEmptyLinesArePassedOver() async throws {
    let result = try await load("\u{FEFF}\r\n\(Self.ada)\r\n \t\r\n")
    #expect(result.added == 1)
  }

  @Test("lines may begin and end anywhere in the pieces of a file", arguments: [1, 2, 7, 64, 1000])
  func pieces(of size: Int) async throws {
    let lines = (0..<20).map { #"{"id":"\#($0)","name":"\#(String(repeating: "é", count: $0 * 3))","email":"a@b"}"# }
    let bytes = Array(("\u{FEFF}\(lines[0])\r\n\n" + lines[1...].joined(separator: "\n")).utf8)
    var rest = bytes[...]
    let result = try await fixture.library.importLines(into: .profiles) {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      return piece.isEmpty ? nil : piece
    }
    #expect(result.added == 20)
    #expect(try fixture.lines(.profiles).sorted() == lines.sorted())
  }

  /// Of several megabytes, so that parts of it are read at once.
  @Test func aLongFileIsOneInItsOrder() async throws {
    let count = 9_000
    var lines = (1...count).map { number in
      let id = 100_000 + number * 7 % count
      let extra = number % 3_000 == 5 ? #","phone":"1""# : ""
      let note = String(repeating: "é", count: 120)
      return #"{"id":"\#(id)","firstName":"A","lastName":"\#(id)","fullName":"A \#(id)","note":"\#(note)"\#(extra)}"#
    }
    func load(failsAtEnd: Bool = false) async throws -> ImportedRecords {
      var rest = Array(lines.joined(separator: "\n").utf8)[...]
      return try await fixture.library.importLines(into: .people) { () throws(Failure) in
        if rest.isEmpty, failsAtEnd { throw Failure(.config, .denied, "gone") }
        defer { rest = rest.dropFirst(300_000) }
        return rest.isEmpty ? nil : Array(rest.prefix(300_000))
      }
    }
    for (line, number) in [(#"{"id":"x"}"#, 8_500), ("no", 4_000)] {
      lines[number - 1] = line
      let error = await #expect(throws: Failure.self) { try await load(failsAtEnd: true) }
      #expect(error?.message.hasPrefix("line \(number): ") == true, "\(error?.message ?? "")")
    }
    for number in [8_500, 4_000] { lines[number - 1] = #"{"id":"\#(number)","fullName":"B","lastName":"B"}"# }
    let gone = await #expect(throws: Failure.self) { try await load(failsAtEnd: true) }
    #expect(try gone?.message == "gone" && fixture.library.count(.people) == 0)
    var phone = UnreadMember("phone", line: 5, isKept: true, meant: "phones")
    phone.count = 3
    var expected = ImportedRecords(added: count, updated: 0, unchanged: 0)
    expected.unread = [phone]
    #expect(try await load() == expected)
    lines[8_000] = lines[8_000].replacing("A", with: "C")
    lines.reverse()
    #expect(try await load() == ImportedRecords(added: 0, updated: 1, unchanged: count - 1))
    let again = lines[17]
    lines.append(again)
    let twice = await #expect(throws: Failure.self) { try await load() }
    #expect(twice?.message.hasPrefix("line \(count + 1): ") == true, "\(twice?.message ?? "")")
  }

  @Test(
    "an array of records, however it is written",
    arguments: ["[A,B]", "[\nA,\nB\n]\n", " [ A\n, B ] ", "\n\n[A ,\n\n\nB]"])
  func arrays(of form: String) async throws {
    let records = [Self.ada, #"{"id":"2","firstName":"]\"[,{","lastName":"","fullName":"\n\\"}"#]
    let text = form.replacing("A", with: records[0]).replacing("B", with: records[1].replacing(",\"", with: "\n, \""))
    for size in [1, 3, 1000] {
      var rest = Array(text.utf8)[...]
      let result = try await fixture.library.importLines(into: .people) {
        defer { rest = rest.dropFirst(size) }
        return rest.isEmpty ? nil : Array(rest.prefix(size))
      }
      #expect(result.added + result.unchanged == 2)
    }
    #expect(try fixture.lines(.people).count == 2)
  }

  @Test(
    "a mistake in an array has its line, and nothing of a part of one is imported",
    arguments: [
      ("[\nA,\n{\"id\":7}\n]", 3, FailureCode.own(.badID)),
      ("[{\n\"id\":\"1\",\"firstName\":\"A\"\n},\n7]", 4, .own(.badLine)),
      ("[\nA,\n", 3, .own(.badLine)), ("[\n{\"id\":\"1\",\"firstName\":\"A\"}\n]\nB", 4, .own(.badLine)),
      ("[\nA,\n{\"id\":\"2\",\"firstName\":\"\",\"lastName\":\"\"}]", 3, .own(.badValue)),
    ])
  func mistakesInArrays(text: String, line: Int, code: FailureCode) async throws {
    let error = await #expect(throws: Failure.self) { try await load(text.replacing("A,", with: Self.ada + ",")) }
    #expect(error?.message.hasPrefix("line \(line): ") == true && error?.code == code, "\(error?.message ?? "")")
    #expect(try fixture.library.count(.people) == 0)
  }

  @Test func aFileThatCannotBeReadToItsEndIsNotImported() async throws {
    var pieces = [Array("\(Self.ada)\n".utf8)][...]
    let error = await #expect(throws: Failure.self) {
      try await fixture.library.importLines(into: .people) { () throws(Failure) in
        if pieces.isEmpty { throw Failure(.config, .denied, "gone") }
        return pieces.popFirst()
      }
    }
    #expect(error?.message == "gone")
    #expect(try fixture.library.count(.people) == 0)
  }

  @Test(arguments: [
    ("{\"id\":\"1\"", 2), ("[1]", 2), ("{\"id\":7}", 2), ("{}", 2), ("{\"id\":\"\"}", 2), ("{\"id\":\"a\\n\"}", 2),
    (#"{"id":"2","firstName":"A","lastName":"","birthday":"1999-02-30"}"#, 2),
    (#"{"id":"2","firstName":"","lastName":""}"#, 2), (ada, 2), ("\n\(ada)", 3), ("hello", 2),
  ])
  func oneMistakeAndNothingIsImported(line: String, number: Int) async throws {
    let error = await #expect(throws: Failure.self) { try await load("\(Self.ada)\n\(line)\n") }
    #expect(error?.reason == .unparsable)
    #expect(error?.message.hasPrefix("line \(number): ") == true, "\(error?.message ?? "")")
    #expect(try fixture.library.count(.people) == 0)
  }

  @Test func anIdThatDoesNotFollowFromTheFieldsIsAMistake() async throws {
    let error = await #expect(throws: Failure.self) {
      try await load(
        #"{"id":"x","storefront":"fr","chart":"top-paid","observedAt":"2026-01-01T00:00:00Z","lastObservedAt":"2026-01-01T00:00:00Z","ranks":[]}"#,
        into: .charts)
    }
    #expect(error?.message.contains("fr/top-paid/2026-01-01T00:00:00Z") == true)
  }

  @Test(arguments: ["state", "things", ""]) func onlyIntoCollectionsThatUsersSee(name: String) async throws {
    let error = await #expect(throws: Failure.self) {
      try await load(#"{"id":"1"}"#, into: CollectionName(rawValue: name))
    }
    #expect(error?.reason == .usage)
  }
}
