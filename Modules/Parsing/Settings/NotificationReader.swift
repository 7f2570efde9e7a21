import Models

extension SettingsReader {
  mutating func notifications(_ node: JSONNode) -> [NotificationTarget] {
    var targets: [NotificationTarget] = []
    var names: Set<ExactString> = []
    for entry in elements(node) {
      let target = self.target(entry)
      // Also where one of the two has another mistake.
      if entry.isObject, let value = entry["name"], let name = value.string, !names.insert(name.exact).inserted {
        add(value, "\(SpellingSuggestion.quoted(name)) is the name of another receiver already")
      }
      if let target { targets.append(target) }
    }
    return targets
  }

  private mutating func target(_ node: JSONNode) -> NotificationTarget? {
    let before = problems.count
    guard isObject(node, of: ["name", "webhook", "secret", "ntfy", "token", "mail", "on"]) else { return nil }
    // What a misspelled key was to be is not missing as well.
    let isMisspelled = problems.count > before
    var name: String?
    if let value = node["name"] {
      name = nonEmpty(value)
    } else if !isMisspelled {
      add(node, "\"name\" is missing: a name of your choice for this receiver")
    }
    let channel = self.channel(node, isMisspelled: isMisspelled)
    var rules: NotificationRules?
    if let value = node["on"] {
      rules = self.rules(value)
    } else if !isMisspelled {
      add(node, "\"on\" is missing: what this receiver is told, such as {\"birthdays\": [7, 0], \"stale\": true}")
    }
    guard let name, let channel, let rules else { return nil }
    return NotificationTarget(name: name, channel: channel, rules: rules)
  }

  private mutating func channel(_ node: JSONNode, isMisspelled: Bool) -> NotificationTarget.Channel? {
    for (key, kind) in [("secret", "webhook"), ("token", "ntfy")] where node.member(kind) == nil {
      if let value = node.member(key) { add(value, "\"\(key)\" belongs to \"\(kind)\"") }
    }
    switch (node["webhook"], node["ntfy"], node["mail"]) {
    case (let value?, nil, nil):
      return address(of: value).map { .webhook(url: $0, secret: secret(node["secret"], "secret")) }
    case (nil, let value?, nil):
      guard let url = address(of: value) else { return nil }
      guard url.split(separator: "/").count > 2 else {
        return fail(value, "expected a URL with a topic, such as \"https://ntfy.sh/almanac-1f9c\"")
      }
      return .ntfy(url: url, token: secret(node["token"], "token"))
    case (nil, nil, let value?): return mailAddress(value).map { .mail($0) }
    case (nil, nil, nil) where isMisspelled: return nil
    default: return fail(node, "expected one of \"webhook\", \"ntfy\" and \"mail\"")
    }
  }

  /// A URL that may have a query, as those of webhooks do.
  private mutating func address(of node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    let base = text.prefix { $0 != "?" }
    if let problem = ServerURL.problem(String(base)) { return fail(node, problem) }
    let isEncoded = text[base.endIndex...].unicodeScalars.allSatisfy { $0 > " " && $0 < "\u{7F}" && $0 != "#" }
    return isEncoded
      ? text : fail(node, "expected a query without spaces and other characters that have to be percent-encoded")
  }

  /// An address that cannot be taken for an option or for two addresses.
  private mutating func mailAddress(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.hasPrefix("-"),
      text.unicodeScalars.allSatisfy({ $0 > " " && $0 != "\u{7F}" && !",;:<>()[]\\\"".unicodeScalars.contains($0) })
    {
      return text
    }
    return fail(node, "expected a mail address, found \(node.summary)")
  }

  private mutating func rules(_ node: JSONNode) -> NotificationRules? {
    let before = problems.count
    var rules = NotificationRules()
    guard read(node, SettingSchema.events, kind: "event", into: &rules) != nil else { return nil }
    // What was left out because of a mistake is told by that mistake.
    if rules.isEmpty, problems.count == before {
      add(node, "expected at least one event; this receiver is told nothing")
    }
    return rules
  }

  mutating func days(_ node: JSONNode) -> [Int] {
    elements(node).compactMap { entry in
      if let day = entry.int, (0...366).contains(day) { return day }
      return fail(entry, "expected a number of days before the birthday, 0 to 366, found \(entry.summary)")
    }
  }

  mutating func charts(_ node: JSONNode) -> [NotificationRules.Chart] {
    elements(node).compactMap { entry in
      let before = problems.count
      guard isObject(entry, of: ["chart", "top"]) else { return nil }
      let isMisspelled = problems.count > before
      let path = entry["chart"].flatMap { chart($0) }
      if entry["chart"] == nil, !isMisspelled { add(entry, "\"chart\" is missing: the path of a chart") }
      let top = entry["top"]?.int.flatMap { (1...200).contains($0) ? $0 : nil }
      if top == nil, entry["top"] != nil || !isMisspelled {
        add(entry["top"] ?? entry, "expected \"top\", a number of ranks from 1 to 200")
      }
      guard let path, let top else { return nil }
      return .init(path: path, top: top)
    }
  }

  /// The usual spelling of a chart's path.
  private mutating func chart(_ node: JSONNode) -> String? {
    guard let text = nonEmpty(node) else { return nil }
    switch checked(Follow(path: text)) {
    case .success(let follow) where follow.source.rawValue == "app-store": return follow.path
    case .success: add(node, "\(SpellingSuggestion.quoted(text)) is not a chart; charts are those of app-store")
    case .failure(let error): add(node, error)
    }
    return nil
  }

  mutating func collections(_ node: JSONNode) -> [CollectionName] {
    let known = sources?.descriptors.flatMap(\.collections).map(\.name.rawValue) ?? []
    return elements(node).compactMap { entry in
      guard let text = nonEmpty(entry) else { return nil }
      let name = CollectionName(rawValue: text)
      let isName = text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
      guard isName, !name.isInternal else {
        return fail(entry, "expected the name of a collection, such as \"people\", found \(entry.summary)")
      }
      // A collection may also have come with an import: only a name that is nearly one of a source is a mistake.
      guard !known.contains(where: { $0.exact == text.exact }), NearestName.of(text, among: known) != nil
      else { return name }
      return fail(
        entry, "there is no collection \(SpellingSuggestion.quoted(text)); \(SpellingSuggestion.hint(text, known))")
    }
  }
}
