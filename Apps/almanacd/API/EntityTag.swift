import Hummingbird
import Models
import Ports

/// Entity tags of answers (RFC 9110 section 8.8.3): hashes of their bytes.
enum EntityTag {
  /// The tag of an answer, with its quotes.
  static func of(_ bytes: [UInt8]) -> String { of(digest: String(XXHash64.sum(bytes), radix: 16)) }

  /// The tag of an answer whose digest is known, in hexadecimal digits.
  static func of(digest: String) -> String { "\"\(digest.prefix(32))\"" }

  /// A client may keep an answer with a tag, and asks each time whether it is still true.
  fileprivate static let revalidated = HTTPField(name: .cacheControl, value: "private, no-cache")

  /// Whether the value of If-Match or If-None-Match names the tag. A weak tag names it where that is enough.
  static func isNamed(_ tag: String, in list: String, weakly: Bool) -> Bool {
    if list.allSatisfy({ $0 == "*" || $0 == " " }), list.contains("*") { return true }
    let tag = weakly && tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
    return list.split(separator: ",").contains { part in
      var part = part.drop { $0 == " " || $0 == "\t" }
      while part.last == " " || part.last == "\t" { part.removeLast() }
      if weakly, part.hasPrefix("W/") { part = part.dropFirst(2) }
      return part.utf8.elementsEqual(tag.utf8)
    }
  }
}

extension APIRequest {
  /// An answer with its entity tag; 304 without a body where the client has it (If-None-Match).
  ///
  /// - Parameter tag: the tag; a hash of the bytes where absent.
  func answer(
    type: String = "application/json", _ bytes: [UInt8], tag: String? = nil, headers: HTTPFields = [:]
  ) -> Response {
    let tag = tag ?? EntityTag.of(bytes)
    var headers = headers
    headers.append(HTTPField(name: .eTag, value: tag))
    headers.append(EntityTag.revalidated)
    if request.headers.contains(.ifNoneMatch),
      EntityTag.isNamed(tag, in: request.headers[values: .ifNoneMatch].joined(separator: ","), weakly: true)
    {
      return Response(status: .notModified, headers: headers)
    }
    return Response(type: type, bytes, headers: headers)
  }

  func answer(json fields: JSONObject) -> Response { answer(services.coder.encode(fields)) }

  /// The record as the client knows it, which an edit must find stored (If-Match); `nil` where it may be any.
  ///
  /// - Throws: `Problem` with 412 where another state of the record is stored; `Failure`, `notFound` if there is none.
  func expected(_ collection: CollectionName, _ id: String) throws -> [UInt8]? {
    let wanted = request.headers[values: .ifMatch].joined(separator: ",")
    guard !wanted.isEmpty else { return nil }
    let record = try services.library.record(collection, id)
    guard EntityTag.isNamed(EntityTag.of(record), in: wanted, weakly: false) else {
      throw Problem(Failure.changed(collection, id))
    }
    return wanted.contains("*") ? nil : record
  }
}
