import Models
import Ports

extension Library {
  /// The conditions that the filter is compiled from: all of `met` hold, and none of `unmet`, each of which is a list of
  /// conditions that hold together.
  ///
  /// A year, a month or a day stands for all times in it: `= 2025` is met in 2025, `> 2025` after it, `<= 2025` until its
  /// end. As texts these are the values between it and the first text after all that begin with it.
  ///
  /// A birthday with a year and one without cannot be ordered: an order is met only by birthdays of the same form as the
  /// value. As texts they have one, because `-` comes before the digits, so a bound between the two is added.
  func periods(
    _ conditions: [RecordCondition], _ collection: CollectionName
  ) -> (met: [RecordCondition], unmet: [[RecordCondition]]) {
    let fields = catalog.fields(of: collection).flatMap(\.leaves)
    var met: [RecordCondition] = []
    var unmet: [[RecordCondition]] = []
    for condition in conditions {
      let kind = fields.first { $0.name == condition.field }?.kind
      guard let kind, [.time, .timeOrDay, .birthday].contains(kind) else {
        met.append(condition)
        continue
      }
      func compared(_ comparison: RecordCondition.Comparison, _ value: String) -> RecordCondition {
        RecordCondition(field: condition.field, comparison: comparison, value: value)
      }
      let (start, end) = (condition.value, condition.value + Self.afterAllTimes)
      let isBirthday = kind == .birthday
      let hasYear = condition.value.first != "-"
      switch condition.comparison {
      case .equal: met += [compared(.greaterOrEqual, start), compared(.less, end)]
      case .notEqual: unmet.append([compared(.greaterOrEqual, start), compared(.less, end)])
      case .less, .lessOrEqual:
        met.append(compared(.less, condition.comparison == .less ? start : end))
        if isBirthday, hasYear { met.append(compared(.greater, Self.betweenForms)) }
      case .greater, .greaterOrEqual:
        met.append(compared(.greaterOrEqual, condition.comparison == .greater ? end : start))
        if isBirthday, !hasYear { met.append(compared(.less, Self.betweenForms)) }
      case .contains, .present, .absent: met.append(condition)
      }
    }
    return (met, unmet)
  }

  /// After every `--MM-DD` and before every `YYYY-MM-DD`.
  private static let betweenForms = "."

  /// Comes after every character of a time.
  private static let afterAllTimes = "~"

  /// Checks that the fields of a query are fields of the collection, and that they can be compared as it says.
  ///
  /// A field that no table knows may be one that was imported: then the records decide. O(1) for known fields, O(n)
  /// for n records otherwise.
  ///
  /// - Throws: `Failure`, `usage` with the fields there are; or if the store cannot be read.
  func check(_ query: LibraryQuery, _ collection: CollectionName) throws(Failure) {
    for condition in query.conditions {
      let field = try field(condition.field, of: collection)
      if let hint = condition.misreading, try !isContained(condition, in: collection) {
        throw Failure(
          .config, .usage,
          "no \(condition.field) of \(collection) has '\(condition.value)', which was compared as a whole",
          hint: hint, code: .own(.badCondition))
      }
      if let mistake = field?.mistake(in: condition) {
        throw Failure(.config, .usage, mistake.message, hint: Advice(mistake.hint), code: .own(.badCondition))
      }
    }
    if let name = query.sortField {
      let fields = catalog.fields(of: collection)
      let list = fields.first { $0.kind == .objects && name.hasPrefix("\($0.name).") }
      let known: RecordField? = if let list { list } else { try field(name, of: collection) }
      if let known, let mistake = known.unordered {
        let others = fields.flatMap(\.leaves).filter { $0.unordered == nil }.map(\.name)
        let isObject = known.kind != .objects || others.isEmpty
        throw Failure(
          .config, .usage, mistake.message,
          hint: isObject ? Advice(mistake.hint) : "sort by one of \(others.prefix(5).joined(separator: ", "))",
          code: .own(.badSort))
      }
    }
  }

