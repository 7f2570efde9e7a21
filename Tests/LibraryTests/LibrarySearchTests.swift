import AlmanacTesting
import Library
import Models
import Ports
import Testing

/// What a person writes in place of an id, and words that are searched for.
@Suite struct LibrarySearchTests {
  private let fixture = LibraryFixture()

  private func fill() async throws {
    try await fixture.put(
      .people,
      [
        #"{"id":"01abc","firstName":"Ada","lastName":"Lovelace","fullName":"Ada Lovelace"}"#,
        #"{"id":"01abd","firstName":"Grace","lastName":"Hopper","fullName":"Grace Hopper"}"#,
        #"{"id":"ada","firstName":"Adam","lastName":"Ries","fullName":"Adam Ries","note":"Grace's neighbour"}"#,
        #"{"id":"zoe","firstName":"Zoë","lastName":"Quill","fullName":"Zoë Quill"}"#,
      ])
    try await fixture.put(
      .apps,
      [
        #"{"id":"fr/7","appID":"7","name":"Tide","artist":"Grace & Co","url":"https://apps.example/fr/app/tide/id7?l=en"}"#,
        #"{"id":"us/7","appID":"7","name":"Tide","artist":"Grace & Co","url":"https://apps.example/us/app/tide/id7"}"#,
      ])
  }

  private func meant(
    _ collection: CollectionName, _ text: String, as precision: NamePrecision = .part
  ) throws -> [String] { try fixture.library.records(collection, meaning: text, as: precision, limit: 10).map(\.id) }

