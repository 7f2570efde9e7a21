import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

/// Files of people from other programs: tables, archives, and cards in other character sets.
@Suite struct ContactFileTests {
  private func read(_ text: String, _ reading: ContactReading = ContactReading()) throws -> ContactCards {
    try VCardFormat().read(Array(text.utf8), as: reading)
  }

  /// A person in one line.
  private func line(_ contact: Contact) -> String {
    let details = contact.details.fields.members.map { member -> String in
      let texts = (member.value.array ?? [member.value]).map { value in
        value.object.map { object in object.members.map { "\($0.value.string ?? "")" }.joined(separator: "/") } ?? value
          .string ?? ""
      }
      return "\(member.key)=\(texts.joined(separator: " "))"
    }
    let names = [contact.firstName, contact.lastName, contact.fullName ?? "", contact.birthday?.description ?? ""]
    return (names + details).joined(separator: "|")
  }

  struct Table: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var people: [String]
    /// The columns that are left out though they have values.
    var leftOut: [String] = []
  }

  private static let tables = [
    Table(
      testDescription: "Google, today",
      text: """
        First Name,Middle Name,Last Name,Nickname,Organization Name,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,\
        E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Address 1 - Street,\
        Address 1 - City,Address 1 - Postal Code,Address 1 - Country,Custom Field 1 - Label,Custom Field 1 - Value
        Ada,King,Byron,Countess,Engine Ltd,1815-12-10,"One
        and two",* myContacts ::: Friends,* Work,ada@work.example,Home,ada@home.example ::: ada@old.example,Mobile,+44 1,Home,\
        "1 Street
        London",1 Street,London,W1,UK,Size,9
        """,
      people: [
        "Ada|Byron||1815-12-10|middleName=King|nickname=Countess|emails=ada@work.example/work ada@home.example/home "
          + "ada@old.example/home|phones=+44 1/cell|addresses=1 Street/London/W1/UK/home|organization=Engine Ltd|note=One\nand two|groups=Friends"
      ], leftOut: ["Custom Field 1 - Value"]),
    Table(
      testDescription: "Google, formerly",
      text: """
        Name,Given Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Birthday
        Dr. Ada Byron,Ada,Byron,Friends ::: * myContacts,* Home,ada@example.org,Work Fax,123, --12-10
        """,
      people: ["Ada|Byron|Dr. Ada Byron|--12-10|emails=ada@example.org/home|phones=123/work fax|groups=Friends"]),
    Table(
      testDescription: "Outlook",
      text: """
        "Title","First Name","Last Name","Company","Business Street","Business City","Business Phone","Mobile Phone","E-mail Address",\
        "E-mail 2 Address","Birthday","Categories","Notes","Gender"
        "Dr.","Ada","Byron","Engine","1 Street","London","111","222","a@example.org","b@example.org","12/10/1815","A;B","Note","F"
        "","","","Only Ltd","","","333","","","","0/0/00","","",""
        """,
      people: [
        "Ada|Byron||1815-12-10|namePrefix=Dr.|emails=a@example.org b@example.org|phones=111/work 222/cell|addresses=1 Street/London/work"
          + "|organization=Engine|note=Note|groups=A B",
        "Only Ltd||||phones=333/work|organization=Only Ltd",
      ], leftOut: ["Gender"]),
    Table(
      testDescription: "Outlook in Polish",
      text: """
        "Tytuł","Imię","Drugie imię","Nazwisko","Firma","Dział","Stanowisko","Adres służbowy - ulica","Adres służbowy - miejscowość",\
        "Adres domowy - ulica (2)","Faks służbowy","Telefon służbowy","Telefon komórkowy","Adres e-mail","Typ e-mail","Adres e-mail 2",\
        "Kategorie","Notatki","Rocznica","Urodziny","Płeć"
        "Dr","Łucja","Maria","Ćwik","Maszyny","Biuro","Szef","Długa 1","Łódź","Krótka 2","3","4","5","l@example.org","SMTP",\
        "c@example.org","A;B","Nota","0.0.00","3.2.1980","Nie określono"
        """,
      people: [
        "Łucja|Ćwik||1980-02-03|middleName=Maria|namePrefix=Dr|emails=l@example.org c@example.org|phones=3/work fax 4/work 5/cell"
          + "|addresses=Długa 1/Łódź/work Krótka 2/home|organization=Maszyny|departments=Biuro|title=Szef|note=Nota|groups=A B"
      ], leftOut: ["Typ e-mail", "Płeć"]),
    Table(
      testDescription: "Outlook in Russian",
      text: """
        "Обращение","Имя","Отчество","Фамилия","Организация","Должность","Улица (раб. адрес)","Город (раб. адрес)",\
        "Почтовый код (дом.)","Город  (другой адрес)","Рабочий телефон","Телефон переносной","Годовщина","День рождения","Заметки",\
        "Категории","Пол","Адрес эл. почты","Тип эл. почты"
        "Д-р","Фёдор","Ильич","Зуев","Завод","Мастер","Садовая 1","Тверь","17000","Клин","1","2","0.0.00","25.12.1980","Да","А;Б",\
        "Не определен","f@example.org","SMTP"
        """,
      people: [
        "Фёдор|Зуев||1980-12-25|middleName=Ильич|namePrefix=Д-р|emails=f@example.org|phones=1/work 2/cell|addresses=Садовая 1/Тверь/work"
          + " 17000/home Клин/other|organization=Завод|title=Мастер|note=Да|groups=А Б"
      ], leftOut: ["Пол", "Тип эл. почты"]),
    Table(
      testDescription: "Outlook in Japanese",
      text: """
        肩書き,名,姓,会社名,部署,役職,番地 (会社),市町村 (会社),郵便番号 (自宅),会社電話,携帯電話,メモ,記念日,姓フリガナ,性別,誕生日,\
        電子メール アドレス,電子メールの種類,分類,国
        博士,花子,山田,会社,開発,部長,一丁目1,中央区,100-0001,1,2,覚書,00/0/0,ヤマダ,指定なし,1980/2/3,h@example.jp,SMTP,友人,日本
        """,
      people: [
        "花子|山田||1980-02-03|namePrefix=博士|phoneticLastName=ヤマダ|emails=h@example.jp|phones=1/work 2/cell"
          + "|addresses=一丁目1/中央区/work 100-0001/home 日本|organization=会社|departments=開発|title=部長|note=覚書|groups=友人"
      ], leftOut: ["性別", "電子メールの種類"]),
    Table(
      testDescription: "readings and years of Japan",
      text: """
        氏名,フリガナ,生年月日
        山田 太郎,ヤマダ　タロウ,昭和50年4月12日
        """,
      people: ["太郎|山田||1975-04-12|phoneticFirstName=タロウ|phoneticLastName=ヤマダ"], leftOut: []),
    Table(
      testDescription: "readings of each name",
      text: """
        姓,名,姓（ふりがな）,名（ふりがな）,誕生日
        山田,花子,やまだ,はなこ,１９８０年２月３日
        """,
      people: ["花子|山田||1980-02-03|phoneticFirstName=はなこ|phoneticLastName=やまだ"], leftOut: []),
    Table(
      testDescription: "Outlook in German, with semicolons",
      text: """
        Anrede;Vorname;Nachname;Firma;Straße geschäftlich;Ort geschäftlich;Postleitzahl geschäftlich;Telefon privat;Mobiltelefon;E-Mail-Adresse;Geburtstag
        Frau;Änne;Groß;Werk;Weg 1;Köln;50667;0221 1;0171 2;aenne@example.org;10.12.1985
        """,
      people: [
        "Änne|Groß||1985-12-10|namePrefix=Frau|emails=aenne@example.org|phones=0221 1/home 0171 2/cell|addresses=Weg 1/Köln/50667/work|organization=Werk"
      ]),
    Table(
      testDescription: "German, with semicolons",
      text: "Vorname;Nachname;Geburtstag;Handy\nÄnne;Groß;10.12.1985;0171 2\n",
      people: ["Änne|Groß||1985-12-10|phones=0171 2/cell"]),
    Table(
      testDescription: "French, with tabs",
      text: "Prénom\tNom\tDate de naissance\tCourriel\nZoé\tPetit\t1985-12-10\tzoe@example.org\n",
      people: ["Zoé|Petit||1985-12-10|emails=zoe@example.org"]),
    Table(
      testDescription: "Spanish",
      text: "Nombre,Apellidos,Teléfono móvil,Correo electrónico\nLuz,Gil,600,luz@example.org\n",
      people: ["Luz|Gil|||emails=luz@example.org|phones=600/cell"]),
    Table(
      testDescription: "LinkedIn, with its notes before the table",
      text: """
        Notes:
        "When exporting your connection data, you may notice that some of the email addresses are missing."

        First Name,Last Name,URL,Email Address,Company,Connected On
        Ada,Byron,,ada@example.org,"Engine, Ltd",01 Feb 2024
        """,
      people: ["Ada|Byron|||emails=ada@example.org|organization=Engine, Ltd"], leftOut: ["Connected On"]),
    Table(
      testDescription: "Almanac",
      text: """
        id,firstName,lastName,birthday,fullName,emails,addresses,note,groups,origin
        1,Ada,Byron,1815-12-10,Dr. Ada Byron,"[{""value"":""a@example.org"",""type"":""work""},{""value"":""b@example.org""}]",\
        "[{""street"":""1"",""city"":""London""}]",,"[""A"",""B; C""]",import
        """,
      people: [
        "Ada|Byron|Dr. Ada Byron|1815-12-10|emails=a@example.org/work b@example.org|addresses=1/London|groups=A B; C"
      ],
      leftOut: ["origin"]),
    // A card has them on one line, too: it would come back as another address.
    Table(
      testDescription: "lines within a cell",
      text: "First Name,Last Name,Home Street,Company\nAda,Byron,\"12 Elm St\r\nApt 3\",\"O\nP\"\n",
      people: ["Ada|Byron|||addresses=12 Elm St, Apt 3/home|organization=O P"]),
    Table(
      testDescription: "a mail address alone is a person, and an empty line is not",
      text: "Name,E-mail,Emial\n,ada@example.org,x\n,,\n,,y\n",
      people: ["ada@example.org||||emails=ada@example.org"], leftOut: ["Emial"]),
  ]

  @Test(arguments: tables) func readsTables(table: Table) throws {
    let cards = try read(table.text)
    #expect(cards.people.map(line) == table.people)
    #expect(cards.columns.filter { $0.field == nil && $0.values > 0 }.map(\.name) == table.leftOut)
  }

  @Test(arguments: [
    ("", "an empty file"), (" \r\n", "an empty file"), ("\u{89}PNG", nil), ("GIF89a", "a picture (image/gif)"),
    (#"{"id":"1"}"#, "JSON"), ("<html></html>", "HTML or XML"), ("%PDF-1.4", "a PDF file"),
    ("BEGIN:VCALENDAR\r\n", "a calendar"), ("some text", nil),
  ])
  func filesOfOtherKinds(text: String, found: String?) throws {
    let error = #expect(throws: ParsingError.self) { try read(text) }
    #expect(error?.code == .foreign)
    #expect(error?.found == found ?? "'\(text)'")
    #expect((error?.hint?.contains("vCard") == true) == (found != nil))
  }

  @Test func misspelledAndMappedColumns() throws {
    let text = "Vorname,Emial,Handy,Ort\nAda,a@example.org,123,London\n"
    #expect(try read(text).columns.first { $0.name == "Emial" }?.meant == "email")
    let columns: [ContactReading.Column] = [
      .init(name: "Emial", field: "emails:work"), .init(name: "Handy", field: "phones:cell"),
      .init(name: "Ort", field: "addresses:home.city"),
    ]
    let cards = try read(text, ContactReading(columns: columns))
    #expect(cards.people.map(line) == ["Ada||||emails=a@example.org/work|phones=123/cell|addresses=London/home"])
    for wrong in [("None", "note"), ("Handy", "phone"), ("Ort", "addresses:home.town"), ("Ort", "note:work")] {
      #expect(throws: ParsingError.self) {
        try read(text, ContactReading(columns: [.init(name: wrong.0, field: wrong.1)]))
      }
    }
    #expect(throws: ParsingError.self) { try read("a,b\n1,2\n") }
  }

  /// Where no date tells the order, the name of the column does, and a mapping before it.
  @Test(arguments: [
    ("Birthday", nil, "1980-05-06"), ("Anniversaire", nil, "1980-06-05"), ("Verjaardag", nil, "1980-06-05"),
    ("Anniversaire", "birthday:mdy", "1980-05-06"), ("Birthday", "birthday:dmy", "1980-06-05"),
  ])
  func ordersOfDates(column: String, field: String?, expected: String) throws {
    for text in ["5/6/1980", "5-6-1980"] {
      let columns = field.map { [ContactReading.Column(name: column, field: $0)] } ?? []
      let cards = try read("Name,\(column)\nAda Byron,\(text)\n", ContactReading(columns: columns))
      #expect(cards.people.first?.birthday?.description == expected)
      #expect(cards.notes.isEmpty == (field != nil))
    }
  }

  @Test(arguments: [
    ("12/31/1985", "1985-12-31"), ("31/12/1985", "1985-12-31"), ("1/2/1985", "1985-01-02"), ("1.2.1985", "1985-02-01"),
    ("1985/2/1", "1985-02-01"), ("1985-2-1", "1985-02-01"), ("soon", nil),
  ])
  func birthdays(text: String, expected: String?) throws {
    let cards = try read("First Name,Birthday\nAda,\(text)\n")
    #expect(cards.people.first?.birthday?.description == expected)
    #expect(cards.notes.isEmpty == (expected != nil && text != "1/2/1985"))
  }

  /// One date that can be read in one way only decides for all.
  @Test(arguments: [
    ("03/02/1990", "25/12/1990", "1990-02-03", 0), ("03/02/1990", "12/25/1990", "1990-03-02", 0),
    ("03/02/1990", "02/03/1991", "1990-03-02", 1), ("03/03/1990", "", "1990-03-03", 0), ("0/0/00", "", nil, 0),
  ])
  func theOrderOfDates(text: String, other: String, expected: String?, notes: Int) throws {
    let cards = try read("First Name,Birthday,Anniversary\nAda,\(text),\nBo,,\(other)\n")
    #expect(cards.people.first?.birthday?.description == expected && cards.notes.count == notes, "\(cards.notes)")
    #expect(cards.notes.allSatisfy { $0.line == 2 })
  }

  @Test func anniversariesAreDates() throws {
    let cards = try read(
      #""First Name","Anniversary"\nZoe,0/0/00\nAda,7/8/1835\nBo,soon\n"#.replacing(#"\n"#, with: "\n"))
    #expect(cards.people.map { $0.details.dates.map(\.value) } == [[], ["1835-07-08"], []])
    #expect(cards.notes.map(\.reason).contains(#"anniversary "soon" is not a date; it is left out"#))
  }

  @Test func columnsOfAlmanacAreItsFields() throws {
    let cards = try read("firstName,title,namePrefix,Title\nAda,Countess,Dr.,Mrs\n")
    #expect(cards.people.first?.details.title == "Countess" && cards.people.first?.details.namePrefix == "Dr.")
  }

  /// Options and columns have the same names.
  @Test func aNameMeansOneField() throws {
    let cards = try read("Given,Family,Born,Mail,Cell,Employer\nAda,King,1815-12-10,a@example.org,1,Engines\n")
    #expect(cards.people.map(line) == ["Ada|King||1815-12-10|emails=a@example.org|phones=1/cell|organization=Engines"])
    for (name, field) in [("--surname", "lastName"), ("--mobile", "phones"), ("vorname", "firstName"), ("photo", nil)] {
      #expect(PersonFieldNames.field(meant: name) == field)
    }
  }

  @Test(arguments: [
    ("Özil, Mesut", ["Mesut", "Özil", "Mesut Özil"]), ("King, Jr.", ["King,", "Jr.", "King, Jr."]),
    ("Acme, Inc.", ["Acme,", "Inc.", "Acme, Inc."]), ("Ada Lovelace", ["Ada", "Lovelace", "Ada Lovelace"]),
  ])
  func aNameWithItsLastPartFirst(_ written: String, _ names: [String]) throws {
    let stored = try #require(try read("Name\n\"\(written)\"\n").people.first).person(id: "p")
    #expect([stored.firstName, stored.lastName, stored.fullName] == names)
  }

  // MARK: Character sets

  private static let latin =
    Array("BEGIN:VCARD\r\nVERSION:3.0\r\nN:M".utf8) + [0xFC] + Array("ller;Al\r\nEND:VCARD\r\n".utf8)

  @Test func textThatIsNotCertainIsNamed() throws {
    let good = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Bo\r\nEND:VCARD\r\n".utf8)
    let control = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nN:B;A\r\nNOTE:a\u{1}b\r\nEND:VCARD\r\n".utf8)
    let cards = try VCardFormat().read(good + Self.latin + control, as: ContactReading())
    #expect(cards.people.map(\.firstName) == ["Bo"])
    #expect(cards.skipped.map(\.line) == [7, 12])
    #expect(cards.skipped.map { $0.reason.prefix(20) } == ["bytes that are not U", "the control characte"])
    let asked = try VCardFormat().read(good + Self.latin, as: ContactReading(charset: .latin1))
    #expect(asked.people.map(\.lastName) == ["", "Müller"] && asked.skipped.isEmpty)
    #expect(String(validating: asked.people[1].card, as: UTF8.self)?.contains("N:Müller;Al") == true)
    // What is UTF-8 in the same file stays, also where lines split a character.
    let utf8 = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Käthe\r\nNOTE:M".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xBC]
    let mixed = utf8 + Array("ll\r\nEND:VCARD\r\n".utf8) + Self.latin
    let both = try VCardFormat().read(mixed, as: ContactReading(charset: .latin1))
    #expect(both.people.map(\.firstName) == ["Käthe", "Al"] && both.skipped.isEmpty)
    #expect(both.people.last?.lastName == "Müller")
    #expect(both.people.first?.details.note == "Müll")
    #expect(throws: ParsingError.self) {
      try VCardFormat().read(Array("First Name\nM".utf8) + [0xFC, 0x0A], as: ContactReading())
    }
  }

  /// Of a declared character set, and of characters that lines split, the card is written again in UTF-8.
  @Test func whatIsCertainIsConverted() throws {
    let declared = Array("BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1:M".utf8) + [0xFC]
    let split = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nNOTE:M".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xBC]
    let cards = try VCardFormat().read(
      declared + Array("ller;Al\r\nX-A:1\r\nEND:VCARD\r\n".utf8) + split + Array("ller\r\nX-B:1\r\nEND:VCARD\r\n".utf8),
      as: ContactReading())
    let texts = cards.people.compactMap { String(validating: $0.card, as: UTF8.self) }
    #expect(cards.skipped.isEmpty && texts.count == 2, "\(cards.skipped)")
    #expect(texts[0] == "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Müller;Al\r\nX-A:1\r\nEND:VCARD\r\n")
    #expect(texts[1] == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nNOTE:Müller\r\nX-B:1\r\nEND:VCARD\r\n")
  }

  // MARK: Archives

  /// Made by Python's `zipfile`: a folder, a card, a file of macOS, a table, a stored card and a text.
  private static let archive = Base64.decoded(
    """
    UEsDBBQAAAAAAIMYIlwAAAAAAAAAAAAAAAAGAAAAY2FyZHMvUEsDBBQAAAAIAIMYIlwtSbOERAAAAEkAAAANAAAAY2FyZHMvYWRhLnZjZnNydff0swpz\
    dgxy4eUKcw0K9vT3szLWM+Dl8rNyqizKz7N2TEnk5XL1dfT0sUpMSXRIrUjMLchJ1csvSgcK+7nA9AIAUEsDBBQAAAAIAIMYIlw5nPsGBgAAAAQAAAAY\
    AAAAX19NQUNPU1gvY2FyZHMvLl9hZGEudmNmyyrNywYAUEsDBBQAAAAIAIMYIlwx74UVDgEAANIDAAAIAAAAbGlzdC5jc3Y90zFOA0EMheE+p+AAW6z9\
    7CR7ASqC4AhB2iISECnh/qL45003f/fJ9rzeHs+/l/frz768Xf263L9u3/vhY38877/r8rnEuq4jg4yRSeZIkRpZZI1sskceyePIE3kaeSbPIzdyMwNW\
    TBausCuAhWGBLCwLaGFaYAvbAlwYF+jCuoAX5gW+sC/xpX2JL+fc8KV9iS/tS3xpX+JL+xJf2pf40r7El/YlvrRP+GSf8Mk+4dNcLD7ZJ3yyT/hkn/DJ\
    PuGTfcIn+4RP9hW+sq/wlX2Fr+wrfDUvD1/ZV/jKvsJX9hW+sq/wlX2Fr+xrfG1f42v7Gl/b1/javsbX82vga/saX9vX+Nq+xtf2Nb7eDv9QSwMEFAAA\
    AAAAgxgiXB2LFsckAAAAJAAAAAoAAABzdG9yZWQudmNmQkVHSU46VkNBUkQNCkZOOkJvIExpbmQNCkVORDpWQ0FSRA0KUEsDBBQAAAAIAIMYIlyGphA2\
    BwAAAAUAAAAKAAAAcmVhZG1lLnR4dMtIzcnJBwBQSwECFAMUAAAAAACDGCJcAAAAAAAAAAAAAAAABgAAAAAAAAAAAAAAgAEAAAAAY2FyZHMvUEsBAhQD\
    FAAAAAgAgxgiXC1Js4REAAAASQAAAA0AAAAAAAAAAAAAAIABJAAAAGNhcmRzL2FkYS52Y2ZQSwECFAMUAAAACACDGCJcOZz7BgYAAAAEAAAAGAAAAAAA\
    AAAAAAAAgAGTAAAAX19NQUNPU1gvY2FyZHMvLl9hZGEudmNmUEsBAhQDFAAAAAgAgxgiXDHvhRUOAQAA0gMAAAgAAAAAAAAAAAAAAIABzwAAAGxpc3Qu\
    Y3N2UEsBAhQDFAAAAAAAgxgiXB2LFsckAAAAJAAAAAoAAAAAAAAAAAAAAIABAwIAAHN0b3JlZC52Y2ZQSwECFAMUAAAACACDGCJchqYQNgcAAAAFAAAA\
    CgAAAAAAAAAAAAAAgAFPAgAAcmVhZG1lLnR4dFBLBQYAAAAABgAGAFsBAAB+AgAAAAA=
    """)!

  @Test func anArchiveHasItsCardsAndTables() throws {
    let files = try VCardFormat().files(of: Self.archive)
    #expect(files.map(\.name) == ["cards/ada.vcf", "list.csv", "stored.vcf"])
    let people = try files.map { try VCardFormat().read($0.bytes, as: ContactReading()).people }
    #expect(people.map(\.count) == [1, 60, 1] && people[1].last.map(line) == "Person59|Q|||phones=1059/cell")
    let alone = try VCardFormat().files(of: [1, 2])
    #expect(alone.count == 1 && alone[0].name == nil && alone[0].bytes == [1, 2])
  }

  /// No damage is taken for a file, and none crashes.
  @Test func aDamagedArchiveIsRefused() {
    let random = SeededRandom(seed: 1)
    #expect(throws: ParsingError.self) { try VCardFormat().files(of: Array(Self.archive.dropLast(30))) }
    // A damaged name may take a file for one of those that are read.
    let good =
      ((try? VCardFormat().files(of: Self.archive).map(\.bytes)) ?? []) + ["junk", "hello"].map { Array($0.utf8) }
    for _ in 0..<2_000 {
      var bytes = Self.archive
      for _ in 0...Int(random.next() % 3) {
        bytes[4 + Int(random.next() % UInt64(bytes.count - 4))] = UInt8(truncatingIfNeeded: random.next())
      }
      for file in (try? VCardFormat().files(of: bytes)) ?? [] { #expect(good.contains(file.bytes)) }
    }
  }
}
