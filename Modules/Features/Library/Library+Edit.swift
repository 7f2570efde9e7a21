public import Models
public import Ports

// Edits of records whose collection is edited by no feature of its own.

extension Library {
  public func edit(
    _ collection: CollectionName, _ id: String, _ changes: [FieldChange], ifStored expected: [UInt8]?
  ) async throws(Failure) -> JSONObject {
    guard let edits else { throw uneditable(collection) }
    let described = try editable(collection)
    return try await store.change { (transaction) throws(StoreError) -> Result<JSONObject, Failure> in
      let id = try currentID(collection, id, in: transaction)
      guard let old = try transaction.object(collection, id, coder) else {
        return .failure(Self.missing(collection, id))
      }
      if let expected, try transaction.record(collection, id) != expected {
        return .failure(Failure.changed(collection, id))
      }
      var new = old
      do throws(Failure) {
        for change in changes { try apply(change, to: &new, described, among: described.editableFields) }
      } catch {
        return .failure(error)
      }
      new = Self.ordered(new, described)
      guard new != old else { return .success(old) }
      try transaction.put(coder.encode(new), id: id, in: collection)
      try edits.queueChange(of: collection, id, from: old, to: new, in: &transaction)
      return .success(new)
    }
  }

  /// Only the fields and the kinds of values are checked, not the record.
  public func check(_ changes: [FieldChange], of collection: CollectionName) throws(Failure) {
    let described = try editable(collection)
    var record = JSONObject()
    for change in changes { try apply(change, to: &record, described, among: described.editableFields) }
  }

  private func editable(_ collection: CollectionName) throws(Failure) -> CollectionDescriptor {
    guard let described = catalog[collection], !described.editableFields.isEmpty else { throw uneditable(collection) }
    return described
  }

  private func uneditable(_ collection: CollectionName) -> Failure {
    Self.refusal(
      "records of \(collection) cannot be changed", Self.suggestion("update", collection, catalog[collection]),
      .notEditable)
  }

  public func add(
    _ collection: CollectionName, _ changes: [FieldChange], alongside note: CommitNote?
  ) async throws(Failure) -> JSONObject {
    guard let edits, let described = catalog[collection], !described.newFields.isEmpty else {
      throw Self.refusal(
        "records of \(collection) cannot be added", Self.suggestion("create", collection, catalog[collection]),
        .notAddable)
    }
    let id = edits.newID()
    var record: JSONObject = ["id": .string(id)]
    // What only the address contains is no field of the records: it is in the edit alone.
    let parts = described.addressFields.filter { name in !described.fields.contains { $0.name.exact == name.exact } }
    var addable = described
    addable.fields += parts.map { RecordField($0) }
    let names = described.newFields + described.addressFields.filter { !described.newFields.contains($0) }
    for change in changes { try apply(change, to: &record, addable, among: names) }
    if let missing = described.addressFields.first(where: { record[$0] == nil }) {
      throw Self.refusal(
        "a new record of \(collection) needs \(missing): its address contains it",
        "the address contains \(described.addressFields.joined(separator: ", "))", .required, field: missing)
    }
    for name in described.addressFields where record[name]?.string.map({ $0 == "." || $0 == ".." }) == true {
      throw Self.refusal(
        "'\(name)' cannot be '\(record[name]?.string ?? "")'", "it is a part of an address", .badValue,
        field: name)
    }
    var fields = Self.ordered(record, described)
    record = fields
    for name in parts { record[name] = nil }
    fields["id"] = nil
    return try await store.change { [record, fields] (transaction) throws(StoreError) -> Result<JSONObject, Failure> in
      try transaction.put(coder.encode(record), id: id, in: collection)
      try edits.queueNew(collection, id, fields, over: [:], source: nil, in: &transaction)
      try transaction.put(note, with: collection, id, coder)
      return .success(record)
    }
  }

  public func remove(_ collection: CollectionName, _ id: String, ifStored expected: [UInt8]?) async throws(Failure) {
    guard let edits, catalog[collection]?.isRemovable == true else {
      throw Self.refusal(
        "records of \(collection) cannot be removed", Self.suggestion("delete", collection, catalog[collection]),
        .notRemovable)
    }
    try await store.change { (transaction) throws(StoreError) -> Result<Void, Failure> in
      let id = try currentID(collection, id, in: transaction)
      guard let stored = try transaction.record(collection, id) else { return .failure(Self.missing(collection, id)) }
      if let expected, stored != expected { return .failure(Failure.changed(collection, id)) }
      try edits.queueRemoval(of: collection, id, in: &transaction)
      if try transaction.record(collection, id) != nil { try transaction.delete(collection, id) }
      return .success(())
    }
  }

  /// - Parameter member: what the edits in the definition lack.
  private static func suggestion(
    _ member: String, _ collection: CollectionName, _ described: CollectionDescriptor?
  ) -> Advice {
    if let described, described.isRemovable || !described.editableFields.isEmpty || !described.newFields.isEmpty {
      return "\"edits\" of \(collection) in the definition has no \"\(member)\""
    }
    return "edits are sent by sources whose definition has \"edits\"; people and profiles have commands of their own"
  }

