import Models
import Ports

/// Walks through the config file and collects every mistake on the way.
struct SettingsReader: StrictReader {
  /// What was found wrong so far, in no order.
  var problems: [SettingsProblem] = []
  /// The place in `follows` of each path: the first one.
  private(set) var places: [ExactString: Int] = [:]
  let sources: KnownSources?
  private let check: FollowCheck?
  private let fileCheck: FileCheck?

  init(sources: KnownSources?, check: FollowCheck?, fileCheck: FileCheck? = nil) {
    self.sources = sources
    self.check = check
    self.fileCheck = fileCheck
  }

  /// Reads the whole file. What has a mistake is left out of the answer.
  mutating func read(_ root: JSONNode) -> Settings {
    guard isObject(root, of: ["servers", "follows", "daemon", "mcp"]) else { return Settings() }
    var settings = Settings(
      servers: servers(root["servers"], followed: root["follows"]), follows: root["follows"].map { follows($0) } ?? [])
    if let daemon = root["daemon"] { read(daemon, SettingSchema.daemon, into: &settings.daemon) }
    if let mcp = root["mcp"] { read(mcp, SettingSchema.mcp, into: &settings.mcp) }
    return settings
  }

  private mutating func servers(_ node: JSONNode?, followed: JSONNode?) -> [SourceName: Settings.Server] {
    let names = sources.map { $0.names + others(followed, $0) }
    guard let node, isObject(node, of: names?.map(\.rawValue), kind: "source") else { return [:] }
    var servers: [SourceName: Settings.Server] = [:]
    node.forEachMember { name, value in
      let source = SourceName(rawValue: name.text)
      // Where the sources are not known, neither is who has accounts.
      servers[source] = self.server(value) { sources in
        sources.map { $0.names.contains(source) && $0[source]?.hasAccounts == true } ?? true
      }
      if let with = value["with"], with.isObject { self.checkNames(of: with, source) }
    }
    return servers
  }

  /// The sources of follows that are known though they are not among the names: their definition is missing.
  private func others(_ follows: JSONNode?, _ sources: KnownSources) -> [SourceName] {
    guard let follows, follows.isArray else { return [] }
    var others: [SourceName] = []
    follows.forEachElement { _, entry in
      guard entry.isObject, let path = entry["follow"]?.string else { return }
      let name = Follow(path: path).source
      if !sources.names.contains(name), sources[name] != nil { others.append(name) }
    }
    return others
  }

  /// A server. Whether its source has accounts is asked for only if there is another key.
  private mutating func server(_ node: JSONNode, hasAccounts: (KnownSources?) -> Bool) -> Settings.Server? {
    let plain = SettingSchema.server.filter { $0.form != .accounts }
    var isPlain = true
    node.forEachMember { name, _ in isPlain = isPlain && plain.contains { $0.name == name.text } }
    var server = Settings.Server()
    let rows = isPlain || !hasAccounts(sources) ? plain : SettingSchema.server
    guard read(node, rows, into: &server) != nil else { return nil }
    if let key = node["keyFile"], node["certFile"] == nil {
      add(key, "\"keyFile\" belongs to a certificate; name it in \"certFile\"")
    }
    return server
  }

  /// The accounts of a source. Their names are parts of paths of follows.
  private mutating func accounts(_ node: JSONNode) -> [Settings.Account] {
    guard isObject(node, of: nil) else { return [] }
    var accounts: [Settings.Account] = []
    node.forEachMember { name, value in
      let before = self.problems.count
      guard self.isObject(value, of: ["url", "user", "password", "login", "caFile"]) else { return }
      let isMisspelled = self.problems.count > before
      guard Settings.Account.isName(name.text) else {
        return self.add(value, "the name of an account consists of ASCII letters, digits, - and _")
      }
      guard let address = value["url"] else {
        return isMisspelled ? () : self.add(value, "\"url\" is missing: the address of the server")
      }
      let logins = Settings.Account.Login.allCases.map(\.rawValue)
      let login = value["login"].flatMap { self.nonEmpty($0) } ?? logins[0]
      if let node = value["login"], !logins.contains(login) {
        self.add(node, "\"login\" is one of \(logins.joined(separator: ", "))")
      }
      if let password = value["password"], value["user"] == nil, login != "bearer" {
        self.add(password, "\"password\" belongs to a user; name it in \"user\"")
      }
      guard let text = self.baseURL(address) else { return }
      var account = Settings.Account(
        name: name.text, url: text, user: value["user"].flatMap { self.nonEmpty($0) },
        password: self.secret(value["password"], "password"))
      account.login = Settings.Account.Login(rawValue: login) ?? .basic
      account.caFile = value["caFile"].flatMap { self.nonEmpty($0) }
      accounts.append(account)
    }
    return accounts
  }

