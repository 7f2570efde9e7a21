import Testing

@testable import ScaffoldKit

@Suite struct FieldTests {
  @Test(arguments: [
    ("name", "name=name:text"), ("updated_at:time?", "updatedAt=updated_at:time?"),
    (" wind = wind_kmh : int ", "wind=wind_kmh:int"),
    ("isDry:bool", "isDry=isDry:bool"), ("info.name", "name=info.name:text"),
    ("info.max_size:int", "maxSize=info.max_size:int"), ("size=urls.0.size:int?", "size=urls.0.size:int?"),
  ])
  func reads(_ text: String, _ expected: String) throws {
    let field = try Field.parse(text)
    #expect("\(field.name)=\(field.member.text):\(field.kind)\(field.isOptional ? "?" : "")" == expected)
  }

  @Test(arguments: [
    "", "?", "Name", "class", "fields", "a:float", "a:", "a=", "a=b=c", "a b\"", "a=b\"c", "1a", "ä", "a.",
    "a=.b", "a=b..c", "a=0.b", "a=b.0", "a=b.100.c",
  ])
  func refuses(_ text: String) {
    let error = #expect(throws: ScaffoldError.self) { try Field.parse(text) }
    #expect(error?.kind == .usage)
  }
}
