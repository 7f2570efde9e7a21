import Hummingbird
import Models
import Ports

/// What changed a record, and the record as it was.
struct Timeline {
  private static let size = 20

  let collection: CollectionName
  let id: String
  /// Where older changes begin, as the address names it.
  let until: String?

  private var address: String { "/collections/\(percentEncoded(collection.rawValue))/\(percentEncoded(id))" }

  /// The changes of the record, the newest first; `nil` where the store keeps no history of it.
  func section(_ services: DaemonServices) -> HTML? {
    guard let history = try? services.history() else { return nil }
    var entries: [HistoryEntry] = []
    var query = HistoryQuery([collection], record: id, limit: Self.size + 1)
    do throws(Failure) {
      query.until = try until.map { (text) throws(Failure) in try history.moment(text) }
      try history.changes(query) { entry in
        entries.append(entry)
        return .next
      }
    } catch { return nil }
    guard !entries.isEmpty else { return nil }
    let earlier = entries.count > Self.size ? entries[Self.size].commit : nil
    let link = earlier.map { "<p><a href=\"\(address)?until=commit:\(Int($0))#timeline\">Earlier</a></p>" as HTML }
    return Card(
      id: "timeline", title: "Changes", isLive: false,
      content: """
        <table class="stack" aria-labelledby="timeline-title"><thead><tr><th scope="col">When</th><th scope="col">By</th>\
        <th scope="col">What</th><th scope="col"><span class="hidden">The record then</span></th></tr></thead>\
        <tbody>\(entries.prefix(Self.size).map(row))</tbody></table>\(link)
        """
    ).html
  }

  private func row(_ entry: HistoryEntry) -> HTML {
    let what =
      entry.kind == "changed"
      ? entry.differences.map {
        "<div>\(Shown.heading($0.field)): \(Shown.value($0.from)) → \(Shown.value($0.to))</div>" as HTML
      }
      : ["\(entry.kind)"]
    let then: HTML? =
      entry.after == nil ? nil : "<a href=\"\(address)?at=commit:\(Int(entry.commit))\">show then</a>"
    return """
      <tr><td data-name="When">\(Shown.ago(entry.origin?.at))</td>\
      <td data-name="By">\(entry.origin?.cause?.words ?? "unknown")</td><td data-name="What">\(what)</td><td>\(then)</td></tr>
      """
  }

  /// Above a record as it was: when that was, and the button that makes it so again.
  static func banner(_ collection: CollectionName, _ id: String, at moment: Moment) -> HTML {
    """
    <section class="card" id="past" aria-label="A past record"><p>This is the record as it was \
    \(Shown.ago(moment.at)), after commit \(Int(moment.commit)).
    <a href="\(Timeline(collection: collection, id: id, until: nil).address)">Show it as it is now</a></p>
    \(Control.button("Restore", "/do/restore", ["collection": collection.rawValue, "id": id, "at": "commit:\(Int(moment.commit))"]))</section>
    """
  }

  /// Makes a record what a page showed.
  static func restore(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let history = try call.services.because(ChangeCause(.restore, command: "page")).history()
    let (name, id) = (CollectionName(rawValue: call.form["collection"] ?? ""), call.form["id"] ?? "")
    let restoration = try history.restoration(of: name, id, at: history.moment(call.form["at"] ?? ""))
    let restored = try await history.restore(restoration, in: call.services.books)
    let page = Timeline(collection: name, id: restored.id, until: nil).address
    let rest = (restoration.leftOut + [restored.formerBook].compactMap(\.self)).joined(separator: ", ")
    return parts.notes.answer(
      page, saying: "The record is restored\(rest.isEmpty ? "" : ", without \(rest)").", call.services.random)
  }
}
