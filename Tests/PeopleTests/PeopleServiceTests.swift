import AlmanacTesting
import Models
import People
import Ports
import Testing

struct PeopleServiceTests {
  private let house = PeopleHouse()

  private func add(_ first: String, _ last: String, _ birthday: String) async throws -> Person {
    try await house.people.add(firstName: first, lastName: last, birthday: .on(birthday))
  }

  @Test func isAddedWithTrimmedNames() async throws {
    let ada = try await add("  Ada ", "\tLovelace\n", "1815-12-10")
    #expect(ada.fullName == "Ada Lovelace")
    #expect(ada.id.utf8.count == 26)
    #expect(try house.all() == [ada])
    #expect(try house.entries().isEmpty)
  }

  @Test(arguments: [("", ""), (" ", "\n")]) func needsAName(first: String, last: String) async throws {
    let error = await #expect(throws: Failure.self) { try await add(first, last, "--01-01") }
    #expect(error?.reason == .usage)
    #expect(try house.all().isEmpty)
  }

  @Test func theSamePersonIsNotAddedTwice() async throws {
    let ada = try await add("Ada", "Lovelace", "1815-12-10")
    let error = await #expect(throws: Failure.self) { try await add("Ada ", "Lovelace", "1815-12-10") }
    #expect(error?.reason == .usage)
    #expect(error?.hint?.contains(ada.id) == true)
    _ = try await add("Ada", "Lovelace", "--12-10")
    let alike = await #expect(throws: Failure.self) { try await add("áda", "LOVELACE", "1815-12-10") }
    #expect(alike?.code == .own(.duplicate) && alike?.hint?.contains(ada.id) == true)
    _ = try await house.people.add(
      firstName: "ada", lastName: "Lovelace", birthday: .on("1815-12-10"), fullName: nil, details: [:], to: nil,
      isNew: true, alongside: nil)
    #expect(try house.all().count == 3)
  }

  /// One of them has a birthday, and the other one may be the same person.
  @Test(arguments: [(true, false), (false, true)] as [(Bool, Bool)])
  func aMailAddressTellsWhoIsThereWithoutABirthday(_ old: Bool, _ new: Bool) async throws {
    func add(_ hasBirthday: Bool, _ mail: String) async throws -> Person {
      try await house.people.add(
        firstName: "Ada", lastName: "Lovelace", birthday: hasBirthday ? .on("1815-12-10") : nil, fullName: nil,
        details: ["emails": [["value": .string(mail)]]], to: nil)
    }
    let ada = try await add(old, "ada@example.org")
    let error = await #expect(throws: Failure.self) { _ = try await add(new, "Ada@Example.org") }
    #expect(error?.code == .own(.duplicate) && error?.hint?.contains(ada.id) == true)
    _ = try await add(new, "other@example.org")
    #expect(try house.all().count == 2)
  }

