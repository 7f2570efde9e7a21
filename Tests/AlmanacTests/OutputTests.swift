import AlmanacTesting
import Foundation
import Testing

/// Answers go where they are asked for, or the program says that they did not.
@Suite struct OutputTests {
  private func withPerson() async throws -> Program {
    let almanac = try Program("almanac")
    let add = try await almanac.run("people", "add", "--first", "A", "--birthday", "2000-01-02")
    #expect(add.status == 0, "\(add.err)")
    return almanac
  }

  @Test(arguments: ["list people", "export people --to csv", "changes", "birthdays --days 400 --format json"])
  func fullDisk(command: String) async throws {
    let almanac = try await withPerson()
    defer { almanac.clean() }
    let result = try await almanac.shell("\"$PROGRAM\" \(command) > /dev/full")
    #expect(result.status == 74)
    #expect(result.err.contains("No space left"), "\(result.err)")
  }

  @Test func aFileThatMayNotGrow() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let lines = (0..<100).map { #"{"id":"p\#($0)","firstName":"A","lastName":"B","birthday":"2000-01-02"}"# + "\n" }
    _ = try almanac.file("people.jsonl", lines.joined())
    let result = try await almanac.shell("ulimit -f 1; \"$PROGRAM\" import people.jsonl")
    #expect(result.status == 74, "\(result.err)")
    #expect(result.err.contains("File too large"), "\(result.err)")
    #expect(try await almanac.run("list", "people", "--format", "json").records().isEmpty)
  }

  @Test func aReaderThatLeavesEndsTheFeed() async throws {
    let almanac = try await withPerson()
    defer { almanac.clean() }
    // As under systemd: a write to a closed pipe is an error and no signal.
    let feed = "trap '' PIPE; \"$PROGRAM\" changes --follow; echo $? >&2"
    let add = "\"$PROGRAM\" people add --first B --birthday 2000-01-03"
    let result = try await almanac.shell(
      "mkfifo feed; (\(feed)) > feed & head -n 1 feed > line; \(add) > /dev/null; wait")
    #expect(result.err == "0\n")
    #expect(try String(contentsOfFile: almanac.folder + "/line", encoding: .utf8).contains(#""firstName":"A""#))
  }

  @Test func pipesAndDevicesStayWhatTheyAre() async throws {
    let almanac = try await withPerson()
    defer { almanac.clean() }
    let result = try await almanac.shell(
      """
      mkfifo pipe; cat pipe > through & "$PROGRAM" export people --to jsonl --out pipe && wait
      test -p pipe && "$PROGRAM" export people --to jsonl --out /dev/stdout && "$PROGRAM" export people --to jsonl | cmp - through
      """)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.contains(#""firstName":"A""#))
  }

  @Test func linksAndModesStay() async throws {
    let almanac = try await withPerson()
    defer { almanac.clean() }
    let result = try await almanac.shell(
      """
      touch kept; chmod 600 kept; ln -s kept link; ln -s new dangling
      "$PROGRAM" export people --to csv --out link && "$PROGRAM" birthdays --ics dangling
      test -L link && test -L dangling && grep -q A kept && grep -q VCALENDAR new && stat -c %a kept; ls
      """)
    #expect(result.out.hasPrefix("600\n"), "\(result.out)\(result.err)")
    #expect(!result.out.contains(".new\n"))
  }

  @Test func aRecordingThatCannotBeKeptIsAFailure() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let seed = try almanac.file(
      "run.har",
      """
      {"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": [
        {"request": {"method": "GET", "url": "http://api.example/people", "headers": []},
         "response": {"status": 200, "headers": [], "content": {"text": "[]"}}}]}}
      """)
    let result = try await almanac.run(
      "sync", "people", "--seed", seed, "--server", "people=http://api.example", "--record", "missing/new.har")
    #expect(result.status == 73, "\(result.err)")
    #expect(result.err.contains("missing/new.har"))
  }

  /// Comma-separated values are that and nothing else: a header, and lines with as many fields.
  @Test(arguments: [
    ["status"], ["doctor"], ["compact"], ["demo"], ["media", "fetch"], ["people", "send"], ["outbox"], ["following"],
  ])
  func commaSeparatedValues(command: [String]) async throws {
    let almanac = try await withPerson()
    defer { almanac.clean() }
    _ = try almanac.file("config.json", #"{"follows": [{"follow": "people"}]}"#)
    let result = try await almanac.run(command + ["--format", "csv", "--config", "config.json"])
    let lines = result.out.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let header = try #require(lines.first, "\(result.err)")
    #expect(header.count > 1)
    #expect(header.allSatisfy { !$0.contains(" ") && !$0.isEmpty }, "\(header)")
    if !result.out.contains("\"") {
      for line in lines { #expect(line.count == header.count, "\(line)") }
    }
  }
}
