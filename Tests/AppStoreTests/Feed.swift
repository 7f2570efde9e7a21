import Models
import Parsing
import Ports

/// Makes answers in the shape of the App Store's feeds.
enum Feed {
  static func legacy(
    _ ids: [String], summary: Bool = true, price: String = "0.99000", extra: [JSONValue] = []
  ) -> [UInt8] {
    let entries = ids.map { JSONValue.object(entry($0, summary: summary, price: price)) } + extra
    let feed: JSONObject = ["entry": .array(entries)]
    return JSONRecordCoder().encode(["feed": .object(feed)] as JSONObject)
  }

  static func entry(_ id: String, summary: Bool, price: String = "0.99000") -> JSONObject {
    func label(_ text: String, _ attributes: JSONObject = [:]) -> JSONValue {
      .object(["label": .string(text), "attributes": .object(attributes)])
    }
    var entry: JSONObject = [
      "im:name": label("App \(id)"),
      "im:image": .array([
        label("http://img.test/\(id)/53.png", ["height": "53"]),
        label("http://img.test/\(id)/100.png", ["height": "100"]),
      ]),
    ]
    if summary { entry.append("summary", label("All about \(id)")) }
    entry.append("im:price", label("Get", ["amount": .string(price), "currency": "EUR"]))
    entry.append("id", label("http://apps.test/id\(id)", ["im:id": .string(id), "im:bundleId": .string("test.\(id)")]))
    entry.append("im:artist", label("Maker \(id)"))
    return entry
  }

  static func marketing(_ ids: [String]) -> [UInt8] {
    let results = ids.map { id -> JSONValue in
      .object([
        "id": .string(id), "name": .string("App \(id)"), "artistName": .string("Maker \(id)"),
        "artworkUrl100": .string("http://img.test/\(id)/100x100bb.png"), "url": .string("http://apps.test/id\(id)"),
      ])
    }
    let feed: JSONObject = ["title": "Top", "results": .array(results)]
    return JSONRecordCoder().encode(["feed": .object(feed)] as JSONObject)
  }

  static func answer(_ body: [UInt8], etag: String? = nil) -> HTTPResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["ETag"] = etag
    return HTTPResponse(status: 200, headers: headers, body: body, url: "http://answer.test/")
  }
}
