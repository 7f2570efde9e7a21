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
      id: "timeline", title: "Changes",
      content: """
        <table class="stack" aria-labelledby="timeline-title"><thead><tr><th scope="col">When</th><th scope="col">By</th>\
        <th scope="col">What</th><th scope="col"><span class="hidden">The record then</span></th></tr></thead>\
        <tbody>\(entries.prefix(Self.size).map { row($0, services) })</tbody></table>\(link)
        """
    ).html
  }

  private func row(_ entry: HistoryEntry, _ services: DaemonServices) -> HTML {
    let said =
      entry.kind == "changed"
      ? Self.sentences(of: entry) : [services.isBack(entry) ? "Added again" : Shown.heading(entry.kind)]
    let then: HTML? =
      entry.after == nil
      ? nil
      : "<a class=\"button\" href=\"\(address)?at=commit:\(Int(entry.commit))\">View<span class=\"hidden\"> this version</span></a>"
    return """
      <tr><td data-name="When">\(Shown.ago(entry.origin?.at))</td>\
      <td data-name="By">\(entry.origin?.cause.map { Self.words($0, services) } ?? "unknown")</td><td data-name="What">\(said.map { "<div>\($0)</div>" as HTML })</td><td>\(then)</td></tr>
      """
  }

  /// What was changed, each sentence once.
  static func sentences(of entry: HistoryEntry) -> [String] {
    var said: [String] = []
    for sentence in entry.differences.flatMap({ sentences($0, entry.collection) }) where !said.contains(sentence) {
      said.append(sentence)
    }
    return said
  }

  /// What an entry says of one field: `Nickname: Ada → Countess`, `Phone added: +44 20 7946 0000 (work)`.
  private static func sentences(_ difference: HistoryEntry.Difference, _ collection: CollectionName) -> [String] {
    let name = Shown.field(difference.field, of: collection)
    if collection == .people, difference.field == "photo" || difference.field.hasPrefix("photo.") {
      return [difference.field == "photo" && difference.to == nil ? "Photo removed" : "New photo"]
    }
    let (old, new) = (
      lines(difference.from, of: difference.field, collection), lines(difference.to, of: difference.field, collection)
    )
    if difference.from?.array != nil || difference.to?.array != nil {
      let (gone, added) = (old.filter { !new.contains($0) }, new.filter { !old.contains($0) })
      if gone.count == 1, added.count == 1 { return ["\(name): \(gone[0]) → \(added[0])"] }
      return gone.map { "\(name) removed: \($0)" } + added.map { "\(name) added: \($0)" }
    }
    switch (old.first, new.first) {
    case (let old?, let new?): return ["\(name): \(old) → \(new)"]
    case (nil, let new?): return ["\(name): \(new)"]
    case (let old?, nil): return ["\(name) removed: \(old)"]
    case (nil, nil): return [name]
    }
  }

  /// The values of a field as people read them, each item of a list for itself.
  static func lines(_ value: JSONValue?, of field: String, _ collection: CollectionName) -> [String] {
    guard let value, value != .null else { return [] }
    if field == "birthday", let day = value.string.flatMap({ Birthday($0) }) { return [Shown.birthday(day)] }
    guard let items = value.array else { return [Shown.text(value)] }
    return items.map { item in
      guard collection == .people, let members = item.object else { return Shown.text(item) }
      let address = field == "addresses" ? PostalAddress(fields: members)?.text : nil
      guard let text = address ?? members["value"]?.string else { return PersonInput.line(item, of: field) }
      return text + (members["type"]?.string.map { " (\(PersonForms.name(ofType: $0).lowercased()))" } ?? "")
    }
  }

  /// Who or what made a change, as people say it.
  static func words(_ cause: ChangeCause, _ services: DaemonServices) -> String {
    switch (cause.kind, cause.tool) {
    case (.sync, _): "Sync\(cause.follow.map { " of \(FollowName($0, services).title)" } ?? "")"
    case (.sent, _): "The server's answer"
    case (.proposal, let tool?): "An assistant (\(tool.text))"
    case (.import, .page): "Import, on this page"
    case (.import, .command(let command)): "Import (\(command))"
    case (.restore, .page): "Restored, on this page"
    case (.edit, .page): "You, on this page"
    case (.edit, .request): "A program"
    case (.edit, .command(let command)): "You, in a terminal (\(command))"
    default: Shown.heading(cause.kind.rawValue)
    }
  }

  /// The button that takes back what is about to happen to a record; `nil` where the store keeps no history.
  static func undo(_ collection: CollectionName, _ id: String, _ services: DaemonServices) -> HTML? {
    guard let moment = try? services.history().moment("now") else { return nil }
    return Control.button(
      "Undo", "/do/restore", ["collection": collection.rawValue, "id": id, "at": "commit:\(Int(moment.commit))"])
  }

  /// The button that makes two people of the one that they are about to become; `nil` where the store keeps no history.
  ///
  /// - Parameter isListed: whether they come from the list of duplicates, to which the button leads back.
  static func undo(merging a: String, with b: String, isListed: Bool, _ services: DaemonServices) -> HTML? {
    guard let moment = try? services.history().moment("now") else { return nil }
    return Control.button(
      "Undo", "/do/restore", ["collection": "people", "id": a, "other": b, "at": "commit:\(Int(moment.commit))"],
      and: isListed ? [] : [("back", "people")])
  }

  /// The button that takes back what is about to happen to several records; `nil` where the store keeps no history.
  static func undo(_ records: [RecordName], _ services: DaemonServices) -> HTML? {
    guard !records.isEmpty, let moment = try? services.history().moment("now") else { return nil }
    return Control.button(
      "Undo", "/do/restore", ["at": "commit:\(Int(moment.commit))"],
      and: records.map { ("record", "\($0.collection)/\($0.id)") })
  }

  /// Makes several records what they were; what did not change since stays.
  private static func restore(
    _ names: [String], at moment: Moment, _ history: any HistoryService, _ call: APIRequest, _ parts: API.Parts
  ) async throws -> Response {
    var collection = CollectionName.people
    for name in names {
      collection = CollectionName(rawValue: name.firstPart)
      let id = name.restOfParts
      do throws(Failure) {
        let restoration = try history.restoration(of: collection, id, at: moment)
        try await history.restore(restoration, in: call.services.books)
      } catch {
        guard error.code == .own(.nothing) else { throw error }
      }
    }
    let place = collection == .groups ? CollectionName.people : collection
    return API.back(
      to: "/collections/\(percentEncoded(place.rawValue))", saying: "All of it is as it was.", call, parts)
  }

  /// Above a record as it was: when that was, and the button that makes it so again.
  static func banner(_ collection: CollectionName, _ id: String, at moment: Moment) -> HTML {
    """
    <section class="card" id="past" aria-label="A past record"><p>This is the record as it was \
    \(Shown.ago(moment.at)).
    <a href="\(Timeline(collection: collection, id: id, until: nil).address)">Show it as it is now</a></p>
    \(Control.button("Restore", "/do/restore", ["collection": collection.rawValue, "id": id, "at": "commit:\(Int(moment.commit))"]))</section>
    """
  }

  /// Makes a record what a page showed.
  static func restore(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let history = try call.services.because(ChangeCause(.restore, tool: .page)).history()
    let (name, id) = (CollectionName(rawValue: call.form["collection"] ?? ""), call.form["id"] ?? "")
    let moment = try history.moment(call.form["at"] ?? "")
    let several = call.form.all("record")
    if !several.isEmpty { return try await restore(several, at: moment, history, call, parts) }
    if let other = call.form["other"], !other.isEmpty {
      return try await separate(id, other, in: name, at: moment, history, call, parts)
    }
    let restoration = try history.restoration(of: name, id, at: moment)
    // A record that comes back is removed on its own page.
    let undo = restoration.kind == .put ? undo(name, id, call.services) : nil
    let restored = try await history.restore(restoration, in: call.services.books)
    let page = Timeline(collection: name, id: restored.id, until: nil).address
    let card = restored.hasNewCard ? "the former card" : nil
    let rest = (restoration.leftOut + [restored.formerBook, card].compactMap(\.self)).joined(separator: ", ")
    return parts.notes.answer(
      page, saying: "The record is restored\(rest.isEmpty ? "" : ", without \(rest)").", undo: undo,
      call.services.random)
  }

  /// Makes two records of the one that they became.
  private static func separate(
    _ a: String, _ b: String, in collection: CollectionName, at moment: Moment, _ history: any HistoryService,
    _ call: APIRequest, _ parts: API.Parts
  ) async throws -> Response {
    let isThere = { (id: String) in (try? call.services.library.record(collection, id)) != nil }
    // The one that was removed comes first: that gives up its removal, which waits for the change of the other one.
    for id in [a, b].sorted(by: { !isThere($0) && isThere($1) }) {
      do throws(Failure) {
        var restoration = try history.restoration(of: collection, id, at: moment)
        restoration.isDistinct = true
        try await history.restore(restoration, in: call.services.books)
      } catch {
        // The one that stayed may be as it was.
        guard error.code == .own(.nothing) else { throw error }
      }
    }
    return API.back(
      to: "/collections/\(percentEncoded(collection.rawValue))\(call.form["back"] == nil ? "?duplicates" : "")",
      saying: "Both are as they were.", call, parts)
  }
}
