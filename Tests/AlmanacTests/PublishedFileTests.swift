import AlmanacTesting
import Foundation
import Testing

/// The collection files that other programs read, after commands.
@Suite struct PublishedFileTests {
  private func lines(_ almanac: Program) -> [Substring] {
    let text = (try? String(contentsOfFile: almanac.store + "/people.jsonl", encoding: .utf8)) ?? ""
    return text.split(separator: "\n")
  }

  @Test("a command that commits leaves the file current, and status and doctor say so")
  func current() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    for count in 1...3 {
      _ = try await almanac.run("people", "add", "--first", "P\(count)", "--birthday", "2000-01-01")
      #expect(lines(almanac).count == count)
    }
    let exported = try await almanac.run("export", "people", "--to", "jsonl").out
    #expect(lines(almanac) == exported.split(separator: "\n"))
    let store = try await almanac.run("status", "--format", "json").object()["store"] as? [String: Any]
    #expect(store?["behind"] as? [String] == [])
    #expect(try await almanac.run("doctor").out.contains("all is well"))
  }

  @Test("a file that was changed from outside is kept, and the command that the warning names takes it over")
  func changed() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let file = almanac.store + "/people.jsonl"
    _ = try await almanac.run("people", "add", "--first", "Ada", "--birthday", "2000-01-01")
    let own = try String(contentsOfFile: file, encoding: .utf8)
    try FileManager.default.removeItem(atPath: file)
    let mine = own.replacing("Ada", with: "Grace").replacing("\"id\":\"", with: "\"id\":\"x")
    try (own + mine).write(toFile: file, atomically: false, encoding: .utf8)
    // Doctor names the change and nothing else about the file, and leaves it there.
    let doctor = try await almanac.run("doctor")
    #expect(doctor.status == 74 && doctor.out.contains("changed from outside: 1 record"), "\(doctor.out)")
    #expect(!doctor.out.contains("does not hold the newest commits"), "\(doctor.out)")
    #expect(lines(almanac).count == 2)
    let add = try await almanac.run("people", "add", "--first", "Alan", "--birthday", "2000-01-01")
    #expect(add.status == 0 && lines(almanac).count == 2)
    let command = "almanac import \(file).changed"
    #expect(add.err.contains("was changed from outside") && add.err.contains("run '\(command)'"), "\(add.err)")
    #expect(try await almanac.run("people", "add", "--first", "Emmy", "--birthday", "2000-01-01").err == "")
    #expect(try await almanac.run("import", file + ".changed").out == "people: 1 added, 0 updated, 1 unchanged\n")
    #expect(lines(almanac).count == 4)
    #expect(try await almanac.run("doctor").status == 0)
  }

  @Test("a large collection is named while its file is behind, until compact")
  func behind() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let note = String(repeating: "n", count: 1000)
    let people = (1000..<3000).map { number in
      #"{"id":"\#(number)","firstName":"P","lastName":"Q","birthday":"2000-01-01","note":"\#(note)"}"#
    }
    let file = try almanac.file("people.jsonl", people.joined(separator: "\n"))
    #expect(try await almanac.run("import", file).status == 0)
    #expect(lines(almanac).count == 2000, "the command wrote all of it")
    // As if it had been written just now, however long this test takes.
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now + 86_400], ofItemAtPath: almanac.store + "/people.jsonl")
    _ = try await almanac.run("people", "add", "--first", "Late", "--birthday", "2000-01-01")
    #expect(lines(almanac).count == 2000)
    let status = try await almanac.run("status", "--format", "json").object()["store"] as? [String: Any]
    #expect(status?["behind"] as? [String] == ["people"])
    #expect(try await almanac.run("status").out.contains("people.jsonl"))
    let doctor = try await almanac.run("doctor", "--format", "json")
    #expect(doctor.status == 0 && doctor.out.contains("people.jsonl does not hold the newest commits"), "\(doctor.out)")
    _ = try await almanac.run("compact")
    #expect(lines(almanac).count == 2001)
    #expect(try await almanac.run("doctor").out.contains("all is well"))
  }
}
