import Foundation
import Ports
import Testing

@testable import Parsing

/// Numbers of any size, compared exactly.
@Suite("Decimal numbers as text")
struct DecimalTextTests {
  private func compare(_ a: String, _ b: String) throws -> Int {
    DecimalText.compare(try #require(DecimalText(a)), try #require(DecimalText(b)))
  }

  @Test("in ascending order, each against each")
  func order() throws {
    let ascending = [
      "-1e999999999999999999999", "-1e400", "-123456789012345678901", "-123456789012345678900", "-10", "-1.5", "-1",
      "-0.1", "-1e-400",
      "0", "1e-999999999999999999999", "1e-400", "0.09", "0.1", "1", "1.0000000000000000001", "1.5", "2", "9.99", "10",
      "123456789012345678", "1234567890123456789", "12345678901234567890.5", "1e400", "1e999999999999999999999",
    ]
    for (one, left) in ascending.enumerated() {
      for (other, right) in ascending.enumerated() {
        #expect(try compare(left, right) == (one < other ? -1 : one > other ? 1 : 0), "\(left) \(right)")
      }
    }
  }

  @Test(
    "other spellings of the same number",
    arguments: [
      ["0", "-0", "0.0", "0e5", "-0.000", "0E-3"], ["1", "1.0", "1e0", "10e-1", "0.1e1", "100E-2", "1.000"],
      ["-1200", "-12e2", "-1.2E+3", "-1200.0"],
      ["12345678901234567890", "1234567890123456789e1", "12345678901234567890.0"],
    ])
  func same(spellings: [String]) throws {
    for one in spellings {
      for other in spellings { #expect(try compare(one, other) == 0, "\(one) \(other)") }
    }
  }

  @Test(
    "text that is not valid in JSON's grammar is not a number",
    arguments: ["", "-", "+1", "01", "1.", ".5", "1e", "0x1", "1 ", " 1", "NaN", "1,5", "١"])
  func none(text: String) {
    #expect(DecimalText(text) == nil)
  }
}
