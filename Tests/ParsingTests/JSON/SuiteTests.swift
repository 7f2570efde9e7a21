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
