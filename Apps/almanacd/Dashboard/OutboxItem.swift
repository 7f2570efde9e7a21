import Models
import Ports

/// An edit that waits, and what can be done about it.
struct OutboxItem {
  let entry: OutboxEntry
  /// The state of the edit for which a decision is made.
  let tag: String
  /// The fields that follow others: in a conflict they have no side of their own.
  var following: [ExactString: [String]] = [:]
  /// The program that it waits for.
  var hold: EditHold?

  /// The state of an edit: that of a conflict has the values of both sides.
  static func tag(of entry: OutboxEntry, _ coder: any RecordCoder) -> String {
    EntityTag.of(coder.encode(entry.fields))
  }

  /// The state of a proposal: what others made of its fields.
  static func tag(of proposal: Proposal, _ coder: any RecordCoder) -> String {
    EntityTag.of(coder.encode(proposal.theirs))
  }

  /// The name of the record; empty where it is not known.
  var name = ""
  /// The assistant that proposes the edit; `nil` for one that is in the outbox.
  var client: String?

  /// The edits of a kind, with what is known about their records.
  static func all(_ services: DaemonServices, where isMeant: (OutboxEntry) -> Bool) throws(Failure) -> [OutboxItem] {
    let (outbox, coder) = (services.outbox, services.coder)
    let holds = (try? outbox.holds()) ?? [:]
    return try outbox.entries().filter(isMeant).prefix(most).map { entry in
      let parts = entry.target.split(separator: "/", maxSplits: 1).map(String.init)
      let collection = CollectionName(rawValue: parts[0])
      let record = (try? services.library.record(collection, parts.last ?? "")).flatMap { try? coder.decode($0) }
      return OutboxItem(
        entry: entry, tag: tag(of: entry, coder),
        following: entry.state == .conflict ? (try? outbox.followingFields(of: entry)) ?? [:] : [:],
        hold: holds[entry.$target], name: record.flatMap { RecordPages.title($0, collection, services) } ?? "")
    }
  }

  /// The edits that assistants propose.
  static func proposed(_ services: DaemonServices) throws(Failure) -> [OutboxItem] {
    try services.proposals.proposals().prefix(most).map { proposal in
      var theirs = proposal.base
      for member in proposal.theirs.members { theirs[member.key] = member.value }
      let entry = OutboxEntry(
        id: proposal.id, target: proposal.target, kind: proposal.kind, edit: proposal.edit, base: proposal.base,
        theirs: proposal.theirs.isEmpty ? nil : theirs, state: proposal.theirs.isEmpty ? .pending : .conflict,
        createdAt: proposal.createdAt)
      let name = proposal.record.flatMap { id in
        (try? services.library.record(proposal.collection, id)).flatMap { try? services.coder.decode($0) }
          .flatMap { RecordPages.title($0, proposal.collection, services) }
      }
      return OutboxItem(entry: entry, tag: tag(of: proposal, services.coder), name: name ?? "", client: proposal.client)
    }
  }

  /// The most edits that a page shows.
  private static let most = 100

  /// The fields about which both sides say different things, where there are several to decide one by one.
  private var decided: Set<ExactString> {
    guard entry.kind == .put, !entry.isRemoved else { return [] }
    let fields = entry.contested.subtracting(following.keys)
    // A proposal has no buttons for the whole of it.
    return fields.count > (client == nil ? 1 : 0) ? fields : []
  }

  var html: HTML {
    let values: HTML =
      decided.isEmpty
      ? self.values
      : """
      <form method="post" action="/do/\(client == nil ? "outbox" : "proposals")/\(percentEncoded(entry.id))/\(client == nil ? "fields" : "approve")">\(hidden)\(self.values)
      <button aria-label="Save the sides taken: \(entry.target)">Save the sides taken</button></form>
      """
    return """
      <li class="edit"><div class="head"><strong>\(Icon.outbox.html) \(title)</strong>\(badge)</div>
      \(values)\(entry.removalNote.map { "<p>\($0)</p>" as HTML })\(waiting)\(entry.lastError.map { "<span class=\"error\">\(Shown.short($0))</span>" as HTML })\(buttons)</li>
      """
  }

