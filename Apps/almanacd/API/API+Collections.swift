import Hummingbird
import Models
import Ports

extension API {
  /// The most records of one answer.
  static let largestPage = 1000

  /// Reading records.
  var collections: [Route] {
    [
      Route(.get, "/api/v1/collections") { call in
        var items: [JSONValue] = []
        for name in call.services.catalog.names {
          items.append(["name": .string(name.rawValue), "records": .int(try call.services.library.count(name))])
        }
        return Response(json: ["items": .array(items)], call.services.coder)
      },
      Route(.get, "/api/v1/collections/{name}", parameters: ["limit", "after", "prefix"]) { call in
        let limit = try call.query("limit", in: 1...Self.largestPage) ?? 100
        return try Self.page(call, try Self.collection(call), limit: limit)
      },
      Route(.get, "/api/v1/collections/{name}/**") { call in
        let name = try Self.collection(call)
        return Response(type: "application/json", try call.services.library.record(name, call.rest(after: 4)))
      },
    ]
  }

  private static func collection(_ call: APIRequest) throws(Problem) -> CollectionName {
    let name = CollectionName(rawValue: call.part("name"))
    let catalog = call.services.catalog
    guard catalog.contains(name) else {
      throw Problem(
        .notFound, "there is no collection '\(name)'",
        hint: "there are: \(catalog.names.map(\.rawValue).joined(separator: ", "))")
    }
    return name
  }

  /// `{"items": […], "next"?}`; the records go out as they are stored, without being read.
  private static func page(_ call: APIRequest, _ name: CollectionName, limit: Int) throws(Failure) -> Response {
    var bytes = Array(#"{"items":["#.utf8)
    var count = 0
    var lastID: String?
    var more = false
    let coder = call.services.coder
    let query = LibraryQuery(prefix: call.query("prefix") ?? "", after: call.query("after"))
    try call.services.library.list(name, query) { record in
      guard count < limit else {
        more = true
        return .stop
      }
      if count > 0 { bytes.append(UInt8(ascii: ",")) }
      record.withUnsafeBytes { bytes.append(contentsOf: $0) }
      count += 1
      if count == limit { lastID = (try? coder.decode(record))?["id"]?.string }
      return .next
    }
    bytes.append(UInt8(ascii: "]"))
    if more, let lastID {
      bytes += Array(#","next":"#.utf8)
      bytes += coder.encode(.string(lastID))
    }
    bytes.append(UInt8(ascii: "}"))
    return Response(type: "application/json", bytes)
  }
}
