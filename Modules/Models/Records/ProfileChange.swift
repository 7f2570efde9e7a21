/// A change of a profile. Properties that are `nil` do not change.
public struct ProfileChange: Hashable, Sendable {
  public enum Text: Hashable, Sendable {
    case set(String)
    case clear
  }

  public var name: String?
  public var email: String?
  public var description: Text?

  public init(name: String? = nil, email: String? = nil, description: Text? = nil) {
    (self.name, self.email, self.description) = (name, email, description)
  }
}

extension ProfileChange {
  public static let fields = ["name", "email", "description"]

  public struct NoText: Error { public var field: String }

  /// Reads a merge patch (RFC 7396). Members besides `fields` are not looked at.
  public init(patch: JSONObject) throws(NoText) {
    self.init()
    for member in patch.members where Self.fields.contains(member.key) {
      switch (member.key, member.value) {
      case ("name", .string(let text)): name = text
      case ("email", .string(let text)): email = text
      case ("description", .string(let text)): description = .set(text)
      case ("description", .null): description = .clear
      default: throw NoText(field: member.key)
      }
    }
  }
}
