import Models
import Ports

/// The collections and their records as resources, `almanac://people` and `almanac://people/r-1`.
struct MCPResources {
  let services: AssistantServices

  private static let scheme = "almanac://"

  /// The answer to `resources/list`.
  var list: JSONObject {
    let resources = services.catalog.names.map { name -> JSONValue in
      [
        "uri": .string("\(Self.scheme)\(name)"), "name": .string(name.rawValue),
        "description": .string("the first records of the collection \(name)"), "mimeType": "application/json",
      ]
    }
    return ["resources": .array(resources)]
  }

  /// The answer to `resources/templates/list`.
  var templates: JSONObject {
    let templates = services.catalog.names.map { name -> JSONValue in
      [
        "uriTemplate": .string("\(Self.scheme)\(name)/{id}"), "name": .string("\(name) record"),
        "description": .string("a record of the collection \(name) by its id"), "mimeType": "application/json",
      ]
    }
    return ["resourceTemplates": .array(templates)]
  }

  /// The answer to `resources/read`.
  func read(_ uri: String, by client: String, isStateless: Bool) throws(MCPError) -> JSONObject {
    do throws(Failure) {
      let text = String(decoding: services.coder.encode(try value(uri)), as: UTF8.self)
      services.log?.add(client, "resources/read", ["uri": .string(uri)], failure: nil)
      return [
        "contents": [
          [
            "uri": .string(uri), "mimeType": "application/json", "text": .string(text),
            "_meta": ["almanac/notice": .string(UntrustedText.notice)],
          ]
        ]
      ]
    } catch {
      services.log?.add(client, "resources/read", ["uri": .string(uri)], failure: error)
      throw MCPError(
        isStateless ? .invalidParams : .resourceNotFound, MCPServer.text(services.wording(error)),
        data: ["uri": .string(uri)])
    }
  }

  private func value(_ uri: String) throws(Failure) -> JSONValue {
    guard uri.hasPrefix(Self.scheme), let path = Self.decoded(uri.dropFirst(Self.scheme.count)) else {
      throw Failure(
        .config, .usage, "'\(uri.prefix(200))' is not the address of a record",
        hint: "addresses are almanac://COLLECTION and almanac://COLLECTION/ID", code: .own(.usage))
    }
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    let name = try CollectionArgument.parse(parts.first ?? "", services)
    let library = services.library()
    let records =
      parts.count == 2
      ? [try library.record(name, parts[1])]
      : try library.page(name, LibraryQuery(), limit: 50, counts: false).records
    let values = try records.map { (bytes) throws(Failure) in
      UntrustedText.escaped(.object(try Failure.from { () throws(ParsingError) in try services.coder.decode(bytes) }))
    }
    return parts.count == 2 ? values[0] : .array(values)
  }

  /// The text without percent-encoding (RFC 3986 section 2.1); `nil` where that is wrong.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// A text with which a person begins a conversation.
struct MCPPrompt: Sendable {
  let name: String
  let title: String
  let text: String

  static let all = [
    MCPPrompt(
      name: "next_birthdays", title: "Who has a birthday next month, and what is new about them?",
      text: """
        List the birthdays of the next 31 days with the tool 'birthdays'. For each person, look with 'show' at the record in \
        'people', and with 'changes' since 4w at what changed. Give one line for each: the date, the name, the age if it is \
        known, and what changed, if anything.
        """),
    MCPPrompt(
      name: "what_changed", title: "What changed in the last week?",
      text: """
        Look with 'changes' since 7d at what was added, changed and removed, with 'chart_movers' at each chart that \
        'status' lists, and with 'prices' at the prices that fell. Sum it up in ten lines, the most important first.
        """),
  ]

  /// The prompt as `prompts/list` describes it.
  var description: JSONObject { ["name": .string(name), "title": .string(title), "arguments": []] }

  /// The answer to `prompts/get`.
  var message: JSONObject {
    [
      "description": .string(title),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }
}
