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
    var members: JSONObject = ["follow": .string(follow.path)]
    members.append("limit", follow.limit)
    members.append("every", follow.every?.description)
    members.members += follow.options.members
    let written = members.members.map { "\(JSONText.compact(.string($0.key)))\(colon)\(JSONText.compact($0.value))" }
    return "{\(open)\(written.joined(separator: separator))\(close)}"
  }

  /// A new file with one follow.
  static func file(_ follow: Follow) -> String {
    "{\n  \"follows\": [\n    \(SettingsLayout().entry(follow))\n  ]\n}\n"
  }
}
