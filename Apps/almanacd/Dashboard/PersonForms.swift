import Hummingbird
import Models
import Ports

/// The forms that add, edit and remove people.
enum PersonForms {
  /// The form that adds somebody.
  ///
  /// - Parameter books: the address books that can get the card.
  static func addition(_ refused: RefusedForm? = nil, books: [FollowedBook]) -> HTML {
    let choices = books.map { book -> HTML in
      let isChosen = refused.value("to")?.exact == book.follow.exact
      return "<option\(isChosen ? " selected" : "" as HTML)>\(book.follow)</option>"
    }
    let choice: HTML =
      books.isEmpty && refused.message("to") == nil
      ? ""
      : """
      <label>Address book <select name="to"\(refused.attributes("to"))><option value="">none</option>\(choices)</select>\
      \(refused.message("to"))</label>
      """
    return Card(
      id: "add", title: "Add a person", isLive: false,
      content: """
        <form method="post" action="/do/people/add" class="fields">\(refused?.message)\(inputs(nil, refused))\
        \(choice)<button class="primary">Add</button></form>
        """
    ).html
  }

  /// The forms that edit and remove a person. They are valid for the record as it was read, so that an edit does not undo
  /// another one that was made meanwhile.
  static func change(_ record: JSONObject, tag: String, today: CivilDate, _ refused: RefusedForm? = nil) -> HTML {
    let id = record["id"]?.string ?? ""
    let name = record["fullName"]?.string ?? id
    let hidden: HTML = "\(Control.hidden("id", id))\(Control.hidden("tag", tag))"
    let isOfBook = record["origin"]?.string.map { $0 != Person.imported } ?? false
    let note = record["birthday"]?.string.flatMap { Birthday($0) }?.futureNote(today: today, isOfBook: isOfBook)
    return Card(
      id: "edit", title: "Edit", isLive: false,
      content: """
        \(note.map { "<p class=\"soft\">Note: \($0).</p>" as HTML })
        <form method="post" action="/do/people/edit" class="fields" autocomplete="off">\(refused?.message)\(hidden)\
        \(inputs(record, refused))<button class="primary">Save</button></form>
        <details><summary>Remove this person</summary>
        <p>\(name) is removed here, with edits that wait. A copy on a server stays there, and a sync does not bring it \
        back.</p>
        <form method="post" action="/do/people/remove">\(hidden)<button>Remove \(name)</button></form></details>
        """
    ).html
  }

  /// The fields of the form.
  ///
  /// - Parameter record: the person whom the form edits; `nil` where it adds one.
  private static func inputs(_ record: JSONObject?, _ refused: RefusedForm?) -> HTML {
    func line(_ name: String, _ label: HTML, _ stored: String?) -> HTML {
      refused.input(name, label, stored: record.map { _ in SentForm.line(stored ?? "") })
    }
    let names = [("firstName", "First name"), ("lastName", "Last name"), ("fullName", "Full name")].map {
      line($0, "\($1)", record?[$0]?.string)
    }
    let details = ContactDetails(fields: record ?? [:])
    let texts = texts.map { line($0.name, "\($0.label)", details[keyPath: $0.path]) }
    let lists = lists(details).map { list -> HTML in
      let field = refused.field(list.name, stored: record.map { _ in list.text })
      if let rows = rows(list, field) { return rows }
      // The first line break after the tag is not part of the text.
      return """
        <label class="long">\(list.label) <textarea name="\(list.name)" rows="3" autocomplete="off" \
        placeholder="\(list.example)"\(field.attributes)>\(field.value.hasPrefix("\n") ? "\n" : "" as HTML)\(field.value)</textarea>\
        \(field.notes)</label>
        """
    }
    let types = ["home", "work", "cell"].map { "<option>\($0)</option>" as HTML }
    return """
      <datalist id="types">\(types)</datalist>\(names)\(refused.input("birthday", "Birthday", stored: record.map { $0["birthday"]?.string ?? "" }, tone: "", Self.birthdayForm))
      <div class="full"><details\(refused == nil ? nil : " open" as HTML)><summary>Details</summary><div class="fields">\(texts)\(lists)</div></details></div>
      """
  }

  /// A list as rows of a type and values, with an empty one at the end; `nil` where a line has no such row.
  private static func rows(_ list: DetailList, _ field: FormField) -> HTML? {
    guard !list.cells.isEmpty else { return nil }
    var rows = [[String]]()
    for line in field.value.split(separator: "\n").map(String.init) {
      let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
      let text = parts.last ?? ""
      let values =
        list.cells.count == 1
        ? [text] : text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
      let row = [parts.count > 1 ? parts[0] : ""] + values
      guard values.count <= list.cells.count, SentForm.line(of: row)?.exact == line.trimmed.exact else { return nil }
      rows.append(row)
    }
    let lines = (rows + [[]]).enumerated().map { number, row -> HTML in
      let cells = list.cells.enumerated().map { place, name -> HTML in
        """
        <input name="\(list.name)[].value" autocomplete="off" aria-label="\(name)" placeholder="\(name)" \
        value="\(place + 1 < row.count ? row[place + 1] : "")"\(number == 0 && place == 0 ? field.attributes : nil)>
        """
      }
      return """
        <div class="row"><input name="\(list.name)[].type" list="types" size="7" autocomplete="off" aria-label="Type" placeholder="Type" \
        value="\(row.first ?? "")">\(cells)</div>
        """
    }
    return "<fieldset class=\"rows full\"><legend>\(list.label)</legend>\(lines)\(field.notes)</fieldset>"
  }

