import Models

/// What names mean where an expression stands, and what expressions become there. Nothing is evaluated.
struct ManifestContext {
  /// What is known of the point of a sync.
  enum Point: Equatable {
    /// Nothing describes it.
    case none
    /// Program code, or a count: there is no such time.
    case unknown
    /// A time that is sent in this form.
    case form(String)
  }

  /// What the parents of a request give it.
  final class Partitions {
    var values: [ExactString: ManifestValue] = [:]
    var above: Partitions?
  }

  let settings: ManifestSettings
  var partitions: Partitions?
  var point = Point.none
  /// The variable of the next page, or those of its parts.
  var cursor: ManifestValue?
  var parameters: ManifestComponent?
  /// The fields that are added to records.
  var added: [ExactString: ManifestValue] = [:]
  /// What statements of the text define.
  var locals: [ExactString: Result<ManifestValue, Refusal>] = [:]
  /// Names of the slice that nothing gives.
  let unknown: Unknown

  final class Unknown {
    var names: [String] = []
  }

  init(
    _ settings: ManifestSettings, _ partitions: Partitions? = nil, _ point: Point = .none, unknown: Unknown = Unknown()
  ) {
    self.settings = settings
    self.partitions = partitions
    self.point = point
    self.unknown = unknown
  }

  // MARK: Texts

  /// The value of a part of a manifest: a text with expressions, or an object or a list of such texts.
  func value(of part: ManifestPart) throws(Refusal) -> ManifestValue {
    switch part {
    case .null: return .nothing
    case .bool(let flag): return .constant(.bool(flag))
    case .number(let digits): return .constant(.number(digits))
    case .text(let text, let parameters):
      guard text.contains("{{") || text.contains("{%") else { return .constant(.string(text)) }
      var context = self
      context.parameters = parameters ?? self.parameters
      return try context.value(of: try ManifestTemplate.read(text))
    case .list(let list): return .list(try list.map(value(of:)))
    case .map(let map):
      return .object(
        try map.members.map { (name, part) throws(Refusal) in .init(name: name, value: try value(of: part)) })
    }
  }

  private mutating func value(of nodes: [ManifestTemplate]) throws(Refusal) -> ManifestValue {
    var parts: [ManifestValue] = []
    for node in nodes {
      switch node {
      case .text(let text): parts.append(.constant(.string(text)))
      case .output(let expression): parts.append(try value(expression))
      case .assignment(let name, let expression):
        do throws(Refusal) { locals[name.exact] = .success(try value(expression)) } catch {
          locals[name.exact] = .failure(error)
        }
      case .condition(let test, let yes, let no):
        let context = self
        parts.append(
          try choice(test) { () throws(Refusal) in
            var inner = context
            return try inner.value(of: yes)
          } no: { () throws(Refusal) in
            var inner = context
            return no.isEmpty ? .empty : try inner.value(of: no)
          })
      case .loop: throw Refusal("a loop")
      }
    }
    return try Self.joined(parts)
  }

  static func joined(_ parts: [ManifestValue]) throws(Refusal) -> ManifestValue {
    var all: [ManifestValue] = []
    for part in parts {
      if case .joined(let inner) = part { all += inner } else if part != .nothing { all.append(part) }
    }
    func isBreak(_ value: ManifestValue) -> Bool {
      guard case .constant(.string(let text)) = value else { return false }
      return text.contains { $0.isNewline } && text.allSatisfy { $0.isWhitespace }
    }
    if all.count > 1, all.contains(where: { !isBreak($0) }) { all.removeAll(where: isBreak) }
    var joined: [ManifestValue] = []
    for value in all {
      if let text = value.text, case .constant(let last)? = joined.last, let before = last.string ?? last.digitsText {
        joined[joined.count - 1] = .constant(.string(before + text))
      } else {
        joined.append(value)
      }
    }
    if joined.count > 1 { joined.removeAll { $0 == .empty } }
    return joined.isEmpty ? .empty : joined.count == 1 ? joined[0] : .joined(joined)
  }

  // MARK: Choices

  private typealias Branch = () throws(Refusal) -> ManifestValue

