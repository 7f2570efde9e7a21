import Models

/// What an expression of a manifest becomes: a part of a definition that depends on nothing but its variables.
indirect enum ManifestValue: Equatable {
  case nothing
  case constant(JSONValue)
  /// A variable, the form of a time, and how much earlier or later: `-30d`.
  case variable(String, form: String? = nil, shift: String? = nil)
  /// A path in an answer or a record, or `header NAME`.
  case path(String)
  /// A path in the last record.
  case last(String)
  case parent(String, ManifestLevel)
  case joined([Self])
  /// A text for each text of a setting, and for all others.
  case choice(String, [Choice], other: String?)
  case object([Member])
  case list([Self])
  /// The first where it has a value.
  case either(Self, Self)
  /// A value of the first page alone.
  case first(Self)
  case base64(Self)
  case sum(Self, Self)
  case split(Self, String)
  case pieces([Self])
  /// The address of a link, or a parameter in it.
  case link(String, isWhole: Bool)
  /// The part of a text that an expression finds.
  case found(String)
  case duration(String)
  case pageSize
  case length

  struct Choice: Equatable {
    var given: String
    var sent: String
  }

  struct Member: Equatable {
    var name: String
    var value: ManifestValue
  }

  static var empty: ManifestValue { .constant("") }

  /// Whether it is a part of the header field `Link`, split into its links or their parts.
  var isLinkField: Bool {
    guard case .split(.path(let path), _) = self else { return false }
    return path.lowercased() == "header link"
  }

  /// The text of the last value of a chain.
  var fallback: String? { if case .either(_, let other) = self { other.fallback } else { text } }

  var isEmptyText: Bool { self == .empty || self == .nothing }

  /// Whether a constant counts as true; `nil` where that is not known before.
  var truth: Bool? {
    switch self {
    case .nothing: false
    case .constant(.bool(let flag)): flag
    case .constant(let value): value.isSignificant && value != .array([]) && value != .object([:])
    default: nil
    }
  }

  var text: String? {
    switch self {
    case .constant(.string(let text)), .constant(.number(let text)): text
    case .constant(.bool(let flag)): String(flag)
    default: nil
    }
  }
}

/// The variables that the records of a parent give to a request.
final class ManifestLevel: Equatable {
  private(set) var variables: [(name: String, path: String)] = []
  /// The level of the same list that makes the requests in its place.
  private var merged: ManifestLevel?
  private let field: String
  private let settings: ManifestSettings
  private let taken: Set<ExactString>

  init(_ field: String, _ settings: ManifestSettings, taken: Set<ExactString>) {
    self.field = field
    self.settings = settings
    self.taken = taken
  }

  static func == (one: ManifestLevel, other: ManifestLevel) -> Bool { one === other }

  /// Gives its variables to the level of the same list, if that has no others of their names.
  func merge(into other: ManifestLevel) {
    merged = other
    other.variables += variables.filter { variable in !other.variables.contains { $0 == variable } }
  }

  func sharesPath(with other: ManifestLevel?) -> Bool {
    variables.contains { variable in other?.variables.contains { $0.path == variable.path } ?? false }
  }

  func canMerge(into other: ManifestLevel) -> Bool {
    merged == nil
      && variables.allSatisfy { variable in
        other.variables.allSatisfy { $0.name != variable.name || $0.path == variable.path }
      }
  }

  /// The variable of a value; `base` is the path of the parent's key.
  func variable(_ path: String, base: String) -> String {
    if let known = variables.first(where: { $0.path == path }) { return known.name }
    if let merged { return merged.variable(path, base: base) }
    let tail = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : ".\(path)"
    let name = settings.variable(tail.isEmpty ? field : field + tail, besides: taken.union(variables.map(\.name.exact)))
    variables.append((name, path))
    return name
  }
}

