import Models
import Ports

// What an answer holds.

extension ManifestTranslation {
  /// Adds where the records are, the pages and the form of answers.
  mutating func answer(
    _ stream: ManifestPart, _ retriever: ManifestPart, _ context: ManifestContext, _ pages: JSONObject,
    _ level: inout Level
  ) throws(Refusal) {
    let selector = try retriever["record_selector"].withoutProgram()
    let extractor = try selector["extractor"].withoutProgram()
    let decoder = try retriever["decoder"].withoutProgram()
    switch decoder.type {
    case "", "JsonDecoder": break
    case "JsonlDecoder": level.request.append("format", "lines")
    case "XmlDecoder": level.request.append("format", "xml")
    case "CsvDecoder": level.request.append("format", "csv")
    default: throw Refusal("answers of the form \(decoder.type)")
    }
    var path = "$"
    let steps = extractor[first: "field_path", "field_pointer"]
    for step in steps.elements {
      let value = try context.value(of: step)
      if case .list(let values) = value {
        for value in values { path = ManifestText.step(path, value.text ?? "") }
        continue
      }
      guard let text = value == .nothing ? "" : value.text else { throw Refusal("records at a computed place") }
      switch text {
      case "": continue
      case "*": path += "[*]"
      case "**": throw Refusal("records at any depth (**)")
      default: path = Int(text) != nil ? "\(path)[\(text)]" : ManifestText.step(path, text)
      }
    }
    var take: JSONObject = ["records": path != "$" ? .of(path) : nil]
    let filter = try selector["record_filter"].withoutProgram()
    if let condition = filter["condition"].text, !condition.isEmpty {
      let only = try conditions(condition, context)
      if !only.isEmpty { take.append("only", .object(only)) }
    }
    level.request.append("take", .object(take))
    if !pages.isEmpty { level.request.append("pages", .object(pages)) }
  }

  private static func expression(_ text: String) throws(Refusal) -> ManifestExpression {
    let nodes = try ManifestTemplate.read(text.contains("{{") || text.contains("{%") ? text : "{{ \(text) }}").filter {
      node in
      if case .text(let text) = node { text.contains { !$0.isWhitespace } } else { true }
    }
    guard nodes.count == 1, case .output(let expression) = nodes[0] else { throw Refusal("a filter with statements") }
    return expression
  }

  /// What a record must be to be taken.
  private mutating func conditions(_ text: String, _ context: ManifestContext) throws(Refusal) -> JSONObject {
    let isDated = ["stream_state", "stream_interval", "start_date", "updated", "created"].contains { text.contains($0) }
    let expression: ManifestExpression
    do throws(Refusal) { expression = try Self.expression(text) } catch {
      if isDated {
        note("a filter by date is left out: older records stay, too")
        return [:]
      }
      throw error
    }
    return try conditions(expression, context)
  }

