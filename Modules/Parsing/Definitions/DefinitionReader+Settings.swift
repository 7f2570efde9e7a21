import Models

// What the user chooses for the whole source.

extension DefinitionReader {
  var settingScope: Scope {
    Scope(always: settings.filter { !$0.isOptional }.map(\.name), sometimes: settings.filter(\.isOptional).map(\.name))
  }

  mutating func settings(_ node: JSONNode) -> [SourceDefinition.Setting] {
    members(node) { reader, name, value in
      let text = name.text
      guard reader.isObject(value, of: ["values", "default", "about", "of", "optional"]) else { return nil }
      if !Self.isVariable(text) || Self.reserved.contains(text) {
        return reader.fail(
          name, of: value,
          "\(SpellingSuggestion.quoted(text)) is no name of a setting: letters, digits and _, and none of "
            + Self.reserved.joined(separator: ", "))
      }
      var setting = SourceDefinition.Setting(text, help: value["about"].flatMap { reader.nonEmpty($0) } ?? "")
      if let values = value["values"] {
        setting.choices =
          values.isObject
          ? reader.members(values) { reader, given, sent in
            (sent.digits ?? reader.string(sent)).map { .init(given.text, sent: $0) }
          }
          : reader.each(values) { reader, entry in
            (entry.digits ?? reader.nonEmpty(entry)).map { .init($0, sent: $0) }
          }
      }
      setting.standard = value["default"].flatMap { $0.digits ?? $0.bool.map(String.init) ?? reader.nonEmpty($0) }
      setting.isOptional = value["optional"].flatMap { reader.flag($0) } ?? false
      if let origin = value["of"] {
        setting.origin = reader.nonEmpty(origin)
        if let name = setting.origin, node.member(name) == nil {
          reader.add(origin, "there is no setting \(SpellingSuggestion.quoted(name)) in \"with\"")
        }
      }
      if let standard = setting.standard, setting.origin == nil, !setting.choices.isEmpty,
        !setting.choices.contains(where: { [standard, "*"].contains($0.given) }), let place = value["default"]
      {
        reader.add(
          place, "expected one of \(setting.choices.map(\.given).joined(separator: ", ")), found \(place.summary)")
      }
      return setting
    }
  }

  /// Variables that requests have of themselves.
  static let reserved = ["since", "until", "now", "today", "page", "offset", "size", "limit", "cursor", "key", "token"]
}
