import Hummingbird
import Models
import Ports

/// The people who may be stored twice, each pair with the button that makes one person of two.
enum DuplicatesPage {
  /// The pairs that are shown; the surest come first.
  private static let most = 50

  /// - Throws: `Failure` if the store cannot be read.
  static func page(_ services: DaemonServices) throws(Failure) -> Page {
    let pairs = try services.duplicates.duplicates()
    let items = pairs.prefix(most).map(item)
    let rest = pairs.count - items.count
    let list: HTML =
      items.isEmpty ? Card.nothing(.people, "Nobody is found twice.") : "<ul class=\"entries\">\(items)</ul>"
    return Page(
      title: "Duplicates", section: .people,
      content: """
        <div class="head"><div><p class="small"><a href="/collections/people">People</a></p><h1>Duplicates</h1></div>\
        <span class="soft">\(pairs.count.counted("pair"))</span></div>
        <section class="card" id="duplicates" data-live aria-label="Duplicates">\(list)\
        \(rest > 0 ? Shown.nothing("\(grouped(rest)) more, which are less sure.") : nil)</section>
        """)
  }

  private static func item(_ pair: PossibleDuplicate) -> HTML {
    let (a, b) = (pair.a, pair.b)
    let merge = "/collections/people?merge&from=duplicates&id=\(percentEncoded(a.id))&id=\(percentEncoded(b.id))"
    return """
      <li><div class="head"><span><strong>\(a.fullName)</strong> <span class="soft">and</span> <strong>\(b.fullName)</strong></span>\
      <span class="badge\(pair.score == .certain ? " good" : "")">\(pair.score.rawValue)</span></div>
      <p class="soft">\(Shown.capitalized(pair.reasons.map(\.words).joined(separator: ", ")))</p>
      <ul class="addresses">\([a, b].map(card))</ul>
      <div class="buttons">\(Control.button("Not the same person", "/do/people/different", says: "Not the same person: \(a.fullName) and \(b.fullName)", ["a": a.id, "b": b.id]))\
      <a class="button primary" href="\(merge)" aria-label="Merge \(a.fullName) and \(b.fullName)">Merge …</a></div></li>
      """
  }

  /// The page that makes one person of two, who are side by side, with what they become.
  ///
  /// - Parameter isListed: whether they come from the list of duplicates, to which it leads back.
  /// - Throws: `Failure`: `notFound` where there is no such person, or the store cannot be read.
  static func pair(
    _ first: String, _ second: String, isListed: Bool, _ services: DaemonServices
  ) throws(Failure) -> Page {
    let list = isListed ? "/collections/people?duplicates" : "/collections/people"
    let merge = try services.duplicates.merging(first, second)
    let (a, b) = (merge.a, merge.b)
    let fields = (a.fields, b.fields, merge.person([:]).fields)
    let unsaid = ["id", "firstName", "lastName", "fullName"] + Person.assignedFields
    let names = Person.schema.map(\.name).filter { fields.2[$0] != nil && !unsaid.contains($0) }
    let rows = ([PersonMerge.name] + names).map { name -> HTML in
      let field = name == PersonMerge.name ? "fullName" : name
      let isOpen = merge.conflicts.contains { $0.field == name }
      func value(_ person: Person, _ fields: JSONObject) -> HTML {
        if field == "photo", fields[field] != nil { return Avatar(person: person, alternative: "Photo").html }
        return
          "\(Timeline.lines(fields[field], of: field, .people).map { "<div>\(Shown.short($0, 200))</div>" as HTML })"
      }
      func cell(_ side: PersonMerge.Side, _ person: Person, _ fields: JSONObject) -> HTML {
        let title = Shown.field(name, of: .people)
        guard isOpen else { return "<td data-name=\"\(person.fullName)\">\(value(person, fields))</td>" }
        return """
          <td data-name="\(person.fullName)"><label class="side"><input type="radio" name="side.\(field == "fullName" ? PersonMerge.name : field)" value="\(side.rawValue)"\(side == .a ? " checked" as HTML : nil)>\
          <span class="hidden">\(title):</span><span>\(value(person, fields))</span></label></td>
          """
      }
      let result: HTML =
        isOpen
        ? "<span class=\"of-a\">\(value(a, fields.0))</span><span class=\"of-b\">\(value(b, fields.1))</span>"
        : value(fields.0[field] == nil ? b : a, fields.2)
      // Side by side, a phone has only what differs.
      let isSame = !isOpen && [fields.0[field], fields.1[field]].allSatisfy { $0 == nil || $0 == fields.2[field] }
      return """
        <tr\(isSame ? " class=\"same\"" as HTML : nil)><th scope="row">\(Shown.field(name, of: .people))</th>\(cell(.a, a, fields.0))\(cell(.b, b, fields.1))<td data-name="Together" class="together">\(result)</td></tr>
        """
    }
    func head(_ person: Person) -> HTML {
      let place = person.origin.map { $0 == Person.imported ? "From a file" : PersonForms.name(ofBook: $0) }
      return """
        <span class="side">\(Avatar(person: person).html)<span>\(person.fullName)\(place.map { "<br><span class=\"soft\">\($0)</span>" as HTML })</span></span>
        """
    }
    return Page(
      title: "Merge \(a.fullName) and \(b.fullName)", section: .people,
      content: """
        <div class="head"><div><p class="small"><a href="\(list)">\(isListed ? "Duplicates" : "People")</a></p><h1>Merge \(a.fullName) and \(b.fullName)</h1></div></div>
        <section class="card" aria-label="Two people"><form method="post" action="/do/people/merge" class="pair">\(Control.hidden("a", a.id))\(Control.hidden("b", b.id))\(isListed ? nil : Control.hidden("back", "person"))
        <table class="stack" aria-label="Both people, and what they become"><thead><tr><th scope="col"><span class="hidden">Field</span></th><th scope="col">\(head(a))</th><th scope="col">\(head(b))</th>\
        <th scope="col">Together</th></tr></thead><tbody>\(rows)</tbody></table>
        \(Control.saving("Merge", back: list))</form></section>
        """)
  }

