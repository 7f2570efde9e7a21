/// Findings for code scanning services and editors: SARIF 2.1.0 (OASIS Standard, 2020).
package enum SARIFReport {
  package static func render(_ result: LintResult) -> String {
    JSONTree.object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            ("tool", .object([("driver", driver)])),
            ("columnKind", .string("unicodeCodePoints")),
            (
              "originalUriBaseIds",
              .object([("PACKAGE", .object([("description", text("The folder of Package.swift."))]))])
            ),
            ("results", .array(result.violations.map(finding))),
          ])
        ])
      ),
    ]).text
  }

  private static func text(_ text: String) -> JSONTree { .object([("text", .string(text))]) }

  /// All checks are listed, with or without findings, so that a service can distinguish 'clean' from 'not checked'.
  private static var driver: JSONTree {
    .object([
      ("name", .string("archlint")),
      ("version", .string("1.0.0")),
      (
        "rules",
        .array(
          Check.allCases.map { check in
            .object([
              ("id", .string(check.rawValue)),
              ("shortDescription", text(check.summary)),
              ("defaultConfiguration", .object([("level", .string("error"))])),
            ])
          })
      ),
    ])
  }

  private static func finding(_ violation: Violation) -> JSONTree {
    var message = violation.message
    if !violation.chain.isEmpty { message += "\nChain: " + violation.chain.joined(separator: " -> ") }
    message += "\nRemedy: " + violation.remedy
    var members: [(String, JSONTree)] = [
      ("ruleId", .string(violation.check.rawValue)),
      ("ruleIndex", .number(Check.allCases.firstIndex(of: violation.check) ?? 0)),
      ("level", .string("error")),
      ("message", text(message)),
      ("locations", .array([.object([("physicalLocation", location(violation.place))])])),
    ]
    if let rule = violation.rule {
      members.append(
        (
          "relatedLocations",
          .array([
            .object([
              ("id", .number(1)), ("physicalLocation", location(rule)), ("message", text("The rule that is broken.")),
            ])
          ])
        ))
    }
    // The identity excludes line numbers, because lines move.
    let identity = [violation.check.rawValue, violation.place.path, violation.target ?? "", violation.object ?? ""]
    members.append(
      ("partialFingerprints", .object([("archlint/v1", .string(identity.joined(separator: "|")))])))
    return .object(members)
  }

  private static func location(_ place: Place) -> JSONTree {
    .object([
      ("artifactLocation", .object([("uri", .string(uri(place.path))), ("uriBaseId", .string("PACKAGE"))])),
      ("region", .object([("startLine", .number(place.line)), ("startColumn", .number(place.column))])),
    ])
  }

  /// Percent-encodes the characters that a path must not contain (RFC 3986 section 3.3).
  private static func uri(_ path: String) -> String {
    let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@".utf8
    let digits = Array("0123456789ABCDEF")
    var out = ""
    for byte in path.utf8 {
      if plain.contains(byte) {
        out.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        out += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return out
  }
}
