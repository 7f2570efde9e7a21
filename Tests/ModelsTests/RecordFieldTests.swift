import Models
import Testing

/// The table of fields says what the types write.
@Suite struct RecordFieldTests {
  private static let time = Timestamp(secondsSinceEpoch: 1_780_000_000)

  /// Every kind of record, with all of its fields and with only those that it must have.
  static var samples: [(full: any Record, least: any Record)] {
    get throws {
      let birthday = try #require(Birthday("--02-29"))
      return [
        (
          App(
            storefront: "fr", appID: "1", bundleID: "b", name: "n", artist: "a", summary: "s", thumbnailURL: "t",
            artworkURL: "u", price: Price(amount: "0.99", currency: "EUR"), category: "Games",
            releaseDate: "2026-01-01", url: "x"),
          App(appID: "1", name: "n", artist: "a", thumbnailURL: "t", artworkURL: "u")
        ),
        (
          ChartSnapshot(
            storefront: "fr", chart: "new", genre: "6014", observedAt: time, lastObservedAt: time, ranks: ["2"]),
          ChartSnapshot(storefront: "fr", chart: "new", observedAt: time, lastObservedAt: time, ranks: [])
        ),
        (
          Photo(
            id: "1", ownerID: "o", title: "", thumbnailURL: "t", imageURL: "i", pageURL: "p", takenAt: time,
            postedAt: time, tags: ["a"]),
          Photo(id: "1", ownerID: "o", title: "", thumbnailURL: "t", imageURL: "i", pageURL: "p")
        ),
        (
          Owner(
            id: "1", username: "u", realName: "r", location: "l", iconURL: "i", photosURL: "p", profileURL: "q",
            photoCount: 3, isPro: true, deleted: true), Owner(id: "1", username: "u", iconURL: "i")
        ), (Profile(id: "1", name: "n", email: "e", description: "d"), Profile(id: "1", name: "n", email: "e")),
        (
          Person(
            id: "1", firstName: "f", lastName: "l", birthday: birthday, remoteID: "9", details: try details(),
            origin: Person.imported), Person(id: "1", firstName: "", lastName: "", birthday: nil, fullName: "f")
        ),
        (
          PersonGroup(id: "1", name: "n", members: ["m"], origin: "o"),
          PersonGroup(id: "1", name: "n", members: [], origin: "o")
        ),
        (
          Reject(id: "1", follow: "f", url: "u", index: 3, path: "$", expected: "a", found: "b", raw: "", at: time),
          Reject(id: "1", follow: "f", url: "u", index: 3, path: "$", expected: "a", found: "b", raw: "", at: time)
        ),
        (
          removed(
            OutboxEntry(
              id: "1", target: "profiles/a", kind: .put, source: .users, edit: ["name": "x"], base: [:],
              attempts: 2, outcomeUnknown: true, state: .conflict, lastError: "e", createdAt: time)),
          OutboxEntry(id: "1", target: "profiles/a", kind: .put, edit: [:], base: [:], createdAt: time)
        ),
      ]
    }
  }

  private static func removed(_ entry: OutboxEntry) -> OutboxEntry {
    var entry = entry
    entry.meetRemoval()
    (entry.content, entry.theirContent, entry.after) = ("c", "d", "people/2")
    (entry.retryAt, entry.isMade) = (entry.createdAt, true)
    return entry
  }

  private static func details() throws -> ContactDetails {
    var details = try ContactDetails().changed(by: [
      "middleName": "m", "namePrefix": "p", "nameSuffix": "s", "nickname": "n", "phoneticFirstName": "f",
      "phoneticMiddleName": "m", "phoneticLastName": "l", "organization": "o", "departments": ["d"], "title": "t",
      "role": "r", "note": "n", "emails": [["value": "e", "type": "home", "preferred": true]],
      "phones": [["value": "p"]], "addresses": [["street": "s", "city": "c"]], "urls": [["value": "https://u.example"]],
      "ims": [["value": "xmpp:i"]], "socialProfiles": [["value": "https://s.example"]],
      "relations": [["value": "r"]], "dates": [["value": "2000-01-02"]], "groups": ["g"],
    ])
    details.photo = ContactPhoto(url: "u", type: "t", bytes: 1)
    return details
  }

  @Test func saysWhatTheTypesWrite() throws {
    let samples = try Self.samples
    for (full, least) in samples {
      let collection = type(of: full).collection
      let fields = type(of: full).schema
      #expect(fields.map(\.name) == full.fields.keys, "\(collection)")
      #expect(fields.filter { !$0.isOptional }.map(\.name) == least.fields.keys, "\(collection)")
      for field in fields {
        let value = try #require(full.fields[field.name])
        #expect(field.kind.holds(value) || field.isOptional && value == .null, "\(collection).\(field.name)")
      }
    }
    let report = SyncReport(startedAt: Self.time, finishedAt: Self.time, follows: [])
    let runs = CollectionDescriptor.common.first { $0.name == .runs }
    #expect(runs?.fields.map(\.name) == ["id", "state"] + report.fields.keys)
  }

  @Test func leavesAreWhatCanBeCompared() {
    let leaves = App.schema.flatMap(\.leaves)
    let amount = leaves.first { $0.name == "price.amount" }
    #expect(amount?.kind == .decimal && amount?.isOptional == true)
    #expect(!leaves.contains { $0.name == "price" })
  }
}

extension RecordField.Kind {
  fileprivate func holds(_ value: JSONValue) -> Bool {
    switch self {
    case .text: value.string != nil
    case .whole: value.int != nil
    case .decimal: value.string.flatMap(Double.init) != nil
    case .flag: value.bool != nil
    case .time: value.string.flatMap { Timestamp(rfc3339: $0) } != nil
    case .timeOrDay: value.string.map { Timestamp(rfc3339: $0) != nil || CivilDate($0) != nil } ?? false
    case .birthday: value.string.flatMap { Birthday($0) } != nil
    case .texts: value.array?.allSatisfy { $0.string != nil } ?? false
    case .objects: value.array?.allSatisfy { $0.object != nil } ?? false
    case .object(let members): members.allSatisfy { value.object?[$0.name].map($0.kind.holds) ?? $0.isOptional }
    case .anyObject: value.object != nil
    }
  }
}
