import Models
import Testing

/// Who is the same person as whom, for each policy and each ground.
@Suite struct PersonMatcherTests {
  private static func person(
    _ name: String = "Ada Byron", born: String? = nil, uid: String? = nil, remoteID: String? = nil,
    path: String? = nil, contacts: Set<ExactString> = [], singles: [ExactString: ExactString] = [:]
  ) -> PersonEvidence {
    let names = name.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    var evidence = PersonEvidence(
      remoteID: remoteID, firstName: names[0], lastName: names.count > 1 ? names[1] : "",
      birthday: born.flatMap { Birthday($0) }, contacts: contacts)
    (evidence.uid, evidence.path, evidence.singles) = (uid?.exact, path?.exact, singles)
    return evidence
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var known: PersonEvidence
    var new: PersonEvidence
    /// In a complete list, an incomplete one, a file, an entry and a book; `nil` for two people.
    var expected: [Ground?]
  }

  private static let policies: [PersonMatcher.Policy] = [
    .list(isComplete: true), .list(isComplete: false), .file, .entry, .book,
  ]

  private static func stored(_ name: String, id: String) -> PersonEvidence {
    var evidence = person(name, born: "1990-01-01", uid: "u")
    evidence.id = id.exact
    return evidence
  }

  private static func imported(as id: String) -> PersonEvidence {
    var evidence = person()
    evidence.importedAs = id.exact
    return evidence
  }

  private static let rows: [Row] = [
    Row(
      testDescription: "imported before, and everything was edited since", known: stored("Eda King", id: "1"),
      new: imported(as: "1"), expected: [nil, nil, .imported, .imported, nil]),
    Row(
      testDescription: "imported before as another person", known: stored("Eda King", id: "2"),
      new: imported(as: "1"), expected: [nil, nil, nil, nil, nil]),
    Row(
      testDescription: "names and birthday", known: person(born: "1815-12-10"), new: person(born: "1815-12-10"),
      expected: [.identity, .identity, .identity, .identity, nil]),
    Row(
      testDescription: "names without any birthday", known: person(), new: person(),
      expected: [.identity, .identity, .identity, .identity, nil]),
    Row(
      testDescription: "the same letters in another case, with accents", known: person("Zoë Müller"),
      new: person("ZOE muller"), expected: [nil, nil, nil, .identity, nil]),
    Row(
      testDescription: "a birthday is learned", known: person(), new: person(born: "1815-12-10"),
      expected: [.names, .names, .names, nil, nil]),
    Row(
      testDescription: "a birthday is missing", known: person(born: "1815-12-10"), new: person(),
      expected: [.names, .names, .names, nil, nil]),
    Row(
      testDescription: "another birthday", known: person(born: "1815-12-10"), new: person(born: "1990-01-01"),
      expected: [.allButOne, nil, nil, nil, nil]),
    Row(
      testDescription: "another last name", known: person(born: "1815-12-10"),
      new: person("Ada King", born: "1815-12-10"), expected: [.allButOne, nil, nil, nil, nil]),
    Row(
      testDescription: "another first name", known: person(born: "1815-12-10"),
      new: person("Eda Byron", born: "1815-12-10"), expected: [.allButOne, nil, nil, nil, nil]),
    Row(
      testDescription: "a common address, and a birthday is missing", known: person(contacts: ["@a@x"]),
      new: person(born: "1815-12-10", contacts: ["@a@x", "123"]), expected: [.names, .names, .contact, .contact, nil]),
    Row(
      testDescription: "a common address and other birthdays", known: person(born: "1990-01-01", contacts: ["@a@x"]),
      new: person(born: "1815-12-10", contacts: ["@a@x"]), expected: [.allButOne, nil, nil, nil, nil]),
    Row(
      testDescription: "a common address and other names", known: person(contacts: ["123"]),
      new: person("Eda King", contacts: ["123"]), expected: [nil, nil, nil, nil, nil]),
    Row(
      testDescription: "a common UID and another birthday", known: person(born: "1990-01-01", uid: "u"),
      new: person(born: "1815-12-10", uid: "u"), expected: [.allButOne, nil, .uid, nil, .uid]),
    Row(
      testDescription: "a common UID and other names", known: person(uid: "u"), new: person("Eda King", uid: "u"),
      expected: [nil, nil, nil, nil, .uid]),
    Row(
      testDescription: "other UIDs", known: person(born: "1815-12-10", uid: "u", contacts: ["@a@x"]),
      new: person(born: "1815-12-10", uid: "v", contacts: ["@a@x"]), expected: [.identity, .identity, nil, nil, nil]),
    Row(
      testDescription: "a UID on one side", known: person(), new: person(uid: "v"),
      expected: [.identity, .identity, .identity, .identity, nil]),
    Row(
      testDescription: "a common id", known: person(born: "1990-01-01", remoteID: "1"),
      new: person("Eda King", born: "1815-12-10", remoteID: "1"), expected: [.remoteID, .remoteID, nil, nil, nil]),
    Row(
      testDescription: "other ids", known: person(born: "1815-12-10", remoteID: "1"),
      new: person(born: "1815-12-10", remoteID: "2"), expected: [.identity, nil, .identity, .identity, nil]),
    Row(
      testDescription: "other ids and another birthday", known: person(born: "1990-01-01", remoteID: "1"),
      new: person(born: "1815-12-10", remoteID: "2"), expected: [nil, nil, nil, nil, nil]),
    Row(
      testDescription: "the same path", known: person(uid: "u", path: "/a"),
      new: person("Eda King", uid: "v", path: "/a"), expected: [nil, nil, nil, nil, .path]),
    Row(
      testDescription: "another path", known: person(path: "/a"), new: person(path: "/b"),
      expected: [.identity, .identity, .identity, .identity, nil]),
    Row(
      testDescription: "a UID at another path", known: person(uid: "u", path: "/a"),
      new: person("Eda King", uid: "u", path: "/b"), expected: [nil, nil, nil, nil, .uid]),
  ]

