import Models

/// The fields of a form as a browser sent them. A form that edits something has each field twice: `NAME`, as the person left
/// it, and `was.NAME`, as the page showed it. What is the same in both was not changed by the person, and is not sent.
struct SentForm: Sendable {
  private var fields: [String: String] = [:]

  init() {}

  /// The fields of a body (WHATWG URL, application/x-www-form-urlencoded). Browsers send line breaks as CR LF; they are LF
  /// here, as everywhere else.
  init(_ body: [UInt8]) {
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let text = sides.map { percentDecoded(String($0.map { $0 == "+" ? " " : $0 })) }
      fields[text[0]] = text.count > 1 ? text[1].replacing("\r\n", with: "\n") : ""
    }
  }

  /// The text of a field; `nil` where the form does not have it.
  subscript(name: String) -> String? { fields[name] }

  func without(_ name: String) -> SentForm {
    var form = self
    form.fields[name] = nil
    return form
  }

  /// What the page showed in a field; `nil` where the form does not say it.
  func shown(_ name: String) -> String? { fields["was.\(name)"] }

  /// The text of a field that the person changed.
  ///
  /// - Parameter stored: what the field shows of what is stored now, which takes the place of what was shown where the form
  ///   does not say it.
  func changed(_ name: String, stored: String) -> String? {
    fields[name].flatMap { $0.exact == (shown(name) ?? stored).exact ? nil : $0 }
  }

  /// Whether the person and another edit changed a field, and not to the same text.
  func isConflict(_ name: String, stored: String) -> Bool {
    guard let shown = shown(name), let text = changed(name, stored: stored) else { return false }
    return shown.exact != stored.exact && text.trimmed.exact != stored.trimmed.exact
  }

  /// A text as a field of one line shows it, and sends it where it is not changed.
  static func line(_ text: String) -> String {
    text.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      ? String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })) : text
  }

  /// A text as a field of several lines shows it, and sends it where it is not changed.
  static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") }
}
