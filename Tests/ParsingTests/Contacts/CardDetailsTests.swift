import Models
import Parsing
import Ports
import Testing

@Suite("vCard: details, and cards that keep what is not understood")
struct CardDetailsTests {
  private static let apple = card(
    "PRODID:-//Apple Inc.//iOS 18//EN", "N:Lovelace;Ada;King;Lady;FRS", "FN:Lady Ada Lovelace", "NICKNAME:Enchantress",
    "ORG:Analytical Engines;Notes\\, Programs", "EMAIL;type=INTERNET;type=HOME;type=pref:ada@example.org",
    "item1.EMAIL;type=INTERNET:lady@example.com", "item1.X-ABLabel:Salon", "TEL;type=CELL;type=VOICE:+44 20 7946 0000",
    "item2.ADR;type=WORK:;;12 St James's Square;London;;SW1Y 4JH;UK", "item2.X-ABADR:gb",
    "BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10", "NOTE:First line\\nsecond\\, longer", "CATEGORIES:family,maths",
    "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ", " SkZJRg==", "X-SOCIALPROFILE;type=x;x-user=ada:x-apple:ada",
    "X-UNKNOWN;P=\"a:b\":kept\\; as\\, it is", "REV:2026-01-02T03:04:05Z", "UID:abc-1")

  private func person(_ text: String) throws -> (person: Person, card: [UInt8]) {
    let contact = try #require(try readCards(text).people.first)
    return (contact.person(id: "p"), contact.card)
  }

