/// The names of a person in the form in which they are compared: Latin letters without accents, in words.
struct ComparedName: Sendable {
  struct Word: Sendable {
    var letters: [Unicode.Scalar]
    /// What stays the same when a name is written in another way: its consonants, those that sound alike as one.
    var sound: [Unicode.Scalar]
    /// The names of which it may be a short form.
    var longForms: [Int]
  }

  /// How two words, or two names, resemble each other, from the most to the least.
  enum Likeness: Comparable, Sendable {
    case equal
    /// One of them has further words: 'Anna' and 'Anna Maria'.
    case fewerWords
    case initial
    case nickname
    /// A typing error, or another way to write the same name.
    case spelling
  }

  var given: [Word]
  var family: [Word]
  /// Short forms that the person's card has as nicknames.
  var nicknames: [[Unicode.Scalar]]

  init(_ person: Person) {
    given = Self.words(
      [person.firstName, person.details.middleName ?? ""].joined(separator: " "), without: Self.titles)
    family = Self.words(person.lastName, without: Self.particles)
    if given.isEmpty, family.isEmpty { given = Self.words(person.fullName, without: Self.titles) }
    nicknames = Self.words(person.details.nickname ?? "", without: []).map(\.letters)
  }

  var isSingle: Bool { given.count + family.count < 2 }

  var joined: [Unicode.Scalar] { Array((given + family).map(\.letters).joined(separator: [" "])) }

  /// All words in the order of the alphabet, as one text.
  var sorted: [Unicode.Scalar] {
    let words = (given + family).map(\.letters).sorted { $0.lexicographicallyPrecedes($1) }
    return Array(words.joined(separator: [" "]))
  }

  /// How the given names of two people resemble each other; `nil` if they differ, or if one of them has none.
  func given(like other: ComparedName) -> Likeness? {
    guard let mine = given.first, let theirs = other.given.first else { return nil }
    var likeness: Likeness
    if let found = Self.likeness(of: mine, theirs) {
      likeness = found
    } else if nicknames.contains(theirs.letters) || other.nicknames.contains(mine.letters) {
      likeness = .nickname
    } else {
      return nil
    }
    for (one, other) in zip(given.dropFirst(), other.given.dropFirst()) {
      guard let found = Self.likeness(of: one, other) else { return nil }
      likeness = max(likeness, found)
    }
    return given.count == other.given.count ? likeness : max(likeness, .fewerWords)
  }

  func family(like other: ComparedName) -> Likeness? { Self.likeness(of: family, other.family) }

  /// How they resemble each other where one person's given names are the family names of the other one.
  func swapped(like other: ComparedName) -> Likeness? {
    guard let one = Self.likeness(of: given, other.family), let two = Self.likeness(of: family, other.given),
      [one, two].allSatisfy({ $0 == .equal || $0 == .spelling })
    else { return nil }
    return max(one, two)
  }

  private static func likeness(of one: [Word], _ other: [Word]) -> Likeness? {
    guard !one.isEmpty, !other.isEmpty else { return nil }
    if one.count != other.count {
      // 'Meier' and 'Meier-Schulz'.
      let (few, many) = one.count < other.count ? (one, other) : (other, one)
      let found = few.allSatisfy { word in many.contains { $0.letters == word.letters } }
      return found ? .fewerWords : nil
    }
    var likeness = Likeness.equal
    for (one, other) in zip(one, other) {
      guard let found = Self.likeness(of: one, other), found != .nickname else { return nil }
      likeness = max(likeness, found)
    }
    return likeness
  }

  private static func likeness(of one: Word, _ other: Word) -> Likeness? {
    let (short, long) = one.letters.count <= other.letters.count ? (one, other) : (other, one)
    if short.letters == long.letters { return .equal }
    if short.letters.count == 1 { return short.letters[0] == long.letters[0] ? .initial : nil }
    let difference = long.letters.count - short.letters.count
    // More letters may differ where the sound is the same: 'Chaikovsky' and 'Tschaikowski'.
    let isAlike = one.sound == other.sound
    let limit = isAlike && long.letters.count > 4 ? long.letters.count / 2 : long.letters.count > 7 ? 2 : 1
    // 'Jan' and 'Jon' are two names.
    if long.letters.count > 3, difference <= max(limit, 3),
      isAlike && one.sound.count > 3 || NearestName.distance(one.letters, other.letters) <= limit
    {
      return .spelling
    }
    return one.longForms.contains(where: other.longForms.contains) ? .nickname : nil
  }
}