  @Test(arguments: rows) func eachPolicyHasItsGrounds(_ row: Row) {
    for (policy, ground) in zip(Self.policies, row.expected) {
      var matcher = PersonMatcher(policy)
      matcher.add(row.known, isAtServer: true)
      #expect(matcher.match(row.new) == ground.map { .same(0, by: $0) } ?? .new, "\(policy)")
    }
  }

  @Test(arguments: policies) func eachKnownPersonIsMatchedOnce(_ policy: PersonMatcher.Policy) {
    var matcher = PersonMatcher(policy)
    matcher.add(Self.person(born: "1815-12-10", path: "/a"), isAtServer: true)
    let twins = [
      Self.person(born: "1815-12-10", path: "/a"), Self.person(born: "1815-12-10", remoteID: "2", path: "/b"),
    ]
    let matches = matcher.match(twins)
    guard case .same(0, _) = matches[0] else {
      Issue.record("\(policy): \(matches)")
      return
    }
    #expect(matches[1] == .new)
  }

  @Test func oneOfSeveralIsNotGuessed() {
    var matcher = PersonMatcher(.file)
    matcher.add(Self.person(born: "1815-12-10"))
    matcher.add(Self.person(born: "1990-01-01"))
    #expect(matcher.match(Self.person()) == .several)
    #expect(matcher.match(Self.person("Ada King")) == .new)
    // Without a birthday, the one without is meant; an address decides.
    matcher.add(Self.person())
    #expect(matcher.match(Self.person()) == .same(2, by: .identity))
    matcher.add(Self.person(uid: "u", contacts: ["@a@x"]))
    #expect(matcher.match(Self.person()) == .several)
    #expect(matcher.match(Self.person(contacts: ["@a@x"])) == .same(3, by: .contact))
  }

  @Test func aCardOfARemovedPersonBringsNobody() {
    var matcher = PersonMatcher(.list(isComplete: true))
    matcher.add(Self.person("Eda Byron", born: "1815-12-10"), isAtServer: true)
    let list = [Self.person(born: "1815-12-10")]
    #expect(matcher.match(list) { $0.firstName == "Ada" } == [.removedHere])
    #expect(matcher.match(list) == [.same(0, by: .allButOne)])
  }

  @Test func aListTellsEachPersonOnce() {
    let list = [
      Self.person(born: "1815-12-10", remoteID: "1"), Self.person("Eda King", remoteID: "1"),
      Self.person(born: "1815-12-10"), Self.person(born: "1815-12-10", remoteID: "2"),
    ]
    #expect(PersonMatcher(.list(isComplete: true)).match(list) == [.new, .repeated(0), .repeated(0), .new])
  }

