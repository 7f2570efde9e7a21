/// Definitions that several suites use.
enum DefinitionTexts {
  /// A small one without mistakes.
  static let shop = """
    {
      "almanac": 1,
      "source": "shop",
      "url": "https://shop.example/api",
      "collections": {
        "items": {
          "id": "$.sku",
          "fields": {"name": "text $.name", "price": "decimal? $.price", "tags": "list(text)? $.tags[*].label"},
          "table": ["name", "price"]
        }
      },
      "follows": {
        "shelf/{shelf}": {
          "get": "/shelves/{shelf}/items?limit={size}{&cursor,since}",
          "pages": {"cursor": {"cursor": "$.next"}, "size": 50},
          "take": {"records": "$.items", "into": "items"},
          "since": {"field": "name", "form": "text"}
        }
      }
    }
    """

  /// The small one with other text in place of some of it.
  static func shop(_ old: String, _ new: String) -> String { shop.replacing(old, with: new) }
}
