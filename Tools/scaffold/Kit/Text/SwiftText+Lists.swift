extension SwiftText {
  /// Puts an element before another one of a list: on its line where there is room, otherwise on a line of its own at
  /// the list's end.
  mutating func insert(element: String, before other: String, in list: Range<Int>) throws(ScaffoldError) {
    let offset = try place(of: other, in: list)
    let line = line(at: offset)
    let width = bytes[line].count - 1 + element.utf8.count + 2
    if width <= Layout.width {
      insert("\(element), ", at: offset)
    } else {
      try append(element: element, to: list)
    }
  }

  /// Puts an element at the end of a list: on a line of its own where the list's end has one.
  mutating func append(element: String, to list: Range<Int>) throws(ScaffoldError) {
    let end = list.upperBound
    guard isFirstOnLine(end) else {
      insert(", \(element)", at: end)
      return
    }
    let line = line(at: end)
    let indentation = String(repeating: " ", count: end - line.lowerBound + 2)
    guard words(of: self.line(at: line.lowerBound - 1)).hasSuffix(",") || list.count < 4 else {
      throw error("the last element of the list is not followed by a comma", at: line.lowerBound - 1)
    }
    let text = element.split(separator: "\n").map { "\(indentation)\($0)\n" }.joined()
    let comma = element.hasSuffix(",") ? text : String(text.dropLast()) + ",\n"
    insert(comma, at: line.lowerBound)
  }

  /// Takes an element out of a list, with the line that it has for itself.
  ///
  /// - Parameter start: what it begins with; where that holds a `(`, everything up to the bracket's end goes.
  mutating func remove(element start: String, from list: Range<Int>) throws(ScaffoldError) {
    let first = try place(of: start, in: list)
    var end = first + start.utf8.count
    if let bracket = start.utf8.firstIndex(of: 0x28) {
      end = try closing(of: first + start.utf8.distance(from: start.startIndex, to: bracket)) + 1
    }
    // A pair of a dictionary goes with its value.
    if end < list.upperBound, bytes[end] == 0x3A {
      while end < list.upperBound, !(isCode[end] && bytes[end] == 0x2C) { end += 1 }
    }
    let hasComma = end < list.upperBound && bytes[end] == 0x2C
    if hasComma { end += 1 }
    if isFirstOnLine(first), end < bytes.count, bytes[end] == 0x0A {
      remove(line(at: first).lowerBound..<(end + 1))
    } else if hasComma {
      remove(first..<(bytes[end] == 0x20 ? end + 1 : end))
    } else {
      let before = bytes[..<first].lastIndex { $0 != 0x20 && $0 != 0x0A } ?? first
      remove((bytes[before] == 0x2C ? before : first)..<end)
    }
  }

  /// Adds an import where the order of names puts it.
  mutating func add(import module: String) throws(ScaffoldError) {
    let imports = places(of: "import").map(line).compactMap { line -> (name: String, line: Range<Int>)? in
      let words = words(of: line).split(separator: " ")
      // `import A`, `public import A`
      guard let name = words.last, words.dropLast().last == "import", words.count <= 3 else { return nil }
      return (String(name), line)
    }
    guard let last = imports.last else { throw error("imports are expected at the top") }
    let next = imports.first { $0.name > module }
    insert("import \(module)\n", at: next?.line.lowerBound ?? last.line.upperBound)
  }

  /// Takes an import away.
  mutating func remove(import module: String) throws(ScaffoldError) {
    guard let offset = places(of: "import \(module)").first(where: isImport) else {
      throw error("'import \(module)' is expected here and is not there")
    }
    remove(line(at: offset))
  }

  private func isImport(at offset: Int) -> Bool { isFirstOnLine(offset) }
}
