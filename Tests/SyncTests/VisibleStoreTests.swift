import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

/// What assistants see of a store where something is hidden.
@Suite struct VisibleStoreTests {
  private let store = InMemoryRecordStore(time: ManualTime())
  private let coder = JSONRecordCoder()

  private static let cards = CollectionName(rawValue: "cards-of")
  private static let notes = CollectionName(rawValue: "notes")

  /// A source with a collection that has a companion, and one without.
  private struct Desk: Source {
    let abilities = SourceAbilities()
    let descriptor: SourceDescriptor

    init() {
      var notes = CollectionDescriptor(VisibleStoreTests.notes, fields: [.init("id")], columns: ["id"])
      notes.companion = VisibleStoreTests.cards
      descriptor = SourceDescriptor(
        name: SourceName(rawValue: "desk"), summary: "", forms: [.init("desk/{list}", "a list")],
        collections: [notes, .init(CollectionName(rawValue: "pens"), fields: [.init("id")], columns: ["id"])])
    }

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      .notModified(url: "http://desk.test")
    }
  }

  private func put(_ collection: CollectionName, _ id: String, _ fields: JSONObject = [:]) async throws {
    let members = [JSONObject.Member(key: "id", value: .string(id))] + fields.members
    try await store.put(JSONObject(members: members), in: collection, coder)
  }

  private func set(_ key: StateKey, _ fields: JSONObject) async throws {
    _ = try await store.write { [coder] (transaction: inout any StoreTransaction) throws(StoreError) in
      try transaction.setState(key, to: fields, coder)
    }
  }

  private func view(hiding names: String...) -> VisibleStore {
    var rules = Settings.Assistants()
    rules.hide = names
    let source = Desk()
    return VisibleStore(
      store, without: HiddenPlaces(rules, sources: [source.descriptor]), sources: [source], coder: coder)
  }

  /// The ids that a snapshot, its counts and the feed of changes show.
  private func ids(_ store: VisibleStore, _ collection: CollectionName) throws -> [String] {
    let snapshot = try store.snapshot()
    var ids: [String] = []
    try snapshot.eachObject(collection, .all, coder) { fields in
      ids.append(fields["id"]?.string ?? "")
      return .next
    }
    #expect(try snapshot.count(collection) == ids.count)
    let changed = try store.changes(since: nil, limit: 1).first
    let rest = try store.changes(since: changed?.cursor, limit: 100)
    let changes = (([changed].compactMap(\.self)) + rest).filter { $0.collection == collection }
    #expect(Set(changes.map(\.$id)) == Set(ids.map(\.exact)), "\(collection)")
    return ids
  }

  @Test func whatTellsOfAHiddenCollectionIsHiddenToo() async throws {
    for id in ["a", "b"] { try await put(Self.notes, id) }
    try await put(Self.cards, "a")
    try await put(CollectionName(rawValue: "pens"), "p")
    try await put(.outbox, "1", ["target": "notes/a"])
    try await put(.outbox, "2", ["target": "pens/p"])
    try await put(.outbox, "3", ["target": "pens/q", "after": "notes/a"])
    try await put(.rejects, "r1", ["follow": "desk/all", "raw": "secret"])
    try await put(.rejects, "r2", ["follow": "gone/all", "raw": "secret"])
    try await put(.runs, "1", ["follows": [["follow": "desk/all"]], "totals": ["added": 2], "outbox": ["sent": 1]])
    try await put(.runs, "2", ["follows": []])
    try await set(StateKey(.proposal, "1"), ["target": "notes/b"])
    try await set(StateKey(.proposal, "2"), ["target": "notes"])
    try await set(StateKey(.proposal, "3"), ["target": "pens/p"])
    let view = view(hiding: "notes")
    let snapshot = try view.snapshot()
    #expect(snapshot.collections.map(\.rawValue) == ["outbox", "pens", "rejects", "runs", "state"])
    for name in [Self.notes, Self.cards, .rejects] { #expect(try ids(view, name).isEmpty, "\(name)") }
    #expect(try snapshot.record(Self.notes, "a") == nil && snapshot.record(.outbox, "1") == nil)
    #expect(try ids(view, .outbox) == ["2"])
    #expect(try ids(view, CollectionName(rawValue: "pens")) == ["p"])
    #expect(try ids(view, .runs) == ["2"])
    #expect(try snapshot.stateKeys(.proposal).map(\.name) == ["3"])
  }

  @Test func theRecordsOfAHiddenFollowAloneAreHidden() async throws {
    for id in ["a", "b", "c"] { try await put(Self.notes, id) }
    for id in ["a", "b"] { try await put(Self.cards, id) }
    try await put(.outbox, "1", ["target": "notes/a"])
    try await put(.outbox, "2", ["target": "notes/b"])
    try await put(.rejects, "r1", ["follow": "desk/one"])
    try await put(.rejects, "r2", ["follow": "desk/two"])
    let runs: JSONValue = [["follow": "desk/one"], ["follow": "desk/two"]]
    try await put(.runs, "1", ["follows": runs, "totals": ["added": 2], "outbox": ["sent": 1]])
    for follow in ["one", "two", "three"] { try await set(StateKey(.follow, "desk/\(follow)"), [:]) }
    try await set(StateKey(.listed, "desk/one"), ["ids": ["notes": ["a", "b"]]])
    try await set(StateKey(.listed, "desk/two"), ["ids": ["notes": ["b", "c"]]])
    let view = view(hiding: "desk/one")
    #expect(try ids(view, Self.notes) == ["b", "c"] && ids(view, Self.cards) == ["b"])
    #expect(try ids(view, .outbox) == ["2"])
    #expect(try ids(view, .rejects) == ["r2"])
    let run = try #require(try view.snapshot().object(.runs, "1", coder))
    #expect(run == ["id": "1", "follows": [["follow": "desk/two"]]])
    // Two hidden follows with one record, and one that says not what it brought.
    #expect(try ids(self.view(hiding: "desk/one", "desk/two"), Self.notes).isEmpty)
    #expect(try ids(self.view(hiding: "desk/three"), Self.notes).isEmpty)
    #expect(try ids(self.view(hiding: "desk/four"), Self.notes) == ["a", "b", "c"])
    try await store.delete(Self.notes, ["a"])
    #expect(try view.changes(since: nil, limit: 100).allSatisfy { $0.record != nil })
  }
}