  private static let birthdayForm: HTML = """
     placeholder="YYYY-MM-DD" size="12" pattern="\\s*(([0-9]{4}|-)-[0-9]{2}-[0-9]{2})?\\s*" title="YYYY-MM-DD, or --MM-DD without a year"
    """

  private static let texts: [(name: String, label: String, path: any KeyPath<ContactDetails, String?> & Sendable)] = [
    ("middleName", "Middle name", \.middleName), ("namePrefix", "Title", \.namePrefix),
    ("nameSuffix", "Suffix", \.nameSuffix), ("nickname", "Nickname", \.nickname),
    ("phoneticFirstName", "First name, as it is pronounced", \.phoneticFirstName),
    ("phoneticMiddleName", "Middle name, as it is pronounced", \.phoneticMiddleName),
    ("phoneticLastName", "Last name, as it is pronounced", \.phoneticLastName),
    ("organization", "Organization", \.organization), ("title", "Position", \.title), ("role", "Role", \.role),
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
      DetailList("emails", "Mail addresses", "", ["Mail address"], details.emails.map(\.description)),
      DetailList("phones", "Phone numbers", "", ["Phone number"], details.phones.map(\.description)),
      DetailList(
        "addresses", "Postal addresses", "home: STREET; CITY; REGION; POSTAL CODE; COUNTRY",
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
      DetailList("groups", "Groups, one a line", "family", [], details.groups),
      DetailList("note", "Note", "", [], details.note.map { [$0] } ?? []),
    ]
  }

  /// What the person changed: a list whose lines are unchanged is left as it is stored.
  ///
  /// - Parameter stored: the person whom the form edits; no member where it adds one.
  private static func input(_ form: SentForm, of stored: JSONObject) throws(Failure) -> PersonInput {
    try Failure.from { () throws(PersonInput.Mistake) in
      var input = PersonInput()
      let old = ContactDetails(fields: stored)
      for name in PersonInput.names + texts.map(\.name) {
        let before = SentForm.line(stored[name]?.string ?? "")
        guard let text = form.changed(name, stored: before)?.trimmed, text.exact != before.trimmed.exact else {
          continue
        }
        try input.set(name, to: text.isEmpty ? .null : .string(text))
      }
      for list in lists(old) {
        guard let text = form.changed(list.name, stored: list.text) else { continue }
        if list.name == "note" {
          try input.set(list.name, to: text.isEmpty ? .null : .string(text))
          continue
        }
        let lines = text.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
        guard lines != list.lines else { continue }
        let kept = old.fields[list.name]?.array ?? []
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
      return input
    }
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let action: (APIRequest) async throws -> RefusedForm.NextPage
    switch call.part("action") {
    case "add": action = add
    case "edit": action = edit
    case "remove": action = remove
    default: throw Problem(.notFound, "a person can be added, edited or removed")
    }
    return try await RefusedForm.answer(
      call, parts, call.services.catalog[.people],
      form: { refused in
        guard let id = refused.values["id"] else { return addition(refused, books: call.services.books) }
        let record: JSONObject = ["id": .string(id), "fullName": .string(refused.values["fullName"] ?? "")]
        return change(record, tag: refused.values["tag"] ?? "", today: call.services.time.now.date, refused)
      }, action)
  }

  private static func add(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let new = PersonChange(try input(call.form, of: [:]))
    let person = try await call.services.people.add(
      firstName: new.firstName ?? "", lastName: new.lastName ?? "", birthday: new.birthday, fullName: new.fullName,
      details: new.details, to: try book(call))
    return ("/collections/people/\(percentEncoded(person.id))", "\(Shown.name(person.fullName)) is added.")
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
    if isChanged { _ = try await call.services.people.edit(id, change, ifStored: current) }
    return ("/collections/people/\(percentEncoded(id))", isChanged ? "The person is saved." : "Nothing was changed.")
  }

  private static func remove(_ call: APIRequest) async throws -> RefusedForm.NextPage {
    let (id, current) = try RefusedForm.expected(call, .people)
    let record: JSONObject = try call.services.coder.decode(current)
    _ = try await call.services.people.remove(id, ifStored: current)
    return ("/collections/people", "\(Shown.name(record["fullName"]?.string ?? id)) is removed.")
  }
}