  /// A name is found without its accents, and one that is written as it was typed comes first.
  @Test(arguments: [
    ("jose", NamePrecision.part, ["2"]), ("garci", .part, ["1", "2"]), ("JOSÉ", .words, ["1"]),
    ("jos", .part, ["1", "2"]), ("ramon", .words, ["2"]),
    ("ramón", .words, ["3"]), ("garcia", .words, ["1", "2"]), ("strass", .part, ["4"]), ("jose garcia", .whole, []),
    ("José García", .whole, ["1"]), ("jose garcia", .words, ["1"]), ("zoe", .words, ["5"]),
  ])
  func accentsAreNotNeeded(text: String, precision: NamePrecision, ids: [String]) async throws {
    let names = ["José García", "Josefa Ramon García", "Ramón Pi", "Ann Straße", "Zoe", "Zoë Quill"]
    try await fixture.put(
      .people, names.enumerated().map { #"{"id":"\#($0.offset + 1)","firstName":"x","fullName":"\#($0.element)"}"# })
    #expect(try meant(.people, text, as: precision) == ids)
  }

  @Test(arguments: [
    // The id itself, also where it is the beginning of another name or id.
    ("ada", ["ada"]), ("Ada Lovelace", ["01abc"]), ("ada lovelace", ["01abc"]), ("ZOË QUILL", ["zoe"]),
    ("01ab", ["01abc", "01abd"]), ("ad", ["ada"]), ("01abd", ["01abd"]), ("z", ["zoe"]),
    // The beginning of a word before any other place.
    ("hop", ["01abd"]), ("ace", ["01abc", "01abd"]), ("quil", ["zoe"]), ("nobody", []), ("", []),
  ])
  func theClosestIsMeant(text: String, ids: [String]) async throws {
    try await fill()
    #expect(try meant(.people, text) == ids)
  }

  @Test(arguments: [
    ("hop", NamePrecision.words, []), ("opper", .words, []), ("Hopper", .words, ["01abd"]), ("ada", .words, ["ada"]),
    ("grace hopper", .words, ["01abd"]), ("01abd", .words, ["01abd"]), ("quill", .words, ["zoe"]),
    // Of an id that is a word, a part is a part of a name.
    ("ad", .words, []), ("01ab", .words, ["01abc", "01abd"]), ("01ab", .whole, []),
    ("Hopper", .whole, []), ("grace hopper", .whole, ["01abd"]), ("01abd", .whole, ["01abd"]),
  ])
  func aPartOfANameIsNotEnoughForAChange(text: String, precision: NamePrecision, ids: [String]) async throws {
    try await fill()
    #expect(try meant(.people, text, as: precision) == ids)
  }

  @Test(arguments: [
    ("Lovelance", ["01abc"]), ("grace hoper", ["01abd"]), ("Zoe", ["zoe"]), ("Qwill", ["zoe"]), ("Hop", ["01abd"]),
    // The nearest first: one letter before two.
    ("Adm", ["01abc", "ada"]), ("nobody", []), ("", []),
  ])
  func namesOfAFewOtherLettersAreNear(text: String, ids: [String]) async throws {
    try await fill()
    #expect(try fixture.library.records(.people, near: text, limit: 2).map(\.id) == ids)
    #expect(try fixture.library.records(.people, near: text, limit: 1).count == min(1, ids.count))
  }

  @Test func anAddressOrTheLastPartOfAnIDIsMeant() async throws {
    try await fill()
    #expect(try meant(.apps, "7") == ["fr/7", "us/7"])
    #expect(try meant(.apps, "https://apps.example/us/app/tide/id7?mt=8") == ["us/7"])
    #expect(try meant(.apps, "http://www.apps.example/fr/app/tide/id7/") == ["fr/7"])
    #expect(try meant(.apps, "https://apps.example/de/app/tide/id7") == [])
  }

  private func found(_ words: [String], in collections: [CollectionName] = []) throws -> [String] {
    var found: [String] = []
    try fixture.library.search(words, in: collections, limit: 100) { record in
      found.append("\(record.collection)/\(record.id)" + (record.field.map { " \($0): \(record.text ?? "")" } ?? ""))
      return .next
    }
    return found.sorted()
  }

  private static let names = [
    "García", "Garci\u{301}a", "Müller", "Muller", "Straße", "Ærøskøbing", "Łódź", "Þórður", "Đặng", "Σωκράτης",
    "Андрей",
    "İzmir", "がく", "Mühle", "Muehle", "blu", "Go\u{308}the",
  ]

  @Test(
    "accents need not be typed, and records that have a word as it is typed come first",
    arguments: [
      ("garcia", ["García", "Garci\u{301}a"]), ("GARCÍA", ["García", "Garci\u{301}a"]),
      ("muller", ["Muller", "Müller"]),
      ("müller", ["Müller", "Muller"]), ("Strasse", ["Straße"]), ("aero", ["Ærøskøbing"]), ("lodz", ["Łódź"]),
      ("thord", ["Þórður"]), ("dang", ["Đặng"]), ("ΣΩΚΡΑΤΗΣ", ["Σωκράτης"]), ("σωκρατης", ["Σωκράτης"]),
      ("андреи", ["Андрей"]), ("izmir", ["İzmir"]), ("かく", []),
      ("mueller", ["Müller"]), ("MUELLER", ["Müller"]), ("mühle", ["Mühle", "Muehle"]),
      ("muehle", ["Muehle", "Mühle"]),
      ("muhle", ["Mühle"]), ("blue", []), ("goeth", ["Go\u{308}the"]),
    ])
  func accents(word: String, names: [String]) async throws {
    try await fixture.put(
      .people, Self.names.enumerated().map { #"{"id":"\#(10 + $0)","fullName":"x","note":"-\#($1)-"}"# })
    var found: [String] = []
    try fixture.library.search([word], in: [.people], limit: 100) { record in
      found.append(String((record.text ?? "").dropFirst().dropLast()))
      return .next
    }
    #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    let page = try fixture.library.page(.people, LibraryQuery(words: [word]), limit: 50, counts: true)
    #expect(page.total == names.count && page.records.count == names.count)
    let none = LibraryQuery(conditions: [RecordCondition(field: "id", comparison: .less, value: "1")], words: [word])
    #expect(try fixture.library.page(.people, none, limit: 50, counts: false).records.isEmpty)
  }

  @Test(
    "the digits of a phone number find a person, also without the spaces and signs, in lists too",
    arguments: [
      ("+49305550003", ["ada"]), ("030 5550003", ["ada"]), ("(030) 555-0003", ["ada"]), ("5550003", ["ada"]),
      ("5550", ["ada", "bo"]),
      ("+49 30 555 0003", ["ada"]), ("5559999", []), ("x5550003", []),
    ])
  func phoneNumbers(text: String, ids: [String]) async throws {
    try await fixture.put(
      .people,
      [
        #"{"id":"ada","fullName":"Ada King","phones":[{"value":"1"},{"value":"+49 30 5550003"}]}"#,
        #"{"id":"bo","fullName":"Bo Ruiz","phones":[{"value":"0049/30/555-0004"}]}"#,
      ])
    try await fixture.put(.apps, [#"{"id":"us/1","appID":"1","name":"Tide","artist":"+49 30 55 50 003"}"#])
    let words = text.split(separator: " ").map(String.init)
    let found = try found(words, in: [.people])
    #expect(found.map { $0.split(separator: " ")[0] } == ids.map { "people/\($0)" })
    if ids == ["ada"] { #expect(found == ["people/ada phones.value: +49 30 5550003"]) }
    #expect(try fixture.list(.people, LibraryQuery(words: words)) == ids)
    #expect(try fixture.list(.apps, LibraryQuery(words: words)) == [])
  }

  @Test("names come first, beginnings of words before other places, and ids count as a whole")
  func ranks() async throws {
    try await fixture.put(
      .apps,
      [
        #"{"id":"fr/1","appID":"1","name":"Proceed","bundleID":"org.proceduralradar","artist":"Radar"}"#,
        #"{"id":"us/2","appID":"2","name":"Canada","artist":"Kings"}"#,
        #"{"id":"us/3","appID":"3","name":"Tide","artist":"Adam & Eve","moodID":"calm harbor"}"#,
      ])
    try await fixture.put(
      .people,
      [
        #"{"id":"0ada1","fullName":"Grace Hopper","remoteID":"ada77"}"#, #"{"id":"2","fullName":"Ada King"}"#,
        #"{"id":"3","fullName":"Bo Ruiz","note":"knows ada"}"#, #"{"id":"ada","fullName":"Cy Twombly"}"#,
        #"{"id":"5","fullName":"Ádám Nagy"}"#,
      ])
    func ids(_ words: [String], limit: Int) throws -> [String] {
      var ids: [String] = []
      try fixture.library.search(words, in: [], limit: limit) { record in
        ids.append(record.id)
        return ids.count < limit ? .next : .stop
      }
      return ids
    }
    for (words, limit, expected) in [
      (["ada"], 100, ["2", "ada", "5", "us/2", "us/3", "3", "fr/1"]), (["ada"], 4, ["2", "ada", "5", "us/2"]),
      (["ada", "king"], 100, ["2", "us/2"]), (["ada77"], 100, ["0ada1"]), (["proceduralradar"], 100, []),
      // Only what is described as an id is one.
      (["harbor"], 100, ["us/3"]),
    ] {
      let found = try ids(words, limit: limit)
      #expect(found == expected, "\(words)")
    }
  }

  /// What is passed over, because its ranks are full, is nothing that belongs to the answer.
  @Test(arguments: [["ada"], ["Ádá"], ["ada", "king"], ["n"], ["7"]])
  func fewAreTheFirstOfMany(words: [String]) async throws {
    let random = SeededRandom(seed: 5)
    let parts = ["Ada", "Ádám", "Canada", "King", "Kings", "Noé", "Bo", "7", "ada7", "seventeen 7"]
    func part() -> String { parts[Int(random.next() % UInt64(parts.count))] }
    try await fixture.put(
      .people,
      (0..<200).map { place in
        #"{"id":"\#(part())\#(place % 3 == 0 ? "" : "\(place)")","fullName":"\#(part()) \#(part())","#
          + #""note":"\#(part())","city":"\#(part())"}"#
      })
    func ids(_ limit: Int) throws -> [String] {
      var ids: [String] = []
      try fixture.library.search(words, in: [.people], limit: limit) { record in
        ids.append(record.id)
        return ids.count < limit ? .next : .stop
      }
      return ids
    }
    let all = try ids(1000)
    #expect(all.count > 12)
    for limit in [1, 2, 3, 5, 8, 12, 30, 60] { #expect(try ids(limit) == Array(all.prefix(limit)), "\(limit)") }
  }

  @Test func everyWordIsFoundInAnyField() async throws {
    try await fill()
    #expect(try found(["lovelace"]) == ["people/01abc lastName: Lovelace"])
    #expect(
      try found(["grace"], in: [.people]) == ["people/01abd firstName: Grace", "people/ada note: Grace's neighbour"])
    #expect(try found(["GRACE", "hop"]) == ["people/01abd firstName: Grace"])
    #expect(try found(["grace", "tide"]) == ["apps/fr/7 artist: Grace & Co", "apps/us/7 artist: Grace & Co"])
    #expect(try found(["zoë"]) == ["people/zoe firstName: Zoë"])
    #expect(try found(["ZOE", "quill"]) == ["people/zoe lastName: Quill"], "the id is shown anyway")
    #expect(try found(["fullname"]) == [], "the name of a member is not a text")
    #expect(try found([]) == [] && found([""]) == [])
  }
}
