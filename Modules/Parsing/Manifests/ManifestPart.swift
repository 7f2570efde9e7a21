import Models
import Ports

/// A value of a manifest whose references are resolved.
enum ManifestPart {
  case null
  case bool(Bool)
  case number(String)
  /// A text with the parameters that hold where it stands, if it names any.
  case text(String, parameters: ManifestComponent?)
  case list([ManifestPart])
  case map(ManifestComponent)

  subscript(name: String) -> ManifestPart { if case .map(let map) = self { map[name] ?? .null } else { .null } }

  /// The first of these members that is there.
  subscript(first names: String...) -> ManifestPart {
    for name in names { if case .map(let map) = self, let value = map[name], !value.isNull { return value } }
    return .null
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// Whether it is nothing, `false`, 0 or empty.
  var isEmpty: Bool {
    switch self {
    case .null: true
    case .bool(let value): !value
    case .number(let digits): Double(digits) == 0
    case .text(let text, _): text.isEmpty
    case .list(let list): list.isEmpty
    case .map(let map): map.members.isEmpty
    }
  }

  var text: String? { if case .text(let text, _) = self { text } else { nil } }
  var list: [ManifestPart]? { if case .list(let list) = self { list } else { nil } }
  var map: ManifestComponent? { if case .map(let map) = self { map } else { nil } }
  var elements: [ManifestPart] { list ?? (isNull ? [] : [self]) }
  var int: Int? { if case .number(let digits) = self { Int(digits) } else { text.flatMap { Int($0) } } }
  var line: Int { map?.line ?? 0 }

  var type: String { self["type"].text ?? "" }

  /// The program code that a component stands for.
  var program: String? { self["class_name"].text.flatMap { $0.isEmpty ? nil : $0 } }

  func withoutProgram() throws(Refusal) -> ManifestPart {
    if let program { throw Refusal("the program code \(program)") }
    return self
  }
}

/// A component of a manifest, or another map in it. It remembers what was looked up, so that misspelled members are found.
final class ManifestComponent {
  typealias Member = (name: String, value: ManifestPart)

  let line: Int
  let members: [Member]
  /// The names that were looked up, and whether they are there.
  private var known: [ExactString: Bool] = [:]

  init(line: Int, _ members: [Member]) {
    self.line = line
    self.members = members
  }

  subscript(name: String) -> ManifestPart? {
    let found = members.first { $0.name.exact == name.exact }?.value
    known[name.exact] = found != nil
    return found
  }

  /// The members that were not looked up, each with the one that was meant instead: it was looked up, is near, and is not
  /// there. Members below are included; schemas, whose names are any, are not.
  var misspelled: [(name: String, meant: String, line: Int)] {
    let missing = known.filter { !$0.value }.map(\.key.text)
    var found: [(name: String, meant: String, line: Int)] = []
    for member in members {
      if known[member.name.exact] != true,
        let meant = NearestName.of(member.name, among: missing, within: min(2, max(1, member.name.count / 3)))
      {
        found.append((member.name, meant, line))
      }
      guard !["schema", "schema_loader", "$parameters", "$options"].contains(member.name) else { continue }
      for part in member.value.elements { found += part.map?.misspelled ?? [] }
    }
    return found
  }

  /// These members, replaced and followed by those of another map.
  func replacing(with others: [Member], line: Int? = nil) -> ManifestComponent {
    var members = members
    for other in others {
      if let place = members.firstIndex(where: { $0.name.exact == other.name.exact }) {
        members[place].value = other.value
      } else {
        members.append(other)
      }
    }
    return ManifestComponent(line: line ?? self.line, members)
  }
}

/// Resolves `$ref` and `$parameters` of a manifest.
struct ManifestReferences {
  private static let depthLimit = 80
  /// How many values the streams may have together, when references are resolved.
  private static let sizeLimit = 4_000_000

  private let root: LocatedValue
  private var resolved: [ExactString: (part: ManifestPart, height: Int)] = [:]
  private var open: Set<ExactString> = []
  private var size = 0

  init(_ root: LocatedValue) { self.root = root }

  mutating func resolve(_ value: LocatedValue) throws(Refusal) -> ManifestPart { try resolve(value, depth: 0).part }

  private mutating func resolve(
    _ value: LocatedValue, depth: Int
  ) throws(Refusal) -> (part: ManifestPart, height: Int) {
    guard depth <= Self.depthLimit else { throw Refusal("references are nested more than \(Self.depthLimit) deep") }
    switch value.content {
    case .null: return (.null, 0)
    case .bool(let value): return (.bool(value), 0)
    case .number(let digits): return (.number(digits), 0)
    case .text(let text):
      let isReference = text.hasPrefix("#/") || text.hasPrefix("*ref(")
      guard isReference, !text.utf8.contains(0x0A), let found = try reference(text, depth: depth) else {
        return (.text(text, parameters: nil), 0)
      }
      return found
    case .list(let values):
      var list: [ManifestPart] = []
      var height = 0
      for value in values {
        let element = try resolve(value, depth: depth + 1)
        list.append(element.part)
        height = max(height, element.height + 1)
      }
      return (.list(list), height)
    case .map(let members): return try resolve(members, line: value.line, depth: depth)
    }
  }

