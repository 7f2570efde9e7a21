import Models
public import Ports

/// Parses people: an array, bare or under `data`, with or without paging members. A single person is a list of one;
/// `{"data": {}}` and null are empty lists.
public struct PeopleListParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where it is not a list of people; `foreign` where it is not JSON; `syntax`,
  ///   `truncated` or `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<[RemotePerson]> {
    try ResponseBody.read(body) { (root) throws(ParsingError) -> Parsed<[RemotePerson]> in
      let list = try people(root)
      if list.isObject, list.elementCount == 0 { return Parsed([]) }
      return list.records(PersonRecord.person)
    }
  }

  private func people(_ root: JSONNode) throws(ParsingError) -> JSONNode {
    if root.isArray { return root }
    guard root.isObject else { throw root.error(expected: "a list of people") }
    if let error = root.reportedError { throw error.error(expected: "a list of people") }
    guard let list = root["data"] ?? root["people"] ?? root["results"] else {
      guard PersonRecord.isPerson(root) else { throw root.error(expected: "a list of people", missing: "data") }
      return root
    }
    guard list.isArray || list.isObject || list.isNull else { throw list.error(expected: "a list of people") }
    return list
  }
}

/// Parses the response to a POST of a person: the person that the server created, bare or under `data`.
public struct PersonAnswerParser: ResponseParser {
  public init() {}

  /// - Throws: `ParsingError`: `shape` where it is not a person; `foreign` where it is not JSON; `syntax`, `truncated` or
  ///   `limit` where the JSON is not valid.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<RemotePerson> {
    try ResponseBody.read(body) { (root) throws(ParsingError) -> Parsed<RemotePerson> in
      let person = root["data"]?.firstOfOneOrMany ?? root
      return Parsed(try PersonRecord.person(person))
    }
  }
}

/// One person as servers describe it: `{id?, firstName?, lastName?, birthday?}` with at least one name. Names may also be
/// in snake case or within `name`; the birthday may have other usual names.
private enum PersonRecord {
  static func person(_ node: JSONNode) throws(ParsingError) -> RemotePerson {
    guard node.isObject else { throw node.error(expected: "an object") }
    let first = try name(node, "firstName", "first_name", "first")
    let last = try name(node, "lastName", "last_name", "last")
    if first.isEmpty, last.isEmpty { throw node.error(expected: "a name", missing: "firstName") }
    return RemotePerson(
      remoteID: try identifier(node), firstName: first, lastName: last,
      birthday: try birthdayNode(node).map { (value) throws(ParsingError) in try BirthdayFormat.birthday(value) })
  }

  /// Whether an object has members that only a person has.
  static func isPerson(_ node: JSONNode) -> Bool {
    birthdayNode(node) != nil || (node["firstName"] ?? node["first_name"]) != nil
  }

  private static func birthdayNode(_ node: JSONNode) -> JSONNode? {
    node.nonNull("birthday") ?? node.nonNull("birthDate") ?? node.nonNull("birth_date") ?? node.nonNull("dateOfBirth")
      ?? node.nonNull("date_of_birth") ?? node.nonNull("dob")
  }

  /// A name; empty if there is none, because some people have only one.
  private static func name(
    _ node: JSONNode, _ camel: StaticString, _ snake: StaticString, _ short: StaticString
  ) throws(ParsingError) -> String {
    let found = node.nonNull(camel) ?? node.nonNull(snake) ?? node.nonNull("name")?.nonNull(short)
    guard let found else { return "" }
    guard let text = found.string else { throw found.error(expected: "a string") }
    return text
  }

  private static func identifier(_ node: JSONNode) throws(ParsingError) -> String? {
    guard let id = node.nonNull("id"), id.isString || id.isNumber else { return nil }
    return try node.optionalText("id")
  }
}

/// The formats of birthdays: `YYYY-MM-DD`, `--MM-DD`, an ISO 8601 date-time, seconds since the epoch, or an object with one
/// of these as `date`.
private enum BirthdayFormat {
  /// The birthday.
  ///
  /// - Throws: `ParsingError` where the format is unknown, or the calendar has no such day.
  static func birthday(_ node: JSONNode) throws(ParsingError) -> Birthday {
    let value = node.isObject ? node.nonNull("date") ?? node : node
    let found = value.isString ? read(value.string ?? "") : value.isNumber ? epoch(value.digits ?? "") : nil
    guard let found else {
      throw value.error(expected: "a birthday as YYYY-MM-DD, --MM-DD, a date-time or seconds since 1970")
    }
    return found
  }

  private static func read(_ text: String) -> Birthday? {
    if let birthday = Birthday(text) { return birthday }
    if let birthday = dateTime(text) { return birthday }
    // A string of eight digits may be a date or a time. Guessing could store a wrong birthday.
    return text.utf8.count == 8 ? nil : epoch(text)
  }

  /// The date as written, regardless of the time zone: a birthday does not change with the zone.
  private static func dateTime(_ text: String) -> Birthday? {
    guard text.utf8.count > 10, let birthday = Birthday(text.prefix(10)), birthday.year != nil else { return nil }
    if Timestamp(rfc3339: text) != nil || Timestamp(rfc3339: "\(text)Z") != nil { return birthday }
    // Seconds are optional in ISO 8601.
    let characters = Array(text.utf8)
    let hasMinutes = characters.count >= 16 && characters[13] == 0x3A
    let filled = hasMinutes ? "\(text.prefix(16)):00\(text.dropFirst(16))" : ""
    return Timestamp(rfc3339: filled) != nil || Timestamp(rfc3339: "\(filled)Z") != nil ? birthday : nil
  }

  /// The day in UTC. Negative values are before 1970.
  private static func epoch(_ text: String) -> Birthday? {
    let whole = text.prefix { $0 != "." }
    let fraction = text.dropFirst(whole.count + 1)
    guard var seconds = Int(whole), fraction.utf8.allSatisfy(JSONLexer.isDigit), whole.utf8.first != 0x2B else {
      return nil
    }
    if seconds < 0 || whole.utf8.first == 0x2D, fraction.contains(where: { $0 != "0" }) { seconds = seconds.minus(1) }
    guard let date = Timestamp(exactly: seconds)?.date else { return nil }
    return Birthday(year: date.year, month: date.month, day: date.day)
  }
}
