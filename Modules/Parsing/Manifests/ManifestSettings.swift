import Models

/// The settings and keys of a definition: the members of `config` that a manifest uses.
final class ManifestSettings {
  struct Schema {
    var fields: ManifestPart
    var isRequired: Bool

    var isSecret: Bool { if case .bool(true) = fields["airbyte_secret"] { true } else { false } }
    var isList: Bool { fields["type"].text == "array" }
    var allowed: [String] {
      let listed = fields["enum"].elements.compactMap(\.written)
      return listed.isEmpty && fields["type"].text == "boolean" ? ["true", "false"] : listed
    }
  }

  private let schemas: [(path: [String], schema: Schema)]
  private var names: [(path: [String], name: String)] = []
  private var notes: [ExactString: String] = [:]
  private var defaults: [ExactString: String] = [:]
  private(set) var choices: [ExactString: [ManifestValue.Choice]] = [:]
  private var origins: [ExactString: String] = [:]
  /// Those that are used as times.
  private var times: Set<ExactString> = []
  private var required: Set<ExactString> = []
  /// Variables of requests, which no setting hides.
  private var variables: Set<ExactString> = []

  private static let reserved: Set<String> = [
    "since", "until", "now", "today", "page", "offset", "size", "limit", "cursor", "key", "token",
  ]

  init(_ spec: ManifestPart) {
    var found: [(path: [String], schema: Schema)] = []
    func walk(_ part: ManifestPart, _ path: [String], _ isRequired: Bool, _ depth: Int) {
      guard depth < 8 else { return }
      let required = part["required"].elements.compactMap(\.text)
      for member in part["properties"].map?.members ?? [] {
        guard case .map = member.value else { continue }
        let inner = path + [member.name]
        found.append((inner, Schema(fields: member.value, isRequired: isRequired && required.contains(member.name))))
        walk(member.value, inner, isRequired, depth + 1)
        for other in member.value["oneOf"].elements + member.value["anyOf"].elements {
          walk(other, inner, false, depth + 1)
        }
      }
      for other in part["oneOf"].elements { walk(other, path, false, depth + 1) }
    }
    walk(spec[first: "connection_specification", "connectionSpecification"], [], true, 0)
    schemas = found
  }

  func name(_ path: [String], isResult: Bool = false) -> String {
    if let known = names.first(where: { $0.path == path }) { return known.name }
    var name = ManifestText.word(path.last ?? "")
    if Self.reserved.contains(name) { name = "set_\(name)" }
    func isTaken() -> Bool { isSetting(name) || variables.contains(name.exact) }
    if isTaken(), !isResult { name = ManifestText.word(path.joined(separator: "_")) }
    let start = name
    var number = 2
    while isTaken() { (name, number) = ("\(start)\(number)", number + 1) }
    names.append((path, name))
    return name
  }

  /// The variable of a request for a name that is neither a setting nor one of the language's own.
  func variable(_ text: String, besides taken: Set<ExactString> = []) -> String {
    var name = ManifestText.word(text)
    func isOfUser() -> Bool { isSetting(name) || schemas.contains { $0.path.last.map(ManifestText.word) == name } }
    while taken.contains(name.exact) || isOfUser() || Self.reserved.contains(name) { name += "_" }
    variables.insert(name.exact)
    return name
  }

  func isSetting(_ name: String) -> Bool { names.contains { $0.name == name } }

  func schema(_ name: String) -> Schema? {
    let path = names.first { $0.name == (origins[name.exact] ?? name) }?.path ?? [name]
    return (schemas.first { $0.path == path } ?? schemas.first { $0.path.last == path.last })?.schema
  }

  /// An address that a server answers to is none, whatever the manifest says (RFC 6749, section 3.1.2).
  func isSecret(_ name: String) -> Bool { schema(name)?.isSecret == true && name != "redirect_uri" }
  func note(_ name: String, _ text: String) { notes[name.exact] = text }
  func setTime(_ name: String) { times.insert(name.exact) }
  /// Says that no request can be sent without the setting.
  func require(_ name: String) { required.insert(name.exact) }

  func isOptional(_ name: String) -> Bool {
    isSetting(name) && schema(name)?.isRequired != true && standard(name) == nil && !times.contains(name.exact)
      && !required.contains(name.exact) && choices[name.exact] == nil
  }

  func setDefault(_ name: String, _ text: String) {
    if defaults[name.exact] == nil, !text.isEmpty { defaults[name.exact] = text }
  }

  private func standard(_ name: String) -> String? {
    if let written = schema(name)?.fields["default"], !written.isEmpty || written.written == "false" {
      let text = written.list.map { $0.compactMap(\.written).joined(separator: ",") } ?? written.written
      if let text, !text.isEmpty { return text }
    }
    if let text = defaults[name.exact] { return text }
    return times.contains(name.exact) && schema(name)?.isRequired != true ? "now-730d" : nil
  }

  /// A setting whose text is the result of an expression on settings alone.
  func result(of expression: String, named name: String) -> String {
    let name = self.name([expression.filter { !$0.isWhitespace }, name], isResult: true)
    let text = expression.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    required.insert(name.exact)
    notes[name.exact] = "the result of \(text.prefix(160))"
    return name
  }

  /// The setting that has these texts for those of another one.
  func choice(_ name: String, _ cases: [ManifestValue.Choice], other: String?) throws(Refusal) -> String {
    let allowed = schema(name)?.allowed ?? []
    func sent(_ text: String) -> String { cases.first { $0.given == text }?.sent ?? other ?? text }
    var full = allowed.isEmpty ? cases : allowed.map { .init(given: $0, sent: sent($0)) }
    if allowed.isEmpty || schema(name)?.isRequired != true { full.append(.init(given: "*", sent: other ?? "")) }
    if choices[name.exact] == nil || choices[name.exact] == full {
      choices[name.exact] = full
      return name
    }
    for number in 2..<20 {
      let further = "\(name)_\(number)"
      if choices[further.exact] == full { return further }
      if !isSetting(further) {
        names.append(([further], further))
        (choices[further.exact], origins[further.exact]) = (full, name)
        return further
      }
    }
    throw Refusal("a setting with many meanings")
  }

  /// The member `with` of a definition, of those that a text names and that are no keys.
  func with(_ isUsed: (String) -> Bool, keys: Set<ExactString>) -> JSONObject {
    var with = JSONObject()
    var used = names.map(\.name).filter { isUsed($0) && !keys.contains($0.exact) }
    for name in used { if let origin = origins[name.exact], !used.contains(origin) { used.append(origin) } }
    for name in used {
      var setting = JSONObject()
      if let choices = choices[name.exact] {
        setting.append(
          "values", .object(JSONObject(members: choices.map { .init(key: $0.given, value: .string($0.sent)) })))
      } else if let allowed = schema(name)?.allowed, !allowed.isEmpty, schema(name)?.isList != true {
        setting.append("values", .array(allowed.map { .string($0) }))
      }
      setting.append("of", origins[name.exact])
      if origins[name.exact] == nil {
        if let standard = standard(name) {
          setting.append("default", standard)
        } else if isOptional(name) {
          setting.append("optional", true)
        }
      }
      let title = schema(name)?.fields["title"].text
      setting.append("about", (notes[name.exact] ?? title).map { String($0.prefix(200)) })
      with.append(name, .object(setting))
    }
    return with
  }
}

extension ManifestPart {
  /// A text, number or truth value as it is written.
  var written: String? {
    switch self {
    case .text(let text, _): text
    case .number(let digits): digits
    case .bool(let flag): String(flag)
    case .null, .list, .map: nil
    }
  }
}