  /// Only what a definition lets one choose can be chosen.
  private mutating func checkNames(of node: JSONNode, _ source: SourceName) {
    guard let known = sources?[source], !known.isUnreadable else { return }
    let names = known.settings.map(\.name)
    node.forEachMember { name, value in
      if let setting = known.settings.first(where: { $0.name == name.text }) {
        if let text = value.string, setting.sent(for: text) == nil {
          self.add(value, "\(SpellingSuggestion.quoted(text)) is not allowed; \(setting.hint(insteadOf: text))")
        }
      } else {
        self.add(
          value,
          "\(source) has no setting \(SpellingSuggestion.quoted(name.text)); \(SpellingSuggestion.hint(name.text, names))"
        )
      }
    }
  }

  /// Texts by name; a list is written with commas.
  private mutating func texts(_ node: JSONNode) -> [ExactString: String] {
    guard isObject(node, of: nil) else { return [:] }
    var texts: [ExactString: String] = [:]
    node.forEachMember { name, value in
      let values = value.isArray ? self.elements(value) : [value]
      let written = values.compactMap { $0.string ?? $0.digits ?? $0.bool.map(String.init) }
      if written.count == values.count {
        texts[name.text.exact] = written.joined(separator: ",")
      } else {
        self.add(value, "expected a text, a number, true or false, or a list of these, found \(value.summary)")
      }
    }
    return texts
  }

  private mutating func file(_ node: JSONNode, of setting: String) -> String? {
    guard let path = nonEmpty(node) else { return nil }
    if let problem = fileCheck?(setting, path) { add(node, problem, .unusableFile) }
    return path
  }

  /// Nothing of the value is repeated in a message: it may be the secret itself.
  ///
  /// - Parameter name: what it is, for messages: a key, a password.
  mutating func secret(_ node: JSONNode?, _ name: String) -> Settings.Secret? {
    guard let node else { return nil }
    let forms = #"a string, {"env": NAME}, {"file": PATH} or {"command": [WORD, …]}"#
    if let text = node.string {
      if text.isEmpty { add(node, "the \(name) is empty; leave it out, or give \(forms)") }
      return text.isEmpty ? nil : .literal(text)
    }
    guard node.isObject else { return fail(node, "expected \(forms), found \(node.kind.rawValue)") }
    let before = problems.count
    guard isObject(node, of: ["env", "file", "command"]) else { return nil }
    switch (node["env"], node["file"], node["command"]) {
    case (let name?, nil, nil): return nonEmpty(name).map { .environment($0) }
    case (nil, let path?, nil): return nonEmpty(path).map { .file($0) }
    case (nil, nil, let command?): return words(command).map { .command($0) }
    case (nil, nil, nil) where problems.count > before: return nil
    default: return fail(node, "expected one of \"env\", \"file\" and \"command\"")
    }
  }

  /// A program and its arguments. Their text is not repeated in a message.
  private mutating func words(_ node: JSONNode) -> [String]? {
    var words: [String] = []
    node.forEachElement { _, element in if let word = element.string { words.append(word) } }
    let isProgram = node.isArray && words.count == node.elementCount && words.first?.isEmpty == false
    return isProgram
      ? words : fail(node, "expected a program and its arguments, such as [\"pass\", \"show\", \"flickr\"]")
  }

