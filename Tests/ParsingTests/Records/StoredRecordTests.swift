import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

@Suite("Records that are encoded as they are stored are found without decoding them")
struct StoredRecordTests {
  private static let coder = JSONRecordCoder()

  private static let lines: [(CollectionName, String)] = [
    (
      .people,
      #"{"id":"p1","firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10","fullName":"Ada Lovelace"}"#
    ),
    (
      .people,
      #"{"id":"p2","birthday":"--10-31","fullName":"B","emails":[{"value":"b@x","type":"home","preferred":true},{"value":"c@x"}],"addresses":[{"street":"S","city":"C","type":"work"}],"departments":["d"],"note":"n","groups":["g","h"],"origin":"import"}"#
    ),
    (.people, #"{"id":"é","firstName":"Zoë","lastName":"M","fullName":"Dr. Zoë M","remoteID":"7"}"#),
    (
      .photos,
      #"{"id":"5","ownerID":"o","title":"T","thumbnailURL":"t","imageURL":"i","pageURL":"p","takenAt":"2026-01-28T23:59:59Z","tags":["a","b"]}"#
    ),
    (.owners, #"{"id":"o","username":"u","iconURL":"i","photoCount":12,"isPro":true}"#),
    (.profiles, #"{"id":"a","name":"A","email":"a@b","description":"d"}"#),
  ]

  /// The id and the stored form, and whether the line has it already; `nil` where it has to be decoded.
  private func stored(_ line: [UInt8], _ collection: CollectionName) -> (id: String, line: [UInt8], isGiven: Bool)? {
    let type = CollectionCatalog.everything[collection]!.record!
    let slice = line[...]
    var output = Array("before".utf8)
    switch Self.coder.appendStored(slice.span.bytes, fields: type.schema, to: &output) {
    case .given(let id):
      #expect(output.count == 6)
      return (String(decoding: line[id], as: UTF8.self), line, true)
    case .appended(let id): return (String(decoding: output[id], as: UTF8.self), Array(output.dropFirst(6)), false)
    case nil:
      #expect(output.count == 6)
      return nil
    }
  }

  /// What importing makes of a line by decoding and encoding it; `nil` where it cannot be imported.
  private func written(_ line: [UInt8], _ collection: CollectionName) -> (id: String, line: [UInt8])? {
    guard let fields = try? Self.coder.decode(line),
      let record = try? CollectionCatalog.everything.canonical(fields, in: collection)
    else { return nil }
    return (record["id"]?.string ?? "", Self.coder.encode(record))
  }

  @Test("as they are written", arguments: lines)
  func found(_ collection: CollectionName, _ line: String) {
    let wanted = CollectionCatalog.everything[collection]?.record?.isPlain
    #expect(wanted == true)
    let found = stored(Array(line.utf8), collection)
    #expect(found?.isGiven == true && found?.id == written(Array(line.utf8), collection)?.id)
  }

  private static let others = [
    #"{"lastName":"B","id":"1","fullName":"A B","firstName":"A"}"#,
    #" { "id" : "1", "firstName":"A", "groups": [ "g", "h" ],"fullName":"A B","birthday":"2000-01-01"} "#,
    #"{"fullName":"C","emails": [{"value":"b@x", "type" :"home","preferred": true},{"value":"c@x"}],"id":"é"}"#,
    #"{"id":"1","id":"2","fullName":"A B"}"#, #"{"id":"1","firstName":null,"fullName":"A B"}"#,
  ]

  @Test("with their members in another order, white space or null", arguments: others)
  func reordered(_ line: String) throws {
    let found = try #require(stored(Array(line.utf8), .people))
    let long = try #require(written(Array(line.utf8), .people))
    #expect(!found.isGiven && found.id.exact == long.id.exact && found.line == long.line)
  }

  @Test(
    "and no others",
    arguments: [
      #"{"id":"1","firstName":"A","lastName":"B"}"#,
      #"{"id":"1","firstName":"A","lastName":"B","birthday":"2000-13-01","fullName":"A B"}"#,
      #"{"id":"1","firstName":"A","lastName":"B","birthday":"2001-02-29","fullName":"A B"}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":""}"#,
      #"{"id":"1","birthday":"--04-31","fullName":"A"}"#, #"{"id":"1","birthday":"2000-09-31","fullName":"A"}"#,
      #"{"id":"1","fullName":"A","emails":[]}"#, #"{"id":"1","fullName":"A","emails":["a@b"]}"#,
      #"{"id":"1","fullName":"A","emails":[{"type":"home"}]}"#, #"{"id":"1","fullName":"A","emails":[{"value":""}]}"#,
      #"{"id":"1","fullName":"A","emails":[{"type":"home","value":"a@b"}]}"#,
      #"{"id":"1","fullName":"A","emails":[{"value":"a@b","preferred":false}]}"#,
      #"{"id":"1","fullName":"A","emails":[{"value":"a@b","label":"x"}]}"#,
      #"{"id":"1","fullName":"A","addresses":[{"type":"home"}]}"#, #"{"id":"1","fullName":"A","departments":[]}"#,
      #"{"id":"1","fullName":"A","departments":[""]}"#,
      #"{"id":"","firstName":"A","lastName":"B","fullName":"C"}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":"A B","x":null}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":"A B","x":1}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":"A B","x":1,"x":2}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":"A B","x":{"y":1,"y":2}}"#,
      #"{"id":"1","firstName":"A","lastName":"B","fullName":"A\u0020B"}"#,
      #"{"lastName":"B","firstName":"A","fullName":"A\u0020B","id":"1"}"#,
      #"{"lastName":"B","firstName":"A","fullName":"A B","\u0069d":"1"}"#,
      #"{"fullName":"A B","id":"1","emails":[{"value":"a","value":"b"}]}"#, #"{"id":null,"fullName":"A B"}"#,
      #"["id"]"#, "7", "",
    ])
  func notFound(_ line: String) { #expect(stored(Array(line.utf8), .people) == nil) }

  @Test("whatever is changed in them: what is found is what decoding and encoding would write")
  func mutations() throws {
    for (collection, line) in Self.lines + Self.others.map({ (.people, $0) }) {
      // Small changes of a line often leave it as it must be, so both sides are met.
      var mutator = Mutator(seeds: [Array(line.utf8)], seed: UInt64(line.utf8.count))
      var (found, others) = (0, 0)
      for _ in 0..<4_000 {
        let text = mutator.next()
        guard let short = stored(text, collection) else {
          others += 1
          continue
        }
        found += 1
        let long = self.written(text, collection)
        try #require(
          long?.line == short.line && long?.id.exact == short.id.exact, "\(String(decoding: text, as: UTF8.self))")
      }
      #expect(found > 10 && others > 50, "\(collection): \(found) found, \(others) not")
    }
  }
}