  /// `a if test else b`
  private func choice(_ test: ManifestExpression, yes: Branch, no: Branch) throws(Refusal) -> ManifestValue {
    if case .not(let inner) = test { return try choice(inner, yes: no, no: yes) }
    let names = test.names
    let isComparison = if case .comparison = test { true } else { false }
    // With "first", there always is a point.
    if !names.isEmpty, names.isSubset(of: ["stream_state", "stream_interval", "stream_slice", "stream_partition"]),
      !isComparison
    {
      do throws(Refusal) { return try yes() } catch { return try no() }
    }
    // Where there is no record, there is no next page.
    if names == ["last_record"], !isComparison { return try yes() }
    if names == ["next_page_token"] {
      let later: ManifestValue
      do throws(Refusal) { later = try yes() } catch { return .first(try no()) }
      let first = try no()
      if first.isEmptyText { return later }
      throw Refusal("another value on later pages")
    }
    if case .comparison(let sign, let left, let right, let further) = test, further.isEmpty {
      let (one, other) = (try? value(left), try? value(right))
      if ["==", "!="].contains(sign), case .constant(let a)? = one, case .constant(let b)? = other {
        return (a == b) == (sign == "==") ? try yes() : try no()
      }
      if ["==", "!="].contains(sign), case .variable(let name, _, _)? = one, let text = other?.text,
        settings.isSetting(name)
      {
        return try mapped(name, text, sign == "==" ? yes : no, sign == "==" ? no : yes)
      }
      if sign == "in", one?.text != nil { return try either(yes, no) }
      if sign == "not in", one?.text != nil { return try either(no, yes) }
      if names.contains("config"), ["!=", ">"].contains(sign) { return try either(yes, no) }
    }
    if case .binary(let sign, let left, let right) = test, ["and", "or"].contains(sign) {
      if names.contains("next_page_token") {
        let isFirst = [left, right].contains {
          if case .not(let inner) = $0 { inner.names == ["next_page_token"] } else { false }
        }
        if isFirst { return .first(try yes()) }
      }
      if names == ["config"] { return try either(yes, no) }
    }
    let value = try? value(test)
    if let truth = value?.truth { return truth ? try yes() : try no() }
    switch value {
    case .variable(let name, _, _)? where settings.isSetting(name): return try mapped(name, nil, yes, no)
    case .variable?, .path?: return try either(yes, no)
    default: throw Refusal("a condition that is not on a setting")
    }
  }

  private func either(_ yes: Branch, _ no: Branch) throws(Refusal) -> ManifestValue {
    let (one, other): (ManifestValue, ManifestValue)
    do throws(Refusal) { one = try yes() } catch { return try no() }
    do throws(Refusal) { other = try no() } catch { return one }
    if other.isEmptyText { return one }
    if one.isEmptyText { return other }
    switch (one, other) {
    case (.variable, .constant), (.path, .path): return .either(one, other)
    case (.variable, .variable), (.joined, _), (.either, _): return one
    default: throw Refusal("a choice between values that are not known before")
    }
  }

  /// A choice by a setting; `nil` for a setting that is set.
  private func mapped(_ name: String, _ given: String?, _ yes: Branch, _ no: Branch) throws(Refusal) -> ManifestValue {
    let (one, other) = (try yes(), try no())
    func plain(_ value: ManifestValue) -> String? { value == .nothing ? "" : value.text }
    if let sent = plain(one) {
      if let rest = plain(other) { return .choice(name, [.init(given: given ?? "true", sent: sent)], other: rest) }
      if case .choice(name, let cases, let rest) = other, let given {
        return .choice(name, [.init(given: given, sent: sent)] + cases, other: rest)
      }
    }
    if given == nil {
      if case .variable(name, _, _) = one { return other.isEmptyText ? one : .either(one, other) }
      switch (one, other) {
      case (.joined, _) where other.isEmptyText, (.variable, _) where other.isEmptyText: return one
      case (.joined, .variable), (.variable, .variable): return one
      case (.object, _) where plain(other) != nil, (.list, _) where plain(other) != nil: return one
      default: break
      }
    }
    throw Refusal("a choice by the setting \(name)")
  }

  // MARK: Expressions

  /// A name and its members: `config.a['b'].get('c', d)`.
  private func chain(
    _ expression: ManifestExpression
  ) throws(Refusal) -> (name: String, steps: [String], standard: ManifestExpression?)? {
    switch expression {
    case .name(let name): return (name, [], nil)
    case .member(let base, let name):
      guard let found = try chain(base) else { return nil }
      return (found.name, found.steps + [name], nil)
    case .element(let base, let index):
      guard let found = try chain(base) else { return nil }
      if case .negative(.constant(.number(let digits))) = index {
        return (found.name, found.steps + ["-\(digits)"], nil)
      }
      guard let step = try value(index).text else { throw Refusal("a name that is computed") }
      return (found.name, found.steps + [step], nil)
    case .call(.member(let base, "get"), let arguments, _) where !arguments.isEmpty:
      guard let found = try chain(base) else { return nil }
      guard let step = try value(arguments[0]).text else { throw Refusal("a name that is computed") }
      return (found.name, found.steps + [step], arguments.count > 1 ? arguments[1] : nil)
    case .binary("or", let left, let right):
      guard let other = try? value(right), other == .object([]) || other == .nothing else { return nil }
      return try chain(left)
    default: return nil
    }
  }

