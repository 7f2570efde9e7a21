extension Registration {
  /// The files without the source.
  static func removing(_ source: KnownSource, from tree: Tree) throws(ScaffoldError) -> [Change] {
    var changes: [Change] = []
    for path in files {
      let before = try tree.swift(path)
      var file = before
      switch path {
      case manifest:
        try file.remove(element: ".feature(\"\(source.module)\")", from: try modules(file))
        try file.remove(element: ".tests(\"\(source.module)\"", from: try tests(file))
      case sourceName: try removeDeclaration(source.nameCase, from: &file)
      case collectionName:
        try file.remove(element: ".\(source.collectionCase)", from: try listed(file))
        try removeDeclaration(source.collectionCase, from: &file)
      case knownRecords: try file.remove(element: "\(source.record).self", from: try types(file))
      case fields: try removeCase(source.collectionCase, from: try fields(file), &file)
      case columns: try removeCase(source.collectionCase, from: try columns(file), &file)
      default: try removeFromRoot(source, &file)
      }
      changes.append(Change(path: path, before: before.text, after: file.text))
    }
    return changes
  }

  private static func removeDeclaration(_ name: String, from file: inout SwiftText) throws(ScaffoldError) {
    let offset = try file.place(of: "public static let \(name)")
    file.remove(file.documentedStart(of: offset)..<file.line(at: offset).upperBound)
  }

  private static func removeCase(
    _ name: String, from body: Range<Int>, _ file: inout SwiftText
  ) throws(ScaffoldError) {
    let start = try file.place(of: "case .\(name):", in: body)
    let next = (file.places(of: "case", in: body) + file.places(of: "default:", in: body)).sorted()
      .first { $0 > start && file.isFirstOnLine($0) }
    guard let next else { throw file.error("nothing follows 'case .\(name):'", at: start) }
    file.remove(file.line(at: start).lowerBound..<file.line(at: next).lowerBound)
  }

  private static func removeFromRoot(_ source: KnownSource, _ file: inout SwiftText) throws(ScaffoldError) {
    try file.remove(element: "\(source.source)(", from: try sources(file))
    try file.remove(import: source.module)
    guard file.path == terminalRoot else { return }
    try file.remove(element: ".\(source.nameCase)", from: try sourceNames(file))
    let urls = try defaultURLs(file)
    if !file.places(of: ".\(source.nameCase)", in: urls).isEmpty {
      try file.remove(element: ".\(source.nameCase)", from: urls)
    }
  }
}
