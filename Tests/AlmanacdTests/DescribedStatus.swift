import Foundation
import Models
import Synchronization
import Testing

@testable import almanacd

/// The status codes that the OpenAPI document names, for `WebClient`: every answer that a test gets is compared with it.
enum DescribedStatus {
  private struct Operation {
    var path: [Substring]
    var codes: [String: Set<Int>]
    var bodies: Set<String>

    func matches(_ parts: [Substring]) -> Bool {
      for (index, piece) in path.enumerated() {
        guard index < parts.count else { return false }
        // The last variable stands for the rest of the path.
        if piece.hasPrefix("{") {
          if index == path.count - 1 { return true }
        } else if piece != parts[index] {
          return false
        }
      }
      return path.count == parts.count
    }
  }

  private static let operations: [Operation] = {
    guard let catalog = try? Routes.catalog(), let api = try? Routes.api() else { return [] }
    let document = OpenAPI.document(api.operations, base: "", catalog)
    return (document["paths"]?.object?.members ?? []).map { path in
      var operation = Operation(path: Substring(path.key).split(separator: "/"), codes: [:], bodies: [])
      for method in path.value.object?.members ?? [] {
        let name = method.key.uppercased()
        operation.codes[name] = Set((method.value.object?["responses"]?.object?.keys ?? []).compactMap { Int($0) })
        if method.value.object?["requestBody"] != nil { operation.bodies.insert(name) }
      }
      return operation
    }
  }()

  /// Records an issue where the description does not name the status of an answer.
  static func check(_ method: String, _ target: String, hasBody: Bool, _ reply: WebClient.Reply) {
    // 431 is for any request, before its address is known, and so is 400 for one that is not HTTP.
    guard reply.status != 431, reply.body.contains("not-http") == false, target.hasPrefix("/") else { return }
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    let method = method == "HEAD" ? "GET" : method
    // The more exact path is meant.
    let found = operations.filter { $0.matches(parts) }.max { left, right in
      left.path.count { !$0.hasPrefix("{") } < right.path.count { !$0.hasPrefix("{") }
    }
    guard let found, let codes = found.codes[method] else { return }
    // A body where none is described.
    if hasBody, !found.bodies.contains(method), [413, 415].contains(reply.status) { return }
    guard reply.status != 0, !codes.contains(reply.status) else { return }
    Issue.record("\(method) \(target): \(reply.status) is not described; there are \(codes.sorted()): \(reply.body)")
  }
}
