import Hummingbird
import Models
import Ports

/// The pages with the forms that add, edit and remove people.
enum PersonForms {
  /// The page that adds somebody.
  static func addition(_ services: DaemonServices, _ refused: RefusedForm? = nil) -> Page {
    Page(
      title: "\(refused == nil ? "" : "Error: ")Add a person", section: .people,
      content: "\(addition(refused, books: services.books))\(ManyForms.groupList(services))",
      status: refused?.problem.status ?? .ok)
  }

  /// The page that takes a file of contacts.
  static func importing(_ services: DaemonServices, _ refused: RefusedForm? = nil) -> Page {
    Page(
      title: "\(refused == nil ? "" : "Error: ")Import contacts", section: .people,
      content: importing(refused, books: services.books),
      status: refused?.problem.status ?? .ok)
  }

  private static func importing(_ refused: RefusedForm?, books: [FollowedBook]) -> HTML {
    Card(
      id: "import", title: "Import contacts", level: 1, isLive: false, tone: "person",
      content: """
        <p class="soft">A vCard, a table (CSV) or a ZIP archive of them, as other address books export them. Who is here already is \
        not added again. Drop the file on this page, or choose it. Larger files than 20 MB: <code>almanac people import</code>.</p>
        <form method="post" action="/do/people/import" enctype="multipart/form-data" class="fields">\(refused?.message)
        <label class="full">File <input type="file" name="cards" accept=".vcf,.csv,.zip,text/vcard,text/csv,application/zip" required data-drop\(refused.attributes("cards"))>\(refused.message("cards"))</label>
        \(choice(of: books, refused))\(Control.saving("Import", back: "/collections/people"))</form>
        """
    ).html
  }

  /// The page that edits or removes a person.
  static func change(_ id: String, _ services: DaemonServices, _ refused: RefusedForm? = nil) throws -> Page {
    let bytes = try services.library.record(.people, id)
    let record: JSONObject = try services.coder.decode(bytes)
    return Page(
      title: "\(refused == nil ? "" : "Error: ")Edit \(record["fullName"]?.string ?? id)", section: .people,
      content: "\(change(record, tag: EntityTag.of(bytes), refused))\(ManyForms.groupList(services))")
  }

  /// The form that adds somebody.
  ///
  /// - Parameter books: the address books that can get the card.
  private static func addition(_ refused: RefusedForm?, books: [FollowedBook]) -> HTML {
    let book = books.first { $0.follow.exact == refused.value("to")?.exact }
    let another = refused?.other.map { other -> HTML in
      // Who is kept only here gets into the address book that was chosen.
      let joins: HTML? = book.flatMap { book in
        other.isLocal
          ? "<button name=\"join\" value=\"\(other.id)\">Add \(other.name) to \(name(ofBook: book.follow))</button>"
          : nil
      }
      return """
        <p class="buttons full"><button name="new" value="true">Save anyway</button>\(joins)<a class="button primary" href="\(Shown.record("people", other.id))">Open \(other.name)</a></p>
        """
    }
    return Card(
      id: "add", title: "Add a person", level: 1, isLive: false, tone: "person",
      content: form(
        "/do/people/add", "\(refused?.message)\(another)\(choice(of: books, refused))", nil, refused,
        back: "/collections/people")
    ).html
  }

  /// Where new people are kept, where there is a choice.
  private static func choice(of books: [FollowedBook], _ refused: RefusedForm?) -> HTML? {
    let choices = [("", "Only here")] + books.map { ($0.follow, name(ofBook: $0.follow)) }
    return books.isEmpty && refused.message("to") == nil
      ? nil
      : """
      <label>Keep in <select name="to"\(refused.attributes("to"))>\(Control.options(choices, chosen: refused.value("to")))</select>\
      \(refused.message("to"))</label>
      """
  }

  /// The forms that edit and remove a person. They are valid for the record as it was read, so that an edit does not undo
  /// another one that was made meanwhile.
  private static func change(_ record: JSONObject, tag: String, _ refused: RefusedForm?) -> HTML {
    let id = record["id"]?.string ?? ""
    let name = record["fullName"]?.string ?? id
    let hidden: HTML = "\(Control.hidden("id", id))\(Control.hidden("tag", tag))"
    return Card(
      id: "edit", title: "Edit \(name)", level: 1, isLive: refused == nil, tone: "person",
      content: """
        \(form("/do/people/edit", "\(refused?.message)\(hidden)", record, refused, back: Shown.record("people", id)))
        <details><summary>Remove this person</summary><p>\(name) \(removal(record, "will be"))</p>
        <form method="post" action="/do/people/remove">\(hidden)<button class="danger">Remove \(name)</button></form></details>
        """
    ).html
  }