  /// Whether a record has the value of a condition, as it is written, in the field. O(n) for n records.
  private func isContained(
    _ condition: RecordCondition, in collection: CollectionName
  ) throws(Failure) -> Bool {
    let filter = filters.filter([RecordCondition(field: condition.field, comparison: .contains, value: condition.value)]
    )
    return try store.read { (snapshot) throws(StoreError) in
      var isFound = false
      try snapshot.scan(collection, .all) { (record: RawSpan) in
        isFound = filter.matches(record)
        return isFound ? .stop : .next
      }
      return isFound
    }
  }

  /// The field as the table knows it; `nil` where only records have it.
  private func field(_ name: String, of collection: CollectionName) throws(Failure) -> RecordField? {
    let fields = catalog.fields(of: collection)
    if let field = fields.first(where: { $0.name == name }) { return field }
    if let leaf = fields.lazy.flatMap(\.leaves).first(where: { $0.name == name }) { return leaf }
    if fields.contains(where: { $0.kind == .anyObject && name.hasPrefix("\($0.name).") }) { return nil }
    let list = fields.first { $0.kind == .objects && name.hasPrefix("\($0.name).") }
    if let list, list.members.contains(where: { "\(list.name).\($0.name)".exact == name.exact }) { return nil }
    let names: [String]
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      if list?.members.isEmpty ?? true, try isField(name, of: collection, in: snapshot) { return nil }
      if let list {
        names = try members(of: list, collection, in: snapshot).map { "\(list.name).\($0)" }
        if names.isEmpty { return nil }
      } else {
        names = fields.flatMap(\.leaves).map(\.name) + (try extraFields(collection, in: snapshot))
      }
    } catch {
      throw error.failure
    }
    let inner = list == nil ? fields.flatMap { list in list.members.map { "\(list.name).\($0.name)" } } : []
    let near = Self.suggestion(name, names + inner)
    let (kind, all) = (list.map { "members of \($0.name)" } ?? "fields", names.joined(separator: ", "))
    let known: Advice? =
      names.count <= 5
      ? "the \(kind) are \(all)"
      : near == nil ? "the \(kind) are \(NearestName.few(names)); \(suggestions(.listFields(collection)))" : nil
    throw Failure(
      .config, .usage, "'\(name)' is not a field of \(collection)",
      hint: [near, known].compactMap(\.self).joined(separator: " "), code: .own(.noField))
  }

  /// Whether a record has a value there that can be compared; also where nothing is known at all.
  private func isField(
    _ name: String, of collection: CollectionName, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> Bool {
    // Every value contains the empty text, an absent one and an object do not.
    let filter = filters.filter([RecordCondition(field: name, comparison: .contains, value: "")])
    var isThere = false
    var isEmpty = true
    try snapshot.scan(collection, .all) { (record: RawSpan) in
      isEmpty = false
      isThere = filter.matches(record)
      return isThere ? .stop : .next
    }
    return isThere || (isEmpty && catalog.fields(of: collection).isEmpty)
  }

  /// The members of the objects of a list: those that are described, otherwise those of the first records.
  private func members(
    of list: RecordField, _ collection: CollectionName, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [String] {
    var names = list.members.map(\.name)
    guard names.isEmpty else { return names }
    var left = 1000
    try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) in
      let objects = try coder.object(record, of: collection)[list.name]?.array?.compactMap(\.object) ?? []
      for key in objects.flatMap(\.keys) where !names.contains(key) { names.append(key) }
      left -= 1
      return left == 0 ? .stop : .next
    }
    return names
  }

  /// The unknown fields of the first records.
  private func extraFields(
    _ collection: CollectionName, in snapshot: any StoreSnapshot
  ) throws(StoreError) -> [String] {
    var names = catalog.fields(of: collection).map(\.name)
    let known = names.count
    var left = 1000
    try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) in
      for key in try coder.object(record, of: collection).keys where !names.contains(key) { names.append(key) }
      left -= 1
      return left == 0 ? .stop : .next
    }
    return Array(names.dropFirst(known))
  }

  /// `did you mean 'name'?`: the same name in another spelling, the nearest one, or those with a word that is near.
  private static func suggestion(_ name: String, _ names: [String]) -> Advice? {
    func plain(_ text: some StringProtocol) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    let typed = plain(name)
    guard !typed.isEmpty else { return nil }
    var meant = names.filter { plain($0) == typed || plain($0.drop { $0 != "." }) == typed }
    if meant.isEmpty, let nearest = NearestName.of(name, among: names) { meant = [nearest] }
    if meant.isEmpty, typed.count > 2 {
      meant = names.filter { plain($0).contains(typed) || NearestName.of(typed, among: words(of: $0)) != nil }
    }
    return meant.isEmpty ? nil : "did you mean \(meant.prefix(3).map { "'\($0)'" }.joined(separator: " or "))?"
  }

  /// `full` and `Name` of `fullName`.
  private static func words(of name: String) -> [String] {
    var words = [""]
    for character in name {
      if character.isUppercase || character == "." { words.append("") }
      words[words.count - 1].append(character)
    }
    return words
  }
}

