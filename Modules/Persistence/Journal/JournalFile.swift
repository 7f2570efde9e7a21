import Models
import Ports
import Synchronization

final class JournalFile: Sendable {
  let file: OpenFile
  let segment: Manifest.Segment
  /// Whether it was opened for appending; readers open it for reading only.
  let isWritable: Bool
  private let window: Mutex<Mapping?> = Mutex(nil)
  private let leastWindow: Int

  init(file: OpenFile, segment: Manifest.Segment, leastWindow: Int, isWritable: Bool = false) {
    (self.file, self.isWritable, self.segment, self.leastWindow) = (file, isWritable, segment, leastWindow)
  }

  /// Opens the file of a segment; `nil` where it was removed because the manifest changed.
  static func open(
    _ segment: Manifest.Segment, on disk: Disk, _ limits: Limits, isWritable: Bool = false
  ) throws(StoreError) -> JournalFile? {
    try disk.open(segment.fileName, isWritable ? .write : .read).map {
      JournalFile(file: $0, segment: segment, leastWindow: limits.journalWindow, isWritable: isWritable)
    }
  }

  /// The mapped file, at least `size` bytes of it, and far beyond its end: appended bytes appear without a call.
  func mapping(_ size: Int) throws(StoreError) -> Mapping {
    if let mapping = window.withLock({ $0 }), mapping.capacity >= size { return mapping }
    var capacity = leastWindow
    while capacity < size { capacity *= 2 }
    let mapping = try file.map(capacity: capacity)
    window.withLock { $0 = mapping }
    return mapping
  }

  struct Bounds: Hashable {
    enum Known: Hashable {
      case nothing
      case exactly(Int)
      /// They reach at least to there, and whole ones may follow; what is not whole was never acknowledged.
      case atLeast(Int)
      /// Those up to there were acknowledged; so may have been what follows.
      case acknowledged(Int)
    }

    var known: Known
    /// The identity of the file of which it is known; `nil` where a copy of that file cannot be told from it.
    var identity: UInt64?

    static let unknown = Bounds(known: .nothing)

    /// Up to where transactions were acknowledged, as far as it is known.
    var end: Int? {
      switch known {
      case .nothing: nil
      case .exactly(let end), .atLeast(let end), .acknowledged(let end): end
      }
    }

  }

  /// What a journal file holds. Readers, writers, the check and the repair share this one judgement.
  struct Verdict {
    /// Where the whole transactions end that follow one another.
    var end: Int
    /// The number of the transaction that belongs there.
    var next: UInt64
    var size: Int
    var tail: Tail
    /// By how many bytes the file is shorter than what was acknowledged. It belongs to a copy of the folder that was made
    /// while a program wrote to it, or was truncated; where that is known, the tail is damaged.
    var missing = 0

    enum Tail {
      case nothing
      /// The rest of a transaction that was never acknowledged; the next writer removes it.
      case truncated
      /// A transaction that was whole once.
      case damaged(StoreError)
    }

    var truncated: Int { if case .truncated = tail { size - end } else { 0 } }
  }