  /// `Contacts (home)`, for `carddav/home/contacts`.
  static func name(ofBook path: String) -> String {
    let parts = path.split(separator: "/").map { percentDecoded($0) }
    return parts.count < 3 ? path : "\(Shown.heading(parts[2...].joined(separator: "/"))) (\(parts[1]))"
  }

  /// What a removal does: `is removed here and from Contacts (home).`
  static func removal(_ record: JSONObject, _ verb: String = "is") -> String {
    if let book = record["origin"]?.string, book != Person.imported {
      return "\(verb) removed here and from \(name(ofBook: book))."
    }
    guard record["remoteID"]?.string != nil else { return "\(verb) removed." }
    return "\(verb) removed here. The copy on the server of people stays, and a sync does not bring it back."
  }

  /// - Parameter record: the person whom the form edits; `nil` where it adds one.
  private static func form(
    _ action: HTML, _ first: HTML, _ record: JSONObject?, _ refused: RefusedForm?, back: String
  ) -> HTML {
    func line(_ name: String, _ label: HTML, _ stored: String?, _ attributes: HTML? = nil) -> HTML {
      refused.input(name, label, stored: record.map { _ in SentForm.line(stored ?? "") }, attributes)
    }
    let details = ContactDetails(fields: record ?? [:])
    let focus: HTML? = record == nil && refused == nil ? " autofocus" : nil
    let texts = texts.map {
      ($0.name, line($0.name, "\(Shown.field($0.name, of: .people))", details[keyPath: $0.path]))
    }
    let lists = lists(details).map { list -> (String, HTML) in
      let field = refused.field(list.name, stored: record.map { _ in list.text })
      if let rows = rows(list, field) { return (list.name, rows) }
      // The first line break after the tag is not part of the text.
      return (
        list.name,
        """
        <label class="full">\(list.label) <textarea name="\(list.name)" rows="3" autocomplete="off" \
        placeholder="\(list.example)"\(field.attributes)>\(field.value.hasPrefix("\n") ? "\n" : "" as HTML)\(field.value)</textarea>\
        \(field.notes)</label>
        """
      )
    }
    let names = [
      ("photo", photo(record, refused)),
      ("firstName", line("firstName", "First name", record?["firstName"]?.string, focus)),
      ("lastName", line("lastName", "Last name", record?["lastName"]?.string)),
      ("birthday", line("birthday", "Birthday", born(record), " placeholder=\"10 December 1815, or 10 December\"")),
      ("fullName", line("fullName", "Full name", record?["fullName"]?.string)),
    ]
    let fields = (names + texts + lists).sorted { place($0.0) < place($1.0) }
    let (often, rest) = (fields.filter { place($0.0) < order.count }, fields.filter { place($0.0) >= order.count })
    let isRestMeant = rest.contains { refused?.isAbout($0.0) ?? false }
    return """
      <form method="post" action="\(action)" enctype="multipart/form-data" class="fields" autocomplete="off" novalidate>\(first)\
      \(often.map(\.1))
      <div class="full"><details\(isRestMeant ? " open" as HTML : nil)><summary>More fields</summary><div class="fields">\
      \(rest.map(\.1))</div></details></div>
      \(Control.saving(record == nil ? "Add" : "Save", back: back))</form>
      """
  }

  /// The fields that are always shown, in their order.
  private static let order = [
    "photo", "firstName", "lastName", "phones", "emails", "birthday", "addresses", "organization", "note",
  ]

  /// The place of a field in the form: after those of the order, the folded ones.
  private static func place(_ name: String) -> Int {
    order.firstIndex(of: name)
      ?? order.count
      + ((["fullName"] + texts.map(\.name) + lists(ContactDetails()).map(\.name)).firstIndex(of: name) ?? 0)
  }

  private static func photo(_ record: JSONObject?, _ refused: RefusedForm?) -> HTML {
    let person = record.flatMap { try? Person(fields: $0) }
    let shown = person ?? Person(id: "", firstName: "", lastName: "", birthday: nil)
    let removal: HTML? =
      shown.details.photo == nil
      ? nil : "<label class=\"side\"><input type=\"checkbox\" name=\"nophoto\" value=\"true\">Remove the photo</label>"
    return """
      <div class="full side">\(Avatar(person: shown, isLarge: true).html)<label>Photo <input type="file" name="photo" \
      accept="image/jpeg,image/png,image/webp,image/gif"\(refused.attributes("photo"))>\(refused.message("photo"))</label>\(removal)</div>
      """
  }

