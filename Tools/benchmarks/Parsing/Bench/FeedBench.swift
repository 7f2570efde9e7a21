import Foundation
import Models
import Parsing
import Ports

/// Parses App Store feeds with one entry into `App` models.
struct FeedBench {
  let lines: Lines
  let stopwatch: Stopwatch

  func run() {
    let bodies = (0..<lines.count).map { Array(lines[$0]) }
    let count = bodies.count
    let bytes = lines.bytes.count
    let parser = AppStoreFeedParser()
    stopwatch.measure("app store check", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for body in bodies { sum &+= (try? JSONDocument.read(body) { $0.elementCount }) ?? 0 }
      return sum
    }
    stopwatch.measure("app store typed", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for body in bodies { sum &+= (try? parser.parse(body))?.value.apps.count ?? 0 }
      return sum
    }
    // The same feed as records: by the compiled parser, and by the reader of a definition.
    stopwatch.measure("app store record", "almanac", records: count, bytes: bytes) {
      var sum = 0
      for body in bodies {
        for app in (try? parser.parse(body))?.value.apps ?? [] { sum &+= app.fields.members.count }
      }
      return sum
    }
    guard let definition = try? JSONDefinitionFormat().read(Array(declaredFeed.utf8), named: nil) else { return }
    let reader = JSONAnswerReaderCompiler().reader(of: definition.follows[0].request)
    stopwatch.measure("app store record", "declared", records: count, bytes: bytes) {
      var sum = 0
      for body in bodies {
        for record in (try? reader.read(body, variables: [:]))?.value.records ?? [] {
          sum &+= record.fields.members.count
        }
      }
      return sum
    }
    // The drift report determines the shape once per pull.
    let shapes = JSONShapeReader()
    stopwatch.measure("app store shape", "almanac", records: count, bytes: bytes) {
      shapes.shape(of: bodies).fields.count
    }
    let data = bodies.map { Data($0) }
    let decoder = JSONDecoder()
    stopwatch.measure("app store typed", "JSONDecoder", records: count, bytes: bytes) {
      var sum = 0
      for body in data { sum &+= (try? decoder.decode(BenchFeed.self, from: body))?.feed.entry.count ?? 0 }
      return sum
    }
  }
}

/// The fields of `App`, as a definition of a source describes them.
private let declaredFeed = """
  {
    "almanac": 1, "source": "feed", "url": "https://itunes.apple.com",
    "collections": {
      "feed-apps": {
        "id": "$.id.attributes['im:id']",
        "fields": {
          "bundleID": "text? $.id.attributes['im:bundleId']", "name": "text $['im:name'].label",
          "artist": "text $['im:artist'].label", "summary": "text? $.summary.label",
          "thumbnailURL": "url $['im:image'][0].label", "artworkURL": "url $['im:image'][-1].label",
          "price": {
            "amount": "decimal? $['im:price'].attributes.amount", "currency": "text? $['im:price'].attributes.currency"
          },
          "category": "text? $.category.attributes.label", "releaseDate": "time? $['im:releaseDate'].label",
          "url": "url? $.link[0].attributes.href | $.link.attributes.href"
        }
      }
    },
    "follows": {"top": {"get": "/us/rss/topfreeapplications/json", "take": {"records": "$.feed.entry", "into": "feed-apps"}}}
  }
  """

/// The fields that `App` needs, declared for Codable.
struct BenchFeed: Codable {
  struct Feed: Codable {
    var entry: [Entry]
  }

  struct Label<Attributes: Codable>: Codable {
    var label: String
    var attributes: Attributes?
  }

  struct Attributed<Attributes: Codable>: Codable {
    var attributes: Attributes
  }

  struct Empty: Codable {}
  struct Height: Codable {
    var height: String
  }
  struct Price: Codable {
    var amount: String
    var currency: String
  }
  struct Link: Codable {
    var rel: String
    var href: String
  }
  struct Category: Codable {
    var label: String
  }
  struct Identifier: Codable {
    var id: String
    var bundleID: String?
    enum CodingKeys: String, CodingKey {
      case id = "im:id"
      case bundleID = "im:bundleId"
    }
  }

  struct Entry: Codable {
    var name: Label<Empty>
    var image: [Label<Height>]
    var summary: Label<Empty>?
    var price: Label<Price>?
    var link: [Attributed<Link>]
    var id: Label<Identifier>
    var artist: Label<Empty>
    var category: Attributed<Category>?
    var releaseDate: Label<Empty>?

    enum CodingKeys: String, CodingKey {
      case name = "im:name"
      case image = "im:image"
      case summary
      case price = "im:price"
      case link, id
      case artist = "im:artist"
      case category
      case releaseDate = "im:releaseDate"
    }
  }

  var feed: Feed
}
