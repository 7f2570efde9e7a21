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