  /// The birthday of a record as people write it, which the form reads again.
  private static func born(_ record: JSONObject?) -> String? {
    record?["birthday"]?.string.map { text in Birthday(text).map(Shown.birthday) ?? text }
  }

  /// A list as rows of a type and values, with an empty one at the end; `nil` where a line has no such row.
  private static func rows(_ list: DetailList, _ field: FormField) -> HTML? {
    guard !list.cells.isEmpty else { return nil }
    var rows = [[String]]()
    let isTyped = list.name != "groups"
    for line in field.value.split(separator: "\n").map(String.init) {
      guard isTyped else {
        rows.append(["", line])
        continue
      }
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      let text = parts.last ?? ""
      let values =
        list.cells.count == 1
        ? [text] : text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
      let row = [parts.count > 1 ? parts[0] : ""] + values
      guard values.count <= list.cells.count, SentForm.line(of: row)?.exact == line.trimmed.exact else { return nil }
      rows.append(row)
    }
    let kind: HTML? =
      list.name == "phones"
      ? " type=\"tel\"" : list.name == "emails" ? " type=\"email\"" : isTyped ? nil : " list=\"groups\""
    // What is wrong is beside the row that is refused; one that was not changed is not looked at.
    let wrong = rows.firstIndex { row in
      guard let line = SentForm.line(of: row), !list.lines.contains(line) else { return false }
      return (try? PersonInput.element(line, of: list.name, isWhole: true)) == nil
    }
    let lines = (rows + [[]]).enumerated().map { number, row -> HTML in
      let cells = list.cells.enumerated().map { place, name -> HTML in
        """
        <input name="\(list.name)[].value"\(kind) autocomplete="off" aria-label="\(name)" placeholder="\(number < rows.count || list.cells.count > 1 ? name : "Add a \(name.lowercased())")" \
        value="\(place + 1 < row.count ? row[place + 1] : "")"\(number == wrong ?? 0 && place == 0 ? field.attributes : nil)>
        """
      }
      let type: HTML =
        isTyped
        ? "<select name=\"\(list.name)[].type\" aria-label=\"Type\">\(types(of: list, row.first ?? ""))</select>"
        : Control.hidden("\(list.name)[].type", "")
      return "<div class=\"row\">\(type)\(cells)</div>\(number == wrong ?? rows.count ? field.notes : nil)"
    }
    return
      "<fieldset class=\"rows full\(isTyped ? "" : " chips")\"><legend>\(list.label)</legend>\(lines)</fieldset>"
  }

  /// The types that a row offers; one of its own stays among them.
  private static func types(of list: DetailList, _ own: String) -> [HTML] {
    let usual = ["", "home", "work"] + (list.name == "phones" ? ["cell", "fax"] : [])
    let all = usual + (usual.contains { $0.exact == own.exact } ? [] : [own])
    return Control.options(all.map { ($0, $0.isEmpty ? "Type" : name(ofType: $0)) }, chosen: own)
  }

  /// The type of a number or an address as people say it.
  static func name(ofType type: String) -> String { type == "cell" ? "Mobile" : Shown.capitalized(type) }

  private static let texts: [(name: String, path: any KeyPath<ContactDetails, String?> & Sendable)] = [
    ("middleName", \.middleName), ("namePrefix", \.namePrefix), ("nameSuffix", \.nameSuffix), ("nickname", \.nickname),
    ("phoneticFirstName", \.phoneticFirstName), ("phoneticMiddleName", \.phoneticMiddleName),
    ("phoneticLastName", \.phoneticLastName), ("organization", \.organization), ("title", \.title), ("role", \.role),
  ]

  /// A list, or the note, as the lines of a text.
  private struct DetailList {
    let name, label, example: String
    /// The values of a row of the form; none for a text of lines.
    let cells: [String]
    let lines: [String]
    let text: String

    init(_ name: String, _ label: String, _ example: String, _ cells: [String], _ lines: [String]) {
      (self.name, self.label, self.example, self.cells, self.lines) = (name, label, example, cells, lines)
      text = SentForm.lines(lines.joined(separator: "\n"))
    }
  }

