import Frontend
import Hummingbird
import Models
import Ports

/// Which records of a collection a form or an address means: those that are ticked, or all that its search finds.
struct Selection {
  /// The most records that are changed at once.
  static let most = 1000

  let collection: CollectionDescriptor
  let query: RecordQuery
  /// The records that are named; `nil` for all that the query finds.
  private let named: Set<ExactString>?
  private let services: DaemonServices

  /// - Parameters:
  ///   - value: the text of a field.
  ///   - ids: the records that are ticked.
  ///   - isTicked: whether only what is ticked is meant, where nothing is.
  init(
    _ collection: CollectionDescriptor, _ services: DaemonServices, ids: [String], isTicked: Bool,
    _ value: (String) -> String?
  ) {
    (self.collection, self.services) = (collection, services)
    query = RecordQuery(value)
    let isAll = value("all") != nil || (ids.isEmpty && !isTicked)
    named = isAll ? nil : Set(ids.map(\.exact))
  }

  /// The records, in the order of their ids.
  ///
  /// - Throws: `Problem` with 422 where there are none, or more than can be changed at once.
  func ids() throws -> [String] {
    let ids = try chosen().map(\.text).sorted()
    guard !ids.isEmpty else {
      throw Problem(.unprocessableContent, "nothing is ticked", hint: "tick what is meant, and press the button again")
    }
    guard ids.count <= Self.most else {
      throw Problem(
        .unprocessableContent, "\(grouped(ids.count)) records are more than the page changes at once",
        hint: "it changes \(grouped(Self.most)): search for fewer")
    }
    return ids
  }

  /// The records to which the query of the list is restricted; `nil` for no restriction.
  private func only() throws -> Set<ExactString>? {
    try named ?? (query.group.isEmpty ? nil : query.members(services))
  }

  private func chosen() throws -> Set<ExactString> {
    if let named { return named }
    var found: Set<ExactString> = []
    let members = try only()
    try services.library.list(collection.name, query.selection()) { record in
      if let id = RecordRule.id(of: record), members?.contains(id.exact) ?? true { found.insert(id.exact) }
      return .next
    }
    return found
  }

  /// The records as a file, as `almanac export` writes it.
  ///
  /// - Throws: `Problem` with 404 where the collection has no such format.
  func file(_ format: String) throws -> [UInt8] {
    if format == "vcf", collection.name == .people {
      let isWhole = named == nil && query.search.isEmpty && query.condition.isEmpty && query.group.isEmpty
      let ids = try isWhole ? nil : chosen()
      return try services.people.cards().filter { ids?.contains($0.id.exact) ?? true }.flatMap(\.bytes)
    }
    guard let format = RecordFile.Format(rawValue: format) else {
      throw Problem(.notFound, "\(collection.name) cannot be written as \(format)")
    }
    var bytes: [UInt8] = []
    let list = try named == nil ? query.selection() : LibraryQuery()
    try RecordFile(collection.name, list, services.catalog, services.library, services.coder)
      .write(format, only: only()) { piece in
        bytes += piece
        return true
      }
    return bytes
  }
}

/// The files of what a list shows.
enum Downloads {
  /// The formats of a collection, with their names.
  static func formats(_ collection: CollectionName) -> [(format: String, name: String)] {
    collection == .people
      ? [("vcf", "vCard"), ("csv", "CSV"), ("json", "JSON")] : [("csv", "CSV"), ("jsonl", "JSON Lines")]
  }

  /// The links to the files of what a list shows.
  static func menu(_ collection: CollectionName, _ query: RecordQuery) -> HTML {
    "<div id=\"export\" data-live>\(Control.menu("Export", links(collection, query)))</div>"
  }

  static func links(_ collection: CollectionName, _ query: RecordQuery) -> HTML {
    let links = formats(collection).map { format, name -> HTML in
      "<a href=\"\(query.address("", at: "/export/\(percentEncoded(collection.rawValue)).\(format)"))\">\(collection == .people ? "Export as " : "")\(name)</a>"
    }
    let note: HTML? =
      collection == .people
      ? "<p class=\"soft small\">Only vCard has the photos and everything else of the cards.</p>" : nil
    return "\(links)\(note)"
  }

  /// The buttons that give the files of what is ticked.
  static func buttons(_ collection: CollectionName) -> [HTML] {
    formats(collection).map { format, name in
      """
      <button formmethod="get" formaction="/export/\(percentEncoded(collection.rawValue)).\(format)">Export as \(name)</button>
      """
    }
  }

  private static let types = [
    "vcf": "text/vcard; charset=utf-8", "csv": "text/csv; charset=utf-8", "json": "application/json",
    "jsonl": "application/jsonl",
  ]

  static func answer(_ call: APIRequest) throws -> Response {
    let parts = call.part("file").split(separator: ".").map(String.init)
    let name = parts.dropLast().joined(separator: ".")
    guard let collection = call.services.catalog[CollectionName(rawValue: name)], let format = parts.last,
      let type = types[format]
    else { throw Problem(.notFound, "there is no file '\(call.part("file"))'") }
    let ids = call.queries("id")
    let selection = Selection(collection, call.services, ids: ids, isTicked: false) { call.query($0) }
    return file("\(ids.count == 1 ? "contact" : name).\(format)", type, try selection.file(format))
  }

  static func file(_ name: String, _ type: String, _ bytes: [UInt8]) -> Response {
    Response(
      type: type, bytes,
      headers: [.contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store"])
  }
}

extension API {
  var downloads: [Route] {
    [
      Route(.get, "/export/{file}", .page) { call in try Downloads.answer(call) },
      Route(.get, "/export/calendar/birthdays.ics", .page) { call in
        let bytes = try call.services.people.calendar(leapDay: .feb28, alarm: nil)
        return Downloads.file("birthdays.ics", "text/calendar; charset=utf-8", bytes)
      },
    ]
  }
}