  /// Who is stored already and may be a person who is about to be added; `nil` where nobody is.
  static func known(as person: Person, _ services: DaemonServices) -> PossibleDuplicate? {
    guard (try? services.library.count(.people)) ?? .max <= mostCompared else { return nil }
    return ((try? services.duplicates.duplicates(of: person)) ?? []).first { $0.score >= .likely }
  }

  /// The most people with whom a new one is compared.
  private static let mostCompared = 20_000

  static let style = """
    .pair { display: block; } .pair table { table-layout: fixed; } .pair .side { font-size: var(--t-m); } .pair :is(th, td) { vertical-align: top; overflow-wrap: anywhere; } .pair thead th:first-child { width: 140px; }
    .pair .together { background: var(--fill); padding-left: var(--s); } .pair thead th:last-child { padding-left: var(--s); } .pair tbody th { color: var(--soft); font-size: var(--t-s); }
    .pair tr:has([value=b]:checked) .of-a, .pair tr:not(:has([value=b]:checked)) .of-b { display: none; }
    @media (max-width: 640px) { .pair thead { position: sticky; z-index: 1; top: 60px; width: auto; height: auto; overflow: visible; clip-path: none; background: var(--card); } .pair thead th:is(:first-child, :last-child) { display: none; }
      .pair tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 var(--s); } .pair :is(tbody th, .together) { grid-column: 1 / -1; } .pair .together { padding: var(--xs) var(--s); border-radius: 8px; } .pair td:not(.together)::before { content: none; } .pair tbody th { font-size: var(--t-m); color: var(--ink); } .pair .same td:not(.together) { display: none; } }

    """

  private static func card(_ person: Person) -> HTML {
    let contacts = person.details.phones.map(\.value) + person.details.emails.map(\.value)
    let lines = contacts + [person.birthday.map(Shown.birthday)].compactMap(\.self)
    return """
      <li><a href="\(Shown.record("people", person.id))">\(Avatar(person: person).html)<span class="who"><strong class="cut">\(person.fullName)</strong>\
      <span class="soft">\(Shown.short(lines.joined(separator: " · "), 120))</span></span></a></li>
      """
  }

  /// Makes one person of two, as the form says.
  static func merge(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let (a, b) = (call.form["a"] ?? "", call.form["b"] ?? "")
    var sides: [ExactString: PersonMerge.Side] = [:]
    for conflict in try call.services.duplicates.merging(a, b).conflicts {
      sides[conflict.field.exact] = call.form["side.\(conflict.field)"].flatMap(PersonMerge.Side.init)
    }
    let isListed = call.form["back"] == nil
    let undo = Timeline.undo(merging: a, with: b, isListed: isListed, call.services)
    let merged = try await call.services.duplicates.merge(a, b, sides)
    let lost = merged.lost.isEmpty ? "" : " \(merged.lost.joined(separator: ", ")) of the other one is left out."
    return (
      isListed ? "/collections/people?duplicates" : Shown.record("people", merged.person.id),
      "\(Shown.name(merged.person.fullName)) is one person now.\(lost)", undo
    )
  }

  /// Takes a pair off the list, or puts it there again, as the form says.
  static func note(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let (a, b, isBack) = (call.form["a"] ?? "", call.form["b"] ?? "", call.form["back"] != nil)
    let pair = try call.services.duplicates.merging(a, b)
    try await call.services.duplicates.note(a, b, areDifferent: !isBack)
    let names = "\(Shown.name(pair.a.fullName)) and \(Shown.name(pair.b.fullName))"
    let undo = Control.button("Undo", "/do/people/different", ["a": a, "b": b, "back": "true"])
    return (
      "/collections/people?duplicates", isBack ? "\(names) are listed again." : "\(names) are two people.",
      isBack ? nil : undo
    )
  }
}
