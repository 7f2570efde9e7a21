/// A JSON value whose members keep their order, so that equal input gives identical output.
package indirect enum JSONTree: Sendable {
  case string(String)
  case number(Int)
  case array([JSONTree])
  case object([(String, JSONTree)])

  /// The text, indented by two spaces, with a line break at the end.
  package var text: String {
    var out = ""
    write(to: &out, indentation: "")
    return out + "\n"
  }

  private func write(to out: inout String, indentation: String) {
    switch self {
    case .string(let text): Self.quote(text, to: &out)
    case .number(let number): out += String(number)
    case .array(let items):
      guard !items.isEmpty else { return out += "[]" }
      Self.writeList(items.map { (nil, $0) }, "[", "]", to: &out, indentation)
    case .object(let members):
      guard !members.isEmpty else { return out += "{}" }
      Self.writeList(members.map { ($0.0, $0.1) }, "{", "}", to: &out, indentation)
    }
  }

  private static func writeList(
    _ items: [(String?, JSONTree)], _ open: String, _ close: String, to out: inout String, _ indentation: String
  ) {
    let inner = indentation + "  "
    out += open
    for (index, (name, item)) in items.enumerated() {
      out += index == 0 ? "\n" : ",\n"
      out += inner
      if let name {
        quote(name, to: &out)
        out += ": "
      }
      item.write(to: &out, indentation: inner)
    }
    out += "\n" + indentation + close
  }

  private static func quote(_ text: String, to out: inout String) {
    out += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}
