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

  private mutating func readStatement(_ line: RuleLine) {
    open = .none
    let arguments = line.arguments
    switch line.keyword {
    case "role":
      guard needs(1, line, "role NAME \"what it is\"") else { return }
      rules.roles.append(Role(name: arguments[0], about: arguments.count > 1 ? arguments[1].text : nil))
      open = .role
    case "target":
      guard needs(1, line, "target NAME") else { return }
      rules.targets.append(TargetRule(name: arguments[0]))
      open = .target
    case "group":
      guard needs(2, line, "group NAME MODULE…") else { return }
      let words = Array(arguments.dropFirst())
      let mentions = words.filter { $0.text.hasPrefix("@") }.map { String($0.text.dropFirst()) }
      rules.groups.append(Rules.Group(name: arguments[0], modules: rules.modules(words), mentions: mentions))
    case "independent":
      guard needs(1, line, "independent ROLE…") else { return }
      rules.independent.append(Rules.Independence(place: line.place, roles: arguments))
    case "layers":
      guard needs(3, line, "layers ROLE… > ROLE… (from the top down)") else { return }
      if !rules.layers.isEmpty { mistake(line.place, "'layers' is given twice") }
      rules.layers = Self.layers(arguments)
    case "never": readReach(line)
    case "require": readSetting(line)
    case "product":
      guard needs(3, line, "product NAME provides MODULE…"), arguments[1].text == "provides" else {
        return mistake(line.place, "write: product NAME provides MODULE…")
      }
      rules.products.append(Rules.ProductRule(product: arguments[0], modules: Array(arguments.dropFirst(2))))
    case "confine":
      guard needs(3, line, "confine MODULE to PATH…") else { return }
      guard arguments[1].text == "to" else { return mistake(line.place, "write: confine MODULE to PATH…") }
      rules.confinements.append(Rules.ConfineRule(module: arguments[0], paths: Array(arguments.dropFirst(2))))
    case "top-level":
      guard needs(1, line, "top-level NAME…") else { return }
      rules.topLevel += arguments
    case "skip":
      guard needs(2, line, "skip PATH \"reason\"") else { return }
      rules.skips.append(Rules.SkipRule(pattern: arguments[0], reason: arguments[1].text))
    case "keep":
      guard needs(2, line, "keep PACKAGE \"reason\"") else { return }
      rules.keeps.append(Rules.KeepRule(package: arguments[0], reason: arguments[1].text))
    case "forbid":
      guard needs(2, line, "forbid NAME \"what to do instead\"") else { return }
      rules.forbids.append(ForbidRule(name: arguments[0], suggestion: arguments[1].text))
      open = .forbid
    case "ignore":
      guard needs(2, line, "ignore CHECK FILE-OR-TARGET [MODULE]") else { return }
      rules.ignores.append(
        IgnoreRule(check: arguments[0], subject: arguments[1], object: arguments.count > 2 ? arguments[2] : nil))
      open = .ignore
    default:
      mistake(
        line.place,
        "'\(line.keyword)' is not a statement; the statements are: role, target, group, independent, layers, never, "
          + "require, confine, forbid, top-level, product, keep, skip, ignore")
    }
  }

  private mutating func readReach(_ line: RuleLine) {
    let words = line.arguments
    guard words.first?.text == "from", let split = words.firstIndex(where: { $0.text == "to" }), split > 1,
      split + 1 < words.count
    else { return mistake(line.place, "write: never from ROLE… to ROLE… (or to packages)") }
    rules.reaches.append(
      Rules.ReachRule(from: Array(words[1..<split]), to: Array(words[(split + 1)...]), place: line.place))
  }

  private mutating func readSetting(_ line: RuleLine) {
    let form = "require KIND VALUE… [of ROLE…], as in: require upcoming ExistentialAny"
    guard needs(2, line, form) else { return }
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

  private mutating func readRoleDetail(_ line: RuleLine) {
    let index = rules.roles.count - 1
    let arguments = line.arguments
    switch line.keyword {
    case "targets": rules.roles[index].targets += arguments
    case "uses": rules.roles[index].uses += arguments
    case "knows": rules.roles[index].knows += arguments
    case "system": rules.roles[index].system += arguments
    case "packages": rules.roles[index].packages += arguments
    case "shows": rules.roles[index].shows += arguments
    case "plugins": rules.roles[index].plugins += arguments
    case "links": rules.roles[index].links += arguments
    case "flags": rules.roles[index].flags += arguments
    case "root-files": rules.roles[index].rootFiles += arguments
    case "root-uses": rules.roles[index].rootUses += arguments
    case "contract": rules.roles[index].isContract = line.words[0]
    case "passive": rules.roles[index].isPassive = line.words[0]
    case "test": rules.roles[index].isTest = line.words[0]
    case "concrete": rules.roles[index].isConcrete = line.words[0]
    case "loose": rules.roles[index].isLoose = line.words[0]
    case "remedy":
      guard needs(1, line, "remedy \"what to do instead\"") else { return }
      rules.roles[index].suggestion = arguments[0].text
    default:
      return mistake(
        line.place,
        "'\(line.keyword)' is not a key of a role; the keys are: targets, uses, knows, system, packages, shows, plugins, links, flags, "
          + "root-files, root-uses, contract, passive, test, concrete, loose, remedy")
    }
    let isFlag = ["contract", "passive", "test", "concrete", "loose"].contains(line.keyword)
    if isFlag, let extra = arguments.first { mistake(extra.place, "'\(line.keyword)' takes no words") }
    if !isFlag, arguments.isEmpty { mistake(line.place, "'\(line.keyword)' needs a name") }
  }

  private mutating func readTargetDetail(_ line: RuleLine) {
    let index = rules.targets.count - 1
    switch line.keyword {
    case "knows": rules.targets[index].knows += line.arguments
    case "system": rules.targets[index].system += line.arguments
    case "packages": rules.targets[index].packages += line.arguments
    case "shows": rules.targets[index].shows += line.arguments
    case "plugins": rules.targets[index].plugins += line.arguments
    case "links": rules.targets[index].links += line.arguments
    case "flags": rules.targets[index].flags += line.arguments
    default:
      return mistake(
        line.place,
        "'\(line.keyword)' is not a key of a target; the keys are: knows, system, packages, shows, plugins, links, flags (the others "
          + "belong to its role)")
    }
    if line.arguments.isEmpty { mistake(line.place, "'\(line.keyword)' needs a name") }
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
      rules.forbids[index].exceptions.append(ForbidRule.Exception(path: arguments[0], reason: arguments[1].text))
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

  /// The roles between the `>` signs.
  private static func layers(_ words: [RuleWord]) -> [Rules.Layer] {
    var layers = [Rules.Layer(roles: [])]
    for word in words {
      if word.text == ">" {
        layers.append(Rules.Layer(roles: []))
      } else {
        layers[layers.count - 1].roles.append(word)
      }
    }
    return layers
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
