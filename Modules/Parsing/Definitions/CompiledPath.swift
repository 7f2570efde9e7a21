import Models
import Ports

struct AnswerPosition {
  /// The name of a record in a map, or its index in a list.
  enum Key {
    case name(JSONNode.Name)
    case index(Int)

    var text: String {
      switch self {
      case .name(let name): name.text
      case .index(let index): String(index)
      }
    }
  }

  let root: JSONNode
  /// The record; `nil` where it is a row of columns.
  var record: JSONNode?
  /// The objects around the record, or around its list, the innermost first.
  var parents: [JSONNode] = []
  var key: Key?
  /// The names and indexes of the maps and lists around it, the innermost first.
  var outerKeys: [Key] = []
  /// The object of the columns, and the row in them.
  var columns: JSONNode?
  var row = 0
  /// Values that a walk through the record met; see `PathTrie`.
  var slots: [JSONNode?] = []
  var variables: [ExactString: String] = [:]

  init(root: JSONNode) {
    self.root = root
    record = root
  }

  /// The object around the record, or one further out.
  func parent(_ level: Int) -> JSONNode? { level < parents.count ? parents[level] : nil }

  /// The value that errors name.
  var node: JSONNode { record ?? columns ?? root }

  /// The record as written, or the values of the row.
  func rawText(limit: Int) -> String {
    guard let columns else { return node.rawText(limit: limit) }
    var values = JSONObject()
    columns.forEachMember { name, column in values.append(name.text, column[row]?.value) }
    return String(JSONText.compact(.object(values)).prefix(limit))
  }
}

struct CompiledPath: Sendable {
  /// A step whose name is compared by its bytes.
  enum Step: Sendable {
    case name([UInt8])
    case index(Int)
    case all
    case match([UInt8], Operand)
  }

  indirect enum Operand: Sendable {
    case text(String)
    case path(CompiledPath)
  }

  /// Where the rest of the path begins.
  private enum Base: Sendable {
    case record
    case answer
    case parent(Int)
    case key(Int)
    case slot(Int)
  }

  struct Found {
    var node: JSONNode
    /// The objects around it, the innermost first.
    var parents: [JSONNode] = []
    /// Its name in an object that was walked through whole, or its index.
    var key: AnswerPosition.Key?
    /// Those of the objects and arrays around it, the innermost first.
    var outerKeys: [AnswerPosition.Key] = []
    var keys: [AnswerPosition.Key] { key.map { [$0] + outerKeys } ?? [] }
  }

  private let base: Base
  private let steps: [Step]
  /// The names of the whole path, for errors.
  private let names: [ValuePath.Step]

  let isMany: Bool

  /// The slot of its only value; `nil` if the value is not in a slot.
  var onlySlot: Int? { if case .slot(let slot) = base, steps.isEmpty { slot } else { nil } }

  /// A path without a trie.
  init(_ path: ValuePath) {
    self.init(path, base: Self.base(path), steps: path.steps)
  }

  /// A path whose first names are looked up together with those of others.
  init(_ path: ValuePath, _ trie: inout PathTrie) {
    let leading = path.steps.prefix { if case .name = $0 { true } else { false } }
    guard path.root == .record, !leading.isEmpty else {
      self.init(path)
      return
    }
    let names = leading.compactMap { if case .name(let name) = $0 { Array(name.utf8) } else { nil } }
    self.init(path, base: .slot(trie.slot(names)), steps: Array(path.steps.dropFirst(leading.count)))
  }

  private init(_ path: ValuePath, base: Base, steps: [ValuePath.Step]) {
    self.base = base
    names = path.steps
    self.steps = steps.map { step in
      switch step {
      case .name(let name): .name(Array(name.utf8))
      case .index(let index): .index(index)
      case .all: .all
      case .match(let name, .text(let text)): .match(Array(name.utf8), .text(text))
      case .match(let name, .path(let path)): .match(Array(name.utf8), .path(CompiledPath(path)))
      }
    }
    isMany = steps.contains(.all)
  }

  private static func base(_ path: ValuePath) -> Base {
    switch path.root {
    case .record: .record
    case .answer: .answer
    case .parent: .parent(path.level)
    case .key: .key(path.level)
    }
  }

  /// The value; `nil` if there is none, also for `#`, which is not a value.
  @inline(__always)
  func first(in position: AnswerPosition) -> JSONNode? {
    if case .slot(let slot) = base, steps.isEmpty { return position.slots[slot] }
    guard isMany else { return only(in: position) }
    var node: JSONNode?
    walk(in: position, stopsAtFirst: true) { node = node ?? $0.node }
    return node
  }

