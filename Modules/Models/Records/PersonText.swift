/// A person as text for an editor: one line `FIELD: VALUE` for each text and for each item of a list, with the fields of
/// `PersonInput`. Further lines of a value begin with two spaces, of which one is enough, or are empty between such lines.
/// Lines that begin with `#` are not read.
public enum PersonText {
  public struct LineMistake: Hashable, Sendable {
    /// The number of the line, from 1.
    public var line: Int
    public var mistake: PersonInput.Mistake
  }

  public enum Reading: Hashable, Sendable {
    case input(PersonInput)
    case mistakes([LineMistake])
  }

  private static let fields = PersonInput.fields.filter { $0 != "photo" }

  /// The text of a stored person, with an empty line for each field that the person does not have.
  public static func text(of person: JSONObject) -> String {
    var lines: [String] = []
    for field in fields {
      let values =
        person[field]?.array.map { $0.map { PersonInput.line($0, of: field) } } ?? [person[field]?.string ?? ""]
      lines += values.map {
        "\(field): \($0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  "))".trimmed
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the text over the person whom it was made of. Lines that are unchanged change nothing.
  public static func read(_ text: String, over person: JSONObject) -> Reading {
    var mistakes: [LineMistake] = []
    var values: [(field: String, line: Int, text: String)] = []
    var emptyLines = 0
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("#") { continue }
      if line.allSatisfy(\.isWhitespace) {
        emptyLines += 1
        continue
      }
      if let first = line.first, first == " " || first == "\t", !values.isEmpty {
        let indented = line.hasPrefix("  ") ? line.dropFirst(2) : line.dropFirst()
        values[values.count - 1].text += String(repeating: "\n", count: emptyLines + 1) + indented
        emptyLines = 0
        continue
      }
      emptyLines = 0
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0).trimmed }
      guard parts.count == 2, let field = fields.first(where: { $0.exact == parts[0].exact }) else {
        let hint = "a line is 'FIELD: VALUE', with one of \(fields.joined(separator: ", "))"
        mistakes.append(
          .init(line: index + 1, mistake: .init(field: "", message: "'\(line)' cannot be read", hint: hint)))
        continue
      }
      if !ContactDetails.lists.contains(field), values.contains(where: { $0.field == field }) {
        mistakes.append(
          .init(line: index + 1, mistake: .init(field: field, message: "there is another line of \(field)")))
      }
      values.append((field, index + 1, parts[1]))
    }
    var input = PersonInput()
    for field in fields {
      let written = values.filter { $0.field == field && !$0.text.trimmed.isEmpty }
      do throws(LineMistake) {
        let value: JSONValue
        if ContactDetails.lists.contains(field) {
          let stored = person[field]?.array ?? []
          var items: [JSONValue] = []
          for one in written {
            if let same = stored.first(where: { PersonInput.line($0, of: field).exact == one.text.exact }) {
              items.append(same)
            } else {
              items.append(
                try at(one.line) { () throws(PersonInput.Mistake) in
                  try PersonInput.element(one.text, of: field, isWhole: true)
                })
            }
          }
          value = items.isEmpty ? .null : .array(items)
        } else {
          let text = written.first?.text.trimmed ?? ""
          let stored = person[field]?.string ?? ""
          value = text.isEmpty ? .null : .string(text.exact == stored.trimmed.exact ? stored : text)
        }
        guard value != person[field] ?? .null else { continue }
        try at(written.first?.line ?? 1) { () throws(PersonInput.Mistake) in try input.set(field, to: value) }
      } catch { mistakes.append(error) }
    }
    return mistakes.isEmpty ? .input(input) : .mistakes(mistakes.sorted { $0.line < $1.line })
  }

  private static func at<Value>(
    _ line: Int, _ body: () throws(PersonInput.Mistake) -> Value
  ) throws(LineMistake) -> Value {
    do throws(PersonInput.Mistake) { return try body() } catch { throw LineMistake(line: line, mistake: error) }
  }
}

extension PersonText.LineMistake: Error {}
