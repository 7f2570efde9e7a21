import AlmanacTesting
import Models
import Parsing
import People
import Ports
import Sync
import Testing

struct ContactDetailsTests {
  private let house = PeopleHouse()

  private func card(_ lines: String...) -> [UInt8] {
    Array((["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
  }

  private func imported(_ lines: String...) async throws -> ImportedContacts {
    let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    return try await house.people.importContacts(Array(text.utf8), file: "a.vcf")
  }

  @Test func anExportHasEveryPropertyOfTheImport() async throws {
    let file =
      card("N:Lovelace;Ada", "FN:Ada Lovelace", "X-SECRET;A=b:kept", "EMAIL;TYPE=HOME:ada@example.org")
      + card("N:Turing;Alan", "FN:Alan Turing", "PHOTO;ENCODING=b;TYPE=JPEG:AAAA", "NOTE;CHARSET=ISO-8859-1:x").map {
        $0 == UInt8(ascii: "x") ? 0xFC : $0
      }
    #expect(try await house.people.importContacts(file, file: "a.vcf").added.count == 2)
    // Text of a declared character set is converted, because servers take no other than UTF-8.
    let text = String(decoding: file.filter { $0 != 0xFC }, as: UTF8.self)
    let converted = text.replacing("NOTE;CHARSET=ISO-8859-1:", with: "NOTE:ü")
    #expect(try String(decoding: house.people.contacts(), as: UTF8.self) == converted)
    #expect(try house.all().map(\.origin) == ["import", "import"])
    // Nothing is written again for the same file.
    let sequence = try house.store.snapshot().sequence
    #expect(try await house.people.importContacts(file, file: "a.vcf").known == 2)
    #expect(try house.store.snapshot().sequence == sequence)
  }

  @Test func anEditOfOneDetailChangesOneLineOfTheCard() async throws {
    let ada = try await imported("N:Lovelace;Ada", "FN:Ada Lovelace", "X-A:1", "EMAIL:a@example.org").added[0]
    let change = PersonChange(details: ["emails": [["value": "b@example.org"]], "nickname": "Countess"])
    let changed = try await house.people.edit(ada.id, change).person
    #expect(changed.details.emails == [ContactValue("b@example.org")])
    let lines = String(decoding: try house.people.contacts(), as: UTF8.self).split(separator: "\r\n")
    #expect(
      lines == [
        "BEGIN:VCARD", "VERSION:3.0", "N:Lovelace;Ada", "FN:Ada Lovelace", "X-A:1", "EMAIL:b@example.org",
        "NICKNAME:Countess", "END:VCARD",
      ])
    let cleared = try await house.people.edit(ada.id, PersonChange(details: ["emails": .null, "nickname": ""])).person
    #expect(cleared.details == ContactDetails())
  }

  private static let wrong: [(details: JSONObject, field: String)] = [
    (["emails": "x"], "emails"), (["emails": [["type": "home"]]], "emails"), (["note": 5], "note"),
    (["photo": "x"], "photo"), (["groups": [1]], "groups"), (["other": "x"], "other"),
  ]

  @Test(arguments: wrong)
  func aDetailThatIsNotAsExpectedIsRefused(details: JSONObject, field: String) async throws {
    let ada = try await house.people.add(firstName: "Ada", lastName: "Lovelace", birthday: nil)
    let error = await #expect(throws: Failure.self) {
      try await house.people.edit(ada.id, PersonChange(details: details))
    }
    #expect(error?.reason == .usage && error?.path == field)
    #expect(try house.all() == [ada])
  }

  /// An earlier version read less of the card that it kept.
  @Test func whatAnEarlierVersionDidNotReadIsKept() async throws {
    let file = card(
      "N:L;Ada", "FN:Ada L", "ORG:Engines;Notes", "TITLE:Analyst", "EMAIL;TYPE=PREF:a@example.org",
      "URL:https://a.example")
    let ada = try await house.people.importContacts(file, file: "a.vcf").added[0]
    var old = ada.fields
    (old["organization"], old["emails"]) = ("Engines, Notes", [["value": "a@example.org"]])
    for name in ["departments", "title", "urls"] { old[name] = nil }
    _ = try await house.store.write { [coder = house.coder, old] (transaction) throws(StoreError) in
      try transaction.put(coder.encode(old), id: ada.id, in: .people)
      var card = try transaction.object(.cards, ada.id, coder)
      card?["read"] = nil
      try transaction.put(coder.encode(card ?? [:]), id: ada.id, in: .cards)
    }
    #expect(try house.people.contacts() == file)
    let edited = try await house.people.edit(ada.id, PersonChange(details: ["title": .null])).person
    #expect(edited.details.departments == ["Notes"] && edited.details.urls.count == 1)
    #expect(edited.details.emails[0].isPreferred)
    #expect(
      String(decoding: try house.people.contacts(), as: UTF8.self)
        == String(decoding: file, as: UTF8.self).replacing("TITLE:Analyst\r\n", with: ""))
  }

