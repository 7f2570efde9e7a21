import Models
import Ports

/// A page of a source that is ready to be committed.
struct FetchedPage: Sendable {
  let page: PullPage
  let records: EncodedRecords
  let snapshot: any StoreSnapshot
  let next: FollowState
  /// Where its answer is kept; `nil` where answers are not.
  let answers: KnownAnswers?

  /// - Throws: `Failure`: `bad-id` if the fields of a record contain another id than that of the change;
  ///   `undeclared-collection` if the source does not declare the collection of a change.
  init(
    _ page: PullPage, of source: SourceDescriptor, snapshot: any StoreSnapshot, next: FollowState,
    answers: KnownAnswers?, _ coder: any RecordCoder
  ) throws(Failure) {
    try Self.checkCollections(of: page, source)
    records = try EncodedRecords(page.changes, of: page.url, repeats: page.repeatsRecords, coder)
    var page = page
    page.rejects.append(contentsOf: records.rejects)
    page.changes = []
    (self.page, self.snapshot, self.next, self.answers) = (page, snapshot, next, answers)
  }

  var count: Int { page.isKnown ? page.answer?.count ?? 0 : records.count }

  /// A collection that its source does not declare has no fields, no columns and no place in the API, and another source
  /// may own it.
  private static func checkCollections(of page: PullPage, _ source: SourceDescriptor) throws(Failure) {
    let declared = source.writtenCollections
    // The records of a collection usually follow one another.
    var last: CollectionName?
    for change in page.changes where change.collection != last {
      last = change.collection
      if declared.contains(change.collection) { continue }
      let names = declared.isEmpty ? "no collections" : declared.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        .store, .internalFault,
        "the source \(source.name) wrote to the collection \(change.collection), which it does not declare; nothing of this page was stored",
        hint: "its descriptor declares \(names): add a CollectionDescriptor for \(change.collection)", url: page.url,
        code: .own(.undeclaredCollection), path: "\(change.collection)/\(change.id)")
    }
  }
}

/// A record from a remote that is about to be merged.
struct IncomingRecord: Sendable {
  var collection: CollectionName
  var id: String
  var rule: PulledChange.Rule
  /// The remote's copy to store; `nil` to keep the previous copy.
  var base: JSONObject?
  /// The data to store with the copy; `nil` to keep the previous data.
  var sourceState: JSONObject?
  /// The encoded record. Most records are new or unchanged, and need no decoding.
  var bytes: [UInt8]
}

/// The encoded records of a page in one buffer.
///
/// The task that fetched the page encodes them. Parsing a page makes tens of thousands of small allocations. Freeing
/// them on another thread would cost more than the parsing, because the two threads contend for the allocator.
struct EncodedRecords: Sendable {
  private struct Place: Sendable {
    var record: IncomingRecord
    var range: Range<Int>
  }

  private var places: [Place] = []
  private var bytes: [UInt8] = []

  var count: Int { places.count }
  /// The records whose id an earlier one has, with other fields: which of the two is right is not known.
  private(set) var rejects: RejectedRecords = []

  /// - Parameter repeats: whether a record may come several times with other fields.
  /// - Throws: `Failure`: `bad-id` if the fields of a record contain another id than that of the change.
  init(_ changes: [PulledChange], of url: String, repeats: Bool = false, _ coder: any RecordCoder) throws(Failure) {
    places.reserveCapacity(changes.count)
    // Growing takes half of the time, and most pages are of one collection.
    var known: [CollectionName: [ExactString: Int]] = [:]
    if let first = changes.first { known[first.collection] = Dictionary(minimumCapacity: changes.count) }
    for (index, change) in changes.enumerated() {
      let start = bytes.count
      bytes += coder.encode(try Self.stored(change, url))
      let isChecked = !repeats && changes.count > 1 && change.rule == .replace
      if isChecked, let earlier = known[change.collection]?[change.$id],
        let field = Self.differing(change.fields, changes[earlier].fields)
      {
        rejects.append(
          RejectedRecord(
            index: index, path: "$.id", expected: "an id that no other record of the answer has",
            found: "the id '\(change.id)' of an earlier record, which has another \(field)",
            raw: String(decoding: bytes[start...], as: UTF8.self)))
        bytes.removeSubrange(start...)
        continue
      }
      if isChecked { known[change.collection, default: [:]][change.$id] = index }
      let record = IncomingRecord(
        collection: change.collection, id: change.id, rule: change.rule, base: change.base,
        sourceState: change.sourceState,
        bytes: [])
      places.append(Place(record: record, range: start..<bytes.count))
    }
  }

  /// The first field that differs; `nil` if all are the same. The id may be a number in one of them.
  private static func differing(_ one: JSONObject, _ other: JSONObject) -> String? {
    (one.keys + other.keys).first { $0 != "id" && one[$0] != other[$0] }
  }

  /// The fields of a record as they are stored: with the id as text at the beginning.
  private static func stored(_ change: PulledChange, _ url: String) throws(Failure) -> JSONObject {
    if change.rule == .remove { return change.fields }
    let given = change.fields["id"]
    switch given {
    case .string(let text)? where text.exact == change.$id:
      if change.fields.members.first?.key == "id" { return change.fields }
    // Many servers write ids as numbers.
    case .number(let digits)? where digits.exact == change.$id: break
    case nil: break
    case let other?:
      let found =
        switch other {
        case .string(let text): "'\(text)'"
        case .number(let digits): "the number \(digits)"
        default: "a value of type \(other.kind)"
        }
      throw Failure(
        .parsing, .unparsable,
        "the record '\(change.id)' of \(change.collection) has another id in its fields: \(found)",
        hint: "the source sets fields[\"id\"] to the id that it passes to PulledChange, or leaves it out",
        url: url, code: .own(.badID), path: "$.id")
    }
    var fields = change.fields
    fields["id"] = nil
    fields.members.insert(JSONObject.Member(key: "id", value: .string(change.id)), at: 0)
    return fields
  }

  var ids: [CollectionName: [String]] {
    Dictionary(grouping: places, by: \.record.collection).mapValues { $0.map(\.record.id) }
  }

  func forEach(_ body: (IncomingRecord) throws(StoreError) -> Void) throws(StoreError) {
    for place in places {
      var record = place.record
      record.bytes = Array(bytes[place.range])
      try body(record)
    }
  }
}
