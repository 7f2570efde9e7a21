import Foundation
import Models
import Parsing
import Ports

/// Validates, decodes, reads and writes small records.
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

/// The record of about 300 bytes in typed form; the same for every library.
struct BenchPerson: Codable {
  struct Address: Codable {
    var street: String
    var city: String
    var country: String
  }

  var id: String
  var name: String
  var email: String
  var phone: String
  var birthday: String
  var address: Address
  var tags: [String]
  var score: Double
  var active: Bool
  var updatedAt: String

  /// Reads the record from the tape.
  static func person(_ node: JSONNode) throws(ParsingError) -> BenchPerson {
    var member = JSONNode.Cursor(node)
    let id = try string(member("id"), node)
    let name = try string(member("name"), node)
    let email = try string(member("email"), node)
    let phone = try string(member("phone"), node)
    let birthday = try string(member("birthday"), node)
    guard let home = member("address") else { throw node.error(expected: "an address", missing: "address") }
    var part = JSONNode.Cursor(home)
    let street = try string(part("street"), home)
    let city = try string(part("city"), home)
    let country = try string(part("country"), home)
    guard let list = member("tags") else { throw node.error(expected: "tags", missing: "tags") }
    var tags: [String] = []
    tags.reserveCapacity(list.elementCount)
    try list.forEachElement { (_, tag) throws(ParsingError) in tags.append(try string(tag, list)) }
    guard let score = member("score")?.double else { throw node.error(expected: "a number", missing: "score") }
    guard let active = member("active")?.bool else { throw node.error(expected: "a truth value", missing: "active") }
    let updatedAt = try string(member("updatedAt"), node)
    return BenchPerson(
      id: id, name: name, email: email, phone: phone, birthday: birthday,
      address: Address(street: street, city: city, country: country), tags: tags, score: score, active: active,
      updatedAt: updatedAt)
  }

  @inline(__always)
  private static func string(_ node: JSONNode?, _ parent: JSONNode) throws(ParsingError) -> String {
    guard let string = node?.string else { throw (node ?? parent).error(expected: "a string") }
    return string
  }

  /// The record in the form that the coder writes.
  var fields: JSONObject {
    var home = JSONObject()
    home.append("street", address.street)
    home.append("city", address.city)
    home.append("country", address.country)
    var fields = JSONObject()
    fields.append("id", id)
    fields.append("name", name)
    fields.append("email", email)
    fields.append("phone", phone)
    fields.append("birthday", birthday)
    fields.append("address", .object(home))
    fields.append("tags", .array(tags.map { .string($0) }))
    fields.append("score", .number(score.description))
    fields.append("active", active)
    fields.append("updatedAt", updatedAt)
    return fields
  }
}
