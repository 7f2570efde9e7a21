import Declared
import Foundation
import Models
import Parsing
import Ports
import Synchronization

/// Answers in the form of an API, made for this test, and the records that they become.
struct GallerySample {
  struct Scene {
    var follow: String
    var answers: [Answer]
    /// The number of records by collection.
    var counts: [(CollectionName, Int)]
    /// Some fields of some records, by `COLLECTION/ID`.
    var records: JSONObject
    /// The number of rejected records.
    var rejects: Int
    var key: String?
  }

  struct Answer {
    /// The URL after that of the definition, or a whole URL.
    var target: String
    var headers: JSONObject
    var body: JSONValue
  }

  var scenes: [Scene]

  init(_ name: SourceName) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Samples/\(name).json")
    let object = try JSONRecordCoder().decode(Array(try Data(contentsOf: file)))
    scenes = (object["scenes"]?.array ?? []).compactMap(\.object).map { scene in
      Scene(
        follow: scene["follow"]?.string ?? "",
        answers: (scene["answers"]?.array ?? []).compactMap(\.object).map {
          Answer(target: $0["target"]?.string ?? "", headers: $0["headers"]?.object ?? [:], body: $0["body"] ?? .null)
        },
        counts: (scene["counts"]?.object?.members ?? []).map {
          (CollectionName(rawValue: $0.key), $0.value.int ?? 0)
        },
        records: scene["records"]?.object ?? [:], rejects: scene["rejects"]?.int ?? 0, key: scene["key"]?.string)
    }
  }
}

extension GallerySample.Scene {
  /// The text of an answer's body. That of a format other than JSON is a text in the sample.
  static func text(_ body: JSONValue) -> [UInt8] {
    if let text = body.string { return Array(text.utf8) }
    // The coder writes objects.
    return Array(JSONRecordCoder().encode(["v": body] as JSONObject).dropFirst(5).dropLast())
  }
}

/// Answers the requests of a scene, and notes those that it has no answer to.
final class SampleTransport: HTTPTransport {
  private let scene: GallerySample.Scene
  private let base: String
  private let missed = Mutex<[String]>([])

  init(_ scene: GallerySample.Scene, of definition: SourceDefinition) {
    self.scene = scene
    base = definition.url
  }

  /// The targets of requests without an answer.
  var unknown: [String] { missed.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let target = request.url.hasPrefix(base) ? String(request.url.dropFirst(base.count)) : request.url
    guard let answer = scene.answers.first(where: { $0.target.exact == target.exact }) else {
      missed.withLock { $0.append(target) }
      return HTTPResponse(status: 404, url: request.url)
    }
    var headers = HTTPHeaders()
    for member in answer.headers.members { headers[member.key] = member.value.string }
    return HTTPResponse(status: 200, headers: headers, body: GallerySample.Scene.text(answer.body), url: request.url)
  }
}

enum JSONStep: Hashable {
  case name(String)
  case index(Int)
}

extension JSONValue {
  func places(of steps: ArraySlice<ValuePath.Step>) -> [[JSONStep]] {
    guard let step = steps.first else { return [[]] }
    let rest = steps.dropFirst()
    switch step {
    case .name(let name):
      guard let value = object?[name] else { return [] }
      return value.places(of: rest).map { [.name(name)] + $0 }
    case .index(let index):
      guard let array, array.indices.contains(index) else { return [] }
      return array[index].places(of: rest).map { [.index(index)] + $0 }
    case .match: return []
    case .all:
      if let array {
        return array.enumerated().flatMap { index, value in value.places(of: rest).map { [.index(index)] + $0 } }
      }
      return (object?.members ?? []).flatMap { member in
        member.value.places(of: rest).map { [.name(member.key)] + $0 }
      }
    }
  }

  subscript(place: ArraySlice<JSONStep>) -> JSONValue? {
    switch place.first {
    case nil: self
    case .name(let name)?: object?[name]?[place.dropFirst()]
    case .index(let index)?: array?[index][place.dropFirst()]
    }
  }

  /// The value with another one at a place; without the member or element there where the change returns `nil`.
  func changing(_ place: ArraySlice<JSONStep>, _ change: (JSONValue) -> JSONValue?) -> JSONValue? {
    guard let step = place.first else { return change(self) }
    let rest = place.dropFirst()
    switch (self, step) {
    case (.object(var object), .name(let name)):
      object[name] = (object[name] ?? .null).changing(rest, change)
      return .object(object)
    case (.array(var array), .index(let index)):
      let changed = array[index].changing(rest, change)
      array.replaceSubrange(index...index, with: [changed].compactMap(\.self))
      return .array(array)
    default: return self
    }
  }

  /// The value with another name for the member at a place; an element becomes null.
  func renaming(_ place: ArraySlice<JSONStep>) -> JSONValue {
    guard case .name(let name)? = place.last else { return changing(place) { _ in .null } ?? .null }
    return changing(place.dropLast()) { value in
      guard var object = value.object else { return value }
      object["\(name)X"] = object[name] ?? .null
      object[name] = nil
      return .object(object)
    } ?? .null
  }
}