  @Test func aPhotoIsKeptInTheCard() async throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    let photo = try #require(ContactPhoto(picture)).data
    let ada = try await house.people.add(
      firstName: "Ada", lastName: "L", birthday: nil,
      details: ["photo": ["type": "image/jpeg", "data": .string(photo)]])
    #expect(ada.details.photo?.data == "" && ada.details.photo?.type == "image/jpeg")
    let exported = try house.people.contacts()
    #expect(VCardFormat().photo(of: exported) == ContactPhoto(picture))
    #expect(try house.people.photo(of: ada.id) == ContactPhoto(picture))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["photo": .null]))
    #expect(VCardFormat().photo(of: try house.people.contacts()) == nil)
    #expect(try house.people.photo(of: ada.id) == nil)
    #expect(throws: Failure.self) { try house.people.photo(of: "nobody") }
  }

  /// The first card adds what is missing; later ones bring their changes, and edits made here are kept.
  @Test func aCardOfSomebodyWhoIsStoredBringsItsChanges() async throws {
    let ada = try await house.people.add(
      firstName: "Ada", lastName: "Lovelace", birthday: nil, fullName: nil,
      details: ["nickname": "Countess", "emails": [["value": "mine@example.org"]]])
    let first = try await imported(
      "UID:1", "N:Lovelace;Ada", "FN:Ada Lovelace", "NICKNAME:Lady", "EMAIL:mine@example.org", "EMAIL:a@example.org",
      "TEL:1")
    #expect(first.updated.map(\.id) == [ada.id] && first.added.isEmpty && first.known == 0)
    #expect(try house.all()[0].details.nickname == "Countess")
    #expect(try house.all()[0].details.emails.map(\.value) == ["mine@example.org", "a@example.org"])
    _ = try await house.people.edit(ada.id, PersonChange(details: ["phones": [["value": "1"], ["value": "2"]]]))
    let second = try await imported(
      "UID:1", "N:Lovelace;Ada", "FN:Ada Lovelace", "NICKNAME:Lady", "EMAIL:mine@example.org", "EMAIL:b@example.org",
      "TEL:1",
      "TEL:3", "X-NEW:1")
    #expect(second.updated.count == 1)
    let details = try house.all()[0].details
    #expect(details.emails.map(\.value) == ["mine@example.org", "b@example.org"])
    #expect(details.phones.map(\.value) == ["1", "2", "3"])
    #expect(details.nickname == "Countess")
    #expect(String(decoding: try house.people.contacts(), as: UTF8.self).contains("X-NEW:1"))
  }

  @Test func aServerOfPeopleTakesAndGivesOnlyWhatItKnows() async throws {
    let server = FakePeople()
    let ada = try await imported("N:Lovelace;Ada", "FN:Ada Lovelace", "BDAY:1815-12-10", "EMAIL:a@example.org").added[0]
    // An address book is never sent as a whole.
    #expect(try await house.people.queue([]).entries.isEmpty)
    #expect(try await house.people.queue([ada.id]).entries.count == 1)
    #expect(try house.entries()[0].edit.keys == ["firstName", "lastName", "birthday"])
    try await house.flush(server)
    #expect(server.people.map(\.firstName) == ["Ada"])
    let bob = try await house.people.add(firstName: "Bob", lastName: "B", birthday: .on("1990-01-01"))
    #expect(try await house.people.queue([]).entries.count == 1)
    #expect(try house.entries().map(\.targetID) == [bob.id])
  }

  @Test func whoIsRemovedTakesTheCardAlong() async throws {
    let ada = try await imported("N:Lovelace;Ada", "FN:Ada Lovelace", "EMAIL:a@example.org").added[0]
    _ = try await house.people.remove(ada.id)
    #expect(try house.store.snapshot().record(.cards, ada.id) == nil)
  }

  /// Records of earlier versions may have members of any kind under these names.
  @Test func anOldStoreIsReadAndItsMembersAreKept() async throws {
    let old: JSONObject = [
      "id": "p1", "firstName": "Ada", "lastName": "Lovelace", "fullName": "Ada Lovelace", "note": 5,
      "emails": ["a@example.org"], "phones": "none", "color": "red",
    ]
    try await house.store.put(old, in: .people, house.coder)
    #expect(try house.all()[0].details.emails == [ContactValue("a@example.org")])
    _ = try await house.people.edit("p1", PersonChange(firstName: "Augusta"))
    let stored = try house.store.snapshot().object(.people, "p1", house.coder)
    #expect(stored?["color"] == "red" && stored?["note"] == 5 && stored?["phones"] == "none")
    #expect(stored?["firstName"] == "Augusta")
  }
}
