/// The places of names in `Package.swift`, so that a message about an edge points at the line that declares it.
///
/// A manifest is a program; its text is searched for string literals and is not interpreted. A target is taken to
/// be declared at the first literal that is its name and opens a call (`.target(name: "A"`, `.module("A"`); its
/// dependencies are between there and the next declaration.
package struct ManifestPlaces: Sendable {
  private struct Literal: Sendable {
    var text: String
    var line: Int
    var column: Int
    /// The name of the call that it opens, if any: `module` in `.module("A"`.
    var call: String?
  }

  package let path = "Package.swift"
  private var literals: [Literal] = []
  private var declarations: [String: Int] = [:]

  package init(_ source: SourceBytes, targets: [String]) {
    var cursor = SourceCursor(source)
    var lines = LineCounter(source)
    while cursor.position < source.count {
      cursor.position = cursor.nextSpecial()
      guard cursor.position < source.count else { break }
      let start = cursor.position
      let known = cursor.strings.count
      cursor.skipSpecial()
      guard source.base[start] == Byte.quote, cursor.strings.count > known, cursor.position - start >= 2 else {
        continue
      }
      let place = lines.place(of: start)
      literals.append(
        Literal(
          text: source.text(start + 1..<cursor.position - 1), line: place.line, column: place.column,
          call: Self.call(openedAt: start, endingAt: cursor.position, in: source)))
    }
    let names = Set(targets)
    for (index, literal) in literals.enumerated() {
      guard let call = literal.call else { continue }
      // A vocabulary may build the name: `.tests("Models")` declares ModelsTests.
      for name in [literal.text, literal.text + call.prefix(1).uppercased() + call.dropFirst()]
      where names.contains(name) && declarations[name] == nil {
        declarations[name] = index
        break
      }
    }
  }

  /// The call that the literal is the first argument of, with or without a label `name:`, unless that is one which names
  /// something else by the same word.
  private static func call(openedAt start: Int, endingAt end: Int, in source: SourceBytes) -> String? {
    var before = source.text(max(0, start - 80)..<start).filter { !$0.isWhitespace }[...]
    if before.hasSuffix("name:") { before = before.dropLast(5) }
    guard before.hasSuffix("(") else { return nil }
    let call = String(before.dropLast().reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
    if ["product", "byName", "Package", "package"].contains(call) { return nil }
    // A product: `.library(name: "A", targets: …`.
    let after = source.text(end..<min(end + 40, source.count)).filter { !$0.isWhitespace }
    return after.hasPrefix(",targets:") || after.hasPrefix(",type:") ? nil : call
  }

  /// Where the target is declared; 1:1 when its name is not written out.
  package func place(ofTarget name: String) -> (line: Int, column: Int) {
    guard let index = declarations[name] ?? literals.firstIndex(where: { $0.text == name }) else { return (1, 1) }
    return (literals[index].line, literals[index].column)
  }

  /// The place of a package's URL, path or identity; 1:1 when it is not written out.
  package func place(ofPackage identity: String) -> (line: Int, column: Int) {
    let literal = literals.first { literal in
      let name = literal.text.split(separator: "/").last ?? ""
      return (name.hasSuffix(".git") ? name.dropLast(4) : name).lowercased() == identity.lowercased()
    }
    return literal.map { ($0.line, $0.column) } ?? (1, 1)
  }

  /// Where `target` says that it depends on `dependency`; the target's own place when that is not written out.
  package func place(ofDependency dependency: String, of target: String) -> (line: Int, column: Int) {
    guard let start = declarations[target] else { return place(ofTarget: target) }
    let others = Set(declarations.values)
    for (index, literal) in literals.enumerated().dropFirst(start + 1) {
      if others.contains(index) { break }
      if literal.text == dependency { return (literal.line, literal.column) }
    }
    return place(ofTarget: target)
  }
}
