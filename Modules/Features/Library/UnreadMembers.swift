import Models
import Ports

/// Collects what imported lines hold that records of the collection do not have.
struct UnreadMembers {
  private let fields: [ExactString: RecordField]
  private let names: [String]
  private(set) var found: [UnreadMember] = []
  /// The last line that has each of them.
  private var lastLines: [Int] = []

  /// - Parameter fields: those of the collection; without any, everything is read.
  init(_ fields: [RecordField]) {
    self.fields = Dictionary(fields.map { ($0.name.exact, $0) }) { first, _ in first }
    names = fields.flatMap { field in [field.name] + Self.members(of: field).map { "\(field.name).\($0.name)" } }
  }

  /// Adds the members of a line that are not read. Those that the stored record has already are known.
  ///
  /// - Parameters:
  ///   - record: the line as it is stored.
  ///   - stored: gives the record that it replaces.
  mutating func add(_ line: JSONObject, _ record: JSONObject, line number: Int, over stored: () -> JSONObject?) {
    guard !fields.isEmpty else { return }
    var old: JSONObject??
    func isStored(_ name: String) -> Bool {
      if old == nil { old = .some(stored()) }
      return old??[name] != nil && old??[name] == record[name]
    }
    for member in line.members where member.value != .null {
      guard let field = fields[member.key.exact] else {
        if !isStored(member.key) { add(member.key, number, isKept: record[member.key] != nil) }
        continue
      }
      if let expected = field.form(besides: member.value) {
        if !isStored(member.key) { add(member.key, number, isKept: record[member.key] != nil, expected: expected) }
        continue
      }
      let members = Self.members(of: field)
      guard !members.isEmpty else { continue }
      let objects = member.value.array?.compactMap(\.object) ?? [member.value.object].compactMap(\.self)
      let kept = record[member.key]
      for key in objects.flatMap(\.keys) where !members.contains(where: { $0.name.exact == key.exact }) {
        let items = kept?.array?.compactMap(\.object) ?? [kept?.object].compactMap(\.self)
        add("\(member.key).\(key)", number, isKept: items.contains { $0[key] != nil })
      }
    }
  }

  private mutating func add(_ name: String, _ line: Int, isKept: Bool, expected: String? = nil) {
    if let index = index(of: name) {
      // Each object of one list may have it.
      if lastLines[index] != line { found[index].count += 1 }
      lastLines[index] = line
      return
    }
    lastLines.append(line)
    found.append(UnreadMember(name, line: line, isKept: isKept, expected: expected))
  }

  private func index(of name: String) -> Int? { found.firstIndex { $0.name.exact == name.exact } }

  /// Adds those of later lines, with the names that may be meant.
  mutating func add(_ later: UnreadMembers) {
    for var member in later.found {
      if let index = index(of: member.name) {
        found[index].count += member.count
      } else if found.count < Self.most {
        if member.expected == nil { member.meant = NearestName.alike(member.name, among: names).first }
        found.append(member)
      }
    }
  }

  private static let most = 100

  private static func members(of field: RecordField) -> [RecordField] {
    if case .object(let members) = field.kind { members } else { field.members }
  }
}

extension RecordField {
  /// What the field has to be, where a value of another form is not read as this field; `nil` for a value of its form.
  fileprivate func form(besides value: JSONValue) -> String? {
    switch kind {
    case .objects, .texts: value.array == nil ? "a list" : nil
    case .object: value.object == nil ? "an object" : nil
    case .text: value.string == nil ? "a text" : nil
    default: nil
    }
  }
}
