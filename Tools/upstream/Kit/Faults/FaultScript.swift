/// Reads and writes fault scripts: a JSON array of rules.
///
/// ```json
/// [
///   {"fault": "429", "retryAfter": "2", "path": "/people", "times": 2},
///   {"fault": "lost-reply", "method": "POST", "path": "/people"},
///   {"fault": "html", "status": 200, "contains": "flickr.people.getInfo", "after": 3},
///   {"fault": "drip", "piece": 100, "ms": 20, "path": "/*/rss/*", "times": null, "chance": 0.1}
/// ]
/// ```
public enum FaultScript {
  /// What is wrong with a script.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The rule's place, and what was expected.
    public let description: String
  }

  /// Reads a script.
  /// - Throws: ``Failure`` that names the first rule which is wrong.
  public static func rules(parsing bytes: [UInt8]) throws(Failure) -> [FaultRule] {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw Failure(description: "fault script: \(error)")
    }
    guard let items = value.array else { throw Failure(description: "fault script: an array of rules is expected") }
    var rules: [FaultRule] = []
    for (index, item) in items.enumerated() { rules.append(try rule(item, index)) }
    return rules
  }

  private static let names: Set = [
    "fault", "status", "retryAfter", "location", "bytes", "piece", "ms", "method", "path", "contains", "after", "times",
    "chance",
  ]

  private static func rule(_ item: JSONValue, _ index: Int) throws(Failure) -> FaultRule {
    func failure(_ text: String) -> Failure { Failure(description: "fault script: rule \(index): \(text)") }
    guard let fields = item.fields else { throw failure("an object is expected") }
    if let unknown = fields.first(where: { !names.contains($0.name) }) { throw failure("unknown key \(unknown.name)") }
    let name = item["fault"]?.string ?? item["fault"]?.int.map(String.init) ?? ""
    guard var fault = Fault(name: name) else { throw failure("unknown fault '\(name)'") }
    switch fault {
    case .status(let status, let retryAfter):
      let given = item["retryAfter"]?.string ?? item["retryAfter"]?.int.map(String.init)
      fault = .status(item["status"]?.int ?? status, retryAfter: given ?? retryAfter)
    case .html(let status): fault = .html(item["status"]?.int ?? status)
    case .redirect(let status, _): fault = .redirect(item["status"]?.int ?? status, to: item["location"]?.string)
    case .truncate(let count): fault = .truncate(item["bytes"]?.int ?? count)
    case .drip(let piece, let milliseconds):
      fault = .drip(piece: item["piece"]?.int ?? piece, milliseconds: item["ms"]?.int ?? milliseconds)
    case .delay(let milliseconds): fault = .delay(milliseconds: item["ms"]?.int ?? milliseconds)
    default: break
    }
    let times: Int? = item["times"] == .null ? nil : item["times"]?.int ?? 1
    let chance = item["chance"]?.double ?? 1
    guard (0...1).contains(chance) else { throw failure("chance is from 0 to 1") }
    return FaultRule(
      fault, method: item["method"]?.string, path: item["path"]?.string, contains: item["contains"]?.string,
      after: item["after"]?.int ?? 0, times: times, chance: chance)
  }
}
