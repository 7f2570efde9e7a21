/// Why two are the same person, from the strongest to the weakest.
public enum Ground: Int, Comparable, Sendable, CaseIterable {
  /// The local id, which a table of Almanac's own says, and a name, a mail address or a phone number that both have.
  case id
  /// The same names, and the same `UID` of their cards. On a server of address books, the `UID` alone.
  case uid
  /// The same names and birthday, without a `UID`, were imported as this person before.
  case imported
  /// The same id on a server of people.
  case remoteID
  /// The card is at the path where the other one was.
  case path
  /// The same names and the same birthday, or no birthday at all. With a birthday, the case and the accents of names that
  /// somebody wrote do not count.
  case identity
  /// The same names but for case and accents, and a mail address or a phone number that both have.
  case contact
  /// The same names, and one of them has no birthday.
  case names
  /// All but one of first name, last name and birthday, where the other person is the only one who is missing.
  case allButOne

  public static func < (lhs: Ground, rhs: Ground) -> Bool { lhs.rawValue < rhs.rawValue }
}

public enum PersonMatch: Hashable, Sendable {
  case same(Int, by: Ground)
  /// One of several known people; which one cannot be told.
  case several
  /// An earlier person of the same list, with this index.
  case repeated(Int)
  case removedHere
  case new
}

/// Decides whether two are the same person. No other code does.
///
/// Two people with different `UID`s of their cards are never the same by a weaker ground, and neither are two with
/// different birthdays but in the complete list of a server, by `Ground.allButOne`. Each known person is matched at most
/// once.
public struct PersonMatcher: Sendable {
  public enum Policy: Hashable, Sendable {
    /// The list of a server of people. In a complete list, a known person who is missing may have changed.
    case list(isComplete: Bool)
    case file
    /// A person whom somebody enters. Names that differ only in case and accents are the same.
    case entry
    /// The cards of an address book, which know their paths.
    case book
  }

  private let policy: Policy
  private var known: [Known] = []

  struct Known: Sendable {
    /// As the server has the person, and as stored.
    var there: PersonEvidence
    var here: PersonEvidence
    var isAtServer: Bool

    fileprivate var folded: Known { Known(there: there.folded, here: here.folded, isAtServer: isAtServer) }
  }

  public init(_ policy: Policy) { self.policy = policy }

  /// Adds a known person. Indices count from 0.
  ///
  /// - Parameters:
  ///   - here: the person as stored, if that may differ from what the server has.
  ///   - isAtServer: whether the last list of the server had the person.
  public mutating func add(_ known: PersonEvidence, here: PersonEvidence? = nil, isAtServer: Bool = false) {
    self.known.append(Known(there: known, here: here ?? known, isAtServer: isAtServer))
  }

  /// Who the people of a list are. O(n log n) for n people.
  ///
  /// - Parameter wasRemoved: whether a person of the list was removed here.
  public func match(_ list: [PersonEvidence], wasRemoved: (PersonEvidence) -> Bool = { _ in false }) -> [PersonMatch] {
    let isEntry = policy == .entry
    var pairing = Pairing(isEntry ? list.map(\.folded) : list, isEntry ? known.map(\.folded) : known)
    switch policy {
    case .list(let isComplete): pairing.matchList(isComplete: isComplete, wasRemoved: wasRemoved)
    case .file: pairing.matchCards(isEntry: false)
    case .entry: pairing.matchCards(isEntry: true)
    case .book: pairing.matchBook()
    }
    return pairing.matches.map { $0 ?? .new }
  }

  public func match(_ person: PersonEvidence) -> PersonMatch { match([person])[0] }

  /// For each person of a list, the first known people who may be meant as well: those of the same names whom nothing tells
  /// apart, where the person is one of several, or only the names say which one. O(n) for n people.
  public func alternatives(to matches: [PersonMatch], of list: [PersonEvidence]) -> [[Int]] {
    let places = Dictionary(grouping: known.indices) { known[$0].there.names }
    return zip(list, matches).map { person, match in
      var chosen: Int?
      switch match {
      case .several: break
      case .same(let one, let ground):
        let isByNames = ground == .imported || ground == .names || ground == .identity && person.birthday == nil
        guard isByNames, person.contacts.isDisjoint(with: known[one].there.contacts) else { return [] }
        chosen = one
      case .new, .repeated, .removedHere: return []
      }
      let namesakes = (places[person.names] ?? []).lazy.filter { $0 != chosen && known[$0].there.agrees(with: person) }
      return Array(namesakes.prefix(Self.mostAlternatives))
    }
  }

