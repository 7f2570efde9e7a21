import Hummingbird
import Models
import Ports

/// The address book: everybody, one person, and the birthdays of a month.
enum PeoplePages {
  static func list(
    _ query: RecordQuery, _ shown: RecordQuery.Page, _ services: DaemonServices, _ ticks: Ticks, mistake: RefusedForm?
  ) -> Page {
    let today = services.time.now.date
    var people = shown.records.compactMap { try? Person(fields: $0) }
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    let alphabet: HTML? =
      query.search.isEmpty && query.condition.isEmpty && !query.sort.hasPrefix("-")
        && (shown.total ?? 0 >= fewest || !query.from.isEmpty)
      ? Card.choices(
        "Beginning with", letters.map { ($0, query.address("people", from: $0), query.from == $0) }, tone: "letters")
      : nil
    if query.sort == "lastName" {
      // The store orders those of one last name by their ids.
      let places = people.reduce(into: [(place: Int, person: Person)]()) { places, person in
        let isOther = places.last.map { FoldedText.folded($0.person.lastName) != FoldedText.folded(person.lastName) }
        places.append(((places.last?.place ?? 0) + (isOther == true ? 1 : 0), person))
      }
      people = places.sorted { ($0.place, $0.person.fullName) < ($1.place, $1.person.fullName) }.map(\.person)
    }
    let order: (Person) -> String = query.sort == "lastName" ? { $0.lastName } : { $0.fullName }
    let isByName = ["", "lastName"].contains(query.sort)
    let content: HTML =
      people.isEmpty
      ? Card.nothing(
        .people,
        mistake == nil
          ? !query.isPlain
            ? "No record matches." : query.group.isEmpty ? "Nobody is here yet." : "The group has nobody." : "",
        query.isPlain && query.group.isEmpty
          ? "<span class=\"buttons\"><a class=\"button primary\" href=\"/add/carddav\">Follow an address book</a><a class=\"button\" href=\"/collections/people?import\">Import contacts</a></span>"
          : "<a href=\"/collections/people\">Everybody</a>")
      : "\(ticks.all(shown.total, shown: people.count))\(list(people, by: isByName ? order : nil, today, ticks))"
    let book: HTML = """
      <section class="card" id="records" data-live aria-label="People">\(content)\(query.pager("people", shown))</section>
      """
    let (group, groups) = (query.group, try? services.people.groups())
    let export = people.isEmpty && query.isPlain ? nil : Downloads.links(.people, query)
    let more: HTML? =
      group.isEmpty
      ? Control.menu(
        "<span aria-hidden=\"true\">⋯</span>", says: "More",
        """
        <a href="/collections/people?import" data-drop="/do/people/import">Import</a><a href="/collections/people?duplicates">Duplicates</a>\
        <a href="/collections/people?newgroup">New group</a><a href="/collections/people?print">Print</a>\(export)
        """) : (try? ManyForms.actions(ofGroup: group, services))
    return Page(
      title: group.isEmpty ? "People" : group, section: .people,
      content: """
        <div class="head">\(group.isEmpty ? "<h1>People</h1>" : "<div><p class=\"small\"><a href=\"/collections/people\">People</a></p><h1>\(Shown.name(group))</h1></div>" as HTML)\
        <span class="soft" id="count" data-live>\(count(query, shown))</span>\
        \(people.isEmpty ? nil : Ticks.button)\(group.isEmpty ? nil : Downloads.menu(.people, query))<div id="more-people" data-live>\(more)</div><a class="button roomy" href="/collections/people?new">\(Icon.add.html) Add a person</a></div>
        \(services.catalog[.people].map { query.form($0, ["fullName"], mistake) })\(choices(groups, shown: group.isEmpty ? nil : group))\(alphabet)
        \(people.isEmpty && query.isPlain ? book : ticks.form("/do/many/people", query.hidden, book, total: shown.total, ManyForms.actions(inGroup: group, groups, ticks.refused)))\(ManyForms.list(of: groups))
        """, status: mistake?.problem.status ?? .ok)
  }

  /// From so many people on, letters lead through the list.
  private static let fewest = 30

  /// `321 in all`, or of a group `2 people`.
  private static func count(_ query: RecordQuery, _ page: RecordQuery.Page) -> String {
    guard !query.group.isEmpty, query.isPlain, let total = page.total else { return query.count(page) }
    return total == 1 ? "1 person" : "\(grouped(total)) people"
  }

