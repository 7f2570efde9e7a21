import Models
import Testing

@testable import Sync

@Suite struct MergeTests {
  private static let catalog = CollectionCatalog([
    SourceDescriptor(
      name: .people, summary: "people", forms: [], collections: [CollectionDescriptor(Person.self, columns: [])])
  ])
  private let created = Timestamp(secondsSinceEpoch: 0)

  private func put(
    _ edit: JSONObject, id: String = "e", base: JSONObject, theirs: JSONObject? = nil, unknown: Bool = false,
    state: OutboxEntry.State = .pending
  ) -> OutboxEntry {
    OutboxEntry(
      id: id, target: "cards/1", kind: .put, edit: edit, base: base, theirs: theirs, attempts: unknown ? 1 : 0,
      outcomeUnknown: unknown, state: state, createdAt: created)
  }

  private func merge(
    _ local: JSONObject?, _ remote: JSONObject, base: JSONObject? = nil, keepsAbsent: Bool = false,
    _ edits: OutboxEntry...
  ) -> FieldMerge.Result {
    FieldMerge(
      collection: CollectionName(rawValue: "cards"), catalog: Self.catalog, local: local, remote: remote,
      keepsAbsent: keepsAbsent, base: base
    ).merged(with: edits)
  }

  @Test func withoutEditsTheRemoteWins() {
    #expect(merge(["id": "1", "a": 1, "b": 2], ["id": "1", "a": 3]).record == ["id": "1", "a": 3])
    #expect(merge(nil, ["id": "1", "a": 3]).record == ["id": "1", "a": 3])
    #expect(
      merge(["id": "1", "a": 1, "b": 2], ["id": "1", "a": 3], keepsAbsent: true).record == ["id": "1", "a": 3, "b": 2])
  }

  @Test func whatTheRemoteNeverHadStays() {
    let local: JSONObject = ["id": "1", "a": 1, "here": "x"]
    #expect(merge(local, ["id": "1", "a": 3], base: ["a": 1]).record == ["id": "1", "a": 3, "here": "x"])
    #expect(merge(local, ["id": "1", "a": 3], base: ["a": 1, "here": "x"]).record == ["id": "1", "a": 3])
  }

  @Test func fieldsThatOneSideChangedMergeByThemselves() {
    let edit = put(["a": "mine"], base: ["a": "old"])
    let result = merge(["id": "1", "a": "mine", "b": "old"], ["id": "1", "a": "old", "b": "theirs"], edit)
    #expect(result == FieldMerge.Result(record: ["id": "1", "a": "mine", "b": "theirs"]))
  }

  @Test func theSameFieldOnBothSidesIsAConflictThatKeepsAllThree() throws {
    let edit = put(["a": "mine", "b": "mine"], base: ["a": "old", "b": "old"])
    let result = merge(["id": "1", "a": "mine", "b": "mine"], ["id": "1", "a": "theirs", "b": "old"], edit)
    #expect(result.record == ["id": "1", "a": "mine", "b": "mine"])
    let conflict = try #require(result.changed.first)
    #expect(conflict.state == .conflict)
    #expect(conflict.edit == ["a": "mine", "b": "mine"])
    #expect(conflict.base == ["a": "old", "b": "old"])
    #expect(conflict.theirs == ["a": "theirs", "b": "old"])
    #expect(result.completed.isEmpty)
  }

  @Test func aRemoteThatHasMyValuesSettlesTheEdit() {
    let edit = put(["a": "mine"], base: ["a": "old"], unknown: true)
    let result = merge(["id": "1", "a": "mine"], ["id": "1", "a": "mine", "b": "new"], edit)
    #expect(result.completed == [edit])
    #expect(result.record == ["id": "1", "a": "mine", "b": "new"])
  }

  @Test func aRemoteThatHasOneOfMyFieldsLeavesTheOther() {
    let edit = put(["a": "mine", "b": "mine"], base: ["a": "old", "b": "old"])
    let result = merge(["id": "1", "a": "mine", "b": "mine"], ["id": "1", "a": "mine", "b": "old"], edit)
    #expect(result.changed.map(\.edit) == [["b": "mine"]])
    #expect(result.changed.map(\.state) == [.pending])
  }

  @Test func aConflictThatTheRemoteTookBackWaitsAgain() {
    let edit = put(["a": "mine"], base: ["a": "old"], theirs: ["a": "theirs"], state: .conflict)
    let freed = merge(["id": "1", "a": "mine"], ["id": "1", "a": "old"], edit)
    #expect(freed.changed.map(\.state) == [.pending])
    #expect(freed.changed.map(\.theirs) == [nil])
    let moved = merge(["id": "1", "a": "mine"], ["id": "1", "a": "other"], edit)
    #expect(moved.changed.map(\.theirs) == [["a": "other"]])
  }

  @Test func clearedFieldsAreFields() {
    let clear = put(["a": .null], base: ["a": "old"])
    #expect(merge(["id": "1"], ["id": "1", "a": "old"], clear).record == ["id": "1"])
    #expect(merge(["id": "1"], ["id": "1"], clear).completed == [clear])
    #expect(merge(["id": "1"], ["id": "1", "a": "new"], clear).changed.map(\.state) == [.conflict])
    let set = put(["a": "mine"], base: ["a": .null])
    #expect(merge(["id": "1", "a": "mine"], ["id": "1"], set).record == ["id": "1", "a": "mine"])
  }

  @Test func aLaterEditStandsOnTheEarlierOne() {
    let first = put(["a": "1"], id: "e1", base: ["a": "0"], unknown: true)
    let second = put(["a": "2"], id: "e2", base: ["a": "0"])
    // The first edit arrived, so the second one is based on it.
    let arrived = merge(["id": "1", "a": "2"], ["id": "1", "a": "1"], first, second)
    #expect(arrived.completed == [first])
    #expect(arrived.changed.map(\.base) == [["a": "1"]])
    #expect(arrived.changed.map(\.state) == [.pending])
    #expect(arrived.record == ["id": "1", "a": "2"])
    // The first edit did not arrive, and both are still pending.
    #expect(merge(["id": "1", "a": "2"], ["id": "1", "a": "0"], first, second).changed.isEmpty)
    // Another client changed the field, so the first edit is a conflict.
    let clash = merge(["id": "1", "a": "2"], ["id": "1", "a": "9"], first, second)
    #expect(clash.changed.map(\.id) == ["e1"])
  }

  @Test func anEditThatMayStillArriveIsNotSettledByALaterOne() {
    let first = put(["a": "1"], id: "e1", base: ["a": "0"], unknown: true)
    let back = put(["a": "0"], id: "e2", base: ["a": "0"])
    let result = merge(["id": "1", "a": "0"], ["id": "1", "a": "0"], first, back)
    #expect(result.completed.isEmpty && result.changed.isEmpty)
  }

  @Test func whatWasRefusedBlocksNothingAndIsNotLost() {
    let refused = put(["a": "bad"], id: "e1", base: ["a": "old"], state: .refused)
    let kept = merge(["id": "1", "a": "bad"], ["id": "1", "a": "theirs"], refused)
    #expect(kept.record == ["id": "1", "a": "bad"])
    #expect(kept.changed.map(\.state) == [.refused])
    #expect(kept.changed.map(\.theirs) == [["a": "theirs"]])
    let fixed = put(["a": "good"], id: "e2", base: ["a": "old"])
    #expect(merge(["id": "1", "a": "good"], ["id": "1", "a": "old"], refused, fixed).changed.isEmpty)
  }

  @Test func whatWasChangedHereWithoutAnEditStaysAgainstTheRememberedBase() {
    let base: JSONObject = ["a": "old", "b": "old"]
    let local: JSONObject = ["id": "1", "a": "mine", "b": "old", "c": "derived"]
    #expect(
      merge(local, ["id": "1", "a": "old", "b": "theirs", "c": "told"], base: base).record
        == ["id": "1", "a": "mine", "b": "theirs", "c": "told"])
  }

  @Test func aPersonsFullNameFollowsFromTheNames() {
    let merged = FieldMerge(
      collection: .people, catalog: Self.catalog,
      local: ["id": "1", "firstName": "Anna", "lastName": "B", "birthday": "--01-02", "fullName": "Anna B"],
      remote: ["id": "1", "firstName": "Ann", "lastName": "C", "birthday": "--01-02", "fullName": "Ann C"],
      keepsAbsent: false,
      base: ["firstName": "Ann", "lastName": "B", "birthday": "--01-02", "fullName": "Ann B"]
    ).merged(with: [])
    #expect(merged.record["fullName"] == "Anna C")
  }

  /// The server does not store a full name that was given locally.
  @Test(arguments: [("小龙", "李小龙"), ("振藩", "李振藩")])
  func aFullNameOfOurOwnKeepsItsForm(firstName: String, fullName: String) {
    let remote: JSONObject = [
      "id": "1", "firstName": .string(firstName), "lastName": "李", "birthday": "1940-11-27", "remoteID": "7",
      "fullName": .string("\(firstName) 李"),
    ]
    let local: JSONObject = [
      "id": "1", "firstName": "小龙", "lastName": "李", "birthday": "1940-11-27", "fullName": "李小龙",
    ]
    for base in [nil, ["firstName": "小龙", "lastName": "李", "birthday": "1940-11-27"]] as [JSONObject?] {
      for keepsAbsent in [true, false] {
        let merged = FieldMerge(
          collection: .people, catalog: Self.catalog, local: local, remote: remote, keepsAbsent: keepsAbsent,
          base: base
        ).merged(with: [])
        #expect(merged.record["fullName"] == .string(fullName))
        #expect(merged.record["remoteID"] == "7")
      }
    }
  }

  @Test func aNewRecordThatTheRemoteHasIsSent() {
    let post = OutboxEntry(
      id: "p", target: "cards/1", kind: .post, edit: ["a": "sent"], base: ["a": .null], attempts: 1,
      outcomeUnknown: true, createdAt: created)
    let result = merge(["id": "1", "a": "sent"], ["id": "1", "a": "sent", "remoteID": "7"], post)
    #expect(result.completed == [post])
    let changed = merge(["id": "1", "a": "changed since"], ["id": "1", "a": "sent", "remoteID": "7"], post)
    #expect(changed.record == ["id": "1", "a": "changed since", "remoteID": "7"])
  }

  @Test func keysKeepTheirPlaces() {
    #expect(FieldOrder.merged(["id", "b", "d"], ["id", "a", "b", "c"]) == ["id", "a", "b", "c", "d"])
    #expect(FieldOrder.merged([], ["x", "y"], ["y", "z"]) == ["x", "y", "z"])
  }
}