  private mutating func resolve(
    _ written: [LocatedValue.Member], line: Int, depth: Int
  ) throws(Refusal) -> (part: ManifestPart, height: Int) {
    var base = ManifestComponent(line: line, [])
    var height = 0
    if let reference = written.first(where: { $0.name == "$ref" }) {
      let found = try resolve(reference.value, depth: depth + 1)
      guard case .map(let map) = found.part else { return found }
      (base, height) = (map, found.height)
    }
    var members: [ManifestComponent.Member] = []
    for member in written where member.name != "$ref" {
      let value = try resolve(member.value, depth: depth + 1)
      members.append((member.name, value.part))
      height = max(height, value.height + 1)
    }
    return (
      .map(base.members.isEmpty ? ManifestComponent(line: line, members) : base.replacing(with: members, line: line)),
      height
    )
  }

  /// What a reference leads to; `nil` if that is nothing.
  private mutating func reference(_ text: String, depth: Int) throws(Refusal) -> (part: ManifestPart, height: Int)? {
    if let known = resolved[text.exact] {
      guard depth + known.height <= Self.depthLimit else {
        throw Refusal("references are nested more than \(Self.depthLimit) deep")
      }
      return known
    }
    guard let value = target(text) else { return nil }
    guard open.insert(text.exact).inserted else { throw Refusal("the reference \(text) leads to itself") }
    defer { open.remove(text.exact) }
    let found = try resolve(value, depth: depth + 1)
    resolved[text.exact] = found
    return found
  }

  private func target(_ text: String) -> LocatedValue? {
    let isOld = text.hasPrefix("*ref(")
    let path = isOld ? text.dropFirst(5).drop { $0 == "#" || $0 == "/" } : text.dropFirst(2)
    let plain = isOld && path.hasSuffix(")") ? path.dropLast() : path
    func parts(_ separators: String) -> [Substring] {
      plain.split(omittingEmptySubsequences: false) { separators.contains($0) }
    }
    guard parts("/.").count <= 20 else { return nil }
    return Self.go(root, parts("/")[...]) ?? Self.go(root, parts("/.")[...])
  }

  /// A name may contain the marks that separate names: the longest that exists is taken.
  private static func go(_ value: LocatedValue, _ parts: ArraySlice<Substring>) -> LocatedValue? {
    guard let first = parts.first else { return value }
    switch value.content {
    case .map(let members):
      for count in stride(from: parts.count, to: 0, by: -1) {
        for separator in count == 1 ? ["/"] : ["/", "."] {
          let key = parts.prefix(count).joined(separator: separator)
          if let member = members.first(where: { $0.name.exact == key.exact }),
            let found = go(member.value, parts.dropFirst(count))
          {
            return found
          }
        }
      }
      return nil
    case .list(let list):
      guard let index = Int(first), list.indices.contains(index) else { return nil }
      return go(list[index], parts.dropFirst())
    default: return nil
    }
  }

  // MARK: Parameters

  /// The members that a parameter with their name fills, of each component.
  private static let filled: [ExactString: [String]] = {
    let request = ["path", "url_base", "http_method", "request_parameters", "request_body_json", "request_headers"]
    let size = ["page_size"]
    return [
      "DeclarativeStream": ["name", "primary_key", "incremental_sync"], "streams": ["name", "primary_key"],
      "stream": ["name", "primary_key"], "HttpRequester": request, "requester": request,
      "DpathExtractor": ["field_path"], "extractor": ["field_path"],
      "DatetimeBasedCursor": [
        "cursor_field", "step", "cursor_granularity", "datetime_format", "cursor_datetime_formats",
      ],
      "ParentStreamConfig": ["parent_key", "partition_field"], "ListPartitionRouter": ["values", "cursor_field"],
      "CursorPagination": size, "PageIncrement": size, "OffsetIncrement": size,
    ]
  }()
  private static let untyped = ["streams", "retriever", "requester", "extractor", "stream"]

  mutating func stream(_ part: ManifestPart, _ parameters: ManifestPart) throws(Refusal) -> ManifestPart {
    try filled(part, parameters.map, of: "streams", depth: 0)
  }

  private mutating func filled(
    _ part: ManifestPart, _ inherited: ManifestComponent?, of place: String, depth: Int
  ) throws(Refusal) -> ManifestPart {
    size += 1
    guard size <= Self.sizeLimit, depth <= 2 * Self.depthLimit else {
      throw Refusal("references repeat too many values")
    }
    switch part {
    case .list(let list):
      return .list(
        try list.map { (value) throws(Refusal) in try filled(value, inherited, of: place, depth: depth + 1) })
    case .text(let text, _) where text.contains("parameters") || text.contains("options"):
      return .text(text, parameters: inherited)
    case .map(let map):
      var inherited = inherited
      let own = map["$parameters"].flatMap { $0.isEmpty ? nil : $0 } ?? map["$options"]
      if let own = own?.map, !own.members.isEmpty { inherited = inherited?.replacing(with: own.members) ?? own }
      var source = map
      let type = map["type"]?.text
      if let inherited, type != nil || Self.untyped.contains(place),
        let names = Self.filled[(type.flatMap { $0.isEmpty ? nil : $0 } ?? place).exact]
      {
        source = map.replacing(
          with: inherited.members.filter { names.contains($0.name) && map[$0.name]?.isEmpty ?? true })
      }
      var members: [ManifestComponent.Member] = []
      for (name, value) in source.members where name != "$parameters" && name != "$options" {
        let isSchema = name == "schema" || name == "schema_loader"
        members.append((name, isSchema ? value : try filled(value, inherited, of: name, depth: depth + 1)))
      }
      return .map(ManifestComponent(line: map.line, members))
    default: return part
    }
  }
}
