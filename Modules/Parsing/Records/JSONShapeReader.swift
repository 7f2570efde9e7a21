public import Ports

/// Tells which fields answers hold and of which kinds, for the drift report.
public struct JSONShapeReader: ShapeReader {
  /// A reader.
  public init() {}

  /// The shape of all the answers together, at most 500 fields of it. O(values).
  ///
  /// Objects with more than 64 names are taken for maps, whose names are data: their members are one field, `*`. An
  /// answer that only tells an error (`stat` is `fail`; `error` without `data`) is no answer.
  public func shape(of bodies: [[UInt8]]) -> AnswerShape {
    var survey = ShapeSurvey()
    for body in bodies {
      let content = JSONPadding.content(of: body)
      let bytes = content.count == body.count ? body : Array(body[content])
      // What cannot be read is told by the parser, with its place.
      try? Answer.read(bytes) { root in
        if !Self.isError(root) { survey.visit(root) }
      }
    }
    return survey.shape
  }

  private static func isError(_ root: JSONNode) -> Bool {
    if let stat = root["stat"]?.string { return stat == "fail" }
    return root["data"] == nil && root.failure != nil
  }

  /// What became of the fields of `earlier`.
  public func drift(from earlier: AnswerShape, to now: AnswerShape) -> [FieldDrift] {
    let before = Dictionary(earlier.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(now.fields.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var drifts: [FieldDrift] = []
    for field in earlier.fields {
      let found = after[field.path]
      let known = Set(field.kinds)
      if let found, found.kinds != ["null"] {
        // A field that was only null before tells no kind; null is what optional fields are.
        let fresh = found.kinds.filter { !known.contains($0) && $0 != "null" }
        if !fresh.isEmpty, known != ["null"] {
          drifts.append(FieldDrift(.kind, path: field.path, before: field.kinds, now: found.kinds))
        }
      } else if field.always, !known.contains("null"), let parent = Self.parent(of: field.path) {
        // Without an object that could have it nothing can be said, and with a few not much.
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

  /// The path of the object that has the field; `nil` for the root and for elements, which no object has.
  private static func parent(of path: String) -> String? {
    guard path != "$", !path.hasSuffix("[]") else { return nil }
    // A quote within a name in brackets has a backslash before it, so the last `['` begins the name.
    guard path.hasSuffix("']") else { return path.lastIndex(of: ".").map { String(path[..<$0]) } }
    var rest = path[...]
    while let open = rest.lastIndex(of: "[") {
      if path[path.index(after: open)] == "'" { return String(path[..<open]) }
      rest = path[..<open]
    }
    return nil
  }
}
