import Hummingbird
import Models
import Ports

/// What changed since a moment: the records that a source, a run or the people here added, changed and removed.
struct ChangesPage {
  static let path = "/activity/changes"
  /// As `by`, all that was changed here and not by a source.
  static let here = "here"
  private static let size = 50

  private let collection: CollectionName?
  /// A source, a run, or `here`; empty for everything.
  private let by: String
  private let since: String?
  private let entries: [HistoryEntry]
  /// The address of the earlier ones.
  private let next: String?
  private let services: DaemonServices

  /// The address of the page.
  ///
  /// - Parameters:
  ///   - since: a time or `commit:N`, after which the changes are.
  ///   - until: `commit:N`, the last commit.
  ///   - skip: how many changes of that commit come before the page.
  static func address(
    by: String = "", in collection: CollectionName? = nil, since: String? = nil, until: String? = nil, skip: Int = 0
  ) -> String {
    let values = [
      ("by", by), ("in", collection?.rawValue ?? ""), ("since", since ?? ""), ("until", until ?? ""),
      ("skip", skip > 0 ? "\(skip)" : ""),
    ]
    let query = values.filter { !$0.1.isEmpty }.map { "\($0.0)=\(percentEncoded($0.1))" }
    return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// - Throws: `Problem` with 400 where a time cannot be read, or no history of the collection is kept; `Failure` where the
  ///   store cannot be read.
  init(_ call: APIRequest) throws {
    let (name, by) = (call.query("in").map(CollectionName.init(rawValue:)), call.query("by") ?? "")
    let (since, until) = (call.query("since"), call.query("until"))
    let skip = call.query("skip").flatMap { Int($0) } ?? 0
    (services, collection, self.by, self.since) = (call.services, name, by, since)
    let history = try call.history()
    var query = HistoryQuery(name.map { [$0] } ?? [], limit: .max)
    query.since = try since.flatMap { text in try call.asked { () throws(Failure) in try history.beginning(text) } }
    query.until = try until.map { try call.moment($0) }
    var (found, passed) = ([HistoryEntry](), 0)
    let isSource = call.services.sources.contains { $0.name.rawValue.exact == by.exact }
    try call.asked { () throws(Failure) in
      try history.changes(query) { entry in
        let cause = entry.origin?.cause
        let isMeant =
          by.isEmpty
          || (by == Self.here
            ? cause?.isOwn ?? false
            : isSource ? cause?.follow?.firstPart.exact == by.exact : cause?.isNamed(by) ?? false)
        guard isMeant else { return .next }
        passed += 1
        if passed > skip { found.append(entry) }
        return found.count > Self.size ? .stop : .next
      }
    }
    entries = Array(found.prefix(Self.size))
    next = found.dropFirst(Self.size).first.map { first in
      let shown = found.prefix(Self.size).count { $0.commit == first.commit }
      return Self.address(
        by: by, in: name, since: since, until: "commit:\(first.commit)",
        skip: shown == Self.size ? shown + skip : shown)
    }
  }

  var page: Page {
    let source = services.sources.first { $0.name.rawValue.exact == by.exact }?.name.rawValue
    let what = collection.map { Shown.heading($0.rawValue) }
    let title =
      by == Self.here
      ? "\(what.map { "\($0) changed" } ?? "Changed") here"
      : "\(what ?? "Changes")\(source.map { " from \(Shown.heading($0))" } ?? "")"
    let from = since.flatMap { Timestamp(rfc3339: $0) }.map { "<p class=\"soft\">Since \(Shown.since($0))</p>" as HTML }
    let all = collection.map { name -> HTML in
      let place = name == .photos ? "/photos" : "/collections/\(percentEncoded(name.rawValue))"
      return "<a class=\"button\" href=\"\(place)\">All \(Shown.heading(name.rawValue).lowercased())</a>"
    }
    let list: HTML =
      entries.isEmpty
      ? Card.nothing(.activity, "Nothing has changed.") : "<ul class=\"entries\">\(entries.map(item))</ul>"
    return Page(
      title: title, section: .activity,
      content: """
        <div class="head"><div><p class="small"><a href="/activity">Activity</a></p><h1>\(title)</h1>\(from)</div>\(all)</div>
        <section class="card changes" aria-label="Changes">\(list)\(Card.pager("\(entries.count) shown", after: next))</section>
        """)
  }

  private func item(_ entry: HistoryEntry) -> HTML {
    let record = entry.after ?? entry.before ?? [:]
    let title = RecordPages.title(record, entry.collection, services) ?? entry.id
    // What is gone is shown by its past alone.
    let page =
      entry.after == nil ? Shown.record(entry.collection.rawValue, entry.id) : Shown.page(entry.collection, entry.id)
    let badge: HTML =
      switch entry.kind {
      case "added": "<span class=\"badge good\">\(services.isBack(entry) ? "back" : "new")</span>"
      case "removed": "<span class=\"badge bad\">gone</span>"
      default: "<span class=\"badge\">changed</span>"
      }
    let said = Timeline.sentences(of: entry).prefix(4).map { Shown.short($0, 120) }.joined(separator: " · ")
    let by = entry.origin?.cause.map { Timeline.words($0, services) } ?? "unknown"
    return """
      <li class="named">\(RecordPages.picture(record, entry.collection, services))<span class="cut"><a href="\(page)">\
      \(Shown.short(title, 100))</a>\(said.isEmpty ? nil : "<span class=\"small cut\">\(said)</span>" as HTML)\
      <span class="soft small by"><span class="cut">\(by)</span> · \(Shown.ago(entry.origin?.at))</span></span>\(badge)</li>
      """
  }
}