  private func lines(_ text: String, _ change: (inout Person) -> Void) throws -> [String] {
    var (person, card) = try person(text)
    change(&person)
    let written = VCardFormat().write([person], cards: ["p": card])
    let again = try self.person(String(decoding: written, as: UTF8.self)).person
    #expect(again == person)
    return String(decoding: written, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  /// The lines that a change removes and adds.
  private func difference(_ text: String, _ change: (inout Person) -> Void) throws -> [String] {
    let (old, new) = (text.split(separator: "\r\n").map(String.init), try lines(text, change))
    return old.filter { !new.contains($0) }.map { "-\($0)" } + new.filter { !old.contains($0) }.map { "+\($0)" }
  }

  @Test("a card of version 3.0 with labels")
  func reading() throws {
    let details = try person(Self.apple).person.details
    #expect(details.middleName == "King" && details.namePrefix == "Lady" && details.nameSuffix == "FRS")
    #expect(details.nickname == "Enchantress")
    #expect(details.organization == "Analytical Engines" && details.departments == ["Notes, Programs"])
    #expect(
      details.emails == [
        ContactValue("ada@example.org", type: "home", isPreferred: true),
        ContactValue("lady@example.com", type: "Salon"),
      ])
    #expect(details.phones == [ContactValue("+44 20 7946 0000", type: "cell")])
    #expect(details.addresses.map(\.description) == ["work: 12 St James's Square; London; ; SW1Y 4JH; UK"])
    #expect(details.note == "First line\nsecond, longer")
    #expect(details.groups == ["family", "maths"])
    #expect(details.photo?.type == "image/jpeg" && details.photo?.url == nil)
  }

  @Test("other versions, and other ways to write the same")
  func versions() throws {
    let new = try person(
      card(
        "FN:Ada Lovelace", "TEL;VALUE=uri;TYPE=\"voice,home\":tel:+44-1", "EMAIL;PREF=1:a@b.example",
        "PHOTO:data:image/png;base64,iVBORw0KGgo=", "CATEGORIES:a\\,b", "CATEGORIES:c", version: "4.0")
    ).person.details
    #expect(new.phones == [ContactValue("+44-1", type: "home")])
    #expect(new.emails == [ContactValue("a@b.example", isPreferred: true)])
    #expect(new.photo?.type == "image/png")
    #expect(new.groups == ["a,b", "c"])
    let old = try person(
      card(
        "N:Lovelace;Ada", "TEL;WORK;FAX:1", "NOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Gr=C3=BC=C3=9Fe=0D=0Aan alle",
        "PHOTO;VALUE=URL:https://example.org/a.jpg", version: "2.1")
    ).person.details
    #expect(old.phones == [ContactValue("1", type: "work fax")])
    #expect(old.note == "Grüße\nan alle")
    #expect(old.photo?.url == "https://example.org/a.jpg")
  }

  @Test("a person who did not change gets the card byte for byte", arguments: ["\r\n", "\n", "\r"])
  func unchanged(lineBreak: String) throws {
    let text = Self.apple.replacing("\r\n", with: lineBreak)
    let (person, card) = try person("\u{FEFF}" + text)
    #expect(String(decoding: card, as: UTF8.self) == text)
    #expect(VCardFormat().write([person], cards: ["p": card]) == Array(text.utf8))
  }

  /// Each edit, and the lines that it removes and adds.
  private static let appleEdits: [(edit: @Sendable (inout Person) -> Void, lines: [String])] = [
    ({ $0.lastName = "King" }, ["-N:Lovelace;Ada;King;Lady;FRS", "+N:King;Ada;King;Lady;FRS"]),
    (
      { $0.details.emails[1] = ContactValue("ada@example.net", type: "Salon") },
      ["-item1.EMAIL;type=INTERNET:lady@example.com", "+item1.EMAIL;type=INTERNET:ada@example.net"]
    ),
    ({ $0.details.emails.removeLast() }, ["-item1.EMAIL;type=INTERNET:lady@example.com", "-item1.X-ABLabel:Salon"]),
    ({ $0.details.phones.append(ContactValue("5", type: "Yacht")) }, ["+item3.TEL:5", "+item3.X-ABLabel:Yacht"]),
    ({ $0.details.phones.append(ContactValue("5", type: "home fax")) }, ["+TEL;TYPE=home;TYPE=fax:5"]),
    (
      { $0.details.addresses[0].parts[3] = "Ockham" },
      [
        "-item2.ADR;type=WORK:;;12 St James's Square;London;;SW1Y 4JH;UK",
        "+item2.ADR;type=WORK:;;12 St James's Square;Ockham;;SW1Y 4JH;UK",
      ]
    ),
    ({ $0.birthday = Birthday("1815-12-10") }, ["-BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10", "+BDAY:1815-12-10"]),
    ({ $0.birthday = nil }, ["-BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10"]),
    ({ $0.details.groups = ["maths"] }, ["-CATEGORIES:family,maths", "+CATEGORIES:maths"]),
    ({ $0.details.note = nil }, ["-NOTE:First line\\nsecond\\, longer"]),
  ]

  @Test("an edit changes the lines of its property alone", arguments: appleEdits.indices)
  func edits(apple index: Int) throws {
    let (edit, lines) = Self.appleEdits[index]
    #expect(try difference(Self.apple, edit) == lines)
  }

  private static let further = card(
    "N:Lovelace;Ada", "FN:Ada Lovelace", "ORG:Engines;Research;Notes", "TITLE:Analyst", "X-PHONETIC-LAST-NAME:Luvlace",
    "item1.URL:https://ada.example", "item1.X-ABLabel:_$!<HomePage>!$_",
    "IMPP;X-SERVICE-TYPE=Jabber:xmpp:ada@example.org",
    "X-SKYPE:ada.l", "X-SOCIALPROFILE;type=twitter;x-user=ada:https://twitter.com/ada",
    "item2.X-ABRELATEDNAMES:William", "item2.X-ABLabel:_$!<Spouse>!$_", "X-SPOUSE:W. King",
    "item3.X-ABDATE:1835-07-08", "item3.X-ABLabel:_$!<Anniversary>!$_",
    "X-ANNIVERSARY;X-APPLE-OMIT-YEAR=1604:1604-07-08",
    "EMAIL;TYPE=HOME;TYPE=PREF:a@example.org", "EMAIL;TYPE=WORK:b@example.org")

  @Test("what address books write beside names, addresses and numbers")
  func furtherDetails() throws {
    let details = try person(Self.further).person.details
    #expect(details.title == "Analyst" && details.phoneticLastName == "Luvlace")
    #expect(details.urls == [ContactValue("https://ada.example", type: "HomePage")])
    #expect(details.ims.map(\.value) == ["xmpp:ada@example.org", "skype:ada.l"])
    #expect(details.socialProfiles == [ContactValue("https://twitter.com/ada", type: "twitter")])
    #expect(details.relations.map(\.description) == ["spouse: William", "spouse: W. King"])
    #expect(details.dates.map(\.description) == ["anniversary: 1835-07-08", "anniversary: --07-08"])
    let new = try person(
      card(
        "FN:Ada", "RELATED;TYPE=spouse;VALUE=text:William", "ANNIVERSARY:18350708",
        "SOCIALPROFILE;SERVICE-TYPE=Mastodon:https://social.example/@ada", "ROLE:Author", version: "4.0")
    ).person.details
    #expect(new.relations.map(\.description) == ["spouse: William"] && new.role == "Author")
    #expect(new.dates.map(\.description) == ["anniversary: 1835-07-08"])
    #expect(new.socialProfiles.map(\.type) == ["mastodon"])
  }

  /// Each edit, and the lines that it removes and adds.
  private static let furtherEdits: [(edit: @Sendable (inout ContactDetails) -> Void, lines: [String])] = [
    ({ $0.title = nil }, ["-TITLE:Analyst"]), ({ $0.role = "Author" }, ["+ROLE:Author"]),
    ({ $0.departments = ["Poetry"] }, ["-ORG:Engines;Research;Notes", "+ORG:Engines;Poetry"]),
    (
      {
        $0.organization = nil; $0.departments = []
      }, ["-ORG:Engines;Research;Notes"]
    ),
    ({ $0.ims[1].value = "skype:lovelace" }, ["-X-SKYPE:ada.l", "+X-SKYPE:lovelace"]),
    ({ $0.ims[1].value = "matrix:u/ada" }, ["-X-SKYPE:ada.l", "+IMPP:matrix:u/ada"]),
    (
      { $0.urls[0].type = "home" },
      [
        "-item1.URL:https://ada.example", "-item1.X-ABLabel:_$!<HomePage>!$_",
        "+item1.URL;TYPE=home:https://ada.example",
      ]
    ),
    (
      { $0.socialProfiles.append(ContactValue("https://social.example/@ada", type: "mastodon")) },
      ["+X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@ada"]
    ),
    (
      { $0.relations[0] = ContactValue("Bo", type: "friend") },
      [
        "-item2.X-ABRELATEDNAMES:William", "-item2.X-ABLabel:_$!<Spouse>!$_", "+item4.X-ABRELATEDNAMES:Bo",
        "+item4.X-ABLabel:_$!<Friend>!$_",
      ]
    ),
    ({ $0.relations.removeLast() }, ["-X-SPOUSE:W. King"]),
    (
      { $0.dates.append(ContactValue("--12-05", type: "first met")) },
      ["+item4.X-ABDATE;X-APPLE-OMIT-YEAR=1604:1604-12-05", "+item4.X-ABLabel:first met"]
    ),
    (
      {
        $0.emails[0].isPreferred = false
        $0.emails[1].isPreferred = true
      },
      [
        "-EMAIL;TYPE=HOME;TYPE=PREF:a@example.org", "-EMAIL;TYPE=WORK:b@example.org", "+EMAIL;TYPE=HOME:a@example.org",
        "+EMAIL;TYPE=WORK;TYPE=PREF:b@example.org",
      ]
    ),
    (
      { $0.emails[0].type = "work" },
      ["-EMAIL;TYPE=HOME;TYPE=PREF:a@example.org", "+EMAIL;TYPE=PREF;TYPE=work:a@example.org"]
    ),
  ]

  @Test("an edit of one of them changes its lines alone", arguments: furtherEdits.indices)
  func edits(further index: Int) throws {
    let (edit, lines) = Self.furtherEdits[index]
    #expect(try difference(Self.further) { edit(&$0.details) } == lines)
  }

  @Test("a photo is written in the form of the version, and can be taken away", arguments: ["2.1", "3.0", "4.0"])
  func photo(version: String) throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 400)
    var (person, card) = try person(card("N:L;Ada", "FN:Ada L", version: version))
    person.details.photo = ContactPhoto(picture)
    let written = VCardFormat().write([person], cards: ["p": card])
    #expect(VCardFormat().photo(of: written) == ContactPhoto(picture))
    let read = try #require(try VCardFormat().read(written).people.first?.details.photo)
    #expect(read.type == "image/jpeg" && read.data.isEmpty)
    person.details.photo = nil
    #expect(VCardFormat().write([person], cards: ["p": written]) == card)
  }

  @Test("a company has no last name, and Apple's year 1604 is none")
  func company() throws {
    for line in ["X-ABShowAs:COMPANY", "ORG:Engines of London", "KIND:org"] {
      let read = try person(card("FN:Engines of London", "N:;;;;", line)).person
      #expect(read.firstName == "Engines of London" && read.lastName.isEmpty, "\(line)")
    }
    let apple = "PRODID:-//Apple Inc.//macOS 15//EN"
    #expect(try person(card("FN:Ada L", "BDAY:1604-12-10", apple)).person.birthday == Birthday("--12-10"))
    #expect(try person(card("FN:Ada L", "BDAY:1604-12-10")).person.birthday == Birthday("1604-12-10"))
  }

  @Test("parts of a name and an address that are not edited stay as they are written")
  func parts() throws {
    let text = card(
      "N:Lovelace;Ada,Augusta;;;;extra;7", "FN:Ada", "ADR;TYPE=home:;;a\\,b,c;d;;;;18;parts", version: "4.0")
    #expect(
      try difference(text) { $0.lastName = "King" } == [
        "-N:Lovelace;Ada,Augusta;;;;extra;7", "-FN:Ada", "+N:King;Ada,Augusta;;;;extra;7", "+FN:Ada Augusta King",
      ])
    #expect(
      try difference(text) { $0.details.addresses[0].parts[3] = "e" } == [
        "-ADR;TYPE=home:;;a\\,b,c;d;;;;18;parts", "+ADR;TYPE=home:;;a\\,b,c;e;;;;18;parts",
      ])
  }

  @Test("an encoded property is written again as plain text, and in version 2.1 as quoted-printable")
  func encoded() throws {
    let text = card(
      "N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg", "TEL;HOME:1", "NOTE:x", version: "2.1")
    #expect(
      try difference(text) { $0.details.note = "ü" } == [
        "-NOTE:x", "+NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=BC",
      ])
    #expect(
      try difference(text) { $0.firstName = "Jorg" }.last
        == "+N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Jorg;;;")
  }

  private static let png = Base64.encoded(
    Array("\u{89}PNG\r\n\u{1A}\n, and more".unicodeScalars.map { UInt8($0.value) }))

  @Test("a new card at a server is of version 3.0 where one of 4.0 has its photo embedded; a broken photo is left out")
  func newCardWithPhoto() throws {
    let data = Self.png
    let head = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:u\r\nFN:Ada L\r\nN:L;Ada;;;\r\nBDAY:--0504\r\nX-OWN:kept\r\n"
    func sent(_ photo: String) throws -> [String] {
      let bytes = Array((head + photo + "\r\nEND:VCARD\r\n").utf8)
      let contact = try #require(try VCardFormat().read(bytes).people.first)
      let card = VCardFormat().newCard(
        of: contact.person(id: "p"), uid: "u", from: bytes, at: Timestamp(secondsSinceEpoch: 0))
      #expect(try VCardFormat().read(card).people.first?.birthday == contact.birthday)
      return String(decoding: card, as: UTF8.self).replacing("\r\n ", with: "").split(separator: "\r\n").map(
        String.init)
    }
    let embedded = try sent("PHOTO:data:image/png;base64,\(data)")
    for line in [
      "VERSION:3.0", "X-OWN:kept", "PHOTO;ENCODING=b;TYPE=PNG:\(data)", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-04",
    ] {
      #expect(embedded.contains(line), "\(line) is not in \(embedded)")
    }
    let linked = try sent("PHOTO:https://photos.example/a.png")
    #expect(linked.contains("VERSION:4.0") && linked.contains("PHOTO:https://photos.example/a.png"))
    let broken = try sent("PHOTO:data:image/png;base64,!!!")
    #expect(!broken.contains { $0.hasPrefix("PHOTO") } && broken.contains("X-OWN:kept"))
  }

  @Test("a card of version 2.1 is written anew for a server, with its identifier and its photo")
  func newCardOfVersion2() throws {
    let text =
      "BEGIN:VCARD\r\nVERSION:2.1\r\nUID:fred21\r\nN:Foto;Fred\r\nPHOTO;PNG;ENCODING=BASE64:\(Self.png)\r\n\r\nEND:VCARD\r\n"
    let person = try #require(try VCardFormat().read(Array(text.utf8)).people.first).person(id: "p")
    let now = Timestamp(secondsSinceEpoch: 0)
    let card = VCardFormat().newCard(of: person, uid: "u", from: Array(text.utf8), at: now)
    #expect(VCardFormat().uid(of: card) == "fred21" && VCardFormat().photo(of: card) != nil)
    #expect(String(decoding: card, as: UTF8.self).contains("VERSION:3.0"))
  }

  @Test("a person without a card gets one with all details")
  func newCard() throws {
    let person = try person(Self.apple).person
    var other = person
    other.details.photo = nil
    let written = VCardFormat().write([other])
    #expect(try self.person(String(decoding: written, as: UTF8.self)).person == other)
    #expect(String(decoding: written, as: UTF8.self).hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\n"))
  }

  /// Every edit of every real card: the untouched properties keep their bytes, and the edit is there.
  @Test("real samples, unchanged and edited", .enabled(if: Samples.areThere, "\(Samples.reason)"))
  func samples() throws {
    let edits: [(inout Person) -> Void] = [
      { $0.birthday = Birthday("1999-09-09") }, { $0.details.emails.append(ContactValue("new@example.org")) },
      { $0.details.phones = [] }, { $0.details.note = "A note, with; all\nof it" },
      { $0.details.groups.append("a,b") },
      {
        $0.lastName = "Żółć"; $0.fullName = "X Żółć"
      },
      { $0.details.addresses = [PostalAddress("home: 1 Road; Town")!] }, { $0.details.organization = "Ünit" },
    ]
    var count = 0
    for name in try Samples.names(in: "vcard") {
      for contact in try VCardFormat().read(try Samples.bytes("vcard/\(name)")).people where !contact.card.isEmpty {
        let person = contact.person(id: "p")
        let cards: [ExactString: [UInt8]] = ["p": contact.card]
        let ends = contact.card.last == 0x0A || contact.card.last == 0x0D
        #expect(VCardFormat().write([person], cards: cards) == contact.card + (ends ? [] : [0x0D, 0x0A]), "\(name)")
        for (index, edit) in edits.enumerated() {
          var changed = person
          edit(&changed)
          let written = VCardFormat().write([changed], cards: cards)
          let back = try #require(try VCardFormat().read(written).people.first).person(id: "p")
          // A card whose N has no given name gets it from FN.
          if changed.firstName.isEmpty, !back.firstName.isEmpty, back.fullName == changed.fullName {
            changed = Person(
              id: "p", firstName: back.firstName, lastName: changed.lastName, birthday: changed.birthday,
              details: changed.details)
          }
          #expect(back == changed, "\(name), edit \(index)")
          count += 1
        }
      }
    }
    #expect(count > 400)
  }
}
