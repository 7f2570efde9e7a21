import AlmanacTesting
import CardDAV
import Models
import Parsing
import People
import Ports
import Sync
import Testing

/// Changes and removals of people that are sent to an address book.
@Suite struct CardDAVPushTests {
  /// A field that the server has cleared, and a card that it has removed, are told apart.
  @Test(arguments: [false, true]) func aConflictSaysThatTheServerRemovedTheCard(_ takesMine: Bool) async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "hi"]))
    server.remove("ada.vcf")
    try await house.sync()
    let entry = try #require(try house.outbox.entries().first)
    #expect(entry.state == .conflict && entry.fields["removed"] == true && entry.fields["theirs"] == .null, "\(entry)")
    #expect(try OutboxEntry(fields: entry.fields) == entry)
    guard takesMine else {
      _ = try await house.outbox.resolve(entry.id, take: .theirs)
      #expect(try house.names.isEmpty)
      return
    }
    let mine = try await house.outbox.resolve(entry.id, take: .mine)
    #expect(mine.fields["removed"] == nil && mine.fields["theirs"] == nil)
    #expect(try await house.flush().sent == 1)
    #expect(server.cards.count == 1)
  }

  /// A book that is not where it was says nothing about its cards.
  @Test(arguments: [false, true], [false, true])
  func editsWaitForABookThatHasMoved(_ isRemoval: Bool, _ is207: Bool) async throws {
    let (server, house, ada) = try await house { $0.missingIs207 = is207 }
    if isRemoval {
      _ = try await house.people.remove(ada.id)
    } else {
      _ = try await house.people.edit(ada.id, PersonChange(details: ["note": "hi"]))
    }
    server.move(to: "/elsewhere/")
    let counts = try await house.flush()
    #expect(counts.sent == 0 && counts.conflict == 0 && counts.pending == 1, "\(counts)")
    let entry = try #require(try house.outbox.entries().first)
    #expect(entry.state == .pending && entry.lastError?.contains("is not at") == true, "\(entry)")
    server.move(to: "/ann/")
    #expect(try await house.flush().sent == 1)
    #expect(server.cards.isEmpty == isRemoval)
  }

  /// An edit that changes nothing is not sent, nor said to be.
  @Test func theSameEditTwiceChangesNothing() async throws {
    let (_, house, ada) = try await house()
    let change = PersonChange(details: ["note": "hi"])
    #expect(try await house.people.edit(ada.id, PersonChange(fullName: "")).isSent == false)
    #expect(try house.outbox.entries().isEmpty)
    #expect(try await house.people.edit(ada.id, change).isSent)
    let again = try await house.people.edit(ada.id, change)
    #expect(!again.isSent && !again.isOnServer)
    #expect(try house.outbox.entries().count == 1)
    // Back to what the server has: nothing is left to send.
    let back = try await house.people.edit(ada.id, PersonChange(details: ["note": .null]))
    #expect(!back.isSent && !back.isOnServer)
    #expect(try house.outbox.entries().isEmpty)
  }

  /// The picture is sent once, and only the card keeps its bytes.
  @Test(arguments: [false, true]) func aPhotoIsSent(_ isLost: Bool) async throws {
    let (server, house, ada) = try await house()
    let photo = try #require(ContactPhoto([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]))
    var input = PersonInput()
    input.set(photo: photo)
    _ = try await house.people.edit(ada.id, PersonChange(input))
    if isLost { server.loseAnswers(1) }
    for _ in 0..<2 { try await house.sync() }
    #expect(try house.outbox.entries().isEmpty)
    #expect(server.cards["ada.vcf"]?.contains("PHOTO;ENCODING=b;TYPE=JPEG:\(photo.data)") == true, "\(server.cards)")
    #expect(try house.person("Ada Byron")?.details.photo == ContactPhoto(type: "image/jpeg", bytes: 7))
    _ = try await house.people.edit(ada.id, PersonChange(details: ["photo": .null]))
    for _ in 0..<2 { try await house.sync() }
    #expect(server.cards["ada.vcf"]?.contains("PHOTO") == false)
  }

  /// An earlier version read less of the cards: the next pull reads all of them again.
  @Test func afterAnUpdateEveryCardIsReadAgain() async throws {
    let (server, house, ada) = try await house()
    var old: [(String, JSONObject)] = []
    try house.store.snapshot().eachState(.follow, from: "", house.coder) { key, fields in
      old.append((key.name, fields))
      return .next
    }
    #expect(!old.isEmpty)
    _ = try await house.store.write { [coder = house.coder, old] (transaction) throws(StoreError) in
      var person = ada.fields
      person["phones"] = nil
      try transaction.put(coder.encode(person), id: ada.id, in: .people)
      for (name, var fields) in old {
        for (key, value) in zip(fields.keys, fields.members.map(\.value)) {
          guard var source = value.object, source["read"] != nil else { continue }
          source["read"] = nil
          fields[key] = .object(source)
        }
        try transaction.setState(StateKey(.follow, name), to: fields, coder)
      }
    }
    try await house.sync()
    #expect(server.taken().count > 1)
    try await house.sync()
    #expect(server.taken().count == 1)
  }

  private static let card = vCard(
    "Ada Byron", uid: "u1", "BDAY;VALUE=date:1815-12-10", "item1.EMAIL;TYPE=INTERNET:ada@example.org",
    "item1.X-ABLabel:_$!<Work>!$_", "TEL;TYPE=CELL;TYPE=VOICE;X-CUSTOM=a:+1 555", "X-UNKNOWN;A=b:kept\\; as it is")

  private func house(
    _ change: @Sendable (inout FakeCardDAV.Peculiarities) -> Void = { _ in }
  ) async throws -> (FakeCardDAV, CardDAVHouse, Person) {
    let server = FakeCardDAV(change)
    server.put("ada.vcf", Self.card)
    let house = try await CardDAVHouse.synced(server.transport)
    _ = server.taken()
    return (server, house, try #require(try house.all().first))
  }

  /// The next card is read together with the one that was written, and a change of it in between is not lost.
  @Test(arguments: [false, true]) func editsInARowNeedTwoRequestsEach(_ isChangedMeanwhile: Bool) async throws {
    let (server, house, _) = try await house()
    for name in ["Bo Lind", "Cy Moss"] { server.put("\(name.first!).vcf", vCard(name)) }
    try await house.sync()
    _ = server.taken()
    for person in try house.all() {
      _ = try await house.people.edit(person.id, PersonChange(details: ["nickname": .string("N \(person.fullName)")]))
    }
    if isChangedMeanwhile {
      server.before { server in
        server.before { server in
          for (name, card) in server.cards where !card.contains("NICKNAME") {
            server.put(name, card.replacing("END:VCARD", with: "NOTE:newer\r\nEND:VCARD"))
          }
        }
      }
    }
    #expect(try await house.flush().sent == 3)
    let methods = server.taken().map(\.method)
    #expect(isChangedMeanwhile || methods == [.report, .put, .report, .put, .report, .put, .report], "\(methods)")
    for (path, name) in [("ada.vcf", "Ada"), ("B.vcf", "Bo Lind"), ("C.vcf", "Cy Moss")] {
      #expect(server.cards[path]?.contains("NICKNAME:N \(name)") == true, "\(server.cards)")
    }
    #expect(server.cards.values.count { $0.contains("NOTE:newer") } == (isChangedMeanwhile ? 2 : 0))
  }

  @Test func onlyTheEditedPropertyChanges() async throws {
    let (server, house, ada) = try await house()
    let changed = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("1815-12-11")))
    #expect(changed.isSent)
    #expect(try await house.flush().sent == 1)
    #expect(server.taken().map(\.method) == [.report, .put, .report])
    let lines = Self.card.split(separator: "\r\n")
    let written = (server.cards["ada.vcf"] ?? "").split(separator: "\r\n")
    #expect(zip(lines, written).filter { $0 != $1 }.count == 1 && lines.count == written.count, "\(written)")
    #expect(written.contains { $0.hasPrefix("BDAY") && $0.hasSuffix("1815-12-11") })
    // The next sync stores the card as it is now, and the one after it finds nothing.
    #expect(try await house.sync().counts.updated == 0)
    #expect(try house.exported() == server.cards["ada.vcf"])
    #expect(try await house.sync().counts.requests == 1)
  }

  @Test func differentFieldsOfBothSidesAreKept() async throws {
    let server = FakeCardDAV()
    for number in 100..<200 { server.put("\(number).vcf", vCard("P\(number) Q", uid: "\(number)", "NOTE:old")) }
    let house = try await CardDAVHouse.synced(server.transport)
    for person in try house.all() {
      _ = try await house.people.edit(person.id, PersonChange(birthday: Birthday("2000-01-02")))
    }
    for number in 100..<200 { server.put("\(number).vcf", vCard("P\(number) Q", uid: "\(number)", "NOTE:new")) }
    let counts = try await house.flush()
    #expect(counts.sent == 100 && counts.conflict == 0, "\(counts)")
    #expect(server.cards.values.allSatisfy { $0.contains("NOTE:new") && $0.contains("BDAY:2000-01-02") })
    try await house.sync()
    #expect(try house.all().allSatisfy { $0.details.note == "new" && $0.birthday == Birthday("2000-01-02") })
  }

  @Test func somebodyWhoIsFirstIsNotOverwritten() async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("1815-12-11")))
    // Between the read and the write.
    server.before { $0.put("ada.vcf", Self.card.replacing("+1 555", with: "+1 777")) }
    let counts = try await house.flush()
    #expect(counts.sent == 1 && counts.conflict == 0, "\(counts)")
    let card = try #require(server.cards["ada.vcf"])
    #expect(card.contains("+1 777") && card.contains("1815-12-11"))
  }

  @Test func theKeptCardIsTheOneOfTheServerAfterAnEdit() async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(birthday: Birthday("1815-12-11")))
    // A property that no field has, between the read and the write.
    server.before { $0.put("ada.vcf", Self.card.replacing("kept\\; as it is", with: "new")) }
    #expect(try await house.flush().sent == 1)
    try await house.sync()
    let card = try #require(server.cards["ada.vcf"])
    #expect(card.contains("X-UNKNOWN;A=b:new") && card.contains("1815-12-11"))
    #expect(try house.exported() == card)
  }

  @Test func lostAnswersAreSettledByAReadWithoutASecondWrite() async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    _ = server.taken()
    #expect(try await house.flush().sent == 1)
    #expect(server.taken().allSatisfy { $0.method != .put })
    _ = try await house.people.remove(ada.id)
    server.loseAnswers(1)
    #expect(try await house.flush().pending == 1)
    #expect(try await house.flush().pending == 0)
    #expect(server.cards.isEmpty)
    try await house.sync()
    #expect(try house.all().isEmpty && house.cardCount() == 0)
  }

  @Test func removalsAreSentUnlessTheCardChanged() async throws {
    let (server, house, ada) = try await house()
    #expect(try await house.people.remove(ada.id).isSent)
    #expect(try house.all().isEmpty)
    #expect(try await house.flush().sent == 1)
    #expect(server.cards.isEmpty)
    #expect(try house.cardCount() == 0)
    let (other, second, person) = try await self.house()
    _ = try await second.people.remove(person.id)
    other.put("ada.vcf", Self.card.replacing("+1 555", with: "+1 777"))
    #expect(try await second.flush().conflict == 1)
    #expect(other.cards.count == 1)
    // The person comes back with the card.
    let entry = try #require(try second.outbox.entries().first)
    _ = try await second.outbox.resolve(entry.id, take: .theirs)
    try await second.sync()
    #expect(try second.all().first?.details.phones.first?.value == "+1 777")
    #expect(try second.cardCount() == 1)
  }

  /// Also what a person has no field for is lost with the card. What servers write themselves is no change.
  @Test(
    arguments: [
      ("FN:Ada Byron", "FN:Ada"), ("X-UNKNOWN;A=b:kept", "X-UNKNOWN;A=b:new"),
      ("END:VCARD", "X-OTHER:x\r\nEND:VCARD"), ("END:VCARD", "REV:20260101T000000Z\r\nPRODID:x\r\n y\r\nEND:VCARD"),
    ], [false, true])
  func aRemovalOfACardThatChangedAnyhowIsAConflict(_ change: (old: String, new: String), _ pulls: Bool) async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.remove(ada.id)
    server.put("ada.vcf", Self.card.replacing(change.old, with: change.new))
    if pulls { try await house.sync() }
    let counts = try await house.flush()
    if change.new.hasPrefix("REV") {
      #expect(counts.conflict == 0 && server.cards.isEmpty, "\(counts)")
      return
    }
    #expect(counts.conflict == 1 && server.cards.count == 1, "\(counts)")
    // It stays one, also where every card is fetched again.
    try await house.sync(SyncOptions(full: true))
    let entry = try #require(try house.outbox.entries().first)
    #expect(entry.state == .conflict && server.cards.count == 1)
    #expect(entry.removalNote?.contains("not shown here") == true)
    // Who has seen it may remove it nevertheless.
    _ = try await house.outbox.resolve(entry.id, take: .mine)
    try await house.sync(SyncOptions(full: true))
    #expect(try await house.flush().conflict == 0)
    #expect(try server.cards.isEmpty && house.outbox.entries().isEmpty && house.all().isEmpty)
  }

  @Test func aConflictEndsWhereTheServerTakesItsChangeBack() async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.remove(ada.id)
    server.put("ada.vcf", Self.card.replacing("kept", with: "new"))
    try await house.sync(SyncOptions(sendsEdits: false))
    #expect(try house.outbox.entries().map(\.state) == [.conflict])
    server.put("ada.vcf", Self.card)
    try await house.sync()
    try await house.flush()
    #expect(try server.cards.isEmpty && house.outbox.entries().isEmpty)
  }

  /// A person who was stored by an earlier version has no content to compare.
  @Test func aRemovalOfACardOfAnEarlierVersionIsAConflict() async throws {
    let (server, house, ada) = try await house()
    let key = "remote/people/\(ada.id)"
    _ = try await house.store.write { [coder = house.coder] (transaction) throws(StoreError) in
      var fields = try transaction.object(.state, key, coder) ?? [:]
      var sourceState = fields["memory"]?.object ?? [:]
      sourceState["content"] = nil
      fields["memory"] = .object(sourceState)
      try transaction.put(coder.encode(fields), id: key, in: .state)
    }
    _ = try await house.people.remove(ada.id)
    server.put("ada.vcf", Self.card.replacing("kept", with: "new"))
    #expect(try await house.flush().conflict == 1)
    try await house.sync(SyncOptions(full: true))
    #expect(try house.outbox.entries().first?.state == .conflict && server.cards.count == 1)
  }

  /// Changes made here, and those that were seen, are no conflict with a later removal.
  @Test(arguments: [false, true]) func aRemovalAfterAnEditIsSent(_ isLost: Bool) async throws {
    let (server, house, ada) = try await house()
    server.put("ada.vcf", Self.card.replacing("kept", with: "new"))
    try await house.sync()
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    if isLost { server.loseAnswers(1) }
    try await house.flush()
    _ = try await house.people.remove(ada.id)
    try await house.sync()
    try await house.flush()
    #expect(try server.cards.isEmpty && house.outbox.entries().isEmpty)
  }

  /// A change of what a person has no field for is kept beside an edit.
  @Test(arguments: [false, true]) func anEditIsMergedWithAChangeOfWhatIsNotShown(_ pulls: Bool) async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    server.put("ada.vcf", Self.card.replacing("kept", with: "new").replacing("END:", with: "URL:http://x\r\nEND:"))
    if pulls { try await house.sync() }
    #expect(try await house.flush().conflict == 0)
    let card = try #require(server.cards["ada.vcf"])
    #expect(
      card.contains("N:King;Ada") && card.contains("X-UNKNOWN;A=b:new") && card.contains("URL:http://x"), "\(card)")
    #expect(try house.outbox.entries().isEmpty)
  }

  @Test(arguments: [ConflictSide.mine, .theirs], [false, true])
  func anEditOfARemovedCardIsAConflict(_ side: ConflictSide, _ isLost: Bool) async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    server.remove("ada.vcf")
    #expect(try await house.flush().conflict == 1)
    #expect(server.cards.isEmpty)
    let entry = try #require(try house.outbox.entries().first)
    _ = try await house.outbox.resolve(entry.id, take: side)
    guard side == .mine else {
      #expect(try house.all().isEmpty && house.cardCount() == 0)
      return
    }
    // The card is made again, once, with everything that it had.
    if isLost { server.loseAnswers(1) }
    try await house.flush()
    try await house.flush()
    #expect(server.cards.count == 1)
    let card = try #require(server.cards.values.first)
    #expect(card.contains("N:King;Ada;;;") && card.contains("X-UNKNOWN;A=b:kept\\; as it is"))
    try await house.sync()
    #expect(try house.all().map(\.lastName) == ["King"])
    #expect(try house.cardCount() == 1)
    #expect(try house.outbox.entries().isEmpty)
  }

  /// It waits, and the hint is that of a sync.
  @Test func anEditThatTheServerDeniesNamesTheAccount() async throws {
    let (server, house, ada) = try await house()
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    let account = CardDAVHouse.account(password: "wrong")
    let counts = try await CardDAVHouse(server.transport, store: house.store, account: account).flush()
    let hint = counts.unsent?.hint ?? ""
    #expect(counts.pending == 1 && hint.contains("user and password of the account"), "\(counts)")
  }

  @Test func whatAServerDoesNotKeepIsSaid() async throws {
    let (server, house, ada) = try await house { peculiarities in
      peculiarities.hidesTags = true
      peculiarities.rewrites = { card in
        card.split(separator: "\r\n").filter { !$0.hasPrefix("X-UNKNOWN") }.map { $0 + "\r\n" }.joined()
      }
    }
    _ = try await house.people.edit(ada.id, PersonChange(lastName: "King"))
    #expect(try await house.flush().sent == 1)
    #expect(house.warnings.contains { $0.contains("did not keep X-UNKNOWN") }, "\(house.warnings)")
    try await house.sync()
    #expect(server.cards["ada.vcf"]?.contains("N:King;Ada") == true)
  }
}