  private static let mostAlternatives = 3

  /// The cards of a file by people, in the order of their first cards.
  ///
  /// Names alone unite two cards only if nothing would be lost: not if their `UID`s, birthdays or single values differ, or
  /// if each has mail addresses or phone numbers and none in common.
  ///
  /// - Parameter known: stored people. Cards with the mail address or the phone number of one namesake each are not united.
  /// - Returns: the indices of the cards of each person, and whether the person may be one of several others.
  public static func people(
    of cards: [PersonEvidence], besides known: [PersonEvidence] = []
  ) -> [(cards: [Int], isUnclear: Bool)] {
    let owners = Dictionary(grouping: known.flatMap { one in one.contactIdentities.map { ($0, one) } }, by: \.0)
    // Without them, no names are folded.
    let cards =
      owners.isEmpty
      ? cards
      : cards.map { card in
        var card = card
        let namesakes = card.contactIdentities.flatMap { owners[$0] ?? [] }.map(\.1).filter { card.agrees(with: $0) }
        let ids = Set(namesakes.map(\.id))
        if card.id == nil, ids.count == 1 { card.id = ids.first! }
        return card
      }
    var groups = CardGroups(cards)
    groups.unite()
    return groups.groups.map { ($0.cards.sorted(), $0.isUnclear) }.sorted { $0.0[0] < $1.0[0] }
  }
}

private struct Pairing {
  private let list: [PersonEvidence]
  private let known: [PersonMatcher.Known]
  private(set) var matches: [PersonMatch?]
  private var open: [Int]
  private var free: [Int]

  init(_ list: [PersonEvidence], _ known: [PersonMatcher.Known]) {
    (self.list, self.known) = (list, known)
    matches = Array(repeating: nil, count: list.count)
    (open, free) = (Array(list.indices), Array(known.indices))
  }

  // MARK: Policies

  /// The same id of the server. If one of both has none, or the list no longer has the id that is known, the same names and
  /// birthday. Then the only ones with the same names of whom one has no birthday. In a complete list, the only ones who
  /// differ in one of last name, birthday and first name.
  mutating func matchList(isComplete: Bool, wasRemoved: (PersonEvidence) -> Bool) {
    settleRepeatedIDs()
    pair(.remoteID, { $0.remoteID }, { $0.there.remoteID })
    for version in [\PersonMatcher.Known.there, \.here] {
      func identity(_ known: PersonMatcher.Known) -> [String] { known[keyPath: version].identity }
      pair(.identity, { $0.remoteID == nil ? $0.identity : nil }, { $0.there.remoteID == nil ? nil : identity($0) })
      pair(.identity, { $0.identity }, { $0.there.remoteID == nil ? identity($0) : nil })
      if isComplete { pair(.identity, { $0.identity }, identity) }
    }
    pair(
      .names, { $0.names }, { $0.there.birthday == nil && $0.there.remoteID == nil ? $0.there.names : nil },
      onlyPairs: true)
    pair(
      .names, { $0.birthday == nil ? $0.names : nil }, { $0.there.remoteID == nil ? $0.there.names : nil },
      onlyPairs: true)
    pair(.names, { $0.birthday == nil && $0.remoteID == nil ? $0.names : nil }, { $0.there.names }, onlyPairs: true)
    for index in open where wasRemoved(list[index]) { matches[index] = .removedHere }
    closeMatched()
    if isComplete {
      let rest: [(PersonEvidence) -> [String]?] = [{ $0.withoutLastName }, { $0.names }, { $0.withoutFirstName }]
      for key in rest {
        // Different ids are different people, unless everything else is equal.
        pair(
          .allButOne, { $0.remoteID == nil ? key($0) : nil }, { $0.isAtServer ? key($0.there) : nil }, onlyPairs: true)
        pair(.allButOne, key, { $0.isAtServer && $0.there.remoteID == nil ? key($0.there) : nil }, onlyPairs: true)
      }
    }
    settleDuplicates()
  }

