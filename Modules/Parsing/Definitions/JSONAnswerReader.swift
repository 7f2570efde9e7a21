public import Models
public import Ports

/// Compiles what definitions of sources say about answers.
public struct JSONAnswerReaderCompiler: AnswerReaderCompiler {
  public init() {}

  public func reader(of request: SourceDefinition.Request) -> any AnswerReader { JSONAnswerReader(request) }

  public func json(_ body: [UInt8], _ format: SourceDefinition.Format) throws(ParsingError) -> [UInt8] {
    let value: JSONValue
    switch format {
    case .lines: return HTTPResponse.linesAsList(body)
    case .csv(let separator): value = .array(try CSVReader.records(of: body, separator: separator))
    case .xml: value = try XMLReader.value(of: body)
    }
    return JSONWriter.bytes { $0.write(value) }
  }

  public func values(_ paths: [ValuePath], in body: [UInt8]) -> [JSONValue?]? {
    if body.allSatisfy({ $0 <= 0x20 }) { return paths.map { _ in nil } }
    return try? JSONDocument.read(body) { root in
      paths.map { path in CompiledPath(path).first(in: AnswerPosition(root: root))?.value }
    }
  }
}

/// Reads the answers to one request of a definition.
struct JSONAnswerReader: AnswerReader {
  private let selections: [SelectionReader]
  /// For each selection, the first one with the same collection and mapping: in these, an id stands for one record.
  private let groups: [Int]
  private let places: [CompiledPath]
  private let isOfLastRecord: Int
  private let point: CompiledPath?

  init(_ request: SourceDefinition.Request) {
    let children = request.children.map { child in child.variables.compactMap(\.path) }
    selections = request.selections.map { SelectionReader($0, children: children) }
    groups = request.selections.enumerated().map { index, selection in
      request.selections.firstIndex { $0.collection == selection.collection && $0.mapping == selection.mapping }
        ?? index
    }
    places = request.paging?.places.map { CompiledPath($0) } ?? []
    isOfLastRecord = request.paging.map { $0.isOfLastRecord ? $0.styled.count : 0 } ?? 0
    var point: CompiledPath?
    if case .token(.path(let path))? = request.since?.point { point = CompiledPath(path) }
    self.point = point
  }

  func read(_ body: [UInt8], variables: [ExactString: String]) throws(ParsingError) -> Parsed<DeclaredAnswer> {
    try ResponseBody.read(body) { (root) throws(ParsingError) -> Parsed<DeclaredAnswer> in
      var answer = DeclaredAnswer()
      var rejects: RejectedRecords = []
      var last: JSONNode?
      let word = root.tape[0]
      var known = Array(repeating: RecordIDs(), count: selections.count)
      for (index, selection) in selections.enumerated() {
        // The root of a list is marked while its records are read.
        root.tape[0] |= JSONWord.inList
        let result = selection.read(root, variables, into: &answer, &rejects, &known[groups[index]])
        root.tape[0] = word
        answer.count = max(answer.count, result.count)
        last = result.last ?? last
        if result.count == 0, answer.missingList == nil, !selection.hasList(in: root) {
          answer.missingList = selection.text
        }
      }
      if answer.count == 0, let first = selections.first, !selections.contains(where: { $0.hasList(in: root) }) {
        throw first.missingList(in: root)
      }
      for (index, place) in places.enumerated() {
        if index < isOfLastRecord {
          var position = AnswerPosition(root: root)
          position.record = last
          answer.places.append(last == nil ? nil : place.first(in: position)?.value)
        } else {
          answer.places.append(place.first(in: AnswerPosition(root: root))?.value)
        }
      }
      answer.point = point?.first(in: AnswerPosition(root: root))?.value
      return Parsed(answer, rejects: rejects)
    }
  }
}

/// Reads the records of one selection. An object, because copies of its parts for each answer took a seventh of the time.
private final class SelectionReader: Sendable {
  private let records: CompiledPath
  /// The path of the list, without `[*]` and `.*` and what follows.
  fileprivate let text: String
  private let isColumns: Bool
  /// Whether an id may occur once. A program may print a record again when it changes.
  private let isChecked: Bool
  private let collection: CollectionName?
  private let mapping: RecordMapping
  private let only: [CompiledCondition]
  private let gone: [CompiledCondition]
  private let children: [[CompiledPath]]
  private let trie: CompiledTrie

  init(_ selection: SourceDefinition.Selection, children: [[ValuePath]]) {
    var trie = PathTrie()
    records = CompiledPath(selection.records)
    text = selection.records.steps.prefix { $0 != .all }.reduce(into: "$") { text, step in
      switch step {
      case .name(let name): text += DefinitionProposal.step(name)
      case .index(let index): text += "[\(index)]"
      case .match(let name, .text(let value)): text += "[\(name)='\(value)']"
      case .match(let name, .path(let path)): text += "[\(name)=\(path)]"
      case .all: break
      }
    }
    isColumns = selection.isColumns
    isChecked = selection.stream == nil
    collection = selection.collection
    mapping = RecordMapping(selection.mapping, &trie)
    only = selection.only.map { CompiledCondition(CompiledPath($0.path, &trie), $0) }
    gone = selection.gone.map { CompiledCondition(CompiledPath($0.path, &trie), $0) }
    self.children = children.map { paths in paths.map { CompiledPath($0, &trie) } }
    self.trie = trie.compiled
  }