  private mutating func follows(_ node: JSONNode) -> [Follow] {
    var follows: [Follow] = []
    for (index, entry) in elements(node).enumerated() {
      guard let follow = follow(entry) else { continue }
      if let earlier = places[follow.$path] {
        add(entry["follow"] ?? entry, "\(SpellingSuggestion.quoted(follow.path)) is in follows[\(earlier)] already")
      }
      places[follow.$path] = places[follow.$path] ?? index
      follows.append(follow)
    }
    return follows
  }

  private mutating func follow(_ node: JSONNode) -> Follow? {
    let common = SettingSchema.follow.map(\.name)
    let text = node.isObject ? node["follow"]?.string : nil
    let source = text.flatMap { sources?[Follow(path: $0).source] }
    // Where the source is not known, neither are its options: only names that no source has are mistakes then.
    let options = source.map(\.options) ?? sources?.descriptors.flatMap(\.options) ?? []
    // Of a definition with mistakes, everything is an option.
    let others = source?.isUnreadable == true ? node.fields.keys.filter { !common.contains($0) } : []
    var follow = Follow(path: "")
    let allowed = options.map(\.name) + others
    let kind = source == nil ? "key" : "option"
    guard let isSpelled = read(node, SettingSchema.follow, besides: allowed, kind: kind, into: &follow) else {
      return nil
    }
    for option in options where source != nil {
      if let value = node.member(option.name).flatMap({ self.value($0, of: option) }) {
        follow.options[option.name] = value
      }
    }
    for name in others { follow.options[name] = node.member(name)?.value }
    guard let path = node["follow"] else {
      if isSpelled { add(node, "\"follow\" is missing: the path to follow") }
      return nil
    }
    guard !follow.path.isEmpty else { return nil }
    let checked = checked(follow)
    if let sources, source == nil {
      let name = follow.source.rawValue
      let hint = SpellingSuggestion.hint(name, sources.names.map(\.rawValue))
      add(path, "unknown source \(SpellingSuggestion.quoted(name)); \(hint)")
    } else if case .failure(let error) = checked {
      add(error.member.flatMap(node.member) ?? path, error)
    }
    return (try? checked.get()) ?? follow
  }

  /// The value of an option; whether it is one of those that are allowed is checked by the source.
  private mutating func value(_ node: JSONNode, of option: FollowOption) -> JSONValue? {
    let value: JSONValue? =
      node.string.map { .string($0) } ?? node.int.map { .int($0) } ?? node.bool.map { .bool($0) }
    return value.flatMap(option.value) ?? fail(node, "expected \(option.expected), found \(node.summary)")
  }

  func checked(_ follow: Follow) -> Result<Follow, FollowError> {
    do throws(FollowError) { return .success(try check?(follow) ?? follow) } catch { return .failure(error) }
  }

  mutating func add(_ node: JSONNode, _ error: FollowError) {
    add(node, "\(error.message)\(error.message.hasSuffix("?") ? "" : ";") \(error.allowed)")
  }

  private mutating func interval(_ node: JSONNode) -> Interval? {
    if let text = node.string, let interval = Interval(text) { return interval }
    if let seconds = node.int, seconds >= 1, let interval = Interval("\(seconds)s") { return interval }
    return fail(
      node, "expected a time of at least a second, such as \"1h\", \"15m\" or 90 (seconds), found \(node.summary)")
  }
}

