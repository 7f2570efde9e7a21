import CLibrary
import Parsing
import Ports

/// Reads one field of each of a million lines.
struct FilterBench {
  let lines: Lines
  let stopwatch: Stopwatch

  func run() {
    let compiler = JSONRecordFilterCompiler()
    for field in ["birthday", "updatedAt", "id"] {
      let filter = compiler.filter([RecordCondition(field: field, comparison: .greaterOrEqual, value: "1990")])
      stopwatch.measure("filter \(field)", "almanac", records: lines.count, bytes: lines.bytes.count) {
        var matches = 0
        for index in 0..<lines.count where filter.matches(UnsafeRawBufferPointer(lines[index]).bytes) { matches += 1 }
        return matches
      }
    }
  }
}

/// A file of JSON Lines in memory, with the range of every line.
struct Lines {
  let bytes: UnsafeBufferPointer<UInt8>
  let starts: [Int]

  /// Reads a file, at most `limit` lines of it.
  init(path: String, limit: Int = .max) {
    let file = open(path, O_RDONLY)
    var status = stat()
    guard file >= 0, fstat(file, &status) == 0 else {
      print("no file at \(path): run make_data.py first")
      exit(66)
    }
    let size = Int(status.st_size)
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    var read = 0
    while read < size {
      let count = CLibrary.read(file, buffer + read, size - read)
      guard count > 0 else { break }
      read += count
    }
    close(file)
    var starts = [0]
    var at = 0
    while starts.count <= limit, at < size, let feed = memchr(buffer + at, 0x0A, size - at) {
      at = UnsafeRawPointer(feed) - UnsafeRawPointer(buffer) + 1
      starts.append(at)
    }
    self.starts = starts
    bytes = UnsafeBufferPointer(start: buffer, count: starts[starts.count - 1])
  }

  var count: Int { starts.count - 1 }

  /// A line without its line break.
  subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.baseAddress! + starts[index], count: starts[index + 1] - starts[index] - 1)
  }
}