  func value(_ expression: ManifestExpression) throws(Refusal) -> ManifestValue {
    switch expression {
    case .constant(.null), .name("null"): return .nothing
    case .constant(let value): return .constant(value)
    case .negative(let inner):
      guard let digits = try value(inner).text else { throw Refusal("arithmetic") }
      return .constant(.number("-\(digits)"))
    case .list(let elements): return .list(try elements.map(value(_:)))
    case .object(let written):
      return .object(
        try written.map { (key, part) throws(Refusal) in
          guard let name = try value(key).text else { throw Refusal("a name that is computed") }
          return .init(name: name, value: try value(part))
        })
    case .name(let name) where locals[name.exact] != nil:
      return try locals[name.exact]?.get() ?? .nothing
    default: break
    }
    if let found = try chain(expression) { return try member(found.name, found.steps, found.standard) }
    switch expression {
    case .binary(let sign, let left, let right): return try binary(sign, left, right)
    case .choice(let test, let yes, let no):
      return try choice(test) { () throws(Refusal) in
        try value(yes)
      } no: { () throws(Refusal) in
        if let no { try value(no) } else { .nothing }
      }
    case .filter(let base, let name, let arguments, let named): return try filtered(base, name, arguments, named)
    case .call(let function, let arguments, let named): return try called(function, arguments, named)
    case .element(let base, let index): return try element(try value(base), try value(index))
    case .slice(let base, let from, let to):
      let whole = try value(base)
      if whole.isLinkField { return whole }
      let start = try from.map { (part) throws(Refusal) in try value(part).text } ?? "0"
      guard start == "0", let to else { throw Refusal("a part of a text") }
      switch whole {
      case .variable, .either: return try value(to).text == "10" ? try formed(whole, "date") : whole
      default: throw Refusal("a part of a text")
      }
    case .not, .test, .comparison: throw Refusal("a comparison as a value")
    default: throw Refusal("an expression of this kind")
    }
  }

  private func binary(
    _ sign: String, _ left: ManifestExpression, _ right: ManifestExpression
  ) throws(Refusal) -> ManifestValue {
    if sign == "or" {
      let one: ManifestValue
      do throws(Refusal) { one = try value(left) } catch { return try value(right) }
      if let truth = one.truth { return truth ? one : try value(right) }
      guard let other = try? value(right), other != .nothing, other != .empty else { return one }
      if case .either(let first, let second) = one { return .either(first, .either(second, other)) }
      return .either(one, other)
    }
    if sign == "and" { throw Refusal("a comparison as a value") }
    let (one, other) = (try value(left), try value(right))
    switch (sign, one, other) {
    case ("~", _, _): return try Self.joined([one, other])
    case ("+", .constant(.number(let a)), .constant(.number(let b))):
      guard let a = Int(a), let b = Int(b) else { throw Refusal("arithmetic") }
      return .constant(.int(a.plus(b)))
    case ("+", .path, .constant(.number)), ("+", .path, .path), ("+", .last, _): return .sum(one, other)
    case ("+", _, .duration(let time)): return try shifted(one, "+\(time)")
    case ("-", _, .duration(let time)): return try shifted(one, "-\(time)")
    case ("+", .variable(let name, _, _), .list(let more)) where settings.schema(name)?.isList == true:
      var parts = [one]
      for value in more { parts += [.constant(","), value] }
      return try Self.joined(parts)
    case ("+", .variable(let name, _, _), _) where settings.schema(name)?.isList == true:
      return try Self.joined([one, .constant(","), other])
    case ("+", _, _): return try Self.joined([one, other])
    case ("-", .variable("since", _, _), _), ("-", .variable("until", _, _), _): return one
    case ("*", _, .constant(.number("1000"))): return try formed(one, "epochms")
    case ("*", .constant(.number(let a)), .constant(.number(let b))):
      guard let a = Int(a), let b = Int(b) else { throw Refusal("arithmetic") }
      return .constant(.int(a.times(b)))
    default: throw Refusal("arithmetic")
    }
  }

