public import Ports

/// Determines which fields responses contain, and of which kinds, for the drift report.
public struct JSONShapeReader: ShapeReader {
  private let masking: @Sendable ([UInt8]) -> [UInt8]

  /// Creates a reader.
  ///
  /// - Parameter masking: masks secrets in a body, whose names of fields are stored.
  public init(masking: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }) { self.masking = masking }

  /// The common shape of the responses, with at most 500 fields. O(values).
  ///
  /// Objects with more than 64 names are maps whose names are data: their members are one field, `*`. Responses that only
  /// report an error (`stat` is `fail`; `error` without `data`) are ignored.
  public func shape(of bodies: [[UInt8]]) -> AnswerShape {
    var scan = ShapeScan()
    for body in bodies.lazy.map(masking) {
      let content = JSONPadding.content(of: body)
      let bytes = content.count == body.count ? body : Array(body[content])
      do throws(ParsingError) {
        try ResponseBody.read(bytes) { root in
          if !Self.isError(root) { scan.visit(root) }
        }
      } catch {
        // The parser of the source reports this error.
      }
    }
    return scan.shape
  }

  private static func isError(_ root: JSONNode) -> Bool {
    if let stat = root["stat"]?.string { return stat == "fail" }
    return root["data"] == nil && root.reportedError != nil
  }

  public func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift] {
    let before = Dictionary(earlier.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(now.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var drifts: [FieldDrift] = []
    for field in earlier.fields {
      let found = after[field.path]
      let known = Set(field.kinds)
      if let found, found.kinds != ["null"] {
        // A field that was always null has no known kind. Null itself is not a change: optional fields may be null.
        let fresh = found.kinds.filter { !known.contains($0) && $0 != "null" }
        if !fresh.isEmpty, known != ["null"] {
          drifts.append(FieldDrift(.kind, path: field.path, before: field.kinds, now: found.kinds))
        }
      } else if field.always, !known.contains("null"), let parent = Self.parent(of: field.path) {
        // With fewer objects than before, the absence of the field is not significant.
        let then = min(before[parent]?.objects ?? 0, AnswerShape.enough)
        let objects = after[parent]?.objects ?? 0
        if objects > 0, objects >= then {
          drifts.append(FieldDrift(.vanished, path: field.path, before: field.kinds, now: found?.kinds ?? []))
        }
      }
    }
    for field in now.fields where before[field.path] == nil {
      if let parent = Self.parent(of: field.path), before[parent]?.objects ?? 0 > 0 {
        drifts.append(FieldDrift(.appeared, path: field.path, before: [], now: field.kinds))
      }
    }
    return drifts.sorted { ($0.path, $0.change.rawValue) < ($1.path, $1.change.rawValue) }
  }

  /// The path of the object that contains the field; `nil` for the root and for elements of arrays.
  private static func parent(of path: String) -> String? {
    guard path != "$", !path.hasSuffix("[]") else { return nil }
    // Quotes within a bracketed name are escaped, so the last `['` starts the name.
    guard path.hasSuffix("']") else { return path.lastIndex(of: ".").map { String(path[..<$0]) } }
    var rest = path[...]
    while let open = rest.lastIndex(of: "[") {
      if path[path.index(after: open)] == "'" { return String(path[..<open]) }
      rest = path[..<open]
    }
    return nil
  }
}

/// Collects the fields of documents in a tree of places, so that each value costs about one comparison of names.
private struct ShapeScan {
  /// Objects with more names are maps from data, such as ids, to values: their members are one place, `*`.
  private static let nameLimit = 64
  private static let placeLimit = 500

  private struct Place {
    /// The name of the member; empty for elements, the root, and the members of a map.
    var name: [UInt8] = []
    /// A bit for each kind that occurred.
    var kinds: UInt8 = 0
    var values = 0
    var objects = 0
    var members: [Int] = []
    var element: Int?
    var isMap = false
  }

  private var places = [Place()]

  mutating func visit(_ root: JSONNode) { visit(root, 0) }

  private mutating func visit(_ node: JSONNode, _ place: Int) {
    places[place].kinds |= Self.bit(node.kind)
    places[place].values += 1
    switch node.kind {
    case .object:
      places[place].objects += 1
      var next = 0
      node.forEachMember { name, value in
        if let child = member(name, of: place, &next) { visit(value, child) }
      }
    case .array:
      guard node.elementCount > 0, let element = element(of: place) else { return }
      node.forEachElement { _, value in visit(value, element) }
    default: break
    }
  }

  /// The place of a member. `next` is the index after the previous match, where the search usually succeeds at once.
  private mutating func member(_ name: JSONNode.Name, of place: Int, _ next: inout Int) -> Int? {
    if places[place].isMap { return places[place].members.first }
    let count = places[place].members.count
    for step in 0..<count {
      let at = next + step < count ? next + step : next + step - count
      let child = places[place].members[at]
      if name.isSpelled(places[child].name) {
        next = at + 1
        return child
      }
    }
    if count == Self.nameLimit {
      makeMap(place)
      return places[place].members.first
    }
    guard let child = add(name.bytes) else { return nil }
    places[place].members.append(child)
    next = count + 1
    return child
  }

  private mutating func element(of place: Int) -> Int? {
    if let element = places[place].element { return element }
    let element = add([])
    places[place].element = element
    return element
  }

  private mutating func add(_ name: [UInt8]) -> Int? {
    guard places.count < Self.placeLimit else { return nil }
    places.append(Place(name: name))
    return places.count - 1
  }

  private mutating func makeMap(_ place: Int) {
    let members = places[place].members
    guard let first = members.first else { return }
    for other in members.dropFirst() { merge(other, into: first) }
    places[first].name = []
    places[place].members = [first]
    places[place].isMap = true
  }

  private mutating func merge(_ other: Int, into place: Int) {
    let source = places[other]
    places[place].kinds |= source.kinds
    places[place].values += source.values
    places[place].objects += source.objects
    if let element = source.element {
      if let mine = places[place].element { merge(element, into: mine) } else { places[place].element = element }
    }
    if source.isMap, !places[place].isMap { makeMap(place) }
    for member in source.members {
      let mine = places[place].members.first { places[place].isMap || places[$0].name == places[member].name }
      if let mine { merge(member, into: mine) } else { places[place].members.append(member) }
    }
    places[place].isMap = places[place].isMap || source.isMap
    if !places[place].isMap, places[place].members.count > Self.nameLimit { makeMap(place) }
  }

  /// The shape, with fields sorted by path; empty where no document was added.
  var shape: AnswerShape {
    var fields: [AnswerShape.Field] = []
    if places[0].values > 0 { collect(0, "$", always: true, &fields) }
    return AnswerShape(fields: fields.sorted { $0.path < $1.path })
  }

  private func collect(_ index: Int, _ path: String, always: Bool, _ fields: inout [AnswerShape.Field]) {
    let place = places[index]
    let kinds = Self.kinds.filter { place.kinds & Self.bit($0) != 0 }.map(\.rawValue)
    fields.append(AnswerShape.Field(path: path, kinds: kinds, always: always, objects: place.objects))
    for member in place.members {
      let name = String(decoding: places[member].name, as: UTF8.self)
      let step = place.isMap ? ".*" : String(JSONPath([.name(name)]).description.dropFirst())
      collect(member, path + step, always: !place.isMap && places[member].values == place.objects, &fields)
    }
    if let element = place.element { collect(element, path + "[]", always: true, &fields) }
  }

  /// Sorted by name, as in shapes.
  private static let kinds = JSONNode.Kind.allCases.sorted { $0.rawValue < $1.rawValue }

  private static func bit(_ kind: JSONNode.Kind) -> UInt8 {
    switch kind {
    case .null: 1
    case .boolean: 2
    case .number: 4
    case .string: 8
    case .array: 16
    case .object: 32
    }
  }
}

extension JSONNode.Name {
  fileprivate var bytes: [UInt8] {
    if word & JSONWord.escaped != 0 { return JSONString.unescaped(word, base) }
    return Array(UnsafeBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word)))
  }
}
