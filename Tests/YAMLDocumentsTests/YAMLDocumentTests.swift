import Models
import Ports
import Testing
import YAMLDocuments

@Suite struct YAMLDocumentTests {
  private func read(_ text: String, _ limits: DocumentLimits = DocumentLimits()) throws(ParsingError) -> LocatedValue {
    try YAMLDocumentReader(limits: limits).read(Array(text.utf8))
  }

  /// The value without its lines, in short.
  private func plain(_ value: LocatedValue) -> String {
    switch value.content {
    case .null: "null"
    case .bool(let flag): String(flag)
    case .number(let digits): digits
    case .text(let text): "'\(text)'"
    case .list(let list): "[\(list.map(plain).joined(separator: " "))]"
    case .map(let members): "{\(members.map { "\($0.name)=\(plain($0.value))" }.joined(separator: " "))}"
    }
  }

  @Test(
    "scalars are what YAML 1.1 says; dates and times of day stay texts",
    arguments: [
      ("~", "null"), ("", "null"), ("yes", "true"), ("Off", "false"), ("'yes'", "'yes'"), ("12", "12"),
      ("-0x1F", "-31"),
      ("017", "15"), ("1_000", "1000"), (".5", "0.5"), ("1.", "1.0"), ("+3", "3"), ("1.2.3", "'1.2.3'"),
      ("2026-01-02", "'2026-01-02'"), ("10:30", "'10:30'"), ("1e3x", "'1e3x'"), ("-", "'-'"),
    ])
  func scalars(text: String, expected: String) throws {
    let value = try read("a: \(text == "-" ? "'-'" : text)\n")
    #expect(plain(value) == "{a=\(expected)}")
  }

  @Test("aliases and merge keys are resolved, and values know their lines")
  func aliases() throws {
    let value = try read(
      """
      base: &base {a: 1, b: 2}
      other:
        <<: *base
        b: 3
      list: [*base, x]
      """)
    #expect(plain(value) == "{base={a=1 b=2} other={a=1 b=3} list=[{a=1 b=2} 'x']}")
    guard case .map(let members) = value.content else { return }
    #expect(members.map(\.value.line) == [1, 3, 5])
  }

  @Test("what is dear or strange is refused with its place")
  func limits() {
    func code(_ text: String, _ limits: DocumentLimits = DocumentLimits()) -> ParsingError? {
      do throws(ParsingError) { _ = try read(text, limits) } catch { return error }
      return nil
    }
    // Each level has nine times as many values.
    var laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let alias = "*a\(level - 1)"
      laughs += "a\(level): &a\(level) [\(Array(repeating: alias, count: 9).joined(separator: ", "))]\n"
    }
    #expect(code(laughs)?.code == .limit)
    #expect(code(String(repeating: "[", count: 100) + String(repeating: "]", count: 100))?.code == .limit)
    #expect(code("a: &a [*a]")?.code == .syntax)
    #expect(code("a: !!python/object:os.system x")?.code == .syntax)
    #expect(code("? [a]\n: b")?.code == .syntax)
    #expect(code("a: b\n---\nc: d")?.code == .syntax)
    #expect(code("")?.code == .truncated)
    var small = DocumentLimits()
    small.bytes = 3
    #expect(code("a: b", small)?.code == .limit)
    let error = code("a: b\nc: [1, 2")
    #expect(error?.code == .syntax && error?.line ?? 0 >= 2, "\(String(describing: error))")
  }
}
