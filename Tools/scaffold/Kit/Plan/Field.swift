/// One field of the new record: `name`, `downloads:int`, `updatedAt=updated_at:time?`, `size=urls.0.size:int`.
struct Field: Hashable, Sendable {
  /// The type of a field.
  enum Kind: String, Sendable, CaseIterable {
    /// A string, or a number as written.
    case text
    /// An integer.
    case int
    /// True or false.
    case bool
    /// A point in time.
    case time
  }

  /// The name of the property and of the stored member.
  var name: String
  /// The place of the value in the response.
  var member: MemberPath
  var kind: Kind = .text
  var isOptional = false

  /// Parses a field of the command line.
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
    // A path without a name of its own is named after its last member.
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

  /// The type of the property.
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

  /// An example value in Swift.
  var sample: String {
    switch kind {
    case .text: "\"the \(name)\""
    case .int: "7"
    case .bool: "true"
    case .time: "Timestamp(secondsSinceEpoch: 1_780_000_000)"
    }
  }

  /// The same value in the API's JSON.
  var sampleJSON: String {
    switch kind {
    case .text: "\"the \(name)\""
    case .int: "7"
    case .bool: "true"
    case .time: "\"2026-05-28T20:26:40Z\""
    }
  }
}

/// The path of a value in a response: `name`, `info.name`, `urls.0.size`. A number is an index of an array, from 0.
struct MemberPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case name(String)
    case index(Int)
  }

  var steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// `nil` if the text is not a path, or if it does not begin and end with a name.
  init?(_ text: some StringProtocol) {
    steps = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty, part.utf8.count <= 64,
        part.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
      else { return nil }
      let isIndex = part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard !isIndex || part.utf8.count <= 2 else { return nil }
      steps.append(isIndex ? .index(Int(part) ?? 0) : .name(String(part)))
    }
    guard case .name = steps.first, case .name = steps.last else { return nil }
  }

  /// The last name of the path.
  var last: String {
    guard case .name(let name) = steps.last else { return "" }
    return name
  }

  /// The path as written.
  var text: String {
    steps.map { step in
      switch step {
      case .name(let name): name
      case .index(let index): "\(index)"
      }
    }
    .joined(separator: ".")
  }

  /// The paths of the enclosing values, from the outermost to the innermost.
  var parents: [MemberPath] { steps.indices.dropFirst().map { MemberPath(Array(steps[..<$0])) } }

  /// The path of the enclosing value; `nil` for a member of the response itself.
  var parent: MemberPath? { parents.last }

  /// The name of the value in the generated code.
  var variable: String {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    let name = SwiftName.camel(kebab: words) + "Node"
    return name.first?.isNumber == true ? "at\(name)" : name.prefix(1).lowercased() + name.dropFirst()
  }

  /// The path in errors, relative to `root`: `$.info['max-version']`.
  func shown(below root: String) -> String {
    steps.reduce(into: root) { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name):
        let isPlain = name.first?.isNumber == false && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
        text += isPlain ? ".\(name)" : "['\(name.replacing("'", with: "\\'"))']"
      }
    }
  }

  /// A JSON text that contains only `json`, at this path.
  func around(_ json: String) -> String {
    steps.reversed().reduce(json) { inner, step in
      switch step {
      case .name(let name): "{\"\(name)\": \(inner)}"
      case .index(let index): "[\(String(repeating: "null, ", count: index))\(inner)]"
      }
    }
  }
}
