/// Which requests meet which fault, and how often.
public struct FaultRule: Sendable, Equatable {
  /// The fault.
  public var fault: Fault
  /// Only this method; nil is any.
  public var method: String?
  /// Only this path, in which `*` stands for anything; nil is any.
  public var path: String?
  /// Only targets that hold this text, for example `method=flickr.people.getInfo`; nil is any.
  public var contains: String?
  /// Lets this many matching requests through first.
  public var after: Int
  /// Strikes at most so often; nil is without limit.
  public var times: Int?
  /// Strikes this often, of one; which requests is decided by the seed.
  public var chance: Double

  /// A rule that strikes once, unless told otherwise.
  public init(
    _ fault: Fault, method: String? = nil, path: String? = nil, contains: String? = nil, after: Int = 0,
    times: Int? = 1, chance: Double = 1
  ) {
    self.fault = fault
    self.method = method
    self.path = path
    self.contains = contains
    self.after = after
    self.times = times
    self.chance = chance
  }

  func matches(_ request: ReceivedRequest) -> Bool {
    if let method, method != request.method { return false }
    if let path, !FaultRule.glob(path, request.path) { return false }
    if let contains, !request.target.contains(contains) { return false }
    return true
  }

  /// Whether a text fits a pattern in which `*` stands for any run of characters.
  static func glob(_ pattern: String, _ text: String) -> Bool {
    let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return pattern == text }
    guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
