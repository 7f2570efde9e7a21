import Ports

/// One recorded exchange.
struct HAREntry: Sendable {
  /// What goes wrong on purpose.
  enum Fault: Hashable, Sendable {
    case reset
    case timeout
    case truncate(Int)
    case delay(milliseconds: Int)

    /// Reads `reset`, `timeout`, `truncate:N` or `delay:MS`.
    init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let number = parts.count == 2 ? Int(parts[1]).flatMap { $0 >= 0 ? $0 : nil } : nil
      switch (parts[0], number) {
      case ("reset", nil) where parts.count == 1: self = .reset
      case ("timeout", nil) where parts.count == 1: self = .timeout
      case ("truncate", let bytes?): self = .truncate(bytes)
      case ("delay", let milliseconds?): self = .delay(milliseconds: milliseconds)
      default: return nil
      }
    }
  }

  /// What is answered.
  enum Outcome: Sendable {
    case response(status: Int, headers: HTTPHeaders, body: [UInt8])
    /// The recording holds that there was an answer, but not its body.
    case withoutBody(status: Int)
    /// There was no answer, exactly so.
    case failure(TransportError)
  }

  var method: String
  var url: String
  /// The request's body; `nil` where the recording does not say.
  var body: [UInt8]?
  var fault: Fault?
  var outcome: Outcome
}
