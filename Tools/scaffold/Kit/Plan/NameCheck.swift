import Foundation

/// Whether a name is free, and whether one is gone.
struct NameCheck {
  private let tree: Tree

  init(_ tree: Tree) { self.tree = tree }

  /// Checks every name that a source would bring.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` naming the place that has it already.
  func check(_ source: NewSource) throws(ScaffoldError) {
    let manifest = try tree.text(Registration.manifest)
    if let offset = manifest.firstRange(of: "\"\(source.module)\"")?.lowerBound {
      let line = 1 + manifest[..<offset].count { $0 == "\n" }
      throw ScaffoldError(
        .refused, "the package has a \"\(source.module)\" already", place: "\(Registration.manifest):\(line)")
    }
    let names = [source.module, source.record, source.parser, source.source, "\(source.module)Memory"]
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
    try checkStatic(source.nameCase, source.name, Registration.sourceName)
    try checkStatic(source.collectionCase, source.collection, Registration.collectionName)
  }

  /// Whether a text holds a word at all: most files do not, and are not looked at more closely.
  private static func holds(_ text: String, _ word: String) -> Bool {
    text.withCString { text in strstr(text, word) != nil }
  }

  private func checkStatic(_ name: String, _ value: String, _ path: String) throws(ScaffoldError) {
    let file = try tree.swift(path)
    for offset in file.places(of: "public static let") {
      let line = file.words(of: file.line(at: offset))
      if line.hasPrefix("public static let \(name) ") || line.hasSuffix("(rawValue: \"\(value)\")") {
        throw file.error("the name '\(value)' is taken", at: offset)
      }
    }
  }

  /// Checks that no code names what goes.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` naming the first place that does.
  func checkNothingIsLeft(of source: KnownSource, after changes: [Change]) throws(ScaffoldError) {
    let planned = Dictionary(uniqueKeysWithValues: changes.map { ($0.path, $0) })
    let names = [
      source.source, "\(source.record)Parser", "\(source.module)Memory", "\(source.record).self",
      "import \(source.module)", "SourceName.\(source.nameCase)", "CollectionName.\(source.collectionCase)",
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