  private func shifted(_ value: ManifestValue, _ shift: String) throws(Refusal) -> ManifestValue {
    switch value {
    case .variable(let name, let form, _) where ["now", "since", "until"].contains(name):
      return .variable(name, form: form, shift: shift)
    case .either: return value
    default: throw Refusal("a date that is computed")
    }
  }

  private func formed(_ value: ManifestValue, _ form: String) throws(Refusal) -> ManifestValue {
    switch value {
    case .variable(let name, _, let shift): return .variable(name, form: form, shift: shift)
    case .either(let one, let other): return .either(try formed(one, form), try formed(other, form))
    case .constant: return value
    default: throw Refusal("a conversion of a date")
    }
  }

  private func element(_ base: ManifestValue, _ index: ManifestValue) throws(Refusal) -> ManifestValue {
    let number = index.text.flatMap { Int($0) }
    switch (base, number) {
    case (.pieces(let pieces), let number?):
      let place = number < 0 ? pieces.count.plus(number) : number
      return pieces.indices.contains(place) ? pieces[place] : .empty
    case (.split(let value, "T"), 0): return try formed(value, "date")
    case (.split(let value, "."), 0): return value
    case (.split(let value, "-"), let part?) where (0..<3).contains(part):
      guard case .variable(_, let form, _) = value,
        ["time", "date"].contains(form ?? "time") || form?.hasPrefix("YYYY-MM-DD") == true
      else { throw Refusal("a part of a text") }
      return try formed(value, ["YYYY", "MM", "DD"][part])
    case (.split, 0) where base.isLinkField: return base
    case (.list(let values), let number?) where values.indices.contains(number): return values[number]
    case (.object(let members), _):
      if case .variable(let name, _, _) = index {
        let cases = members.compactMap { member in
          member.value.text.map { ManifestValue.Choice(given: member.name, sent: $0) }
        }
        return .choice(name, cases, other: nil)
      }
      if let text = index.text, let found = members.first(where: { $0.name == text }) { return found.value }
      throw Refusal("a part of a value")
    default: throw Refusal("a part of a value")
    }
  }

  private func filtered(
    _ base: ManifestExpression, _ name: String, _ arguments: [ManifestExpression],
    _ named: [(name: String, value: ManifestExpression)]
  ) throws(Refusal) -> ManifestValue {
    switch name {
    case "int":
      let number = try value(base)
      guard case .variable(_, let form?, _) = number, ["MM", "DD"].contains(form) else { return number }
      return try formed(number, String(form.prefix(1)))
    case "first": return try firstElement(of: base)
    case "string", "float", "tojson", "trim", "urlencode", "safe", "lower", "upper", "e", "escape", "list":
      return try value(base)
    case "default":
      let one = try value(base)
      guard let other = try arguments.first.map(value(_:)), ![.nothing, .object([]), .empty].contains(other)
      else { return one }
      return .either(one, other)
    case "join":
      let separator = try arguments.first.map { (part) throws(Refusal) in try value(part).text ?? "" } ?? ""
      return try joined(try value(base), separator)
    case "base64encode": return .base64(try value(base))
    case "length", "count": return .length
    case "regex_search":
      guard case .path(let path) = try value(base) else { throw Refusal("a regular expression") }
      return .found(path)
    default: throw Refusal("the filter \(name)")
    }
  }

  /// `LIST | selectattr('rel', 'equalto', 'next') | map(attribute='href')`: a path to the first of them.
  private func firstElement(of list: ManifestExpression) throws(Refusal) -> ManifestValue {
    var (list, attribute): (ManifestExpression, String?) = (list, nil)
    if case .filter(let inner, "map", _, let named) = list {
      guard let name = named.first(where: { $0.name == "attribute" }) else { throw Refusal("the filter map") }
      attribute = try value(name.value).text
      list = inner
    }
    guard case .filter(let inner, "selectattr", let arguments, _) = list, case .path(let path) = try value(inner) else {
      throw Refusal("the filter first")
    }
    let texts = try arguments.map { (argument) throws(Refusal) in try value(argument).text ?? "" }
    guard texts.count == 3, ["equalto", "eq", "=="].contains(texts[1]), !texts[0].isEmpty, !texts[2].contains("'")
    else { throw Refusal("the filter selectattr") }
    let found = "\(path)[\(texts[0])='\(texts[2])']"
    return .path(attribute.map { ManifestText.step(found, $0) } ?? found)
  }

