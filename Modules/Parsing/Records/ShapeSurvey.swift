import Ports

/// Counts fields while it walks through documents: a tree of the places that they have in common, so that a list of five
/// hundred records costs a comparison of names per value.
struct ShapeSurvey {
  /// Objects with more names than this have data for names, ids for instance: their members are one place, `*`.
  private static let nameLimit = 64
  /// No more places than this; what comes later is passed over.
  private static let placeLimit = 500

  private struct Place {
    /// The member's name; empty for elements, the root, and the members of a map.
    var name: [UInt8] = []
    /// A bit for each kind that was met.
    var kinds: UInt8 = 0
    var values = 0
    var objects = 0
    var members: [Int] = []
    var element: Int?
    /// Whether its members are one.
    var isMap = false
  }

  private var places = [Place()]

  /// Takes a document.
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

  /// The place of a member; `next` is where the one after the last find stands, which is nearly always right.
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

  /// The shape, its fields sorted by path; empty where no document was taken.
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

  /// By name, as shapes have them.
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
  /// The name's bytes, unescaped.
  fileprivate var bytes: [UInt8] {
    if word & JSONWord.escaped != 0 { return JSONString.unescaped(word, base) }
    return Array(UnsafeBufferPointer(start: base + JSONWord.offset(word) + 1, count: JSONWord.extra(word)))
  }

  /// Whether these are its bytes.
  @inline(__always)
  fileprivate func isSpelled(_ other: [UInt8]) -> Bool {
    if word & JSONWord.escaped != 0 { return JSONString.unescaped(word, base) == other }
    return JSONWord.extra(word) == other.count
      && JSONString.areEqual(base + JSONWord.offset(word) + 1, other, other.count)
  }
}