  private static func lists(_ details: ContactDetails) -> [DetailList] {
    [
      DetailList("emails", "Mail", "", ["Mail address"], details.emails.map(\.description)),
      DetailList("phones", "Phone", "", ["Phone number"], details.phones.map(\.description)),
      DetailList(
        "addresses", "Address", "home: STREET; CITY; REGION; POSTAL CODE; COUNTRY",
        ["Street", "City", "Region", "Postal code", "Country"], details.addresses.map(\.description)),
      DetailList("departments", "Departments, the largest first", "Research", [], details.departments),
      DetailList("urls", "Web pages, one a line", "blog: https://ada.example", [], details.urls.map(\.description)),
      DetailList("ims", "Messengers, one a line", "xmpp:ada@example.org", [], details.ims.map(\.description)),
      DetailList(
        "socialProfiles", "Social profiles, one a line", "mastodon: https://social.example/@ada", [],
        details.socialProfiles.map(\.description)),
      DetailList(
        "relations", "Related people, one a line", "spouse: William King", [], details.relations.map(\.description)),
      DetailList("dates", "Other days, one a line", "anniversary: 1835-07-08", [], details.dates.map(\.description)),
      DetailList("groups", "Groups", "family", ["Group"], details.groups),
      DetailList("note", "Note", "", [], details.note.map { [$0] } ?? []),
    ]
  }

  /// What the form says in place of the hints for people who write lines.
  private static let hints = [
    "birthday": "write a day that the calendar has: 10 December 1815, or 10 December",
    "phones": "a phone number has digits, such as +44 20 7946 0000",
    "emails": "a mail address has a name, an @ and a server: ada@example.org",
  ]

  /// What the person changed: a list whose lines are unchanged is left as it is stored.
  ///
  /// - Parameter stored: the person whom the form edits; no member where it adds one.
  private static func input(_ form: SentForm, of stored: JSONObject) throws -> PersonInput {
    var mistakes: [Failure] = []
    let input = entered(form, over: stored, &mistakes)
    guard !mistakes.isEmpty else { return input }
    let names = PersonInput.names.dropLast().compactMap { form[$0]?.trimmed }
    if !names.isEmpty, names.allSatisfy(\.isEmpty) {
      mistakes.append(
        Failure(.config, .usage, "give a first or a last name", code: .own(.badDetail), path: "firstName"))
    }
    throw Mistakes(all: mistakes.sorted { place($0.path ?? "") < place($1.path ?? "") })
  }

  /// The mistakes of all fields of a form.
  struct Mistakes: Error {
    /// Each with its field as the path.
    let all: [Failure]
  }

  private static func entered(
    _ form: SentForm, over stored: JSONObject, _ mistakes: inout [Failure]
  ) -> PersonInput {
    var input = PersonInput()
    func attempt(_ body: (inout PersonInput) throws(PersonInput.Mistake) -> Void) {
      do throws(PersonInput.Mistake) { try body(&input) } catch {
        var mistake = error
        mistake.hint = hints[error.field] ?? error.hint
        mistakes.append(mistake.failure)
      }
    }
    let old = ContactDetails(fields: stored)
    for name in PersonInput.names + texts.map(\.name) {
      let before = SentForm.line((name == "birthday" ? born(stored) : stored[name]?.string) ?? "")
      guard let text = form.changed(name, stored: before)?.trimmed, text.exact != before.trimmed.exact else {
        continue
      }
      attempt { (input) throws(PersonInput.Mistake) in try input.set(name, to: text.isEmpty ? .null : .string(text)) }
    }
    for list in lists(old) {
      guard let text = form.changed(list.name, stored: list.text) else { continue }
      if list.name == "note" {
        attempt { (input) throws(PersonInput.Mistake) in
          try input.set(list.name, to: text.isEmpty ? .null : .string(text))
        }
        continue
      }
      let lines = text.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
      guard lines != list.lines else { continue }
      let kept = old.fields[list.name]?.array ?? []
      attempt { (input) throws(PersonInput.Mistake) in
        var items: [JSONValue] = []
        for line in lines {
          if let index = list.lines.firstIndex(of: line) {
            items.append(kept[index])
          } else {
            items.append(try PersonInput.element(line, of: list.name, isWhole: true))
          }
        }
        try input.set(list.name, to: items.isEmpty ? .null : .array(items))
      }
    }
    attempt { (input) throws(PersonInput.Mistake) in
      if let bytes = form.file("photo") {
        input.set(photo: try PersonInput.photo(bytes))
      } else if form["nophoto"] != nil {
        try input.set("photo", to: .null)
      }
    }
    return input
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let action: (APIRequest) async throws -> RefusedForm.NextPage
    switch call.part("action") {
    case "add": action = add
    case "edit": action = edit
    case "remove": action = remove
    case "import": action = importFile
    case "merge": action = DuplicatesPage.merge
    case "different": action = DuplicatesPage.note
    default: throw Problem(.notFound, "a person can be added, edited, removed, merged, told apart or imported")
    }
    return try await RefusedForm.answer(
      call, parts, call.services.catalog[.people],
      form: { refused in
        guard let id = refused.values["id"] else { return addition(refused, books: call.services.books) }
        let record: JSONObject = ["id": .string(id), "fullName": .string(refused.values["fullName"] ?? "")]
        return change(record, tag: refused.values["tag"] ?? "", refused)
      }, action)
  }