extension SettingsReader {
  /// Reads the settings of an object, and of the objects in it that some of the names begin with.
  ///
  /// - Parameters:
  ///   - prefix: what the names of the rows begin with, for an object in another.
  ///   - others: further keys of the object.
  /// - Returns: whether all keys are known; `nil` if the value is not an object.
  @discardableResult
  mutating func read<Root>(
    _ node: JSONNode, _ rows: [SettingRow<Root>], prefix: String = "", besides others: [String] = [],
    kind: String = "key",
    into root: inout Root
  ) -> Bool? {
    let before = problems.count
    var keys: [String] = []
    for row in rows {
      let key = String(row.name.dropFirst(prefix.count).prefix { $0 != "." })
      if !keys.contains(key) { keys.append(key) }
    }
    guard isObject(node, of: keys + others, kind: kind) else { return nil }
    let isSpelled = problems.count == before
    for key in keys {
      guard let value = node.member(key) else { continue }
      if let row = rows.first(where: { $0.name == prefix + key }) {
        if let read = self.value(value, row.form, key) { row.put(read, &root) }
      } else {
        let inner = "\(prefix)\(key)."
        read(value, rows.filter { $0.name.hasPrefix(inner) }, prefix: inner, into: &root)
      }
    }
    return isSpelled
  }

  private mutating func value(_ node: JSONNode, _ form: SettingForm, _ name: String) -> (any Sendable)? {
    switch form {
    case .flag: flag(node)
    case .text: nonEmpty(node)
    case .url: baseURL(node).map(ServerURL.normal)
    case .publicURL: publicURL(node)
    case .listenAddress: listen(node)
    case .hosts: hosts(node)
    case .mode: mode(node)
    case .interval: interval(node)
    case .size: size(node)
    case .count: whole(node)
    case .secret(let kind): secret(node, kind)
    case .file: file(node, of: name)
    case .texts: texts(node)
    case .accounts: accounts(node)
    case .notifications: notifications(node)
    case .days: days(node)
    case .charts: charts(node)
    case .collections: collections(node)
    case .places: elements(node).compactMap { nonEmpty($0) }
    }
  }

  private mutating func publicURL(_ node: JSONNode) -> String? {
    guard let text = baseURL(node).map(ServerURL.normal) else { return nil }
    let path = text.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
    guard let first = path.split(separator: "/").first.map(String.init), Settings.Daemon.ownPaths.contains(first)
    else { return text }
    return fail(node, "the daemon uses paths that begin with /\(first) itself; choose another path, such as /almanac")
  }

  private mutating func listen(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    if ServerURL.isHostAndPort(text) { return text }
    return fail(node, "expected host:port, such as \"127.0.0.1:7423\", found \(node.summary)")
  }

  private mutating func size(_ node: JSONNode) -> Int? {
    if let text = node.string, let count = ByteCount(text) { return count.bytes }
    if let bytes = node.int, bytes >= 0 { return bytes }
    return fail(node, "expected a size, such as \"500M\" or \"2GiB\", found \(node.summary)")
  }

  private mutating func hosts(_ node: JSONNode) -> [String] {
    elements(node).compactMap { entry in
      guard let text = string(entry) else { return nil }
      if ServerURL.isHostWithOrWithoutPort(text) { return text.lowercased() }
      return fail(entry, "expected a host, such as \"almanac.example\" or \"almanac.lan:7423\", found \(entry.summary)")
    }
  }

  /// Octal digits as chmod(1) takes them; a JSON number would be decimal.
  private mutating func mode(_ node: JSONNode) -> Int? {
    if let text = node.string, (3...4).contains(text.utf8.count), let mode = Int(text, radix: 8), mode <= 0o777 {
      return mode
    }
    return fail(node, "expected permission bits as octal digits, such as \"0660\", found \(node.summary)")
  }
}

/// Guesses which of the allowed names was meant.
enum SpellingSuggestion {
  /// A text of the file in quotes and on one line, cut after 64 characters.
  static func quoted(_ text: String) -> String {
    JSONText.compact(.string("\(text.prefix(64))\(text.count > 64 ? "…" : "")"))
  }

  /// `did you mean "limit"?`, or what is allowed where nothing is near.
  static func hint(_ name: String, _ allowed: [String]) -> String {
    if let nearest = NearestName.of(name, among: allowed) { return "did you mean \(quoted(nearest))?" }
    return list(allowed)
  }

  /// `allowed are "url", "apiKey"`
  static func list(_ allowed: [String]) -> String {
    "allowed \(allowed.count == 1 ? "is" : "are") \(allowed.map(quoted).joined(separator: ", "))"
  }
}