  private static let files: [(cards: [PersonEvidence], people: [[Int]])] = [
    ([person(contacts: ["1"]), person(contacts: ["2"])], [[0], [1]]),
    ([person(contacts: ["1"]), person(born: "1815-12-10", contacts: ["2"])], [[0], [1]]),
    ([person(contacts: ["1"]), person()], [[0, 1]]),
    ([person(singles: ["title": "a"]), person(singles: ["title": "b"])], [[0], [1]]),
    ([person(singles: ["title": "a"]), person(singles: ["photo": "b"])], [[0, 1]]),
    (
      [
        person(singles: ["title": "a"]), person(contacts: ["1"], singles: ["title": "b"]),
        person(singles: ["title": "a"]),
      ], [[0, 2], [1]]
    ),
    ([person(contacts: ["1"], singles: ["title": "a"]), person(contacts: ["1"], singles: ["title": "b"])], [[0, 1]]),
    // It may be of either.
    ([person(contacts: ["1"]), person(singles: ["title": "a"]), person(contacts: ["2"])], [[0], [1], [2]]),
    ([person(born: "1815-12-10"), person(contacts: ["2"])], [[0, 1]]),
    ([person(born: "1815-12-10"), person(born: "1990-01-01")], [[0], [1]]),
    ([person(uid: "u"), person(uid: "v")], [[0], [1]]),
    ([person(uid: "u", contacts: ["1"]), person(uid: "v", contacts: ["1"])], [[0], [1]]),
    ([person(uid: "u"), person(uid: "u", contacts: ["2"])], [[0, 1]]),
    ([person(uid: "u"), person("Eda King", uid: "u")], [[0], [1]]),
    ([person(contacts: ["1"]), person("Eda King", contacts: ["1"])], [[0], [1]]),
    // The first and the last one have something in common with the one between only.
    (
      [person(born: "1815-12-10", contacts: ["1"]), person(contacts: ["2"]), person(contacts: ["1", "2"])], [[0, 1, 2]]
    ),
    // The one in the middle may be either.
    ([person(born: "1815-12-10"), person(contacts: ["1"]), person(born: "1990-01-01")], [[0], [1], [2]]),
    (
      [person(born: "1815-12-10", contacts: ["1"]), person(contacts: ["1"]), person(born: "1990-01-01")],
      [[0, 1], [2]]
    ), ([person(uid: "u"), person(), person(uid: "v")], [[0], [1], [2]]),
  ]

  @Test(arguments: files) func theCardsOfAFileAreUnited(_ cards: [PersonEvidence], _ people: [[Int]]) {
    #expect(PersonMatcher.people(of: cards).map(\.cards) == people)
    // In any order.
    let turned = PersonMatcher.people(of: cards.reversed()).map { $0.cards.map { cards.count - 1 - $0 }.sorted() }
    #expect(Set(turned) == Set(people))
  }

  /// Rows of a table without ids, each with the address of another stored namesake, and one that both have.
  @Test func cardsOfTwoStoredNamesakesAreTwo() {
    let known = ["1", "2"].map { contact in
      var person = Self.person(contacts: [contact.exact])
      person.id = "p\(contact)".exact
      return person
    }
    let cards = [Self.person(contacts: ["1", "3"]), Self.person(contacts: ["2", "3"])]
    #expect(PersonMatcher.people(of: cards, besides: known).map(\.cards) == [[0], [1]])
    #expect(PersonMatcher.people(of: cards).map(\.cards) == [[0, 1]])
  }

  /// Each of them would be compared with each other one, for a long time.
  @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func manyOfOneName(haveUIDs: Bool) {
    let people = (0..<4000).map { Self.person(uid: haveUIDs ? "u\($0)" : nil, contacts: ["\($0)".exact]) }
    #expect(PersonMatcher.people(of: people).count == people.count)
    let names = people.map { Self.person(uid: $0.uid?.text) }
    let groups = PersonMatcher.people(of: names)
    #expect(groups.count == (haveUIDs ? people.count : 1) && groups.reduce(0) { $0 + $1.cards.count } == people.count)
    let titled = people.indices.map { Self.person(singles: ["title": "\($0)".exact]) }
    #expect(PersonMatcher.people(of: titled).count == people.count)
    for others in [people, people.map { person in Self.person(uid: person.uid.map { "v\($0.text)" }) }] {
      var matcher = PersonMatcher(.file)
      for person in people { matcher.add(person) }
      let matches = matcher.match(others)
      let isKnown = others == people
      #expect(matches.count { $0 == .new } == (isKnown || !haveUIDs ? 0 : people.count))
      #expect(matches.count { $0 == .several } == (isKnown || haveUIDs ? 0 : people.count))
    }
  }

  @Test func numbersAndAddressesAreComparedByWhatTheyDial() {
    let cards = ["+49 (30) 12-34", "+49301234"].map { number in
      var details = ContactDetails()
      details.phones = [ContactValue(number)]
      details.emails = [ContactValue(number == "+49301234" ? "ADA@x.org" : "ada@X.org")]
      return details
    }
    #expect(cards[0].contactKeys == cards[1].contactKeys)
    #expect(cards[0].united(with: cards[1]) == cards[0])
  }
}
