/// What adding or removing a source does to the tree.
enum SourcePlan {
  /// The changes that add a source.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where a name is taken or the tree is not as expected.
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

  /// The changes that take a source out, with all of its own files.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where there is no such source, or where it is still named elsewhere.
  static func removing(_ module: String, from tree: Tree) throws(ScaffoldError) -> [Change] {
    let source = try KnownSource(module: module, in: tree)
    let own = folders(of: module).flatMap(tree.files) + ["Modules/Models/Records/\(source.record).swift"]
    var changes: [Change] = []
    for path in own { changes.append(Change(path: path, before: try tree.text(path), after: nil)) }
    changes += try Registration.removing(source, from: tree)
    try NameCheck(tree).checkNothingIsLeft(of: source, after: changes)
    return changes
  }

  /// The folders that belong to one source alone.
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