enum ManifestText {
  static func texts(in value: JSONValue) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let values): values.flatMap { texts(in: $0) }
    case .object(let object): object.members.flatMap { [$0.key] + texts(in: $0.value) }
    case .null, .bool, .number: []
    }
  }

  static func word(_ text: String) -> String {
    let word = String(decoding: text.utf8.map { isWordByte($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    let trimmed = word.drop { $0 == "_" }
    return trimmed.isEmpty ? "value" : String(trimmed)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
  }

  static func step(_ path: String, _ name: String) -> String {
    let isPlain =
      name.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F } == true
      && name.utf8.allSatisfy { isWordByte($0) || $0 == 0x2D }
    return isPlain ? "\(path).\(name)" : "\(path)['\(name.replacing("'", with: "''"))']"
  }

  /// A name with words between hyphens: `app-users` for `AppUsers` and `app_users`.
  static func slug(_ text: String) -> String {
    var slug = ""
    var isLower = false
    for byte in text.utf8 {
      switch byte {
      case 0x41...0x5A:
        if isLower { slug += "-" }
        slug.unicodeScalars.append(UnicodeScalar(byte | 0x20))
        isLower = false
      case 0x61...0x7A, 0x30...0x39:
        slug.unicodeScalars.append(UnicodeScalar(byte))
        isLower = true
      default:
        if !slug.isEmpty, !slug.hasSuffix("-") { slug += "-" }
        isLower = false
      }
    }
    while slug.hasSuffix("-") { slug.removeLast() }
    let start = slug.drop { !$0.isLetter }
    return start.isEmpty ? "list" : String(start.prefix(48))
  }

  /// A name in camelCase: `createdAt` for `created_at`.
  static func camel(_ text: String) -> String {
    var words = text.utf8.split { !((0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)) }.map {
      String(Substring($0))
    }
    if words.first?.first?.isNumber == true { words.insert("n", at: 0) }
    guard let first = words.first else { return "value" }
    let isShouted = first.allSatisfy { !$0.isLowercase }
    let start = isShouted ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
    return start + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A time's form as templates have it, from that of strptime(3).
  static func form(_ format: String?) throws(Refusal) -> String {
    guard let format else { return "time" }
    switch format {
    case "%Y-%m-%dT%H:%M:%SZ": return "time"
    case "%Y-%m-%d": return "date"
    case "%s", "%s_as_float": return "epoch"
    case "%ms": return "epochms"
    default: break
    }
    let codes: [Character: String] = [
      "Y": "YYYY", "m": "MM", "d": "DD", "H": "hh", "M": "mm", "S": "ss", "f": "000000", "z": "+0000",
    ]
    var text = ""
    for (index, part) in format.replacing("%_ms", with: "000").split(separator: "%", omittingEmptySubsequences: false)
      .enumerated()
    {
      var plain = part
      if index > 0 {
        guard let code = plain.popFirst().flatMap({ codes[$0] }) else { throw Refusal("the form \(format) of a time") }
        text += code
      }
      let isNumber = plain.contains { "YMDhms".contains($0) }
      text += isNumber ? "'\(plain)'" : plain
    }
    if text.contains(where: { "{},".contains($0) }) || !text.contains("YYYY") || format.contains("'") {
      throw Refusal("the form \(format) of a time")
    }
    return text
  }

  /// `30d` for `P30D`.
  static func duration(_ text: String) throws(Refusal) -> String {
    var rest = Substring(text)
    guard rest.popFirst() == "P" else { throw Refusal("the duration \(text)") }
    var isTime = false
    var days = 0
    var seconds = 0
    while !rest.isEmpty {
      if rest.first == "T" {
        isTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits), let unit = rest[digits.endIndex...].first else {
        throw Refusal("the duration \(text)")
      }
      switch (unit, isTime) {
      case ("Y", false): days = days.plus(Int(nearest: number * 365))
      case ("M", false): days = days.plus(Int(nearest: number * 30))
      case ("W", false): days = days.plus(Int(nearest: number * 7))
      case ("D", false): days = days.plus(Int(nearest: number))
      case ("H", true): seconds = seconds.plus(Int(nearest: number * 3600))
      case ("M", true): seconds = seconds.plus(Int(nearest: number * 60))
      case ("S", true): seconds = seconds.plus(Int(nearest: number.rounded(.up)))
      default: throw Refusal("the duration \(text)")
      }
      rest = rest[digits.endIndex...].dropFirst()
    }
    if seconds == 0 { return "\(days)d" }
    return days == 0 ? "\(seconds)s" : "\(days.times(86_400).plus(seconds))s"
  }
}
