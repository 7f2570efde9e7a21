import Models
import Parsing
import Ports
import Testing

@Suite struct CSVReaderTests {
  private static func utf16(_ text: String, isBigEndian: Bool, hasMark: Bool = true) -> [UInt8] {
    let units = (hasMark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
  }

  private static let two: [JSONValue] = [["a": "1", "b": "é"], ["a": "3", "b": "4"]]

  @Test(
    "a table as its records",
    arguments: [
      (Array("a,b\n1,é\n3,4".utf8), two), (Array("a,b\r\n1,é\r\n3,4\r\n".utf8), two),
      (Array("a,b\r1,é\r3,4\r".utf8), two), (Array("\u{FEFF}a,b\n\n1,é\r\n\r\n3,4\n\n".utf8), two),
      (utf16("a,b\r\n1,é\r\n3,4\r\n", isBigEndian: true), two), (utf16("a,b\r1,é\r3,4", isBigEndian: false), two),
      (Array("a\n\"\"\n\nx\n".utf8), [["a": ""], ["a": "x"]]),
      (Array("a,b\n\"x,\"\"y\"\"\r\nz\",2\n3\n".utf8), [["a": "x,\"y\"\r\nz", "b": "2"], ["a": "3"]]),
      (Array(",a\n1,2".utf8), [["": "1", "a": "2"]]), (Array("a,,b,\n1,2,3,4".utf8), [["a": "1", "b": "3"]]),
      (Array("a,b\n\u{FF},2".utf8), [["a": "\u{FF}", "b": "2"]]),
      ([0x61, 0x0A, 0xFF], [["a": "\u{FFFD}"]]), (Array("a,b".utf8), []), ([], []),
    ] as [([UInt8], [JSONValue])])
  func records(_ bytes: [UInt8], _ records: [JSONValue]) throws {
    #expect(try CSVReader.records(of: bytes) == records)
  }

  @Test(
    "a table that would lose something",
    arguments: [
      (Array("a,b\n1,2,3".utf8), ParsingError.Code.syntax, "2 fields, as in the first line", "3", 2),
      (Array("a\r1\r\"x".utf8), .syntax, "a closing quote", "the end of the text", 3),
      (Array("a,b,a,c,b\n1".utf8), .syntax, "columns of different names", "several named 'a', 'b'", 1),
      (
        utf16("a,b", isBigEndian: true, hasMark: false), .foreign, "text in UTF-8, or in UTF-16 with a byte order mark",
        "a byte 0 at the beginning", 1
      ),
      (
        utf16("a,b", isBigEndian: false, hasMark: false), .foreign,
        "text in UTF-8, or in UTF-16 with a byte order mark",
        "a byte 0 at the beginning", 1
      ),
    ] as [([UInt8], ParsingError.Code, String, String, Int)])
  func faults(_ bytes: [UInt8], _ code: ParsingError.Code, _ expected: String, _ found: String, _ line: Int) {
    let error = #expect(throws: ParsingError.self) { try CSVReader.records(of: bytes) }
    #expect(error?.code == code && error?.expected == expected && error?.found == found && error?.line == line)
  }

  @Test func separators() throws {
    #expect(try CSVReader.records(of: Array("a;b\n1;2".utf8), separator: UInt8(ascii: ";")) == [["a": "1", "b": "2"]])
    #expect(try CSVReader.records(of: Array("a\tb\n1\t2".utf8), separator: 0x09) == [["a": "1", "b": "2"]])
  }

  @Test(
    "lines have the numbers that an editor shows",
    arguments: ["a,b\n\n\"x\ny\",1\n,\n2,3", "a,b\r\r\"x\ry\",1\r,\r2,3", "a,b\r\n\r\n\"x\r\ny\",1\r\n,\r\n2,3\r\n"])
  func lines(_ text: String) throws {
    let lines = try CSVReader.lines(of: Array(text.utf8))
    #expect(lines.map(\.line) == [1, 3, 6] && lines.map(\.fields.count) == [2, 2, 2])
  }
}
