import Models

/// People of whom it is known who is whom: pairs, of which seven in ten are one person twice.
struct LabelledPeople {
  /// Why two are one person, or why they look alike without being one.
  enum Kind: String, CaseIterable {
    // One person.
    case sameNames, typingError, initials, swapped, nickname, transliteration, accents, otherLastName, fewerNames
    // Two people.
    case namesake, family, fatherAndSon, fatherAndJunior, twins, sameInitial, colleagues

    var isOnePerson: Bool { Self.allCases.firstIndex(of: self)! < 9 }
  }

  private(set) var people: [Person] = []
  private(set) var pairs: [(kind: Kind, first: Int, second: Int)] = []
  private var random: SplitMix

  init(pairs count: Int, seed: UInt64) {
    random = SplitMix(seed: seed)
    let same = Kind.allCases.filter(\.isOnePerson)
    let others = Kind.allCases.filter { !$0.isOnePerson }
    for index in 0..<count { add(index % 10 < 7 ? pick(same) : pick(others)) }
  }

  // MARK: Pairs

  private mutating func add(_ kind: Kind) {
    var one = somebody()
    if kind == .nickname { one.firstName = pick(Self.shortForms)[0] }
    var other = one
    other.id = "\(people.count + 1)"
    // Two address books seldom have all details of a person.
    if kind.isOnePerson { thin(&one, &other, leavesNothing: kind != .otherLastName && chance(10)) }
    switch kind {
    case .sameNames: break
    case .typingError:
      if chance(50) { other.firstName = misspelled(one.firstName) } else { other.lastName = misspelled(one.lastName) }
    case .initials: other.firstName = "\(one.firstName.prefix(1))\(chance(50) ? "." : "")"
    case .swapped: (other.firstName, other.lastName) = (one.lastName, one.firstName)
    case .nickname: other.firstName = pick(Array(Self.shortForms.first { $0[0] == one.firstName }!.dropFirst()))
    case .transliteration:
      let (given, family) = (pick(Self.scripts.given), pick(Self.scripts.family))
      (one.firstName, one.lastName) = (pick(given), pick(family))
      (other.firstName, other.lastName) = (pick(given), pick(family))
    case .accents:
      one.lastName = pick(Self.accents)[0]
      other.lastName = pick(Array(Self.accents.first { $0[0] == one.lastName }!.dropFirst()))
    case .otherLastName: other.lastName = chance(40) ? "\(one.lastName)-\(lastName())" : lastName()
    case .fewerNames:
      if chance(50) {
        one.details.middleName = pick(Self.firstNames)
      } else {
        one.firstName += " \(pick(Self.firstNames))"
      }
    case .namesake: other = details(firstName: one.firstName, lastName: one.lastName)
    case .family:
      other = details(
        firstName: pick(Self.alike.first { $0[0] == one.firstName } ?? Self.firstNames), lastName: one.lastName)
      if other.firstName == one.firstName { other.firstName = one.firstName == "Petra" ? "Olaf" : "Petra" }
      share(one, &other)
    case .fatherAndSon, .fatherAndJunior:
      other = details(firstName: one.firstName, lastName: one.lastName)
      share(one, &other)
      if kind == .fatherAndJunior {
        other.details.nameSuffix = chance(50) ? "Jr." : "junior"
        (one.birthday, other.birthday) = chance(50) ? (nil, nil) : (one.birthday, other.birthday)
      } else {
        // Without a suffix and without birthdays nothing but the mother tells.
        var mother = details(firstName: one.firstName == "Erika" ? "Ida" : "Erika", lastName: one.lastName)
        share(one, &mother)
        people.append(numbered(mother))
        one.birthday = nil
      }
      one.details.emails = []
    case .twins:
      other = details(firstName: one.firstName == "Hanna" ? "Johanna" : "Hanna", lastName: one.lastName)
      other.birthday = one.birthday
      share(one, &other)
    case .sameInitial:
      other = details(firstName: "\(one.firstName.prefix(1)).", lastName: one.lastName)
      other.birthday = birthday()
    case .colleagues:
      other = details(firstName: one.firstName, lastName: lastName())
      for index in 0..<3 {
        var colleague = details(firstName: Self.firstNames[index], lastName: lastName())
        share(one, &colleague)
        people.append(numbered(colleague))
      }
      share(one, &other)
    }
    (one, other) = (numbered(one), numbered(other, next: 1))
    pairs.append((kind, people.count, people.count + 1))
    people += [one, other]
  }

  private func numbered(_ person: Person, next: Int = 0) -> Person {
    var person = person
    person.id = "\(people.count + next)"
    person.fullName = ""
    return person
  }

  /// Takes details of a person away on one side or on the other, and writes numbers in another form.
  private mutating func thin(_ one: inout Person, _ other: inout Person, leavesNothing: Bool) {
    let kept = leavesNothing ? 3 : random.below(3)
    if kept != 0 { drop(\.details.emails, [], &one, &other) }
    if kept != 1 { drop(\.details.phones, [], &one, &other) }
    if kept != 2 { drop(\.birthday, nil, &one, &other) }
    other.details.phones = other.details.phones.map { phone in
      ContactValue(chance(50) ? "0\(phone.value.dropFirst(4).replacing(" ", with: "-"))" : phone.value)
    }
    other.details.emails = other.details.emails.map { ContactValue(chance(50) ? $0.value.uppercased() : $0.value) }
  }

  private mutating func drop<Value>(
    _ path: WritableKeyPath<Person, Value>, _ nothing: Value, _ one: inout Person, _ other: inout Person
  ) { if chance(50) { one[keyPath: path] = nothing } else { other[keyPath: path] = nothing } }

  private func share(_ one: Person, _ other: inout Person) { other.details.phones = one.details.phones }

