import Testing

@testable import ScaffoldKit

@Suite struct SwiftTextTests {
  @Test(arguments: [
    ("a // b\nc", "a     \nc"), ("a /* b /* c */ d */ e", "a                   e"), ("\"a\" b", "    b"),
    ("\"\\\"\" b", "     b"), ("#\"a\"b\"# c", "        c"), ("\"\\(f(\"]\"))\" c", "            c"),
    ("\"\"\"\na\"b\n\"\"\" c", "   \n   \n    c"), ("#\"\\(a)\\#(b(\")\"))\"# c", "                   c"),
  ])
  func knowsCodeFromTheRest(_ text: String, _ expected: String) {
    let bytes = Array(text.utf8)
    let shown = zip(bytes, CodeMask.of(bytes)).map { byte, isCode in isCode || byte == 0x0A ? byte : 0x20 }
    #expect(String(decoding: shown, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("[.a, .b]", ".x", "[.a, .b, .x]"), ("[\n  .a,\n]", ".x", "[\n  .a,\n  .x,\n]"), ("[\n]", ".x", "[\n  .x,\n]"),
    ("[\n  f(\n    1),\n]", "g(\n  2),", "[\n  f(\n    1),\n  g(\n    2),\n]"),
  ])
  func appendsAndRemoves(_ list: String, _ element: String, _ expected: String) throws {
    var file = SwiftText(path: "a.swift", "let a = \(list)\n")
    try file.append(element: element, to: try file.inside("let a", ["=", "["]))
    #expect(file.text == "let a = \(expected)\n")
    let start = element.hasPrefix("g") ? "g(" : element
    try file.remove(element: start, from: try file.inside("let a", ["=", "["]))
    #expect(file.text == "let a = \(list)\n")
  }

  @Test func aFullLineGetsANewOne() throws {
    let full = String(repeating: "a", count: 108)
    var file = SwiftText(path: "a.swift", "let a = [\n  .\(full), .z,\n]\n")
    let before = file.text
    try file.insert(element: ".name", before: ".z", in: try file.inside("let a", ["=", "["]))
    #expect(file.text == "let a = [\n  .\(full), .z,\n  .name,\n]\n")
    try file.remove(element: ".name", from: try file.inside("let a", ["=", "["]))
    #expect(file.text == before)
  }

  @Test(arguments: [
    ("import A\nimport C\n", "B", "import A\nimport B\nimport C\n"), ("import A\n", "B", "import A\nimport B\n"),
    ("import A\npublic import P\nimport S\n", "Pa", "import A\npublic import P\nimport Pa\nimport S\n"),
    ("public import P\nimport S\n", "O", "import O\npublic import P\nimport S\n"),
    ("// x\n\nimport B\n", "A", "// x\n\nimport A\nimport B\n"),
  ])
  func importsStayInOrder(_ text: String, _ module: String, _ expected: String) throws {
    var file = SwiftText(path: "a.swift", text)
    try file.add(import: module)
    #expect(file.text == expected)
    try file.remove(import: module)
    #expect(file.text == text)
  }

  @Test(arguments: [
    ("AirQuality", "air-quality", "airQuality"), ("URLCheck", "url-check", "urlCheck"),
    ("Weather", "weather", "weather"),
    ("PyPI", "py-pi", "pyPI"), ("RSS", "rss", "rss"),
  ])
  func namesInEveryForm(_ name: String, _ kebab: String, _ camel: String) {
    #expect(SwiftName.kebab(name) == kebab)
    #expect(SwiftName.lowerCamel(name) == camel)
  }

  @Test(arguments: [
    ("Forecast", "Forecasts"), ("City", "Cities"), ("Day", "Days"), ("Box", "Boxes"), ("Match", "Matches"),
  ])
  func plurals(_ word: String, _ expected: String) { #expect(SwiftName.plural(word) == expected) }
}

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