  /// The value of a path that leads to one at most.
  private func only(in position: AnswerPosition) -> JSONNode? {
    guard var node = start(in: position) else { return nil }
    for step in steps {
      switch step {
      case .name(let name):
        guard let child = node.member(spelled: name) else { return nil }
        node = child
      case .index(let index):
        guard let child = node[index < 0 ? node.elementCount + index : index] else { return nil }
        node = child
      case .all: return nil
      case .match(let name, let operand):
        guard let child = Self.element(of: node, name, operand, in: position) else { return nil }
        node = child
      }
    }
    return node
  }

  /// The first element whose member is the text. O(elements).
  private static func element(
    of node: JSONNode, _ name: [UInt8], _ operand: Operand, in position: AnswerPosition?
  ) -> JSONNode? {
    let wanted: String? =
      switch operand {
      case .text(let text): text
      case .path(let path): position.flatMap { path.texts(in: $0).first }
      }
    guard let wanted else { return nil }
    var found: JSONNode?
    node.forEachElement { _, child in
      guard found == nil, let value = child.member(spelled: name) else { return }
      if (value.string ?? value.digits)?.exact == wanted.exact { found = child }
    }
    return found
  }

  func forEach(in position: AnswerPosition, _ body: (Found) -> Void) {
    walk(in: position, stopsAtFirst: false, body)
  }

  /// Whether the values that `[*]` and `.*` go through are there: the first of them has an array or an object.
  func hasContainer(in position: AnswerPosition) -> Bool {
    guard let place = steps.firstIndex(where: { if case .all = $0 { true } else { false } }) else {
      return first(in: position).map { !$0.isNull } ?? false
    }
    guard let start = start(in: position) else { return false }
    var found: JSONNode?
    Self.walk(Found(node: start), steps[..<place], true, position) { found = found ?? $0.node }
    return found.map { $0.isArray || $0.isObject } ?? false
  }

  /// Whether an answer has the list of its records: null stands for an empty list, unless it is the whole answer.
  func hasList(in root: JSONNode) -> Bool {
    guard !root.isNull else { return false }
    let place = steps.firstIndex { if case .all = $0 { true } else { false } }
    var found: JSONNode?
    Self.walk(Found(node: root), steps[..<(place ?? steps.count)], true, nil) { found = found ?? $0.node }
    return found.map { place == nil || $0.isNull || $0.isArray || $0.isObject } ?? false
  }

  /// The texts and numbers that it leads to.
  func texts(in position: AnswerPosition) -> [String] {
    if case .key = base { return keyText(in: position).map { [$0] } ?? [] }
    var texts: [String] = []
    forEach(in: position) { found in
      if let text = found.node.string ?? found.node.digits, !text.isEmpty { texts.append(text) }
    }
    return texts
  }

  /// The text of `#` and `^#`; `nil` for other paths.
  func keyText(in position: AnswerPosition) -> String? {
    guard case .key(let level) = base else { return nil }
    if level == 0 { return position.key?.text }
    return level <= position.outerKeys.count ? position.outerKeys[level - 1].text : nil
  }

  /// The error that there is no value: at the last value that is there, with the name that is missing.
  func missing(_ expected: String, in position: AnswerPosition) -> ParsingError {
    var node: JSONNode? =
      switch base {
      case .answer: position.root
      case .parent(let level): position.parent(level)
      default: position.record ?? position.columns
      }
    guard var deepest = node else { return position.node.error(expected: expected, missing: "^") }
    for step in names {
      guard case .name(let name) = step else { return deepest.error(expected: expected) }
      node = deepest.member(name)
      guard let node else { return deepest.error(expected: expected, missing: name) }
      deepest = node
    }
    return deepest.error(expected: expected)
  }

  private func start(in position: AnswerPosition) -> JSONNode? {
    switch base {
    case .record: position.record
    case .answer: position.root
    case .parent(let level): position.parent(level)
    case .key: nil
    case .slot(let slot): position.slots[slot]
    }
  }

  private func walk(in position: AnswerPosition, stopsAtFirst: Bool, _ body: (Found) -> Void) {
    guard let start = start(in: position) else { return }
    // Of a row of columns, a path without a name means the row itself, which is not a value.
    Self.walk(Found(node: start), steps[...], stopsAtFirst, position, body)
  }

