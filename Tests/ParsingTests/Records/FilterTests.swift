import Foundation
import Models
import Parsing
import Ports
import Testing

/// Filters look at bytes; what they say is what a tree would say.
@Suite("Record filter")
struct FilterTests {
  private func matches(_ record: String, _ field: String, _ comparison: RecordCondition.Comparison, _ value: String)
    -> Bool
  {
    let filter = JSONRecordFilterCompiler().filter([RecordCondition(field: field, comparison: comparison, value: value)]
    )
    return filter.matches(ContiguousArray(record.utf8).span.bytes)
  }

  @Test(
    "single conditions on a record, beside its id 7",
    arguments: [
      (#""name":"Ada""#, "name", .equal, "Ada", true), (#""name":"Ada""#, "name", .equal, "ada", false),
      (#""name":"Ada""#, "name", .notEqual, "Bob", true),
      (#""name":"Ada Lovelace""#, "name", .contains, "LOVE", true), (#""name":"Ada""#, "name", .contains, "", true),
      (#""name":"É""#, "name", .contains, "é", true),
      (#""name":"Jo\#u{308}rg Größe""#, "name", .contains, "JÖRG GRÖ", true),
      (#""name":"Ξένια""#, "name", .contains, "ξΈΝ", true),
      (#""name":"J\u00fcrgen""#, "name", .contains, "JÜR", true),
      (#""name":"Jurgen""#, "name", .contains, "ür", true),
      (#""name":"J\u00fcrgen Wei\u00df""#, "name", .contains, "weiss", true),
      (#""name":"García""#, "name", .contains, "GARCIA", true),
      (#""name":"García""#, "name", .equal, "Garcia", false),
      // Numbers, also within strings, exactly.
      (#""n":10"#, "n", .greater, "9", true), (#""n":10"#, "n", .equal, "1e1", true),
      (#""price":{"amount":"0.99000","currency":"EUR"}"#, "price.amount", .less, "1", true),
      (#""price":{"amount":"0.99000"}"#, "price.amount", .equal, "0.99", true),
      (#""n":12345678901234567891"#, "n", .less, "12345678901234567892", true),
      (#""n":-0.5"#, "n", .less, "-0.25", true), (#""n":0"#, "n", .equal, "-0.00", true),
      // Absent, null, true.
      ("", "name", .equal, "", false), ("", "name", .notEqual, "x", true),
      (#""name":null"#, "name", .notEqual, "x", true), (#""name":null"#, "name", .contains, "", false),
      (#""isPro":true"#, "isPro", .equal, "true", true), ("", "name", .absent, "", true),
      ("", "name", .present, "", false), (#""name":null"#, "name", .absent, "", true),
      (#""name":"""#, "name", .present, "", true), (#""n":0"#, "n", .present, "", true),
      (#""n":0"#, "n", .absent, "", false), (#""o":{"a":1}"#, "o", .present, "", true),
      (#""o":{"a":1}"#, "o", .absent, "", false), (#""o":{"a":1}"#, "o.b", .absent, "", true),
      (#""tags":[]"#, "tags", .absent, "", true), (#""tags":["sea"]"#, "tags", .absent, "", false),
      (#""tags":[{"a":1}]"#, "tags", .present, "", true),
      // Lists and objects.
      (#""tags":["sea","fog"]"#, "tags", .equal, "fog", true),
      (#""tags":["sea","fog"]"#, "tags", .contains, "FO", true),
      (#""tags":["sea","fog"]"#, "tags", .notEqual, "fog", false), (#""tags":[]"#, "tags", .notEqual, "fog", true),
      (#""o":{"a":1}"#, "o", .contains, "a", false),
      // Lists of objects: one of the members of one of them, or the member that the path names.
      ("", "emails", .contains, "x", false), ("", "emails.type", .notEqual, "x", true),
      (#""r":[{"rank":3},{"rank":40}]"#, "r.rank", .less, "10", true),
      (#""r":[{"rank":30},{"rank":40}]"#, "r.rank", .less, "10", false),
      // What looks like the field and is not.
      (#""o":{"name":"Ada"},"name":"Bob""#, "name", .equal, "Ada", false),
      (#""o":{"name":"Ada"},"name":"Bob""#, "name", .equal, "Bob", true),
      (#""o":[{"name":"Ada"}]"#, "name", .equal, "Ada", false),
      // Escapes in values and in names, and white space.
      (#""name":"A\"d\\a\n""#, "name", .equal, "A\"d\\a\n", true),
      (#""n\u0061me":"Ada""#, "name", .equal, "Ada", true), (#""a\/b":"x""#, "a/b", .equal, "x", true),
      (#""a\"b":"x""#, "a\"b", .equal, "x", true),
    ] as [(String, String, RecordCondition.Comparison, String, Bool)])
  func single(
    _ fields: String, _ field: String, _ comparison: RecordCondition.Comparison, _ value: String, _ isMet: Bool
  ) {
    let record = #"{"id":"7"\#(fields.isEmpty ? "" : ",\(fields)")}"#
    #expect(matches(record, field, comparison, value) == isMet)
  }

  private static let mails =
    #"{"id":"7","emails":[{"value":"a@example.com"},{"value":"b@example.org","type":"work"}]}"#

  @Test(
    "single conditions on whole records",
    arguments: [
      // Lists of objects: one of the members of one of them, or the member that the path names.
      (Self.mails, "emails", .contains, "EXAMPLE.org", true), (Self.mails, "emails", .contains, "value", false),
      (Self.mails, "emails", .equal, "b@example.org", true), (Self.mails, "emails", .equal, "work", true),
      (Self.mails, "emails", .notEqual, "work", false), (Self.mails, "emails", .notEqual, "home", true),
      (Self.mails, "emails.type", .equal, "work", true), (Self.mails, "emails.value", .equal, "work", false),
      (Self.mails, "emails.type", .absent, "", false), (Self.mails, "emails.type", .present, "", true),
      (Self.mails, "emails.type", .notEqual, "work", false), (Self.mails, "emails.pref", .absent, "", true),
      // Ids, what looks like the field and is not, white space, and no record.
      (#"{"id":"10"}"#, "id", .greater, "9", true), (#"{"id":"007"}"#, "id", .equal, "7", false),
      (#"{"id":"b","d":"1985-04-07"}"#, "d", .less, "1985-10-01", true),
      (#"{"id":"\"name\":\"Ada\"","name":"Bob"}"#, "name", .equal, "Ada", false),
      (#"{"id":"name","x":"\\","name":"Bob"}"#, "name", .equal, "Bob", true),
      (#"{"id":"{[","name":"Bob"}"#, "name", .equal, "Bob", true),
      (#"{"id":"{\"[","o":{"x":"}\\"},"name":"Bob"}"#, "name", .equal, "Bob", true),
      ("{ \"id\" : \"7\" , \"n\" : 5 }", "n", .equal, "5", true), ("[1]", "id", .notEqual, "x", false),
      ("", "id", .notEqual, "x", false), ("{\"id\":", "id", .notEqual, "x", false),
    ] as [(String, String, RecordCondition.Comparison, String, Bool)])
  func whole(
    _ record: String, _ field: String, _ comparison: RecordCondition.Comparison, _ value: String, _ isMet: Bool
  ) {
    #expect(matches(record, field, comparison, value) == isMet)
  }

  @Test("all conditions must hold; none hold for every record")
  func several() {
    let compiler = JSONRecordFilterCompiler()
    let both = compiler.filter([
      RecordCondition(field: "a", comparison: .greater, value: "1"),
      RecordCondition(field: "b", comparison: .contains, value: "x"),
    ])
    let verdict = { (filter: any RecordFilter, record: String) in
      filter.matches(ContiguousArray(record.utf8).span.bytes)
    }
    #expect(verdict(both, #"{"id":"1","a":2,"b":"axe"}"#))
    #expect(!verdict(both, #"{"id":"1","a":1,"b":"axe"}"#))
    #expect(!verdict(both, #"{"id":"1","a":2,"b":"b"}"#))
    #expect(verdict(compiler.filter([]), #"{"id":"1"}"#))
  }

  /// Several bytes are compared at once, without the bit that tells the cases of letters apart.
  @Test("a text contains what is at any place of it, in any case")
  func places() {
    var chance = Chance(seed: 11)
    let letters = Array("abAB@`z{-m")
    for _ in 0..<4000 {
      let text = String((0..<chance.next(40)).map { _ in letters[chance.next(letters.count)] })
      let part = String((0...chance.next(12)).map { _ in letters[chance.next(letters.count)] })
      let place = text.index(text.startIndex, offsetBy: chance.next(text.count + 1))
      for value in [part, String(text[place...].prefix(1 + chance.next(20)))] where !value.isEmpty {
        let isIn = text.lowercased().contains(value.lowercased())
        #expect(matches(#"{"id":"7","name":"\#(text)"}"#, "name", .contains, value) == isIn, "\(text) \(value)")
      }
    }
  }

  @Test("ten thousand made-up records: the same verdict as over the tree")
  func agreement() throws {
    var chance = Chance(seed: 7)
    let compiler = JSONRecordFilterCompiler()
    for _ in 0..<(Chance.count("ALMANAC_FILTER_RECORDS", otherwise: 1500)) {
      let record = chance.record()
      let bytes = JSONText.bytes(.object(record))[...]
      for _ in 0..<6 {
        let condition = chance.condition()
        let isMet = compiler.filter([condition]).matches(bytes.span.bytes)
        #expect(isMet == FilterOracle.isMet(condition, record), "\(JSONText.compact(.object(record))) \(condition)")
      }
    }
  }
}

/// What a condition means, said over a tree and without haste.
enum FilterOracle {
  static func isMet(_ condition: RecordCondition, _ record: JSONObject) -> Bool {
    isMet(condition, .object(record), condition.field.split(separator: ".").map(String.init)[...])
  }

  private static func isMet(_ condition: RecordCondition, _ value: JSONValue, _ path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return isMet(condition, value) }
    if let elements = value.array {
      let verdicts = elements.map { isMet(condition, $0, path) }
      return [.notEqual, .absent].contains(condition.comparison) ? !verdicts.contains(false) : verdicts.contains(true)
    }
    return isMet(condition, value.object?[name] ?? .null, path.dropFirst())
  }

  private static func isMet(_ condition: RecordCondition, _ value: JSONValue) -> Bool {
    let isMetByAbsence = [.notEqual, .absent].contains(condition.comparison)
    switch value {
    case .null: return isMetByAbsence
    case .object: return [.notEqual, .present].contains(condition.comparison)
    case .array(let values):
      let isAboutText = ![.present, .absent].contains(condition.comparison)
      let verdicts = values.map { value in
        guard isAboutText, let object = value.object else { return isMet(condition, value) }
        let members = object.members.map { isMet(condition, $0.value) }
        return isMetByAbsence ? !members.contains(false) : members.contains(true)
      }
      return isMetByAbsence ? !verdicts.contains(false) : verdicts.contains(true)
    case .bool(let truth): return isMet(condition, text: truth ? "true" : "false")
    case .number(let digits): return isMet(condition, text: digits)
    case .string(let text): return isMet(condition, text: text)
    }
  }

  private static func isMet(_ condition: RecordCondition, text: String) -> Bool {
    if condition.comparison == .contains {
      guard condition.value.utf8.allSatisfy({ $0 < 0x80 }) else {
        return text.lowercased().contains(condition.value.lowercased())
      }
      return lowered(text).contains(lowered(condition.value)) || condition.value.isEmpty
    }
    if [.present, .absent].contains(condition.comparison) { return condition.comparison == .present }
    let order: Int
    if let one = number(text), let other = number(condition.value) {
      order = one < other ? -1 : one > other ? 1 : 0
    } else {
      let (one, other) = (Array(text.utf8), Array(condition.value.utf8))
      order = one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }
    return switch condition.comparison {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains, .present, .absent: false
    }
  }

  private static func number(_ text: String) -> Decimal? {
    guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
    return Decimal(string: text)
  }

  private static func lowered(_ text: String) -> [UInt8] {
    text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }
}
