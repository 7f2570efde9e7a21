import AlmanacTesting
import Models
import People
import Ports
import Testing

struct ContactImportTests {
  private let house = PeopleHouse()

  private func file(_ cards: [(String, String)]) -> [UInt8] {
    Array(
      cards.map { "BEGIN:VCARD\r\nVERSION:3.0\r\nN:\($0.0)\r\nFN:\($0.0)\r\nBDAY:\($0.1)\r\nEND:VCARD\r\n" }.joined()
        .utf8)
  }

  @Test func nobodyIsImportedTwice() async throws {
    let cards = file([("Lovelace;Ada", "1815-12-10"), ("Turing;Alan", "--0623"), ("Lovelace ; Ada", "18151210")])
    let first = try await house.people.importContacts(cards, file: "a.vcf")
    #expect(first.added.map(\.fullName) == ["Ada Lovelace", "Alan Turing"])
    #expect(first.known == 1)
    #expect(first.notes == [.init(line: 13, name: "Ada Lovelace", reason: "the same person as on the card at line 1")])
    let sequence = try house.store.snapshot().sequence
    #expect(sequence == 1)
    let second = try await house.people.importContacts(cards, file: "a.vcf")
    #expect(second.added.isEmpty)
    #expect(second.known == 3)
    #expect(second.notes.map(\.line) == [13])
    #expect(try house.store.snapshot().sequence == sequence)
    #expect(Set(try house.all().map(\.id)).count == 2)
  }

  private func card(_ first: String, _ last: String, uid: String = "u1", _ more: String = "") -> [UInt8] {
    Array(
      "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(first) \(last)\r\nN:\(last);\(first);;;\r\nTEL:123\r\n\(more)END:VCARD\r\n"
        .utf8)
  }

  @Test("a person with another name, here or in the file, is the one of the UID; one UID for everybody names nobody")
  func renamed() async throws {
    let added = try await house.people.importContacts(card("Foto", "Los"), file: "a.vcf").added
    let id = try #require(added.first?.id)
    _ = try await house.people.edit(id, PersonChange(firstName: "Fritz"))
    for last in ["Los", "Fest"] {
      let again = try await house.people.importContacts(card("Foto", last), file: "a.vcf")
      #expect(again.added.isEmpty, "\(last)")
    }
    #expect(try house.all().map(\.id) == [id])
    // A name that was not edited here follows the card.
    #expect(try house.all().map(\.fullName) == ["Fritz Fest"])
    let others = try await house.people.importContacts(
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nFN:Bea Else\r\nN:Else;Bea;;;\r\nEND:VCARD\r\n".utf8), file: "b.vcf"
    )
    #expect(others.added.map(\.fullName) == ["Bea Else"])
  }

  @Test("a file, one's own export after edits, and the file again leave the edits as they are")
  func ownExport() async throws {
    let bytes = card("Rita", "Test", uid: "rt1", "BDAY:1970-01-01\r\n")
    let id = try #require(try await house.people.importContacts(bytes, file: "rt.vcf").added.first?.id)
    _ = try await house.people.edit(id, PersonChange(lastName: "Edited", birthday: .on("1971-01-01")))
    let edited = try house.all()
    let export = try house.people.cards().flatMap(\.bytes)
    for file in [bytes, export, bytes] {
      let sequence = try house.store.snapshot().sequence
      let result = try await house.people.importContacts(file, file: "again.vcf")
      #expect(result.known == 1 && result.added.isEmpty && result.updated.isEmpty, "\(result)")
      #expect(try house.all() == edited && house.store.snapshot().sequence == sequence)
    }
  }

