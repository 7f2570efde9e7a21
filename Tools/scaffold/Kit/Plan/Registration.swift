/// The places outside its own files that name a source: the manifest, and the list of sources of both programs. They
/// are found by the structure of the code.
enum Registration {
  static let manifest = "Package.swift"
  static let sourceList = "Apps/Assembly/SourceList.swift"

  static let files = [manifest, sourceList]

  /// The changes that add the source.
  static func adding(_ source: NewSource, to tree: Tree) throws(ScaffoldError) -> [Change] {
    var (targets, list) = (try tree.swift(manifest), try tree.swift(sourceList))
    let before = (targets: targets.text, list: list.text)
    try addTargets(source, &targets)
    // The indentation of the list is added to that of the items.
    let items = ["parser: \(source.parser)()", "settings: access.servers[.\(source.nameCase)]"]
    let element = Layout.call("\(source.source)(", items, "),", indentation: 6)
    let lines = element.split(separator: "\n").map { $0.dropFirst(6) }.joined(separator: "\n")
    try list.append(element: lines, to: try sources(list))
    try list.add(import: source.module)
    return [
      Change(path: manifest, before: before.targets, after: targets.text),
      Change(path: sourceList, before: before.list, after: list.text),
    ]
  }

  /// The changes that remove the source.
  static func removing(_ source: KnownSource, from tree: Tree) throws(ScaffoldError) -> [Change] {
    var (targets, list) = (try tree.swift(manifest), try tree.swift(sourceList))
    let before = (targets: targets.text, list: list.text)
    try targets.remove(element: ".feature(\"\(source.module)\")", from: try modules(targets))
    try targets.remove(element: ".tests(\"\(source.module)\"", from: try tests(targets))
    try list.remove(element: "\(source.source)(", from: try sources(list))
    try list.remove(import: source.module)
    return [
      Change(path: manifest, before: before.targets, after: targets.text),
      Change(path: sourceList, before: before.list, after: list.text),
    ]
  }

  private static func addTargets(_ source: NewSource, _ file: inout SwiftText) throws(ScaffoldError) {
    let names = try features(file)
    guard let last = names.last else {
      throw file.error("the list of modules has no .feature(…)", at: try modules(file).lowerBound)
    }
    let line = file.line(at: last.offset)
    guard file.isFirstOnLine(last.offset), file.words(of: line).hasSuffix("),") else {
      throw file.error("a .feature(…) is expected on a line of its own", at: last.offset)
    }
    file.insert("  .feature(\"\(source.module)\"),\n", at: line.upperBound)
    let list = try tests(file)
    let found = names.flatMap { file.places(of: ".tests(\"\($0.name)\"", in: list) }.max()
    guard let found else { throw file.error("the list of tests has no tests of a feature", at: list.lowerBound) }
    let end = file.line(at: try file.closing(of: found + ".tests".utf8.count))
    guard file.isFirstOnLine(found), file.words(of: end).hasSuffix("),") else {
      throw file.error("a .tests(…) is expected on lines of its own", at: found)
    }
    let uses = (["Networking", "Parsing", "Sync"] + [source.module]).sorted().map { "\"\($0)\"" }
    file.insert("  .tests(\"\(source.module)\", [\(uses.joined(separator: ", "))]),\n", at: end.upperBound)
  }

  private static func modules(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let modules", ["=", "["])
  }

  private static func tests(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let tests", ["=", "["])
  }

  /// The array that `compiledSources` returns.
  private static func sources(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    let body = try file.inside("func compiledSources(", ["{"])
    var start = body.lowerBound
    while start < body.upperBound, [0x20, 0x0A].contains(file.bytes[start]) || !file.isCode[start] { start += 1 }
    if file.bytes[start...].starts(with: "return ".utf8) { start += "return ".utf8.count }
    guard file.bytes[start] == 0x5B else {
      throw file.error("'compiledSources' is expected to return one list, with nothing before it", at: start)
    }
    return (start + 1)..<(try file.closing(of: start))
  }

  /// The names of the features in the manifest.
  private static func features(_ file: SwiftText) throws(ScaffoldError) -> [(name: String, offset: Int)] {
    let list = try modules(file)
    return file.places(of: ".feature(", in: list).map { offset in
      let text = String(decoding: file.bytes[(offset + 9)..<list.upperBound], as: UTF8.self)
      return (String(text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }), offset)
    }
  }
}
