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
    var items: [HTML] = []
    for pair in pairs.prefix(most) { items.append(item(pair, try services.duplicates.merging(pair.a.id, pair.b.id))) }
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

  private static func item(_ pair: PossibleDuplicate, _ merge: PersonMerge) -> HTML {
    let choices = merge.conflicts.map { conflict -> HTML in
      func value(_ person: Person, _ text: String, _ place: String) -> HTML {
        conflict.field == "photo"
          ? Avatar(person: person, alternative: "Photo of the \(place) card, \(person.fullName)").html
          : "\(Shown.short(text, 100))"
      }
      return """
        <fieldset class="rows"><legend>\(Shown.heading(conflict.field))</legend>\
        <label class="side"><input type="radio" name="side.\(conflict.field)" value="a" checked> \(value(merge.a, conflict.a, "first"))</label>\
        <label class="side"><input type="radio" name="side.\(conflict.field)" value="b"> \(value(merge.b, conflict.b, "second"))</label></fieldset>
        """
    }
    let (a, b) = (pair.a, pair.b)
    return """
      <li><div class="head"><span><strong>\(a.fullName)</strong> <span class="soft">and</span> <strong>\(b.fullName)</strong></span>\
      <span class="badge\(pair.score == .certain ? " good" : "")">\(pair.score.rawValue)</span></div>
      <p class="soft">\(Shown.capitalized(pair.reasons.map(\.words).joined(separator: ", ")))</p>
      <ul class="addresses">\([a, b].map(card))</ul>
      <form method="post" action="/do/people/merge" class="merge">\(Control.hidden("a", a.id))\(Control.hidden("b", b.id))\(choices)\
      <span class="buttons"><button formaction="/do/people/different" aria-label="Not the same person: \(a.fullName) and \(b.fullName)">Not the same person</button>\
      <button class="primary" aria-label="Merge \(a.fullName) and \(b.fullName)">Merge</button></span></form></li>
      """
  }

  /// The page that makes one person of two that were ticked.
  ///
  /// - Throws: `Problem` with 422 where there are not two; `Failure` where the store cannot be read.
  static func pair(_ ids: [String], _ services: DaemonServices) throws -> Page {
    guard ids.count == 2, ids[0].exact != ids[1].exact else {
      throw Problem(.unprocessableContent, "two people are merged at a time", hint: "tick two, and press Merge again")
    }
    let merge = try services.duplicates.merging(ids[0], ids[1])
    return Page(
      title: "Merge two people", section: .people,
      content: """
        <div class="head"><div><p class="small"><a href="/collections/people">People</a></p><h1>Merge two people</h1></div></div>
        <section class="card" aria-label="Two people"><ul class="entries">\(item(PossibleDuplicate(a: merge.a, b: merge.b, score: .possible, reasons: []), merge))</ul></section>
        """)
  }

  static let style = """
    .merge { display: flex; flex-wrap: wrap; gap: var(--m) var(--xl); align-items: end; justify-content: space-between; padding: var(--s) 0; }
    .merge > .buttons { margin: 0 0 0 auto; } .merge .avatar { width: 64px; height: 64px; } .merge .side { min-height: 44px; }

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
    let undo = Timeline.undo(.people, a, with: b, call.services)
    let merged = try await call.services.duplicates.merge(a, b, sides)
    let lost = merged.lost.isEmpty ? "" : " \(merged.lost.joined(separator: ", ")) of the other card is left out."
    return ("/collections/people?duplicates", "\(Shown.name(merged.person.fullName)) is one person now.\(lost)", undo)
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
