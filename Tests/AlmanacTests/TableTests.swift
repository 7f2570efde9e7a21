import AlmanacTesting
import Models
import Parsing
import Synchronization
import Testing

@testable import almanac

/// Tables on a screen of 80 columns.
@Suite struct TableTests {
  /// What was written to a screen of so many columns.
  private final class Screen: Sendable {
    private let bytes = Mutex<(out: [UInt8], err: [UInt8])>(([], []))

    func terminal(_ width: Int?, messages: Int? = nil) -> Terminal {
      Terminal(
        isInteractive: width != nil, width: width, messageWidth: messages, coder: JSONRecordCoder(),
        out: { new in
          self.bytes.withLock { $0.out += new }
          return nil
        }, err: { new in self.bytes.withLock { $0.err += new } })
    }

    var out: [String] {
      String(decoding: bytes.withLock { $0.out }, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    var err: [String] {
      String(decoding: bytes.withLock { $0.err }, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private func print(_ rows: [JSONObject], _ columns: [Answer.Column], _ width: Int?) -> Screen {
    let screen = Screen()
    let terminal = screen.terminal(width)
    Answer(terminal: terminal).list(rows, columns: columns)
    terminal.flush()
    return screen
  }

  private static let path = "app-store/us/top-grossing/6014"

  @Test func aSyncsFollowsAreWhole() {
    var counts = SyncCounts()
    counts.requests = 12
    counts.bytes = 123_456_789
    for _ in 0..<200 { counts.add(to: .apps) }
    counts.add(to: .charts)
    let screen = Screen()
    let report = SyncReport(
      startedAt: Timestamp(secondsSinceEpoch: 0), finishedAt: Timestamp(secondsSinceEpoch: 1),
      follows: [FollowReport(follow: Self.path, status: .ok, counts: counts)])
    let terminal = screen.terminal(80)
    SyncAnswer(terminal: terminal).print(report)
    terminal.flush()
    #expect(screen.out.allSatisfy { $0.count <= 80 }, "\(screen.out)")
    #expect(screen.out[1].hasPrefix("\(Self.path)  ok      201 (200 apps, 1 chart)"), "\(screen.out)")
    #expect(screen.err.joined().hasPrefix("not shown on a screen of 80 columns: "), "\(screen.err)")
    // What is 0 is left out first.
    #expect(screen.err.joined().contains("updated") && !screen.out[0].contains("rejected"), "\(screen.out)")
  }

  @Test func longTextsGoBelowTheirRow() {
    let id = "01K0000000000000000000000A"
    let error = "the server answered 422: " + Array(repeating: "word", count: 30).joined(separator: " ")
    let rows: [JSONObject] = [
      [
        "id": .string(id), "target": "profiles/ada", "kind": "put", "state": "refused", "attempts": 3,
        "fields": .object(["name": "Ada"]), "lastError": .string(error),
      ],
      ["id": "2", "target": "profiles/bo", "kind": "put", "state": "pending", "attempts": 0, "fields": .object([:])],
    ]
    let columns = CollectionColumns.table(.outbox)
    let narrow = print(rows, columns, 80).out
    #expect(narrow.allSatisfy { $0.count <= 80 }, "\(narrow)")
    #expect(narrow[1] == "\(id)  profiles/ada  put   refused         3", "\(narrow)")
    #expect(narrow[2] == #"  fields: {"name":"Ada"}"#)
    #expect(narrow[3].hasPrefix("  lastError: the server answered 422: word word") && narrow[3].hasSuffix("word"))
    #expect(narrow[4].hasPrefix("    word"))
    #expect(!narrow.contains { $0.contains("theirs") }, "nothing below a row without it")
    // Where there is room, and elsewhere than on a screen, a row is a line.
    for width in [400, nil] {
      let wide = print(rows, columns, width).out
      #expect(wide.count == 3 && wide[1].contains(error), "\(wide)")
    }
  }

  @Test(arguments: [80, 60, 40, 20])
  func idsAreNeverCut(width: Int) {
    let rows: [JSONObject] = (0..<3).map { number in
      [
        "id": .string("us/123456789\(number)"), "name": .string(String(repeating: "Näme ", count: 12)),
        "artist": "Some Company Incorporated", "price": .object(["amount": "0.99000", "currency": "USD"]),
        "category": "Entertainment", "releaseDate": "2026-01-31T12:00:00Z",
      ]
    }
    let screen = print(rows, CollectionColumns.table(.apps), width)
    #expect(screen.out.count == 4 && screen.out.allSatisfy { $0.count <= width }, "\(screen.out)")
    for (number, line) in screen.out.dropFirst().enumerated() { #expect(line.hasPrefix("us/123456789\(number)")) }
    // A time is whole or not there at all.
    #expect(!screen.out.contains { $0.contains("2026") && !$0.contains("2026-01-31T12:00:00Z") }, "\(screen.out)")
  }

  /// Feeds write prices with zeros at their end; every table shows them alike, and programs get what came.
  @Test(arguments: [("5.99000", "5.99"), ("0.00000", "0.00"), ("1.5", "1.5"), ("12", "12"), ("0.125", "0.125")])
  func prices(amount: String, shown: String) {
    let app: JSONObject = ["id": "us/1", "price": .object(["amount": .string(amount), "currency": "USD"])]
    #expect(
      print([app], [.init("id"), .init("price.amount", number: true)], nil).out.last?.hasSuffix(" \(shown)") == true)
    let screen = Screen()
    let terminal = screen.terminal(80)
    Answer(terminal: terminal).one(app)
    terminal.flush()
    #expect(screen.out == ["id              us/1", "price.amount    \(shown)", "price.currency  USD"])
  }

  @Test(arguments: [
    ("one two three", 7, 0, ["one two", "three"]), ("one two three", 7, 2, ["one two", "  three"]),
    ("  one two", 5, 4, ["  one", "    two"]), ("https://a.example/b c", 5, 0, ["https://a.example/b", "c"]),
    ("一二 三", 5, 0, ["一二", "三"]), ("", 5, 0, [""]), ("a  b", 10, 0, ["a  b"]),
  ])
  func wrapping(text: String, columns: Int, indent: Int, lines: [String]) {
    #expect(Printable.wrapped(text, columns, indent: indent) == lines)
  }

  @Test func messagesAreBrokenAtWordsOnAScreenAlone() {
    let words = Array(repeating: "message", count: 20).joined(separator: " ")
    for width in [nil, 40] as [Int?] {
      let screen = Screen()
      let terminal = screen.terminal(nil, messages: width)
      terminal.report(Failure(.http, .unavailable, words, hint: words))
      terminal.complain(words)
      #expect(screen.err.allSatisfy { $0.count <= width ?? 1000 }, "\(screen.err)")
      #expect((screen.err.count == 3) == (width == nil), "\(screen.err)")
      #expect(screen.err.joined(separator: " ").split(separator: " ").count == 61)
    }
  }
}
