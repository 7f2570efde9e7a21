extension Registration {
  /// The files with the source in them.
  static func adding(_ source: NewSource, to tree: Tree) throws(ScaffoldError) -> [Change] {
    var changes: [Change] = []
    for path in files {
      let before = try tree.swift(path)
      var file = before
      switch path {
      case manifest: try addToManifest(source, &file)
      case sourceName: try addSourceName(source, &file)
      case collectionName: try addCollection(source, &file)
      case knownRecords:
        try file.insert(element: "\(source.record).self", before: "OutboxEntry.self", in: try types(file))
      case fields:
        try addCase(source, [".init(\"id\")"] + source.fields.map(\.description), to: try fields(file), &file)
      case columns:
        try addCase(source, (["id"] + source.fields.map(\.name)).map { "\"\($0)\"" }, to: try columns(file), &file)
      case terminalRoot: try addToTerminal(source, &file)
      default: try addToRoot(source, server: "settings.servers[.\(source.nameCase)]", &file)
      }
      changes.append(Change(path: path, before: before.text, after: file.text))
    }
    return changes
  }

  private static func addToManifest(_ source: NewSource, _ file: inout SwiftText) throws(ScaffoldError) {
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
    guard let found else { throw file.error("the list of tests has none of a feature", at: list.lowerBound) }
    let end = file.line(at: try file.closing(of: found + ".tests".utf8.count))
    guard file.isFirstOnLine(found), file.words(of: end).hasSuffix("),") else {
      throw file.error("a .tests(…) is expected on lines of its own", at: found)
    }
    let uses = (["Networking", "Parsing", "Sync"] + [source.module]).sorted().map { "\"\($0)\"" }
    file.insert("  .tests(\"\(source.module)\", [\(uses.joined(separator: ", "))]),\n", at: end.upperBound)
  }

  private static func addSourceName(_ source: NewSource, _ file: inout SwiftText) throws(ScaffoldError) {
    guard let last = file.places(of: "public static let").last else {
      throw file.error("the names of the sources are expected as public static let")
    }
    file.insert(
      """
        /// \(source.module): `\(source.form)`.
        public static let \(source.nameCase) = SourceName(rawValue: "\(source.name)")

      """, at: file.line(at: last).upperBound)
  }

  private static func addCollection(_ source: NewSource, _ file: inout SwiftText) throws(ScaffoldError) {
    try file.insert(element: ".\(source.collectionCase)", before: ".outbox", in: try listed(file))
    let outbox = try file.place(of: "public static let outbox")
    file.insert(
      """
        /// What `\(source.name)` brought.
        public static let \(source.collectionCase) = CollectionName(rawValue: "\(source.collection)")

      """, at: file.documentedStart(of: outbox))
  }

  /// Puts a case with a list before the last one of a switch.
  private static func addCase(
    _ source: NewSource, _ items: [String], to body: Range<Int>, _ file: inout SwiftText
  ) throws(ScaffoldError) {
    let end = try file.place(of: "default:", in: body)
    guard file.isFirstOnLine(end) else {
      throw file.error("'default:' is expected at the start of its line", at: end)
    }
    let label = "    case .\(source.collectionCase):"
    let line = "\(label) [\(items.joined(separator: ", "))]"
    let block =
      line.utf8.count <= Layout.width
      ? line
      : "\(label)\n      [\n\(Layout.fill(items, indentation: 8, tail: ",")) \n      ]"
        .replacing(", \n", with: ",\n")
    file.insert(block + "\n", at: file.line(at: end).lowerBound)
  }

  private static func addToTerminal(_ source: NewSource, _ file: inout SwiftText) throws(ScaffoldError) {
    try addToRoot(source, server: "servers[.\(source.nameCase)]", &file)
    try file.append(element: ".\(source.nameCase)", to: try sourceNames(file))
    if let url = source.url {
      try file.append(element: ".\(source.nameCase): \"\(url)\"", to: try defaultURLs(file))
    }
  }

  private static func addToRoot(
    _ source: NewSource, server: String, _ file: inout SwiftText
  ) throws(ScaffoldError) {
    let items = ["parser: \(source.parser)()", "settings: \(server)"]
    // The list's own indentation comes on top.
    let element = Layout.call("\(source.source)(", items, "),", indentation: 6)
    let lines = element.split(separator: "\n").map { $0.dropFirst(6) }.joined(separator: "\n")
    try file.append(element: lines, to: try sources(file))
    try file.add(import: source.module)
  }
}

extension Field {
  /// The field as the table of fields has it.
  fileprivate var description: String {
    let call = isOptional ? ".optional" : ".init"
    return switch kind {
    case .text: "\(call)(\"\(name)\")"
    case .int: "\(call)(\"\(name)\", .whole)"
    case .bool: "\(call)(\"\(name)\", .flag)"
    case .time: "\(call)(\"\(name)\", .time)"
    }
  }
}
