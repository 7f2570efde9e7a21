/// The places of names in `Package.swift`, so that a message about a dependency refers to the line that declares it.
///
/// The manifest is searched for string literals and not interpreted. A target is assumed to be declared at the first
/// literal that is its name and the first argument of a call (`.target(name: "A"`, `.module("A"`). Its dependencies are
/// between that place and the next declaration.
package struct ManifestPlaces: Sendable {
  private struct Literal: Sendable {
    var text: String
    var line: Int
    var column: Int
    /// The name of the call whose first argument it is, if any: `module` in `.module("A"`.
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
      // A helper may build the name: `.tests("Models")` declares ModelsTests.
      for name in [literal.text, literal.text + call.prefix(1).uppercased() + call.dropFirst()]
      where names.contains(name) && declarations[name] == nil {
        declarations[name] = index
        break
      }
    }
  }

  /// The call whose first argument is the literal, with or without the label `name:`, unless that call names something
  /// else with the same word.
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

  package var start: Place { Place(path, (1, 1)) }

  private func place(of literal: Literal?) -> Place { literal.map { Place(path, ($0.line, $0.column)) } ?? start }

  /// The place of the target's declaration; 1:1 if its name is not a literal.
  package func place(ofTarget name: String) -> Place {
    place(of: (declarations[name] ?? literals.firstIndex { $0.text == name }).map { literals[$0] })
  }

  /// The place of a package's URL, path or identity; 1:1 if it is not a literal.
  package func place(ofPackage identity: String) -> Place {
    place(
      of: literals.first { literal in
        let name = literal.text.split(separator: "/").last ?? ""
        return (name.hasSuffix(".git") ? name.dropLast(4) : name).lowercased() == identity.lowercased()
      })
  }

  /// The place where `target` declares the dependency; the place of the target if it is not a literal.
  package func place(ofDependency dependency: String, of target: String) -> Place {
    guard let start = declarations[target] else { return place(ofTarget: target) }
    let others = Set(declarations.values)
    let end = literals.indices.dropFirst(start + 1).first(where: others.contains) ?? literals.endIndex
    let literal = literals[(start + 1)..<end].first { $0.text == dependency }
    return literal.map { place(of: $0) } ?? place(ofTarget: target)
  }
}
