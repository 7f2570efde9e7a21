import Models

/// One change of the config file's text: some bytes in place of others.
struct SettingsEdit {
  let range: Range<Int>
  let text: String

  func applied(to bytes: [UInt8]) -> [UInt8] {
    bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...]
  }

  /// One entry by another, in the layout of the old one.
  static func replacing(_ entry: JSONNode, with follow: Follow) -> SettingsEdit {
    SettingsEdit(range: entry.offset..<entry.endOffset, text: SettingsLayout(like: entry).entry(follow))
  }

  /// More entries at the end of `follows`, which is added where it is absent; `nil` where there is no place for them.
  static func inserting(_ follows: [Follow], root: JSONNode) -> SettingsEdit? {
    if follows.isEmpty { return nil }
    var entries: [JSONNode] = []
    root["follows"]?.forEachElement { _, entry in entries.append(entry) }
    guard let list = root["follows"], let last = entries.last else {
      return setting([.member("follows")], to: .array(follows.map { .object($0.fields) }), root: root)
    }
    let before = entries.count > 1 ? entries[entries.count - 2].endOffset : list.offset + 1
    var separator = SettingsLayout.text(list, before, last.offset)
    let layout = SettingsLayout(like: last)
    if entries.count == 1 {
      separator = separator.contains { $0.isNewline } ? ",\(separator)" : layout.colon.hasSuffix(" ") ? ", " : ","
    }
    return SettingsEdit(
      range: last.endOffset..<last.endOffset, text: follows.map { separator + layout.entry($0) }.joined())
  }
}

/// How an entry of `follows` is laid out: the white space around its parts.
struct SettingsLayout {
  /// Between `{` and the first name.
  var open = ""
  var separator = ", "
  var colon = ": "
  /// Between the last value and `}`.
  var close = ""

  /// One line, with a space after `,` and `:`.
  init(open: String = "", close: String = "") {
    self.open = open
    self.close = close
  }

  /// As an object of the file is laid out.
  ///
  /// - Parameter object: an object; where it has no members, the layout is the usual one.
  init(like object: JSONNode) {
    var ends: [(name: Range<Int>, value: Range<Int>)] = []
    object.forEachMember { name, value in
      ends.append((name.offset..<name.endOffset, value.offset..<value.endOffset))
    }
    guard let first = ends.first, let last = ends.last else { return }
    open = Self.text(object, object.offset + 1, first.name.lowerBound)
    colon = Self.text(object, first.name.upperBound, first.value.lowerBound)
    close = Self.text(object, last.value.upperBound, object.endOffset - 1)
    if ends.count > 1 {
      separator = Self.text(object, first.value.upperBound, ends[1].name.lowerBound)
    } else {
      separator = open.contains { $0.isNewline } ? ",\(open)" : colon.hasSuffix(" ") ? ", " : ","
    }
  }

  static func text(_ node: JSONNode, _ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: node.base + start, count: end - start), as: UTF8.self)
  }

  /// A follow as an object with this layout, with the members that it has.
  func entry(_ follow: Follow) -> String {
    let written = follow.fields.members.map {
      "\(JSONText.compact(.string($0.key)))\(colon)\(JSONText.compact($0.value))"
    }
    return "{\(open)\(written.joined(separator: separator))\(close)}"
  }
}

// MARK: One value

extension SettingsEdit {
  enum Step: Hashable {
    case member(String)
    case element(Int)
  }

  /// The parts of `servers.people.url` and `follows[0].limit`; `nil` for another text.
  static func steps(_ place: String) -> [Step]? {
    var steps: [Step] = []
    for part in place.split(separator: ".", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "[" }
      if !name.isEmpty { steps.append(.member(String(name))) } else if steps.isEmpty || part.isEmpty { return nil }
      for index in part.dropFirst(name.count).split(separator: "[") {
        guard index.last == "]", let number = Int(index.dropLast()), number >= 0 else { return nil }
        steps.append(.element(number))
      }
    }
    return steps.isEmpty ? nil : steps
  }

  static func node(at steps: [Step], of root: JSONNode) -> JSONNode? {
    steps.reduce(root) { node, step in node.flatMap { child(step, of: $0) } }
  }

  private static func child(_ step: Step, of node: JSONNode) -> JSONNode? {
    switch step {
    case .member(let name): node.member(name)
    case .element(let index): node[index]
    }
  }

  /// The value at a path replaced, added or removed; `nil` where there is no place for it, or nothing to remove. What is new
  /// is laid out as the rest of the file is.
  static func setting(_ steps: [Step], to value: JSONValue?, root: JSONNode) -> SettingsEdit? {
    var (node, parent) = (root, root)
    for (depth, step) in steps.enumerated() {
      guard let next = child(step, of: node) else {
        guard let value, case .member(let name) = step, node.isObject else { return nil }
        guard let inner = nested(Array(steps[(depth + 1)...]), value) else { return nil }
        return adding(name, inner, to: node, SettingsStyle(of: root))
      }
      (node, parent) = (next, node)
    }
    guard let value else { return removing(node, from: parent) }
    let style = SettingsStyle(of: root)
    let line = SettingsStyle.isOverLines(parent) ? style.line(of: node) : nil
    return SettingsEdit(range: node.offset..<node.endOffset, text: style.text(value, line))
  }

  /// The value in the objects that lead to it; `nil` where that would need a list.
  private static func nested(_ steps: [Step], _ value: JSONValue) -> JSONValue? {
    var value = value
    for step in steps.reversed() {
      guard case .member(let name) = step else { return nil }
      value = .object(JSONObject(members: [JSONObject.Member(key: name, value: value)]))
    }
    return value
  }

  private static func adding(
    _ name: String, _ value: JSONValue, to object: JSONNode, _ style: SettingsStyle
  ) -> SettingsEdit {
    var end: Int?
    object.forEachMember { _, value in end = value.endOffset }
    guard let end else {
      let member = JSONValue.object(JSONObject(members: [JSONObject.Member(key: name, value: value)]))
      return SettingsEdit(range: object.offset..<object.endOffset, text: style.text(member, style.line(of: object)))
    }
    let layout = SettingsLayout(like: object)
    let line = layout.separator.firstIndex { $0.isNewline }.map { String(layout.separator[$0...]) }
    return SettingsEdit(
      range: end..<end,
      text: "\(layout.separator)\(JSONText.compact(.string(name)))\(layout.colon)\(style.text(value, line))")
  }

  /// A member or an element with what parts it from its neighbour.
  static func removing(_ node: JSONNode, from parent: JSONNode) -> SettingsEdit {
    var parts: [(start: Int, end: Int)] = []
    parent.forEachMember { name, value in parts.append((name.offset, value.endOffset)) }
    parent.forEachElement { _, element in parts.append((element.offset, element.endOffset)) }
    let index = parts.firstIndex { $0.end == node.endOffset } ?? 0
    if index > 0 { return SettingsEdit(range: parts[index - 1].end..<parts[index].end, text: "") }
    if parts.count > 1 { return SettingsEdit(range: parts[0].start..<parts[1].start, text: "") }
    return SettingsEdit(range: parent.offset + 1..<parent.endOffset - 1, text: "")
  }
}

