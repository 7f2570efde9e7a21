import Models
import Ports

/// Reads the body of a response as JSON, and explains what it is otherwise.
enum ResponseBody {
  /// Reads the body as JSON.
  ///
  /// - Throws: `ParsingError`: `foreign` for another format, with its name and a hint; otherwise the errors of
  ///   `JSONDocument.read`.
  @inline(__always)
  static func read<Result>(
    _ body: [UInt8], _ use: (JSONNode) throws(ParsingError) -> Result
  ) throws(ParsingError) -> Result {
    do throws(ParsingError) {
      return try JSONDocument.read(body, use)
    } catch {
      throw explained(error, body)
    }
  }

  /// The error, or a more specific one where the body is in another format.
  @inline(never)
  static func explained(_ error: ParsingError, _ body: [UInt8]) -> ParsingError {
    guard error.code == .syntax || error.code == .truncated else { return error }
    guard let foreign = ForeignBody(body) else { return error }
    return ParsingError(.foreign, expected: "JSON", found: foreign.name, hint: foreign.hint)
  }
}

/// The format of a body that is not JSON.
struct ForeignBody: Equatable {
  var name: String
  var hint: String

  /// Recognizes other formats; `nil` where the body looks like JSON with a syntax error.
  init?(_ body: [UInt8]) {
    hint = "check the server's address, or try again later"
    if body.starts(with: [0x1F, 0x8B]) {
      name = "gzip data"
      hint = "the server compressed the response without announcing it; report it to its operator"
      return
    }
    let text = body[Self.start(of: body)...].drop { $0 <= 0x20 }
    guard let first = text.first else {
      name = "an empty body"
      return
    }
    let head = String(decoding: text.prefix(512), as: UTF8.self)
    let lower = head.lowercased()
    if first == 0x3C {
      let title = ForeignBody.element("title", in: head, lower)
      if lower.hasPrefix("<?xml") || lower.hasPrefix("<rsp") || lower.hasPrefix("<rss") || lower.hasPrefix("<feed"),
        !lower.contains("<html")
      {
        name = "an XML document"
        hint = "the server sends another format; check the address of the server"
      } else {
        name = title.map { "an HTML page titled '\($0)'" } ?? "an HTML page"
        hint = "a proxy or an error page answered instead of the API; \(hint)"
      }
    } else if lower.hasPrefix("oauth_problem=") || lower.contains("&oauth_problem=") {
      name = "an OAuth error: \(head.split(separator: "&").first { $0.contains("oauth_problem=") } ?? "")"
      hint = "check the API key"
    } else if JSONLexer.isDigit(first) || "{[\"-tfn\u{EF}".utf8.contains(first) || first == 0xEF {
      return nil
    } else {
      name = "text that begins with \(JSONText.compact(.string(String(head.prefix(40)))))"
    }
  }

  /// The offset of the text after a byte order mark.
  static func start(of body: [UInt8]) -> Int { body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private static func element(_ tag: String, in text: String, _ lower: String) -> String? {
    let characters = Array(text.utf8)
    let folded = Array(lower.utf8)
    guard characters.count == folded.count, let start = folded.firstRange(of: Array("<\(tag)".utf8)),
      let open = folded[start.upperBound...].firstIndex(of: 0x3E),
      let end = folded[open...].firstRange(of: Array("</\(tag)".utf8))
    else { return nil }
    let inside = String(decoding: characters[(open + 1)..<end.lowerBound], as: UTF8.self)
    let words = inside.split { $0.isWhitespace }.joined(separator: " ")
    return words.isEmpty ? nil : String(words.prefix(80))
  }
}
