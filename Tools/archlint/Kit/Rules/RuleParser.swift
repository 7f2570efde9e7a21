/// Parses the rule file and reports all mistakes in it.
///
/// A statement begins at the start of a line, and its details are indented below it. `#` begins a comment. The format is
/// described in `Tools/archlint/README.md`.
package struct RuleParser {
  private enum Open { case none, role, target, forbid, ignore }

  private let path: String
  private var rules: Rules
  private var mistakes: [RuleMistake] = []
  private var open = Open.none

  /// - Throws: `ArchlintError.rules` with one line per mistake.
  package static func parse(_ text: String, path: String) throws(ArchlintError) -> Rules {
    var parser = RuleParser(path: path)
    parser.read(text)
    RuleConsistency.check(parser.rules, into: &parser.mistakes)
    guard parser.mistakes.isEmpty else { throw .rules(parser.mistakes.sorted { $0.place < $1.place }.map(\.line)) }
    return parser.rules
  }

  private init(path: String) {
    self.path = path
    rules = Rules(path: path)
  }

  private mutating func read(_ text: String) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      switch RuleLine.read(line, number: index + 1, path: path) {
      case .failure(let mistake): mistakes.append(mistake)
      case .success(nil): continue
      case .success(let line?):
        if line.isIndented { readDetail(line) } else { readStatement(line) }
      }
    }
  }

  private mutating func mistake(_ place: Place, _ text: String) {
    mistakes.append(RuleMistake(place: place, text: text))
  }

  private mutating func needs(_ count: Int, _ line: RuleLine, _ form: String) -> Bool {
    if line.arguments.count >= count { return true }
    mistake(line.place, "'\(line.keyword)' is incomplete; write: \(form)")
    return false
  }

  // MARK: Statements

  /// The statements, the least number of their arguments, and their form.
  private static let statements: [(keyword: String, least: Int, form: String)] = [
    ("role", 1, "role NAME \"what it is\""), ("target", 1, "target NAME"), ("group", 2, "group NAME MODULE…"),
    ("independent", 1, "independent ROLE…"), ("layers", 3, "layers ROLE… > ROLE… (from the top down)"),
    ("never", 0, "never from ROLE… to ROLE… (or to packages)"),
    ("require", 2, "require KIND VALUE… [of ROLE…], as in: require upcoming ExistentialAny"),
    ("confine", 3, "confine MODULE to PATH…"), ("forbid", 2, "forbid NAME \"what to do instead\""),
    ("top-level", 1, "top-level NAME…"), ("product", 3, "product NAME provides MODULE…"),
    ("keep", 2, "keep PACKAGE \"reason\""), ("skip", 2, "skip PATH \"reason\""),
    ("ignore", 2, "ignore CHECK FILE-OR-TARGET [MODULE]"),
  ]

  private mutating func readStatement(_ line: RuleLine) {
    open = .none
    let arguments = line.arguments
    guard let (_, least, form) = Self.statements.first(where: { $0.keyword == line.keyword }) else {
      let known = Self.statements.map(\.keyword).joined(separator: ", ")
      return mistake(line.place, "'\(line.keyword)' is not a statement; the statements are: \(known)")
    }
    guard needs(least, line, form) else { return }
    switch line.keyword {
    case "role":
      rules.roles.append(Role(name: arguments[0]))
      open = .role
    case "target":
      rules.targets.append(Role(name: arguments[0]))
      open = .target
    case "group":
      let words = Array(arguments.dropFirst())
      let mentions = words.filter { $0.text.hasPrefix("@") }.map { String($0.text.dropFirst()) }
      rules.groups.append(Rules.Group(name: arguments[0], modules: rules.modules(words), mentions: mentions))
    case "independent": rules.independent.append(Rules.Independence(place: line.place, roles: arguments))
    case "layers":
      if !rules.layers.isEmpty { mistake(line.place, "'layers' is given twice") }
      rules.layers = arguments.split(omittingEmptySubsequences: false) { $0.text == ">" }.map(Array.init)
    case "never": readReach(line, form)
    case "require": readSetting(line, form)
    case "product" where arguments[1].text == "provides":
      rules.products.append(Rules.ProductRule(product: arguments[0], modules: Array(arguments.dropFirst(2))))
    case "confine" where arguments[1].text == "to":
      rules.confinements.append(Rules.ConfineRule(module: arguments[0], paths: Array(arguments.dropFirst(2))))
    case "top-level": rules.topLevel += arguments
    case "skip": rules.skips.append(arguments[0])
    case "keep": rules.keeps.append(arguments[0])
    case "forbid":
      rules.forbids.append(ForbidRule(name: arguments[0], suggestion: arguments[1].text))
      open = .forbid
    case "ignore":
      rules.ignores.append(
        IgnoreRule(check: arguments[0], subject: arguments[1], object: arguments.count > 2 ? arguments[2] : nil))
      open = .ignore
    default: mistake(line.place, "write: \(form)")
    }
  }

  private mutating func readReach(_ line: RuleLine, _ form: String) {
    let words = line.arguments
    guard words.first?.text == "from", let split = words.firstIndex(where: { $0.text == "to" }), split > 1,
      split + 1 < words.count
    else { return mistake(line.place, "write: \(form)") }
    rules.reaches.append(
      Rules.ReachRule(from: Array(words[1..<split]), to: Array(words[(split + 1)...]), place: line.place))
  }

  private mutating func readSetting(_ line: RuleLine, _ form: String) {
    let words = line.arguments
    let split = words.firstIndex { $0.text == "of" } ?? words.count
    guard split > 1 else { return mistake(line.place, "write: \(form)") }
    for value in words[1..<split] {
      rules.settings.append(
        Rules.SettingRule(
          kind: RuleWord(text: words[0].text, place: value.place), value: value.text,
          roles: Array(words.dropFirst(split + 1))))
    }
  }

  // MARK: Details

  private mutating func readDetail(_ line: RuleLine) {
    switch open {
    case .role: readRoleDetail(line)
    case .target: readTargetDetail(line)
    case .forbid: readForbidDetail(line)
    case .ignore: readIgnoreDetail(line)
    case .none: mistake(line.place, "this line does not belong to a role, target, forbid or ignore above it")
    }
  }

  private typealias List = (key: String, path: any WritableKeyPath<Role, [RuleWord]> & Sendable)

  /// The keys of a role that take words. Those from `knows` to `flags` are keys of a target as well.
  private static let lists: [List] = [
    ("targets", \.targets), ("uses", \.uses), ("knows", \.knows), ("system", \.system), ("packages", \.packages),
    ("shows", \.shows), ("plugins", \.plugins), ("links", \.links), ("flags", \.flags), ("root-files", \.rootFiles),
    ("root-uses", \.rootUses),
  ]
  /// Those that take none.
  private static let marks: [(key: String, path: any WritableKeyPath<Role, RuleWord?> & Sendable)] = [
    ("contract", \.isContract), ("passive", \.isPassive), ("test", \.isTest), ("concrete", \.isConcrete),
    ("loose", \.isLoose),
  ]

  private mutating func readRoleDetail(_ line: RuleLine) {
    let index = rules.roles.count - 1
    if let mark = Self.marks.first(where: { $0.key == line.keyword }) {
      rules.roles[index][keyPath: mark.path] = line.words[0]
      if let extra = line.arguments.first { mistake(extra.place, "'\(line.keyword)' takes no words") }
    } else if line.keyword == "remedy" {
      guard needs(1, line, "remedy \"what to do instead\"") else { return }
      rules.roles[index].suggestion = line.arguments[0].text
    } else if !add(line, to: \.roles, at: index, Self.lists) {
      let known = (Self.lists.map(\.key) + Self.marks.map(\.key)).joined(separator: ", ")
      mistake(line.place, "'\(line.keyword)' is not a key of a role; the keys are: \(known), remedy")
    }
  }

  private mutating func readTargetDetail(_ line: RuleLine) {
    let lists = Self.lists[2...8]
    guard !add(line, to: \.targets, at: rules.targets.count - 1, lists) else { return }
    let known = lists.map(\.key).joined(separator: ", ")
    mistake(
      line.place,
      "'\(line.keyword)' is not a key of a target; the keys are: \(known) (the others belong to its role)")
  }

  /// Adds the words of a line to one of the lists; false if none has this key.
  private mutating func add(
    _ line: RuleLine, to roles: WritableKeyPath<Rules, [Role]>, at index: Int, _ lists: some Sequence<List>
  ) -> Bool {
    guard let list = lists.first(where: { $0.key == line.keyword }) else { return false }
    rules[keyPath: roles][index][keyPath: list.path] += line.arguments
    if line.arguments.isEmpty { mistake(line.place, "'\(line.keyword)' needs a name") }
    return true
  }

  private mutating func readForbidDetail(_ line: RuleLine) {
    let index = rules.forbids.count - 1
    let arguments = line.arguments
    switch line.keyword {
    case "names":
      rules.forbids[index].names += arguments
      for word in arguments where !ForbiddenName(word.text).isValid {
        mistake(word.place, "'\(word.text)' is not a name; write Date, print(), .random or Task.sleep")
      }
    case "globals": rules.forbids[index].globals = line.words[0]
    case "of": rules.forbids[index].roles += arguments
    case "except":
      guard needs(2, line, "except PATH \"reason\"") else { return }
      rules.forbids[index].exceptions.append(arguments[0])
    default:
      return mistake(line.place, "'\(line.keyword)' is not a key of forbid; the keys are: names, globals, of, except")
    }
    if line.keyword == "globals", let extra = arguments.first { mistake(extra.place, "'globals' takes no words") }
    if line.keyword != "globals", arguments.isEmpty { mistake(line.place, "'\(line.keyword)' needs a name") }
  }

  private mutating func readIgnoreDetail(_ line: RuleLine) {
    let index = rules.ignores.count - 1
    guard let argument = line.arguments.first else { return mistake(line.place, "'\(line.keyword)' needs a value") }
    switch line.keyword {
    case "reason": rules.ignores[index].reason = argument.text
    case "until":
      guard CalendarDay.isValid(argument.text) else {
        return mistake(argument.place, "'\(argument.text)' is not a day such as 2026-12-31")
      }
      rules.ignores[index].until = argument.text
    case "max":
      guard let maximum = Int(argument.text), maximum > 0 else {
        return mistake(argument.place, "'\(argument.text)' is not a number above 0")
      }
      rules.ignores[index].maximum = maximum
    default: mistake(line.place, "'\(line.keyword)' is not a key of ignore; the keys are: reason, until, max")
    }
  }
}