  func read(
    _ root: JSONNode, _ variables: [ExactString: String], into answer: inout DeclaredAnswer,
    _ rejects: inout RejectedRecords, _ known: inout RecordIDs
  ) -> (count: Int, last: JSONNode?) {
    var position = AnswerPosition(root: root)
    position.variables = variables
    position.slots = trie.emptySlots
    var count = 0
    var last: JSONNode?
    func take() {
      trie.fill(&position)
      read(position, count, into: &answer, &rejects, &known)
      count += 1
      last = position.record
    }
    records.forEach(in: AnswerPosition(root: root)) { found in
      if isColumns {
        position.parents = found.parents
        position.outerKeys = found.keys
        position.columns = found.node
        for row in 0..<Self.rows(found.node) {
          position.row = row
          position.key = .index(row)
          take()
        }
      } else if found.node.isArray {
        position.parents = found.parents
        position.outerKeys = found.keys
        found.node.forEachElement { index, element in
          found.node.markElement(index, element)
          position.record = element
          position.key = .index(index)
          take()
        }
      } else if !found.node.isNull {
        position.record = found.node
        position.parents = found.parents
        (position.key, position.outerKeys) = (found.key, found.outerKeys)
        take()
      }
    }
    return (count, last)
  }

  /// Whether the answer has the records, or says that there are none.
  func hasList(in root: JSONNode) -> Bool { records.hasList(in: root) }

  /// The error that an answer has no list: to take it for an empty one would remove what it lacks.
  func missingList(in root: JSONNode) -> ParsingError {
    var error = records.missing("the list of records", in: AnswerPosition(root: root))
    if root.isObject {
      error.hint =
        "if the API leaves out an empty list, the definition says so: "
        + "\"errors\": [{\"status\": 200, \"if\": {\"\(text)\": null}, \"means\": \"empty\"}]"
    } else if root.isNull {
      error.hint =
        "if null is an empty list, the definition says so: "
        + "\"errors\": [{\"status\": 200, \"if\": {\"$\": null}, \"means\": \"empty\"}]"
    }
    return error
  }

  private static func rows(_ columns: JSONNode) -> Int {
    var rows = 0
    columns.forEachMember { _, column in if column.isArray { rows = max(rows, column.elementCount) } }
    return rows
  }

  private func read(
    _ position: AnswerPosition, _ index: Int, into answer: inout DeclaredAnswer, _ rejects: inout RejectedRecords,
    _ known: inout RecordIDs
  ) {
    guard only.allSatisfy({ $0.isMet(in: position) }) else { return }
    var record = DeclaredRecord(id: nil)
    do throws(ParsingError) {
      if let collection {
        record.id = DeclaredRecord.ID(collection, try mapping.id(in: position))
        if !gone.isEmpty, gone.allSatisfy({ $0.isMet(in: position) }) {
          record.isGone = true
        } else {
          let id = record.id?.text ?? ""
          record.fields = try mapping.record(id, in: position)
          if isChecked, let earlier = known.insert(id, answer.records.count, in: answer.records),
            answer.records[earlier].fields != record.fields
          {
            throw mapping.repeatedID(id, record.fields, answer.records[earlier].fields, in: position)
          }
        }
      }
    } catch {
      if let id = record.id { answer.rejectedIDs.append(id) } else { answer.hasUnknownID = true }
      rejects.append(
        RejectedRecord(
          index: index, path: error.path, expected: error.expected, found: error.found,
          raw: position.rawText(limit: 64 * 1024)))
      if rejects.isFull { position.root.skipPlaces() }
      return
    }
    if !record.isGone {
      if !children.isEmpty {
        record.children = children.map { paths in paths.map { path in path.texts(in: position) } }
      }
    }
    answer.records.append(record)
  }
}

/// The ids of the records of an answer: a hash table of their indexes, with open addressing.
struct RecordIDs {
  private var slots: [Int32] = []
  private var count = 0
  /// The first record, until there is a table.
  private var first: Int32 = -1

  /// Notes the id of a record that is about to be added at an index.
  ///
  /// - Returns: the index of the record with this id; `nil` if the id is new.
  mutating func insert(_ id: String, _ index: Int, in records: [DeclaredRecord]) -> Int? {
    // Many answers are one record.
    if count == 0 {
      (first, count) = (Int32(index), 1)
      return nil
    }
    if count * 2 >= slots.count { grow(records) }
    let slot = self.slot(of: id, records)
    if slots[slot] >= 0 { return Int(slots[slot]) }
    slots[slot] = Int32(index)
    count += 1
    return nil
  }

  private mutating func grow(_ records: [DeclaredRecord]) {
    let known = slots.isEmpty ? [first] : slots
    slots = Array(repeating: -1, count: max(64, known.count * 2))
    for index in known where index >= 0 {
      slots[slot(of: records[Int(index)].id?.text ?? "", records)] = index
    }
  }

  /// The slot of the id, or the free one where it belongs.
  private func slot(of id: String, _ records: [DeclaredRecord]) -> Int {
    // FNV-1a.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    while slots[slot] >= 0 {
      if records[Int(slots[slot])].id?.text.exact == id.exact { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}

private struct CompiledCondition: Sendable {
  private let path: CompiledPath
  private let condition: SourceDefinition.Condition

  init(_ path: CompiledPath, _ condition: SourceDefinition.Condition) {
    self.path = path
    self.condition = condition
  }

  func isMet(in position: AnswerPosition) -> Bool {
    guard let found = path.first(in: position) else { return condition.isMet(by: nil) }
    return condition.isMet(by: found.isArray ? .array([]) : found.isObject ? .object([:]) : found.value)
  }
}
