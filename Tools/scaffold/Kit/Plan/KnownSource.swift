/// A source that is in the tree, as its own file tells what it is called.
struct KnownSource {
  let module: String
  let record: String
  var source: String { "\(module)Source" }

  /// Reads the name of the record from `…Source.swift`.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where there is no such source, or the scaffold did not write it.
  init(module: String, in tree: Tree) throws(ScaffoldError) {
    self.module = module
    let path = "Modules/Features/\(module)/\(module)Source.swift"
    guard tree.exists(path) else { throw ScaffoldError(.refused, "there is no source \(module)", place: path) }
    let text = try tree.swift(path)
    let start = "ResponseParser<["
    guard let offset = text.places(of: start).first else {
      throw text.error("'\(start)…' is expected here and is not there; the scaffold did not write this source")
    }
    let rest = text.bytes[(offset + start.utf8.count)...]
    record = String(decoding: rest, as: UTF8.self).prefix { $0.isLetter || $0.isNumber }.description
    let model = "Modules/Models/Records/\(record).swift"
    guard tree.exists(model) else {
      throw text.error("there is no file \(model); the scaffold did not write this source", at: offset)
    }
  }
}
