import FoundationEssentials
import Frontend
import Models
import Ports

/// A collection as a page that needs no other file: pictures that were downloaded are in it, and charts are drawn.
struct ExportPage {
  let services: CompositionRoot
  let collection: CollectionName

  /// The largest picture that becomes part of the page, in bytes.
  private static let largestPicture = 1 << 20
  private static let drawnApps = 8

  private let columns: [Answer.Column]
  private let count: Int

  /// A page of a collection. People have a column for every detail of a card that one of them has.
  init(services: CompositionRoot, collection: CollectionName, _ query: LibraryQuery) throws(Failure) {
    self.services = services
    self.collection = collection
    var columns = CollectionColumns.table(collection, in: services.catalog)
    var used: Set<String> = []
    var count = 0
    try services.library().list(collection, query) { record in
      count += 1
      if collection == .people, let person = try? services.coder.decode(record) { used.formUnion(person.keys) }
      return .next
    }
    if collection == .people {
      let known = Set(columns.map(\.field))
      columns += ContactDetails.editableFields.filter { used.contains($0) && !known.contains($0) }.map { .init($0) }
    }
    self.columns = columns
    self.count = count
  }

  private var answer: Answer { Answer(terminal: services.terminal) }

  func beginning() throws(Failure) -> String {
    let head =
      (hasPictures ? ["<th><span>picture</span></th>"] : []) + columns.map { "<th scope=\"col\">\($0.field)</th>" }
    let records = count.counted("record")
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Almanac: \(collection)</title>
      <style>
      :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.45 }
      body { margin: 2rem auto; padding: 0 1rem; max-width: 75rem }
      h1 { margin: 0 } header p { color: #777; margin: 0 0 1.5rem }
      figure { margin: 0 0 1.5rem } figure svg { max-width: 100%; height: auto }
      div { overflow-x: auto } table { border-collapse: collapse; font-size: .9rem; width: 100% }
      th, td { padding: .4rem .7rem; border-bottom: 1px solid #8884; text-align: start; vertical-align: middle }
      th { position: sticky; top: 0; background: Canvas; font-weight: 600 } th span { display: none }
      td.end { text-align: end; font-variant-numeric: tabular-nums }
      td img { display: block; width: 3rem; height: 3rem; object-fit: cover; border-radius: .4rem }
      tbody tr:hover { background: #8881 } a { color: LinkText; text-decoration: none } a:hover { text-decoration: underline }
      </style>
      <header><h1>\(collection)</h1><p>\(records), \(services.time.now.date)</p></header>
      \(try plots())<div><table>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>

      """
  }

  func row(_ record: JSONObject) throws(Failure) -> String {
    var cells = hasPictures ? ["<td>\(try picture(of: record))</td>"] : []
    let address = TableWriter.page(of: record)
    let details = collection == .people ? ContactDetails(fields: record) : nil
    for (index, column) in columns.enumerated() {
      let value = record.value(at: column.field)
      var text =
        details.flatMap { Self.detail(column.field, $0) } ?? Markup.escaped(answer.shown(value, in: column.field))
      if column.field == "ranks", let ranks = value?.array { text = ranks.count.counted("app") }
      if index == 0 || column.field == services.catalog[collection]?.nameField, let address, !text.isEmpty {
        text = "<a href=\"\(Markup.escaped(address))\">\(text)</a>"
      }
      cells.append("<td\(column.isNumber ? " class=\"end\"" : "")>\(text)</td>")
    }
    return "<tr>\(cells.joined())</tr>\n"
  }

  /// A detail of a person that is not a text: each value in a line of its own, with a link where a program opens it.
  private static func detail(_ field: String, _ details: ContactDetails) -> String? {
    func lines(_ values: [ContactValue], _ scheme: String) -> String {
      values.map { value in
        let link =
          "<a href=\"\(scheme):\(Markup.escaped(value.value.filter { $0 != " " }))\">\(Markup.escaped(value.value))</a>"
        return value.type.isEmpty ? link : "\(link) (\(Markup.escaped(value.type)))"
      }.joined(separator: "<br>")
    }
    return switch field {
    case "emails": lines(details.emails, "mailto")
    case "phones": lines(details.phones, "tel")
    case "addresses":
      details.addresses.map { address in
        Markup.escaped(address.type.isEmpty ? address.text : "\(address.text) (\(address.type))")
      }.joined(separator: "<br>")
    case "groups", "departments":
      Markup.escaped((field == "groups" ? details.groups : details.departments).joined(separator: ", "))
    case "urls", "ims", "socialProfiles", "relations", "dates":
      (details.fields[field]?.array ?? []).map { Markup.escaped(PersonInput.line($0, of: field)) }.joined(
        separator: "<br>")
    case "note": Markup.escaped(details.note ?? "").replacing("\n", with: "<br>")
    default: nil
    }
  }

  var end: String { "</tbody>\n</table></div>\n</html>\n" }

  private var hasPictures: Bool { services.catalog[collection]?.media.isEmpty == false }

  /// The smallest downloaded picture of a record, as part of the page; empty where there is none.
  private func picture(of record: JSONObject) throws(Failure) -> String {
    for field in services.catalog[collection]?.media ?? [] {
      guard let url = record[field]?.string, let image = try services.imageFile(of: url),
        image.item.bytes <= Self.largestPicture, let bytes = try? InputFile(path: image.path).read(),
        SHA256.digest(bytes) == image.item.digest
      else { continue }
      let data = Data(bytes).base64EncodedString()
      return "<img src=\"data:\(Markup.escaped(image.item.type));base64,\(data)\" alt=\"\" loading=\"lazy\">"
    }
    return ""
  }

  /// A plot of the first apps of each chart, or of the prices that changed last; empty for other collections.
  private func plots() throws(Failure) -> String {
    if collection == .prices { return try pricePlots() }
    guard collection == .charts else { return "" }
    var paths: [String] = []
    try services.library().list(.charts, LibraryQuery()) { record in
      guard let id = RecordRule.id(of: record) else { return .next }
      let path = "app-store/" + id.split(separator: "/").dropLast().joined(separator: "/")
      if paths.last?.exact != path.exact { paths.append(path) }
      return .next
    }
    let charts = try services.charts()
    var figures = ""
    for path in paths {
      var histories: [RankHistory] = []
      for entry in try charts.top(path, limit: Self.drawnApps) {
        histories.append(try charts.history(app: entry.id, path: path))
      }
      guard !histories.isEmpty else { continue }
      figures += "<figure>\n\(RankPlot(histories).svg(title: "The first \(histories.count) of \(path)"))</figure>\n"
    }
    return figures
  }

  private func pricePlots() throws(Failure) -> String {
    let charts = try services.charts()
    var drawn: [ExactString] = []
    var figures = ""
    for change in try charts.priceChanges(since: nil, drops: false, limit: nil) where drawn.count < Self.drawnApps {
      let app = App.id(storefront: change.storefront, appID: change.appID)
      guard !drawn.contains(app.exact) else { continue }
      drawn.append(app.exact)
      for history in try charts.prices(app: app) {
        guard let plot = RankPlot(history, until: services.time.now) else { continue }
        figures += "<figure>\n\(plot.svg(title: "\(history.name) in \(history.storefront)"))</figure>\n"
      }
    }
    return figures
  }
}
