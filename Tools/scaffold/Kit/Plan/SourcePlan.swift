import Foundation

/// The changes that add or remove a source.
enum SourcePlan {
  /// The changes that add a source.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` if a name is in use or the tree is not as expected.
  static func adding(_ source: NewSource, to tree: Tree) throws(ScaffoldError) -> [Change] {
    let new = files(of: source)
    for (path, _) in new where tree.exists(path) {
      throw ScaffoldError(.refused, "there is such a file already", place: path)
    }
    for folder in folders(of: source.module) where tree.exists(folder) {
      throw ScaffoldError(.refused, "there is such a folder already", place: folder)
    }
    try NameCheck(tree).check(source)
    return new.map { Change(path: $0.0, before: nil, after: $0.1) }
      + (try Registration.adding(source, to: tree))
  }

  /// The changes that remove a source, including its own files.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` if there is no such source, or if other code still names it.
  static func removing(_ module: String, from tree: Tree) throws(ScaffoldError) -> [Change] {
    let source = try KnownSource(module: module, in: tree)
    let own = folders(of: module).flatMap(tree.files) + ["Modules/Models/Records/\(source.record).swift"]
    var changes: [Change] = []
    for path in own { changes.append(Change(path: path, before: try tree.text(path), after: nil)) }
    changes += try Registration.removing(source, from: tree)
    try NameCheck(tree).checkNothingIsLeft(of: source, after: changes)
    return changes
  }

  /// The folders of a single source.
  static func folders(of module: String) -> [String] {
    ["Modules/Parsing/\(module)", "Modules/Features/\(module)", "Tests/\(module)Tests"]
  }

  private static func files(of source: NewSource) -> [(String, String)] {
    let (module, record) = (source.module, source.record)
    return [
      ("Modules/Models/Records/\(record).swift", ModelTemplate.text(source)),
      ("Modules/Parsing/\(module)/\(source.parser).swift", ParserTemplate.text(source)),
      ("Modules/Features/\(module)/\(source.source).swift", SourceTemplate.text(source)),
      ("Tests/\(module)Tests/\(record)Sample.swift", SampleTemplate.text(source)),
      ("Tests/\(module)Tests/\(source.parser)Tests.swift", ParserTestsTemplate.text(source)),
      ("Tests/\(module)Tests/\(source.source)Tests.swift", SourceTestsTemplate.text(source)),
    ]
  }
}

/// Checks whether names are in use.
struct NameCheck {
  private let tree: Tree

  init(_ tree: Tree) { self.tree = tree }

  /// Checks every name that a source would add.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` with the place that uses the name.
  func check(_ source: NewSource) throws(ScaffoldError) {
    let manifest = try tree.text(Registration.manifest)
    if let offset = manifest.firstRange(of: "\"\(source.module)\"")?.lowerBound {
      let line = 1 + manifest[..<offset].count { $0 == "\n" }
      throw ScaffoldError(
        .refused, "the package has a \"\(source.module)\" already", place: "\(Registration.manifest):\(line)")
    }
    let names = [source.module, source.record, source.parser, source.source]
    for path in tree.files(below: "Modules") where path.hasSuffix(".swift") {
      let text = try tree.text(path)
      let found = names.filter { Self.holds(text, $0) }
      if found.isEmpty { continue }
      let file = SwiftText(path: path, text)
      for name in found {
        for keyword in ["struct", "enum", "class", "protocol", "actor", "typealias", "associatedtype"] {
          guard let offset = file.places(of: "\(keyword) \(name)").first else { continue }
          throw file.error("there is a \(keyword) '\(name)' already", at: offset)
        }
      }
    }
    for value in ["SourceName(rawValue: \"\(source.name)\")", "CollectionName(rawValue: \"\(source.collection)\")"] {
      try checkIsFree(value)
    }
  }

  /// Whether a text contains a word. Most files do not, and need no closer inspection.
  private static func holds(_ text: String, _ word: String) -> Bool {
    text.withCString { text in strstr(text, word) != nil }
  }

  /// Checks that no module creates the value whose text has the name.
  private func checkIsFree(_ value: String) throws(ScaffoldError) {
    for path in tree.files(below: "Modules") where path.hasSuffix(".swift") {
      let text = try tree.text(path)
      guard Self.holds(text, value), let offset = text.firstRange(of: value)?.lowerBound else { continue }
      let line = 1 + text[..<offset].count { $0 == "\n" }
      throw ScaffoldError(.refused, "the name in \(value) is taken", place: "\(path):\(line)")
    }
  }

  /// Checks that no code names what is removed.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` with the first place that does.
  func checkNothingIsLeft(of source: KnownSource, after changes: [Change]) throws(ScaffoldError) {
    let planned = Dictionary(uniqueKeysWithValues: changes.map { ($0.path, $0) })
    let names = [
      source.source, "\(source.record)Parser", "\(source.record).self",
      "import \(source.module)",
    ]
    for folder in ["Modules", "Apps", "Tests"] {
      for path in tree.files(below: folder) where path.hasSuffix(".swift") {
        if let change = planned[path], change.after == nil { continue }
        var text = planned[path]?.after
        if text == nil { text = try tree.text(path) }
        let found = names.filter { Self.holds(text ?? "", $0) }
        if found.isEmpty { continue }
        let file = SwiftText(path: path, text ?? "")
        for name in found {
          guard let offset = file.places(of: name).first else { continue }
          throw file.error("'\(name)' is still named here; take that away first", at: offset)
        }
      }
    }
  }
}
