import Models

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