  private static func walk(
    _ found: Found, _ steps: ArraySlice<Step>, _ stopsAtFirst: Bool, _ position: AnswerPosition?,
    _ body: (Found) -> Void
  ) {
    guard let step = steps.first else { return body(found) }
    let rest = steps.dropFirst()
    func walk(_ found: Found) { Self.walk(found, rest, stopsAtFirst, position, body) }
    switch step {
    case .name(let name):
      guard let child = found.node.member(spelled: name) else { return }
      walk(Found(node: child, parents: [found.node] + found.parents, key: found.key, outerKeys: found.outerKeys))
    case .match(let name, let operand):
      guard let child = element(of: found.node, name, operand, in: position) else { return }
      walk(Found(node: child, parents: found.parents, key: found.key, outerKeys: found.outerKeys))
    case .index(let index):
      let place = index < 0 ? found.node.elementCount + index : index
      guard let child = found.node[place] else { return }
      walk(Found(node: child, parents: found.parents, key: .index(place), outerKeys: found.keys))
    case .all:
      var isDone = false
      let outer = found.keys
      found.node.forEachElement { index, child in
        if isDone { return }
        if stopsAtFirst, rest.isEmpty { isDone = true }
        found.node.markElement(index, child)
        walk(Found(node: child, parents: found.parents, key: .index(index), outerKeys: outer))
      }
      let parents = found.node.isObject ? [found.node] + found.parents : []
      found.node.forEachMember { name, child in
        walk(Found(node: child, parents: parents, key: .name(name), outerKeys: outer))
      }
    }
  }
}

/// The names of several paths, so that one walk through a record finds the values of all of them.
struct PathTrie: Sendable {
  private struct Place: Sendable {
    var name: [UInt8]
    var slot: Int?
    var children: [Int] = []
  }

  private var places = [Place(name: [])]
  private var count = 0

  mutating func slot(_ names: [[UInt8]]) -> Int {
    var place = 0
    for name in names {
      if let child = places[place].children.first(where: { places[$0].name == name }) {
        place = child
      } else {
        places.append(Place(name: name))
        places[place].children.append(places.count - 1)
        place = places.count - 1
      }
    }
    if let slot = places[place].slot { return slot }
    places[place].slot = count
    count += 1
    return count - 1
  }

  var compiled: CompiledTrie {
    // The children of a place follow one another.
    var order = [0]
    var next = 0
    var flat: [CompiledTrie.Place] = []
    var names: [UInt8] = []
    while next < order.count {
      let place = places[order[next]]
      flat.append(
        .init(
          name: names.count, nameCount: place.name.count, slot: place.slot ?? -1, firstChild: order.count,
          childCount: place.children.count))
      names += place.name
      order += place.children
      next += 1
    }
    return CompiledTrie(places: flat, names: names, count: count)
  }
}

/// The names of several paths in two buffers, which are walked without counting references.
struct CompiledTrie: Sendable {
  struct Place: Sendable {
    /// Where its name begins, and the bytes of it.
    var name: Int
    var nameCount: Int
    /// The slot of its value; -1 without one.
    var slot: Int
    var firstChild: Int
    var childCount: Int
  }

  private let places: [Place]
  private let names: [UInt8]
  private let count: Int

  init(places: [Place], names: [UInt8], count: Int) {
    self.places = places
    // A buffer that is not empty has an address.
    self.names = names + [0]
    self.count = count
  }

  /// A slot for each path, without a value.
  var emptySlots: [JSONNode?] { Array(repeating: nil, count: count) }

  /// Puts the values of a record, or of a row of columns, into the slots.
  func fill(_ position: inout AnswerPosition) {
    guard count > 0 else { return }
    for slot in position.slots.indices { position.slots[slot] = nil }
    let (record, columns, row) = (position.record, position.columns, position.row)
    places.withUnsafeBufferPointer { places in
      names.withUnsafeBufferPointer { names in
        position.slots.withUnsafeMutableBufferPointer { slots in
          guard let start = names.baseAddress else { return }
          let walk = Walk(places: places, names: start, slots: slots)
          if let columns {
            var next = 0
            columns.forEachMember { name, column in
              guard let value = column[row], let child = walk.child(name, of: places[0], &next) else { return }
              walk.put(child, value)
            }
          } else if let record {
            walk.fill(places[0], record)
          }
        }
      }
    }
  }

  private struct Walk {
    let places: UnsafeBufferPointer<Place>
    let names: UnsafePointer<UInt8>
    let slots: UnsafeMutableBufferPointer<JSONNode?>

    func fill(_ place: Place, _ object: JSONNode) {
      var next = 0
      object.forEachMember { name, value in
        if let child = child(name, of: place, &next) { put(child, value) }
      }
    }

    @inline(__always)
    func put(_ place: Place, _ value: JSONNode) {
      if place.slot >= 0 { slots[place.slot] = value }
      if place.childCount > 0 { fill(place, value) }
    }

    /// The place of a member. `next` is the index after the previous match, where the search usually succeeds at once.
    @inline(__always)
    func child(_ name: JSONNode.Name, of place: Place, _ next: inout Int) -> Place? {
      for step in 0..<place.childCount {
        let at = next + step < place.childCount ? next + step : next + step - place.childCount
        let child = places[place.firstChild + at]
        if name.isSpelled(names + child.name, count: child.nameCount) {
          next = at + 1
          return child
        }
      }
      return nil
    }
  }
}
