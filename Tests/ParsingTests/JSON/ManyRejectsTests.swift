import AlmanacTesting
import Parsing
import Ports
import Testing

/// However many records of a response are rejected, each of the first ones has its place, all are counted, and the time
/// grows with the bytes only.
@Suite struct ManyRejectsTests {
  private func people(_ text: String) throws -> Parsed<[RemotePerson]> {
    try PeopleListParser().parse(Array(text.utf8))
  }

  private static let good = #"{"firstName":"Ada","lastName":"L","birthday":"--04-07"}"#

  @Test func everyPathNamesTheElement() throws {
    let bad = [#"{"firstName":"A","lastName":"B","birthday":[[],{}]}"#, "7", #"{"birthday":"--04-07"}"#]
    let paths = [".birthday", "", ".firstName"]
    var (records, expected) = ([String](), [String]())
    for index in 0..<900 {
      if index % 7 < 3 {
        records.append(bad[index % 7])
        expected.append("$.data[\(index)]\(paths[index % 7])")
      } else {
        records.append(Self.good)
      }
    }
    let parsed = try people(#"{"first":[[1],[2]],"data":[\#(records.joined(separator: ",\n"))]}"#)
    #expect(parsed.rejects.kept.map(\.path) == expected)
    #expect(parsed.rejects.total == expected.count)
    #expect(parsed.value.count == 900 - expected.count)
  }

  @Test func theFirstOnesAreKeptAndAllAreCounted() throws {
    let list = Array(repeating: Self.good, count: 50) + Array(repeating: "0", count: 2_500)
    let parsed = try people("[\(list.joined(separator: ","))]")
    #expect(parsed.value.count == 50)
    #expect(parsed.rejects.total == 2_500)
    #expect(parsed.rejects.kept.map(\.index) == Array(50..<(50 + RejectedRecords.limit)))
    #expect(parsed.rejects.kept.last?.path == "$[\(50 + RejectedRecords.limit - 1)]")
  }

  /// At the end of a long list each of the kept ones would be looked for from the start.
  @Test(arguments: ["", #""a":1,"#])
  func theTimeGrowsWithTheBytes(before: String) throws {
    let members = String(repeating: before, count: 20_000)
    let list = Array(repeating: Self.good, count: 20_000) + Array(repeating: "\n0", count: 20_000)
    let text = Array("{\(members)\"data\":[\(list.joined(separator: ","))]}".utf8)
    let begun = ContinuousClock.now
    let parsed = try PeopleListParser().parse(text)
    let took = ContinuousClock.now - begun
    #expect(parsed.rejects.total == 20_000)
    #expect(took < PromisedTime.bound(.seconds(1)), "it took \(took)")
  }

  @Test func anErrorAfterTheListHasItsPlaceAgain() throws {
    try #require(try people("[\(Array(repeating: "0", count: 1_200).joined(separator: ","))]").rejects.isFull)
    let error = #expect(throws: ParsingError.self) { try people("{\n  \"data\": 7}") }
    #expect(error?.path == "$.data")
    #expect(error?.line == 2)
    #expect(error?.column == 11)
  }
}