  /// Grounds for people of whom only names, birthdays, `UID`s and details are known.
  mutating func matchCards(isEntry: Bool) {
    if !isEntry {
      pair(.id, { $0.id }, { $0.there.id }) { row, known in row.hasCommon(with: known.there) }
      pair(.uid, { card in card.uid.map { UIDKey(uid: $0, names: card.names) } }) { known in
        (known.there.uid ?? known.there.id).map { UIDKey(uid: $0, names: known.there.names) }
      }
      // Somebody got another name, here or in the file. Some programs give one UID to everybody.
      pair(.uid, { $0.uid }, { $0.there.uid }, onlyPairs: true) { card, known in
        known.there.cardNames == card.names || card.hasCommon(with: known.there)
      }
    }
    // The number of a namesake says more.
    let people = known
    let owned = Dictionary(
      grouping: free.flatMap { place in people[place].there.contactIdentities.map { ($0, place) } }, by: \.0)
    let isMeant = { (card: PersonEvidence, known: PersonMatcher.Known) in
      !card.contacts.isDisjoint(with: known.there.contacts)
        || !card.contactIdentities.contains { key in
          owned[key]?.contains { people[$0.1].there.agrees(with: card) } ?? false
        }
    }
    pair(.imported, { $0.importedAs }, { $0.there.id }, if: isMeant)
    settleMerged(isMeant)
    pairAgreeing(.identity) { $0.birthday == nil ? [] : [$0.folded.identity] }
    pairAgreeing(.contact) { $0.contactIdentities }
    if isEntry {
      pairAgreeing(.identity) { [$0.identity] }
    } else {
      matchNames()
    }
  }

  /// Without a birthday, a card is that of the only person of its names, if possible of one without a birthday. With one, it
  /// is that of the only person of its names who has none.
  private mutating func matchNames() {
    var (all, withoutBirthday): ([[String]: Agreeing], [[String]: Agreeing]) = ([:], [:])
    for index in free {
      let person = known[index].there
      all[person.names, default: Agreeing()].add(index, Self.properties(person))
      guard person.birthday == nil else { continue }
      withoutBirthday[person.names, default: Agreeing()].add(index, Self.properties(person))
    }
    for index in open {
      let (names, properties) = (list[index].names, Self.properties(list[index]))
      var found = withoutBirthday[names]?.tally(properties) ?? Agreeing.Tally()
      if list[index].birthday == nil, found.count != 1 { found = all[names]?.tally(properties) ?? Agreeing.Tally() }
      if found.count > 1 { matches[index] = .several }
      guard let one = found.only else { continue }
      let person = known[one].there
      matches[index] = .same(one, by: person.birthday == list[index].birthday ? .identity : .names)
      all[names]?.remove(one, Self.properties(person))
      if person.birthday == nil { withoutBirthday[names]?.remove(one, Self.properties(person)) }
    }
    closeMatched()
  }

  /// A card with the `UID` that a card had at the same path or elsewhere is the same one. Otherwise the card at a path is
  /// the one that was there, if there was and is only one, or if nothing tells them apart.
  mutating func matchBook() {
    pair(.uid, { card in card.uid.map { UIDKey(uid: $0, path: card.path) } }) { known in
      known.there.uid.map { UIDKey(uid: $0, path: known.there.path) }
    }
    pair(.uid, { $0.uid }, { $0.there.uid }, onlyPairs: true)
    pair(
      .path, { card in card.path.map { UIDKey(uid: $0, names: card.names) } },
      { known in known.there.path.map { UIDKey(uid: $0, names: known.there.names) } }, if: Self.agree)
    let atPath = Dictionary(list.compactMap(\.path).map { ($0, 1) }, uniquingKeysWith: +)
    let before = Dictionary(known.compactMap(\.there.path).map { ($0, 1) }, uniquingKeysWith: +)
    pair(.path, { $0.path }, { $0.there.path }) { card, _ in
      card.path.map { atPath[$0] == 1 && before[$0] == 1 } ?? false
    }
  }