  @Test(
    "an edit with a photo does not make the same file take edits back",
    arguments: ["", "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=\r\n"])
  func photoIsKept(_ photo: String) async throws {
    let bytes = card("Foto", "Los", uid: "u1", photo)
    let id = try #require(try await house.people.importContacts(bytes, file: "a.vcf").added.first?.id)
    let data = Base64.encoded(Array("\u{89}PNG\r\n\u{1A}\nmuch more of it".unicodeScalars.map { UInt8($0.value) }))
    _ = try await house.people.edit(
      id,
      PersonChange(details: ["nickname": "Nick", "photo": ["type": "image/png", "bytes": 23, "data": .string(data)]]))
    let edited = try #require(try house.all().first)
    #expect(edited.details.nickname == "Nick" && edited.details.photo?.bytes == 23)
    let again = try await house.people.importContacts(bytes, file: "a.vcf")
    #expect(again.known == 1 && again.updated.isEmpty)
    #expect(try house.all().first == edited)
    // A later version of the card corrects the rest, and the photo stays.
    let later = try await house.people.importContacts(
      card("Foto", "Los", uid: "u1", photo + "ROLE:Cook\r\n"), file: "a.vcf")
    #expect(later.updated.first?.details.role == "Cook")
    #expect(try house.all().first?.details.photo == edited.details.photo)
    #expect(try house.people.photo(of: id)?.bytes == 23)
  }

  /// A file only adds what is missing, whatever the type and the case of a mail address, and however often it comes.
  @Test func whatIsKnownIsNotAddedAgain() async throws {
    for (mail, phone) in [
      ("work:a@x.example", "cell:+1 555"), (":A@X.example", ":+1-555"), ("work:a@x.example", "work:+1555"),
    ] {
      let (mail, phone) = (
        mail.split(separator: ":", omittingEmptySubsequences: false),
        phone.split(separator: ":", omittingEmptySubsequences: false)
      )
      let card = """
        BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lee;Ann\r\nFN:Ann Lee\r\nEMAIL;TYPE=\(mail[0]):\(mail[1])\r\nTEL;TYPE=\(phone[0]):\(phone[1])\r
        URL:https://x.example\r\nEND:VCARD\r\n
        """
      _ = try await house.people.importContacts(Array(card.utf8), file: "a.vcf")
    }
    let details = try #require(try house.all().first).details
    #expect(details.emails.count == 1 && details.phones.count == 1 && details.urls.count == 1, "\(details)")
  }