  private mutating func conditions(
    _ expression: ManifestExpression, _ context: ManifestContext
  ) throws(Refusal) -> JSONObject {
    func one(_ path: String, _ value: JSONValue, isNot: Bool = false) -> JSONObject {
      JSONObject(members: [.init(key: path, value: isNot ? ["not": value] : value)])
    }
    let slices: Set<ExactString> = ["stream_interval", "stream_state", "stream_slice", "stream_partition"]
    if !expression.names.isDisjoint(with: slices), expression.compares(with: [">", ">=", "<", "<="]) {
      note("a filter by date is left out: older records stay, too")
      return [:]
    }
    switch expression {
    case .binary("and", let left, let right):
      let (one, other) = (try conditions(left, context), try conditions(right, context))
      guard other.members.allSatisfy({ one[$0.key] == nil }) else { throw Refusal("two filters of one value") }
      return JSONObject(members: one.members + other.members)
    case .binary("or", let left, let right):
      if left.names == ["config"] { return try conditions(right, context) }
      if right.names == ["config"] { return try conditions(left, context) }
      let (a, b) = (try conditions(left, context), try conditions(right, context))
      guard a.members.count == 1, b.members.count == 1, a.members[0].key == b.members[0].key,
        a.members[0].value.object == nil, b.members[0].value.object == nil
      else { throw Refusal("a filter with or") }
      func list(_ value: JSONValue) -> [JSONValue] { value.array ?? [value] }
      return one(a.members[0].key, .array(list(a.members[0].value) + list(b.members[0].value)))
    case .not(let inner):
      let found = try conditions(inner, context)
      guard found.members.count == 1 else { throw Refusal("a filter with not") }
      let member = found.members[0]
      if let inner = member.value.object?["not"] { return one(member.key, inner) }
      return one(member.key, member.value, isNot: true)
    case .choice(let test, let yes, _) where test.names == ["config"]: return try conditions(yes, context)
    case .test(let inner, let word) where ["none", "defined"].contains(word):
      guard case .path(let path) = try context.value(inner) else { throw Refusal("a filter") }
      return one(path, .null, isNot: word == "defined")
    case .comparison(let sign, let left, let right, _):
      let (a, b) = (try context.value(left), try context.value(right))
      switch (sign, a, b) {
      case ("==", .path(let path), .nothing), ("!=", .path(let path), .nothing):
        return one(path, .null, isNot: sign == "!=")
      case ("==", .path(let path), .constant(let value)), ("!=", .path(let path), .constant(let value)):
        return one(path, value, isNot: sign == "!=")
      case ("==", .path(let path), .variable(let name, _, _)), ("!=", .path(let path), .variable(let name, _, _)),
        ("in", .path(let path), .variable(let name, _, _)), ("not in", .path(let path), .variable(let name, _, _)):
        guard settings.isSetting(name) else { throw Refusal("a filter by a value of the request") }
        return one(path, .string("{\(name)}"), isNot: sign == "!=" || sign == "not in")
      case ("in", .path(let path), .list(let values)), ("not in", .path(let path), .list(let values)):
        var allowed: [JSONValue] = []
        for value in values {
          guard case .constant(let constant) = value == .nothing ? .constant(.null) : value else {
            throw Refusal("a filter")
          }
          allowed.append(constant)
        }
        return one(path, .array(allowed), isNot: sign == "not in")
      case ("in", _, .path(let path)), ("not in", _, .path(let path)):
        guard let name = a.text else { throw Refusal("a filter") }
        return one(ManifestText.step(path, name), .null, isNot: sign == "in")
      case (">", .path(let path), .constant(0)): return one(path, true)
      default: throw Refusal("a filter that compares")
      }
    default:
      guard case .path(let path) = try context.value(expression) else { throw Refusal("a filter") }
      return one(path, true)
    }
  }

  // MARK: Errors

  mutating func errors(_ handler: ManifestPart, _ context: ManifestContext) throws(Refusal) -> [JSONValue] {
    guard case .map = handler else { return [] }
    if let program = handler.program {
      note("what errors mean is program code (\(program)): the status decides")
      return []
    }
    var rules: [JSONValue] = []
    let handlers = handler["error_handlers"].list ?? [handler]
    for handler in handlers where handler.map != nil {
      if handler.program != nil {
        note("what errors mean is program code: the status decides")
        continue
      }
      var after: String?
      for strategy in handler["backoff_strategies"].elements {
        switch strategy.type {
        case "WaitTimeFromHeader": after = strategy["header"].text.map { "header \($0)" }
        case "WaitUntilTimeFromHeader": after = strategy["header"].text.map { "epoch header \($0)" }
        case "ConstantBackoffStrategy":
          after = strategy["backoff_time_in_seconds"].written.flatMap { Double($0) }.map {
            "\(max(1, Int(nearest: $0.rounded(.up))))s"
          }
        case _ where strategy.program != nil: note("the waiting time is program code: it is left out")
        default: break
        }
      }
      var hasTime = false
      for filter in handler["response_filters"].elements {
        var rule = JSONObject()
        let codes = filter["http_codes"].elements.compactMap(\.int)
        if !codes.isEmpty { rule.append("status", .array(codes.map { .int($0) })) }
        if let text = filter["error_message_contains"].text, !text.isEmpty { rule.append("text", text) }
        if let predicate = filter["predicate"].text, !predicate.isEmpty {
          do throws(Refusal) { try add(predicate, to: &rule, context) } catch {
            note("a rule about errors is left out (\(error.reason))")
            continue
          }
        }
        let action = filter["action"].text ?? "FAIL"
        let meaning =
          switch action {
          case "IGNORE", "SUCCESS": "empty"
          case "RETRY", "RATE_LIMITED": "tryLater"
          default: "refused"
          }
        if rule.isEmpty || meaning == "refused" && rule["text"] == nil && rule["if"] == nil { continue }
        rule.append("means", meaning)
        if meaning == "tryLater", let after {
          rule.append("after", after)
          hasTime = true
        }
        if !rules.contains(.object(rule)) { rules.append(.object(rule)) }
      }
      if let after, !hasTime { rules.append(["status": [429], "means": "tryLater", "after": .string(after)]) }
    }
    return rules
  }

