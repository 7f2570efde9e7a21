import ArgumentParser
import Ports

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
