import Hummingbird
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

  /// What describes the records of the collection; `nil` where no source does any more.
  var collection: CollectionDescriptor?
  /// The name of the record; empty where it has none.
  var name = ""
  /// What people call the server of the record; empty where that is not needed.
  var server = ""
  /// The assistant that proposes the edit; `nil` for one that is in the outbox.
  var client: String?
  var plan = Scheduler.SendPlan()
  /// Whether another edit of the record is listed before it.
  var isFurther = false

  /// The edits of a kind, with what is known about their records.
  static func all(_ services: DaemonServices, where isMeant: (OutboxEntry) -> Bool) throws(Failure) -> [OutboxItem] {
    let (outbox, coder) = (services.outbox, services.coder)
    let holds = (try? outbox.holds()) ?? [:]
    return try outbox.entries().filter(isMeant).prefix(most).map { entry in
      OutboxItem(
        entry: entry, tag: tag(of: entry, coder),
        following: entry.state == .conflict ? (try? outbox.followingFields(of: entry)) ?? [:] : [:],
        hold: holds[entry.$target], collection: services.catalog[entry.targetCollection],
        name: name(of: entry, services), server: entry.state == .conflict ? server(of: entry, services) : "")
    }
  }

  /// An address book by its name, or a source.
  private static func server(of entry: OutboxEntry, _ services: DaemonServices) -> String {
    let name = entry.targetCollection
    guard name != .people else {
      let record = (try? services.library.record(name, entry.targetID)).flatMap { try? services.coder.decode($0) }
      return (record ?? entry.base)["origin"]?.string.map(PersonForms.name(ofBook:)) ?? ""
    }
    let source = services.sources.first { $0.collections.contains { $0.name == name } }
    return source.map { Shown.heading($0.name.rawValue) } ?? ""
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
      return OutboxItem(
        entry: entry, tag: tag(of: proposal, services.coder), collection: services.catalog[proposal.collection],
        name: name(of: entry, services), client: proposal.client)
    }
  }

  /// The name of the record: as it is stored, or else as the edit or the server has it.
  static func name(of entry: OutboxEntry, _ services: DaemonServices) -> String {
    let stored = (try? services.library.record(entry.targetCollection, entry.targetID)).flatMap {
      try? services.coder.decode($0)
    }
    return [stored, entry.edit, entry.base].lazy.compactMap { fields in
      fields.flatMap { RecordPages.title($0, entry.targetCollection, services) ?? Self.names(of: $0) }
    }.first ?? ""
  }

  private static func names(of fields: JSONObject) -> String? {
    let names = ["firstName", "lastName"].compactMap { fields[$0]?.string }.filter { !$0.isEmpty }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  /// What a message calls the edit: `the edit of Ada King`.
  static func words(of entry: OutboxEntry, _ services: DaemonServices) -> String {
    let name = Shown.name(name(of: entry, services))
    return "the \(entry.kind == .delete ? "removal" : "edit") of \(name.isEmpty ? entry.target : name)"
  }

  /// What an edit is that was decided in another tab, or by a program.
  static let gone = Problem(
    .notFound, "this edit waits no more",
    hint: "it was decided, sent or discarded meanwhile; its record says what became of it",
    code: "decided")

  /// The banner of a record that has an open edit, which is decided there.
  static func banner(_ collection: CollectionName, _ id: String, _ services: DaemonServices) -> HTML? {
    let target = "\(collection)/\(id)".exact
    let isMeant = { (item: OutboxItem) in item.entry.$target == target && item.needsDecision }
    let count = (try? services.library.count(.outbox)) ?? 0
    let own = (count > 0 ? try? all(services) { $0.$target == target } : nil) ?? []
    guard
      let item = own.first(where: isMeant) ?? ((try? proposed(services)) ?? []).first(where: isMeant) ?? own.first
    else { return nil }
    guard item.needsDecision else {
      return """
        <p class="tile">\(Icon.outbox.html)<span><strong>\(item.state)</strong> \(item.wait ?? item.error.map { "\(Shown.short(Shown.sentence($0)))" })</span>\
        <a class="button" href="/outbox#edit-\(item.entry.id)">Show</a></p>
        """
    }
    return """
      <section class="card edit warned" aria-label="\(item.state)"><div class="head"><strong>\(Icon.alert.html) \(item.state)</strong></div>
      \(item.content(from: item.entry.target))</section>
      """
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

  /// The edit with everything about it, in a list.
  var html: HTML {
    """
    <li class="edit\(isFurther ? " further" : "")" id="edit-\(entry.id)"><div class="head"><strong>\(Icon.outbox.html) \(title)</strong>\(badge)</div>
    \(content(from: nil))</li>
    """
  }

  /// The edit in one line, which opens to the rest of it.
  var line: HTML {
    """
    <li class="edit"><details class="need"><summary>\(Icon.outbox.html)<span class="cut"><strong>\(headline)</strong> <span class="soft">\(reason)</span></span>\
    <span class="button">Decide</span></summary><div>\(content(from: "home"))</div></details></li>
    """
  }

  /// - Parameter page: the page to which the buttons lead back; the outbox where absent.
  private func content(from page: String?) -> HTML {
    let back = page.map { Control.hidden("from", $0) }
    return """
      \(decided.isEmpty ? values : choices(back))\(entry.removalNote.map { "<p>\($0)</p>" as HTML })\(wait.map { "<p>\($0)</p>" as HTML })\(error.map { "<p class=\"error\">\(Shown.short(Shown.sentence($0)))</p>" as HTML })\(buttons(back))
      """
  }

  /// The fields to decide, each with both values, and what else the edit changes.
  private func choices(_ back: HTML?) -> HTML {
    let address = "/do/\(client == nil ? "outbox" : "proposals")/\(percentEncoded(entry.id))"
    func all(_ side: ConflictSide, _ label: String) -> HTML {
      """
      <button class="plainly" name="all" value="\(side.rawValue)" data-all="\(side.rawValue)" formnovalidate aria-label="\(label): \(headline)">\(label)</button>
      """
    }
    let discard: HTML? =
      client == nil && isPartly
      ? """
      <button class="plainly" formaction="\(address)/discard" formnovalidate aria-label="Discard your edit: \(headline)">Discard your edit</button>
      """ : nil
    return """
      <form method="post" action="\(address)/\(client == nil ? "fields" : "approve")" class="decide">\(hidden)\(back)\(table(entry.edit.keys))
      <div class="buttons"><button class="primary" data-whole aria-label="Save choices: \(headline)">Save choices</button>\(all(.mine, "All \(yours.lowercased())"))\(all(.theirs, client == nil ? "All theirs" : "All as now"))\(discard)</div></form>
      """
  }

  /// What the edited values are called, and those of the other side.
  private var yours: String { client == nil ? "Yours" : "Proposed" }
  private var theirs: String { client != nil ? "Now" : server.isEmpty ? "Theirs" : "Theirs (\(server))" }

  /// What it is about: `New person: Iris Kettle`, `Remove Dario Ferrant?`, or the name of the record.
  var headline: String {
    let name = Shown.name(self.name.isEmpty ? entry.targetID : self.name)
    return switch entry.kind {
    case .post: "New \(Shown.heading(collection?.recordType ?? "record").lowercased()): \(name)"
    case .delete: "Remove \(name)?"
    case .put: name
    }
  }

  private var title: HTML {
    // A record that is proposed has no page yet.
    if entry.targetID.isEmpty { return "\(headline)" }
    return "<a href=\"\(Shown.record(entry.targetCollection.rawValue, entry.targetID))\">\(headline)</a>"
  }

  /// What there is to decide, in a few words.
  var state: String {
    if let client { return "Proposed by \(Shown.short(client, 40))" }
    switch entry.state {
    case .pending where plan.isSending && entry.outcomeUnknown: return "Sending"
    case .pending: return entry.attempts == 0 ? "Waiting to be sent" : "Tried \(entry.attempts.counted("time"))"
    case .refused: return entry.isMade ? "Created at the server" : "Refused by the server"
    case .conflict:
      let fields = entry.contested.map { Shown.field($0.text, of: entry.targetCollection) }.sorted()
      return entry.isRemoved || entry.kind == .delete || fields.isEmpty
        ? "In conflict" : "In conflict: \(fields.joined(separator: ", "))"
    }
  }

  /// Why a person has to decide: `2 fields differ from the server`.
  private var reason: String {
    let fields = entry.contested.map { Shown.field($0.text, of: entry.targetCollection) }
    return switch entry.state {
    case .conflict where client == nil && entry.kind == .put && !entry.isRemoved && !fields.isEmpty:
      fields.count == 1 ? "\(fields[0]) differs from the server" : "\(fields.count) fields differ from the server"
    case .refused where !entry.isMade:
      entry.lastError.map { "Refused: \(Shown.short(Shown.sentence($0), 120))" } ?? state
    default: state
    }
  }

  /// Whether a person has to decide about it.
  var needsDecision: Bool { client != nil || entry.state != .pending }

  /// Whether the server left a field of the edit alone; if not, to discard the edit is the same as to take theirs.
  private var isPartly: Bool {
    entry.kind == .put && !entry.isRemoved && entry.contested.count < entry.edit.keys.count
  }

  /// What it waits for, in sentences.
  private var wait: HTML? {
    guard entry.state == .pending else { return nil }
    guard let hold else { return entry.retryAt.map(Self.wait) }
    return """
      The program \(hold.process) is sending an edit of this record. This one is sent when that is done, or after \
      \(Shown.moment(hold.until)) if that program ended.
      """
  }

  private static func wait(until time: Timestamp) -> HTML {
    "The server asked to wait. Next attempt: \(Shown.due(time))."
  }

  /// What becomes of an edit that was just made, after what was done; empty where it is not sent.
  static func sending(_ collection: CollectionName, _ id: String, _ services: DaemonServices) -> String {
    let target = "\(collection)/\(id)".exact
    let own = ((try? services.outbox.entries()) ?? []).filter { $0.$target == target && $0.state == .pending }
    guard let last = own.last else { return "" }
    return last.retryAt.map { "; the server asked to wait, and gets the edit after \(Shown.text($0))" }
      ?? ", and the server gets the edit"
  }

  /// The line that says until when edits wait for their servers; `nil` where none does.
  static func waiting(_ services: DaemonServices) -> HTML? {
    let now = services.time.now
    let entries = ((try? services.outbox.entries()) ?? []).filter { $0.state == .pending && $0.retryAt ?? now > now }
    guard let first = entries.compactMap(\.retryAt).min() else { return nil }
    return """
      <a class="tile" href="/outbox">\(Icon.outbox.html)<span><strong>\(entries.count.counted("edit")) \(entries.count == 1 ? "waits" : "wait")</strong>\
      <span class="soft">\(wait(until: first))</span></span></a>
      """
  }

  /// Why it was not sent; of a conflict, the table says it.
  private var error: String? { entry.state == .conflict ? nil : entry.lastError }

  private var badge: HTML {
    if let client { return "<span class=\"badge warn\">proposed by \(Shown.short(client, 40))</span>" }
    return switch entry.state {
    case .pending:
      "<span class=\"badge\">\(state)\(plan.isSending ? nil : (entry.retryAt ?? plan.next).map { " · next try \(Shown.due($0))" as HTML })</span>"
    case .conflict: "<span class=\"badge warn\">in conflict</span>"
    case .refused: "<span class=\"badge bad\">\(entry.isMade ? "created" : "refused")</span>"
    }
  }

  private var values: HTML? {
    switch entry.kind {
    case .post: return facts(entry.edit)
    case .delete:
      guard client == nil, let theirs = entry.theirs, !entry.isRemoved else { return facts(entry.base) }
      let changed = theirs.members.filter { $0.value != entry.base[$0.key] ?? .null }
      return table(changed.map(\.key), isRemoval: true)
    case .put: return table(entry.edit.members.map(\.key))
    }
  }

  /// The values of a record that is new, or is to be removed: one line for each.
  private func facts(_ fields: JSONObject) -> HTML? {
    // What a server or the store gave it says nothing to people.
    let unsaid = ["id", "firstName", "lastName"] + (collection?.record?.assignedFields ?? [])
    let rows = fields.members.filter { member in
      member.value != .null && !unsaid.contains(member.key) && member.value.string != name
    }
    guard !rows.isEmpty else { return nil }
    let items = rows.map {
      "<li>\(Shown.field($0.key, of: entry.targetCollection)): \(text($0.value, $0.key))</li>" as HTML
    }
    return "<ul class=\"plain facts\">\(items)</ul>"
  }

  /// Each field with its value before, here and at the server.
  ///
  /// - Parameter isRemoval: whether there are no edited values.
  private func table(_ fields: [String], isRemoval: Bool = false) -> HTML {
    let heading = isRemoval ? nil : yours
    let rows = fields.map { field -> HTML in
      let (was, label) = (entry.base[field] ?? .null, Shown.field(field, of: entry.targetCollection))
      func side(_ side: ConflictSide, _ name: String, _ value: HTML) -> HTML {
        guard decided.contains(field.exact) else { return "<td data-name=\"\(name)\"><span>\(value)</span></td>" }
        return """
          <td data-name="\(name)"><label class="side"><input type="radio" name="take.\(field)" value="\(side.rawValue)" required><span class="hidden">\(label), \(name.prefix(1).lowercased() + name.dropFirst()):</span><span>\(value)</span></label></td>
          """
      }
      let mine = heading.map { side(.mine, $0, self.mine(field)) }
      let theirs = entry.theirs.map { side(.theirs, self.theirs, entry.isRemoved ? "removed" : their($0, field)) }
      return """
        <tr><th scope="row">\(label)</th><td data-name="Was"><span\(was == .null ? nil : " class=\"was\"" as HTML)>\(text(was, field))</span></td>\(mine)\(theirs)</tr>
        """
    }
    return """
      <table class="stack" aria-label="The edit of \(headline)"><thead><tr><th scope="col">Field</th><th scope="col">Was</th>\
      \(heading.map { "<th scope=\"col\">\($0)</th>" as HTML })\(entry.theirs == nil ? nil : "<th scope=\"col\">\(theirs)</th>")</tr></thead><tbody>\(rows)</tbody></table>
      """
  }

  static let style = """
    .edit .head > strong { display: flex; gap: var(--s); align-items: center; flex: 1; } .edit .head > strong > a { min-width: 0; } .edit table { margin-bottom: var(--xs); } .edit .was { color: var(--soft); text-decoration: line-through; text-decoration-thickness: 1px; }
    .edit th { overflow-wrap: normal; } .decide .side { min-height: 32px; font-size: var(--t-m); } .decide .side > span { min-width: 0; overflow-wrap: anywhere; }
    @media (min-width: 641px) { .edit th:first-child { width: 1%; padding-right: var(--l); white-space: nowrap; } .edit td { width: 30%; } }
    @media (max-width: 640px) { .decide .side { min-height: 44px; } .edit .head { row-gap: 0; } .edit .head > strong { flex: 1 1 100%; } .edit .head > strong > .icon { display: none; }
      .edit .stack td { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: 0 var(--s); align-items: baseline; } .edit .stack td:has(.side) { align-items: center; } .edit .stack td::before { content: attr(data-name); } }
    li:has(+ .further) { border: 0 !important; } .further .head { padding-left: 30px; } .further .head .icon { display: none; } .edit td { overflow-wrap: anywhere; } .edit > .buttons { margin-top: var(--s); }
    .facts { margin: 0 0 var(--s); } .warned { border-color: var(--warn); background: var(--warnbg); } .warned .head .icon { color: var(--warn); } .warned button:not(.primary, .danger, .plainly) { background: none; }

    """

  private var hidden: HTML? {
    entry.state == .conflict ? "<input type=\"hidden\" name=\"tag\" value=\"\(tag)\">" : nil
  }

  /// The edited value; of a field that follows others, which these are, because its value depends on the decision.
  private func mine(_ field: String) -> HTML {
    guard entry.state == .conflict, let followed = following[field.exact] else { return text(entry.edit[field], field) }
    return
      "<span class=\"soft\">follows \(followed.map { Shown.field($0, of: entry.targetCollection).lowercased() }.joined(separator: " and "))</span>"
  }

  /// The server's value; of a field of the edit that the server did not change, that it stays as edited.
  private func their(_ values: JSONObject, _ key: String) -> HTML {
    let isUnchanged = entry.kind == .put && values[key] ?? .null == entry.base[key] ?? .null
    return isUnchanged ? "<span class=\"soft\">not changed</span>" : text(values[key], key)
  }

  private func buttons(_ back: HTML?) -> HTML {
    func form(_ action: String, _ label: String, _ tone: String, _ more: HTML? = nil) -> HTML {
      """
      <form method="post" action="/do/\(action)">\(hidden)\(back)\(more)<button\(tone.isEmpty ? nil : " class=\"\(tone)\"" as HTML) \
      aria-label="\(label): \(headline)">\(label)</button></form>
      """
    }
    let isRemoval = entry.kind == .delete
    if client != nil {
      let place = "proposals/\(entry.id)/approve"
      let approve: HTML? =
        switch (entry.state, entry.kind) {
        case (.conflict, .delete):
          form(
            place, "Approve the removal", "danger",
            "<label><input type=\"checkbox\" name=\"take\" value=\"mine\" required> It changed; remove it nevertheless</label> "
          )
        // The sides are taken in the table.
        case (.conflict, _): nil
        case (_, .delete): form(place, "Approve the removal", "danger")
        default: form(place, "Approve", "primary")
        }
      return """
        <div class="buttons">\(approve)\
        \(form("proposals/\(entry.id)/reject", "Reject", ""))</div>
        """
    }
    let actions: [(name: String, label: String)] =
      switch entry.state {
      case .conflict:
        decided.isEmpty
          ? [("mine", isRemoval ? "Remove it nevertheless" : "Keep yours"), ("theirs", taking)]
            + (isPartly ? [("discard", "Discard your edit")] : []) : []
      case .refused: (entry.isMade ? [] : [("retry", "Try again")]) + [("discard", "Discard")]
      case .pending: [("send", "Send now"), ("discard", "Discard")]
      }
    let forms = actions.enumerated().map { number, action in
      form(
        "outbox/\(percentEncoded(entry.id))/\(action.name)", action.label,
        number == 0 && decided.isEmpty && entry.state == .conflict ? isRemoval ? "danger" : "primary" : "")
    }
    // What the server refused is mended in the record: both edits become one.
    let correction: HTML? =
      entry.state == .refused && !isRemoval
      ? """
      <a class="button primary" href="\(Shown.record(entry.targetCollection.rawValue, entry.targetID))?edit" aria-label="Correct: \(headline)">Correct</a>
      """ : nil
    return forms.isEmpty ? "" : "<div class=\"buttons\">\(correction)\(forms)</div>"
  }

  /// What the button says that takes the side of the server.
  private var taking: String {
    if entry.isRemoved { return "Remove it here, too" }
    return "\(entry.kind == .delete ? "Keep" : "Take") \(theirs.prefix(1).lowercased() + theirs.dropFirst())"
  }

  private func text(_ value: JSONValue?, _ field: String) -> HTML {
    switch value {
    case nil, .null?: return "<span class=\"soft\">nothing</span>"
    case let value? where entry.targetCollection == .people:
      let lines = field == "photo" ? ["a photo"] : Timeline.lines(value, of: field, .people)
      return Self.broken(Shown.short(lines.joined(separator: ", ")))
    case .string(let text)?:
      let kind = collection?.leaves.first { $0.name.exact == field.exact }?.kind
      return kind == nil || kind == .text ? Self.broken(Shown.short(text)) : Shown.value(value, kind)
    default: return Shown.value(value)
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

  init(_ services: DaemonServices, _ plans: [ExactString: Scheduler.SendPlan]) throws(Failure) {
    let own = try OutboxItem.all(services) { _ in true }.map { item in
      var item = item
      item.plan = plans[item.entry.$id] ?? item.plan
      return item
    }
    items = Self.ordered(try OutboxItem.proposed(services) + own)
  }

  /// The newest first, and with it the others of its record, in the order in which they are sent.
  static func ordered(_ items: [OutboxItem]) -> [OutboxItem] {
    let groups = Dictionary(grouping: items) { item in
      "\(item.needsDecision) \(item.entry.targetID.isEmpty ? item.entry.id : item.entry.target)".exact
    }
    func newest(_ group: [OutboxItem]) -> (Timestamp, String) {
      (group[group.count - 1].entry.createdAt, group[group.count - 1].entry.id)
    }
    return groups.values.sorted { newest($0) > newest($1) }.flatMap { group in
      group.enumerated().map { number, item in
        var item = item
        item.isFurther = number > 0
        return item
      }
    }
  }

  var page: Page {
    let decisions = items.filter(\.needsDecision).map(\.html)
    let waiting = items.filter { !$0.needsDecision }.map(\.html)
    let card: HTML? =
      decisions.isEmpty
      ? nil
      : Card(
        id: "decisions", title: "Edits that need you", aside: OutboxMany.buttons(items), isLive: false, tone: "alarm",
        content: "<ul class=\"entries\">\(decisions)</ul>"
      ).html
    let others: HTML? =
      waiting.isEmpty && !decisions.isEmpty
      ? nil
      : Card(
        id: "outbox", title: "Waiting to be sent", isLive: false,
        content: waiting.isEmpty
          ? Card.nothing(.check, "Every edit has arrived.") : "<ul class=\"entries\">\(waiting)</ul>"
      ).html
    return Page(
      title: "Outbox", section: .outbox,
      content: """
        <h1>Outbox</h1>
        <div id="problems" data-live>\(card)</div>
        <div id="waiting" data-live>\(others)</div>
        """)
  }
}
