import Parsing
import Ports

/// One field of each of a million lines.
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