  private func joined(_ value: ManifestValue, _ separator: String) throws(Refusal) -> ManifestValue {
    switch value {
    case .list(let values):
      var parts: [ManifestValue] = []
      for value in values { parts += (parts.isEmpty ? [] : [.constant(.string(separator))]) + [value] }
      return try Self.joined(parts)
    case .variable(let name, _, _) where settings.isSetting(name):
      if separator != ",", separator != ", " { settings.note(name, "values with '\(separator)' between them") }
      return value
    case .joined: return value
    default: throw Refusal("a list that is joined")
    }
  }

  private static let times = [
    "now_utc": "time", "today_utc": "date", "now_local": "time", "today": "date", "today_with_timezone": "date",
  ]

  private func called(
    _ function: ManifestExpression, _ arguments: [ManifestExpression],
    _ named: [(name: String, value: ManifestExpression)]
  ) throws(Refusal) -> ManifestValue {
    func argument(_ index: Int, _ name: String? = nil) throws(Refusal) -> ManifestValue? {
      if arguments.indices.contains(index) { return try value(arguments[index]) }
      guard let name, let found = named.first(where: { $0.name == name }) else { return nil }
      return try value(found.value)
    }
    switch function {
    case .name(let name):
      if let form = Self.times[name] { return .variable("now", form: form) }
      switch name {
      case "format_datetime", "timestamp", "str_to_datetime":
        guard let time = try argument(0) else { throw Refusal("a time without a value") }
        if name == "str_to_datetime" { return time }
        return try formed(time, name == "timestamp" ? "epoch" : try ManifestText.form(try argument(1, "format")?.text))
      case "max", "min":
        for value in try arguments.map(value(_:)) {
          switch value {
          case .variable, .either: return value
          default: continue
          }
        }
        throw Refusal("the function \(name)")
      case "day_delta":
        guard let days = try argument(0)?.text.flatMap({ Int($0) }) else { throw Refusal("the function \(name)") }
        let form =
          try argument(1, "format").map { (value) throws(Refusal) in try ManifestText.form(value.text) } ?? "time"
        return .variable("now", form: form, shift: days == 0 ? nil : "\(days < 0 ? "-" : "+")\(days.magnitude)d")
      case "duration":
        guard let text = try argument(0)?.text else { throw Refusal("the function \(name)") }
        return .duration(try ManifestText.duration(text))
      default: throw Refusal("the function \(name)")
      }
    case .member(let base, "join"):
      guard let separator = try value(base).text, let list = try argument(0) else {
        throw Refusal("a list that is joined")
      }
      return try joined(list, separator)
    case .member(let base, let name): return try method(name, of: try value(base), try argument(0))
    default: throw Refusal("a call")
    }
  }

  private func method(
    _ name: String, of value: ManifestValue, _ argument: ManifestValue?
  ) throws(Refusal) -> ManifestValue {
    switch (name, value) {
    case ("strftime", _): return try formed(value, try ManifestText.form(argument?.text))
    case ("isoformat", _): return try formed(value, "time")
    case ("timestamp", _): return try formed(value, "epoch")
    case ("split", .joined(let parts)):
      guard let separator = argument?.text else { throw Refusal("the function split") }
      return .pieces(try Self.pieces(of: parts, separator))
    case ("split", _): return .split(value, argument?.text ?? " ")
    case ("strip", .constant), ("rstrip", .constant), ("lstrip", .constant): return value
    case ("lower", .constant(.string(let text))): return .constant(.string(text.lowercased()))
    case ("upper", .constant(.string(let text))): return .constant(.string(text.uppercased()))
    case ("strip", .variable(let setting, _, _)), ("rstrip", .variable(let setting, _, _)),
      ("lstrip", .variable(let setting, _, _)), ("lower", .variable(let setting, _, _)),
      ("upper", .variable(let setting, _, _)), ("replace", .variable(let setting, _, _)):
      guard settings.isSetting(setting) else { throw Refusal("the function \(name)") }
      settings.note(setting, "as it is sent")
      return value
    case ("replace", .path): return value
    default: throw Refusal("the function \(name)")
    }
  }

