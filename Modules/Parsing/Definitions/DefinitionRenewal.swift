import Models
public import Ports

/// Writes the words of earlier versions of the language as they are written now. What has none of them keeps its bytes.
struct DefinitionRenewal {
  private(set) var edits: [SettingsEdit] = []
  private(set) var places: [String] = []

  init(_ root: JSONNode) {
    if let auth = root["auth"] { renew(auth: auth) }
    root["follows"]?.forEachMember { _, follow in renew(request: follow) }
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    edits.sorted { $0.range.lowerBound > $1.range.lowerBound }.reduce(bytes) { $1.applied(to: $0) }
  }

  private mutating func renew(request: JSONNode) {
    guard request.isObject else { return }
    if let auth = request["auth"] { renew(auth: auth) }
    var names = [Name(old: "today", form: ":date", new: "now")]
    if let since = request["since"], let name = Self.sent(since) {
      names.append(name)
      renew(since: since)
    }
    for key in ["get", "post", "body", "form", "headers"] {
      if let node = request.member(key) { renew(templatesIn: node, names) }
    }
    if let each = request["each"] {
      if each.isArray { each.forEachElement { _, child in renew(request: child) } } else { renew(request: each) }
    }
  }

  private mutating func replace(_ node: JSONNode, with text: String) {
    edits.append(SettingsEdit(range: node.offset..<node.endOffset, text: text))
    places.append(node.path.description)
  }

  // MARK: Keys

  private mutating func renew(auth node: JSONNode) {
    guard let kind = node["kind"]?.string, let value = Self.auth(kind, node) else { return }
    replace(node, with: Self.line(value))
  }

  private static func auth(_ kind: String, _ node: JSONNode) -> JSONValue? {
    let name = node["name"]?.string
    let prefix = (node["prefix"]?.string ?? "").replacing("{", with: "{{").replacing("}", with: "}}")
    var auth = JSONObject()
    switch kind {
    case "bearer", "basic": auth.append(kind, "{key}")
    case "header":
      auth.append("headers", name.map { JSONValue.object([.init(stringLiteral: $0): .string("\(prefix){key}")]) })
    case "query": auth.append("query", name.map { JSONValue.object([.init(stringLiteral: $0): "{key}"]) })
    case "oauth2":
      auth.append(
        "oauth2", .object(JSONObject(members: node.fields.members.filter { !["kind", "optional"].contains($0.key) })))
    default: break
    }
    guard !auth.isEmpty else { return nil }
    if let optional = node["optional"] { auth.append("optional", optional.value) }
    return auth == ["bearer": "{key}"] ? "bearer" : .object(auth)
  }

  /// One line, with a space after `,` and `:`.
  private static func line(_ value: JSONValue) -> String {
    switch value {
    case .object(let object):
      "{\(object.members.map { "\(JSONText.compact(.string($0.key))): \(line($0.value))" }.joined(separator: ", "))}"
    case .array(let values): "[\(values.map(line).joined(separator: ", "))]"
    default: JSONText.compact(value)
    }
  }

  // MARK: Variables

  private struct Name {
    var old: String
    var form: String
    var new: String
  }

  /// The variable of `since` that is not `since` itself; `nil` where there is nothing to renew.
  private static func sent(_ since: JSONNode) -> Name? {
    guard since["send"].map({ $0.string != nil }) ?? true else { return nil }
    let form: String
    switch since["form"].map(\.string) {
    case .some("date"): form = ":date"
    case .some("epoch"): form = ":epoch"
    case .some("epochms"): form = ":epochms"
    case nil, .some("time"): form = ""
    case .some("text") where since["token"] != nil: form = ""
    // The text of a field as it is has no other spelling, and a mistake none at all.
    default: return nil
    }
    guard since["form"] != nil || since["send"] != nil else { return nil }
    return Name(old: since["send"]?.string ?? "since", form: form, new: "since")
  }

  private mutating func renew(since node: JSONNode) {
    let layout = SettingsLayout(like: node)
    var members: [String] = []
    node.forEachMember { name, value in
      if !["send", "form"].contains(name.text) {
        members.append(SettingsLayout.text(node, name.offset, value.endOffset))
      }
    }
    replace(node, with: "{\(layout.open)\(members.joined(separator: layout.separator))\(layout.close)}")
  }

  private mutating func renew(templatesIn node: JSONNode, _ names: [Name]) {
    node.forEachMember { _, value in renew(templatesIn: value, names) }
    node.forEachElement { _, value in renew(templatesIn: value, names) }
    guard let text = node.string, text.contains("{") else { return }
    let renewed = names.reduce(text) { Self.renaming($1, in: $0) }
    if renewed != text { replace(node, with: JSONText.compact(.string(renewed))) }
  }

  /// The template with `{since:epoch}` for `{from}`, and `{&from=since:epoch}` for `{&from}`.
  private static func renaming(_ name: Name, in template: String) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[...open]
      rest = rest[rest.index(after: open)...]
      if rest.first == "{" {
        text += "{"
        rest = rest.dropFirst()
        continue
      }
      let inside = rest.prefix { $0 != "}" }
      rest = rest[inside.endIndex...]
      let mark = inside.first.map { "+?&".contains($0) } == true ? inside.prefix(1) : ""
      let terms = inside.dropFirst(mark.count).split(separator: ",", omittingEmptySubsequences: false).map { term in
        let parts = term.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.last.map(String.init) == name.old else { return String(term) }
        let value = "\(name.new)\(name.form)"
        let parameter = parts.count > 1 ? String(parts[0]) : name.old
        return mark == "?" || mark == "&" ? parameter == value ? value : "\(parameter)=\(value)" : value
      }
      text += mark + terms.joined(separator: ",")
    }
    return text + rest
  }
}

extension JSONDefinitionFormat {
  /// A definition without the words of earlier versions.
  ///
  /// - Returns: its text and the places that were renewed; none where it has none of them.
  public func renewed(_ bytes: [UInt8]) throws(ParsingError) -> (text: [UInt8], places: [String]) {
    let renewal = try JSONDocument.read(bytes, depthLimit: 64) { DefinitionRenewal($0) }
    return (renewal.applied(to: bytes), renewal.places)
  }
}
