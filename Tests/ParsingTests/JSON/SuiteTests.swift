import Foundation
import Parsing
import Ports
import Testing

/// JSONTestSuite: what must be read, what must be refused, and what we decided where the RFC leaves it open.
@Suite("JSONTestSuite", .enabled(if: Samples.areThere, "\(Samples.reason)"))
struct SuiteTests {
  @Test("every y_ is accepted, every n_ refused")
  func verdicts() throws {
    var checked = 0
    for name in try Samples.names(in: "json-suite/test_parsing") where !name.hasPrefix("i_") {
      let bytes = try Samples.bytes("json-suite/test_parsing/\(name)")
      #expect((SuiteTests.refusal(bytes) == nil) == name.hasPrefix("y_"), "\(name)")
      checked += 1
    }
    #expect(checked == 168)
  }

  /// The error, or `nil` where the text is read.
  static func refusal(_ bytes: [UInt8]) -> ParsingError? {
    do {
      try JSONDocument.check(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Where the RFC leaves it open: numbers of any size are kept as text, a surrogate without its partner is read as
  /// U+FFFD, a byte order mark is ignored; invalid UTF-8 is rejected.
  private static let accepted = [
    "number_huge_exp",
    "number_neg_int_huge_exp",
    "number_real_pos_overflow",
    "number_too_big_neg_int",
    "number_very_big_negative_int",
    "object_key_lone_2nd_surrogate",
    "string_1st_surrogate_but_2nd_missing",
    "string_incomplete_surrogate_and_escape_valid",
    "string_incomplete_surrogate_pair",
    "string_inverted_surrogates_U+1D11E",
    "string_lone_second_surrogate",
    "structure_UTF-8_BOM_empty_object",
  ]

  private static let refused = [
    "string_UTF-16LE_with_BOM",
    "string_UTF8_surrogate_U+D800",
    "string_invalid_utf-8",
    "string_lone_utf8_continuation_byte",
    "string_not_in_unicode_range",
    "string_overlong_sequence_6_bytes",
    "string_truncated-utf-8",
    "string_utf16BE_no_BOM",
    "string_utf16LE_no_BOM",
  ]

  @Test("every i_ is as pinned")
  func open() throws {
    var accepted: [String] = []
    var refused: [String] = []
    for name in try Samples.names(in: "json-suite/test_parsing") where name.hasPrefix("i_") {
      let isAccepted = SuiteTests.refusal(try Samples.bytes("json-suite/test_parsing/\(name)")) == nil
      let short = String(name.dropFirst(2).dropLast(5))
      if isAccepted { accepted.append(short) } else { refused.append(short) }
    }
    #expect(accepted == SuiteTests.accepted)
    #expect(refused == SuiteTests.refused)
  }
}

/// Python's parsers as independent strict ones: `Tests/Fuzz/Parsing/strict_json.py` and `strict_xml.py`.
enum StrictPython {
  /// Whether there is a python3 to ask.
  static let isThere = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/python3")
  }

  private static let scripts = URL(filePath: #filePath)  // Tests/ParsingTests/JSON/SuiteTests.swift
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz/Parsing")

  /// For every JSON document what it is when written without spaces; `nil` where it is refused.
  static func compact(_ documents: [[UInt8]]) throws -> [[UInt8]?] {
    try answers("strict_json.py", documents)
  }

  /// What a script answers to each document; `nil` where it refuses one.
  static func answers(_ script: String, _ documents: [[UInt8]]) throws -> [[UInt8]?] {
    var input = Data()
    for document in documents {
      withUnsafeBytes(of: UInt32(document.count).bigEndian) { input.append(contentsOf: $0) }
      input.append(contentsOf: document)
    }
    // Files, since two pipes that both fill up would wait for each other.
    let folder = FileManager.default.temporaryDirectory.appending(path: "strict-python-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inFile, outFile) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try input.write(to: inFile)
    _ = FileManager.default.createFile(atPath: outFile.path, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", scripts.appending(path: script).path, "--compact"]
    process.standardInput = try FileHandle(forReadingFrom: inFile)
    process.standardOutput = try FileHandle(forWritingTo: outFile)
    try process.run()
    process.waitUntilExit()
    let output = [UInt8](try Data(contentsOf: outFile))
    var answers: [[UInt8]?] = []
    var at = 0
    while at + 4 <= output.count {
      let length = output[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      answers.append(length == 0 ? nil : Array(output[at + 4..<at + 4 + length]))
      at += 4 + length
    }
    return answers
  }
}