  @Test func aBirthdayIsNotNeeded() async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: nil)
    #expect(ada.fields.keys == ["id", "firstName", "lastName", "fullName"])
    let error = await #expect(throws: Failure.self) {
      try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: nil)
    }
    #expect(error?.message == "Ada Lovelace exists already")
    #expect(try house.people.birthdays(from: CivilDate("2026-01-01")!, days: 400, leapDay: .feb28).isEmpty)
    #expect(!String(decoding: try house.people.calendar(leapDay: .feb28, alarm: nil), as: UTF8.self).contains("VEVENT"))
    _ = try await house.people.edit(ada.id, PersonChange(birthday: .on("1815-12-10")))
    _ = try await house.people.edit(ada.id, PersonChange(clearsBirthday: true))
    #expect(try house.all() == [ada])
  }

  @Test func aFullNameIsKeptUntilTheNamesChange() async throws {
    let lee = try await house.people.add(firstName: "小龙", lastName: "李", birthday: .on("1940-11-27"), fullName: " 李小龙 ")
    #expect(lee.fullName == "李小龙")
    let edited = try await house.people.edit(lee.id, PersonChange(birthday: .on("--11-27"))).person
    #expect(edited.fullName == "李小龙")
    #expect(try await house.people.edit(lee.id, PersonChange(firstName: "振藩")).person.fullName == "李振藩")
    #expect(try await house.people.edit(lee.id, PersonChange(fullName: "李振藩")).person.fullName == "李振藩")
    #expect(try await house.people.edit(lee.id, PersonChange(lastName: "李")).person.fullName == "李振藩")
    #expect(try await house.people.edit(lee.id, PersonChange(fullName: "")).person.fullName == "李振藩")
  }

  @Test(
    "a full name that was given keeps its form when a name changes",
    arguments: [
      ("小明", "王", "王小明", PersonChange(firstName: "大明"), "王大明"),
      ("小明", "王", "王小明", PersonChange(lastName: "李"), "李小明"),
      ("Ada", "Byron", "Dr. Ada Byron", PersonChange(lastName: "Lovelace"), "Dr. Ada Lovelace"),
      ("Ada", "Byron", "Byron, Ada", PersonChange(firstName: "Eda", lastName: "King"), "King, Eda"),
      // Where a name stands is not clear: the full name follows from both.
      ("Al", "Alison", "Al Alison Jr.", PersonChange(firstName: "Alf"), "Alf Alison"),
      ("Ada", "Byron", "Lady Lovelace", PersonChange(lastName: "King"), "Lady Lovelace"),
      ("Ada", "Byron", "Lady Byron", PersonChange(firstName: "Eda", lastName: "King"), "Lady King"),
      ("Ada", "Byron", "Dr. Ada Byron", PersonChange(lastName: ""), "Ada"),
      ("Ada", "", "Dr. Ada", PersonChange(lastName: "King"), "Ada King"),
    ])
  func renamed(first: String, last: String, full: String, change: PersonChange, expected: String) async throws {
    let person = try await house.people.add(firstName: first, lastName: last, birthday: nil, fullName: full)
    #expect(try await house.people.edit(person.id, change).person.fullName == expected)
  }

  @Test(arguments: [("李小龙", "李小龙", ""), (" Dr. Ada Lovelace ", "Dr. Ada", "Lovelace")])
  func aFullNameIsEnough(full: String, first: String, last: String) async throws {
    let person = try await house.people.add(firstName: "", lastName: "", birthday: nil, fullName: full)
    #expect(person.firstName == first && person.lastName == last)
    #expect(person.fullName == (last.isEmpty ? first : "\(first) \(last)"))
    await #expect(throws: Failure.self) {
      try await house.people.add(firstName: "", lastName: " ", birthday: nil, fullName: full)
    }
    await #expect(throws: Failure.self) {
      try await house.people.add(firstName: "", lastName: "", birthday: nil, fullName: " ")
    }
  }

  @Test func aBirthdayInTheFutureIsNotSent() async throws {
    let ada = try await add("Ada", "", "2926-01-01")
    let error = await #expect(throws: Failure.self) { try await house.people.queue([ada.id]) }
    #expect(error?.reason == .usage && error?.message.contains("2926-01-01 is in the future") == true)
    let queued = try await house.people.queue([])
    #expect(queued.entries.isEmpty)
    #expect(queued.leftOut == [.init(person: ada, reason: .futureBirthday(CivilDate("2926-01-01")!))])
    _ = try await house.people.edit(ada.id, PersonChange(birthday: .on("1926-01-01")))
    #expect(try await house.people.queue([ada.id]).entries.count == 1)
    // Who waits does not get such a birthday.
    let refusal = await #expect(throws: Failure.self) {
      try await house.people.edit(ada.id, PersonChange(birthday: .on("2926-01-01")))
    }
    #expect(refusal?.code == .own(.futureBirthday) && refusal?.hint?.contains("discard the edit of") == true)
    #expect(try house.all().map(\.birthday) == [.on("1926-01-01")])
  }

  @Test func whoHasNoBirthdayIsNotSent() async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "", birthday: nil)
    let alan = try await add("Alan", "", "1912-06-23")
    let error = await #expect(throws: Failure.self) { try await house.people.queue([alan.id, ada.id]) }
    #expect(error?.reason == .usage)
    #expect(error?.message == "Ada cannot be sent: the server takes only people with a birthday")
    #expect(error?.hint?.contains("set the birthday of \(ada.id)") == true)
    #expect(try house.entries().isEmpty)
    let queued = try await house.people.queue([])
    #expect(queued.entries.count == 1 && queued.leftOut == [.init(person: ada, reason: .noBirthday)])
    // Who waits keeps the birthday.
    let refusal = await #expect(throws: Failure.self) {
      try await house.people.edit(alan.id, PersonChange(clearsBirthday: true))
    }
    #expect(refusal?.hint?.contains("discard the edit of people/") == true)
    #expect(try house.all().contains(alan))
  }

  @Test func isEdited() async throws {
    let ada = try await add("Ada", "Byron", "1815-12-10")
    let edited = try await house.people.edit(ada.id, PersonChange(lastName: " Lovelace", birthday: .on("--12-10")))
      .person
    #expect(edited.fullName == "Ada Lovelace")
    #expect(try house.all() == [edited])
    let sequence = try house.store.snapshot().sequence
    _ = try await house.people.edit(ada.id, PersonChange(firstName: "Ada"))
    #expect(try house.store.snapshot().sequence == sequence)
  }

  @Test func whatCannotBeIsNotEdited() async throws {
    let ada = try await add("Ada", "", "1815-12-10")
    _ = try await add("Alan", "", "1815-12-10")
    for (id, change, reason) in [
      ("nobody", PersonChange(firstName: "A"), Failure.Reason.notFound),
      (ada.id, PersonChange(firstName: " "), .usage), (ada.id, PersonChange(firstName: "Alan"), .usage),
    ] {
      let error = await #expect(throws: Failure.self) { try await house.people.edit(id, change) }
      #expect(error?.reason == reason)
    }
    #expect(try house.all().map(\.firstName).sorted() == ["Ada", "Alan"])
  }

  /// Two address books may have the same person, and one of them two of a name.
  @Test func anEditIsRefusedOnlyWhereItMakesATwinOfTheSameOrigin() async throws {
    let (day, next) = (Birthday.on("1980-04-04"), PersonChange(birthday: .on("1980-04-05")))
    let (note, back) = (PersonChange(details: ["note": "met"]), PersonChange(birthday: .on("1980-04-04")))
    let books = ["carddav/v/work", "carddav/v/family", "carddav/v/family", nil, Person.imported]
    for (index, book) in books.enumerated() {
      try await house.put([Person(id: "p\(index)", firstName: "Anna", lastName: "Berg", birthday: day, origin: book)])
    }
    for index in books.indices { _ = try await house.people.edit("p\(index)", note) }
    for index in books.indices {
      _ = try await house.people.edit("p\(index)", next)
      // The book has another one, and so has the list to which those added here and the imported ones go.
      if index == 0 {
        _ = try await house.people.edit("p0", back)
        continue
      }
      let error = await #expect(throws: Failure.self) { try await house.people.edit("p\(index)", back) }
      #expect(error?.code == .own(.duplicate))
      try await house.put([
        Person(id: "p\(index)", firstName: "Anna", lastName: "Berg", birthday: day, origin: books[index])
      ])
    }
  }

  @Test func anUnsentEntryFollowsTheEdit() async throws {
    let ada = try await add("Ada", "Byron", "1815-12-10")
    let ids = try await house.people.queue([ada.id]).entries
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "Lovelace"))
    #expect(try house.entries().map(\.id) == ids)
    #expect(try house.entries().first?.edit == ["firstName": "Ada", "lastName": "Lovelace", "birthday": "1815-12-10"])
  }

  @Test func whatMayHaveArrivedStaysAsItWasSent() async throws {
    let ada = try await add("Ada", "Byron", "1815-12-10")
    _ = try await house.people.queue([ada.id])
    var tried = try #require(try house.entries().first)
    tried.attempts = 1
    tried.outcomeUnknown = true
    try await house.put([tried])
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "Lovelace"))
    #expect(try house.entries() == [tried])
  }

  @Test func whatWasRefusedGoesOutAgainUnderANewKey() async throws {
    let ada = try await add("Ada", "", "1815-12-10")
    _ = try await house.people.queue([ada.id])
    var refused = try #require(try house.entries().first)
    refused.attempts = 1
    refused.state = .refused
    try await house.put([refused])
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "Lovelace"))
    let entry = try #require(try house.entries().first)
    #expect(try house.entries().count == 1)
    #expect(entry.id != refused.id)
    #expect(entry.state == .pending)
    #expect(entry.edit["lastName"] == "Lovelace")
  }

  @Test func isRemovedWithItsEntries() async throws {
    let ada = try await add("Ada", "", "1815-12-10")
    _ = try await house.people.queue([ada.id])
    let sequence = try house.store.snapshot().sequence
    #expect(try await house.people.remove(ada.id) == ChangedPerson(person: ada, isOnServer: false))
    #expect(try house.store.snapshot().sequence == sequence + 1)
    #expect(try house.all().isEmpty)
    #expect(try house.entries().isEmpty)
    let error = await #expect(throws: Failure.self) { try await house.people.remove(ada.id) }
    #expect(error?.reason == .notFound)
  }

  @Test func whoMayHaveArrivedDoesNotComeBackEither() async throws {
    let server = FakePeople()
    let ada = try await add("Ada", "", "1815-12-10")
    _ = try await house.people.queue([ada.id])
    server.prepare([nil, .replyLost])
    try await house.flush(server)
    _ = try await house.people.remove(ada.id)
    #expect(server.people.count == 1)
    try await house.sync(server)
    #expect(try house.all().isEmpty)
  }

  @Test func everybodyIsQueuedOnce() async throws {
    let ada = try await add("Ada", "", "1815-12-10")
    let alan = try await add("Alan", "", "1912-06-23")
    try await house.put([Person(id: "r-1", firstName: "Grace", lastName: "", birthday: .on("--12-09"), remoteID: "1")])
    let first = try await house.people.queue([alan.id, alan.id]).entries
    #expect(first.count == 1)
    let all = try await house.people.queue([]).entries
    #expect(all.count == 2)
    #expect(Set(all).isSuperset(of: first))
    #expect(try await house.people.queue([ada.id, "r-1"]).entries.count == 1)
    let entries = try house.entries()
    #expect(Set(entries.map(\.target)) == ["people/\(ada.id)", "people/\(alan.id)"])
    #expect(entries.allSatisfy { $0.kind == .post && $0.base["firstName"] == .null })
    let error = await #expect(throws: Failure.self) { try await house.people.queue([ada.id, "nobody"]) }
    #expect(error?.reason == .notFound)
  }

  @Test(arguments: [("emails", "nope"), ("phones", "abc")])
  func aValueThatCannotBeOneIsRefused(_ field: String, _ text: String) async throws {
    let change: JSONObject = [field: [["value": .string(text)]]]
    let refused = await #expect(throws: Failure.self) {
      _ = try await house.people.add(
        firstName: "Ada", lastName: "", birthday: nil, fullName: nil, details: change, to: nil)
    }
    #expect(refused?.code == .own(.badDetail) && refused?.path == field)
    let ada = try await house.people.add(firstName: "Ada", lastName: "", birthday: nil)
    let again = await #expect(throws: Failure.self) {
      _ = try await house.people.edit(ada.id, PersonChange(details: change))
    }
    #expect(again?.code == .own(.badDetail))
  }
}
