import CLibrary
import Models

/// Cuts a file at ends of lines, and a JSON array into lines of its items. It holds no more than a piece of the file and the line
/// that is begun in it.
struct LineCutter {
  /// Why the file was not read to its end.
  private(set) var failure: Failure?
  /// The beginning of the next line.
  private var rest: [UInt8] = []
  /// The lines of the piece after the first one.
  private var waiting: Lines?
  /// How many lines came before.
  private var lines = 0
  private var isAtEnd = false
  private var array = ArrayLines()

  /// The next lines; `nil` where there are no more, or a failure.
  ///
  /// - Parameter read: gives the next piece, `nil` at the end.
  mutating func next(_ read: () throws(Failure) -> [UInt8]?) -> Lines? {
    if let found = waiting {
      waiting = nil
      return counted(found)
    }
    while !isAtEnd {
      do throws(Failure) {
        guard let piece = try read().map({ array.lines(of: $0) }) else {
          isAtEnd = true
          if array.isOpen {
            throw Library.mistake(lines + 1, "the array does not end: a part of the file is missing")
          }
          return rest.isEmpty ? nil : counted(Lines(bytes: rest))
        }
        guard let last = piece.lastIndex(of: 0x0A) else {
          rest += piece
          continue
        }
        // The piece is not copied, but for the lines that begin or end in others.
        let first = rest.isEmpty ? -1 : piece.firstIndex(of: 0x0A) ?? last
        if first < last { waiting = Lines(bytes: piece, range: first + 1..<last + 1) }
        let begun = rest + piece[..<(first + 1)]
        rest = Array(piece[(last + 1)...])
        if !begun.isEmpty { return counted(Lines(bytes: begun)) }
        return next(read)
      } catch { (failure, isAtEnd) = (error, true) }
    }
    return nil
  }

  private mutating func counted(_ found: Lines) -> Lines {
    var found = found
    found.before = lines
    found.forEachPlace { _ in lines += 1 }
    return found
  }
}

/// Whole lines of a file; the last one may lack its end.
struct Lines: Sendable {
  let bytes: [UInt8]
  /// Where they are.
  private let range: Range<Int>
  /// How many lines of the file come before.
  fileprivate(set) var before = 0

  init(bytes: [UInt8], range: Range<Int>? = nil) { (self.bytes, self.range) = (bytes, range ?? 0..<bytes.count) }

  /// Calls `body` with the place of each line, without its end.
  fileprivate func forEachPlace<E: Error>(_ body: (Range<Int>) throws(E) -> Void) throws(E) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = bytes.withUnsafeBytes { bytes in
        let base = UnsafeRawPointer(bytes.baseAddress!)
        return memchr(base + start, 0x0A, range.upperBound - start).map { UnsafeRawPointer($0) - base }
      }
      try body(start..<(end ?? range.upperBound))
      start = (end ?? range.upperBound) + 1
    }
  }

  /// Calls `body` with the place of each line, without its end, and its number in the file from 1.
  func forEach(_ body: (_ line: Range<Int>, _ number: Int) throws(Failure) -> Void) throws(Failure) {
    var number = before
    try forEachPlace { (place) throws(Failure) in
      number += 1
      // A byte order mark says nothing in UTF-8 (RFC 8259 section 8.1 lets readers pass over it).
      let isMarked = number == 1 && bytes[place].starts(with: [0xEF, 0xBB, 0xBF])
      try body(isMarked ? place.lowerBound + 3..<place.upperBound : place, number)
    }
  }

  func withLine<Result>(_ line: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result) throws(Failure) -> Result {
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = bytes[...]
    return try body(slice.span.bytes.extracting(line))
  }
}
