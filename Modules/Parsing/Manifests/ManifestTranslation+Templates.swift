import Models

// Values as texts of a definition.

extension ManifestTranslation {
  /// The value of a part. An expression on settings alone that has no translation becomes a setting, whose text the user
  /// writes.
  mutating func value(
    _ part: ManifestPart, _ context: ManifestContext, _ place: String, named name: String? = nil
  ) throws(Refusal) -> ManifestValue {
    do throws(Refusal) {
      let value = try context.value(of: part)
      switch value {
      case .object, .list, .constant, .nothing, .first, .base64: return value
      default: _ = try template(value, place)
      }
      return value
    } catch {
      guard let text = part.text, let nodes = try? ManifestTemplate.read(text) else {
        throw Refusal("\(place): \(error.reason)")
      }
      let names = ManifestTemplate.names(nodes)
      guard !names.isEmpty, names.isSubset(of: ["config", "parameters", "options"]) else {
        throw Refusal("\(place): \(error.reason)")
      }
      let setting = settings.result(of: text, named: ManifestText.word(name ?? place))
      note("\(place): the user writes the result of an expression as the setting \(setting)")
      return .variable(setting)
    }
  }

  /// The text of a part that depends on nothing but settings.
  mutating func text(_ part: ManifestPart, _ context: ManifestContext, _ place: String) throws(Refusal) -> String {
    try template(try value(part, context, place), place)
  }

  static func escaped(_ text: String) -> String { text.replacing("{", with: "{{").replacing("}", with: "}}") }

  func template(_ value: ManifestValue, _ place: String) throws(Refusal) -> String {
    switch value {
    case .nothing: return ""
    case .constant(let constant):
      switch constant {
      case .string(let text), .number(let text): return Self.escaped(text)
      case .bool(let flag): return String(flag)
      case .null: return ""
      case .array, .object: return Self.escaped(JSONText.compact(constant))
      }
    case .variable(let name, let form, let shift): return "{\(name)\(shift ?? "")\(form.map { ":\($0)" } ?? "")}"
    case .path(let path): return "{\(path)}"
    case .joined(let parts):
      var text = ""
      for part in parts {
        switch part {
        case .object, .list: throw Refusal("a text put together from an object")
        default: text += try template(part, place)
        }
      }
      return text
    case .list(let values):
      return try values.map { (value) throws(Refusal) in try template(value, place) }.joined(separator: ",")
    case .choice(let name, let cases, let other): return "{\(try settings.choice(name, cases, other: other))}"
    case .either(.variable(let name, let form, let shift), let other) where settings.isSetting(name):
      if let text = other.fallback {
        settings.setDefault(name, text)
      } else if case .variable("now", _, let shift) = other {
        settings.setDefault(name, "now\(shift ?? "")")
      }
      return try template(.variable(name, form: form, shift: shift), place)
    case .either(let one, _): return try template(one, place)
    case .parent(let path, let level): return "{\(level.variable(path, base: path))}"
    case .first: throw Refusal("a value of the first page alone")
    case .object: throw Refusal("an object as a text")
    case .base64: throw Refusal("base64")
    case .sum: throw Refusal("arithmetic")
    case .split, .pieces: throw Refusal("a part of a text")
    case .link: throw Refusal("a link")
    case .found: throw Refusal("a regular expression")
    case .last, .duration, .pageSize, .length: throw Refusal("a computed text")
    }
  }

  func secrets(_ value: ManifestValue) -> [String] {
    switch value {
    case .variable(let name, _, _): settings.isSecret(name) ? [name] : []
    case .joined(let parts), .list(let parts), .pieces(let parts): parts.flatMap { secrets($0) }
    case .object(let members): members.flatMap { secrets($0.value) }
    case .either(let one, let other), .sum(let one, let other): secrets(one) + secrets(other)
    case .first(let inner), .base64(let inner), .split(let inner, _): secrets(inner)
    case .choice(let name, _, _): settings.isSecret(name) ? [name] : []
    default: []
    }
  }

  /// The template of a key, whose settings are parts of the key.
  mutating func key(_ value: ManifestValue) throws(Refusal) -> String {
    func note(_ value: ManifestValue) {
      switch value {
      case .variable(let name, _, _) where settings.isSetting(name):
        if !keys.contains(name) { keys.append(name) }
      case .joined(let parts): parts.forEach(note)
      case .either(let one, _): note(one)
      default: break
      }
    }
    note(value)
    return try template(value, "a key")
  }

  // MARK: Addresses and bodies

  /// The variable of a value that may be absent.
  private func optional(_ value: ManifestValue) -> String? {
    switch value {
    case .variable(let name, let form, let shift):
      guard name.hasPrefix("cursor") || settings.isOptional(name) else { return nil }
      return "\(name)\(shift ?? "")\(form.map { ":\($0)" } ?? "")"
    case .either(_, .variable(let name, _, _)) where name.hasPrefix("cursor"): return name
    default: return nil
    }
  }

  private static func encoded(_ text: String) -> String {
    var encoded = text
    for (character, code) in [(" ", "%20"), ("\t", "%09"), ("&", "%26"), ("#", "%23"), ("+", "%2B"), ("\"", "%22")] {
      encoded = encoded.replacing(character, with: code)
    }
    return encoded.replacing("{", with: "%7B").replacing("}", with: "%7D")
  }

  /// The value of a parameter as it stands in an address.
  private func sent(_ value: ManifestValue) throws(Refusal) -> String {
    switch value {
    case .constant(let constant): return Self.encoded(constant.string ?? JSONText.compact(constant))
    case .joined(let parts): return try parts.map(sent).joined()
    case .object(let members) where members.allSatisfy({ $0.value.text != nil }):
      let object = JSONObject(members: members.map { .init(key: $0.name, value: .string($0.value.text ?? "")) })
      return Self.encoded(JSONText.compact(.object(object)))
    default:
      require(value)
      return try template(value, "a parameter")
    }
  }

  func address(_ path: String, _ parameters: [ManifestValue.Member]) throws(Refusal) -> String {
    var fixed: [String] = []
    var loose: [String] = []
    for parameter in parameters where !parameter.value.isEmptyText {
      if let name = optional(parameter.value) {
        loose.append(name == parameter.name ? name : "\(parameter.name)=\(name)")
        continue
      }
      let name = Self.encoded(parameter.name)
      let values = if case .list(let values) = parameter.value { values } else { [parameter.value] }
      for value in values { fixed.append("\(name)=\(try sent(value))") }
    }
    // A form of a time may have spaces.
    var address = ""
    var isInside = false
    for character in path {
      if character == "{" || character == "}" { isInside = character == "{" }
      address += character == " " && !isInside ? "%20" : String(character)
    }
    if !fixed.isEmpty { address += (address.contains("?") ? "&" : "?") + fixed.joined(separator: "&") }
    if !loose.isEmpty { address += "{\(address.contains("?") ? "&" : "?")\(loose.joined(separator: ","))}" }
    return address
  }

  /// A body; texts in it are templates.
  func body(_ value: ManifestValue) throws(Refusal) -> JSONValue {
    switch value {
    case .object(let members):
      var object = JSONObject()
      for member in members where member.value != .nothing { object.append(member.name, try body(member.value)) }
      return .object(object)
    case .list(let values): return .array(try values.map(body))
    case .constant(.string(let text)): return .string(Self.escaped(text))
    case .constant(let constant): return constant
    case .first(let inner): return try body(inner)
    default: return .string(try template(value, "the body"))
    }
  }
}