  private mutating func add(
    _ predicate: String, to rule: inout JSONObject, _ context: ManifestContext
  ) throws(Refusal) {
    let expression = try Self.expression(predicate)
    func add(_ expression: ManifestExpression) throws(Refusal) {
      if case .binary("and", let left, let right) = expression {
        try add(left)
        return try add(right)
      }
      func condition(_ path: String, _ value: JSONValue) {
        if path == "$.status_code", let status = value.int, HTTPStatus(status).isFinal {
          return rule.replace("status", .array([.int(status)]))
        }
        var conditions = rule["if"]?.object ?? [:]
        if let known = conditions[path]?.object?["not"], let other = value.object?["not"] {
          conditions.replace(path, ["not": .array((known.array ?? [known]) + [other])])
        } else {
          conditions.replace(path, value)
        }
        rule.replace("if", .object(conditions))
      }
      guard case .comparison(let sign, let left, let right, _) = expression else {
        guard case .path(let path) = try context.value(expression), !path.hasPrefix("header") else {
          throw Refusal("a predicate")
        }
        return condition(path, true)
      }
      switch (sign, try context.value(left), try context.value(right)) {
      case ("in", .constant(.string(let text)), .path("$")): condition(ManifestText.step("$", text), ["not": .null])
      case ("in", .constant(.string(let text)), .path(let path)) where !path.hasPrefix("header"):
        rule.append("text", text)
      case ("==", .path(let path), .constant(let value)): condition(path, value)
      case ("!=", .path(let path), .constant(let value)): condition(path, ["not": value])
      default: throw Refusal("a predicate")
      }
    }
    try add(expression)
  }

  // MARK: Fields

  /// The fields that are added to records, and those that are removed.
  mutating func fields(
    addedTo stream: ManifestPart, _ partitions: ManifestContext.Partitions
  ) throws(Refusal) -> (added: [ExactString: ManifestValue], dropped: [[String]]) {
    var context = ManifestContext(settings, partitions)
    if let form = try? ManifestText.form(stream["incremental_sync"]["datetime_format"].text),
      stream["incremental_sync"].map != nil
    {
      context.point = .form(form)
    }
    var dropped: [[String]] = []
    for transformation in stream["transformations"].elements where transformation.map != nil {
      if let program = transformation.program {
        note("a transformation in program code is left out (\(program))")
        continue
      }
      if !transformation["field_pointers"].isNull {
        for pointer in transformation["field_pointers"].elements {
          dropped.append(pointer.elements.compactMap(\.written))
        }
        continue
      }
      for field in transformation["fields"].elements {
        let path = field["path"].elements.compactMap(\.written)
        do throws(Refusal) {
          let value = try context.value(of: field["value"])
          if case .variable("now", _, _) = value {
            dropped.append(path)
            continue
          }
          switch value {
          case .object, .path, .either(.path, _), .parent: break
          default: _ = try template(value, "a field")
          }
          if !secrets(value).isEmpty { throw Refusal("a key") }
          if let text = try? template(value, "a field"), text.contains("{since") || text.contains("{until") {
            throw Refusal("a time of the request")
          }
          context.added[path.joined(separator: ".").exact] = value
        } catch {
          dropped.append(path)
          note("the computed field \(path.joined(separator: ".")) is left out (\(error.reason))")
        }
      }
    }
    return (context.added, dropped)
  }

  private mutating func schema(_ stream: ManifestPart) -> [ManifestComponent.Member] {
    let loader = stream["schema_loader"].list?.first ?? stream["schema_loader"]
    return loader["schema"]["properties"].map?.members ?? []
  }

  private static func kind(_ property: ManifestPart) -> String {
    let types = property["type"].elements.compactMap(\.text).filter { $0 != "null" }
    guard types.count == 1 else { return "json" }
    return ["string": "text", "integer": "int", "number": "decimal", "boolean": "bool"][types[0]] ?? "json"
  }

  /// The kind of an added field: that of the place in the record, or else of the name, in the schema. The record itself is
  /// any value.
  private static func kind(of value: ManifestValue, added name: String, _ properties: [ManifestComponent.Member])
    -> String
  {
    var value = value
    while case .either(let one, _) = value { value = one }
    guard case .path(let path) = value else { return "text" }
    var property: ManifestPart?
    for step in (try? ValuePath(path))?.steps ?? [] {
      guard case .name(let name) = step else { return "text" }
      let known = property.map { $0["properties"].map?.members ?? [] } ?? properties
      property = known.first { $0.name == name }?.value ?? .null
    }
    let known = [property, properties.first { $0.name == name }?.value].compactMap(\.self)
    return known.first { !$0["type"].isNull }.map { kind($0) } ?? (path == "$" ? "json" : "text")
  }

