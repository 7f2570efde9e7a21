public struct DuplicatePair: Hashable, Sendable {
  public enum Score: String, Comparable, Sendable, CaseIterable {
    /// Much is alike, and little tells.
    case possible
    case likely
    /// The same names, something that only one person has, and nothing that tells them apart.
    case certain

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (lhs: Score, rhs: Score) -> Bool { lhs.place < rhs.place }
  }

  public enum Reason: String, Sendable, CaseIterable {
    case uid, names, swappedNames, fewerNames, initials, nickname, spelling, otherLastName, otherNames
    case mail, phone, birthday
    /// A mail address or a number that people of other names have, too.
    case sharedContact
    /// Only day and month are known of one of them.
    case dayOfBirth
    case otherBirthday
    /// One is 'Jr.', the other is not.
    case otherGeneration
  }

  public var first: Int
  public var second: Int
  public var score: Score
  public var reasons: [Reason]
}

extension DuplicatePair.Reason {
  /// What a list says: `same names`.
  public var words: String {
    switch self {
    case .uid: "same UID"
    case .names: "same names"
    case .swappedNames: "names swapped"
    case .fewerNames: "fewer names"
    case .initials: "an initial"
    case .nickname: "a nickname"
    case .spelling: "names spelled alike"
    case .otherLastName: "another last name"
    case .otherNames: "other names"
    case .mail: "same mail address"
    case .phone: "same number"
    case .birthday: "same birthday"
    case .sharedContact: "a shared address or number"
    case .dayOfBirth: "same day of birth"
    case .otherBirthday: "but another birthday"
    case .otherGeneration: "but another suffix"
    }
  }
}

extension PersonMatcher {
  /// The people of a list who may be the same as another one, the surest first, then in the order of the list.
  ///
  /// Different `UID`s do not count here: two address books give one person two of them. O(n log n) for n people, because only
  /// people are compared who have a contact, a birthday or the sound of a name in common.
  public static func duplicates(among people: [(person: Person, uid: String?)]) -> [DuplicatePair] {
    var search = DuplicateSearch(people)
    return search.pairs()
  }
}