  private static func refusal(_ message: String, _ hint: Advice?, _ code: OwnCode, field: String? = nil) -> Failure {
    Failure(.config, .usage, message, hint: hint, code: .own(code), path: field)
  }

  private func apply(
    _ change: FieldChange, to record: inout JSONObject, _ described: CollectionDescriptor, among names: [String]
  ) throws(Failure) {
    let leaves = described.fields.filter { names.contains($0.name) }.flatMap { [$0] + $0.leaves }
    guard let field = leaves.first(where: { $0.name.exact == change.field.exact }) else {
      let nearest = NearestName.alike(change.field, among: leaves.map(\.name)).map { "'\($0)'" }
      throw Self.refusal(
        "the field '\(change.field)' of \(described.name) cannot be changed",
        nearest.isEmpty
          ? "these can be: \(NearestName.few(names))" : "did you mean \(nearest.joined(separator: " or "))?",
        .notEditable,
        field: change.field)
    }
    guard let value = change.value else {
      guard field.isOptional else {
        throw Self.refusal(
          "the field '\(field.name)' of \(described.name) is required", "set another value", .required,
          field: field.name)
      }
      return Self.set(nil, at: field.name, in: &record)
    }
    guard let read = field.value(of: field.takesLists ? list(value) : value) else {
      throw Self.refusal(
        "'\(field.name)' cannot be \(value.string.map { "'\($0)'" } ?? value.kind)", "expected \(field.expected)",
        .badValue, field: field.name)
    }
    Self.set(read, at: field.name, in: &record)
  }

  /// The list that a text writes as a JSON array, and null for one that has a mistake; every other value as it is.
  private func list(_ value: JSONValue) -> JSONValue {
    guard let text = value.string, text.first(where: { $0 != " " }) == "[" else { return value }
    if let list = (try? coder.decode(Array("{\"list\":\(text)}".utf8)))?["list"] { return list }
    // "[draft], y" is no array with a mistake, but two texts.
    return text.drop { "[ ".contains($0) }.first == "\"" ? .null : value
  }

  private static func set(_ value: JSONValue?, at path: String, in record: inout JSONObject) {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return record[path] = value }
    var inner = record[parts[0]]?.object ?? [:]
    set(value, at: parts[1], in: &inner)
    record[parts[0]] = inner.isEmpty ? nil : .object(inner)
  }

  /// The members in the order of the collection's fields, and then the others.
  private static func ordered(_ record: JSONObject, _ described: CollectionDescriptor) -> JSONObject {
    let names = described.fields.map(\.name)
    var ordered = JSONObject()
    for name in names { ordered.append(name, record[name]) }
    ordered.members += record.members.filter { member in !names.contains { $0.exact == member.key.exact } }
    return ordered
  }
}

extension RecordStore {
  /// Runs `body` as `write` does; a failure that it returns is thrown.
  func change<Value: Sendable>(
    _ body: (inout any StoreTransaction) throws(StoreError) -> Result<Value, Failure>
  ) async throws(Failure) -> Value {
    try await Failure.from { () async throws(StoreError) in try await write(body).value }.get()
  }
}

extension RecordField {
  fileprivate var takesLists: Bool { kind == .texts || kind == .objects }

  /// The value as it is stored; `nil` if the field cannot have it. A text is read as the field's kind.
  fileprivate func value(of given: JSONValue) -> JSONValue? {
    guard let text = given.string else {
      switch (kind, given) {
      case (.whole, .number), (.flag, .bool), (.objects, .array), (.anyObject, _): return given
      case (.texts, .array(let values)): return values.allSatisfy { $0.string != nil } ? given : nil
      case (.decimal, .number(let digits)): return .string(digits)
      default: return nil
      }
    }
    switch kind {
    case .text: return isOptional || !text.allSatisfy(\.isWhitespace) ? given : nil
    case .whole: return Int(text).map { .int($0) }
    case .decimal: return JSONValue(number: text) == nil ? nil : given
    case .flag: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
    case .time: return Timestamp(rfc3339: text).map { .string($0.description) }
    case .timeOrDay:
      return CivilDate(text).map { .string($0.description) } ?? Timestamp(rfc3339: text).map { .string($0.description) }
    case .texts:
      return .array(
        text.split(separator: ",").map { part in
          let words = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
          return .string(String(words))
        })
    case .anyObject: return given
    case .birthday, .objects, .object: return nil
    }
  }

  fileprivate var expected: String {
    switch kind {
    case .text: "a text that is not empty"
    case .whole: "a whole number"
    case .decimal: "a decimal number"
    case .flag: "true or false"
    case .time: "a time with its zone, such as 2026-01-31T12:00:00Z"
    case .timeOrDay: "a day, such as 2026-01-31"
    case .texts: "a list, such as 'home, garden' or '[\"home\", \"garden\"]'"
    case .objects: "a list in JSON"
    case .object: "one of its members, such as '\(leaves.first?.name ?? name)'"
    case .birthday, .anyObject: "a value of the API"
    }
  }
}
