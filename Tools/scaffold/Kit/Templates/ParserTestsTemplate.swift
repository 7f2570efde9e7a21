/// `Tests/…Tests/…ParserTests.swift`: what the parser makes of answers, as a table.
enum ParserTestsTemplate {
  static func text(_ source: NewSource) -> String {
    let record = source.record
    let wrap = { (json: String) in source.wrapper.map { "{\"\($0)\": \(json)}" } ?? json }
    let path = source.wrapper.map { "$.\($0)" } ?? "$"
    let required = [source.id.member] + source.fields.filter { !$0.isOptional }.map(\.member)
    let arguments = Layout.call("@Test(arguments: [", required.map { "\"\($0)\"" }, "])", indentation: 2)
    let removal =
      source.wrapper.map { wrapper in
        """
            var inner = answer["\(wrapper)"]?.object ?? [:]
            inner[member] = nil
            answer["\(wrapper)"] = .object(inner)
        """
      } ?? "    answer[member] = nil"
    return """
      import Models
      import Parsing
      import Ports
      import Testing

      @Suite struct \(source.parser)Tests {
        private func outcome(_ body: String) -> String {
          do throws(ParsingError) {
            let parsed = try \(source.parser)().parse(Array(body.utf8))
            return "\\(parsed.value.map(\\.id)), \\(parsed.rejects.map(\\.path))"
          } catch {
            return "\\(error.code.rawValue) \\(error.path)"
          }
        }

        @Test(arguments: [
          (#"\(wrap("[]"))"#, "[], []"), (#"\(wrap("[{}]"))"#, #"[], ["\(path)[0].\(source.id.member)"]"#),
          (#"\(wrap("{}"))"#, "shape \(path).\(source.id.member)"), (#"\(wrap("7"))"#, "shape \(path)"),
          ("", "foreign $"), ("<html></html>", "foreign $"), ("{", "truncated $"),
        ])
        func reads(_ body: String, _ expected: String) {
          #expect(outcome(body) == expected)
        }

      \(arguments)
        func needs(_ member: String) throws {
          var answer = try JSONRecordCoder().decode(Array(\(record)Sample.answer.utf8))
      \(removal)
          let found = outcome(String(decoding: JSONRecordCoder().encode(answer), as: UTF8.self))
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
