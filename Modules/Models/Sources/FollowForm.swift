/// One form that the paths of a source's follows can have.
public struct FollowForm: Hashable, Sendable {
  /// The path with its parameters in braces, as in RFC 6570: `app-store/{storefront}/{chart}`. `{name}` is one part of
  /// the path, `{+name}` at the end is the whole rest, slashes included.
  public var template: String
  /// What such a follow keeps, in a few words for help texts.
  public var summary: String
  /// How many records a follow may ask for; `nil` where a limit has no meaning.
  public var limit: Limit?

  /// Makes a form.
  public init(_ template: String, _ summary: String, limit: Limit? = nil) {
    self.template = template
    self.summary = summary
    self.limit = limit
  }

  /// How many records a follow may ask for.
  public struct Limit: Hashable, Sendable {
    /// What counts where the follow names no limit.
    public var standard: Int
    /// The largest limit; the smallest is 1.
    public var largest: Int

    /// Makes a range.
    public init(standard: Int, largest: Int) {
      self.standard = standard
      self.largest = largest
    }
  }

  /// The form as users read it, with parameters in capitals: `app-store/STOREFRONT/CHART`.
  public var text: String {
    Self.parts(template).map { Self.parameter($0)?.name.uppercased() ?? $0 }.joined(separator: "/")
  }

  /// What stands before the first parameter: `flickr/person/`.
  public var prefix: String { String(template.prefix { $0 != "{" }) }

  /// The parameters of a path, in their order, as they are written; `nil` where the path has another form.
  ///
  /// A parameter has 1 to 512 bytes without control characters, and is not `.` or `..`, because it becomes part of an
  /// address. O(bytes).
  public func parameters(of path: String) -> [String]? {
    var rest = Self.parts(path)[...]
    var parameters: [String] = []
    for part in Self.parts(template) {
      guard let next = rest.first else { return nil }
      guard let parameter = Self.parameter(part) else {
        guard next.exact == part.exact else { return nil }
        rest = rest.dropFirst()
        continue
      }
      let value = parameter.isRest ? rest.joined(separator: "/") : next
      guard Self.isAllowed(value) else { return nil }
      parameters.append(value)
      rest = parameter.isRest ? [] : rest.dropFirst()
    }
    return rest.isEmpty ? parameters : nil
  }

  private static func parts(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  private static func parameter(_ part: String) -> (name: String, isRest: Bool)? {
    guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let name = part.dropFirst().dropLast()
    return name.hasPrefix("+") ? (String(name.dropFirst()), true) : (String(name), false)
  }

  private static func isAllowed(_ value: String) -> Bool {
    (1...512).contains(value.utf8.count) && value != "." && value != ".."
      && !value.utf8.contains { $0 < 0x20 || $0 == 0x7F }
  }
}