  private struct UIDKey: Hashable {
    var uid: ExactString
    var names: [String] = []
    var path: ExactString?
  }

  /// What `PersonEvidence.agrees` compares.
  private static func properties(_ person: PersonEvidence) -> Agreeing.Properties {
    [person.uid, person.birthday?.description.exact]
  }

  private static func agree(_ person: PersonEvidence, _ known: PersonMatcher.Known) -> Bool {
    person.agrees(with: known.there)
  }

  // MARK: Pairs

  /// Pairs people with the same key, in order. People with the key `nil` are skipped.
  ///
  /// - Parameters:
  ///   - onlyPairs: whether a key counts only if exactly one person on each side has it.
  ///   - isAllowed: whether two people with the same key may be the same.
  private mutating func pair<Key: Hashable>(
    _ ground: Ground, _ there: (PersonEvidence) -> Key?, _ here: (PersonMatcher.Known) -> Key?,
    onlyPairs: Bool = false, if isAllowed: ((PersonEvidence, PersonMatcher.Known) -> Bool)? = nil
  ) {
    guard !open.isEmpty, !free.isEmpty else { return }
    var candidates: [Key: [Int]] = [:]
    for index in free.reversed() { if let key = here(known[index]) { candidates[key, default: []].append(index) } }
    if onlyPairs {
      var counts: [Key: Int] = [:]
      for index in open { if let key = there(list[index]) { counts[key, default: 0] += 1 } }
      candidates = candidates.filter { $0.value.count == 1 && counts[$0.key] == 1 }
    }
    for index in open {
      guard let key = there(list[index]),
        let place = candidates[key]?.lastIndex(where: { isAllowed?(list[index], known[$0]) ?? true }),
        let one = candidates[key]?.remove(at: place)
      else { continue }
      matches[index] = .same(one, by: ground)
    }
    closeMatched()
  }

  /// Pairs people who have one of the keys in common, and agree.
  private mutating func pairAgreeing(_ ground: Ground, _ keys: (PersonEvidence) -> [[String]]) {
    var candidates: [[String]: Agreeing] = [:]
    for index in free {
      let person = known[index].there
      for key in keys(person) { candidates[key, default: Agreeing()].add(index, Self.properties(person)) }
    }
    var taken: Set<Int> = []
    for index in open {
      for key in keys(list[index]) {
        guard let one = candidates[key]?.first(Self.properties(list[index]), where: { !taken.contains($0) }) else {
          continue
        }
        matches[index] = .same(one, by: ground)
        taken.insert(one)
        break
      }
    }
    closeMatched()
  }

  private mutating func closeMatched() {
    open.removeAll { matches[$0] != nil }
    let taken = Set(matches.compactMap { if case .same(let index, _)? = $0 { index } else { nil } })
    free.removeAll { taken.contains($0) }
  }

  /// Settles the open cards that were imported as somebody whom another card is: the two were merged here since.
  private mutating func settleMerged(_ isMeant: (PersonEvidence, PersonMatcher.Known) -> Bool) {
    var firsts: [ExactString: (card: Int, known: Int)] = [:]
    for (index, match) in matches.enumerated() {
      if case .same(let one, _)? = match, let id = known[one].there.id { firsts[id] = (index, one) }
    }
    for index in open {
      guard let id = list[index].importedAs, let first = firsts[id], isMeant(list[index], known[first.known]) else {
        continue
      }
      matches[index] = .repeated(first.card)
    }
    closeMatched()
  }

  private mutating func settleRepeatedIDs() {
    var firsts: [ExactString: Int] = [:]
    for index in list.indices {
      guard let id = list[index].remoteID else { continue }
      if let first = firsts[id] { matches[index] = .repeated(first) } else { firsts[id] = index }
    }
    closeMatched()
  }

  /// Settles the open people without an id who equal a matched person of the list, or an earlier one.
  private mutating func settleDuplicates() {
    var firsts: [[String]: Int] = [:]
    for index in list.indices {
      if case .same? = matches[index] { firsts[list[index].identity] = firsts[list[index].identity] ?? index }
    }
    for index in open {
      if let first = firsts[list[index].identity] {
        if list[index].remoteID == nil { matches[index] = .repeated(first) }
      } else {
        firsts[list[index].identity] = index
      }
    }
  }
}

