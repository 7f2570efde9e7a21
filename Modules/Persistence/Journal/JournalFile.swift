import Glibc
import Ports
import Synchronization

/// A file of the journal: only ever appended to.
final class JournalFile: Sendable {
  let file: OpenFile
  let segment: Manifest.Segment
  /// Whether it was opened for appending; readers open it for reading only.
  let isWritable: Bool
  private let window: Mutex<Mapping?> = Mutex(nil)
  private let leastWindow: Int

  init(file: OpenFile, segment: Manifest.Segment, leastWindow: Int, isWritable: Bool = false) {
    self.file = file
    self.isWritable = isWritable
    self.segment = segment
    self.leastWindow = leastWindow
  }

  /// The file in memory, at least so many bytes of it. It is mapped far beyond its end, so that what is appended
  /// appears by itself.
  func mapping(_ size: Int) throws(StoreError) -> Mapping {
    if let mapping = window.withLock({ $0 }), mapping.capacity >= size { return mapping }
    var capacity = leastWindow
    while capacity < size { capacity *= 2 }
    let mapping = try file.map(capacity: capacity)
    window.withLock { $0 = mapping }
    return mapping
  }

  /// What is known about the end of the transactions that count.
  enum Bounds: Hashable {
    case unknown
    /// They end there.
    case exactly(Int)
    /// They reach at least to there, and whole ones may follow.
    case atLeast(Int)
  }

  /// How reading ended.
  struct Ending: Hashable {
    /// Where the last whole transaction ends.
    var end: Int
    /// How many bytes of an unfinished one follow.
    var torn: Int
  }

  /// Reads whole transactions, from the beginning of one.
  ///
  /// - Parameters:
  ///   - bounds: where the transactions that count end, if that is known; then nothing before it may be broken.
  ///   - sequence: the number of the first one.
  /// - Throws: `damaged` where a transaction is broken that was whole once.
  func read(
    from start: Int, _ bounds: Bounds, sequence: UInt64, _ body: (Frame, Int) throws(StoreError) -> Void
  ) throws(StoreError) -> Ending {
    var acknowledged: Int?
    var size = try file.information().size
    var promised = segment.sealed
    switch bounds {
    // A file that is shorter was cut off, or is a copy: then the mark does not belong to it.
    case .exactly(let end) where end <= size: promised = end
    case .atLeast(let end) where end <= size: acknowledged = end
    default: break
    }
    if let promised { size = promised }
    var place = start
    var next = sequence
    while place < size {
      guard let frame = try self.frame(at: place, size: size) else {
        if promised != nil || place < acknowledged ?? 0 { throw damaged("a transaction is broken", place) }
        // Whoever wrote this was killed before it was acknowledged, whatever it is.
        if acknowledged != nil { return Ending(end: place, torn: size - place) }
        return try ending(at: place, size: size)
      }
      guard frame.sequence == next else {
        throw damaged("transaction \(frame.sequence) stands where \(next) belongs", place)
      }
      try body(frame, place + Frame.headCount)
      next += 1
      place += Frame.headCount + frame.bytes
    }
    return Ending(end: place, torn: 0)
  }

  /// The transaction at a place, if all of it is there and nothing of it differs from what was written.
  func frame(at place: Int, size: Int) throws(StoreError) -> Frame? {
    guard size - place >= Frame.headCount else { return nil }
    let head = try file.bytes(at: place, count: Frame.headCount)
    guard let frame = head.withUnsafeBufferPointer({ Frame(head: Slice($0)) }) else { return nil }
    // Not out of the mapping: a writer that could not finish cuts the file back, and touching it then would kill us.
    guard frame.bytes <= size - place - Frame.headCount else { return nil }
    var hash = XXHash64()
    var done = 0
    while done < frame.bytes {
      let piece = try file.bytes(at: place + Frame.headCount + done, count: min(1 << 18, frame.bytes - done))
      if piece.isEmpty { return nil }
      piece.withUnsafeBytes { hash.update($0) }
      done += piece.count
    }
    return hash.value == frame.sum ? frame : nil
  }

  /// What stands after the last whole transaction: the torn end of one that was never acknowledged, or damage.
  ///
  /// A write that was broken off is shorter than its first line says, or has zero bytes where sectors, or the ends of
  /// some, never reached the disk; transactions hold none. Anything else was whole once.
  private func ending(at place: Int, size: Int) throws(StoreError) -> Ending {
    let rest = try file.bytes(at: place, count: size - place)
    let isTorn = try rest.withUnsafeBufferPointer { buffer throws(StoreError) -> Bool in
      let slice = Slice(buffer)
      var start = 0
      while let newline = slice.first(0x0A, from: start) {
        start = newline + 1
        if Frame(head: slice[start..<slice.count]) != nil {
          throw damaged("a broken transaction stands before a whole one", place)
        }
      }
      if slice.count < Frame.headCount || slice.starts(with: Self.voidBeginning) { return true }
      if let frame = Frame(head: slice), frame.bytes > slice.count - Frame.headCount { return true }
      return slice.hasZeros(startingAt: place)
    }
    guard isTorn else { throw damaged("the last transaction is not what was written", place) }
    return Ending(end: place, torn: rest.count)
  }

  /// What is written over the beginning of a transaction that could not be brought to the disk.
  static let voidText: StaticString = "{\"void\":"
  /// As much of it as must be there: a transaction begins otherwise, and one flipped bit does not make it so.
  private static var voidBeginning: Slice { Slice("{\"v") }

  func damaged(_ message: String, _ offset: Int) -> StoreError {
    StoreError(
      .damaged, message, hint: "run 'almanac doctor --repair'", path: file.disk.path(segment.fileName),
      offset: offset)
  }
}
