import Models

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The last line of a transaction, which says why it was made: `{"by":"sync","follow":"people","run":"…"}`.
struct CauseLine: Codable {
  private var by: String
  private var command: String?
  private var follow: String?
  /// The collection, the old id and the new one.
  private var moved: [[String]]?
  private var of: String?
  private var run: String?

  static let opening: StaticString = "{\"by\":\""

  /// The line of a cause, without its newline.
  static func bytes(_ cause: ChangeCause) -> [UInt8] {
    let moved = cause.moved.map { [$0.collection.rawValue, $0.from, $0.to] }
    let line = CauseLine(
      by: cause.kind.rawValue, command: cause.tool?.text, follow: cause.follow, moved: moved.isEmpty ? nil : moved,
      of: cause.of, run: cause.run)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and lists of texts can always be encoded.
    return (try? encoder.encode(line)).map { Array($0) } ?? []
  }

  /// The cause in an object that has the members of a line, among others; `nil` where it names none that is known.
  static func cause(in object: ByteSlice) -> ChangeCause? {
    guard let line = try? JSONDecoder().decode(CauseLine.self, from: Data(object.raw)),
      let kind = ChangeCause.Kind(rawValue: line.by)
    else { return nil }
    let moved = (line.moved ?? []).filter { $0.count == 3 }
    return ChangeCause(
      kind, follow: line.follow, run: line.run, tool: line.command.map(ChangeCause.Tool.init(text:)), of: line.of,
      moved: moved.map { ChangeCause.Move(CollectionName(rawValue: $0[0]), from: $0[1], to: $0[2]) })
  }
}
