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
