import Models
import Ports

/// What `almanac demo` replays: every source, all of it invented.
///
/// It is answered like any seed (see `--seed`), so that the demo takes the way of a real run without a network. The App
/// Store's chart is there twice, a day apart: ranks move, four apps enter and four leave. One owner is deleted. The
/// follows that it answers: `app-store/us/top-paid` with limit 100, `flickr/interestingness` with limit 24, `users/ada`
/// and `people`, the last two at `https://api.example.com`.
enum DemoRecordings {
  /// All answers, as a HAR 1.2 file.
  ///
  /// - Parameter isRepeated: whether the chart of the first day is left out.
  static func har(_ coder: any RecordCoder, isRepeated: Bool) -> [UInt8] {
    let entries = ((isRepeated ? appStore.suffix(1) : appStore[...]) + flickr + people).map { $0.entry(coder) }
    return coder.encode(
      [
        "log": [
          "version": "1.2", "creator": ["name": "almanac", "version": .string(AlmanacVersion.current)],
          "entries": .array(entries),
        ]
      ] as JSONObject)
  }
}

struct DemoAnswer {
  let url: String
  /// When, in UTC: `2026-03-02T16:00:00`.
  let at: String
  /// The `ETag` without its quotes.
  let tag: String
  let body: Body

  enum Body {
    case text(String)
    case value(JSONValue)
    case picture([UInt8])
  }

  func entry(_ coder: any RecordCoder) -> JSONValue {
    let (bytes, isPicture) =
      switch body {
      case .text(let text): (Array(text.utf8), false)
      case .value(let value): (coder.encode(value), false)
      case .picture(let bytes): (bytes, true)
      }
    let size = JSONValue.int(bytes.count)
    let type: JSONValue = isPicture ? "image/gif" : "application/json; charset=utf-8"
    var content: JSONObject = ["size": size, "mimeType": type]
    content.append("text", .string(isPicture ? Base64.encoded(bytes) : String(decoding: bytes, as: UTF8.self)))
    if isPicture { content.append("encoding", "base64") }
    let headers: JSONValue = [
      ["name": "content-type", "value": type], ["name": "etag", "value": .string("\"\(tag)\"")],
    ]
    return [
      "startedDateTime": .string(at + ".000Z"), "time": 150, "cache": [:],
      "timings": ["send": 1, "wait": 130, "receive": 19],
      "request": [
        "method": "GET", "url": .string(url), "httpVersion": "HTTP/2", "cookies": [], "headers": [], "queryString": [],
        "headersSize": -1, "bodySize": 0,
      ],
      "response": [
        "status": 200, "statusText": "OK", "httpVersion": "HTTP/2", "cookies": [], "headers": headers,
        "content": .object(content), "redirectURL": "", "headersSize": -1,
        "bodySize": size,
      ],
    ]
  }
}

/// A row of one of the demo's tables, which are text: words, then texts with slashes between them, in the same line or
/// the next.
struct DemoRow {
  /// The words; `-` means no words.
  let words: [String]
  /// The texts, of which the last may be missing.
  let texts: [String]

  func word(_ index: Int) -> String? { Self.value(index, words) }

  func text(_ index: Int) -> String? { Self.value(index, texts) }

  private static func value(_ index: Int, _ values: [String]) -> String? {
    values.indices.contains(index) && values[index] != "-" ? values[index] : nil
  }

  static func rows(of table: String, words: Int) -> [DemoRow] {
    table.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: words).map(String.init)
      return DemoRow(words: Array(parts.prefix(words)), texts: parts[words].split(separator: " / ").map(String.init))
    }
  }

  static func rows(of table: String) -> [DemoRow] {
    let lines = table.split(separator: "\n")
    return stride(from: 0, to: lines.count, by: 2).map { index in
      DemoRow(
        words: lines[index].split(separator: " ").map(String.init),
        texts: lines[index + 1].split(separator: " / ").map(String.init))
    }
  }
}

extension DemoRecordings {
  /// A profile, and people with birthdays in every form that servers send.
  static let people = [
    DemoAnswer(
      url: "https://api.example.com/user/ada", at: "2026-03-03T16:00:20", tag: "ada-7",
      body: .text(
        """
        {"data":{"userId":"ada","name":"Ada Sandoval-Reyes","email":"ada@example.com",
        "description":"Keeps bees, collects timetables, answers on Thursdays."}}
        """)),
    DemoAnswer(
      url: "https://api.example.com/people", at: "2026-03-03T16:00:21", tag: "people-21",
      body: .text(
        """
        [
        {"id":"p-101","firstName":"Tove","lastName":"Lindqvist","birthday":"1984-01-09"},
        {"id":"p-102","firstName":"Bruno","lastName":"Castellan","birthday":"--01-27"},
        {"id":"p-103","firstName":"Mira","lastName":"Okońska","birthday":"1991-02-14T00:00:00Z"},
        {"id":"p-104","firstName":"Hugo","lastName":"Dorval","birthday":"--02-29"},
        {"id":"p-105","firstName":"Selma","lastName":"Wendel","birthday":"2000-02-29"},
        {"id":106,"firstName":"Ines","lastName":"Quillon","birthday":195955200},
        {"id":"p-107","firstName":"Farid","lastName":"Yıldız","birthday":"1968-04-02"},
        {"id":"p-108","firstName":"Carla","lastName":"Marchetto","birthday":"--04-21"},
        {"id":"p-109","firstName":"Jonas","lastName":"de Wit","birthday":926294400},
        {"id":"p-110","firstName":"Kirsi","lastName":"Rautio","birthday":"1955-05-30"},
        {"id":"p-111","firstName":"Pavel","lastName":"Janský","birthday":"1987-06-16T22:30:00+02:00"},
        {"id":"p-112","firstName":"Greta","lastName":"Gallweit","birthday":"--07-04"},
        {"firstName":"Nils","lastName":"Norrby","birthday":-203212800},
        {"id":"p-114","firstName":"Rosa","lastName":"Núñez","birthday":"2011-08-11"},
        {"id":"p-115","firstName":"Umut","lastName":"Petrakis","birthday":"--08-30"},
        {"id":"p-116","firstName":"Vera","lastName":"O’Malden","birthday":"1979-09-19"},
        {"id":"p-117","firstName":"Leon","lastName":"Sandoz","birthday":"1993-10-07T00:00:00Z"},
        {"id":"p-118","firstName":"Wanda","lastName":"van Loo","birthday":"--10-28"},
        {"id":"p-119","firstName":"Zoë","lastName":"Thorvald","birthday":"2018-11-15"},
        {"id":"p-120","firstName":"Dario","lastName":"Ferrant","birthday":"1948-12-06"},
        {"id":"p-121","firstName":"Xenia","lastName":"Zamorra","birthday":"--12-24"}
        ]
        """)),
  ]
}
