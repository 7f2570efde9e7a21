/// `Tests/…Tests/…ParserTests.swift`: what the parser makes of answers, as a table.
enum ParserTestsTemplate {
  static func text(_ source: NewSource) -> String {
    let record = source.record
    let wrap = { (json: String) in source.under?.around(json) ?? json }
    let path = source.under?.shown(below: "$") ?? "$"
    let first = MemberPath(Array(source.id.member.steps.prefix(1)))
    let required = ([source.id] + source.fields.filter { !$0.isOptional }).map(\.member.last)
      .reduce(into: [String]()) { known, name in if !known.contains(name) { known.append(name) } }
    let arguments = Layout.call("@Test(arguments: [", required.map { "\"\($0)\"" }, "])", indentation: 2)
    return """
      import Models
      import Parsing
      import Ports
      import Testing

      @Suite struct \(source.parser)Tests {
        private func outcome(_ body: String) -> String {
          do throws(ParsingError) {
            let parsed = try \(source.parser)().parse(Array(body.utf8))
            return "\\(parsed.value.map(\\.id)), \\(parsed.rejects.kept.map(\\.path))"
          } catch {
            return "\\(error.code.rawValue) \\(error.path)"
          }
        }

        @Test(arguments: [
          (#"\(wrap("[]"))"#, "[], []"), (#"\(wrap("[{}]"))"#, #"[], ["\(first.shown(below: "\(path)[0]"))"]"#),
          (#"\(wrap("{}"))"#, "shape \(first.shown(below: path))"), (#"\(wrap("7"))"#, "shape \(path)"),
          ("", "foreign $"), ("<html></html>", "foreign $"), ("{", "truncated $"),
        ])
        func reads(_ body: String, _ expected: String) {
          #expect(outcome(body) == expected)
        }

      \(arguments)
        func needs(_ member: String) {
          let found = outcome(\(record)Sample.answer.replacing("\\"\\(member)\\":", with: "\\"other\\":"))
          #expect(found.hasPrefix("shape ") && found.contains(member), "\\(found)")
        }

        @Test func readsTheSample() throws {
          let parsed = try \(source.parser)().parse(Array(\(record)Sample.answer.utf8))
          #expect(parsed.value == [\(record)Sample.record])
          #expect(parsed.rejects.isEmpty)
        }

        @Test func whatIsWrittenIsReadAgain() throws {
          #expect(try \(record)(fields: \(record)Sample.record.fields) == \(record)Sample.record)
        }
      }

      """
  }
}