  // MARK: People

  private mutating func somebody() -> Person { details(firstName: pick(Self.firstNames), lastName: lastName()) }

  private mutating func details(firstName: String, lastName: String) -> Person {
    var details = ContactDetails()
    let number = 1_000_000 + random.below(9_000_000)
    details.phones = [ContactValue("+49 \(151 + random.below(20)) \(number)")]
    details.emails = [ContactValue("\(firstName.lowercased()).\(number)@example.org")]
    return Person(id: "", firstName: firstName, lastName: lastName, birthday: birthday(), details: details)
  }

  private mutating func birthday() -> Birthday {
    Birthday(year: 1930 + random.below(90), month: 1 + random.below(12), day: 1 + random.below(28))!
  }

  /// Half of all have one of some frequent names.
  private mutating func lastName() -> String {
    if chance(50) { return pick(Self.lastNames) }
    return pick(Self.beginnings) + pick(Self.middles) + pick(Self.ends)
  }

  /// One letter is doubled, left out, replaced or swapped with the next one.
  private mutating func misspelled(_ name: String) -> String {
    var letters = Array(name)
    let place = 1 + random.below(letters.count - 2)
    switch random.below(4) {
    case 0: letters.insert(letters[place], at: place)
    case 1: letters.remove(at: place)
    case 2: letters[place] = letters[place] == "n" ? "m" : "n"
    default: letters.swapAt(place, place + 1)
    }
    return letters == Array(name) ? name + "e" : String(letters)
  }

  // MARK: Chance

  private mutating func pick<Item>(_ list: [Item]) -> Item { list[random.below(list.count)] }
  private mutating func chance(_ percent: Int) -> Bool { random.below(100) < percent }

  struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
  }

  // MARK: Names

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  private static let firstNames = words(
    """
    Alfred Amanda Barbara Bruno Carla Cedric Clara Daniel Diana Edgar Edith Emma Felix Fiona Georg Gisela Grace Helmut \
    Henry Ingrid Ines Jonas Julia Karim Kira Laura Leon Linda Lukas Magnus Maren Maria Martin Mehmet Mira Nadia Nils \
    Norbert Olaf Olivia Oscar Paula Petra Quentin Ralf Renate Rosa Ruben Sabine Selma Simon Stella Sven Tamara Theo \
    Ulrich Ursula Viktor Vera Werner Xenia Yasmin Yusuf Zoe
    """)
  private static let lastNames = words(
    """
    Miller Smith Johnson Garcia Schneider Fischer Weber Wagner Becker Hoffmann Koch Bauer Richter Klein Wolf Schroeder \
    Neumann Schwarz Zimmermann Braun Hofmann Lange Rossi Moreau Laurent Simon Michel Lopez Martinez Novak Horvat Kowalski
    """)
  private static let beginnings = words(
    "Al Ber Bran Cor Dal Ders Ege Fal Gor Hal Hin Jan Kal Kor Lan Lin Mal Mor Nor Or Pal Rab Ros Sal Sten Tar Tor Ul Var Wes Zan"
  )
  private static let middles = words("a ar e el en er i in o ol or u um ai ei")
  private static let ends = words(
    "berg bach dorf feld gaard heim holm ker lund mann mark meister sen son stad thal vik wald wood")

  /// The first one of each line, and what people write for it.
  private static let shortForms = [
    ["William", "Bill", "Will", "Billy"], ["Robert", "Bob", "Rob"], ["Elizabeth", "Liz", "Beth", "Lisa"],
    ["Margaret", "Peggy", "Maggie"], ["Richard", "Dick", "Rick"], ["Johannes", "Hans"],
    ["Katharina", "Kathi", "Katja"],
    ["Aleksandr", "Sasha"], ["José", "Pepe"], ["Giuseppe", "Beppe"], ["Michael", "Mike", "Micha"], ["Thomas", "Tom"],
    ["Susanne", "Susi"], ["Friedrich", "Fritz"], ["Mikhail", "Misha"], ["Francisco", "Paco"], ["James", "Jim"],
  ]

  private static let scripts = (
    given: [
      ["Юрий", "Yuri", "Jurij", "Iouri"], ["Евгений", "Yevgeny", "Evgenij", "Evgeny"],
      ["Наталья", "Natalya", "Natalia"], ["Дмитрий", "Dmitry", "Dmitri", "Dmitrij"], ["Γιώργος", "Giorgos", "Yiorgos"],
      ["Алексей", "Alexey", "Aleksei"], ["Владимир", "Vladimir", "Wladimir"],
    ],
    family: [
      ["Чайковский", "Tchaikovsky", "Tschaikowski", "Chaikovskii"], ["Хрущёв", "Khrushchev", "Chruschtschow"],
      ["Παπαδόπουλος", "Papadopoulos"], ["Щербаков", "Shcherbakov", "Schtscherbakow"], ["Жуков", "Zhukov", "Schukow"],
      ["Цветаева", "Tsvetaeva", "Zwetajewa", "Cvetaeva"], ["Яковлев", "Yakovlev", "Jakowlew"],
    ]
  )

  private static let accents = [
    ["Müller", "Mueller", "Muller"], ["Groß", "Gross"], ["Øverås", "Overas", "Oeveraas"], ["Nuñez", "Nunez"],
    ["Łukasz", "Lukasz"], ["Çelik", "Celik"], ["Dvořák", "Dvorak"], ["Jørgensen", "Jorgensen", "Joergensen"],
  ]

  /// Names of sisters and brothers that are nearly the same.
  private static let alike = [
    ["Maria", "Marie", "Mara"], ["Julia", "Julian"], ["Jonas", "Jona"], ["Martin", "Martina"],
  ]
}