/// One line of the rule file, split into words. A word in double quotes may contain spaces.
struct RuleLine {
  var place: Place
  var isIndented: Bool
  var words: [RuleWord]

  var keyword: String { words[0].text }
  var arguments: [RuleWord] { Array(words.dropFirst()) }

  /// Nil for an empty line or a comment; an error if a quote is not closed.
  static func read(_ line: Substring, number: Int, path: String) -> Result<RuleLine?, RuleMistake> {
    var words: [RuleWord] = []
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      if character == "#" { break }
      if character == " " || character == "\t" || character == "\r" {
        index = line.index(after: index)
        continue
      }
      let place = Place(path, number, line.utf8.distance(from: line.startIndex, to: index) + 1)
      if character == "\"" {
        let start = line.index(after: index)
        guard let end = line[start...].firstIndex(of: "\"") else {
          return .failure(RuleMistake(place: place, text: "this quote is not closed on its line"))
        }
        words.append(RuleWord(text: String(line[start..<end]), place: place))
        index = line.index(after: end)
      } else {
        let end = line[index...].firstIndex { " \t\r\"#".contains($0) } ?? line.endIndex
        words.append(RuleWord(text: String(line[index..<end]), place: place))
        index = end
      }
    }
    guard let first = words.first else { return .success(nil) }
    return .success(RuleLine(place: first.place, isIndented: first.place.column > 1, words: words))
  }
}

struct RuleMistake: Error {
  var place: Place
  var text: String
  var line: String { "\(place.text): error: \(text)" }
}
