import AlmanacTesting
import Foundation
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanac

/// What a person sees on a screen: columns, links, pages and progress.
@Suite final class ScreenLayoutTests: ProgramTests {
  @Test(arguments: [
    ("abc", 3), ("Müller", 6), ("Mu\u{308}ller", 6), ("李小龙", 6), ("한국", 4), ("🎂", 2), ("👩‍👩‍👧", 2), ("☀️", 2), ("☀", 1),
    ("⚡", 2), ("🇫🇷", 2), ("שָׁלוֹם", 4), ("हिन्दी", 5), ("ไทย", 3), ("a\u{200B}b", 2), ("ﾊﾝｶｸ", 4), ("①", 1),
  ])
  func widths(text: String, columns: Int) { #expect(Printable.width(text) == columns, "\(text)") }

  /// The lines of a long text begin below its first one; an address stays whole. Files and pipes get the text as it is.
  @Test func aLongTextOfARecordIsBrokenAtItsWords() {
    let text = "Keeps bees, collects timetables, answers on Thursdays and never on any other day of the week"
    let address = "https://example.com/" + String(repeating: "a", count: 80)
    func shown(_ width: Int?) -> [String] {
      FakeTerminal.printing(width) { $0.one(["id": "ada", "about": .string(text), "url": .string(address)]) }.lines
    }
    #expect(
      shown(60) == [
        "id     ada", "about  Keeps bees, collects timetables, answers on Thursdays",
        "       and never on any other day of the week", "url    \(address)",
      ])
    #expect(shown(nil) == ["id     ada", "about  \(text)", "url    \(address)"])
    #expect(shown(20).count == 3)
  }

