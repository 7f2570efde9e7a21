import ArgumentParser
import Ports

enum CharsetArgument: String, ExpressibleByArgument, CaseIterable {
  case latin1
  case utf8 = "utf-8"

  /// Takes the usual names of each.
  init?(argument: String) {
    switch argument.lowercased().filter({ $0.isLetter || $0.isNumber }) {
    case "latin1", "iso88591", "windows1252", "cp1252": self = .latin1
    case "utf8": self = .utf8
    default: return nil
    }
  }
}

/// `COLUMN=FIELD`.
struct ColumnArgument: ExpressibleByArgument {
  var column: ContactReading.Column

  init?(argument: String) {
    // The name of a column may contain '='; that of a field does not.
    guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex else { return nil }
    let field = argument[argument.index(after: equals)...]
    column = .init(name: String(argument[..<equals]), field: field.isEmpty ? nil : String(field))
  }
}