  private static func add(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    if let id = call.form["join"] {
      let book = try book(call)
      _ = try await call.services.people.queue([id], to: book)
      return (
        Shown.record("people", id),
        "The card is added to \(book.map { name(ofBook: $0.follow) } ?? "the server"); what you typed is not in it.",
        nil
      )
    }
    let new = PersonChange(try input(call.form, of: [:]))
    let (first, last, book) = (new.firstName ?? "", new.lastName ?? "", try book(call))
    if call.form["new"] == nil {
      let entered = Person(
        id: "", firstName: first, lastName: last, birthday: new.birthday, fullName: new.fullName,
        details: ContactDetails(fields: new.details))
      if let pair = DuplicatesPage.known(as: entered, call.services) {
        let reasons = pair.reasons.map(\.words).joined(separator: ", ")
        throw Failure(
          .config, .usage, "\(Shown.name(pair.a.fullName)) is here already, and may be the same person: \(reasons)",
          code: .own(.duplicate), path: "people/\(pair.a.id)")
      }
    }
    let person = try await call.services.people.add(
      firstName: first, lastName: last, birthday: new.birthday, fullName: new.fullName, details: new.details, to: book,
      isNew: call.form["new"] != nil, alongside: nil)
    return (
      Shown.record("people", person.id), "\(Shown.name(person.fullName)) is added.\(note(person, call))",
      Control.button("Undo", "/do/many/people", ["id": person.id, "do": "remove"])
    )
  }

  /// What to know of a birthday in the future.
  private static func note(_ person: Person, _ call: APIRequest) -> String {
    person.futureNote(today: call.services.time.now.date).map { " \(Shown.sentence($0))" } ?? ""
  }

  /// The most remarks about an imported file that are shown; the command names all of them.
  private static let mostRemarks = 5

