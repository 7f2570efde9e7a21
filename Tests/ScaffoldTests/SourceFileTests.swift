import Foundation
import Testing

@testable import ScaffoldKit

@Suite("scaffold source --from")
struct SourceFileTests {
  private static let gallery = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Apps/Assembly/Gallery").path

  private func file(_ project: ProjectCopy, _ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "from-\(UUID().uuidString).json").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  /// The files that two calls write are the same.
  private func expectSame(_ one: [String], _ other: [String]) throws {
    let (first, second) = (try ProjectCopy(), try ProjectCopy())
    for (project, call) in [(first, one), (second, other)] {
      var errors = ""
      let console = Console(output: { _ in }, errors: { errors += $0 })
      #expect(Command.run(call + ["--package", project.root], console: console) == 0, "\(errors)")
    }
    #expect(first.contents() == second.contents())
  }

  @Test("a definition gives address, path, place and fields")
  func definition() throws {
    let project = try ProjectCopy()
    let path = try file(
      project,
      """
      {
        "almanac": 1, "source": "shop", "url": "https://shop.example", "auth": {"kind": "bearer"},
        "collections": {
          "items": {
            "id": "$.sku.code",
            "fields": {
              "name": "text $.name", "price": "decimal? $.price", "isNew": "bool $.is_new", "parts": "list(text) $.parts",
              "at": "time $['made at'] | $.made", "count": "int? $.stock[0].count", "seen": "time(epoch) $.seen"
            }
          }
        },
        "follows": {
          "shelf/{shelf_id}": {
            "get": "/shelves/{shelf_id}/items?limit={size}{&cursor}", "pages": {"cursor": {"cursor": "$.next"}, "size": 5},
            "take": {"records": "$.data.items", "into": "items"}
          },
          "all": {"get": "/items", "take": {"into": "items"}}
        }
      }
      """)
    try expectSame(
      ["source", "Shop", "--record", "Item", "--from", path],
      [
        "source", "Shop", "--record", "Item", "--collection", "items", "--url", "https://shop.example", "--path",
        "/shelves/{shelfId}/items?limit=100", "--under", "data.items", "--fields",
        "id=sku.code,name,price?,isNew=is_new:bool,count=stock.0.count:int?",
      ])
    try expectSame(
      ["source", "Shop", "--record", "Item", "--from", path, "--follow", "all", "--fields", "name"],
      [
        "source", "Shop", "--record", "Item", "--collection", "items", "--url", "https://shop.example", "--path",
        "/items", "--fields", "name",
      ])
    let run = project.run("source", "Shop", "--record", "Item", "--from", path, "--dry-run")
    for note in [
      "by hand:", "without all", "{&cursor} of the address", "\"pages\" of the follow", "\"auth\" of the definition",
      "the field parts", "the field seen", "the field at", "not checked to be a decimal",
    ] { #expect(run.output.contains(note), "\(note): \(run.output)") }
  }

  @Test("an answer gives the place of its records, their fields and kinds")
  func answer() throws {
    let project = try ProjectCopy()
    let path = try file(
      project,
      """
      {"meta": {"total": 2}, "data": {"books": [
        {"id": 1, "name": "Tides", "loans": 4, "is_open": true, "updated_at": "2026-05-28T20:26:40Z", "note": null,
         "maker": {"login": "ada"}, "tags": ["a"], "price": 1.5},
        {"id": 2, "name": "Winds", "loans": 5, "is_open": false, "updated_at": "2026-05-28T20:26:40+02:00", "note": "x",
         "maker": {"login": "eve"}, "tags": [], "price": 2}
      ]}}
      """)
    try expectSame(
      ["source", "Reading", "--record", "Book", "--path", "/books", "--from", path],
      [
        "source", "Reading", "--record", "Book", "--path", "/books", "--under", "data.books", "--fields",
        "id,name,loans:int,isOpen=is_open:bool,updatedAt=updated_at:time,note?,makerLogin=maker.login,price",
      ])
  }

  @Test("every definition of the gallery gives a source, or says why not")
  func everyDefinition() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.gallery).sorted() {
      let project = try ProjectCopy()
      let run = project.run(
        "source", "Tried", "--record", "Thing", "--collection", "tried-things", "--from",
        "\(Self.gallery)/\(name)")
      #expect(run.status == 0 || run.errors.contains(name) || run.errors.contains("cannot"), "\(name): \(run.errors)")
      if run.status != 0 { print("scaffold --from \(name): \(run.errors.split(separator: "\n")[0])") }
    }
  }

  @Test(
    "what cannot be taken is said, and nothing is written",
    arguments: [
      (#"{"almanac": 1, "command": ["tap"]}"#, "no \"url\""), ("[1, 2]", "no member of the records is an id"),
      (#"{"almanac": 1, "url": "https://a.example", "follows": {}}"#, "it has no follow"),
      (#"{"almanac": 1, "url": "https://a.example", "follows": {"a": {"post": "/"}}}"#, "sends a POST"),
      ("{", "not JSON"), (#"[{"x": [1]}]"#, "no member of the records is an id"),
    ])
  func refusals(_ text: String, _ message: String) throws {
    let project = try ProjectCopy()
    let before = project.contents()
    let path = try file(project, text)
    let run = project.run("source", "Shop", "--from", path)
    #expect(run.status == 1 && run.errors.contains(message) && run.errors.contains(path), "\(run.errors)")
    #expect(project.contents() == before)
    #expect(project.run("source", "Shop", "--from", "\(path).none").errors.contains("cannot be read"))
    #expect(project.run("source", "Shop", "--follow", "x").status == 64)
  }
}
