import Models
import Ports
import Testing

/// To which source a record belongs, for each state of its remote copy and its pending edits.
@Suite struct RecordOwnerTests {
  private static func edit(_ source: SourceName?) -> OutboxEntry {
    var entry = OutboxEntry(
      id: "e", target: "people/1", kind: .put, edit: [:], base: [:], createdAt: Timestamp(secondsSinceEpoch: 0))
    entry.source = source
    return entry
  }

  private static let rows: [(copy: RemoteCopy?, edits: [OutboxEntry], owner: RecordOwner)] = [
    (nil, [], .here), (nil, [edit(nil)], .unknown), (RemoteCopy(), [], .unknown),
    (RemoteCopy(source: .people), [], .source(.people)), (nil, [edit(.cardDAV)], .source(.cardDAV)),
    (RemoteCopy(source: .people), [edit(nil)], .source(.people)),
    // An edit goes where it was meant for.
    (RemoteCopy(source: .people), [edit(nil), edit(.cardDAV)], .source(.cardDAV)),
  ]

  @Test(arguments: rows) func theSourceOfTheEditsOrOfTheCopy(
    _ copy: RemoteCopy?, _ edits: [OutboxEntry], _ owner: RecordOwner
  ) {
    #expect(RecordOwner(copy, edits: edits) == owner)
    for source in [SourceName.people, .cardDAV] {
      let isOwn = owner == .source(source)
      let isFree = owner == .here || owner == .unknown
      #expect(owner.admits(source, configured: [.people, .cardDAV]) == (isOwn || isFree))
      // A source that is gone keeps nothing.
      #expect(owner.admits(source, configured: []))
      #expect(owner.isOther(than: source) == !(isOwn || isFree))
    }
  }
}
