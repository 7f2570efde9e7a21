/// One field of the new record: `name`, `downloads:int`, `updatedAt=updated_at:time?`, `size=urls.0.size:int`.
struct Field: Hashable, Sendable {
  /// What it holds.
  enum Kind: String, Sendable, CaseIterable {
    /// A string, or a number as written.
    case text
    /// A whole number.
    case int
    /// True or false.
    case bool
    /// A point in time.
    case time
  }

  /// The property's name, and the member's in the store.
  var name: String
  /// Where the API's answer has it.
  var member: MemberPath
  var kind: Kind = .text
  var isOptional = false

  /// Reads one field as it is given on the command line.
  static func parse(_ text: some StringProtocol) throws(ScaffoldError) -> Field {
    var rest = String(text.filter { $0 != " " })
    let isOptional = rest.hasSuffix("?")
    if isOptional { rest.removeLast() }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard let kind = parts.count == 1 ? .text : parts.count == 2 ? Kind(rawValue: String(parts[1])) : nil else {
      throw ScaffoldError(
        .usage, "the field '\(text)' has none of the kinds \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let member = MemberPath(names.count == 2 ? names[1] : names[0])
    // A place in the answer without a name of its own is called as the member at its end is.
    let word = names.count == 1 ? member?.last ?? "" : names[0]
    let name = word.contains("_") ? SwiftName.camel(kebab: word) : word
    guard SwiftName.isProperty(name), names.count <= 2, let member else {
      throw ScaffoldError(
        .usage,
        "the field '\(text)' cannot be read; write NAME, NAME:KIND or NAME=MEMBER:KIND, with ? at the end for one "
          + "that may be missing, dots in MEMBER where it is further inside, and no Swift keyword as NAME")
    }
    return Field(name: name, member: member, kind: kind, isOptional: isOptional)
  }

  /// The property's type.
  var type: String {
    let type =
      switch kind {
      case .text: "String"
      case .int: "Int"
      case .bool: "Bool"
      case .time: "Timestamp"
      }
    return isOptional ? type + "?" : type
  }

  /// An example of it in Swift.
  var sample: String {
    switch kind {
    case .text: "\"the \(name)\""
    case .int: "7"
    case .bool: "true"
    case .time: "Timestamp(secondsSinceEpoch: 1_780_000_000)"
    }
  }

  /// The same example in the API's JSON.
  var sampleJSON: String {
    switch kind {
    case .text: "\"the \(name)\""
    case .int: "7"
    case .bool: "true"
    case .time: "\"2026-05-28T20:26:40Z\""
    }
  }
}