/// Selects what some filters all select and none of the others does.
struct CombinedFilter: RecordFilter {
  let all: [any RecordFilter]
  let none: [any RecordFilter]

  func matches(_ record: RawSpan) -> Bool {
    all.allSatisfy { $0.matches(record) } && !none.contains { $0.matches(record) }
  }
}

extension RecordCondition {
  /// What to write where the value has what people do not mean as a part of it: quotation marks around it, or another
  /// condition, as in SQL. `nil` for other values.
  fileprivate var misreading: Advice? {
    guard comparison != .present, comparison != .absent else { return nil }
    for (first, last) in [("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“")] {
      let inner = value.dropFirst().dropLast()
      guard value.count > 1, value.hasPrefix(first), value.hasSuffix(last) else { continue }
      return "leave out the quotation marks: \(field) \(comparison.rawValue) \(String(inner))"
    }
    return isJoined ? "all of '\(value)' was compared: each condition is a 'where' of its own" : nil
  }

  /// Whether the value holds another condition: `1 and name = x`.
  private var isJoined: Bool {
    let words = value.split(separator: " ")
    return words.indices.dropFirst().contains { index in
      guard ["and", "or", "&&", "||"].contains(words[index].lowercased()) else { return false }
      let rest = words[(index + 1)...].joined(separator: " ")
      let field = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }
      return !field.isEmpty && "=!<>~".contains(rest.dropFirst(field.count).drop { $0 == " " }.first ?? " ")
    }
  }
}

extension RecordField {
  typealias Mistake = (message: String, hint: String)

  /// Why records cannot be ordered by it.
  var unordered: Mistake? {
    switch kind {
    case .object: ("'\(name)' is an object", "its fields are \(leaves.map(\.name).joined(separator: " and "))")
    case .anyObject: ("'\(name)' is an object", "name one of its members: \(name).MEMBER")
    case .objects:
      (
        "'\(name)' is a list of objects, which has no order",
        "use =, != or ~, or name a member: \(members.isEmpty ? "\(name).MEMBER" : members.map { "\(name).\($0)" }.joined(separator: ", "))"
      )
    default: nil
    }
  }

