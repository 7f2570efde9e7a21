import Models
import Parsing
import Ports
import Testing

/// Forty mistakes of authors, each with the line on which it has to be named.
@Suite("Definitions: seeded mistakes")
struct SeededMistakesTests {
  /// What is replaced in the definition, the replacement, the line, and a part of the message.
  static let mistakes: [(String, String, Int, String)] = [
    // The head.
    (#""almanac": 1,"#, "", 1, #""almanac" is missing"#), (#""almanac": 1"#, #""almanac": "1""#, 2, "expected 1"),
    (#""almanac": 1"#, #""almanack": 1, "almanac": 1"#, 2, #"did you mean "almanac"?"#),
    (#""source": "shop""#, #""source": "My shop""#, 3, "a source has a name"),
    (#""source": "shop""#, #""source": "shop", "source": "shop""#, 3, "given again"),
    (#""source": "shop""#, #""source": 7"#, 3, "expected a string"),
    (#""https://shop.example/api""#, #""shop.example""#, 4, "URL"),
    (#""https://shop.example/api""#, #""http://shop.example/api""#, 4, "expected https"),
    (#""https://shop.example/api","#, #""https://shop.example/api", "headers": {"Cookie": "x"},"#, 4, "holds a secret"),
    (#""https://shop.example/api","#, #""https://shop.example/api", "auth": {"kind": "token"},"#, 4, "is not allowed"),
    (
      #""https://shop.example/api","#, #""https://shop.example/api", "auth": {"kind": "header"},"#, 4,
      #""name" is missing"#
    ),
    (
      #""https://shop.example/api","#, #""https://shop.example/api", "budget": {"calls": 5},"#, 4,
      #""per" is missing"#
    ),
    (
      #""https://shop.example/api","#, #""https://shop.example/api", "budget": {"calls": 5, "per": "hour"},"#, 4,
      "expected a time"
    ),
    (
      #""https://shop.example/api","#, #""https://shop.example/api", "errors": [{"status": 404, "means": "gon"}],"#, 4,
      #"did you mean "gone"?"#
    ),
    (
      #""https://shop.example/api","#, #""https://shop.example/api", "errors": [{"status": 99, "means": "gone"}],"#, 4,
      "expected a status"
    ),
    // Collections.
    (#""items": {"#, #""Items": {"#, 6, "a collection has a name"), (#""id": "$.sku","#, "", 6, #""id" is missing"#),
    (#""id": "$.sku""#, #""id": "$.sku[*]""#, 7, "an id is one value"),
    (#""id": "$.sku""#, #""id": "{sku""#, 7, "{ without a }"),
    (#""id": "$.sku""#, #""id": []"#, 7, "at least one element"),
    (#""text $.name""#, #""string $.name""#, 8, "unknown kind"), (#""text $.name""#, #""$.name""#, 8, "unknown kind"),
    (#""text $.name""#, #""text $name""#, 8, "expected .name"),
    (#""text $.name""#, #""time(iso) $.name""#, 8, "unknown form"),
    (#""name": "text"#, #""full name": "text"#, 8, "camelCase"),
    (#""list(text)?"#, #""text?"#, 8, "gives many values"),
    (#""table": ["name", "price"]"#, #""table": ["name", "prize"]"#, 9, #"did you mean "price"?"#),
    (#""table": ["name", "price"]"#, #""table": "name, price""#, 9, "expected a list of fields"),
    // Follows.
    (#""shelf/{shelf}""#, #""shelf/{shelf""#, 13, "a path has parts"),
    (#""get": "/shelves/{shelf}/items?limit={size}{&cursor,since}","#, "", 13, #"expected one of "get" and "post""#),
    (#"/shelves/{shelf}"#, #"/shelves/{shelff}"#, 14, "did you mean {shelf}?"),
    (#"{&cursor,since}"#, #"&cursor={cursor}{&since}"#, 14, "does not always have a value"),
    (#""/shelves"#, #""shelves"#, 14, "an address begins with /"),
    (#"{size}{"#, #"{size{"#, 14, "RFC 6570"),
    (#""cursor": {"cursor": "$.next"}"#, #""curser": {"cursor": "$.next"}"#, 15, #"did you mean "cursor"?"#),
    (#""$.next""#, #""next""#, 15, "a path begins with"),
    (#""size": 50"#, #""size": "50""#, 15, "expected a whole number"),
    (#""into": "items""#, #""into": "item""#, 16, #"did you mean "items"?"#),
    (#""records": "$.items""#, #""record": "$.items""#, 16, #"did you mean "records"?"#),
    (#""field": "name""#, #""field": "nam""#, 17, #"did you mean "name"?"#),
    (#""form": "text""#, #""form": "unix""#, 17, "is not allowed"),
    (#""form": "text"}"#, #""form": "text"}, "complete": "week""#, 17, "expected a time"),
  ]

  @Test("each is named on its line", arguments: mistakes)
  func named(_ old: String, _ new: String, _ line: Int, _ message: String) throws {
    #expect(DefinitionTexts.shop.contains(old))
    let text = DefinitionTexts.shop.replacing(old, with: new, maxReplacements: 1)
    let error = #expect(throws: SettingsProblems.self) {
      try JSONDefinitionFormat().read(Array(text.utf8), named: nil)
    }
    let found = error?.problems ?? []
    #expect(found.contains { $0.line == line && (message.isEmpty || $0.message.contains(message)) }, "\(found)")
  }

  @Test("there are at least forty") func count() { #expect(Self.mistakes.count >= 40) }
}
