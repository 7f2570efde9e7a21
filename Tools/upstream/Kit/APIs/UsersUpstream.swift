/// Simulates a server of user profiles: `GET` and `PUT /user/{id}` with versions.
struct UsersUpstream {
  struct User {
    var name: String
    var email: String
    var description: String?
    var version = 1
  }

  private let options: UpstreamOptions
  private(set) var users: [String: User]

  init(options: UpstreamOptions) {
    self.options = options
    var users: [String: User] = [:]
    for (index, id) in options.userIDs.enumerated() {
      var dice = Dice(options.seed, "user", index)
      let first = dice.pick(Words.firstNames)
      let last = dice.pick(Words.lastNames)
      users[id] = User(
        name: "\(first) \(last)", email: "\(Words.slug(first)).\(Words.slug(last))@example.com",
        description: index % 3 == 2 ? nil : "Lives in \(dice.pick(Words.places)). \(dice.pick(Words.sentences))")
    }
    self.users = users
  }

  func get(_ id: String) -> Content {
    guard let user = users[id] else { return unknown(id) }
    return content(id, user)
  }

  mutating func put(_ id: String, _ request: ReceivedRequest) -> Content {
    guard let user = users[id] else { return unknown(id) }
    if options.validators != .none, let wanted = request.headers["if-match"], wanted != "*",
      !Validators.list(wanted).contains(tag(id, user))
    {
      return .error(412, "The user was changed by another client", status: 412)
    }
    guard let value = try? JSONValue(parsing: request.body), value.fields != nil else {
      return .error(400, "The body is not a JSON object", status: 400)
    }
    let body = value["data"] ?? value
    if let named = body["userId"]?.string, named != id {
      return .error(409, "userId differs from the address", status: 409)
    }
    guard let name = body["name"]?.string, !name.isEmpty else { return .error(422, "name is missing", status: 422) }
    guard let email = body["email"]?.string, email.contains("@") else {
      return .error(422, "email is not an address", status: 422)
    }
    // PUT replaces the whole user, so a missing description is removed.
    set(id, User(name: name, email: email, description: body["description"]?.string))
    guard let changed = users[id] else { return unknown(id) }
    return content(id, changed)
  }

  /// Changes a user like another client: fields replace fields; null removes the description.
  mutating func change(_ id: String, _ value: JSONValue) {
    var user = users[id] ?? User(name: id, email: "\(id)@example.com", version: 0)
    if let name = value["name"]?.string { user.name = name }
    if let email = value["email"]?.string { user.email = email }
    if let description = value["description"] { user.description = description.string }
    set(id, user)
  }

  private mutating func set(_ id: String, _ user: User) {
    var user = user
    user.version = (users[id]?.version ?? 0) + 1
    users[id] = user
  }

  private func unknown(_ id: String) -> Content {
    // This API reports its own errors with status 200.
    .error(404, "No user \(id)", status: 200)
  }

  private func tag(_ id: String, _ user: User) -> String { "\"\(Words.slug(id))-\(user.version)\"" }

  private func content(_ id: String, _ user: User) -> Content {
    let bytes = JSONText.object { text in
      text.object("data") { fields(id, user, &$0) }
    }
    return Content(
      body: bytes, modified: Instant(seconds: Instant.start.seconds + user.version * 60),
      validated: options.validators != .none, tag: tag(id, user))
  }

  func fields(_ id: String, _ user: User, _ text: inout JSONText) {
    text.field("userId", id)
    text.field("name", user.name)
    text.field("email", user.email)
    if let description = user.description { text.field("description", description) }
  }
}