/// How a file is laid out: the white space around values that are new in it.
struct SettingsStyle {
  /// What begins a line of the outermost object, without its indentation; `nil` for a file in one line.
  private var lineEnd: String?
  /// What each level adds to the indentation.
  private var unit = "  "
  private var colon = ": "
  /// Whether objects, or arrays, of plain values are over lines as well.
  private var (expandsObjects, expandsArrays) = (false, false)

  init(of root: JSONNode) {
    let layout = SettingsLayout(like: root)
    guard Self.first(in: root) != nil else {
      lineEnd = "\n"
      return
    }
    colon = layout.colon
    guard let last = layout.open.lastIndex(where: { $0.isNewline }) else { return }
    lineEnd = String(layout.open[last])
    let indentation = layout.open[layout.open.index(after: last)...]
    if !indentation.isEmpty { unit = String(indentation) }
    var plain: [(isObject: Bool, isOverLines: Bool)] = []
    root.forEachMember { _, value in Self.collect(value, &plain) }
    func expands(_ isObject: Bool) -> Bool {
      let some = plain.filter { $0.isObject == isObject }
      return !some.isEmpty && some.allSatisfy(\.isOverLines)
    }
    (expandsObjects, expandsArrays) = (expands(true), expands(false))
  }

  private static func collect(_ node: JSONNode, _ plain: inout [(isObject: Bool, isOverLines: Bool)]) {
    var isPlain = first(in: node) != nil
    node.forEachMember { _, value in
      isPlain = isPlain && !value.isObject && !value.isArray
      collect(value, &plain)
    }
    node.forEachElement { _, value in
      isPlain = isPlain && !value.isObject && !value.isArray
      collect(value, &plain)
    }
    if isPlain { plain.append((node.isObject, isOverLines(node))) }
  }

  /// Where the first member or element begins; `nil` where there is none.
  private static func first(in node: JSONNode) -> Int? {
    var first: Int?
    node.forEachMember { name, _ in first = first ?? name.offset }
    node.forEachElement { _, element in first = first ?? element.offset }
    return first
  }

  /// Whether each member or element has a line of its own.
  static func isOverLines(_ node: JSONNode) -> Bool {
    first(in: node).map { SettingsLayout.text(node, node.offset + 1, $0).contains { $0.isNewline } } ?? false
  }

  /// What begins a line with the indentation of the line on which a value begins; `nil` for a file in one line.
  func line(of node: JSONNode) -> String? {
    let before = SettingsLayout.text(node, 0, node.offset)
    let line = before.lastIndex { $0.isNewline }.map { before[before.index(after: $0)...] } ?? before[...]
    return lineEnd.map { $0 + line.prefix { $0 == " " || $0 == "\t" } }
  }

  /// The text of a value.
  ///
  /// - Parameter line: what begins a line with the indentation of the value's first line; `nil` for a value in one line.
  func text(_ value: JSONValue, _ line: String?) -> String {
    let (ends, parts): (String, [(name: String?, value: JSONValue)])
    switch value {
    case .object(let object): (ends, parts) = ("{}", object.members.map { ($0.key, $0.value) })
    case .array(let values): (ends, parts) = ("[]", values.map { (nil, $0) })
    default: return JSONText.compact(value)
    }
    guard let first = ends.first, let last = ends.last, !parts.isEmpty else { return ends }
    let isObject = value.object != nil
    let expands = (isObject ? expandsObjects : expandsArrays) || parts.contains { isNested($0.value) }
    let inner = expands ? line.map { $0 + unit } : nil
    let written = parts.map { part in
      (part.name.map { JSONText.compact(.string($0)) + colon } ?? "") + text(part.value, inner)
    }
    guard let line, let inner else {
      return "\(first)\(written.joined(separator: colon.hasSuffix(" ") ? ", " : ","))\(last)"
    }
    return "\(first)\(inner)\(written.joined(separator: ",\(inner)"))\(line)\(last)"
  }

  /// Whether what contains a value is over lines: an object in it, or an array of others.
  private func isNested(_ value: JSONValue) -> Bool {
    value.object.map { !$0.members.isEmpty } ?? value.array?.contains { $0.object != nil || $0.array != nil } ?? false
  }
}
