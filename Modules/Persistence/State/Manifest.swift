import Models
import Ports

/// The file that names the files that make up the store. It is replaced as a whole, by a rename.
struct Manifest: Hashable, Sendable {
  static let name = "manifest"
  static let temporaryName = "manifest.new"
  /// How it begins, in every format.
  static let opening = "almanac-store "
  /// The newest format that this code knows. A newer major one is refused; a newer minor one adds lines that may be
  /// passed over. A store without a history has format 1.0.
  static let major = 2
  static let minor = 0

  struct Part: Hashable, Sendable {
    var collection: String
    /// The version of the manifest that brought it; part of its name.
    var version: UInt64
    var records: Int
    var bytes: Int
    /// The checksum of its sums file.
    var sum: UInt64
    var isHistory = false

    var fileName: String { "\(collection).\(hexadecimalText(version)).\(isHistory ? "history" : "records")" }
    var sumsName: String { "\(collection).\(hexadecimalText(version)).\(isHistory ? "hsums" : "sums")" }
    var publishedName: String { collection + Self.publishedSuffix }

    /// What the file that people read is called, after its collection.
    static let publishedSuffix = ".jsonl"
  }

  struct Segment: Hashable, Sendable {
    var number: UInt64
    /// The number of the first commit that it can hold.
    var first: UInt64
    /// Its length, once nothing is appended any more.
    var finalSize: Int?

    var fileName: String { "journal.\(hexadecimalText(number))" }
  }

  /// Counts the replacements of the manifest.
  var version: UInt64
  /// The random number of this store.
  var store: UInt64
  /// The last commit that the collection files hold.
  var compacted: UInt64
  /// When they were written, in seconds since 1970.
  var compactedAt: Int
  /// Sorted by name.
  var parts: [Part]
  /// Collection files of the generation before, for readers that are under way.
  var kept: [Part]
  /// In their order; the last one is appended to.
  var segments: [Segment]
  /// `nil` if no history is kept.
  var history: History?
  /// What an erasure that has begun erases: digests of the names of records.
  var erased: [String] = []

  /// The files of records and of changes.
  var allParts: [Part] { parts + (history?.runs.map(\.part) ?? []) }

  /// The files that the store consists of besides the manifest.
  var fileNames: [String] { allParts.flatMap { [$0.fileName, $0.sumsName] } + segments.map(\.fileName) }

  /// Whether a journal file holds only compacted commits: then it is there for the change feed alone.
  func isHistory(_ segment: Segment) -> Bool {
    segments.contains { $0.number == segment.number + 1 && $0.first <= compacted + 1 }
  }

  var active: Segment { segments[segments.count - 1] }

  /// The manifest as it is written: lines of words, the last one the checksum of all before it.
  var text: [UInt8] {
    var text = "\(Self.opening)\(history == nil && erased.isEmpty ? 1 : 2).0\n"
    text += "version \(version)\nstore \(hexadecimalText(store))\nfolded \(compacted) \(compactedAt)\n"
    for (word, parts) in [("collection", parts), ("kept", kept)] {
      for part in parts {
        text += "\(word) \(part.collection) \(part.version) \(part.records) \(part.bytes)"
        text += " \(hexadecimalText(part.sum))\n"
      }
    }
    for segment in segments {
      text += "journal \(segment.number) \(segment.first) \(segment.finalSize.map(String.init) ?? "open")\n"
    }
    if let history { text += history.lines }
    for digest in erased { text += "erase \(digest)\n" }
    let bytes = Array(text.utf8)
    return bytes + Array("sum \(hexadecimalText(XXHash64.sum(bytes)))\n".utf8)
  }
}

extension Manifest {
  /// - Throws: `newerFormat`, or `damaged` with the offset of the line that is wrong.
  init(text: [UInt8], path: String, repair: Advice) throws(StoreError) {
    func damaged(_ message: String, _ offset: Int) -> StoreError {
      StoreError(.damaged, message, hint: repair, path: path, offset: offset)
    }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    let words = lines.map { $0.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) } }
    guard let first = words.first, first.count == 2, first[0] == "almanac-store" else {
      throw damaged("the manifest does not begin with its format", 0)
    }
    // The format comes before the checksum: a newer one may sum differently.
    guard let major = Int(first[1].prefix { $0 != "." }) else { throw damaged("the format has no number", 0) }
    guard major <= Self.major else {
      throw StoreError(
        .newerFormat, "the store has format \(first[1]), this program knows \(Self.major).\(Self.minor)",
        hint: "use a newer version of the program", path: path)
    }
    let end = text.count - 21
    guard end >= 0, lines.count >= 2, words[lines.count - 2].first == "sum", lines[lines.count - 1].isEmpty,
      words[lines.count - 2].last == text[..<end].withUnsafeBytes({ hexadecimalText(XXHash64.sum($0)) })
    else { throw damaged("the manifest's checksum is wrong", max(end, 0)) }
    self.init(version: 0, store: 0, compacted: 0, compactedAt: 0, parts: [], kept: [], segments: [])
    for (index, line) in words.dropFirst().dropLast(2).enumerated() where !take(line) {
      throw damaged("line \(index + 2) of the manifest is not understood", lines[index + 1].startIndex)
    }
    guard !segments.isEmpty else { throw damaged("the manifest names no journal", end) }
  }

  private mutating func take(_ words: [String]) -> Bool {
    switch words.first {
    case "version":
      guard words.count == 2, let number = UInt64(words[1]) else { return false }
      version = number
    case "store":
      guard words.count == 2 else { return false }
      store = UInt64(words[1], radix: 16) ?? 0
    case "folded":
      guard words.count == 3, let commit = UInt64(words[1]), let at = Int(words[2]) else { return false }
      (compacted, compactedAt) = (commit, at)
    case "collection", "kept":
      guard words.count == 6, let version = UInt64(words[2]), let records = Int(words[3]), let bytes = Int(words[4]),
        let sum = UInt64(words[5], radix: 16)
      else { return false }
      let part = Part(collection: words[1], version: version, records: records, bytes: bytes, sum: sum)
      if words[0] == "kept" { kept.append(part) } else { parts.append(part) }
    case "journal":
      guard words.count == 4, let number = UInt64(words[1]), let first = UInt64(words[2]) else { return false }
      guard words[3] == "open" || Int(words[3]) != nil else { return false }
      segments.append(Segment(number: number, first: first, finalSize: Int(words[3])))
    case "begins":
      guard words.count == 3, let commit = UInt64(words[1]), let at = Int(words[2]) else { return false }
      history = History(begins: commit, beginsAt: at)
    case "history", "policy", "lost": return history?.take(words) ?? false
    case "erase" where words.count == 2: erased.append(words[1])
    case nil: return false
    default: break
    }
    return true
  }
}
