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
  /// - Parameters:
  ///   - ids: the records that are meant; `nil` for all that the query selects.
  ///   - see: gets each record that is written as fields.
  /// - Throws: `Failure` as `LibraryService.list`.
  public func write(
    _ format: Format, only ids: Set<ExactString>? = nil, seeing see: (JSONObject) -> Void = { _ in }, to take: Take
  ) throws(Failure) {
    let fields = format == .csv ? Self.fields(of: collection, catalog) : []
    var stream = RecordStream(format, fields: fields, coder)
    try library.list(collection, query) { (record: RawSpan) throws(Failure) -> ScanStep in
      if let ids, let id = RecordRule.id(of: record), !ids.contains(id.exact) { return .next }
      guard format == .csv else { return take(stream.piece(encoded: record.copied)) ? .next : .stop }
      let object: JSONObject = try Failure.from { () throws(ParsingError) in try coder.decode(record) }
      see(object)
      return take(stream.piece(object)) ? .next : .stop
    }
    let end = stream.end
    if !end.isEmpty { _ = take(end) }
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
}
