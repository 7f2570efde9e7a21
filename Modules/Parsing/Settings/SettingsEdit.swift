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
