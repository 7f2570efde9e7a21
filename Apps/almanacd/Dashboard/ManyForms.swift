import Frontend
import Hummingbird
import Models
import Ports

/// What is done to several records at once, and to groups of people.
enum ManyForms {
  static func groupList(_ services: DaemonServices) -> HTML { list(of: try? services.people.groups()) }

  /// The names of the groups, which a field offers.
  static func list(of groups: PeopleGroups?) -> HTML {
    "<datalist id=\"groups\">\(names(of: groups).prefix(200).map { "<option value=\"\($0)\">" as HTML })</datalist>"
  }

  private static func names(of groups: PeopleGroups?) -> [String] {
    var names: [String] = []
    for group in groups?.all ?? [] where names.last?.exact != group.name.exact { names.append(group.name) }
    return names
  }

  /// The groups that a menu names; a field takes every other one.
  private static let mostNamed = 8

  /// The buttons that add people to a group that there is, and the field for any other.
  ///
  /// - Parameter own: the groups in which they are already.
  private static func additions(
    to groups: PeopleGroups?, besides own: [String], _ limited: HTML? = nil, typed: String = ""
  ) -> HTML {
    let known = Set(own.map(\.exact))
    let buttons = names(of: groups).filter { !known.contains($0.exact) }.prefix(mostNamed).map { name -> HTML in
      "<button class=\"into\" name=\"into\" value=\"\(name)\"\(limited)>\(Icon.people.html)\(Shown.short(name, 40))</button>"
    }
    return """
      \(Array(buttons))<label>\(buttons.isEmpty ? "Group" : "Another group") <input name="to" list="groups" autocomplete="off" value="\(typed)"></label>\
      <button class="primary" name="do" value="add"\(limited)>Add</button>
      """
  }

  /// The attributes of a button that changes at most so many records.
  private static let limited: HTML = """
     data-least="1" data-most="\(Selection.most)" data-says="At most \(grouped(Selection.most)) are changed at once"
    """

  /// What can be done to the people that are ticked.
  static func actions(inGroup group: String, _ groups: PeopleGroups?, _ refused: RefusedForm?) -> HTML {
    func merge(_ tone: String) -> HTML {
      """
      <button class="\(tone)" formmethod="get" formaction="/collections/people" name="merge" value="ticked" data-least="2" data-most="2" data-says="Merge takes two people">Merge</button>
      """
    }
    let leave: HTML? =
      group.isEmpty ? nil : "<button name=\"do\" value=\"leave\"\(limited)>Remove from this group</button>"
    return """
      \(Control.menu("Add to group", """
        \(additions(to: groups, besides: [group], limited, typed: refused.value("to") ?? ""))\
        <button formmethod="get" formaction="/collections/people" name="newgroup" value="ticked">New group</button>
        """))\(merge("wide-only"))\
      \(Control.menu("<span aria-hidden=\"true\">⋯</span> <span class=\"wide-only\">More</span>", says: "More for what is selected", """
        \(merge("narrow-only"))\(Downloads.buttons(.people))\(leave)\
        \(Control.asking("Remove", says: "Remove the people", "They are removed here and from their address books. What only a server of people has stays there.", "<button class=\"danger\" name=\"do\" value=\"remove\"\(limited)>Remove them</button>"))
        """))
      """
  }

  /// What can be done to the records of a collection that are ticked.
  static func actions(_ collection: CollectionDescriptor) -> HTML {
    let removal: HTML? =
      collection.isRemovable
      ? Control.menu(
        "Remove", says: "Remove the records",
        "<p class=\"soft small\">They are removed here and at their server.</p><button class=\"danger\" name=\"do\" value=\"remove\"\(limited)>Remove them</button>"
      ) : nil
    return "\(Control.menu("Export", "\(Downloads.buttons(collection.name))"))\(removal)"
  }

  /// The menu of a person: a group, and the removal.
  static func menu(_ person: Person, _ services: DaemonServices) -> HTML {
    let (id, name, groups) = (Control.hidden("id", person.id), person.fullName, try? services.people.groups())
    let removal = Control.asking(
      "Remove", says: "Remove \(name)", "\(name) \(PersonForms.removal(person.fields, "will be"))",
      "<button class=\"danger\" name=\"do\" value=\"remove\">Remove \(name)</button>")
    let content: HTML = """
      <a href="/export/people.vcf?id=\(percentEncoded(person.id))">Save contact</a>\
      <form method="post" action="/do/many/people" class="fields">\(id)\(Control.hidden("back", "record"))\
      <p class="small">Add to group</p>\(additions(to: groups, besides: person.details.groups))</form>\
      <form method="post" action="/do/many/people">\(id)\(removal)</form>
      """
    return
      "\(Control.menu("<span aria-hidden=\"true\">⋯</span> More", says: "More for \(name)", content))\(list(of: groups))"
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (form, services) = (call.form, call.services)
    let name = CollectionName(rawValue: call.part("name"))
    guard let collection = services.catalog[name] else { throw Problem(.notFound, "there is no collection '\(name)'") }
    let selection = Selection(collection, services, ids: form.all("id"), isTicked: true) { form[$0] }
    do { return try await act(on: selection, call, parts) } catch {
      guard form["back"] == nil else { throw error }
      let refused = try RefusedForm(call, error)
      let page = try refusal(selection.query, of: collection, form.all("id"), form["all"] != nil, services, refused)
      return refused.response(page, at: page.address ?? "/collections/\(name)", call, parts)
    }
  }

  /// The list, on which the same is ticked, with the reason why nothing is done.
  private static func refusal(
    _ query: RecordQuery, of collection: CollectionDescriptor, _ ids: [String], _ isAll: Bool,
    _ services: DaemonServices,
    _ refused: RefusedForm
  ) throws -> Page {
    var page = try RecordPages.list(
      collection, query, services, ticks: Ticks(ids: ids, isAll: isAll, refused: refused))
    page.address = query.address(collection.name.rawValue, after: query.after, start: query.start)
    page.status = refused.problem.status
    return page
  }

  private static func act(on selection: Selection, _ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (form, services, name) = (call.form, call.services, selection.collection.name)
    let ids = try selection.ids()
    let undo = Timeline.undo(ids.map { RecordName(name, $0) }, services)
    let list = selection.query.address(name.rawValue)
    switch form["into"] == nil ? form["do"] : "add" {
    case "remove" where name == .people || selection.collection.isRemovable:
      let single = RecordPages.name(of: ids[0], in: name, services)
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
      let isAddition = form["do"] != "leave"
      let group = try groupName(isAddition ? form["into"] ?? form["to"] : form["group"])
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

  /// The most people with whom a group begins.
  private static let mostFirst = 200
  /// The most names that a field offers.
  private static let mostNames = 400

  /// The page that makes one person of two that are ticked; with others, the list says why not.
  static func merging(_ call: APIRequest) throws -> Page {
    let (ids, services) = (call.queries("id"), call.services)
    if ids.count == 2, ids[0].exact != ids[1].exact {
      return try DuplicatesPage.pair(ids[0], ids[1], isListed: call.query("from") == "duplicates", services)
    }
    return try refusal(call, ids, "two people are merged at a time", "tick two, and press Merge again")
  }

  /// The page that creates a group of those who are ticked.
  static func newGroup(_ call: APIRequest) throws -> Page {
    let (services, ids) = (call.services, call.queries("id"))
    guard call.query("all") == nil, ids.count <= mostFirst else {
      return try refusal(
        call, ids, "a new group begins with at most \(grouped(mostFirst)) people",
        "tick fewer, and add the others to the group later")
    }
    return newGroup(ids, nil, services)
  }

  private static func refusal(_ call: APIRequest, _ ids: [String], _ reason: String, _ hint: Advice) throws -> Page {
    guard let people = call.services.catalog[.people] else { throw Problem(.notFound, "there are no people") }
    let refused = RefusedForm(values: SentForm(), problem: Problem(.unprocessableContent, reason, hint: hint))
    return try refusal(RecordQuery(call), of: people, ids, call.query("all") != nil, call.services, refused)
  }

  private static func newGroup(_ ids: [String], _ refused: RefusedForm?, _ services: DaemonServices) -> Page {
    let chosen = refused?.values.all("book").last ?? ""
    let books = services.books.map { ($0.follow, PersonForms.name(ofBook: $0.follow)) }
    let place: HTML? =
      books.isEmpty
      ? nil
      : """
      <label>Keep it <select name="book"\(refused.attributes("book"))>\(Control.options([("", "On the cards of its people")] + books, chosen: chosen))</select>\(refused.message("book"))</label>
      """
    let ticked = ids.map { id -> HTML in
      "<label class=\"side\"><input type=\"checkbox\" name=\"id\" value=\"\(id)\" checked>\(RecordPages.name(of: id, in: .people, services))</label>"
    }
    let typed = (refused?.values.all("person[].value") ?? []).filter { !$0.trimmed.isEmpty } + [""]
    let rows = typed.enumerated().map { number, name -> HTML in
      """
      <div class="row">\(Control.hidden("person[].type", ""))<input name="person[].value" list="names" autocomplete="off" aria-label="Person" placeholder="Add a person" value="\(name)"\(number == 0 ? refused.attributes("people") : nil)></div>
      """
    }
    return Page(
      title: "\(refused == nil ? "" : "Error: ")New group", section: .people,
      content: Card(
        id: "newgroup", title: "New group", level: 1, isLive: false, tone: "person",
        content: """
          <form method="post" action="/do/groups/create" class="fields" autocomplete="off">\(refused?.message)\(refused.input("name", "Name", tone: "full", refused == nil ? " required autofocus" : " required"))\
          <fieldset class="rows full"><legend>People</legend>\(ticked)\(rows)\(refused.message("people"))</fieldset>\(names(services))\(place)\
          \(Control.saving("Create", back: "/collections/people"))</form>
          """
      ).html, status: refused?.problem.status ?? .ok)
  }

  /// The names of people, which a field offers.
  private static func names(_ services: DaemonServices) -> HTML {
    var names: [String] = []
    try? services.library.list(.people, LibraryQuery(sortField: "fullName", limit: mostNames)) { record in
      if let name = try? services.coder.text("fullName", of: record), name.exact != names.last?.exact {
        names.append(name)
      }
      return .next
    }
    return "<datalist id=\"names\">\(names.map { "<option value=\"\(Shown.name($0))\">" as HTML })</datalist>"
  }

  /// The people of a form that creates a group: those who stayed ticked, and those who are named.
  ///
  /// - Throws: `Problem` with 422 about `people` where a name means nobody, or more than one person.
  private static func members(_ form: SentForm, _ services: DaemonServices) throws -> [String] {
    var ids = form.all("id")
    for name in form.all("person[].value").map(\.trimmed) where !name.isEmpty {
      let found = try services.library.records(.people, meaning: name, as: .whole, limit: 2)
      guard found.count == 1 else {
        throw Problem(
          .unprocessableContent,
          found.isEmpty ? "nobody is called '\(Shown.name(name))'" : "several people are called '\(Shown.name(name))'",
          hint: found.isEmpty
            ? "choose a name that the field offers" : "tick the one that is meant in the list of people"
        ).about("people")
      }
      if !ids.contains(where: { $0.exact == found[0].id.exact }) { ids.append(found[0].id) }
    }
    return ids
  }

  /// Creates a group with its people.
  private static func create(_ call: APIRequest, _ edits: GroupEdits) async throws -> RefusedForm.NextPage {
    let (form, services) = (call.form, call.services)
    let name: String
    do throws(Problem) { name = try groupName(form["name"]) } catch { throw error.about("name") }
    let ids = try members(form, services)
    let path = form["book"] ?? ""
    guard !path.isEmpty || !ids.isEmpty else {
      throw Problem(.unprocessableContent, "a group needs somebody in it", hint: "name a person").about("people")
    }
    guard !edits.groups.all.contains(where: { $0.name.exact == name.exact }) else {
      throw Problem(
        .unprocessableContent, "there is a group '\(Shown.name(name))' already", hint: "choose another name"
      ).about("name")
    }
    let undo = Timeline.undo(ids.map { RecordName(.people, $0) }, services)
    if !path.isEmpty {
      let book: FollowedBook
      do throws(Failure) { book = try FollowedBook(path, among: services.books) } catch {
        throw Problem(error).about("book")
      }
      _ = try await edits.create(name, of: [], in: book)
    }
    if !ids.isEmpty {
      _ = try await GroupEdits(services.people, services.library, services.coder).change(ids, of: name, adds: true)
    }
    let who = ids.isEmpty ? "" : " with \(count(ids.count, .people))"
    return (
      "/collections/people?group=\(percentEncoded(name))", "The group \(Shown.name(name)) is there now\(who).",
      path.isEmpty ? undo : nil
    )
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
      do {
        let next = try await create(call, edits)
        return API.back(to: next.address, saying: next.note, undo: next.undo, call, parts)
      } catch {
        let refused = try RefusedForm(call, error)
        return refused.response(
          newGroup(form.all("id"), refused, services), at: "/collections/people?newgroup", call, parts)
      }
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