  /// People in a list. Under the letters with which they begin where they are in the order of a name.
  private static func list(
    _ people: [Person], by name: ((Person) -> String)?, _ today: CivilDate, _ ticks: Ticks
  ) -> HTML {
    var parts: [(letter: String, people: [Person])] = []
    for person in people {
      let first = name.map { FoldedText.folded($0(person)).prefix(1).uppercased() } ?? ""
      let letter = first.first?.isLetter == true ? first : "#"
      if parts.last?.letter != letter { parts.append((letter, [])) }
      parts[parts.count - 1].people.append(person)
    }
    // A list that is short is not broken into columns.
    let few = people.count < 8 ? " few" : ""
    // Of very many people, the order is another one.
    guard name != nil, Set(parts.map(\.letter.exact)).count == parts.count else {
      return "<ul class=\"addresses\(few)\">\(people.map { item($0, today, ticks) })</ul>"
    }
    let sections = parts.map { part -> HTML in
      """
      <h2 id="letter-\(part.letter)">\(part.letter)</h2><ul class="addresses" aria-labelledby="letter-\(part.letter)">\(part.people.map { item($0, today, ticks) })</ul>
      """
    }
    return "<div class=\"book\(few)\">\(sections)</div>"
  }

  /// The most groups that are offered.
  private static let mostGroups = 60

  /// Links to the people of each group; `nil` where there is none.
  private static func choices(_ groups: PeopleGroups?, shown: String?) -> HTML? {
    var sizes: [(name: String, people: Set<ExactString>)] = []
    for group in groups?.all ?? [] {
      if sizes.last?.name.exact != group.name.exact { sizes.append((group.name, [])) }
      sizes[sizes.count - 1].people.formUnion(group.people)
    }
    if sizes.isEmpty { return nil }
    let links = sizes.prefix(mostGroups).map { group in
      (
        text: "\(Shown.short(group.name, 40)) \(grouped(group.people.count))",
        address: "/collections/people?group=\(percentEncoded(group.name))", isShown: group.name.exact == shown?.exact
      )
    }
    let new = (text: "New group", address: "/collections/people?newgroup", isShown: false)
    return Card.choices("Groups", [("Everybody", "/collections/people", shown == nil)] + links + [new], tone: "groups")
  }

  /// The most people of the list for paper.
  private static let mostPrinted = 5000

  /// Everybody, as a list for paper.
  static func printed(_ services: DaemonServices) throws -> Page {
    var people: [Person] = []
    try services.library.list(.people, LibraryQuery(sortField: "fullName", limit: mostPrinted)) {
      (bytes: RawSpan) throws(Failure) -> ScanStep in
      let record = try Failure.from { () throws(StoreError) in try services.coder.object(bytes, of: .people) }
      if let person = try? Person(fields: record) { people.append(person) }
      return .next
    }
    let rows = people.map { person -> [HTML] in
      let details = person.details
      return [
        "\(person.fullName)", "\(details.phones.map(\.value).joined(separator: ", "))",
        "\(details.emails.map(\.value).joined(separator: ", "))",
        "\(details.addresses.first?.text ?? "")", "\(person.birthday.map(Shown.birthday) ?? "")",
      ]
    }
    let columns = ["Name", "Phone", "Mail", "Address", "Birthday"].map { DataTable.Column($0) }
    return Page(
      title: "People, to print", section: .people,
      content: """
        <div class="head"><h1>People</h1><span class="soft">\(grouped(people.count)) in all</span></div>
        <p class="soft buttons">The print command of the browser prints this list.</p>
        \(DataTable(label: "People", columns: columns, rows: rows).html)
        """)
  }

  private static func item(_ person: Person, _ today: CivilDate, _ ticks: Ticks) -> HTML {
    let next = person.birthday?.next(onOrAfter: today, leapDay: .feb28)
    let isSoon = next.map { $0 <= today.adding(days: 60) } ?? false
    let about = [person.details.organization, person.details.emails.first?.value, person.details.phones.first?.value]
      .compactMap(\.self)
    return """
      <li>\(ticks.box("id", person.id, says: "Select \(person.fullName)"))<a href="\(Shown.record("people", person.id))">\(Avatar(person: person).html)<span class="who"><strong class="cut">\(person.fullName)</strong>\
      \(about.first.map { "<span class=\"soft cut\">\(Shown.short($0, 80))</span>" as HTML })</span>\(next.map { date -> HTML in
        "<span class=\"when\">\(Shown.day(date))\(isSoon ? person.birthday?.age(in: date.year).map { "<span class=\"soft\">turns \($0)</span>" as HTML } : nil)</span>"
      })</a></li>
      """
  }

