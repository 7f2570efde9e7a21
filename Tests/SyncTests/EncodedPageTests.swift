import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

/// Records that come as bytes are told from what is here by their bytes, and by their members where those differ.
@Suite struct EncodedPageTests {
  private static let things = CollectionName(rawValue: "things")

  /// One page with one record, by some rule.
  private struct OneRecord: Source {
    let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "one"), summary: "one record", forms: [.init("one/{record}", "")], collections: [])
    var fields: JSONObject
    var rule = PulledChange.Rule.replace

    func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
      PullPage(
        changes: [PulledChange(collection: EncodedPageTests.things, id: "a", fields: fields, rule)],
        url: "http://one.test")
    }
  }

  private static let text = "\u{1}\"é"
  private static let first: JSONObject = ["id": "a", "x": .int(1), "y": .string(text)]

  /// What comes by which rule where `first` is, and what stands here then.
  private struct Meeting {
    var rule: PulledChange.Rule
    var comes: JSONObject
    var stands = EncodedPageTests.first
    var isUpdate = false
  }

  private static let meetings = [
    Meeting(rule: .replace, comes: ["id": "a", "x": .int(2)], stands: ["id": "a", "x": .int(2)], isUpdate: true),
    Meeting(
      rule: .merge, comes: ["id": "a", "x": .int(2)], stands: ["id": "a", "x": .int(2), "y": .string(text)],
      isUpdate: true),
    Meeting(rule: .merge, comes: ["id": "a", "x": .int(1)]),
    Meeting(rule: .replace, comes: first),
    Meeting(rule: .replace, comes: ["id": "a", "y": .string(text), "x": .int(1)]),
    Meeting(rule: .updateMetadata, comes: ["id": "a", "x": .int(3)], stands: ["id": "a", "x": .int(3)]),
    Meeting(rule: .insert, comes: ["id": "a", "x": .int(4)]),
  ]

  @Test(arguments: meetings.indices) func meetsWhatIsHere(_ index: Int) async throws {
    let meeting = Self.meetings[index]
    let store = InMemoryRecordStore()
    let source = OneRecord(fields: Self.first, rule: meeting.rule)
    let made = try await Bench(store: store, sources: [source]).sync("one/record")
    #expect(made.totals.added == 1 && made.totals.unchanged == 0)
    let bench = Bench(store: store, sources: [OneRecord(fields: meeting.comes, rule: meeting.rule)])
    let report = try await bench.sync("one/record")
    #expect(report.totals.updated == (meeting.isUpdate ? 1 : 0))
    #expect(report.totals.unchanged == (meeting.isUpdate ? 0 : 1))
    #expect(try store.snapshot().record(Self.things, "a") == bench.coder.encode(meeting.stands))
  }

  @Test func whatIsRemovedAndWasNeverHereIsNothing() async throws {
    let bench = Bench(sources: [OneRecord(fields: [:], rule: .remove)])
    let report = try await bench.sync("one/record")
    #expect(report.totals.added + report.totals.updated + report.totals.removed == 0)
    #expect(try bench.ids(Self.things).isEmpty)
  }

  @Test func aPlanShowsTheMembersOfWhatIsNew() async throws {
    let bench = Bench(sources: [OneRecord(fields: Self.first)])
    let report = try await bench.sync("one/record", options: SyncOptions(dryRun: true))
    #expect(
      report.plan == [PlannedChange(operation: .add, collection: Self.things, id: "a", changed: Self.first)])
    #expect(try bench.ids(Self.things).isEmpty)
  }
}
