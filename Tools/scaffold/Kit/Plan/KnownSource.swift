/// A source that is in the tree, as its own files tell what it is called.
struct KnownSource {
  let module: String
  let record: String
  let nameCase: String
  let collectionCase: String
  var source: String { "\(module)Source" }

  /// Reads the names from `…Source.swift` and from the record.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where there is no such source, or none that the scaffold made.
  init(module: String, in tree: Tree) throws(ScaffoldError) {
    self.module = module
    let path = "Modules/Features/\(module)/\(module)Source.swift"
    guard tree.exists(path) else { throw ScaffoldError(.refused, "there is no source \(module)", place: path) }
    let text = try tree.swift(path)
    record = try Self.word(after: "ResponseParser<[", in: text)
    nameCase = try Self.word(after: "SourceName.", in: text)
    let model = try tree.swift("Modules/Models/Records/\(record).swift")
    collectionCase = try Self.word(after: "collection = CollectionName.", in: model)
  }

  private static func word(after start: String, in file: SwiftText) throws(ScaffoldError) -> String {
    guard let offset = file.places(of: start).first else {
      throw file.error("'\(start)…' is expected here and is not there; this source was not made by the scaffold")
    }
    let rest = file.bytes[(offset + start.utf8.count)...]
    return String(decoding: rest, as: UTF8.self).prefix { $0.isLetter || $0.isNumber }.description
  }
}
