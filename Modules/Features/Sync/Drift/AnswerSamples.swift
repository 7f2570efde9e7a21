import Ports

/// The answers of one pull that are looked at for drift: the first one, and small ones (the first is a list, most often,
/// and the small ones are about its records).
struct AnswerSamples {
  /// Up to this size an answer is small, in bytes.
  private static let small = 16 << 10
  /// No first answer larger than this is kept, in bytes.
  private static let large = 8 << 20
  /// How many are kept.
  private static let limit = 64

  /// The bodies, in the order in which they came.
  private(set) var bodies: [[UInt8]] = []

  /// Takes an answer, or passes it over. O(1).
  mutating func take(_ response: HTTPResponse) {
    let size = response.body.count
    guard response.isSuccess, size > 0, bodies.count < Self.limit, size <= (bodies.isEmpty ? Self.large : Self.small)
    else { return }
    bodies.append(response.body)
  }
}