  /// Reads whole transactions, from the beginning of one.
  ///
  /// - Returns: the verdict, in which nothing is damaged.
  /// - Throws: `damaged` where a transaction is broken that was whole once.
  func read(
    from start: Int, _ bounds: Bounds, sequence: UInt64, _ body: (Frame, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Verdict {
    let verdict = try self.verdict(from: start, bounds, sequence: sequence, body)
    if case .damaged(let error) = verdict.tail { throw error }
    return verdict
  }

  /// - Parameters:
  ///   - bounds: where the transactions that count end, as far as that is known; nothing before it may be broken.
  ///   - sequence: the number of the first one.
  ///   - body: takes each whole transaction and the offset of its changes.
  func verdict(
    from start: Int, _ bounds: Bounds, sequence: UInt64, _ body: (Frame, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Verdict {
    let information = try file.information()
    let length = information.size
    var (promised, acknowledged) = (segment.finalSize, 0)
    var isRestTruncated = false
    var missing = 0
    if let end = bounds.end, end > length {
      // A shorter file was truncated, or is a copy: the mark does not belong to it.
      missing = end - length
    } else {
      switch bounds.known {
      case .nothing: break
      case .exactly(let end): promised = end
      case .atLeast(let end): (acknowledged, isRestTruncated) = (end, true)
      case .acknowledged(let end): acknowledged = end
      }
    }
    var verdict = Verdict(end: start, next: sequence, size: promised ?? length, tail: .nothing, missing: missing)
    while verdict.end < verdict.size {
      guard let frame = try self.frame(at: verdict.end, size: verdict.size) else {
        if promised != nil || verdict.end < acknowledged {
          verdict.tail = .damaged(damaged("a transaction is broken", verdict.end))
        } else {
          verdict.tail = isRestTruncated ? .truncated : try tail(at: verdict.end, size: verdict.size)
        }
        break
      }
      guard frame.sequence == verdict.next else {
        verdict.tail = .damaged(damaged("transaction \(frame.sequence) is where \(verdict.next) belongs", verdict.end))
        break
      }
      try body(frame, verdict.end + Frame.headCount)
      verdict.next += 1
      verdict.end += Frame.headCount + frame.bytes
    }
    if missing > 0, bounds.identity == information.identity {
      verdict.tail = .damaged(tooShort(by: missing, verdict.end))
    }
    return verdict
  }

  /// The error for a file that lost bytes which a program has written or read.
  func tooShort(by missing: Int, _ end: Int) -> StoreError {
    damaged("the file was truncated: the last \(missing) bytes of acknowledged commits are missing", end)
  }

  /// The transaction at an offset, if all of it is there and nothing of it differs from what was written.
  func frame(at offset: Int, size: Int) throws(StoreError) -> Frame? {
    guard size - offset >= Frame.headCount else { return nil }
    let head = try file.bytes(at: offset, count: Frame.headCount)
    guard let frame = head.withUnsafeBufferPointer({ Frame(head: ByteSlice($0)) }) else { return nil }
    // Not from the mapping: a writer whose write fails shortens the file, and touching the mapping would be fatal then.
    guard frame.bytes <= size - offset - Frame.headCount else { return nil }
    var hash = XXHash64()
    var done = 0
    while done < frame.bytes {
      let piece = try file.bytes(at: offset + Frame.headCount + done, count: min(1 << 18, frame.bytes - done))
      if piece.isEmpty { return nil }
      piece.withUnsafeBytes { hash.update($0) }
      done += piece.count
    }
    return hash.value == frame.sum ? frame : nil
  }

  /// Decides by the bytes after the last whole transaction: a truncated write that was never acknowledged, or damage.
  ///
  /// A write that was broken off is shorter than its first line says, or has zero bytes where sectors, or the ends of
  /// some, never reached the disk; transactions hold none. Anything else was whole once.
  private func tail(at offset: Int, size: Int) throws(StoreError) -> Verdict.Tail {
    try file.bytes(at: offset, count: size - offset).withByteSlice { slice in
      var start = 0
      while let newline = slice.first(0x0A, from: start) {
        start = newline + 1
        if Frame(head: slice[start..<slice.count]) != nil {
          return .damaged(damaged("a broken transaction comes before a whole one", offset))
        }
      }
      if slice.count < Frame.headCount || slice.starts(with: Self.voidBeginning) { return .truncated }
      if let frame = Frame(head: slice), frame.bytes > slice.count - Frame.headCount { return .truncated }
      if slice.hasZeros(startingAt: offset) { return .truncated }
      return .damaged(damaged("the last transaction is not what was written", offset))
    }
  }

  /// Overwrites the beginning of a transaction that could not be synced.
  static let voidText: StaticString = "{\"void\":"
  /// As much of it as must be there: a transaction begins otherwise, and one flipped bit does not make it so.
  private static var voidBeginning: ByteSlice { ByteSlice("{\"v") }

  func damaged(_ message: String, _ offset: Int?) -> StoreError {
    StoreError(
      .damaged, message, hint: file.disk.suggestions.repair, path: file.disk.path(segment.fileName), offset: offset)
  }

  /// Where in the file bytes of its mapping are, if that is known.
  func offset(of bytes: ByteSlice) -> Int? {
    guard let mapping = window.withLock({ $0 }) else { return nil }
    let offset = UnsafeRawPointer(bytes.base) - mapping.base
    return (0..<mapping.capacity).contains(offset) ? offset : nil
  }
}

extension JournalFile.Bounds {
  /// What the mark in the lock file says about the journal file that this manifest appends to.
  ///
  /// A mark is written after the sync of what it describes. So one of another start of the machine, or one that a writer
  /// left while it replaced the manifest, is true as well; it may only be older than the journal.
  init(_ mark: CommitMark?, of manifest: Manifest, boot: UInt64?) {
    guard let mark, mark.version == manifest.version, mark.journal == manifest.active.number else {
      self = .unknown
      return
    }
    self.init(known: mark.boot == boot ? .atLeast(mark.end) : .acknowledged(mark.end), identity: mark.file?.identity)
  }
}

extension JournalFile {
  /// The changes of one transaction, in their order, as slices of `mapping`.
  ///
  /// - Returns: the line that says why it was made.
  @discardableResult
  func changes(
    of frame: Frame, at offset: Int, in mapping: Mapping, _ body: (FrameChange) throws(StoreError) -> Void
  ) throws(StoreError) -> ByteSlice? {
    let slice = ByteSlice(mapping.base + offset, count: frame.bytes)
    var start = 0
    for _ in 0..<frame.changes {
      guard let end = slice.first(0x0A, from: start), let change = FrameChange(line: slice[start..<end]) else {
        throw damaged("a change is not understood", offset + start)
      }
      try body(change)
      start = end + 1
    }
    if start == frame.bytes { return nil }
    let rest = slice[start..<frame.bytes]
    guard rest.starts(with: ByteSlice(CauseLine.opening)), rest.first(0x0A) == rest.count - 1 else {
      throw damaged("a transaction has more changes than it says", offset)
    }
    return rest[0..<rest.count - 1]
  }
}
