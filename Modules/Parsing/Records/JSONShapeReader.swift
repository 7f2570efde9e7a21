public import Ports

/// Tells which fields an answer holds and of which kinds, for the drift report.
public struct JSONShapeReader: ShapeReader {
  /// Objects whose members are data rather than fields (ids as names) would make a shape without end.
  private static let fieldLimit = 2000

  /// A reader.
  public init() {}

  /// The shape of an answer. O(values).
  ///
  /// - Throws: `ParsingError`: `foreign` where it is no JSON at all; `syntax`, `truncated` or `limit` where the JSON
  ///   is broken.
  public func shape(of body: [UInt8]) throws(ParsingError) -> AnswerShape {
    let content = JSONPadding.content(of: body)
    let bytes = content.count == body.count ? body : Array(body[content])
    return try Answer.read(bytes) { root in
      var survey = ShapeSurvey()
      survey.visit(root, "$")
      return AnswerShape(fields: survey.fields(limit: JSONShapeReader.fieldLimit))
    }
  }

  /// What became of the fields of `earlier`.
  public func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift] {
    let before = Dictionary(earlier.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(now.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var drifts: [FieldDrift] = []
    for field in earlier.fields {
      guard let found = after[field.path] else {
        // Without a parent nothing can be said: it vanished itself, or its list is empty this time.
        if field.always, isParent(of: field.path, in: after) {
          drifts.append(FieldDrift(.vanished, path: field.path, before: field.kinds, now: []))
        }
        continue
      }
      let known = Set(field.kinds)
      // A field that was only null before tells no kind; null is what optional fields are.
      let fresh = found.kinds.filter { !known.contains($0) && $0 != "null" }
      if !fresh.isEmpty, known != ["null"] {
        drifts.append(FieldDrift(.kind, path: field.path, before: field.kinds, now: found.kinds))
      }
    }
    for field in now.fields where before[field.path] == nil && isParent(of: field.path, in: before) {
      drifts.append(FieldDrift(.appeared, path: field.path, before: [], now: field.kinds))
    }
    return drifts.sorted { ($0.path, $0.change.rawValue) < ($1.path, $1.change.rawValue) }
  }

  private func isParent(of path: String, in fields: [String: AnswerShape.Field]) -> Bool {
    if path == "$" { return true }
    if path.hasSuffix("[]") { return false }
    var parent = path
    while let last = parent.last {
      parent.removeLast()
      if last == "." || last == "[" { break }
    }
    return fields[parent]?.kinds.contains("object") ?? false
  }
}

/// Counts fields while it walks through a document.
struct ShapeSurvey {
  private var kinds: [String: Set<String>] = [:]
  private var counts: [String: Int] = [:]
  private var objects: [String: Int] = [:]
  private var parents: [String: String] = [:]

  mutating func visit(_ node: JSONNode, _ path: String) {
    kinds[path, default: []].insert(node.kind.rawValue)
    counts[path, default: 0] += 1
    switch node.kind {
    case .object:
      objects[path, default: 0] += 1
      node.forEachMember { name, value in
        let step = JSONPath([.name(name.text)]).description.dropFirst()
        let child = path + step
        parents[child] = path
        visit(value, child)
      }
    case .array: node.forEachElement { _, element in visit(element, path + "[]") }
    default: break
    }
  }

  /// The fields, sorted by path.
  func fields(limit: Int) -> [AnswerShape.Field] {
    kinds.keys.sorted().prefix(limit).map { path in
      let possible = parents[path].flatMap { objects[$0] }
      return AnswerShape.Field(
        path: path, kinds: (kinds[path] ?? []).sorted(), always: possible == nil || counts[path] == possible)
    }
  }
}