/// People with something in common, among whom those are looked for who agree with somebody: of each property, one of both has
/// none, or both have the same. Of many, each is found in a list for each part of the properties.
private struct Agreeing {
  typealias Properties = [ExactString?]

  /// How many there are, and the sum of their indices.
  struct Tally {
    var count = 0
    var sum = 0

    var only: Int? { count == 1 ? sum : nil }
  }

  private enum Wanted: Hashable {
    case any
    case exactly(ExactString?)
  }

  private struct Members {
    var list: [Int] = []
    var next = 0
    var tally = Tally()
  }

  private var few: [(index: Int, properties: Properties)] = []
  private var lists: [[Wanted]: Members]?

  private static let most = 8

  static func agree(_ one: Properties, _ other: Properties) -> Bool {
    zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  mutating func add(_ index: Int, _ properties: Properties) {
    if lists == nil, few.count < Self.most { return few.append((index, properties)) }
    if lists == nil {
      lists = [:]
      for one in few { list(one.index, one.properties) }
    }
    list(index, properties)
  }

  private mutating func list(_ index: Int, _ properties: Properties) {
    for key in Self.product(properties.map { [.any, .exactly($0)] }) {
      lists![key, default: Members()].list.append(index)
      lists![key]!.tally.count += 1
      lists![key]!.tally.sum += index
    }
  }

  /// Takes out one who was added once.
  mutating func remove(_ index: Int, _ properties: Properties) {
    few.removeAll { $0.index == index }
    for key in lists == nil ? [] : Self.product(properties.map { [.any, .exactly($0)] }) {
      lists![key]?.tally.count -= 1
      lists![key]?.tally.sum -= index
    }
  }

  func tally(_ properties: Properties) -> Tally {
    var tally = Tally()
    if let lists {
      for key in Self.wanted(properties) {
        tally.count += lists[key]?.tally.count ?? 0
        tally.sum += lists[key]?.tally.sum ?? 0
      }
    } else {
      for one in few where Self.agree(one.properties, properties) {
        tally.count += 1
        tally.sum += one.index
      }
    }
    return tally
  }

  /// The first one who agrees.
  ///
  /// - Parameter isOpen: false for one who is not to be found any more.
  mutating func first(_ properties: Properties, where isOpen: (Int) -> Bool) -> Int? {
    guard lists != nil else {
      return few.first { Self.agree($0.properties, properties) && isOpen($0.index) }?.index
    }
    var first: Int?
    for key in Self.wanted(properties) {
      guard let members = lists?[key] else { continue }
      var next = members.next
      while next < members.list.count, !isOpen(members.list[next]) { next += 1 }
      if next < members.list.count { first = min(first ?? .max, members.list[next]) }
      if next != members.next { lists?[key]?.next = next }
    }
    return first
  }

  private static func wanted(_ properties: Properties) -> [[Wanted]] {
    product(properties.map { $0 == nil ? [.any] : [.exactly(nil), .exactly($0)] })
  }

  private static func product(_ choices: [[Wanted]]) -> [[Wanted]] {
    choices.reduce([[]]) { all, next in all.flatMap { beginning in next.map { beginning + [$0] } } }
  }
}

/// The cards of a file that are of one person.
private struct CardGroups {
  struct Group {
    var cards: [Int]
    var evidence: PersonEvidence
    var isUnclear = false
  }

  private(set) var groups: [Group]

  init(_ cards: [PersonEvidence]) { groups = cards.enumerated().map { Group(cards: [$0], evidence: $1) } }

  /// Unites the cards by each ground, the strongest first; one without a birthday, with the only other of its names.
  mutating func unite() {
    unite({ _ in [] }) { person in person.id.map { [[$0.text]] } ?? [] }
    unite({ [$0.id] }) { person in person.uid.map { [[$0.text] + person.names] } ?? [] }
    unite(Self.properties) { $0.birthday == nil ? [] : [$0.folded.identity] }
    // Each of three cards may have something in common with the next one only.
    while unite(Self.properties, { $0.contactIdentities }) {}
    // Those who say the same.
    unite({ _ in [] }) { $0.contacts.isEmpty && !$0.singles.isEmpty ? [$0.content] : [] }
    uniteNames { $0.birthday == nil }
    uniteNames { _ in true }
  }

