import Foundation
import Models
import Parsing
import Ports

/// The small record: checked, read typed, read as a tree, written.
struct PeopleBench {
  let lines: Lines
  let stopwatch: Stopwatch

  func run() {
    let (lines, count, bytes) = (lines, lines.count, lines.bytes.count)
    stopwatch.measure("person check", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for index in 0..<count {
        sum &+= (try? JSONDocument.read(lines[index]) { (node) throws(ParsingError) in node.elementCount }) ?? 0
      }
      return sum
    }
    stopwatch.measure("person typed", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for index in 0..<count {
        let person = try? JSONDocument.read(lines[index]) { (node) throws(ParsingError) in try BenchPerson.person(node)
        }
        sum &+= person?.email.utf8.count ?? 0
      }
      return sum
    }
    let coder = JSONRecordCoder()
    stopwatch.measure("person tree", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for index in 0..<count {
        let raw = UnsafeRawBufferPointer(lines[index])
        sum &+= (try? coder.decode(raw.bytes).members.count) ?? 0
      }
      return sum
    }
    let people = (0..<count).compactMap { index in
      try? JSONDocument.read(lines[index]) { (node) throws(ParsingError) in try BenchPerson.person(node) }
    }
    stopwatch.measure("person encode", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for person in people { sum &+= coder.encode(person.fields).count }
      return sum
    }
    let trees = people.map(\.fields)
    stopwatch.measure("person encode tree", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for tree in trees { sum &+= coder.encode(tree).count }
      return sum
    }
    let others = (0..<count).compactMap { index in try? coder.decode(UnsafeRawBufferPointer(lines[index]).bytes) }
    let copies = (0..<count).compactMap { index in try? coder.decode(UnsafeRawBufferPointer(lines[index]).bytes) }
    stopwatch.measure("person equal", "almanac", records: count, bytes: bytes) {
      zip(others, copies).reduce(0) { $0 &+ ($1.0 == $1.1 ? 1 : 0) }
    }
    foundation(people, bytes)
  }

  private func foundation(_ people: [BenchPerson], _ bytes: Int) {
    let data = (0..<lines.count).map { Data(lines[$0]) }
    let decoder = JSONDecoder()
    stopwatch.measure("person typed", "JSONDecoder", records: data.count, bytes: bytes) {
      var sum = 0
      for line in data { sum &+= (try? decoder.decode(BenchPerson.self, from: line))?.email.utf8.count ?? 0 }
      return sum
    }
    stopwatch.measure("person tree", "JSONSerialization", records: data.count, bytes: bytes) {
      var sum = 0
      for line in data {
        sum &+= ((try? JSONSerialization.jsonObject(with: line)) as? [String: Any])?.count ?? 0
      }
      return sum
    }
    let encoder = JSONEncoder()
    stopwatch.measure("person encode", "JSONEncoder", records: people.count, bytes: bytes) {
      var sum = 0
      for person in people { sum &+= (try? encoder.encode(person))?.count ?? 0 }
      return sum
    }
  }
}
