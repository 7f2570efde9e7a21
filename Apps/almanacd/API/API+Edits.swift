import Hummingbird
import Models
import Ports

extension API {
  /// Edits: made here at once, and queued for the remote.
  var edits: [Route] {
    [
      Route(.post, "/api/v1/people") { call in
        let fields = try call.object("firstName", "lastName", "fullName", "birthday")
        let person = try await call.services.people.add(
          firstName: try Self.name(fields, "firstName"), lastName: try Self.name(fields, "lastName"),
          birthday: try Self.birthday(fields), fullName: try Self.name(fields, "fullName"))
        return Response(
          .created, json: person.fields, call.services.coder,
          headers: [.location: "/api/v1/collections/people/\(percentEncoded(person.id))"])
      },
      Route(.patch, "/api/v1/profiles/**") { call in
        let change = try Self.profileChange(call)
        let profile = try await call.services.profiles.edit(call.rest(after: 3), change)
        return Response(json: profile.fields, call.services.coder)
      },
    ]
  }

  private static func birthday(_ fields: JSONObject) throws(Problem) -> Birthday? {
    guard let value = fields["birthday"] else { return nil }
    guard let text = value.string, let birthday = Birthday(text) else {
      throw Problem(.unprocessableContent, "birthday takes YYYY-MM-DD or --MM-DD")
    }
    return birthday
  }

  private static func name(_ fields: JSONObject, _ key: String) throws(Problem) -> String {
    guard let value = fields[key] else { return "" }
    guard let text = value.string else { throw Problem(.unprocessableContent, "\(key) is a text") }
    return text
  }

  /// The members as a merge patch (RFC 7396): a description of null is taken away.
  private static func profileChange(_ call: APIRequest) throws(Problem) -> ProfileChange {
    let fields = try call.object("name", "email", "description")
    var change = ProfileChange()
    for member in fields.members {
      switch (member.key, member.value) {
      case ("name", .string(let text)): change.name = text
      case ("email", .string(let text)): change.email = text
      case ("description", .string(let text)): change.description = .set(text)
      case ("description", .null): change.description = .clear
      default: throw Problem(.unprocessableContent, "\(member.key) is a text")
      }
    }
    return change
  }
}
