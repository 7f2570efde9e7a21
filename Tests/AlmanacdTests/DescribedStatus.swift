import Foundation
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import almanacd

/// The status codes and the bodies that the OpenAPI document describes, for `WebClient`: every answer that a test gets is
/// compared with it.
enum DescribedStatus {
  private struct Operation {
    var path: [Substring]
    var codes: [String: Set<Int>]
    var bodies: Set<String>
    /// The schemas of JSON answers, by method and status.
    var answers: [String: JSONValue] = [:]

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

  private static let document: JSONObject = {
    guard let catalog = try? Routes.catalog(), let api = try? Routes.api() else { return [:] }
    return OpenAPI.document(api.operations, base: "", catalog)
  }()

  private static let operations: [Operation] = {
    return (document["paths"]?.object?.members ?? []).map { path in
      var operation = Operation(path: Substring(path.key).split(separator: "/"), codes: [:], bodies: [])
      for method in path.value.object?.members ?? [] {
        let name = method.key.uppercased()
        operation.codes[name] = Set((method.value.object?["responses"]?.object?.keys ?? []).compactMap { Int($0) })
        if method.value.object?["requestBody"] != nil { operation.bodies.insert(name) }
        for response in method.value.object?["responses"]?.object?.members ?? [] {
          let content = response.value.object?["content"]?.object
          operation.answers["\(name) \(response.key)"] = content?["application/json"]?.object?["schema"]
        }
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
    if let schema = found.answers["\(method) \(reply.status)"],
      let body = try? JSONRecordCoder().decode(Array(reply.body.utf8)),
      let mistake = mistake(in: .object(body), schema)
    {
      Issue.record("\(method) \(target): \(mistake), which is not as described: \(reply.body.prefix(1000))")
    }
    guard reply.status != 0, !codes.contains(reply.status) else { return }
    Issue.record("\(method) \(target): \(reply.status) is not described; there are \(codes.sorted()): \(reply.body)")
  }

  /// What of a value is not as its schema says: a missing member, or a value of another kind.
  static func mistake(in value: JSONValue, _ schema: JSONValue, at path: String = "$") -> String? {
    guard var rule = schema.object else { return nil }
    if let name = rule["$ref"]?.string?.split(separator: "/").last {
      guard let named = document["components"]?.object?["schemas"]?.object?[String(name)]?.object else {
        return "there is no schema \(name)"
      }
      rule = named
    }
    if let choices = rule["anyOf"]?.array {
      let mistakes = choices.map { mistake(in: value, $0, at: path) }
      return mistakes.contains(nil) ? nil : mistakes.first ?? nil
    }
    let kinds = rule["type"]?.array?.compactMap(\.string) ?? [rule["type"]?.string].compactMap(\.self)
    let kind = value.kind == "number" && value.int != nil ? "integer" : value.kind
    guard kinds.isEmpty || kinds.contains(kind) || kind == "integer" && kinds.contains("number") else {
      return "\(path) is \(kind)"
    }
    if let names = rule["enum"]?.array, !names.contains(value) { return "\(path) is not one of \(names.count) values" }
    for (index, element) in (value.array ?? []).enumerated() {
      guard let items = rule["items"] else { break }
      if let mistake = mistake(in: element, items, at: "\(path)[\(index)]") { return mistake }
    }
    guard let object = value.object else { return nil }
    for name in rule["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
      return "\(path).\(name) is missing"
    }
    for member in object.members {
      let known = rule["properties"]?.object?[member.key] ?? rule["additionalProperties"]
      if let mistake = known.flatMap({ mistake(in: member.value, $0, at: "\(path).\(member.key)") }) { return mistake }
    }
    return nil
  }

  /// The names of the schemas, each as often as it is described.
  static var schemaNames: [String] { document["components"]?.object?["schemas"]?.object?.keys ?? [] }
}