  /// What tells two apart: also two rows of Almanac's own tables say that they are two people.
  private static func properties(_ person: PersonEvidence) -> Agreeing.Properties {
    [person.id, person.uid, person.birthday?.description.exact]
  }

  /// What tells two apart who have no mail address and no phone number in common.
  private static func ownProperties(_ person: PersonEvidence) -> Agreeing.Properties {
    let contacts = person.contacts.isEmpty ? nil : person.contacts.sorted().map(\.text).joined(separator: " ").exact
    return properties(person) + [contacts]
  }

  /// - Returns: whether two groups became one.
  @discardableResult
  private mutating func unite(
    _ properties: (PersonEvidence) -> Agreeing.Properties, _ keys: (PersonEvidence) -> [[String]]
  ) -> Bool {
    var united: [Group] = []
    var places: [[String]: Agreeing] = [:]
    for group in groups {
      let (own, wanted) = (keys(group.evidence), properties(group.evidence))
      var place: Int?
      for key in own where place == nil {
        // A group that got a property since is also found as one that has it.
        place = places[key]?.first(wanted) { Agreeing.agree(properties(united[$0].evidence), wanted) }
      }
      if let place {
        united[place].cards += group.cards
        let before = properties(united[place].evidence)
        united[place].evidence = united[place].evidence.united(with: group.evidence)
        let now = properties(united[place].evidence)
        for key in before == now ? own : keys(united[place].evidence) {
          places[key, default: Agreeing()].add(place, now)
        }
      } else {
        united.append(group)
        for key in own { places[key, default: Agreeing()].add(united.count - 1, wanted) }
      }
    }
    defer { groups = united }
    return united.count < groups.count
  }

  /// Unites people of the same names, among those for which the condition holds, if one of two has no birthday and nothing
  /// tells any of them apart. Who may be one of several is left alone.
  private mutating func uniteNames(_ isCandidate: (PersonEvidence) -> Bool) {
    var byNames: [[String]: [Int]] = [:]
    for (index, group) in groups.enumerated() where isCandidate(group.evidence) {
      byNames[group.evidence.names, default: []].append(index)
    }
    var gone: Set<Int> = []
    for namesakes in byNames.values where namesakes.count > 1 {
      let properties = namesakes.map { Self.ownProperties(groups[$0].evidence) }
      var rest = Agreeing()
      for (index, properties) in zip(namesakes, properties) { rest.add(index, properties) }
      var seen: Set<Int> = []
      for (first, own) in zip(namesakes, properties) where seen.insert(first).inserted {
        // Those who may be the same as the first one, or as one who may be.
        var (found, place) = ([(index: first, properties: own)], 0)
        while place < found.count {
          while let next = rest.first(found[place].properties, where: { !seen.contains($0) }) {
            seen.insert(next)
            found.append((next, Self.ownProperties(groups[next].evidence)))
          }
          place += 1
        }
        let reached = found.map(\.index).sorted()
        // Each agrees with every other one if all who have a property have the same.
        let singles = Dictionary(grouping: found.flatMap { groups[$0.index].evidence.singles }, by: \.key)
        let isClear =
          own.indices.allSatisfy { property in Set(found.compactMap { $0.properties[property] }).count < 2 }
          && singles.values.allSatisfy { Set($0.map(\.value)).count < 2 }
        for index in reached.dropFirst() where isClear {
          groups[reached[0]].cards += groups[index].cards
          groups[reached[0]].evidence = groups[reached[0]].evidence.united(with: groups[index].evidence)
          gone.insert(index)
        }
        for index in reached where !isClear && groups[index].evidence.birthday == nil { groups[index].isUnclear = true }
      }
    }
    groups = groups.indices.filter { !gone.contains($0) }.map { groups[$0] }
  }
}
