/// Where a source is named outside its own files: one place each in the manifest, in the names, in the table of fields,
/// in both roots and in the columns. The places are found by structure, as a reader would.
enum Registration {
  static let manifest = "Package.swift"
  static let sourceName = "Modules/Models/Settings/SourceName.swift"
  static let collectionName = "Modules/Models/CollectionName.swift"
  static let knownRecords = "Modules/Models/Records/KnownRecords.swift"
  static let fields = "Modules/Models/Records/RecordField.swift"
  static let columns = "Apps/almanac/Terminal/CollectionColumns.swift"
  static let terminalRoot = "Apps/almanac/CompositionRoot.swift"
  static let daemonRoot = "Apps/almanacd/CompositionRoot.swift"

  static let files = [manifest, sourceName, collectionName, knownRecords, fields, columns, terminalRoot, daemonRoot]

  static func modules(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let modules", ["=", "["])
  }

  static func tests(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let tests", ["=", "["])
  }

  static func listed(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("static let listed", ["=", "["])
  }

  static func types(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("static let types", ["=", "["])
  }

  static func sourceNames(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let sourceNames", ["=", "["])
  }

  static func defaultURLs(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("let defaultURLs", ["=", "["])
  }

  /// The list that `sources` returns.
  static func sources(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    let body = try file.inside("func sources(", ["{"])
    var start = body.lowerBound
    while start < body.upperBound, [0x20, 0x0A].contains(file.bytes[start]) || !file.isCode[start] { start += 1 }
    if file.bytes[start...].starts(with: "return ".utf8) { start += "return ".utf8.count }
    guard file.bytes[start] == 0x5B else {
      throw file.error("'sources' is expected to return one list, with nothing before it", at: start)
    }
    return (start + 1)..<(try file.closing(of: start))
  }

  /// Where the columns of a collection's table are named.
  static func columns(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("static func titles(", ["{"])
  }

  /// Where the fields of a collection's records are named.
  static func fields(_ file: SwiftText) throws(ScaffoldError) -> Range<Int> {
    try file.inside("var fields: [RecordField]", ["{"])
  }

  /// The names of the features in the manifest.
  static func features(_ file: SwiftText) throws(ScaffoldError) -> [(name: String, offset: Int)] {
    let list = try modules(file)
    return file.places(of: ".feature(", in: list).map { offset in
      let text = String(decoding: file.bytes[(offset + 9)..<list.upperBound], as: UTF8.self)
      return (String(text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }), offset)
    }
  }
}