  /// The parts of a text that separators divide.
  private static func pieces(of parts: [ManifestValue], _ separator: String) throws(Refusal) -> [ManifestValue] {
    var pieces: [ManifestValue] = []
    var current: [ManifestValue] = []
    for part in parts {
      guard let text = part.text, text.contains(separator) else {
        current.append(part)
        continue
      }
      var texts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)[...]
      current.append(.constant(.string(texts.removeFirst())))
      while let next = texts.popFirst() {
        pieces.append(try joined(current))
        current = [.constant(.string(next))]
      }
    }
    return pieces + [try joined(current)]
  }

  // MARK: Names

  private func member(
    _ base: String, _ steps: [String], _ standard: ManifestExpression?
  ) throws(Refusal) -> ManifestValue {
    func path(_ start: String, _ steps: some Sequence<String>) -> String {
      steps.reduce(start) { path, step in
        if Int(step) != nil { "\(path)[\(step)]" } else { ManifestText.step(path, step) }
      }
    }
    switch base {
    case "config":
      guard let last = steps.last else { throw Refusal("all settings together") }
      if Int(last) != nil { throw Refusal("one element of a list of settings") }
      let value = ManifestValue.variable(settings.name(steps))
      guard let standard, let other = try? self.value(standard), !other.isEmptyText, other != .constant(false) else {
        return value
      }
      switch other {
      case .constant, .variable, .either: return .either(value, other)
      default: return value
      }
    case "parameters", "options":
      var part: ManifestPart = parameters.map { .map($0) } ?? .null
      for step in steps { part = part[step] }
      if part.isNull {
        guard let standard else { return .nothing }
        return try value(standard)
      }
      return try value(of: part)
    case "record":
      if let first = steps.first, let known = added[first.exact] {
        if case .path(let start) = known { return .path(path(start, steps.dropFirst())) }
        return try Self.part(of: known, steps.dropFirst())
      }
      return .path(path("$", steps))
    case "last_record": return .last(path("$", steps))
    case "response": return .path(path("$", steps))
    case "headers":
      guard let first = steps.first else { return .path("header") }
      if first.lowercased() == "link", steps.count > 1 {
        return .link(steps[1], isWhole: steps.count == 2 || steps[2] == "url")
      }
      return .path("header \(first)")
    case "stream_slice", "stream_partition", "stream_interval", "stream_state":
      return try slice(base, steps, partitions)
    case "next_page_token":
      guard var value = cursor else { throw Refusal("the next page's token outside of a list in pages") }
      for step in steps where step != "next_page_token" { value = try Self.part(of: value, [step]) }
      return value
    case "last_page_size": return .pageSize
    default: throw Refusal("the name \(base)")
    }
  }

  private static func part(of value: ManifestValue, _ steps: some Sequence<String>) throws(Refusal) -> ManifestValue {
    var value = value
    for step in steps {
      switch value {
      case .object(let members):
        guard let found = members.first(where: { $0.name == step }) else { throw Refusal("a part of a value") }
        value = found.value
      case .parent(let path, let level): value = .parent(ManifestText.step(path, step), level)
      default: throw Refusal("a part of a value")
      }
    }
    return value
  }

  private func slice(_ base: String, _ written: [String], _ partitions: Partitions?) throws(Refusal) -> ManifestValue {
    var steps = written.filter { $0 != "partition" && $0 != "cursor_slice" }
    guard let first = steps.first else { throw Refusal("the whole slice") }
    if ["start_time", "end_time"].contains(first) {
      switch point {
      case .form(let form): return .variable(first == "start_time" ? "since" : "until", form: form)
      case .unknown: throw Refusal("spans of program code")
      case .none: break
      }
    }
    if base == "stream_state" {
      switch point {
      case .none: return .nothing
      case .unknown: throw Refusal("the state of a stream")
      case .form(let form): return .variable("since", form: form)
      }
    }
    if first == "extra_fields", steps.count > 1 { steps.replaceSubrange(0..<2, with: ["extra_fields.\(steps[1])"]) }
    if first == "parent_slice" {
      let rest = Array(steps.drop { $0 == "parent_slice" })
      var above = partitions
      for _ in 0..<(steps.count - rest.count) { above = above?.above }
      guard !rest.isEmpty else { throw Refusal("the whole slice of the parent") }
      return try slice(base, rest, above)
    }
    guard let value = partitions?.values[steps[0].exact] else {
      if let above = partitions?.above { return try slice(base, steps, above) }
      if ["start_time", "end_time"].contains(first) { throw Refusal("spans that nothing describes") }
      unknown.names.append("\(base).\(steps[0])")
      return .nothing
    }
    let part = try Self.part(of: value, steps.dropFirst())
    guard case .parent(let path, let level) = part, case .parent(let start, _) = value else { return part }
    return .variable(level.variable(path, base: start))
  }
}

extension JSONValue {
  fileprivate var digitsText: String? { if case .number(let digits) = self { digits } else { nil } }
}
