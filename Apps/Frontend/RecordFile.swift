public import Models
public import Ports

/// The records of a collection as a file, which is written while it is read: it may be longer than memory.
public struct RecordFile {
  /// The formats that every collection has.
  public enum Format: String, Sendable, CaseIterable { case jsonl, json, csv }

  /// Takes the next piece; answers whether more is wanted.
  public typealias Take = ([UInt8]) -> Bool

  private let collection: CollectionName
  private let query: LibraryQuery
  private let catalog: CollectionCatalog
  private let library: any LibraryService
  private let coder: any RecordCoder

  public init(
    _ collection: CollectionName, _ query: LibraryQuery, _ catalog: CollectionCatalog, _ library: any LibraryService,
    _ coder: any RecordCoder
  ) {
    (self.collection, self.query, self.catalog, self.library) = (collection, query, catalog, library)
    self.coder = coder
  }

  /// Gives the file piece by piece.
  ///
  /// - Parameter ids: the records that are meant; `nil` for all that the query selects.
  /// - Throws: `Failure` as `LibraryService.list`.
  public func write(_ format: Format, only ids: Set<ExactString>? = nil, to take: Take) throws(Failure) {
    let fields = format == .csv ? Self.fields(of: collection, catalog) : []
    if format == .csv, !take(Self.line(fields)) { return }
    var count = 0
    try library.list(collection, query) { (record: RawSpan) throws(Failure) -> ScanStep in
      if let ids, let id = try? coder.text("id", of: record), !ids.contains(id.exact) { return .next }
      count += 1
      let bytes = record.withUnsafeBytes { Array($0) }
      switch format {
      case .jsonl: return take(bytes + [0x0A]) ? .next : .stop
      case .json: return take(Array((count == 1 ? "[\n" : ",\n").utf8) + bytes) ? .next : .stop
      case .csv:
        let object: JSONObject = try Failure.from { () throws(ParsingError) in try coder.decode(record) }
        return take(Self.line(fields.map { Self.cell(object.value(at: $0), coder) })) ? .next : .stop
      }
    }
    if format == .json { _ = take(Array((count == 0 ? "[]\n" : "\n]\n").utf8)) }
  }

  /// The columns of comma-separated values: every field, objects by their parts.
  public static func fields(of collection: CollectionName, _ catalog: CollectionCatalog) -> [String] {
    let fields = catalog[collection]?.leaves ?? []
    return fields.isEmpty ? ["id"] : fields.map(\.name)
  }

  /// A field as one cell of comma-separated values: strings as they are, lists and objects as JSON, so that both can be
  /// read back.
  public static func cell(_ value: JSONValue?, _ coder: any RecordCoder) -> String {
    switch value {
    case nil, .null?: ""
    case .string(let text)?: text
    case .number(let digits)?: digits
    case .bool(let flag)?: flag ? "true" : "false"
    case let value?: String(decoding: coder.encode(value), as: UTF8.self)
    }
  }

  /// The field as RFC 4180 section 2 writes it.
  public static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return text }
    var result = "\""
    for character in text.unicodeScalars {
      if character == "\"" { result += "\"" }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }

  private static func line(_ cells: [String]) -> [UInt8] {
    Array((cells.map(quoted).joined(separator: ",") + "\n").utf8)
  }
}
