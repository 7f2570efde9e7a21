import Hummingbird
import Models
import Ports

/// The address book: everybody, one person, and the birthdays of a month.
enum PeoplePages {
  static func list(
    _ query: RecordQuery, _ shown: RecordQuery.Page, _ services: DaemonServices, _ refused: RefusedForm?,
    mistake: RefusedForm?
  ) -> Page {
    let today = services.time.now.date
    let people = shown.records.compactMap { try? Person(fields: $0) }
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    let alphabet: HTML? =
      query.search.isEmpty && query.condition.isEmpty && query.sort.isEmpty
      ? Card.choices(
        "Beginning with", letters.map { ($0, "/collections/people?from=\($0)", query.from == $0) }, tone: "letters")
      : nil
    let content: HTML =
      people.isEmpty
      ? Card.nothing(
        .people, mistake == nil ? query.isPlain ? "Nobody is here yet." : "No record matches." : "",
        query.isPlain
          ? "<a class=\"button\" href=\"/add/carddav\">Follow an address book</a>"
          : "<a href=\"/collections/people\">Everybody</a>")
      : "<ul class=\"addresses\">\(people.map { item($0, today) })</ul>"
    return Page(
      title: "People", section: .people,
      content: """
        <div class="head"><h1>People</h1><span class="soft">\(shown.total.map { "\(grouped($0)) in all" } ?? "")</span>\
        <a class="button" href="#add">\(Icon.add.html) Add a person</a></div>
        \(query.form("people", mistake, placeholder: "fullName ~ text"))\(alphabet)
        <section class="card" id="records" data-live aria-label="People">\(content)\(query.pager("people", shown))</section>
        \(PersonForms.addition(refused, books: services.books))
        """, status: mistake?.problem.status ?? .ok)
  }

  private static func item(_ person: Person, _ today: CivilDate) -> HTML {
    let next = person.birthday?.next(onOrAfter: today, leapDay: .feb28)
    let about = [person.details.organization, person.details.emails.first?.value, person.details.phones.first?.value]
      .compactMap(\.self)
    return """
      <li><a href="\(Shown.record("people", person.id))">\(Avatar(person: person).html)<span class="who"><strong class="cut">\(person.fullName)</strong>\
      \(about.first.map { "<span class=\"soft cut\">\(Shown.short($0, 80))</span>" as HTML })</span>\(next.map { date -> HTML in
        "<span class=\"when\">\(Shown.day(date))\(person.birthday?.age(in: date.year).map { "<span class=\"soft\">turns \($0)</span>" as HTML })</span>"
      })</a></li>
      """
  }

  /// Everything of a person's card, with what can be done with it.
  static func profile(_ person: Person, _ services: DaemonServices) -> HTML {
    let details = person.details
    let today = services.time.now.date
    let names = [details.namePrefix, person.firstName, details.middleName, person.lastName, details.nameSuffix]
    let whole = names.compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: " ")
    var rows: [(name: String, value: HTML)] = []
    func row(_ name: String, _ type: String, _ value: HTML) {
      rows.append((name, "\(value)\(type.isEmpty ? nil : " <span class=\"badge\">\(type)</span>" as HTML)"))
    }
    for mail in details.emails {
      row("Mail", mail.type, "<a href=\"mailto:\(percentEncoded(mail.value))\">\(mail.value)</a>")
    }
    for phone in details.phones { row("Phone", phone.type, "<a href=\"\(call(phone.value))\">\(phone.value)</a>") }
    for address in details.addresses {
      row("Address", address.type, "<a href=\"\(map(address))\" rel=\"noreferrer\">\(text(address))</a>")
    }
    if let birthday = person.birthday {
      let next = birthday.next(onOrAfter: today, leapDay: .feb28).map { date in
        " · \(birthday.age(in: date.year).map { "turns \($0) " } ?? "")\(Shown.distance(date, from: today))"
      }
      row("Birthday", "", "\(Shown.birthday(birthday))<span class=\"soft\">\(next ?? "")</span>")
    }
    if whole != person.fullName, !whole.isEmpty { row("Names", "", "\(whole)") }
    if let nickname = details.nickname { row("Nickname", "", "\(nickname)") }
    if !details.groups.isEmpty { row("Groups", "", "\(details.groups.joined(separator: ", "))") }
    if let note = details.note { row("Note", "", "<span class=\"lines\">\(Shown.short(note, 5000))</span>") }
    row(
      "Kept", "",
      "\(person.origin == Person.imported ? "from a file" : person.origin ?? (person.remoteID == nil ? "only here" : "on the server of people"))"
    )
    let actions: [HTML] = [
      details.emails.first.map {
        "<a class=\"button\" href=\"mailto:\(percentEncoded($0.value))\">\(Icon.mail.html) Mail</a>"
      },
      details.phones.first.map { "<a class=\"button\" href=\"\(call($0.value))\">\(Icon.call.html) Call</a>" },
      details.addresses.first.map {
        "<a class=\"button\" href=\"\(map($0))\" rel=\"noreferrer\">\(Icon.map.html) Map</a>"
      },
    ].compactMap(\.self)
    return """
      <section class="card" id="record" data-live><div class="profile">\(Avatar(person: person, isLarge: true).html)<div><h1>\(person.fullName)</h1>\
      \(details.organization.map { "<p class=\"soft\">\($0)</p>" as HTML })<div class="buttons">\(actions)<a class="button" href="#edit">Edit</a></div></div></div>
      \(DataTable.values(rows, label: "Card"))<p class="soft small">\(person.id)</p></section>
      """
  }

