import Models
import Ports

/// What receivers were notified of already, in `state` under `notify/seen`. It is committed together with the deliveries that follow from
/// it.
struct Watermark: Sendable, Equatable {
  static let key = StateKey(.notify, "seen")

  /// The place in the change feed up to which changes were looked at.
  var cursor: ChangeCursor?
  var number = 0
  /// The last snapshot of each watched chart, by its series.
  var charts: [ExactString: String] = [:]
  /// The states of the edits that could not be sent, by their ids.
  var edits: [ExactString: String] = [:]
  var stale: Set<ExactString> = []
  /// The last day on which receivers were notified of birthdays.
  var day: CivilDate?
  /// The birthdays of the notices of that day; `nil` where an earlier version sent them.
  var birthdays: Set<ExactString>?

  /// Creates a watermark of a store that has led to no notice yet.
  init() {}

  /// Reads it; `nil` before the first notice.
  init?(in reader: some RecordReader, _ coder: any RecordCoder) throws(StoreError) {
    guard let fields = try reader.state(Self.key, coder) else { return nil }
    cursor = fields["cursor"]?.string.map { ChangeCursor($0) }
    number = fields["number"]?.count ?? 0
    for member in fields["charts"]?.object?.members ?? [] { charts[member.key.exact] = member.value.string }
    for member in fields["edits"]?.object?.members ?? [] { edits[member.key.exact] = member.value.string }
    stale = Set((fields["stale"]?.array ?? []).compactMap { $0.string?.exact })
    day = fields["day"]?.string.flatMap { CivilDate($0) }
    birthdays = fields["birthdays"]?.array.map { Set($0.compactMap { $0.string?.exact }) }
  }

  var fields: JSONObject {
    func object(_ values: [ExactString: String]) -> JSONValue? {
      if values.isEmpty { return nil }
      return .object(
        JSONObject(members: values.sorted { $0.key < $1.key }.map { .init(key: $0.key.text, value: .string($0.value)) })
      )
    }
    return [
      "cursor": .of(cursor?.description), "number": .of(number), "charts": .of(object(charts)),
      "edits": .of(object(edits)),
      "stale": .of(stale.isEmpty ? nil : .array(stale.sorted().map { .string($0.text) })),
      "day": .of(day?.description), "birthdays": .of(birthdays.map { .array($0.sorted().map { .string($0.text) }) }),
    ]
  }
}