  /// Why a condition on it would be met by nothing, or by everything, whatever the records hold.
  func mistake(in condition: RecordCondition) -> Mistake? {
    if condition.comparison == .present || condition.comparison == .absent { return nil }
    let isExact = condition.comparison == .equal || condition.comparison == .notEqual
    if let unordered, kind != .objects || !(isExact || condition.comparison == .contains) { return unordered }
    // What contains a text is asked of the characters, whatever they write.
    guard condition.comparison != .contains else { return nil }
    let value = condition.value
    if ![.text, .texts, .objects].contains(kind), isExact, ["", "null", "nil", "none"].contains(value.lowercased()) {
      return (
        "'\(name)' cannot be compared with '\(value)'",
        "'\(name) is absent' finds the records without it, '\(name) is present' those that have it"
      )
    }
    switch kind {
    case .whole, .decimal:
      return Self.isNumber(value) ? nil : ("'\(name)' is a number, '\(value)' is not", "write one such as 10 or 0.5")
    case .flag:
      if !isExact {
        return ("'\(name)' is true or false: '\(condition.comparison.rawValue)' has no meaning", "use = or !=")
      }
      return value == "true" || value == "false"
        ? nil : ("'\(name)' is true or false, not '\(value)'", "write '\(name) = true' or '\(name) = false'")
    case .time, .timeOrDay, .birthday:
      let patterns = kind.patterns
      let isRead = patterns.contains { Self.value(value, begins: $0) && Self.isPossible(value, in: $0) }
      if isRead { return nil }
      let forms = patterns.map(Self.example).joined(separator: " or ")
      return (
        "'\(name)' cannot be compared with '\(value)'",
        "write it as \(forms), or the beginning of one, such as 2026 or 2026-01"
      )
    case .text, .texts, .objects, .object, .anyObject: return nil
    }
  }

  private static func example(_ pattern: String) -> String {
    var digits = "20260131123000"[...]
    if pattern.hasPrefix("--") { digits = "0131" }
    return String(pattern.map { $0 == "0" ? digits.popFirst() ?? "0" : $0 })
  }

  /// Whether the value is the beginning of what the pattern describes, where `0` is any digit. The empty text is not.
  private static func value(_ value: String, begins pattern: String) -> Bool {
    guard !value.isEmpty, value.utf8.count <= pattern.utf8.count else { return false }
    return zip(value.utf8, pattern.utf8).allSatisfy { $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1 }
  }

  /// Whether the calendar has a day, and the clock a time, that begins like the value, which begins the pattern.
  private static func isPossible(_ value: String, in pattern: String) -> Bool {
    let digits = zip(value.utf8, pattern.utf8).filter { $1 == 0x30 }.map { Int($0.0) - 0x30 }
    let hasYear = !pattern.hasPrefix("--")
    var rest = digits.dropFirst(hasYear ? 4 : 0)
    // Without a year, February has 29 days.
    let year = hasYear ? digits.prefix(4).reduce(0) { $0 * 10 + $1 } : 2000
    var month = 1
    for place in 0..<5 where !rest.isEmpty {
      let most = place == 0 ? 12 : place == 1 ? CivilDate.days(inMonth: month, year: year) : place == 2 ? 23 : 59
      let pair = rest.prefix(2)
      rest = rest.dropFirst(2)
      // One digit is the first of two.
      let read = pair.reduce(0) { $0 * 10 + $1 }
      let number = pair.count == 1 ? read * 10 : read
      guard number <= most, place > 1 || number > 0 || pair.count == 1 else { return false }
      if place == 0 { month = number }
    }
    return true
  }

  /// RFC 8259 section 6.
  private static func isNumber(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == 0x2D { rest.removeFirst() }
    let isZero = rest.first == 0x30
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return false }
    if rest.first == 0x2E {
      rest.removeFirst()
      guard digits() > 0 else { return false }
    }
    if let mark = rest.first, mark | 0x20 == 0x65 {
      rest.removeFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

extension RecordField.Kind {
  /// How its values are written; `0` is any digit.
  fileprivate var patterns: [String] {
    switch self {
    case .time: ["0000-00-00T00:00:00Z"]
    case .timeOrDay: ["0000-00-00T00:00:00Z", "0000-00-00"]
    case .birthday: ["0000-00-00", "--00-00"]
    default: []
    }
  }
}