extension ComparedName {
  private static let titles = ["dr", "prof", "mr", "mrs", "ms", "herr", "frau", "mme", "sr", "sra"].map(scalars)
  private static let particles = [
    "von", "van", "vom", "zu", "de", "der", "den", "di", "da", "do", "dos", "del", "della", "la", "le", "du", "el",
    "al",
    "bin", "ibn", "ben",
  ].map(scalars)

  private static func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  /// - Parameter rest: words that are left out unless there are no others.
  private static func words(_ text: String, without rest: [[Unicode.Scalar]]) -> [Word] {
    var words: [[Unicode.Scalar]] = []
    var word: [Unicode.Scalar] = []
    for scalar in FoldedText.folded(text).unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        if let latin = latin[scalar] { word += latin } else { word.append(scalar) }
      } else if scalar != "'", scalar != "’", !word.isEmpty {
        words.append(word)
        word = []
      }
    }
    if !word.isEmpty { words.append(word) }
    let kept = words.filter { !rest.contains($0) }
    return (kept.isEmpty ? words : kept).map { letters in
      Word(
        letters: withoutSecondVowels(letters), sound: sound(of: letters),
        longForms: Nicknames.groups[String(String.UnicodeScalarView(letters)).exact] ?? [])
    }
  }

  /// 'muller' of 'mueller', as of 'Müller', and 'overas' of 'Overaas'.
  private static func withoutSecondVowels(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
    letters.indices.filter { place in
      guard place > 0 else { return true }
      let pair = (letters[place - 1], letters[place])
      return !(pair.1 == "e" && ["a", "o", "u"].contains(pair.0) || pair == ("a", "a"))
    }.map { letters[$0] }
  }

  /// Cyrillic and Greek letters without accents, as they are usually written in Latin.
  private static let latin: [Unicode.Scalar: [Unicode.Scalar]] = {
    let letters = """
      аaбbвvгgдdеeжzhзzиiкkлlмmнnоoпpрrсsтtуuфfхkhцtsчchшshщshchъыyьэeюyuяyaєyeіiґgјjљljњnjћcђdjџdzαaβvγgδdεeζzηiθthιiκk\
      λlμmνnξxοoπpρrσsτtυyφfχchψpsωo
      """
    var latin: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    var last: Unicode.Scalar = "а"
    for scalar in letters.unicodeScalars {
      if scalar.isASCII { latin[last]?.append(scalar) } else { (last, latin[scalar]) = (scalar, []) }
    }
    return latin
  }()

  private static func sound(of letters: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var sound: [Unicode.Scalar] = []
    for letter in letters {
      let group: Unicode.Scalar
      switch letter {
      case "a", "e", "i", "o", "u", "y", "j", "h": continue
      // 'sch', 'tz', 'cz', 'ch', 'x' and 'sh' differ in what each language makes of them.
      case "s", "z", "c", "k", "q", "x", "g": group = "s"
      case "t", "d": group = "t"
      case "f", "v", "w", "p", "b": group = "v"
      default: group = letter
      }
      if sound.last != group { sound.append(group) }
    }
    // 't' of 'tsch' and 'tz'.
    var merged: [Unicode.Scalar] = []
    for (index, letter) in sound.enumerated()
    where letter != "t" || index + 1 == sound.count || sound[index + 1] != "s" {
      if merged.last != letter { merged.append(letter) }
    }
    return merged.isEmpty ? letters : merged
  }
}

/// Short forms of given names, by the names that they may stand for.
enum Nicknames {
  /// The numbers of the groups of each name.
  static let groups: [ExactString: [Int]] = {
    var groups: [ExactString: [Int]] = [:]
    for (number, group) in names.split(separator: "\n").enumerated() {
      for name in group.split(separator: " ") { groups[String(name).exact, default: []].append(number) }
    }
    return groups
  }()

