import Frontend
import Hummingbird
import Models
import Ports

/// What is done to several records at once, and to groups of people.
enum ManyForms {
  static func groupList(_ services: DaemonServices) -> HTML { list(of: try? services.people.groups()) }

  /// The names of the groups, which a field offers.
  static func list(of groups: PeopleGroups?) -> HTML {
    var names: [String] = []
    for group in groups?.all ?? [] where names.last?.exact != group.name.exact { names.append(group.name) }
    return "<datalist id=\"groups\">\(names.prefix(200).map { "<option value=\"\($0)\">" as HTML })</datalist>"
  }

  /// A field for the name of a group, and the button that adds people to it.
  private static let addition: HTML = """
    <label>Group <input name="to" list="groups" autocomplete="off" size="12"></label>\
    <button name="do" value="add">Add</button>
    """

  /// What can be done to the people that are ticked.
  static func actions(inGroup group: String) -> HTML {
    let leave: HTML? = group.isEmpty ? nil : "<button name=\"do\" value=\"leave\">Remove from group</button>"
    return """
      <details class="asks"><summary>Add to group</summary><div>\(addition)</div></details>\(leave)\
      <details class="asks"><summary>Export</summary><div>\(Downloads.buttons(.people))</div></details>\
      <button formmethod="get" formaction="/collections/people" name="merge" value="ticked">Merge</button>\
      \(Control.asking("Remove", says: "Remove the people", "They are removed here and from their address books. What only a server of people has stays there.", "<button class=\"danger\" name=\"do\" value=\"remove\">Remove them</button>"))
      """
  }

  /// What can be done to the records of a collection that are ticked.
  static func actions(_ collection: CollectionDescriptor) -> HTML {
    let removal: HTML? =
      collection.isRemovable
      ? Control.asking(
        "Remove", says: "Remove the records", "They are removed here and at their server.",
        "<button class=\"danger\" name=\"do\" value=\"remove\">Remove them</button>") : nil
    return "\(Downloads.buttons(collection.name))\(removal)"
  }

  /// The menu of a person: a group, and the removal.
  static func menu(_ person: Person, _ services: DaemonServices) -> HTML {
    let (id, name) = (Control.hidden("id", person.id), person.fullName)
    let removal = Control.asking(
      "Remove", says: "Remove \(name)", "\(name) \(PersonForms.removal(person.fields, "will be"))",
      "<button class=\"danger\" name=\"do\" value=\"remove\">Remove \(name)</button>")
    let content: HTML = """
      <a href="/export/people.vcf?id=\(percentEncoded(person.id))">Save contact</a>\
      <form method="post" action="/do/many/people" class="fields">\(id)\(Control.hidden("back", "record"))\(addition)</form>\
      <form method="post" action="/do/many/people">\(id)\(removal)</form>
      """
    return
      "\(Control.menu("<span aria-hidden=\"true\">⋯</span> More", says: "More for \(name)", content))\(groupList(services))"
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (form, services) = (call.form, call.services)
    let name = CollectionName(rawValue: call.part("name"))
    guard let collection = services.catalog[name] else { throw Problem(.notFound, "there is no collection '\(name)'") }
    let selection = Selection(collection, services, ids: form.all("id"), isTicked: true) { form[$0] }
    let ids = try selection.ids()
    let undo = Timeline.undo(ids.map { RecordName(name, $0) }, services)
    let list = selection.query.address(name.rawValue)
    switch form["do"] {
    case "remove" where name == .people || collection.isRemovable:
      let record = (try? services.library.record(name, ids[0])).flatMap { try? services.coder.decode($0) }
      let single = Shown.name(record.flatMap { RecordPages.title($0, name, services) } ?? ids[0])
      let (done, failure) = await each(ids) { (id) throws(Failure) in
        if name == .people {
          _ = try await services.people.remove(id)
        } else {
          try await services.library.remove(name, id)
        }
      }
      if let failure, done == 0 { throw failure }
      let what = ids.count == 1 ? "\(single) is" : "\(count(done, name)) \(done == 1 ? "is" : "are")"
      let stop = failure.map { " Then this failed: \($0.message)." } ?? ""
      return API.back(to: list, saying: "\(what) removed.\(stop)", undo: undo, call, parts)
    case "add" where name == .people, "leave" where name == .people:
      let isAddition = form["do"] == "add"
      let group = try groupName(isAddition ? form["to"] : form["group"])
      let edits = try GroupEdits(services.people, services.library, services.coder)
      let cards = edits.groups.all.filter { $0.name.exact == group.exact }.compactMap(\.card)
      let undo = Timeline.undo(
        ids.map { RecordName(name, $0) } + cards.map { RecordName(.groups, $0.id) }, services)
      _ = try await edits.change(ids, of: group, adds: isAddition)
      // A group that nobody is in any more is gone.
      let isGone = !isAddition && (try? selection.query.members(services)) == nil
      let place =
        form["back"] == "record" ? Shown.record("people", ids[0]) : isGone ? "/collections/people" : list
      let verb = isAddition ? "now in" : "not in"
      let more = isAddition ? "" : " any more"
      return API.back(
        to: place,
        saying:
          "\(count(ids.count, name)) \(ids.count == 1 ? "is" : "are") \(verb) the group \(Shown.name(group))\(more).",
        undo: undo, call, parts)
    default: throw Problem(.unprocessableContent, "do takes add, leave or remove")
    }
  }

  /// `1 person`, `3 people`, `3 records`.
  private static func count(_ count: Int, _ name: CollectionName) -> String {
    name == .people ? count.counted("person", "people") : count.counted("record")
  }

  /// Does something to one record after another, until it fails.
  private static func each(
    _ ids: [String], _ body: (String) async throws(Failure) -> Void
  ) async -> (done: Int, failure: Failure?) {
    for (index, id) in ids.enumerated() {
      do throws(Failure) { try await body(id) } catch { return (index, error) }
    }
    return (ids.count, nil)
  }

  // MARK: Groups

  private static func groupName(_ text: String?) throws(Problem) -> String {
    guard let name = text?.trimmed, !name.isEmpty else {
      throw Problem(.unprocessableContent, "a group needs a name", hint: "write one, and press the button again")
    }
    return name
  }

  /// The page that creates a group.
  static func newGroup(_ services: DaemonServices) -> Page {
    let books = services.books.map { book -> HTML in
      "<option value=\"\(book.follow)\">\(PersonForms.name(ofBook: book.follow))</option>"
    }
    let form: HTML? =
      books.isEmpty
      ? nil
      : """
      <form method="post" action="/do/groups/create" class="fields"><label class="long">Name <input name="name" required autocomplete="off"></label>\
      <label>Address book <select name="book">\(books)</select></label><button class="primary">Create</button></form>
      """
    return Page(
      title: "New group", section: .people,
      content: Card(
        id: "newgroup", title: "New group", level: 1, isLive: false, tone: "person",
        content: """
          <p>A group exists through its people: tick them in the list of <a href="/collections/people">people</a>, press “Add to group”, \
          and write the new name.\(form == nil ? nil : " In an address book, a group can also have a card of its own, and nobody in it yet:" as HTML)</p>\(form)
          """
      ).html)
  }

  /// What can be done with a group, on its page.
  static func actions(ofGroup name: String, _ services: DaemonServices) throws(Failure) -> HTML {
    let cards = try GroupEdits(services.people, services.library, services.coder).named(name).compactMap(\.card)
    let links = cards.map { "<a href=\"\(Shown.record("groups", $0.id))\">Edit the card</a>" as HTML }
    let hidden = Control.hidden("group", name)
    return Control.menu(
      "<span aria-hidden=\"true\">⋯</span>", says: "More for the group",
      """
      <form method="post" action="/do/groups/rename" class="fields">\(hidden)<label>Name <input name="name" value="\(name)" required autocomplete="off"></label><button>Rename</button></form>\
      <form method="post" action="/do/groups/delete">\(hidden)\(Control.asking("Remove the group", says: "Remove the group", "Its people stay.", "<button class=\"danger\">Remove it</button>"))</form>\(links)
      """)
  }

  static func groups(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (form, services) = (call.form, call.services)
    let edits = try GroupEdits(services.people, services.library, services.coder)
    if call.part("action") == "create" {
      let name = try groupName(form["name"])
      _ = try await edits.create(name, of: [], in: FollowedBook(form["book"] ?? "", among: services.books))
      return API.back(
        to: "/collections/people?group=\(percentEncoded(name))", saying: "The group \(Shown.name(name)) is there now.",
        call, parts)
    }
    let group = form["group"] ?? ""
    let records = try edits.named(group).flatMap { one in
      one.card.map { [RecordName(.groups, $0.id)] } ?? one.people.map { RecordName(.people, $0.text) }
    }
    let undo = Timeline.undo(records, services)
    switch call.part("action") {
    case "rename":
      let name = try groupName(form["name"])
      if name.exact != group.exact { _ = try await edits.rename(group, to: name) }
      return API.back(
        to: "/collections/people?group=\(percentEncoded(name))", saying: "The group is called \(Shown.name(name)) now.",
        undo: undo, call, parts)
    case "delete":
      _ = try await edits.delete(group)
      return API.back(
        to: "/collections/people", saying: "The group \(Shown.name(group)) is removed; its people stay.", undo: undo,
        call,
        parts)
    default: throw Problem(.notFound, "a group can be created, renamed or deleted")
    }
  }
}

extension API {
  var many: [Route] {
    [
      Route(.post, "/do/many/{name}", .page, content: .form) { [parts] call in try await ManyForms.answer(call, parts)
      },
      Route(.post, "/do/groups/{action}", .page, content: .form) { [parts] call in
        try await ManyForms.groups(call, parts)
      },
      Route(.post, "/do/several/{action}", .page, content: .form) { [parts] call in
        try await OutboxMany.answer(call, parts)
      },
    ]
  }
}