  /// Everything of a person's card, with what can be done with it.
  ///
  /// - Parameter isPast: whether it is the card as it was, which cannot be edited.
  static func profile(_ person: Person, _ services: DaemonServices, isPast: Bool) -> HTML {
    let details = person.details
    let today = services.time.now.date
    let names = [details.namePrefix, person.firstName, details.middleName, person.lastName, details.nameSuffix]
    let whole = names.compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " ")
    var rows: [(name: String, value: HTML)] = []
    func row(_ name: String, _ type: String, _ value: HTML) {
      rows.append((type.isEmpty ? name : "\(name), \(PersonForms.name(ofType: type).lowercased())", value))
    }
    for mail in details.emails {
      row(
        "Mail", mail.type,
        "<a href=\"mailto:\(percentEncoded(mail.value))\">\(mail.value)</a>\(Control.copy(mail.value))")
    }
    for phone in details.phones {
      row("Phone", phone.type, "<a href=\"\(call(phone.value))\">\(phone.value)</a>\(Control.copy(phone.value))")
    }
    for address in details.addresses {
      row("Address", address.type, "<a href=\"\(map(address))\" rel=\"noreferrer\">\(address.text)</a>")
    }
    if let birthday = person.birthday {
      let next = birthday.next(onOrAfter: today, leapDay: .feb28).map { date in
        " · \(birthday.age(in: date.year).map { "turns \($0) " } ?? "")\(Shown.distance(date, from: today))"
      }
      let note = person.futureNote(today: today).map { "<br>\(Shown.sentence($0))" as HTML }
      row("Birthday", "", "\(Shown.birthday(birthday))<span class=\"soft\">\(note ?? "\(next ?? "")")</span>")
    }
    let work = [details.title, details.role].compactMap(\.self)
    if !work.isEmpty { row("Position", "", "\(work.joined(separator: ", "))") }
    if !details.departments.isEmpty { row("Department", "", "\(details.departments.joined(separator: ", "))") }
    for day in details.dates {
      row(
        day.type.isEmpty ? "Day" : Shown.heading(day.type), "",
        "\(Birthday(day.value).map(Shown.birthday) ?? day.value)")
    }
    for relation in details.relations { row("Related", relation.type, known(relation.value, services)) }
    for url in details.urls { row("Web page", url.type, Shown.value(.string(url.value))) }
    for profile in details.socialProfiles { row("Profile", profile.type, Shown.value(.string(profile.value))) }
    for address in details.ims { row("Messenger", address.type, "\(address.value)") }
    if whole != person.fullName, !whole.isEmpty { row("Names", "", "\(whole)") }
    if let nickname = details.nickname { row("Nickname", "", "\(nickname)") }
    if !details.groups.isEmpty {
      let links = details.groups.map {
        "<a href=\"/collections/people?group=\(percentEncoded($0))\">\($0)</a>" as HTML
      }
      row("Groups", "", "<span class=\"choices\">\(links)</span>")
    }
    if let note = details.note { row("Note", "", "<span class=\"lines\">\(Shown.short(note, 5000))</span>") }
    let place =
      person.origin == Person.imported
      ? "Kept only here, from a file"
      : person.origin.map(PersonForms.name(ofBook:)) ?? (person.remoteID == nil ? "Kept only here" : "Server of people")
    row("Address book", "", "\(place)")
    func action(_ address: String, _ icon: Icon, _ text: HTML) -> HTML {
      "<a class=\"button\" href=\"\(address)\" rel=\"noreferrer\">\(icon.html)\(text)</a>"
    }
    let actions: [HTML] = [
      details.phones.first.map { action(call($0.value), .call, "Call") },
      details.emails.first.map { action("mailto:\(percentEncoded($0.value))", .mail, "Mail") },
      details.addresses.first.map { action(map($0), .map, "Map") },
      isPast ? nil : action("\(Shown.record("people", person.id))?edit", .edit, "Edit"),
    ].compactMap(\.self)
    return """
      <section class="card" id="record" data-live><div class="profile">\(Avatar(person: person, isLarge: true).html)<div><h1>\(person.fullName)</h1>\
      \(details.organization.map { "<p class=\"soft\">\($0)</p>" as HTML })</div><div class="acts">\(actions)\(isPast ? nil : ManyForms.menu(person, services))</div></div>
      \(DataTable.values(rows, label: "Card"))<details class="soft small"><summary>ID</summary>people/\(person.id)</details></section>
      """
  }

  /// The name of somebody, which leads to the only person who is called so.
  private static func known(_ name: String, _ services: DaemonServices) -> HTML {
    let found = (try? services.library.records(.people, meaning: name, as: .whole, limit: 2)) ?? []
    return found.count == 1 ? "<a href=\"\(Shown.record("people", found[0].id))\">\(name)</a>" : "\(name)"
  }

  private static func call(_ number: String) -> String {
    "tel:" + String(number.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }.map(Character.init))
  }

  private static func map(_ address: PostalAddress) -> String {
    "https://www.openstreetmap.org/search?query=\(percentEncoded(address.text))"
  }

  /// The birthdays of one month as a calendar.
  ///
  /// - Parameter names: the addresses from which calendar programs read the birthdays, as Access lists them.
  /// - Throws: `Problem` with 400 where the month is none; `Failure` where the store cannot be read.
  static func birthdays(_ call: APIRequest, readBy names: [String]) throws -> Page {
    let today = call.services.time.now.date
    let asked = call.query("month")
    guard let first = CivilDate("\(asked ?? String(today.description.prefix(7)))-01") else {
      throw Problem(.badRequest, "month takes a month, such as \(today.description.prefix(7)), not '\(asked ?? "")'")
    }
    let length = CivilDate.days(inMonth: first.month, year: first.year)
    let days = try call.services.people.birthdays(from: first, days: length - 1, leapDay: .feb28)
    // 1 January 1970 was a Thursday; weeks begin on Monday.
    let offset = ((first.daysSinceEpoch + 3) % 7 + 7) % 7
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map {
      "<div class=\"weekday\">\($0)</div>" as HTML
    }
    let cells = (0..<((offset + length + 6) / 7 * 7)).map { place -> HTML in
      let day = place - offset + 1
      guard (1...length).contains(day) else { return "<div class=\"outside\"></div>" }
      let own = days.filter { $0.date.day == day }
      let isToday = first.adding(days: day - 1) == today
      let number: HTML =
        own.isEmpty
        ? "<b>\(day)</b>"
        : """
        <a class="day" href="#day-\(day)" aria-label="\(day) \(Shown.longMonths[first.month - 1]): \(own.count.counted("birthday"))"><b>\(day)</b><span>\(own.count)</span></a>
        """
      return """
        <div class="\(isToday ? "today " : first.adding(days: day - 1) < today ? "past " : "")\(own.isEmpty ? "" : "has")"\(isToday ? " aria-current=\"date\"" as HTML : nil)>\(number)\(own.prefix(3).map(link))\
        \(own.count > 3 ? "<span class=\"soft\">\(own.count - 3) more</span>" as HTML : nil)</div>
        """
    }
    // Of this month, from today on: what is over comes last.
    let listed = days.filter { $0.date >= today } + days.filter { $0.date < today }
    let span = call.query("days") == "60" ? 60 : 10
    let next = asked == nil ? try call.services.people.birthdays(from: today, days: span, leapDay: .feb28) : []
    let further: HTML? = span == 60 ? nil : " <a class=\"small\" href=\"/birthdays?days=60#next\">Show 60 days</a>"
    let soon = Card(
      id: "next", title: "Next", aside: "<span class=\"soft small\">\(span) days</span>\(further)",
      content: next.isEmpty
        ? Card.nothing(.calendar, "No birthday in the next \(span) days.") : list(next, today, isFar: true))
    // A calendar without an end would lead whoever follows every link astray: it goes a year back and a year forward.
    let present = today.year * 12 + today.month - 1
    let title = "\(Shown.longMonths[first.month - 1]) \(first.year)"
    let own = first.year * 12 + first.month - 1
    func step(_ months: Int, _ icon: Icon, _ side: HTML) -> HTML? {
      let month = own + months
      if abs(month - present) > 12 { return nil }
      return """
        <a class="button" href="/birthdays?month=\(month / 12)-\(Shown.padded(month % 12 + 1))" rel="\(side)" aria-label="\(Shown.longMonths[month % 12]) \(month / 12)">\(icon.html)</a>
        """
    }
    return Page(
      title: "Birthdays, \(title)", section: .birthdays,
      content: """
        <div class="head"><h1>Birthdays</h1><div class="months" role="group" aria-label="Month">\(step(-1, .back, "prev"))<strong>\(title)</strong>\(step(1, .next, "next"))\
        \(asked == nil ? nil : "<a class=\"button\" href=\"/birthdays\">Today</a>" as HTML)</div>\(subscription(names))</div>
        <div class="month" id="month" data-live role="group" aria-label="\(title)">\(weekdays)\(cells)</div>
        \(asked == nil ? soon.html : nil)\(Card(id: "birthdays", title: "\(title) (\(days.count))", content: listed.isEmpty ? Card.nothing(.calendar, "No birthday in this month.") : list(listed, today, isFar: false, hasDays: true)).html)
        """)
  }

  /// The ways to have the birthdays in a calendar.
  private static func subscription(_ names: [String]) -> HTML {
    let free = names.isEmpty ? "calendar" : "calendar \(names.count + 1)"
    let form: HTML = """
      <form method="post" action="/do/access/tokens">\(Control.hidden("rights", Rights.calendar.rawValue))\
      <p class="small">A calendar program reads the birthdays from an address of its own. Whoever has the address sees them. Access lists it, and ends it.</p>\
      <label>Name <input name="name" value="\(free)" autocomplete="off" required></label><p class="buttons"><button class="primary">Make the address</button></p></form>
      """
    let own: HTML = """
      <p class="small">\(names.count == 1 ? "One address is there: " : "\(names.count) addresses are there: ")\(names.map { "‘\($0)’" }.joined(separator: ", ")).</p>\
      <a href="\(AccessPage.path)#tokens">Show in Access</a><details><summary>Another address</summary>\(form)</details>
      """
    return Control.menu(
      names.isEmpty ? "Subscribe" : "\(Icon.check.html) Subscribed",
      "\(names.isEmpty ? form : own)<a href=\"/export/calendar/birthdays.ics\">Download once (.ics)</a>")
  }

  /// Birthdays as a list.
  ///
  /// - Parameters:
  ///   - isFar: whether each says how far away it is.
  ///   - hasDays: whether the days of the calendar lead here.
  private static func list(_ days: [UpcomingBirthday], _ today: CivilDate, isFar: Bool, hasDays: Bool = false) -> HTML {
    var last: CivilDate?
    let items = days.prefix(mostListed).map { birthday -> HTML in
      let (isPast, isFirst) = (birthday.date < today, hasDays && birthday.date != last)
      let kinds = (isPast ? ["past"] : []) + (hasDays && !isFirst ? ["same"] : [])
      last = birthday.date
      return """
        <li\(kinds.isEmpty ? nil : " class=\"\(kinds.joined(separator: " "))\"" as HTML)\(isFirst ? " id=\"day-\(birthday.date.day)\"" as HTML : nil)><a href="\(Shown.record("people", birthday.person.id))">\(Avatar(person: birthday.person).html)<span class="who"><strong class="cut">\
        \(birthday.person.fullName)</strong>\(birthday.age.map { "<span class=\"soft\">\(isPast ? "turned" : "turns") \($0)</span>" as HTML })</span>\
        <span class="when">\(Shown.day(birthday.date))\(isFar ? "<span class=\"soft\">\(Shown.distance(birthday.date, from: today))</span>" as HTML : nil)</span></a></li>
        """
    }
    return "<ul class=\"addresses\">\(Array(items))</ul>"
  }

  /// The most birthdays of a month that are listed; the calendar counts the others.
  private static let mostListed = 150

  /// A name in the calendar, which a list below has for whoever does not see it.
  private static func link(_ birthday: UpcomingBirthday) -> HTML {
    "<a href=\"\(Shown.record("people", birthday.person.id))\" tabindex=\"-1\" aria-hidden=\"true\">\(birthday.person.fullName)</a>"
  }

  static let style = """
    @media (min-width: 1200px) { main:has(> .beside-list) { grid-template-columns: minmax(0, 1fr) 440px; } main:has(> .beside-list) > .bulk { grid-column: 1; } .beside-list { grid-column: 2; position: sticky; top: 76px; max-height: calc(100vh - 92px); overflow: auto; } }
    @media (max-width: 1199px) { .beside-list { display: none; } } .beside-list .profile { gap: var(--m); } .beside-list .acts { flex: 1 1 100%; } .addresses a[aria-current] { background: var(--accentbg); box-shadow: -8px 0 var(--accentbg), 8px 0 var(--accentbg); }

    """

  /// On a wide screen a person is shown beside the list; pressed again, the link leads to the page.
  static let script = """
    const panel = Object.assign(document.createElement("aside"), { className: "beside-list", ariaLabel: "Person" });
    let beside = "";
    const people = () => [...document.querySelectorAll("#records .addresses a")];
    async function show(address) {
      const answer = await fetch(address, { credentials: "same-origin" }).catch(() => null);
      const record = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("record");
      const link = people().find((one) => one.href === address);
      if (!record || !link) { panel.remove(); beside = ""; return; }
      beside = address;
      // The list has the names of the groups, too.
      record.querySelector("datalist")?.remove();
      for (const one of people()) if (one === link) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current");
      if (panel.isConnected && panel.firstChild) update(panel.firstChild, record); else { panel.replaceChildren(record); link.closest("form").after(panel); }
    }
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("#records .addresses a");
      if (!link || link.href === beside || !matchMedia("(min-width: 1200px)").matches || isChoosing() || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(link.href);
    });

    """
}
