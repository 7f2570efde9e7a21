import Models

/// One change of the config file's text: some bytes in place of others.
struct SettingsEdit {
  /// What goes.
  let range: Range<Int>
  /// What comes.
  let text: String

  /// The text after the change.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    bytes[..<range.lowerBound] + Array(text.utf8) + bytes[range.upperBound...]
  }

  /// One entry by another, in the layout of the old one.
  static func replacing(_ entry: JSONNode, with follow: Follow) -> SettingsEdit {
    SettingsEdit(range: entry.offset..<entry.endOffset, text: SettingsLayout(like: entry).entry(follow))
  }

  /// An entry with the comma and the white space that parted it from its neighbour.
  static func removing(_ index: Int, of list: JSONNode) -> SettingsEdit {
    let entries = elements(of: list)
    if index > 0 { return SettingsEdit(range: entries[index - 1].endOffset..<entries[index].endOffset, text: "") }
    if entries.count > 1 { return SettingsEdit(range: entries[0].offset..<entries[1].offset, text: "") }
    return SettingsEdit(range: list.offset + 1..<list.endOffset - 1, text: "")
  }

  /// One entry more at the end of `follows`, which comes into being where it is absent.
  static func inserting(_ follow: Follow, root: JSONNode) -> SettingsEdit {
    guard let list = root["follows"] else { return addingList(follow, root: root) }
    let entries = elements(of: list)
    guard let last = entries.last else { return filling(list, follow, root: root) }
    let before = entries.count > 1 ? entries[entries.count - 2].endOffset : list.offset + 1
    var separator = SettingsLayout.text(list, before, last.offset)
    let layout = SettingsLayout(like: last)
    if entries.count == 1 {
      separator = separator.contains { $0.isNewline } ? ",\(separator)" : layout.colon.hasSuffix(" ") ? ", " : ","
    }
    return SettingsEdit(range: last.endOffset..<last.endOffset, text: separator + layout.entry(follow))
  }

  private static func elements(of list: JSONNode) -> [JSONNode] {
    var elements: [JSONNode] = []
    list.forEachElement { _, element in elements.append(element) }
    return elements
  }

  /// The first entry of an empty list.
  private static func filling(_ list: JSONNode, _ follow: Follow, root: JSONNode) -> SettingsEdit {
    SettingsEdit(range: list.offset..<list.endOffset, text: self.list(follow, like: SettingsLayout(like: root)))
  }

  /// `follows` as the last member of the file.
  private static func addingList(_ follow: Follow, root: JSONNode) -> SettingsEdit {
    var end: Int?
    root.forEachMember { _, value in end = value.endOffset }
    guard let end else {
      let layout = SettingsLayout(open: "\n  ", close: "\n")
      return SettingsEdit(
        range: root.offset + 1..<root.endOffset - 1,
        text: "\(layout.open)\"follows\": \(list(follow, like: layout))\(layout.close)")
    }
    let layout = SettingsLayout(like: root)
    return SettingsEdit(
      range: end..<end, text: "\(layout.separator)\"follows\"\(layout.colon)\(list(follow, like: layout))")
  }

  /// A list of one entry as a member of the root: over lines where the root's members are, one level deeper each.
  private static func list(_ follow: Follow, like root: SettingsLayout) -> String {
    var layout = SettingsLayout()
    layout.colon = root.colon
    if !root.colon.hasSuffix(" ") { layout.separator = "," }
    guard let lineEnd = root.open.lastIndex(where: { $0.isNewline }) else { return "[\(layout.entry(follow))]" }
    let indentation = root.open[root.open.index(after: lineEnd)...]
    let line = "\(root.open[lineEnd])\(indentation)"
    return "[\(line)\(indentation)\(layout.entry(follow))\(line)]"
  }
}

/// How an entry of `follows` is laid out: the white space around its parts.
struct SettingsLayout {
  /// Between `{` and the first name.
  var open = ""
  /// Between two members.
  var separator = ", "
  /// Between a name and its value.
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

  /// The bytes of the file between two offsets.
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

  /// A new file with one follow.
  static func file(_ follow: Follow) -> String {
    "{\n  \"follows\": [\n    \(SettingsLayout().entry(follow))\n  ]\n}\n"
  }
}

// MARK: One value

extension SettingsEdit {
  /// A part of the path of a value.
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

  /// The value at a path; `nil` where there is none.
  static func node(at steps: [Step], of root: JSONNode) -> JSONNode? {
    var node = root
    for step in steps {
      let next: JSONNode? =
        switch step {
        case .member(let name): node.member(name)
        case .element(let index): node[index]
        }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// The value at a path replaced, added or removed; `nil` where there is no place for it, or nothing to remove.
  static func setting(_ steps: [Step], to value: JSONValue?, root: JSONNode) -> SettingsEdit? {
    var (node, parent) = (root, root)
    for (depth, step) in steps.enumerated() {
      let next: JSONNode? =
        switch step {
        case .member(let name): node.member(name)
        case .element(let index): node[index]
        }
      guard let next else {
        guard let value, case .member(let name) = step, node.isObject else { return nil }
        return adding(name, nested(Array(steps[(depth + 1)...]), value), to: node)
      }
      (node, parent) = (next, node)
    }
    guard let value else { return removing(node, from: parent) }
    return SettingsEdit(range: node.offset..<node.endOffset, text: JSONText.compact(value))
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

  /// One member more at the end of an object.
  private static func adding(_ name: String, _ value: JSONValue?, to object: JSONNode) -> SettingsEdit? {
    guard let value else { return nil }
    let layout = SettingsLayout(like: object)
    let member = "\(JSONText.compact(.string(name)))\(layout.colon)\(JSONText.compact(value))"
    var end: Int?
    object.forEachMember { _, value in end = value.endOffset }
    guard let end else {
      return SettingsEdit(range: object.offset..<object.endOffset, text: "{\(member)}")
    }
    return SettingsEdit(range: end..<end, text: layout.separator + member)
  }

  /// A member or an element with what parts it from its neighbour.
  private static func removing(_ node: JSONNode, from parent: JSONNode) -> SettingsEdit {
    var parts: [(start: Int, end: Int)] = []
    parent.forEachMember { name, value in parts.append((name.offset, value.endOffset)) }
    parent.forEachElement { _, element in parts.append((element.offset, element.endOffset)) }
    let index = parts.firstIndex { $0.end == node.endOffset } ?? 0
    if index > 0 { return SettingsEdit(range: parts[index - 1].end..<parts[index].end, text: "") }
    if parts.count > 1 { return SettingsEdit(range: parts[0].start..<parts[1].start, text: "") }
    return SettingsEdit(range: parent.offset + 1..<parent.endOffset - 1, text: "")
  }

  /// A new file with one value; `nil` where that would need a list.
  static func file(_ steps: [Step], _ value: JSONValue) -> String? {
    guard case .member(let name)? = steps.first, let inner = nested(Array(steps.dropFirst()), value) else { return nil }
    return "{\n  \(JSONText.compact(.string(name))): \(JSONText.compact(inner))\n}\n"
  }
}
