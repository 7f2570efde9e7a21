import AlmanacTesting
import Foundation
import Testing

/// The table of exit codes in Apps/README.md, as every command keeps it.
@Suite struct ExitCodeTests {
  static let wrongUses: [(line: String, status: Int32)] = [
    ("nonsense", 64), ("list", 64), ("list nothing", 64), ("list people --sort nme", 64),
    ("list people --where nme=x", 64), ("list people --limit -1", 64),
    ("list people", 0), ("show people none", 66), ("show nothing none", 64),
    ("charts top app-store/us/top-free", 66), ("charts top people", 64),
    ("charts top app-store/zz/top-free", 64), ("charts movers app-store/us/top-free", 66),
    ("charts movers app-store/us/top-free --since soon", 64), ("charts history 1", 66),
    ("charts movers app-store/us/top-free --limit -1", 64), ("genre list", 0), ("photos", 0),
    ("birthdays", 0), ("birthdays --on soon", 64), ("birthdays --ics /nowhere/b.ics", 73),
    ("birthdays --ics - --alarm soon", 64), ("status", 0), ("following", 0), ("doctor", 0),
    ("compact", 0), ("people add", 64), ("people add --first A --birthday soon", 64),
    ("people edit none", 64), ("people edit none --first A", 66),
    ("people remove none", 66), ("people send none", 66), ("people import none.vcf", 66),
    ("people import /dev/null", 65), ("people fetch", 78), ("profile show none", 66),
    ("profile set none", 64), ("profile set none --name A", 66), ("outbox", 0),
    ("outbox retry none", 66), ("outbox discard none", 66),
    ("outbox resolve none --take mine", 66), ("outbox resolve none --take both", 64),
    ("media fetch", 0), ("media fetch --max-bytes many", 64),
    ("export people --to jsonl --out /nowhere/p", 73), ("export apps --to vcf", 64),
    ("export people --to nothing", 64), ("import none.jsonl", 64), ("import people.jsonl", 66),
    ("import /dev/null", 64), ("import /dev/null --collection people", 0),
    ("changes --since garbage", 64), ("changes", 0), ("dashboard", 66), ("follow nowhere", 64),
    ("follow people --every soon", 64), ("unfollow people", 66), ("sync", 0),
    ("sync nowhere", 64), ("sync people", 78), ("sync --jobs 0", 64),
    ("sync flickr/interestingness", 77), ("sync people --seed none.har", 66),
    ("sync people --seed /dev/null", 65), ("sync people --server people", 64),
    ("sync people --server people=http://127.0.0.1:1", 69),
    ("sync people flickr/interestingness --server people=http://127.0.0.1:1", 1),
    ("sync --config none.json", 78), ("status --config none.json", 78),
    ("following --config none.json", 78), ("doctor --config none.json", 78),
    ("unfollow people --config none.json", 78), ("people fetch --config none.json", 78),
    ("follow people --config /dev/full/config.json", 73), ("--version", 0), ("help sync", 0),
  ]

  @Test("wrong uses and things that are not there", arguments: wrongUses)
  func whatIsNotThere(line: String, status: Int32) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let result = try await almanac.run(line.split(separator: " ").map(String.init))
    #expect(result.status == status, "\(line): \(result.out)\(result.err)")
    if status != 0 { #expect(!result.err.isEmpty || line.hasPrefix("doctor"), "\(line) says why") }
  }

  /// A store that cannot be made, or is not one.
  @Test(arguments: [
    ["list", "people"], ["show", "people", "x"], ["people", "add", "--first", "A"], ["import", "people.jsonl"],
    ["export", "people", "--to", "json"], ["status"], ["sync", "people"], ["compact"], ["changes"], ["outbox"],
    ["photos"], ["birthdays"], ["media", "fetch"], ["profile", "show", "x"], ["doctor"],
    ["charts", "top", "app-store/us/new"],
  ])
  func aStoreThatIsNone(arguments: [String]) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    _ = try almanac.file("people.jsonl", #"{"id":"x","firstName":"A"}"# + "\n")
    let file = try almanac.file("store-is-a-file", "")
    let result = try await almanac.run(arguments + ["--store", file, "--server", "people=http://127.0.0.1:1"])
    #expect([73, 74].contains(result.status), "\(arguments): \(result.status) \(result.out)\(result.err)")
    #expect((result.out + result.err).contains("store-is-a-file"), "\(arguments): \(result.out)\(result.err)")
  }

  static let withConfig: [(line: String, status: Int32)] = [
    ("sync", 78), ("status", 78), ("following", 78), ("doctor", 78), ("follow people", 78),
    ("unfollow people", 78), ("people fetch", 78), ("media fetch", 78), ("list people", 0),
    ("birthdays", 0), ("compact", 0), ("people add --first A", 0), ("demo", 0),
  ]

  @Test("a config with mistakes stops every command that reads it, and no other", arguments: withConfig)
  func aConfigWithMistakes(line: String, status: Int32) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let config = try almanac.file("config.json", #"{"follows": [{"follow": "nowhere"}]}"#)
    let result = try await almanac.run(line.split(separator: " ").map(String.init) + ["--config", config])
    #expect(result.status == status, "\(line): \(result.out)\(result.err)")
  }
}