  private static func call(_ number: String) -> String {
    "tel:" + String(number.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" }.map(Character.init))
  }

  private static func text(_ address: PostalAddress) -> String {
    address.parts.map(\.text).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func map(_ address: PostalAddress) -> String {
    "https://www.openstreetmap.org/search?query=\(percentEncoded(text(address)))"
  }

  /// The birthdays of one month as a calendar.
  ///
  /// - Throws: `Problem` with 400 where the month is none; `Failure` where the store cannot be read.
  static func birthdays(_ call: APIRequest) throws -> Page {
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
      return """
        <div class="\(isToday ? "today " : "")\(own.isEmpty ? "" : "has")"><b>\(day)</b>\(own.prefix(3).map(link))\
        \(own.count > 3 ? "<span class=\"soft\">\(own.count - 3) more</span>" as HTML : nil)</div>
        """
    }
    let items = days.prefix(mostListed).map { birthday -> HTML in
      """
      <li><a href="\(Shown.record("people", birthday.person.id))">\(Avatar(person: birthday.person).html)<span class="who"><strong class="cut">\
      \(birthday.person.fullName)</strong>\(birthday.age.map { "<span class=\"soft\">\(birthday.date < today ? "turned" : "turns") \($0)</span>" as HTML })</span>\
      <span class="when">\(Shown.day(birthday.date))</span></a></li>
      """
    }
    // A calendar without an end would lead whoever follows every link astray: it goes a year back and a year forward.
    let present = today.year * 12 + today.month - 1
    let months = (-1...1).map { first.year * 12 + first.month - 1 + $0 }.filter { abs($0 - present) <= 12 }
    let choices = months.map { month -> (text: String, address: String, isShown: Bool) in
      let isShown = month == first.year * 12 + first.month - 1
      let name = Shown.longMonths[month % 12]
      return (
        isShown ? "\(name) \(month / 12)" : name, "/birthdays?month=\(month / 12)-\(Shown.padded(month % 12 + 1))",
        isShown
      )
    }
    let title = "\(Shown.longMonths[first.month - 1]) \(first.year)"
    return Page(
      title: "Birthdays, \(title)", section: .birthdays,
      content: """
        <div class="head"><h1>Birthdays</h1>\(Card.choices("Month", choices))</div>
        <div class="month" id="month" data-live aria-hidden="true">\(weekdays)\(cells)</div>
        \(Card(id: "birthdays", title: "\(title)", aside: "<span class=\"soft small\">\(days.count) in all</span>", content: items.isEmpty ? Card.nothing(.calendar, "No birthday in this month.") : "<ul class=\"addresses\">\(Array(items))</ul>").html)
        """)
  }

  /// The most birthdays of a month that are listed; the calendar counts the others.
  private static let mostListed = 150

  /// A name in the calendar, which a list below has for whoever does not see it.
  private static func link(_ birthday: UpcomingBirthday) -> HTML {
    "<a href=\"\(Shown.record("people", birthday.person.id))\" tabindex=\"-1\">\(birthday.person.fullName)</a>"
  }
}
