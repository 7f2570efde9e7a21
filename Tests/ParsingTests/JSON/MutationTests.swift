import Foundation
import Models
import Parsing
import Ports
import Testing

/// Documents with mistakes in them: the same verdict and the same content as an independent strict parser.
///
/// `ALMANAC_MUTATIONS` says how many; a hundred thousand before a release, two thousand every day.
@Suite("Mutated JSON")
struct MutationTests {
  @Test("the same verdict as Python's json without its leniences", .enabled(if: StrictPython.isThere, "no python3"))
  func verdicts() throws {
    var seeds = Mutator.seeds
    if Samples.areThere {
      for folder in ["json-suite/test_parsing", "rest-users", "json-suite/jsonchecker"] {
        for name in try Samples.names(in: folder) {
          let bytes = try Samples.bytes("\(folder)/\(name)")
          if bytes.count < 4000, !name.hasPrefix("n_"), !name.hasPrefix("fail") { seeds.append(bytes) }
        }
      }
    }
    let wanted = Chance.count("ALMANAC_MUTATIONS", otherwise: 2000)
    var mutator = Mutator(seeds: seeds, seed: UInt64(Chance.count("ALMANAC_SEED_NUMBER", otherwise: 1)))
    var (accepted, refused) = (0, 0)
    while accepted + refused < wanted {
      let documents = (0..<min(5000, wanted - accepted - refused)).map { _ in mutator.next() }
      let verdicts = try StrictPython.compact(documents)
      try #require(verdicts.count == documents.count, "python3 stopped early")
      for (document, verdict) in zip(documents, verdicts) {
        if verdict == nil { refused += 1 } else { accepted += 1 }
        let ours = (try? JSONText.value(of: document)).map(MutationTests.written)
        if ours != verdict.map(MutationTests.comparable) {
          Issue.record("\(String(decoding: document, as: UTF8.self).debugDescription)")
        }
      }
    }
    print("mutated documents: \(accepted) accepted and \(refused) refused by both parsers")
    #expect(accepted > wanted / 50)
  }

  /// Ours and theirs may differ in how they escape; what the texts mean may not.
  private static func comparable(_ compact: [UInt8]) -> [UInt8] {
    (try? JSONText.value(of: compact)).map(written) ?? []
  }

  private static func written(_ value: JSONValue) -> [UInt8] { JSONText.bytes(sorted(value)) }

  /// Python's dictionaries keep the place of the first of two members, ours of the last.
  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let values): .array(values.map(sorted))
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.map { JSONObject.Member(key: $0.key, value: sorted($0.value)) }
            .sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }))
    default: value
    }
  }
}

/// Makes documents that are nearly valid: seeds, changed in one to four places. The same seed number, the same documents.
struct Mutator {
  /// Documents of our own that hold everything the grammar knows.
  static let seeds = [
    #"{"id":"p1","name":"Zoë \"Z\" Müller","n":[0,-0,1.5,-2e10,3E-2,0.1e+1],"t":true,"f":false,"z":null,"o":{},"a":[]}"#,
    #"[[[["deep"]]],{"a":{"b":{"c":[1,2,{"d":"\u00e9\ud83d\ude00\/\b\f\n\r\t\\"}]}}},"",0]"#,
    " { \"spaces\" : [ 1 , 2 ] ,\r\n\t\"twice\":1, \"twice\":2 } ", "\"just text, and long enough for words of eight\"",
    "-12.75e-3",
    #"{"feed":{"entry":[{"im:name":{"label":"App"},"im:image":[{"label":"u","attributes":{"height":"53"}}]}],"updated":"x"}}"#,
    "[\"é\",\"€\",\"😀\",\"\u{7F}\",\"\u{FFFF}\"]", "null", "[]",
  ].map { Array($0.utf8) }

  /// Texts that change a JSON document.
  private static let tokens = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "1", "-", ".", "e", "+", "true", "false", "null", " ", "\n", "\u{0}",
    "\u{1F}",
    "\\u", "\\ud800", "\\u0000", "é", "😀", "\u{FEFF}", "NaN", "01", "1.", "\"\"", "[]", "{}", "/", "'", "//", "\\x",
  ].map { Array($0.utf8) }

  private let seeds: [[UInt8]]
  private let tokens: [[UInt8]]
  private var chance: Chance

  init(seeds: [[UInt8]], tokens: [[UInt8]] = Self.tokens, seed: UInt64) {
    self.seeds = seeds
    self.tokens = tokens
    chance = Chance(seed: seed)
  }

  mutating func next() -> [UInt8] {
    var bytes = chance.pick(seeds)
    for _ in 0...chance.next(3) { change(&bytes) }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = chance.next(bytes.count + 1)
    switch chance.next(8) {
    case 0: bytes.insert(contentsOf: chance.pick(tokens), at: place)
    case 1: bytes.insert(UInt8(chance.next(256)), at: place)
    case 2: if place < bytes.count { bytes[place] = UInt8(chance.next(256)) }
    case 3: if place < bytes.count { bytes[place] ^= 1 << chance.next(8) }
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + chance.next(4)))
    case 5: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + chance.next(16))], at: place)
    case 6: bytes.removeSubrange(place...)
    default:
      let other = chance.pick(seeds)
      let start = chance.next(other.count + 1)
      bytes.insert(contentsOf: other[start..<min(other.count, start + 1 + chance.next(12))], at: place)
    }
  }
}
