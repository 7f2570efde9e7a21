public import Models
public import Ports

/// The original shape of a follow's responses and its later changes, stored in `state` under `shape/PATH`.
struct StoredShape: Sendable, Equatable {
  struct Noted: Sendable, Equatable {
    var drift: FieldDrift
    var at: Timestamp
  }

  /// The maximum number of stored drifts. A source with more changes is effectively a new one.
  private static let limit = 100

  let follow: String
  /// The limit and the options of the follow, which may affect the shape.
  let parameters: String
  let firstSeen: Timestamp
  /// The shape of the first responses, without fields that turned out to be optional, and with all kinds observed
  /// since.
  private(set) var shape: AnswerShape
  private(set) var drifts: [Noted] = []

  static func key(_ path: String) -> StateKey { .init(.shape, path) }

  init(follow: String, parameters: String, shape: AnswerShape, at now: Timestamp) {
    (self.follow, self.parameters, self.shape) = (follow, parameters, shape)
    firstSeen = now
  }

  init?(_ fields: JSONObject) {
    guard let follow = fields["follow"]?.string, let remembered = fields["fields"]?.object,
      let firstSeen = fields["firstSeen"]?.timestamp
    else { return nil }
    (self.follow, self.firstSeen) = (follow, firstSeen)
    parameters = FollowState.parameters(kept: fields["parameters"]?.string) ?? ""
    shape = AnswerShape(remembered: remembered)
    drifts = (fields["drifts"]?.array ?? []).compactMap { $0.object.flatMap(Noted.init) }
  }

  var fields: JSONObject {
    var fields: JSONObject = [
      "follow": .string(follow), "parameters": .string(parameters), "firstSeen": .string(firstSeen.description),
      "fields": .object(shape.remembered),
    ]
    if !drifts.isEmpty { fields["drifts"] = .array(drifts.map { .object($0.fields) }) }
    return fields
  }

  /// Whether everything except the time is equal.
  func isAs(_ other: StoredShape) -> Bool {
    drifts == other.drifts && parameters == other.parameters && shape.remembered == other.shape.remembered
  }

  /// Compares the responses of a later pull.
  ///
  /// A field that returns is considered optional from then on, and a varying kind is added to the shape. Neither is
  /// recorded again, so that a source that varies does not raise an alarm each time.
  mutating func compare(with now: AnswerShape, _ reader: any ShapeReader, at time: Timestamp) {
    let returned = drifts.filter { hasReturned($0.drift, in: now) }
    for noted in returned { forget(noted.drift) }
    drifts.removeAll { returned.contains($0) }
    for drift in reader.drift(from: shape, to: now) where drift.change != .appeared {
      if let known = drifts.firstIndex(where: { $0.drift.path.exact == drift.path.exact }) {
        drifts[known].drift = drift
      } else if drifts.count < Self.limit {
        drifts.append(Noted(drift: drift, at: time))
      }
    }
  }

  /// Whether a field has its original form again.
  private func hasReturned(_ drift: FieldDrift, in now: AnswerShape) -> Bool {
    guard let field = now.fields.first(where: { $0.path.exact == drift.path.exact }), field.kinds != ["null"] else {
      return false
    }
    return drift.change == .vanished || Set(field.kinds).subtracting(["null"]).isSubset(of: drift.before)
  }

  private mutating func forget(_ drift: FieldDrift) {
    guard let index = shape.fields.firstIndex(where: { $0.path.exact == drift.path.exact }) else { return }
    if drift.change == .vanished { shape.fields[index].always = false }
    shape.fields[index].kinds = Set(shape.fields[index].kinds + drift.now).sorted()
  }
}

extension StoredShape.Noted {
  var fields: JSONObject {
    [
      "change": .string(drift.change.rawValue), "field": .string(drift.path),
      "was": .array(drift.before.map { .string($0) }), "is": .array(drift.now.map { .string($0) }),
      "at": .string(at.description),
    ]
  }

  init?(_ fields: JSONObject) {
    guard let change = fields["change"]?.string.flatMap(FieldDrift.Change.init), let path = fields["field"]?.string,
      let at = fields["at"]?.timestamp
    else { return nil }
    func kinds(_ name: String) -> [String] { (fields[name]?.array ?? []).compactMap(\.string) }
    self.init(drift: FieldDrift(change, path: path, before: kinds("was"), now: kinds("is")), at: at)
  }
}

struct ShapeNote: Sendable {
  let follow: Follow
  let shape: AnswerShape
  let reader: any ShapeReader
  /// Whether it replaces the stored shape.
  let isFirst: Bool
  /// Whether the parser could read the responses. If not, they are only compared.
  var isUnderstood = true

  /// Stores the first shape, or the differences from it; writes nothing if nothing changed.
  ///
  /// - Returns: the paths of the fields that vanished with these responses.
  func keep(
    at now: Timestamp, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) -> [String] {
    guard !shape.fields.isEmpty else { return [] }
    let parameters = FollowState.parameters(of: follow)
    let known = try transaction.state(StoredShape.key(follow.path), coder).flatMap { StoredShape($0) }
    var stored: StoredShape
    if let known, known.parameters == parameters, !isFirst || !isUnderstood {
      stored = known
      stored.compare(with: shape, reader, at: now)
    } else {
      guard isUnderstood else { return [] }
      stored = StoredShape(follow: follow.path, parameters: parameters, shape: shape, at: now)
      if let known, stored.isAs(known) { return [] }
    }
    if stored != known { try transaction.setState(StoredShape.key(follow.path), to: stored.fields, coder) }
    let before = known?.drifts.map(\.drift.path.exact) ?? []
    return stored.drifts.map(\.drift).filter { $0.change == .vanished && !before.contains($0.path.exact) }.map(\.path)
  }
}

/// Reports how the shapes of responses change over time.
public struct DriftReport: DriftService {
  private let store: any RecordStore
  private let coder: any RecordCoder

  public init(store: any RecordStore, coder: any RecordCoder) {
    (self.store, self.coder) = (store, coder)
  }

  public func drifts() throws(Failure) -> [SourceDrift] {
    let shapes = try Failure.reading(store.snapshot().states(.shape, coder) { _, fields in StoredShape(fields) })
    return shapes.flatMap { shape in
      shape.drifts.sorted { $0.drift.path.exact < $1.drift.path.exact }.map {
        SourceDrift(follow: shape.follow, drift: $0.drift, firstSeen: shape.firstSeen, at: $0.at)
      }
    }
  }
}