  @Test func whatIsNotUnderstoodIsNamed() async throws {
    let result = try await house.people.importContacts(
      file([("Lovelace;Ada", "1815-12-10"), ("Turing;Alan", "soon"), ("Bot;Bo", "2126-01-01"), ("", "1815-12-10")]),
      file: "a.vcf")
    #expect(result.added.map(\.fullName) == ["Ada Lovelace", "Alan Turing", "Bo Bot"])
    #expect(result.added.map(\.birthday) == [.on("1815-12-10"), nil, .on("2126-01-01")])
    #expect(result.skipped == [.init(line: 19, name: nil, reason: "no name")])
    #expect(
      result.notes == [
        .init(line: 7, name: "Alan Turing", reason: "birthday \"soon\" is not a date; it is left out"),
        .init(line: 13, name: "Bo Bot", reason: "the birthday 2126-01-01 is in the future; it is stored but not sent"),
      ])
  }

  /// A card that says less is nobody new, in either order and however often it comes.
  @Test(arguments: [
    (["", "1815-12-10"], ["1815-12-10"]), (["1815-12-10", ""], ["1815-12-10"]), (["", ""], [""]),
    (["", "1815-12-10", "1990-01-01"], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "", "1990-01-01"], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "1990-01-01", "", ""], ["1815-12-10", "1990-01-01"]),
    (["1815-12-10", "--12-10"], ["--12-10", "1815-12-10"]),
  ])
  func aCardThatSaysLess(birthdays: [String], expected: [String]) async throws {
    let cards = birthdays.map { file([("Lovelace;Ada", $0)]) }
    for _ in 0..<2 { _ = try await house.people.importContacts(cards.flatMap { $0 }, file: "a.vcf") }
    for card in cards { _ = try await house.people.importContacts(card, file: "a.vcf") }
    #expect(try house.all().map { $0.birthday?.description ?? "" }.sorted() == expected)
  }

  @Test func aBirthdayThatIsLearnedKeepsThePerson() async throws {
    let first = try await house.people.importContacts(file([("Lovelace;Ada", "")]), file: "a.vcf").added
    let second = try await house.people.importContacts(file([("Lovelace;Ada", "1815-12-10")]), file: "a.vcf")
    #expect(second.added.isEmpty && second.known == 0)
    #expect(second.updated.map(\.id) == first.map(\.id))
    // And who got one by hand is not added again by the card without one.
    _ = try await house.people.edit(first[0].id, PersonChange(birthday: .on("1816-12-10")))
    #expect(try await house.people.importContacts(file([("Lovelace;Ada", "")]), file: "a.vcf").known == 1)
    #expect(try house.all().map(\.id) == first.map(\.id))
  }

  @Test func aFileWithoutCardsIsAnError() async throws {
    let error = await #expect(throws: Failure.self) {
      try await house.people.importContacts(Array("hello".utf8), file: "notes.txt")
    }
    #expect(error?.reason == .unparsable)
    #expect(error?.message.hasPrefix("notes.txt: ") == true)
    #expect(error?.path == "notes.txt")
  }

  @Test func afterAFailedCommitNobodyIsThere() async throws {
    house.store.failNextCommit(with: StoreError(.full, "the disk is full"))
    await #expect(throws: Failure.self) {
      try await house.people.importContacts(file([("Lovelace;Ada", "1815-12-10")]), file: "a.vcf")
    }
    #expect(try house.all().isEmpty)
  }

  /// Every recorded address book, twice: the second time nobody is new.
  @Test(.enabled(if: Fixtures.folder != nil, Comment(rawValue: Fixtures.reason))) func recordedCardsGoThrough()
    async throws
  {
    var added = 0
    var skipped = 0
    for name in Fixtures.names("vcard") {
      let house = PeopleHouse()
      let bytes = try Fixtures.bytes("vcard/\(name)")
      guard let first = try? await house.people.importContacts(bytes, file: name) else { continue }
      added += first.added.count
      skipped += first.skipped.count
      for person in first.added { #expect(!person.fullName.isEmpty, "\(name)") }
      let second = try await house.people.importContacts(bytes, file: name)
      #expect(second.added.isEmpty, "\(name)")
      #expect(second.known == first.added.count + first.updated.count + first.known, "\(name)")
    }
    print("recorded address books: \(added) people, \(skipped) cards skipped")
    #expect(added >= 60)
  }

  // MARK: Several cards of one name

  /// Two cards of one name, and what becomes of them.
  struct Pair: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var cards: [[String]]
    var people: [[String]]
    var note: String?
    /// Where each card is a file of its own; `nil` if they are the same.
    var ofTwoFiles: [[String]]?
  }

  @Test func cardsOfTwoStoredNamesakesAreNotUnited() async throws {
    for uid in ["1", "2"] {
      _ = try await house.people.importContacts(
        Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:Pia Doe\r\nEMAIL:\(uid)@a.example\r\nEND:VCARD\r\n".utf8),
        file: "\(uid).vcf")
    }
    let before = try house.all()
    let cards = ["1", "2"].map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Pia Doe\r\nEMAIL:\($0)@a.example\r\nEND:VCARD\r\n" }
    let again = try await house.people.importContacts(Array(cards.joined().utf8), file: "both.vcf")
    #expect((again.added.count, again.updated.count, again.known) == (0, 0, 2))
    #expect(try house.all() == before)
  }

  @Test(arguments: ["BDAY", "TITLE"]) func cardsOfMergedPeopleBringNobodyBack(_ property: String) async throws {
    let cards = ["1980-01-02", "1990-03-04"].map { day in
      card(["\(property):\(day)"] + (property == "BDAY" ? ["TEL:\(day.filter(\.isNumber))"] : []))
    }
    let bytes = Array(cards.joined().utf8)
    let added = try await house.people.importContacts(bytes, file: "a.vcf").added
    try #require(added.count == 2)
    _ = try await house.people.merge(added[0].id, added[1].id, [property == "BDAY" ? "birthday" : "title": .b])
    let merged = try house.all()
    let again = try await house.people.importContacts(bytes, file: "a.vcf")
    #expect((again.added.count, again.updated.count, again.known) == (0, 0, 2))
    #expect(try house.all() == merged)
  }

  private static let pairs: [Pair] = [
    Pair(
      testDescription: "different UIDs", cards: [["UID:1", "TEL:1"], ["UID:2", "TEL:2"]], people: [["1"], ["2"]],
      note: "another person than on the card at line 1: the UIDs differ"),
    Pair(
      testDescription: "different birthdays", cards: [["BDAY:1815-12-10", "TEL:1"], ["BDAY:1990-01-01", "TEL:1"]],
      people: [["1"], ["1"]], note: "another person than on the card at line 1: the birthdays differ"),
    Pair(
      testDescription: "one UID", cards: [["UID:1", "TEL:1"], ["UID:1", "TEL:2"]], people: [["1", "2"]],
      note: "the same person as on the card at line 1; its details are added"),
    Pair(
      testDescription: "other texts", cards: [["ORG:A", "NOTE:a", "TEL:1"], ["ORG:B", "NOTE:b", "TEL:2"]],
      people: [["1"], ["2"]],
      note: "another person than on the card at line 1: they have no mail address and no number in common",
      ofTwoFiles: [["1", "2"]]),
    Pair(
      testDescription: "other texts, and one number",
      cards: [
        ["ORG:A", "NOTE:a", "TEL:1", "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo="],
        ["ORG:B", "NOTE:b", "TEL:1", "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgoA"],
      ], people: [["1"]],
      note: """
        the same person as on the card at line 1; its details are added; organization stays "A", not "B"; \
        photo stays "8 bytes", not "9 bytes"
        """),
    Pair(
      testDescription: "another title", cards: [["TITLE:a", "TEL:1"], ["TITLE:b", "NOTE:b"]], people: [[], ["1"]],
      note: "another person than on the card at line 1: other title", ofTwoFiles: [["1"]]),
    Pair(
      testDescription: "what the other one lacks", cards: [["TITLE:a", "TEL:1"], ["NOTE:b"]], people: [["1"]],
      note: "the same person as on the card at line 1; its details are added"),
    Pair(
      testDescription: "one address", cards: [["EMAIL:a@x", "TEL:1"], ["EMAIL:A@x", "TEL:2"]], people: [["1", "2"]],
      note: "the same person as on the card at line 1; its details are added"),
    Pair(
      testDescription: "one number", cards: [["TEL:+1 2", "TEL:1"], ["TEL:+12", "TEL:3"]],
      people: [["+1 2", "1", "3"]],
      note: "the same person as on the card at line 1; its details are added"),
    Pair(
      testDescription: "a birthday on the second one",
      cards: [["TEL:1"], ["NOTE:b", "BDAY:1815-12-10"]], people: [["1"]],
      note: "the same person as on the card at line 1; its details are added"),
    Pair(
      testDescription: "a birthday on the first one", cards: [["BDAY:1815-12-10", "TEL:1"], ["TEL:2"]],
      people: [["1"], ["2"]],
      note: "another person than on the card at line 1: they have no mail address and no number in common",
      ofTwoFiles: [["1", "2"]]),
    Pair(
      testDescription: "nothing else", cards: [["TEL:1"], ["TEL:2"]], people: [["1"], ["2"]],
      note: "another person than on the card at line 1: they have no mail address and no number in common",
      ofTwoFiles: [["1", "2"]]),
  ]

  private func numbers() throws -> [[String]] {
    try house.all().map { $0.details.phones.map(\.value).sorted() }.sorted { $0.joined() < $1.joined() }
  }

  private func card(_ lines: [String]) -> String {
    (["BEGIN:VCARD", "VERSION:3.0", "N:Byron;Ada"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  @Test(arguments: pairs) func cardsOfOneNameInAFile(_ pair: Pair) async throws {
    let file = Array(pair.cards.map(card).joined().utf8)
    let first = try await house.people.importContacts(file, file: "a.vcf")
    #expect(try numbers() == pair.people)
    #expect(first.notes.map(\.reason) == [pair.note].compactMap(\.self))
    // The same file changes nothing the second time.
    let sequence = try house.store.snapshot().sequence
    let second = try await house.people.importContacts(file, file: "a.vcf")
    #expect(second.added.isEmpty && second.updated.isEmpty && second.known == 2, "\(second)")
    #expect(try house.store.snapshot().sequence == sequence)
    // Its export is the same people.
    _ = try await house.people.importContacts(try house.people.contacts(), file: "b.vcf")
    #expect(try numbers() == pair.people)
  }

  @Test(arguments: pairs) func cardsOfOneNameInTwoFiles(_ pair: Pair) async throws {
    for _ in 0..<3 {
      for lines in pair.cards {
        let file = Array(card(lines).utf8)
        _ = try await house.people.importContacts(file, file: "a.vcf")
        let again = try await house.people.importContacts(file, file: "a.vcf")
        #expect(again.added.isEmpty && again.updated.isEmpty, "\(again)")
      }
    }
    // One UID is one card: the second file has its later version.
    #expect(try numbers() == (pair.testDescription == "one UID" ? [["2"]] : pair.ofTwoFiles ?? pair.people))
  }

  @Test(
    "two cards of a file with other titles are two people, whichever of them was imported before, and each finds its own",
    arguments: [[], [0], [1]])
  func titlesOfOneName(earlier: [Int]) async throws {
    let cards = ["a", "b"].map { Array(card(["TITLE:\($0)"]).utf8) }
    for index in earlier { _ = try await house.people.importContacts(cards[index], file: "a.vcf") }
    _ = try await house.people.importContacts(cards[0] + cards[1], file: "b.vcf")
    let all = try house.all()
    #expect(all.compactMap(\.details.title).sorted() == ["a", "b"])
    let sequence = try house.store.snapshot().sequence
    for file in [cards[0] + cards[1], cards[1] + cards[0], cards[0], cards[1]] {
      let again = try await house.people.importContacts(file, file: "c.vcf")
      #expect(again.added.isEmpty && again.updated.isEmpty, "\(again)")
    }
    _ = try await house.people.importContacts(try house.people.contacts(), file: "d.vcf")
    #expect(try house.all() == all && house.store.snapshot().sequence == sequence)
  }

  /// What one file said stays where the other one says something else, however often both come; what stays is named.
  @Test(
    arguments: [
      ["UID:1", ""], ["UID:1", "table"], ["", "table"], ["table", "UID:1"], ["table", ""], ["table", "table"],
      ["", ""],
    ])
  func twoFilesOfOnePerson(_ kinds: [String]) async throws {
    func file(_ kind: String, _ organization: String, _ note: String, _ title: String, _ mail: String) -> [UInt8] {
      if kind == "table" {
        return Array(
          "First Name,Last Name,Company,Notes,Job Title,E-mail\nAda,Byron,\(organization),\(note),\(title),\(mail)\n"
            .utf8)
      }
      let lines = [("ORG", organization), ("NOTE", note), ("TITLE", title), ("EMAIL", mail)].filter { !$0.1.isEmpty }
      return Array(card((kind.isEmpty ? [] : [kind]) + lines.map { "\($0.0):\($0.1)" }).utf8)
    }
    let files = [
      file(kinds[0], "A Ltd", "one", "", "a@x.example"), file(kinds[1], "B Ltd", "two", "Boss", "b@x.example"),
    ]
    _ = try await house.people.importContacts(files[0], file: "a")
    let second = try await house.people.importContacts(files[1], file: "b")
    #expect(
      second.notes.map(\.reason) == [#"organization stays "A Ltd", not "B Ltd"; note stays "one", not "two""#])
    for file in files + files {
      let again = try await house.people.importContacts(file, file: "c")
      #expect(again.added.isEmpty && again.updated.isEmpty && again.known == 1, "\(again)")
      let details = try #require(try house.all().first).details
      #expect(details.organization == "A Ltd" && details.note == "one" && details.title == "Boss", "\(details)")
      #expect(details.emails.map(\.value) == ["a@x.example", "b@x.example"], "\(details)")
    }
  }

  /// What is removed here does not come back with the next import of the same file.
  @Test func whatWasRemovedHereStaysRemoved() async throws {
    let file = Array((card(["EMAIL:a@x", "TEL:1"]) + card(["EMAIL:a@x", "TEL:2"])).utf8)
    _ = try await house.people.importContacts(file, file: "a.vcf")
    let ada = try #require(try house.all().first)
    _ = try await house.people.edit(ada.id, PersonChange(details: ["phones": [["value": "1"]]]))
    #expect(try await house.people.importContacts(file, file: "a.vcf").updated.isEmpty)
    #expect(try numbers() == [["1"]])
  }

  /// It is not clear whose the card is, and nothing of it is lost.
  @Test func aCardThatMayBeOfSeveralIsAnotherPerson() async throws {
    let file = Array((card(["BDAY:1815-12-10"]) + card(["BDAY:1990-01-01"]) + card(["TEL:3"]) + card([])).utf8)
    for _ in 0..<2 {
      let result = try await house.people.importContacts(file, file: "a.vcf")
      #expect(result.added.count + result.known == 4)
      #expect(try numbers() == [[], [], ["3"]])
    }
  }

  @Test("a new person with the number or the mail address of somebody is named with whom")
  func aContactOfSomebodyElse() async throws {
    let ada = try await house.people.add(
      firstName: "Ada", lastName: "Byron", birthday: .on("1815-12-10"),
      details: ["phones": [["value": "+44 20 7946 0958"]], "emails": [["value": "ada@x.example"]]])
    func row(_ row: String) async throws -> ImportedContacts {
      try await house.people.importContacts(
        Array("First Name,Last Name,Birthday,Mobile Phone,E-mail\n\(row)\n".utf8), file: "a.csv")
    }
    for (line, reason) in [
      ("Grace,Hopper,,020 7946 0958,", "has the number 020 7946 0958 of Ada Byron (people/\(ada.id))"),
      ("Ada,Byron,1990-01-01,,ADA@x.example", "has the mail address ADA@x.example of Ada Byron (people/\(ada.id))"),
    ] {
      let result = try await row(line)
      #expect(result.added.count == 1)
      #expect(result.notes.map(\.reason) == [reason])
      #expect(result.notes.map(\.people) == [[ada.id]])
      #expect(try await row(line).notes.isEmpty)
    }
    // People of two names have it now: it is one of a family, or a company.
    #expect(try await row("Charles,Babbage,,020 7946 0958,").notes.isEmpty)
    #expect(try await row("Mary,Shelley,,07946 0959,mary@x.example").notes.isEmpty)
  }

  @Test("it is said for which of several namesakes somebody was taken whom only the names tell")
  func oneOfSeveralNamesakes() async throws {
    func card(_ lines: String...) async throws -> ImportedContacts {
      try await house.people.importContacts(Array(self.card(lines).utf8), file: "a.vcf")
    }
    let first = try #require(try await card("TEL:1").added.first)
    #expect(try await card("BDAY:1815-12-10", "TEL:1").updated.map(\.id) == [first.id])
    let second = try #require(try await card("BDAY:1990-01-01", "TEL:2").added.first)
    // Who has the names, too, was imported as the first one.
    let taken = try await card("TEL:3")
    #expect(taken.updated.map(\.id) == [first.id])
    let reason = "taken for Ada Byron (people/\(first.id)), but Ada Byron (people/\(second.id)) may be meant as well"
    #expect(taken.notes.map(\.reason) == [reason])
    #expect(taken.notes.map(\.people) == [[first.id, second.id]])
    #expect(try await card("TEL:3").notes.isEmpty)
    #expect(try await card("TEL:2").notes.isEmpty)
  }

  @Test func aNameThatIsThatOfSeveralIsNoNewPerson() async throws {
    _ = try await house.people.importContacts(
      Array((card(["BDAY:1815-12-10"]) + card(["BDAY:1990-01-01"])).utf8), file: "a.vcf")
    let ids = try house.all().map(\.id)
    let result = try await house.people.importContacts(Array(card([]).utf8), file: "b.vcf")
    #expect(result.known == 1 && result.added.isEmpty)
    let note = try #require(result.notes.first)
    #expect(Set(note.people) == Set(ids) && note.reason.hasSuffix("and says nothing else: nobody is added"), "\(note)")
  }

  /// A card with the same `UID` corrects the birthday that the card before brought, but not one that was edited here.
  @Test(arguments: [false, true]) func aLaterCardCorrectsTheBirthday(isEdited: Bool) async throws {
    func file(_ birthday: String) -> [UInt8] { Array(card(["UID:1", "BDAY:\(birthday)"]).utf8) }
    _ = try await house.people.importContacts(file("1980-02-03"), file: "a.vcf")
    let id = try #require(try house.all().first).id
    if isEdited { _ = try await house.people.edit(id, PersonChange(birthday: .on("1980-02-05"))) }
    let result = try await house.people.importContacts(file("1980-02-04"), file: "a.vcf")
    #expect(result.updated.count == (isEdited ? 0 : 1))
    #expect(try house.all().map(\.birthday) == [.on(isEdited ? "1980-02-05" : "1980-02-04")])
    #expect(try await house.people.importContacts(file("1980-02-04"), file: "a.vcf").updated.isEmpty)
  }

  /// One with a common number, or of the same birthday, also where the names differ in case or accents.
  @Test(arguments: ["TEL:123", "BDAY:1980-01-01", "NOTE:x"])
  func writtenInOtherLetters(common: String) async throws {
    func file(_ first: String, _ last: String) -> [UInt8] {
      let names = "FN:\(first) \(last)\r\nN:\(last);\(first);;;"
      return Array("BEGIN:VCARD\r\nVERSION:3.0\r\n\(names)\r\n\(common)\r\nEND:VCARD\r\n".utf8)
    }
    let count = common == "NOTE:x" ? 2 : 1
    _ = try await house.people.importContacts(file("RENÉE", "DOE") + file("Renee", "Doe"), file: "a.vcf")
    #expect(try house.all().count == count)
    _ = try await house.people.importContacts(file("renée", "doe"), file: "b.vcf")
    #expect(try house.all().count == (common == "NOTE:x" ? 3 : 1))
  }

  /// Who was added by hand is found by a common address or number, and namesakes of other UIDs by nothing.
  @Test func whoIsEnteredIsFoundAmongTheImported() async throws {
    let file = Array((card(["UID:1", "TEL:+1 2", "BDAY:1815-12-10"]) + card(["UID:2", "TEL:3"])).utf8)
    _ = try await house.people.importContacts(file, file: "a.vcf")
    func add(_ number: String, _ birthday: Birthday?) async throws {
      _ = try await house.people.add(
        firstName: "Ada", lastName: "Byron", birthday: birthday, fullName: nil,
        details: ["phones": [["value": .string(number)]]], to: nil)
    }
    for number in ["+12", "3"] {
      let error = await #expect(throws: Failure.self) { try await add(number, nil) }
      #expect(error?.code == .own(.duplicate))
    }
    try await add("4", .on("2000-01-01"))
    #expect(try house.all().count == 3)
  }

  private func plain(_ more: String = "") -> [UInt8] {
    Array(
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Byron\r\nN:Byron;Ada;;;\r\nBDAY:1815-12-10\r\nTEL:123\r\n\(more)END:VCARD\r\n"
        .utf8)
  }

  private static let row = Array("First Name,Last Name,Birthday,Phone\nAda,Byron,1815-12-10,123\n".utf8)

  @Test(
    "a card without UID and a row find the person whom they made, whatever was edited here", arguments: [true, false])
  func editedPeopleAreFound(isCard: Bool) async throws {
    let file = isCard ? plain() : Self.row
    let id = try #require(try await house.people.importContacts(file, file: "a").added.first?.id)
    var input = PersonInput()
    for (field, value) in [("lastName", "King"), ("firstName", "Eda")] { try input.set(field, to: .string(value)) }
    for field in ["birthday", "phones"] { try input.set(field, to: .null) }
    _ = try await house.people.edit(id, PersonChange(input))
    let edited = try house.all()
    for _ in 0..<2 {
      let again = try await house.people.importContacts(file, file: "a")
      #expect(again.added.isEmpty && again.updated.isEmpty && again.known == 1 && again.notes.isEmpty)
    }
    #expect(try house.all() == edited)
    // A later version of the file adds what it did not say before.
    if isCard {
      let updated = try await house.people.importContacts(plain("EMAIL:a@example.org\r\n"), file: "a").updated
      #expect(updated.map(\.details.emails.count) == [1] && updated[0].details.phones.isEmpty)
    }
    // Who was removed comes anew.
    _ = try await house.people.remove(id)
    #expect(try await house.people.importContacts(file, file: "a").added.count == 1)
  }

  @Test("what a table says later is added, and what was removed here stays away") func laterRows() async throws {
    let id = try #require(try await house.people.importContacts(Self.row, file: "a.csv").added.first?.id)
    var input = PersonInput()
    try input.set("phones", to: .null)
    _ = try await house.people.edit(id, PersonChange(input))
    let later = Array("First Name,Last Name,Birthday,Phone,E-mail\nAda,Byron,1815-12-10,123,a@example.org\n".utf8)
    let updated = try await house.people.importContacts(later, file: "a.csv").updated
    #expect(updated.map(\.details.emails.count) == [1] && updated[0].details.phones.isEmpty)
    #expect(try await house.people.importContacts(Self.row, file: "a.csv").updated.isEmpty)
  }

  @Test(
    "the members of a group in the file are in a group of its name; others are named",
    arguments: ["KIND", "X-ADDRESSBOOKSERVER-KIND"])
  func groupsOfAFile(kind: String) async throws {
    let member = kind == "KIND" ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER"
    func group(_ name: String, _ members: String...) -> [UInt8] {
      let lines = members.map { "\(member):urn:uuid:\($0)\r\n" }.joined()
      return Array(
        "BEGIN:VCARD\r\nVERSION:3.0\r\n\(kind):group\r\nUID:g\(name)\r\nFN:\(name)\r\n\(lines)END:VCARD\r\n".utf8)
    }
    let file = group("Club", "u1", "gone") + card("Ada", "Byron") + group("Nobody", "gone", "lost")
    let result = try await house.people.importContacts(file, file: "a.vcf")
    #expect(result.added.map(\.details.groups) == [["Club"]])
    #expect(result.notes.map(\.reason) == ["1 member of the group is not in the file"])
    #expect(result.skipped.map(\.reason) == ["a group: 2 members of the group are not in the file"])
    var input = PersonInput()
    try input.set("groups", to: .null)
    _ = try await house.people.edit(result.added[0].id, PersonChange(input))
    #expect(try await house.people.importContacts(file, file: "a.vcf").updated.isEmpty)
  }
}