  /// A group a line, without accents. Names of which only some letters differ need none.
  private static let names = """
    abigail abby gail
    albert al bert bertie
    alexander aleksandr alex sasha sascha sandro xander lex alejandro
    alexandra alex sasha sandra alexa alejandra
    alfred al fred fredi alfie
    amanda mandy
    andreas andi andy andrew drew andrzej
    anna annie anya nancy ania anja anka
    anton toni tony antonio anthony antoine
    barbara barb babs basia
    benjamin ben benny benji
    charles charlie chuck chas karl carlos
    catherine katharina kathi katherine kathryn kate kathy cathy katie katja kitty kasia ekaterina katya
    christian chris
    christina chris tina krista christine
    christopher chris kit christoph
    daniel dan danny dani
    david dave davey
    deborah deb debbie
    dmitri dima mitya dmitry dmitriy
    donald don donnie
    dorothy dot dottie dolly dorothea
    edward ed eddie ted ned eduard eduardo
    eleanor ellie nell nora leonora
    elisabeth elizabeth liz lisa beth betty bess eliza libby sissi elsa lizzie ela
    emanuel manuel manu
    emily em emmy
    enrique quique
    eugene gene evgeny zhenya
    ferdinand ferdi nando fernando
    florian flo
    francis frank fran francisco paco pancho franz francesco franco
    frances fran fanny francesca francisca paca
    frederick fred freddy fritz friedrich frederic rick
    gabriel gabe gabi
    georg george jorge jurgen jiri yuri
    gerald gerry jerry
    gertrud trude trudi gertrude
    gregory greg grisha grigori
    gustavo gus gustav
    hans johannes johann hannes
    harold harry hal
    heinrich heinz henry hank harry heiner henri enrico
    helena helen elena lena nell hella
    henrietta hattie etta henriette jette
    ignacio nacho
    isabella isabel bella izzy belle
    ivan vanya
    jacob jake jakob jago
    james jim jimmy jamie jaime
    jeffrey jeff geoffrey
    jennifer jen jenny
    jessica jess jessie
    jesus chucho
    johanna hanna joanna jo joan
    giovanni gianni
    john jack johnny jon
    jonathan jon jonny nathan
    joseph joe joey josef sepp jose pepe giuseppe beppe pino peppe
    josephine josie jo
    joshua josh
    judith judy jutta
    julia julie jule
    karoline caroline carol lina carrie
    kenneth ken kenny
    klaus claus nikolaus
    konstantin kostya kosta gus
    lawrence larry laurie laurence lorenz lorenzo
    leonard leo len lenny leonardo
    ludwig lutz luis louis lou lewis luigi
    magdalena lena magda maggie
    manfred manni fred
    margaret maggie meg peggy greta margarete margarita rita marge gretchen margot gitte
    maria marie mary molly polly mia mimi marika mariya masha
    martha marty patty
    martin marty tino
    matthew matt matthias matze hias mateo
    maximilian max maxi
    michael mike mick mickey micha michel miguel mikhail misha mischa michele mikey
    natalia natalie natasha nat
    nathaniel nathan nate
    nicholas nick nico nikolaus niklas nikolai kolya nicolas nicola
    olga olya
    oliver ollie olli
    pamela pam
    patricia pat patty trish tricia
    patrick pat paddy
    paul paulo pablo pavel pasha paolo
    peter pete piotr pedro pietro petya
    philip phil pip philipp felipe
    rachel rae
    raymond ray
    rebecca becky becca
    richard rich rick dick ricky ricardo
    robert rob bob bobby robbie bert roberto
    ronald ron ronnie
    rosa rose rosi rosie rosalia
    rudolf rudi rolf
    samantha sam
    samuel sam sammy
    sarah sally sadie
    sebastian seb basti bastian
    sergey seryozha sergio
    siegfried sigi
    sofia sophie sonya sonja
    stephanie steph steffi
    stephen steve stefan steven esteban stevie
    susanne susan sue suzy susi sanna
    svetlana sveta lana
    tatiana tanya tania
    theodore ted theo teddy theodor fyodor fedya
    theresa terry tess tessa resi therese teresa
    thomas tom tommy tomas tomasz
    timothy tim timmy
    ursula uschi ulla
    valentina valya tina
    veronika vroni ronnie veronica
    victoria vicky tori vika viktoria
    vincent vince vinny vincenzo enzo
    virginia ginny ginger
    vladimir vova volodya vladi
    walter walt wally
    wilhelm willi willy wim
    william will bill billy willy liam guillermo memo
    wilhelmina mina minna helma
    wolfgang wolf wolfi
    zachary zach zack
    """
}