  private var title: HTML {
    let parts = entry.target.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return "\(entry.target)" }
    let place = Shown.record(parts[0], parts[1])
    return
      "<a href=\"\(place)\">\(name.isEmpty ? entry.target : name)</a>\(name.isEmpty ? nil : " <span class=\"soft small light\">\(entry.target)</span>" as HTML)"
  }

  /// Whether a person has to decide about it.
  var needsDecision: Bool { client != nil || entry.state != .pending }

  private var waiting: HTML? {
    guard entry.state == .pending, let hold else { return nil }
    return """
      <p>The program \(hold.process) is sending an edit of this record. This one is sent after that, at the latest at \
      \(Shown.moment(hold.until)).</p>
      """
  }

  private var badge: HTML {
    if let client { return "<span class=\"badge warn\">proposed by \(Shown.short(client, 40))</span>" }
    return switch entry.state {
    case .pending: "<span class=\"badge\">waits</span>"
    case .conflict: "<span class=\"badge warn\">conflict</span>"
    case .refused: "<span class=\"badge bad\">refused</span>"
    }
  }

  /// The edited fields; of a removal, every field as one that is cleared.
  private var edited: JSONObject {
    guard entry.kind == .delete else { return entry.edit }
    return JSONObject(members: entry.base.keys.filter { $0 != "id" }.map { .init(key: $0, value: .null) })
  }

  private var values: HTML {
    let rows = edited.members.map { member -> HTML in
      """
      <tr><th scope="row">\(Shown.heading(member.key))</th><td data-name="Was" class="was">\(Self.text(entry.base[member.key]))</td>\
      <td data-name="Mine">\(side("mine", of: member.key, mine(member)))</td>\
      \(entry.theirs.map { "<td data-name=\"Theirs\">\(entry.isRemoved ? "removed" : side("theirs", of: member.key, their($0, member.key)))</td>" })</tr>
      """
    }
    return """
      <table class="stack" aria-label="The edit of \(entry.target)"><thead><tr><th scope="col">Field</th><th scope="col">Was</th><th scope="col">Mine</th>\
      \(entry.theirs == nil ? nil : "<th scope=\"col\">Theirs</th>")</tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  /// The value of a side, which can be taken where the field is decided by itself.
  private func side(_ name: String, of field: String, _ value: HTML) -> HTML {
    guard decided.contains(field.exact) else { return value }
    return """
      <label class="side"><input type="radio" name="take.\(field)" value="\(name)" required \
      aria-label="\(field): \(name)">\(value)</label>
      """
  }

  static let style = """
    .edit table { margin-bottom: var(--xs); } .edit .was { color: var(--soft); text-decoration: line-through; text-decoration-thickness: 1px; }
    .edit tbody th { overflow-wrap: break-word; } .edit td { overflow-wrap: anywhere; } .edit .was::before { display: inline-block; white-space: pre; }

    """

  private var hidden: HTML? {
    entry.state == .conflict ? "<input type=\"hidden\" name=\"tag\" value=\"\(tag)\">" : nil
  }

  /// The edited value; of a field that follows others, which these are, because its value depends on the decision.
  private func mine(_ member: JSONObject.Member) -> HTML {
    guard entry.state == .conflict, let followed = following[member.key.exact] else { return Self.text(member.value) }
    return "<span class=\"soft\">follows \(followed.joined(separator: " and "))</span>"
  }

  /// The server's value; of a field of the edit that the server did not change, that it stays as edited.
  private func their(_ values: JSONObject, _ key: String) -> HTML {
    let isUnchanged = entry.kind == .put && values[key] ?? .null == entry.base[key] ?? .null
    return isUnchanged ? "<span class=\"soft\">not changed</span>" : Self.text(values[key])
  }

  private var buttons: HTML {
    if client != nil {
      let approve: HTML? =
        switch (entry.state, entry.kind) {
        case (.conflict, .delete):
          """
          <form method="post" action="/do/proposals/\(entry.id)/approve">\(hidden)<label><input type="checkbox" name="take" value="mine" required> \
          It changed; remove it nevertheless</label> <button aria-label="Approve: \(entry.target)">Approve</button></form>
          """
        // The sides are taken in the table.
        case (.conflict, _): nil
        default:
          Control.button(
            "Approve", "/do/proposals/\(entry.id)/approve", says: "Approve: \(entry.target)", tone: "primary")
        }
      return """
        <div class="buttons">\(approve)\
        \(Control.button("Reject", "/do/proposals/\(entry.id)/reject", says: "Reject: \(entry.target)"))</div>
        """
    }
    let actions: [(name: String, label: String)] =
      switch entry.state {
      case .conflict: [("mine", "Take mine"), ("theirs", "Take theirs"), ("discard", "Discard")]
      case .refused: [("retry", "Try again"), ("discard", "Discard")]
      case .pending: [("discard", "Discard")]
      }
    let forms = actions.enumerated().map { number, action -> HTML in
      """
      <form method="post" action="/do/outbox/\(percentEncoded(entry.id))/\(action.name)">\(hidden)<button\(number == 0 && actions.count > 1 ? " class=\"primary\"" as HTML : nil) \
      aria-label="\(action.label): \(entry.target)">\(action.label)</button></form>
      """
    }
    return "<div class=\"buttons\">\(forms)</div>"
  }

  private static func text(_ value: JSONValue?) -> HTML {
    switch value {
    case .string(let text)?: Self.broken(Shown.short(text))
    case .number(let digits)?: "\(digits)"
    case .bool(let flag)?: "\(flag ? "yes" : "no")"
    case nil, .null?: "<span class=\"soft\">nothing</span>"
    case .array?, .object?: "…"
    }
  }

  /// The text, which breaks after an `@` sooner than within a word: an address has no spaces.
  private static func broken(_ text: String) -> HTML {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    return "\(parts[0])\(parts.dropFirst().map { "@<wbr>\($0)" as HTML })"
  }
}

/// The edits that wait, with what was and what will be.
struct OutboxPage {
  let items: [OutboxItem]

  init(_ services: DaemonServices) throws(Failure) {
    items = try OutboxItem.proposed(services) + OutboxItem.all(services) { _ in true }
  }

  var page: Page {
    let decisions = items.filter(\.needsDecision).map(\.html)
    let waiting = items.filter { !$0.needsDecision }.map(\.html)
    let card: HTML? =
      decisions.isEmpty
      ? nil
      : Card(
        id: "decisions", title: "Edits that need you", isLive: false, tone: "alarm",
        content: "<ul class=\"entries\">\(decisions)</ul>"
      ).html
    let nothing: HTML = decisions.isEmpty ? "Every edit has arrived." : "The edits that need you are above."
    return Page(
      title: "Outbox", section: .outbox,
      content: """
        <h1>Outbox</h1>
        <div id="problems" data-live>\(card)</div>
        \(Card(id: "outbox", title: "On the way", content: waiting.isEmpty ? Card.nothing(.check, nothing) : "<ul class=\"entries\">\(waiting)</ul>").html)
        """)
  }
}
