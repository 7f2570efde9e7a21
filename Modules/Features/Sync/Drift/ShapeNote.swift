import Models
import Ports

/// The shape of one pull's answers, on its way into the store.
struct ShapeNote: Sendable {
  /// The follow.
  let follow: Follow
  /// What its answers look like.
  let shape: AnswerShape
  /// Tells what drifted.
  let reader: any ShapeReader
  /// Whether it counts as the first sync's, whatever is known.
  let isFirst: Bool
  /// Whether the parser could read the answers; others are compared, and never learned from.
  var isUnderstood = true

  /// Remembers the first shape, and later what became of it; nothing is written where nothing changed.
  ///
  /// - Throws: `StoreError` where the store cannot be read or written.
  func keep(
    at now: Timestamp, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard !shape.fields.isEmpty else { return }
    let parameters = FollowState.parameters(of: follow)
    let known = try transaction.fields(.state, ShapeMemory.id(follow.path), coder).flatMap { ShapeMemory($0) }
    var memory: ShapeMemory
    if var kept = known, kept.parameters == parameters, !isFirst || !isUnderstood {
      kept.compare(with: shape, reader, at: now)
      memory = kept
    } else {
      guard isUnderstood else { return }
      memory = ShapeMemory(follow: follow.path, parameters: parameters, shape: shape, at: now)
      if let known, memory.isAs(known) { return }
    }
    if memory != known { try transaction.put(coder.encode(memory.fields), id: ShapeMemory.id(follow.path), in: .state) }
  }
}
