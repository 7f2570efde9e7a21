import Models
import Ports

/// One person as servers describe it: `{id?, firstName, lastName, birthday}`, the names also in snake case or within
/// `name`, the birthday also under its other usual names.
enum PersonRecord {
  /// The person.
  ///
  /// - Throws: `ParsingError` that names the field which is not as it must be.
  static func person(_ node: JSONNode) throws(ParsingError) -> RemotePerson {
    guard node.isObject else { throw node.error(expected: "an object") }
    guard let birthday = birthdayNode(node) else { throw node.error(expected: "a birthday", missing: "birthday") }
    let first = try name(node, "firstName", "first_name", "first")
    let last = try name(node, "lastName", "last_name", "last")
    if first.isEmpty, last.isEmpty { throw node.error(expected: "a name", missing: "firstName") }
    return RemotePerson(
      remoteID: try identifier(node), firstName: first, lastName: last,
      birthday: try BirthdayForm.birthday(birthday))
  }

  /// Whether an object has what only people have.
  static func isPerson(_ node: JSONNode) -> Bool {
    birthdayNode(node) != nil || (node["firstName"] ?? node["first_name"]) != nil
  }

  private static func birthdayNode(_ node: JSONNode) -> JSONNode? {
    node.present("birthday") ?? node.present("birthDate") ?? node.present("birth_date") ?? node.present("dateOfBirth")
      ?? node.present("date_of_birth") ?? node.present("dob")
  }

  /// A name, which may be empty for people who have only the other one, and must be there.
  private static func name(
    _ node: JSONNode, _ camel: StaticString, _ snake: StaticString, _ short: StaticString
  ) throws(ParsingError) -> String {
    let found = node.present(camel) ?? node.present(snake) ?? node.present("name")?.present(short)
    guard let found else { throw node.error(expected: "a string", missing: "\(camel)") }
    guard let text = found.string else { throw found.error(expected: "a string") }
    return text
  }

  private static func identifier(_ node: JSONNode) throws(ParsingError) -> String? {
    guard let id = node.present("id"), id.isString || id.isNumber else { return nil }
    return try node.optionalText("id")
  }
}