package struct DuplicateSearch {
  private let looks: [Look]
  private var blocks: [Int: [Int]] = [:]
  private var familyCounts: [[Unicode.Scalar]: Int] = [:]
  package private(set) var comparisons = 0

  /// Of larger blocks, only neighbours by name are compared.
  private static let largestBlock = 48
  private static let neighbours = 12

  private struct Look {
    var name: ComparedName
    var joined: [Unicode.Scalar]
    /// The names without spaces, the given names first, and the family names first.
    var (compact, reversed): ([Unicode.Scalar], [Unicode.Scalar])
    var sorted: [Unicode.Scalar]
    var uid: ExactString?
    var mails: [ExactString]
    var phones: [[UInt8]]
    var birthday: Birthday?
    var generation: [Unicode.Scalar]
    var keys: [Int] = []

    var hasNothingElse: Bool { mails.isEmpty && phones.isEmpty && birthday == nil }
  }

  package init(_ people: [(person: Person, uid: String?)]) {
    var looks = people.map { person, uid in
      let name = ComparedName(person)
      return Look(
        name: name, joined: name.joined, compact: (name.given + name.family).flatMap(\.letters),
        reversed: (name.family + name.given).flatMap(\.letters), sorted: name.sorted, uid: uid?.exact,
        mails: person.details.emails.map { ContactDetails.mailKey($0.value) },
        phones: person.details.phones.compactMap { ContactDetails.phoneKey($0.value).map(ContactDetails.significant) },
        birthday: person.birthday, generation: Self.generation(person.details.nameSuffix))
    }
    for index in looks.indices {
      looks[index].keys = Self.keys(of: looks[index])
      for key in looks[index].keys { blocks[key, default: []].append(index) }
      if let family = looks[index].name.family.first { familyCounts[family.letters, default: 0] += 1 }
    }
    self.looks = looks
  }

  private static func generation(_ suffix: String?) -> [Unicode.Scalar] {
    let word = Array((suffix ?? "").lowercased().unicodeScalars.filter(\.properties.isAlphabetic))
    return word == Array("junior".unicodeScalars)
      ? Array("jr".unicodeScalars) : word == Array("senior".unicodeScalars) ? Array("sr".unicodeScalars) : word
  }

  // MARK: Keys

  private enum KeyKind: Int { case uid, mail, phone, birthday, sounds, names, nickname, joined }

  private static func key(_ kind: KeyKind, _ parts: any Hashable...) -> Int {
    var hasher = Hasher()
    hasher.combine(kind)
    for part in parts { hasher.combine(part) }
    return hasher.finalize()
  }

  private static func contactKeys(of look: Look) -> [Int] {
    look.mails.map { key(.mail, $0) } + look.phones.map { key(.phone, Array($0.suffix(7))) }
  }

  private static func keys(of look: Look) -> [Int] {
    var keys = contactKeys(of: look)
    if let uid = look.uid { keys.append(key(.uid, uid)) }
    if let birthday = look.birthday { keys.append(key(.birthday, birthday)) }
    for joined in [look.compact, look.reversed] where !joined.isEmpty { keys.append(key(.joined, joined)) }
    // Either word may have a typing error, and they may be swapped: what one sounds like and how the other one begins.
    if let given = look.name.given.first, let family = look.name.family.first {
      keys.append(key(.sounds, [given.sound, family.sound].sorted { $0.lexicographicallyPrecedes($1) }))
      keys.append(key(.names, family.sound, given.letters[0]))
      keys.append(key(.names, given.sound, family.letters[0]))
      for group in given.longForms { keys.append(key(.nickname, group, family.sound)) }
      for nickname in look.name.nicknames { keys.append(key(.names, family.sound, nickname[0])) }
    }
    return Array(Set(keys))
  }

  // MARK: Pairs

  package mutating func pairs() -> [DuplicatePair] {
    var neighbours: [[Int]] = Array(repeating: [], count: looks.count)
    var small: Set<Int> = []
    for (key, block) in blocks where block.count > 1 {
      guard block.count > Self.largestBlock else {
        small.insert(key)
        continue
      }
      let sorted = block.sorted { looks[$0].joined.lexicographicallyPrecedes(looks[$1].joined) }
      for (place, index) in sorted.enumerated() { neighbours[index] += sorted[(place + 1)...].prefix(Self.neighbours) }
    }
    var pairs: [DuplicatePair] = []
    var seen = Array(repeating: -1, count: looks.count)
    // A neighbour may be before or after the person in the list.
    var before: [[Int]] = Array(repeating: [], count: looks.count)
    for (one, others) in neighbours.enumerated() {
      for other in others { before[min(one, other)].append(max(one, other)) }
    }
    for first in looks.indices {
      for second in looks[first].keys.lazy.filter(small.contains).flatMap({ blocks[$0]! }) + before[first]
      where second > first && seen[second] != first {
        seen[second] = first
        comparisons += 1
        if let pair = pair(first, second) { pairs.append(pair) }
      }
    }
    return pairs.sorted { ($1.score, $0.first, $0.second) < ($0.score, $1.first, $1.second) }
  }

  /// What two people have in common; `nil` if that is too little.
  private func pair(_ first: Int, _ second: Int) -> DuplicatePair? {
    let (one, other) = (looks[first], looks[second])
    var reasons: Set<DuplicatePair.Reason> = []
    if one.uid != nil, one.uid == other.uid { reasons.insert(.uid) }
    let mails = one.mails.filter(other.mails.contains)
    let phones = one.phones.filter { phone in other.phones.contains { ContactDetails.areEqual(phone, $0) } }
    let contacts = mails.map { Self.key(.mail, $0) } + phones.map { Self.key(.phone, Array($0.suffix(7))) }
    if contacts.contains(where: { !isShared($0, besides: one, other) }) {
      if !mails.isEmpty { reasons.insert(.mail) }
      if !phones.isEmpty { reasons.insert(.phone) }
    } else if !contacts.isEmpty {
      reasons.insert(.sharedContact)
    }
    if let born = one.birthday, let otherBorn = other.birthday {
      if born == otherBorn, born.year != nil {
        reasons.insert(.birthday)
      } else if (born.month, born.day) == (otherBorn.month, otherBorn.day), born.year == nil || otherBorn.year == nil {
        reasons.insert(.dayOfBirth)
      } else {
        reasons.insert(.otherBirthday)
      }
    }
    if one.generation != other.generation { reasons.insert(.otherGeneration) }
    let found = names(one, other)
    reasons.formUnion(found.reasons)
    guard let score = score(one, other, found.relation, reasons) else { return nil }
    return DuplicatePair(
      first: first, second: second, score: score, reasons: DuplicatePair.Reason.allCases.filter(reasons.contains))
  }

  private enum Relation { case same, swapped, variant, otherLastName, single, other }

  private func names(_ one: Look, _ other: Look) -> (relation: Relation, reasons: Set<DuplicatePair.Reason>) {
    if one.joined.isEmpty || other.joined.isEmpty { return (.single, [.otherNames]) }
    if one.compact == other.compact { return (.same, [.names]) }
    // '李小龙' has no space to tell which is which.
    if one.sorted == other.sorted || one.compact == other.reversed || one.reversed == other.compact {
      return (.swapped, [.swappedNames])
    }
    let (given, family) = (one.name.given(like: other.name), one.name.family(like: other.name))
    if let given, let family {
      let all: [ComparedName.Likeness: DuplicatePair.Reason] = [
        .fewerWords: .fewerNames, .initial: .initials, .nickname: .nickname, .spelling: .spelling,
      ]
      return (.variant, Set([given, family].compactMap { all[$0] }))
    }
    if let swapped = one.name.swapped(like: other.name) {
      return (.swapped, swapped == .equal ? [.swappedNames] : [.swappedNames, .spelling])
    }
    if let given, given <= .nickname, given != .initial, !one.name.family.isEmpty, !other.name.family.isEmpty {
      return (.otherLastName, given == .nickname ? [.nickname, .otherLastName] : [.otherLastName])
    }
    if one.name.isSingle || other.name.isSingle { return (.single, [given == nil ? .otherNames : .fewerNames]) }
    return (.other, [.otherNames])
  }

  private func score(
    _ one: Look, _ other: Look, _ relation: Relation, _ reasons: Set<DuplicatePair.Reason>
  ) -> DuplicatePair.Score? {
    let own = reasons.intersection([.uid, .mail, .phone]).count
    let strong = own + (reasons.contains(.birthday) ? 1 : 0)
    if !reasons.isDisjoint(with: [.otherBirthday, .otherGeneration]) {
      // Father and son, or one of the birthdays is wrong.
      return own > 0 && [.same, .swapped, .variant].contains(relation) ? .possible : nil
    }
    let isSharedOrDay = !reasons.isDisjoint(with: [.sharedContact, .dayOfBirth])
    switch relation {
    case .same:
      if strong > 0 { return .certain }
      return isSharedOrDay || one.hasNothingElse || other.hasNothingElse ? .likely : .possible
    case .swapped: return strong > 0 ? .likely : .possible
    case .variant:
      let kinds = reasons.intersection([.fewerNames, .initials, .nickname, .spelling])
      if strong > 0 { return .likely }
      if isSharedOrDay { return .possible }
      // Without anything else, only where a word is missing, or the last name is rare or wrong.
      let counts = [one, other].map { familyCounts[$0.name.family[0].letters, default: 0] }
      return kinds == [.fewerNames] || counts.max()! < 5 || counts.min()! < 2 && counts[0] != counts[1]
        ? .possible : nil
    case .otherLastName: return strong > 1 ? .likely : strong > 0 ? .possible : nil
    case .single: return own > 0 ? .possible : nil
    case .other: return reasons.contains(.uid) ? .possible : nil
    }
  }

  /// Whether somebody of another name has the contact, too.
  private func isShared(_ key: Int, besides one: Look, _ other: Look) -> Bool {
    let block = blocks[key] ?? []
    return block.count > 16 || block.contains { looks[$0].sorted != one.sorted && looks[$0].sorted != other.sorted }
  }
}
