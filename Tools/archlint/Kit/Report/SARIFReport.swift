import Foundation

/// Findings for code scanning services and editors: SARIF 2.1.0 (OASIS Standard, 2020).
package enum SARIFReport {
  package static func render(_ result: LintResult) -> String {
    let run: [String: Any] = [
      "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
      "originalUriBaseIds": ["PACKAGE": ["description": text("The folder of Package.swift.")]],
      "results": result.violations.map(finding),
    ]
    let log: [String: Any] = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    // Sorted keys, so that equal input gives identical output. The values are all valid in JSON.
    let bytes = try? JSONSerialization.data(
      withJSONObject: log, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: bytes ?? Data(), as: UTF8.self) + "\n"
  }

  private static func text(_ text: String) -> [String: Any] { ["text": text] }

  /// All checks are listed, with or without findings, so that a service can distinguish 'clean' from 'not checked'.
  private static var driver: [String: Any] {
    [
      "name": "archlint", "version": "1.0.0",
      "rules": Check.allCases.map { check -> [String: Any] in
        ["id": check.rawValue, "shortDescription": text(check.summary), "defaultConfiguration": ["level": "error"]]
      },
    ]
  }

  private static func finding(_ violation: Violation) -> [String: Any] {
    var message = violation.message
    if !violation.chain.isEmpty { message += "\nChain: " + violation.chain.joined(separator: " -> ") }
    message += "\nRemedy: " + violation.suggestion
    // The identity excludes line numbers, because lines move.
    let identity = [violation.check.rawValue, violation.place.path, violation.target ?? "", violation.object ?? ""]
    var finding: [String: Any] = [
      "ruleId": violation.check.rawValue, "ruleIndex": Check.allCases.firstIndex(of: violation.check) ?? 0,
      "level": "error", "message": text(message), "locations": [["physicalLocation": location(violation.place)]],
      "partialFingerprints": ["archlint/v1": identity.joined(separator: "|")],
    ]
    if let rule = violation.rule {
      let related: [String: Any] = [
        "id": 1, "physicalLocation": location(rule), "message": text("The rule that is broken."),
      ]
      finding["relatedLocations"] = [related]
    }
    return finding
  }

  private static func location(_ place: Place) -> [String: Any] {
    // The characters that a path may contain (RFC 3986 section 3.3); the others are percent-encoded.
    let plain = CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
      .union(CharacterSet(charactersIn: "0123456789-._~/!$&'()*+,;=@"))
    let uri = place.path.addingPercentEncoding(withAllowedCharacters: plain) ?? place.path
    return [
      "artifactLocation": ["uri": uri, "uriBaseId": "PACKAGE"],
      "region": ["startLine": place.line, "startColumn": place.column],
    ]
  }
}
