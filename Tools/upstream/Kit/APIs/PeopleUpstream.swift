/// Simulates a server of people: `GET /people` lists them, `POST /people` adds one.
struct PeopleUpstream {
  struct Person {
    let id: String
    let firstName: String
    let lastName: String
    /// The birthday as sent or generated: a string or a number of epoch seconds.
    let birthday: JSONValue
  }

  private let options: UpstreamOptions
  private(set) var people: [Person]
  /// The last generated list, until a person is added.
  private var listed: Content?
  /// The request body and the created person of each idempotency key.
  private var done: [String: (body: [UInt8], person: Person)] = [:]

  init(options: UpstreamOptions) {
    self.options = options
    people = (0..<options.people).map { index in
      var dice = Dice(options.seed, "person", index)
      return Person(
        id: "p\(index + 1)", firstName: dice.pick(Words.firstNames), lastName: dice.pick(Words.lastNames),
        birthday: PeopleUpstream.birthday(index, &dice, drift: options.drift))
    }
  }

  /// A birthday in each of the known forms of the API.
  private static func birthday(_ index: Int, _ dice: inout Dice, drift: Bool) -> JSONValue {
    let born = Instant(seconds: (dice.below(18_000) - 6000) * 86_400)
    switch drift ? index % 5 : 0 {
    case 1: return .string("--" + born.date.dropFirst(5))
    case 2: return .string("\(born.date)T00:00:00Z")
    case 3: return .number(String(born.seconds))
    case 4 where index % 10 == 4: return .string(index % 20 == 4 ? "--02-29" : "2000-02-29")
    default: return .string(born.date)
    }
  }

  mutating func list() -> Content {
    if let listed { return listed }
    var text = JSONText()
    let all = people
    text.array { list in
      for (index, person) in all.enumerated() { list.object { fields(person, index, &$0) } }
    }
    let content = Content(body: text.bytes, validated: options.validators != .none, tag: Validators.tag(text.bytes))
    listed = content
    return content
  }

  mutating func post(_ request: ReceivedRequest) -> Content {
    let key = options.honoursIdempotencyKeys ? request.headers["idempotency-key"] : nil
    if let key, let before = done[key] {
      guard before.body == request.body else {
        return .error(422, "The Idempotency-Key was used for another body", status: 422)
      }
      var content = created(before.person)
      content.headers["idempotency-replayed"] = "true"
      return content
    }
    guard let value = try? JSONValue(parsing: request.body), value.fields != nil else {
      return .error(400, "The body is not a JSON object", status: 400)
    }
    guard let first = value["firstName"]?.string, let last = value["lastName"]?.string, !(first + last).isEmpty else {
      return .error(422, "firstName or lastName is missing", status: 422)
    }
    guard let birthday = value["birthday"], PeopleUpstream.isBirthday(birthday) else {
      return .error(422, "birthday is not a date", status: 422)
    }
    let person = add(first, last, birthday)
    if let key { done[key] = (request.body, person) }
    return created(person)
  }

  /// Adds a person like another client.
  @discardableResult
  mutating func add(_ firstName: String, _ lastName: String, _ birthday: JSONValue) -> Person {
    let person = Person(id: "p\(people.count + 1)", firstName: firstName, lastName: lastName, birthday: birthday)
    people.append(person)
    listed = nil
    return person
  }

  private static func isBirthday(_ value: JSONValue) -> Bool {
    if value.int != nil { return true }
    guard let text = value.string else { return false }
    let digits = text.prefix(10).split(separator: "-", omittingEmptySubsequences: true)
    if text.hasPrefix("--") {
      return digits.count == 2 && digits.allSatisfy { $0.utf8.count == 2 && Int($0) != nil }
    }
    return digits.count == 3 && digits[0].utf8.count == 4 && digits.allSatisfy { Int($0) != nil }
  }

  private func created(_ person: Person) -> Content {
    let bytes = JSONText.object { text in
      text.object("data") { fields(person, nil, &$0) }
    }
    var content = Content.json(bytes, status: 201)
    content.headers["location"] = "/people/\(person.id)"
    return content
  }

  /// - Parameter index: the index in the list; nil for a single person, which is always complete.
  func fields(_ person: Person, _ index: Int?, _ text: inout JSONText) {
    // Some lists omit the id of some people.
    if !(options.drift && (index ?? 0) % 17 == 13) { text.field("id", person.id) }
    text.field("firstName", person.firstName)
    text.field("lastName", person.lastName)
    text.field("birthday", index.map(options.isBroken) ?? false ? .string("sometime") : person.birthday)
  }
}
