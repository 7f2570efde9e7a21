import AlmanacTesting
import Models
import Parsing
import Ports
import Testing

/// Each is a reject, an error, or a value that can be stored and read again.
@Suite("Numbers at the ends of their range: answers and files")
struct ExtremeNumberTests {
  @Test("people", arguments: ExtremeNumbers.json)
  func people(json: String) throws {
    let person = #"{"id":\#(json),"firstName":"A","lastName":"B","birthday":\#(json)}"#
    let body = #"{"page":\#(json),"per_page":\#(json),"total":\#(json),"data":[\#(person)]}"#
    let parsed = try PeopleListParser().parse(Array(body.utf8))
    #expect(parsed.value.count + parsed.rejects.total == 1)
    for birthday in parsed.value.compactMap(\.birthday) { #expect(Birthday(birthday.description) == birthday) }
  }

  @Test("profiles", arguments: ExtremeNumbers.json)
  func users(json: String) {
    let bodies = [
      #"{"data":{"userId":\#(json),"name":"N","email":\#(json)}}"#, #"{"error":{"code":\#(json),"message":\#(json)}}"#,
    ]
    for body in bodies { _ = try? UserEnvelopeParser().parse(Array(body.utf8)) }
  }

  @Test("photos", arguments: ExtremeNumbers.json)
  func photos(json: String) throws {
    let photo = """
      {"id":"7","owner":"1@N00","secret":"s","server":"1","farm":\(json),"dateupload":\(json),"datetaken":\(json),
       "url_s":"s","width_s":\(json),"height_s":\(json),"url_o":"o","width_o":\(json),"height_o":\(json)}
      """
    for pages in ["\"page\":1,\"pages\":1", #""page":\#(json),"pages":\#(json),"perpage":\#(json),"total":\#(json)"#] {
      let body = #"{"photos":{\#(pages),"photo":[\#(photo)]},"stat":"ok"}"#
      guard case .success(let page) = try? FlickrPhotosParser().parse(Array(body.utf8)).value else { continue }
      for photo in page.photos { #expect(try Photo(fields: photo.fields) == photo) }
    }
    let owner =
      #"{"person":{"nsid":"1@N00","username":"u","iconfarm":\#(json),"photos":{"count":\#(json)}},"stat":"ok"}"#
    _ = try? FlickrPersonParser().parse(Array(owner.utf8))
  }

  @Test("a photo of a year after 9999 is set aside", arguments: ["1764413491000", "253402300800", "-62167219201"])
  func photoOfNoYear(seconds: String) throws {
    let photo = #"{"id":"7","owner":"1@N00","secret":"s","server":"1","dateupload":"\#(seconds)"}"#
    let parsed = try FlickrPhotosParser().parse(Array(#"{"photos":{"photo":[\#(photo)]},"stat":"ok"}"#.utf8))
    #expect(parsed.rejects.kept.map(\.path) == ["$.photos.photo[0].dateupload"])
  }

  @Test("charts and prices", arguments: ExtremeNumbers.json)
  func charts(json: String) {
    let entry = FeedSamples.entry([
      "im:price": #"{"label":\#(json),"attributes":{"amount":\#(json),"currency":"EUR"}}"#,
      "im:image": #"[{"label":"https://img.example/1.png","attributes":{"height":\#(json)}}]"#,
      "im:releaseDate": #"{"label":\#(json)}"#, "id": #"{"label":"u","attributes":{"im:id":\#(json)}}"#,
    ])
    for body in [
      FeedSamples.legacy("[\(entry)]"),
      FeedSamples.marketing(#"[{"artistName":"A","id":\#(json),"name":"N","releaseDate":\#(json),"kind":\#(json)}]"#),
    ] {
      guard let parsed = try? AppStoreFeedParser().parse(body) else { continue }
      for price in parsed.value.apps.compactMap(\.price) {
        _ = Price.shortened(price.amount)
        _ = price.isLower(than: Price(amount: "1", currency: "EUR"))
      }
    }
  }

  @Test(
    "every kind of field of a declared source",
    arguments: [
      "text", "int", "decimal", "bool", "json", "url", "date", "time", "date(epoch)", "time(epoch)", "time(epochms)",
      "time(utc)", "time(rfc822)",
    ])
  func fields(kind: String) throws {
    let definition = """
      {"almanac": 1, "source": "shop", "url": "https://shop.example",
       "collections": {"items": {"id": "#", "fields": {"v": "\(kind) $.v"}}},
       "follows": {"all": {"get": "/items", "take": {"records": "$[*]", "into": "items"}}}}
      """
    let follow = try JSONDefinitionFormat().read(Array(definition.utf8), named: nil).follows[0]
    let reader = JSONAnswerReaderCompiler().reader(of: follow.request)
    for json in ExtremeNumbers.json {
      let parsed = try reader.read(Array(#"[{"v": \#(json)}]"#.utf8), variables: [:])
      #expect(parsed.value.records.count + parsed.rejects.total == 1)
      guard let text = parsed.value.records.first?.fields["v"]?.string else { continue }
      if kind.hasPrefix("time") { #expect(Timestamp(rfc3339: text) != nil, "\(json): \(text)") }
      if kind.hasPrefix("date") { #expect(CivilDate(text) != nil, "\(json): \(text)") }
    }
  }

  @Test("a definition has no number that pages cannot be counted with", arguments: ["page", "offset"])
  func definitions(style: String) {
    for (number, isAccepted) in [("0", true), ("9007199254740992", true), ("9223372036854775807", false)] {
      let definition = """
        {"almanac": 1, "source": "shop", "url": "https://shop.example",
         "collections": {"items": {"id": "$.id", "fields": {"v": "text? $.v"}}},
         "follows": {"all": {"get": "/items?n={\(style)}", "pages": {"\(style)": \(number)},
           "take": {"records": "$[*]", "into": "items"}}}}
        """
      let isRead = (try? JSONDefinitionFormat().read(Array(definition.utf8), named: nil)) != nil
      #expect(isRead == isAccepted, "\(number)")
    }
  }

  @Test("cards and events", arguments: ExtremeNumbers.texts + ["9999999999W", "PT9999999999H"])
  func cards(text: String) {
    let card =
      "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nBDAY;X-APPLE-OMIT-YEAR=\(text):\(text)\r\nREV:\(text)\r\nEND:VCARD\r\n"
    _ = try? VCardFormat().read(Array(card.utf8))
    let durations = [text, "-\(text)", "PT" + String(repeating: "9999999999W", count: 2000)]
    for duration in durations {
      let event = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:p@almanac", "DTSTART:\(text)", "DURATION:\(duration)",
        "RRULE:FREQ=YEARLY;COUNT=\(text);INTERVAL=\(text)", "BEGIN:VALARM", "TRIGGER:\(duration)", "END:VALARM",
        "END:VEVENT", "END:VCALENDAR", "",
      ]
      _ = ICalendarFormat().object(Array(event.joined(separator: "\r\n").utf8))
    }
  }
}
