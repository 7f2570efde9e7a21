import Models
import Ports

/// Reads a JSON file of settings and collects every mistake on the way.
protocol StrictReader {
  /// What was found wrong so far, in no order.
  var problems: [SettingsProblem] { get set }
}

extension StrictReader {
  mutating func add(_ node: JSONNode, _ message: String, _ severity: SettingsProblem.Severity = .mistake) {
    problems.append(SettingsProblem(node.place, node.path, message, severity))
  }

  /// Adds a mistake in place of a value.
  mutating func fail<Value>(_ node: JSONNode, _ message: String) -> Value? {
    add(node, message)
    return nil
  }

  mutating func string(_ node: JSONNode) -> String? {
    node.string ?? fail(node, "expected a string, found \(node.summary)")
  }

  mutating func nonEmpty(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    return text.isEmpty ? fail(node, "expected a string that is not empty") : text
  }

  mutating func flag(_ node: JSONNode) -> Bool? {
    node.bool ?? fail(node, "expected true or false, found \(node.summary)")
  }

  mutating func whole(_ node: JSONNode, atLeast least: Int = 1) -> Int? {
    if let value = node.int, value >= least {
      let most = JSONValue.largestCount
      return value <= most ? value : fail(node, "expected a whole number of at most \(most), found \(node.summary)")
    }
    return fail(node, "expected a whole number of at least \(least), found \(node.summary)")
  }

  mutating func baseURL(_ node: JSONNode) -> String? {
    guard let problem = string(node).flatMap(ServerURL.problem) else { return node.string }
    return fail(node, problem)
  }

  /// The elements of an array; of another value none, and a mistake.
  mutating func elements(_ node: JSONNode, _ expected: String = "an array") -> [JSONNode] {
    if !node.isArray { add(node, "expected \(expected), found \(node.kind.rawValue)") }
    var elements: [JSONNode] = []
    node.forEachElement { _, element in elements.append(element) }
    return elements
  }

  /// Whether the value is an object; its unknown and its repeated keys are added as mistakes. What stands in its place
  /// is not repeated: it may be a key that was written one level too high.
  mutating func isObject(_ node: JSONNode, of allowed: [String]?, kind: String = "key") -> Bool {
    guard node.isObject else {
      add(node, "expected an object, found \(node.kind.rawValue)")
      return false
    }
    for member in node.replacedMembers {
      add(member.value, "\(SpellingSuggestion.quoted(member.name)) is given again in the same object")
    }
    guard let allowed else { return true }
    node.forEachMember { name, value in
      let text = name.text
      guard !allowed.contains(text) else { return }
      var problem = SettingsProblem(name.place(in: node), value.path, Self.unknown(kind, text, allowed))
      problem.meant = NearestName.of(text, among: allowed).map { SettingsProblem.setting(node.path, $0) }
      problems.append(problem)
    }
    return true
  }
}

extension SettingsProblem {
  init(_ place: TextPlace, _ path: JSONPath, _ message: String, _ severity: Severity = .mistake) {
    self.init(
      line: place.line, column: place.column, path: Self.setting(path.description), message: message,
      severity: severity)
  }

  /// Why a text is not JSON.
  init(_ error: ParsingError) {
    self.init(
      line: error.line, column: error.column, path: Self.setting(error.path),
      message: "expected \(error.expected), found \(error.found)")
  }

  /// `follows[0].limit` for `$.follows[0].limit`.
  private static func setting(_ path: String) -> String {
    String(path.hasPrefix("$.") ? path.dropFirst(2) : path.dropFirst())
  }

  static func setting(_ object: JSONPath, _ name: String) -> String {
    let object = setting(object.description)
    return object.isEmpty ? name : "\(object).\(name)"
  }
}

extension StrictReader {
  /// `unknown key "limits"; did you mean "limit"?` Options are always listed, because each source has its own.
  private static func unknown(_ kind: String, _ name: String, _ allowed: [String]) -> String {
    let hint = SpellingSuggestion.hint(name, allowed)
    let list = kind == "option" && hint.hasSuffix("?") ? " \(SpellingSuggestion.list(allowed))" : ""
    return "unknown \(kind) \(SpellingSuggestion.quoted(name)); \(hint)\(list)"
  }
}

extension JSONNode.Name {
  /// Bytes before the name's opening quote.
  var offset: Int { JSONWord.offset(word) }

  /// The offset just past its closing quote.
  var endOffset: Int { offset + JSONWord.extra(word) + 2 }

  func place(in node: JSONNode) -> TextPlace {
    TextPlace(of: offset, in: UnsafeBufferPointer(start: node.base, count: node.count))
  }
}