  private static func importFile(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    guard let bytes = call.form.file("cards") else {
      throw Problem(.unprocessableContent, "choose a file that is not empty").about("cards")
    }
    let book = try book(call)
    let result: ImportedContacts
    let run = API.newRun(call, .import)
    do throws(Failure) {
      result = try await run.services.people.importContacts(bytes, file: call.form.fileName("cards"), to: book)
    } catch { throw Problem(error).about("cards") }
    let counts = [
      (result.added.count, "added"), (result.updated.count, "changed"), (result.known, "known already"),
      (result.skipped.count, "skipped"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let remarks = result.skipped + result.notes
    let said = remarks.prefix(mostRemarks).map { remark in
      " \(remark.name.map { Shown.name($0) } ?? "Line \(remark.line)"): \(Shown.short(remark.reason, 120))."
    }
    let rest = remarks.count > said.count ? " \((remarks.count - said.count).counted("further remark"))." : ""
    let text = counts.isEmpty ? "The file has no people." : "\(counts.joined(separator: ", "))."
    let made = result.added + result.updated
    let place = made.count == 1 ? Shown.record("people", made[0].id) : ChangesPage.address(by: run.id)
    return (
      "/collections/people", text + said.joined() + rest,
      made.isEmpty ? nil : "<a class=\"button\" href=\"\(place)\">Show</a>\(run.undo)"
    )
  }

  private static func book(_ call: APIRequest) throws(Problem) -> FollowedBook? {
    guard let path = call.form["to"], !path.isEmpty else { return nil }
    do throws(Failure) { return try FollowedBook(path, among: call.services.books) } catch {
      throw Problem(error).about("to")
    }
  }

  private static func edit(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let (id, current) = try RefusedForm.expected(call, .people)
    let stored: JSONObject = try call.services.coder.decode(current)
    let change = PersonChange(try input(call.form, of: stored))
    let isChanged = change != PersonChange()
    let undo = isChanged ? Timeline.undo(.people, id, call.services) : nil
    let place = "/collections/people/\(percentEncoded(id))"
    guard isChanged else { return (place, "Nothing was changed.", nil) }
    let person = try await call.services.people.edit(id, change, ifStored: current).person
    return (
      place,
      "\(Shown.name(person.fullName)) is saved\(OutboxItem.sending(.people, id, call.services)).\(note(person, call))",
      undo
    )
  }

  private static func remove(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let (id, current) = try RefusedForm.expected(call, .people)
    let record: JSONObject = try call.services.coder.decode(current)
    let undo = Timeline.undo(.people, id, call.services)
    _ = try await call.services.people.remove(id, ifStored: current)
    return ("/collections/people", "\(Shown.name(record["fullName"]?.string ?? id)) \(removal(record))", undo)
  }

  static let style = """
    .person { max-width: 760px; } .person input[type=file] { min-width: 0; width: 100%; } .person .side { flex-wrap: wrap; gap: var(--s) var(--m); } .person .side label:not(.side) { flex: 0 1 auto; } .person .side [type=file] { width: auto; border: 0; border-radius: 0; padding: 0; } .person .side ::file-selector-button { padding: 8px 14px; } @media (scripting: enabled) { .person .side [type=file] { color: #0000; width: 118px; } }
    .person form + details { margin-top: 0; } .person .full > details { margin: 0; } .saving { position: sticky; bottom: var(--bar); z-index: 1; display: flex; gap: var(--s); margin: 0; padding: var(--s) 0; background: var(--card);
      border-top: 1px solid var(--line); } .saving > * { flex: 1 1 0; max-width: 200px; } .person input { scroll-margin: 80px 0 150px; }
    .namesake { margin: 0; } .namesake a { display: inline-flex; align-items: center; min-height: 44px; margin-right: var(--s); } .namesake:empty { display: none; }
    .chips { display: flex; flex-wrap: wrap; gap: 0 var(--s); } .chips legend { flex: 1 1 100%; } .chips .row { flex: 0 1 180px; } .chips .row input { border-radius: 99px; }
    html:has(.saving) { scroll-padding-bottom: calc(var(--bar) + 96px); } @media (max-width: 640px) { .saving > * { max-width: none; } }

    """

  /// Address books take no large photos: one is scaled down before it is sent. Who is here already by the names of a new person
  /// is said while they are typed.
  static let script = """
    const newPerson = document.querySelector("form[action$='/do/people/add']"), namesake = document.createElement("p");
    namesake.className = "soft full namesake";
    namesake.setAttribute("role", "status");
    newPerson?.elements.lastName.parentElement.after(namesake);
    newPerson?.addEventListener("input", ({ target }) => {
      if (!["firstName", "lastName"].includes(target.name)) return;
      clearTimeout(typing);
      typing = setTimeout(async () => {
        const names = () => ["firstName", "lastName"].map((name) => newPerson.elements[name].value.trim()), typed = names();
        const place = new URL("../../collections/people", newPerson.action);
        place.searchParams.set("where", typed.map((name) => "fullName ~ " + name).join("\\n"));
        const answer = typed.every(Boolean) && await fetch(place, { credentials: "same-origin" }).catch(() => null);
        if (String(names()) !== String(typed)) return;
        const fresh = new DOMParser().parseFromString(answer && answer.ok ? await answer.text() : "", "text/html");
        const found = [...fresh.querySelectorAll("#records .addresses a")].slice(0, 3).map((one) => Object.assign(document.createElement("a"), { href: one.href, textContent: one.querySelector("strong").textContent }));
        namesake.replaceChildren(...(found.length ? ["Here already: ", ...found.flatMap((one) => [one, " "])] : []));
      }, 300);
    });
    document.addEventListener("change", async (event) => {
      const field = event.target, file = field.type === "file" && field.files[0];
      const picture = file && await createImageBitmap(file).catch(() => null);
      if (!picture) return; // the answer says what is wrong with it
      const scale = Math.min(1, 512 / Math.max(picture.width, picture.height)), canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height].map((size) => Math.max(1, Math.round(size * scale)));
      const paper = canvas.getContext("2d");
      paper.fillStyle = "#fff";
      paper.fillRect(0, 0, canvas.width, canvas.height);
      paper.drawImage(picture, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.88)), chosen = new DataTransfer();
      chosen.items.add(new File([blob], "photo.jpg", { type: blob.type }));
      field.files = chosen.files;
      canvas.className = "avatar large";
      field.closest(".side").querySelector(".avatar").replaceWith(canvas);
    });

    """
}
