import Models
import Ports

/// The body of an answer: JSON where all is well, and often something else where it is not.
enum Answer {
  /// Reads the body as JSON.
  ///
  /// - Throws: `ParsingError`: `foreign` where something else came, with what it is and how to mend it; otherwise as
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

  /// The error, or a better one where the body is no JSON from its first byte on.
  @inline(never)
  static func explained(_ error: ParsingError, _ body: [UInt8]) -> ParsingError {
    guard error.code == .syntax || error.code == .truncated else { return error }
    guard let foreign = ForeignBody(body) else { return error }
    return ParsingError(.foreign, expected: "JSON", found: foreign.name, hint: foreign.hint)
  }
}

/// What a body is that should have been JSON.
struct ForeignBody: Equatable {
  var name: String
  var hint: String

  /// `nil` where the body may well be JSON with a mistake in it.
  init?(_ body: [UInt8]) {
    if body.starts(with: [0x1F, 0x8B]) {
      name = "gzip data"
      hint = "the server compressed the answer without saying so; report it to its operator"
      return
    }
    let text = body[Self.start(of: body)...].drop { $0 <= 0x20 }
    guard let first = text.first else {
      name = "an empty body"
      hint = "check the server's address; try again later"
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
        hint = "the server answers in another format; check the address and ask for JSON"
      } else {
        name = title.map { "an HTML page titled '\($0)'" } ?? "an HTML page"
        hint = "a proxy or an error page answered in place of the API; check the server's address, try again later"
      }
    } else if lower.hasPrefix("oauth_problem=") || lower.contains("&oauth_problem=") {
      name = "an OAuth error: \(head.split(separator: "&").first { $0.contains("oauth_problem=") } ?? "")"
      hint = "check the API key"
    } else if JSONLexer.isDigit(first) || "{[\"-tfn\u{EF}".utf8.contains(first) || first == 0xEF {
      return nil
    } else {
      name = "text that begins with \(JSONText.compact(.string(String(head.prefix(40)))))"
      hint = "check the server's address; try again later"
    }
  }

  /// Where the text begins: after a byte order mark, where there is one.
  static func start(of body: [UInt8]) -> Int { body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// What stands in the first element of that name, on one line.
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