  /// Values that differ at their end can be told apart: long ones go below their row.
  @Test func valuesOfChangesAreWhole() {
    let (from, to) = ("https://example.com/" + String(repeating: "a", count: 50), "https://example.com/b")
    let row: JSONObject = ["commit": 7, "by": "sync carddav/home/book", "from": .string(from), "to": .string(to)]
    let columns = ["commit", "by", "from", "to"].map { Answer.Column($0, isLong: ["from", "to"].contains($0)) }
    #expect(
      FakeTerminal.printing(80) { $0.list([row], columns: columns) }.lines == [
        "commit  by", "7       sync carddav/home/book", "  from: \(from)", "  to: \(to)",
      ])
  }

  /// However narrow a screen is, what a sync removed or rejected is seen.
  @Test(arguments: [80, 60, 50]) func numbersAboveZeroOfASyncAreSeen(columns: Int) {
    var counts = SyncCounts()
    (counts.added, counts.updated, counts.removed, counts.rejected) = (1200, 3, 17, 4)
    (counts.unchanged, counts.requests, counts.bytes) = (10_000, 12, 1_234_567)
    let follow = FollowReport(follow: "carddav/home/personal-contacts-of-ada", status: .ok, counts: counts)
    let time = Timestamp(secondsSinceEpoch: 0)
    let lines = FakeTerminal.printing(columns) { answer in
      SyncAnswer(terminal: answer.terminal).print(
        SyncReport(startedAt: time, finishedAt: time, follows: [follow]))
    }.lines
    for word in ["removed", "rejected", "17", "4", "1200", "ok"] {
      #expect(lines.joined(separator: "\n").contains(word), "\(lines)")
    }
    for line in lines { #expect(Printable.width(line) <= columns, "\(line)") }
  }

  /// A field of a described source is a time because its kind says so, whatever its name.
  @Test func timesAreLocalInEveryCollection() throws {
    let name = CollectionName(rawValue: "tasks")
    let tasks = CollectionDescriptor(name, fields: [.init("id"), .init("dueAt", .time)], columns: ["id", "dueAt"])
    let source = SourceName(rawValue: "todo")
    let catalog = CollectionCatalog([SourceDescriptor(name: source, summary: "", forms: [], collections: [tasks])])
    let row: JSONObject = ["id": "1", "dueAt": "2026-11-22T15:57:10Z"]
    let shown = FakeTerminal.printing(80) { $0.list([row], columns: CollectionColumns.table(name, in: catalog)) }
    #expect(try shown.lines.last == "1   \(#require(ScreenTime.local("2026-11-22T15:57:10Z")))")
  }

  /// The bytes of a photo are for programs that read JSON.
  @Test func aPhotoIsItsKindAndSize() {
    let record: JSONObject = ["id": "p", "photo": ["type": "image/png", "bytes": 3, "data": "AAAA"]]
    let shown = FakeTerminal.printing(80) { answer in
      answer.one(record)
      answer.list([["from": .object(["photo": record["photo"] ?? .null])]], columns: [.init("from")])
    }
    #expect(
      shown.lines == [
        "id           p", "photo.type   image/png", "photo.bytes  3", "from",
        #"{"photo":{"type":"image/png","bytes":3}}"#,
      ])
  }

  @Test func namesFromRightToLeftStayInTheirColumn() {
    let rows: [JSONObject] = [["name": "שלום", "rank": 12], ["name": "Ada", "rank": 3]]
    let columns: [Answer.Column] = [.init("name"), .init("rank", number: true)]
    func shown(_ width: Int?) -> [String] { FakeTerminal.printing(width) { $0.list(rows, columns: columns) }.lines }
    #expect(shown(80) == ["name  rank", "\u{200E}שלום\u{200E}    12", "Ada      3"])
    // Files and pipes get the text as it is.
    #expect(shown(nil)[1] == "שלום    12")
  }

  /// Chinese and Japanese have no spaces; items of a list have a line each.
  @Test func textsWithoutSpacesAndListsAreBroken() {
    let record: JSONObject = [
      "note": .string(String(repeating: "很長的備註", count: 4) + " see https://example.com/a/long/address"),
      "emails": [["value": "ada@example.org", "type": "work"], ["value": "ada@example.com"]],
      "phones": [["value": "1", "type": "cell", "label": "x"]],
    ]
    #expect(
      FakeTerminal.printing(30) { $0.one(record) }.lines == [
        "note    很長的備註很長的備註很", "        長的備註很長的備註 see",
        "        https://example.com/a/long/address", "emails  ada@example.org (work)", "        ada@example.com",
        #"phones  {"value":"1","type":"cell","label":"x"}"#,
      ])
    let pipe = FakeTerminal.printing(nil) { $0.one(record) }
    #expect(pipe.lines.count == 3 && pipe.lines[1].hasSuffix("ada@example.org (work), ada@example.com"))
  }

  /// One long path takes no column of the other rows.
  @Test func aPathThatIsTooLongHasItsOwnLine() {
    let long = "flickr/search/" + String(repeating: "many words ", count: 4)
    let rows: [JSONObject] = [
      ["follow": "users/ada", "state": "fresh", "next": "in 5 min", "error": ""],
      ["follow": .string(long), "state": "failing", "next": "now", "error": "no"],
    ]
    func shown(_ columns: [String], _ width: Int, _ rows: [JSONObject] = rows) -> [String] {
      let screen = FakeTerminal.printing(width) { $0.list(rows, columns: columns.map { .init($0) }) }
      return screen.lines + screen.rows
    }
    #expect(
      shown(["follow", "state", "next", "error"], 60) == [
        "follow     state    next", "users/ada  fresh    in 5 min", long, "           failing  now", "  error: no",
      ])
    #expect(shown(["follow", "state", "next"], 80).count == 3)
    #expect(
      shown(["state", "follow", "next"], 60) == [
        "state    follow     next", "fresh    users/ada  in 5 min", "failing             now",
        "  follow: flickr/search/many words many words many words", "    many words ",
      ])
    // The page of a record gives way before its title.
    let photo: JSONObject = [
      "title": "A title of forty columns, and some more", "id": "1",
      "pageURL": "https://example.com/photos/1/2/3/4/5/67",
    ]
    #expect(shown(["title", "id", "pageURL"], 60, [photo]).first == "title                                    id")
    #expect(shown(["title", "id", "pageURL"], 80, [photo]).first?.hasSuffix("pageURL") == true)
  }

  @Test func namesLeadToTheirPages() {
    let rows: [JSONObject] = [
      ["id": "1", "title": "Tide", "pageURL": "https://example.com/1"],
      ["id": "2", "title": "Ebb", "pageURL": "javascript:alert(1)"],
      ["id": "3", "title": "Surf", "pageURL": "https://example.com/\u{1B}]8;;x"],
    ]
    func shown(_ hasLinks: Bool) -> [String] {
      FakeTerminal.printing(80, hasLinks: hasLinks) { $0.list(rows, columns: [.init("id"), .init("title")]) }.lines
    }
    #expect(
      shown(true) == [
        "id  title", "1   \u{1B}]8;;https://example.com/1\u{1B}\\Tide\u{1B}]8;;\u{1B}\\", "2   Ebb", "3   Surf",
      ])
    #expect(shown(false) == ["id  title", "1   Tide", "2   Ebb", "3   Surf"])
  }

  /// Who decides a conflict sees both values whole.
  @Test func theValuesOfAnEditAreWhole() {
    let long = "Augusta Ada King-Noel, Countess of Lovelace, of Ockham Park"
    let row: JSONObject = [
      "field": "name", "was": "Ada", "mine": .string(long), "theirs": .string("\(long), the first"),
    ]
    let screen = FakeTerminal.printing(80) {
      $0.list([row], columns: ["field", "was", "mine", "theirs"].map { .init($0) })
    }
    #expect(screen.lines == ["field", "name", "  was: Ada", "  mine: \(long)", "  theirs: \(long), the first"])
  }

  @Test func aWideTableLeavesNothingOut() {
    let long = String(repeating: "word ", count: 20)
    let row: JSONObject = ["id": "1", "name": .string(long), "artist": .string(long), "lastError": .string(long)]
    let columns = ["id", "name", "artist", "lastError"].map { Answer.Column($0) }
    let screen = FakeTerminal.printing(40, isWide: true) { $0.list([row], columns: columns) }
    #expect(screen.lines.count == 2 && screen.lines[0].hasPrefix("id  name"), "\(screen.lines)")
    #expect(screen.lines[1].split(separator: " ").count { $0 == "word" } == 60 && screen.rows.isEmpty)
  }

  private static func progress(on screen: FakeTerminal, _ time: ManualTime) -> ProgressEvents {
    ProgressEvents(
      terminal: screen.terminal(.init(isInteractive: true, showsProgress: true, width: 80, messageWidth: 80)),
      isVerbose: false, time: time)
  }

  private func people() async throws -> Program {
    try await almanac.load(
      "people",
      """
      {"id":"p1","firstName":"Ada","lastName":"Lovelace","fullName":"Ada Lovelace","note":"n","birthday":"1815-12-10"}
      {"id":"p2","firstName":"Kurt","lastName":"Gödel","fullName":"Kurt Gödel"}
      """)
    return almanac
  }

  @Test func theNamedColumnsArePrintedInTheirOrder() async throws {
    let almanac = try await people()
    let list = ["list", "people", "--columns", "birthday, id,note", "--sort", "id"]
    #expect(try await almanac.run(list).out == "birthday    id  note\n1815-12-10  p1  n\n            p2\n")
    #expect(try await almanac.run(list + ["--format", "csv"]).out == "birthday,id,note\n1815-12-10,p1,n\n,p2,\n")
    #expect(
      try await almanac.run(list + ["-o", "jsonl", "--limit", "1"]).out
        == #"{"birthday":"1815-12-10","id":"p1","note":"n"}"# + "\n")
    try await almanac.run("list", "people", "--columns", "id,nme", exits: 64, err: "nme", "firstName")
    try await almanac.run("list", "people", "--columns", " ,", exits: 64)
    try await almanac.run("export", "people", "--to", "csv", "-o", "x", exits: 64, err: "--out names a file")
  }

  @Test func longAnswersAreShownPageByPageOnAScreenAlone() async throws {
    let almanac = try await people()
    func shown(_ options: String, pager: String = "sed 's/^/> /'", onScreen: Bool = true) async throws -> String {
      let command = "'$PROGRAM' list people --columns id --sort id \(options)"
      let call = onScreen ? "script -qec \"\(command)\" /dev/null" : "'$PROGRAM' list people --columns id --sort id"
      let result = try await almanac.shell(
        "PAGER=\"\(pager)\" LESS= TERM=xterm \(call.replacing("'$PROGRAM'", with: "$PROGRAM"))")
      // script(1) shows the end of its input.
      return result.out.replacing("\r\n", with: "\n").replacing("^D\u{8}\u{8}", with: "")
    }
    let paged = try await shown("--no-color")
    #expect(paged.contains("> id\n> p1\n> p2\n"), "\(paged.debugDescription)")
    for (options, pager) in [("--no-color --no-pager", "sed 's/^/> /'"), ("--no-color", ""), ("--no-color", "cat")] {
      let direct = try await shown(options, pager: pager)
      #expect(direct == "id\np1\np2\n", "\(direct.debugDescription)")
    }
    #expect(try await shown("", onScreen: false) == "id\np1\np2\n")
    // A pager that does not read, or is not there, ends the command all the same.
    #expect(!(try await shown("--no-color", pager: "true").contains("p1")))
    #expect(try await shown("--no-color", pager: "no-such-pager").contains("no-such-pager"))
  }

  @Test func progressTellsItsRateAndTheTimeThatIsLeft() {
    let (screen, time) = (FakeTerminal(), ManualTime())
    let events = Self.progress(on: screen, time)
    events.report(.followStarted(follow: "people"))
    time.advance(by: .seconds(1))
    events.report(.pageCommitted(follow: "people", done: 100, total: 1000))
    // One second is too short to tell.
    #expect(screen.rows == ["people  ██░░░░░░░░░░░░░░░░░░  100/1000"])
    time.advance(by: .seconds(9))
    events.report(.pageCommitted(follow: "people", done: 250, total: 1000))
    #expect(screen.rows == ["people  █████░░░░░░░░░░░░░░░  250/1000  25/s, 30 s left"])
    events.report(.followFinished(report: FollowReport(follow: "people", status: .ok), duration: .seconds(10)))
    events.report(.picture(done: 4, total: 400))
    time.advance(by: .seconds(100))
    events.report(.picture(done: 40, total: 400))
    #expect(screen.rows == ["images  ██░░░░░░░░░░░░░░░░░░  40/400  0.4/s, 15 min left"])
    events.report(.picture(done: 400, total: 400))
    #expect(screen.rows.isEmpty, "\(screen.rows)")
    // Nothing moves while follows begin and end.
    events.report(.syncStarted(run: "run", follows: ["people", "users/ada"]))
    events.report(.followStarted(follow: "people"))
    events.report(.pageCommitted(follow: "people", done: 9, total: 10))
    #expect(screen.rows == ["people     ██████████████████░░  9/10"])
  }

  @Test func aServerThatHangsIsSeen() async {
    let (screen, time) = (FakeTerminal(), ManualTime())
    let events = Self.progress(on: screen, time)
    events.report(.followStarted(follow: "people"))
    let url = "http://h/people"
    events.report(.requestStarted(method: "GET", url: url, attempt: 1))
    while !screen.rows.contains(where: { $0.hasSuffix(" without an answer: http://h/people") }) { await Task.yield() }
    #expect(screen.rows.first == "people  …")
    events.report(.requestFinished(method: "GET", url: url, status: 200, bytes: 1, duration: .seconds(9)))
    #expect(screen.rows == ["people  …"], "\(screen.rows)")
  }

  @Test(
    arguments: [
      (1_200_000, nil, "1.2 MB"), (40_000, 2_000_000, "40 kB of 2.0 MB"), (900, nil, "900 B"),
    ] as [(Int, Int?, String)])
  func aSlowTransferHasARate(bytes: Int, expected: Int?, words: String) async throws {
    let (screen, time) = (FakeTerminal(), ManualTime())
    let events = Self.progress(on: screen, time)
    events.report(.followStarted(follow: "people"))
    let url = "http://h/people?page=2"
    events.report(.requestStarted(method: "GET", url: url, attempt: 1))
    events.received("http://h/people", bytes, of: expected)
    while !screen.rows.contains(where: { $0.hasSuffix("/s: \(url)") }) { await Task.yield() }
    let row = try #require(screen.rows.last)
    #expect(row.contains(", \(words), ") && !screen.rows.contains { $0.contains("without an answer") }, "\(row)")
    events.report(.requestFinished(method: "GET", url: url, status: 200, bytes: 1, duration: .seconds(9)))
    #expect(screen.rows == ["people  …"], "\(screen.rows)")
  }
}
