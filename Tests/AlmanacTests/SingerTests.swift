import AlmanacTesting
import Assembly
import Foundation
import Models
import Testing

/// `export --to singer` describes every field, and every record has every field.
@Suite struct SingerTests {
  private func export(_ almanac: Program, _ collection: String) async throws -> [[String: Any]] {
    let result = try await almanac.run("export", collection, "--to", "singer")
    #expect(result.status == 0, "\(result.err)")
    return try result.out.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func properties(_ message: [String: Any]?) -> [String: [String: Any]] {
    (message?["schema"] as? [String: Any])?["properties"] as? [String: [String: Any]] ?? [:]
  }

  @Test(arguments: SourceList.compiled.catalog.names)
  func everyFieldIsDescribed(collection: CollectionName) async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let messages = try await export(almanac, collection.rawValue)
    #expect(messages.map { $0["type"] as? String } == ["SCHEMA", "STATE"])
    #expect(messages.first?["stream"] as? String == collection.rawValue)
    #expect(messages.first?["key_properties"] as? [String] == ["id"])
    let properties = properties(messages.first)
    #expect(Set(properties.keys) == Set(SourceList.compiled.catalog.fields(of: collection).map(\.name)))
    for (name, property) in properties {
      if name == "id" {
        #expect(property["type"] as? String == "string")
      } else {
        #expect(
          (property["type"] as? [String])?.first == "null" && (property["type"] as? [String])?.count == 2, "\(name)")
      }
    }
  }

  @Test func recordsAreWholeAndImportedFieldsAreDescribed() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let file = try almanac.file(
      "apps.jsonl",
      """
      {"id":"1","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u"}
      {"id":"2","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u","price":{"amount":"1","currency":"EUR"},"stars":4.5,"more":{"x":[1],"y":true}}
      {"id":"3","name":"n","artist":"a","thumbnailURL":"t","artworkURL":"u","stars":"five","more":{"z":1}}

      """)
    #expect(try await almanac.run("import", file).status == 0)
    let messages = try await export(almanac, "apps")
    let described = properties(messages.first)
    #expect(described["stars"]?["type"] as? [String] == ["null", "number", "string"])
    #expect(described["releaseDate"]?["type"] as? [String] == ["null", "string"])
    let price = described["price"]?["properties"] as? [String: [String: Any]]
    #expect(price?["amount"]?["type"] as? [String] == ["null", "string"] && price?.count == 2)
    let more = described["more"]?["properties"] as? [String: [String: Any]]
    #expect(
      more?.mapValues { $0["type"] as? [String] } == [
        "x": ["null", "array"], "y": ["null", "boolean"], "z": ["null", "integer"],
      ])
    let records = messages.compactMap { $0["record"] as? [String: Any] }
    #expect(records.compactMap { $0["id"] as? String } == ["1", "2", "3"])
    for record in records {
      #expect(Set(record.keys) == Set(described.keys))
      #expect(Set((record["price"] as? [String: Any] ?? [:]).keys) == ["amount", "currency"])
      #expect(Set((record["more"] as? [String: Any] ?? [:]).keys) == ["x", "y", "z"])
    }
    #expect(records.first?["releaseDate"] is NSNull && records.last?["stars"] as? String == "five")
    #expect((records[1]["price"] as? [String: Any])?["amount"] as? String == "1")
  }
}