  private static func kind(ofTimes forms: [String]) -> String {
    if forms.contains("epoch") { return "time(epoch)" }
    if forms.contains("epochms") { return "time(epochms)" }
    if forms == ["date"] { return "date" }
    let form = forms.first { $0 != "date" } ?? "time"
    // Without a zone and of a day alone, it is in UTC.
    let isOther = !form.hasPrefix("YYYY-MM-DD") && SourceDefinition.TimeForm.isReadable(form)
    return isOther ? "time(\(form))" : "time(utc)"
  }

  mutating func collection(
    _ stream: ManifestPart, _ partitions: ManifestContext.Partitions, _ point: inout Point?
  ) throws(Refusal) -> JSONObject {
    let properties = schema(stream)
    let (added, dropped) = try fields(addedTo: stream, partitions)
    let gone = Set(dropped.filter { $0.count == 1 }.map { $0[0].exact })
    var fields = JSONObject()
    var names: [ExactString: String] = [:]
    func name(_ original: String) -> String {
      if let known = names[original.exact] { return known }
      var name = ManifestText.camel(original)
      if name == "id" { name = "ownID" }
      while fields[name] != nil { name += "X" }
      names[original.exact] = name
      return name
    }
    let keys = try key(of: stream, added, gone, properties)
    for property in properties where added[property.name.exact] == nil && !gone.contains(property.name.exact) {
      let path = ManifestText.step("$", property.name)
      if keys == [path], ManifestText.camel(property.name) == "id" { continue }
      fields.append(name(property.name), "\(Self.kind(property.value))? \(path)")
    }
    if properties.isEmpty { note("there is no schema: a record is kept as it came, in the field record") }
    if keys.isEmpty { note("records have no key: two that are equal are one") }
    if properties.isEmpty, keys != ["$"] { fields.append("record", "json $") }
    for (exact, value) in added.sorted(by: { $0.key < $1.key }) {
      let original = exact.text
      do throws(Refusal) {
        if case .object(let members) = value {
          var inner = JSONObject()
          for member in members {
            let kind = Self.kind(of: member.value, added: member.name, properties)
            inner.replace(ManifestText.camel(member.name), .string("\(kind)? \(try place(member.value))"))
          }
          if !inner.isEmpty { fields.append(name(original), .object(inner)) }
        } else if !value.isEmptyText {
          let kind = Self.kind(of: value, added: original, properties)
          fields.append(name(original), "\(kind)? \(try place(value))")
        }
      } catch {
        note("the computed field \(original) is left out (\(error.reason))")
      }
    }
    if var current = point {
      let field = current.field ?? ""
      if let value = added[field.exact], case .path = value {
      } else if added[field.exact] != nil || gone.contains(field.exact) {
        note("the records have no time: the list is read as a whole each time")
        point = nil
      }
      if point != nil {
        let kind = Self.kind(ofTimes: current.forms)
        let path =
          if let value = added[field.exact] { try place(value) } else {
            field.split(separator: ".").reduce("$") { ManifestText.step($0, String($1)) }
          }
        current.field = name(field)
        fields.replace(current.field ?? "", .string("\(kind)? \(path)"))
        point = current
      }
    }
    var collection = JSONObject()
    collection.append("id", keys.count > 1 ? .array(keys.map { .string($0) }) : .string(keys.first ?? "$"))
    collection.append("fields", .object(fields))
    return collection
  }

  private func place(_ value: ManifestValue) throws(Refusal) -> String {
    switch value {
    case .path(let path): return path
    case .either(.path(let one), .path(let other)): return "\(one) | \(other)"
    case .either(let one, _): return try place(one)
    default: return try template(value, "a field")
    }
  }

  private mutating func key(
    of stream: ManifestPart, _ added: [ExactString: ManifestValue], _ gone: Set<ExactString>,
    _ properties: [ManifestComponent.Member]
  ) throws(Refusal) -> [String] {
    var keys: [String] = []
    for part in stream["primary_key"].elements {
      var steps = part.elements.compactMap(\.written)
      if steps.count == 1, steps[0].contains("{{") {
        steps = [try text(part.list?.first ?? part, ManifestContext(settings), "the key of records")]
      }
      guard let first = steps.first, !first.isEmpty else { continue }
      if steps.count == 1, let value = added[first.exact] {
        if case .object(let members) = value {
          for member in members { keys.append(try place(member.value)) }
        } else if case .either(let first, _) = value {
          keys.append(try place(first))
        } else {
          keys.append(try place(value))
        }
      } else if steps.count == 1, gone.contains(first.exact) {
        note("the id has the computed field \(first): the id of a record is what it holds")
        return []
      } else {
        keys.append(steps.reduce("$") { ManifestText.step($0, $1) })
      }
    }
    if keys.isEmpty, properties.contains(where: { $0.name == "id" }), added["id"] == nil, !gone.contains("id") {
      return ["$.id"]
    }
    return keys
  }
}
