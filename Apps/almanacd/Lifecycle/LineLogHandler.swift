import Logging
import Models
import Ports

/// Writes log lines to standard error, as text or as one JSON object a line.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level = .info
  var metadata: Logger.Metadata = [:]
  /// How lines look.
  let format: LogFormat
  /// The clock.
  let time: any TimeSource
  /// Writes JSON.
  let coder: any RecordCoder
  /// Takes each line, whole.
  var write: @Sendable ([UInt8]) -> Void = { LineWriter.standardError.write($0) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
    var line: [UInt8]
    switch format {
    case .text:
      var text = "\(time.now) \(event.level) \(Self.line("\(event.message)"))"
      for (key, value) in all { text += " \(key)=\(Self.quoted("\(value)"))" }
      line = Array(text.utf8)
    case .json:
      var fields: JSONObject = [
        "time": .string(time.now.description), "level": .string(event.level.rawValue),
        "message": .string("\(event.message)"),
      ]
      for (key, value) in all { fields.append(key, "\(value)") }
      line = coder.encode(fields)
    }
    line.append(0x0A)
    write(line)
  }

  /// The text on one line: a server's words must not pass for a line of ours.
  private static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// The value on one line; in quotes where it has a space in it.
  private static func quoted(_ text: String) -> String {
    var result = ""
    var needsQuotes = text.isEmpty
    for scalar in line(text).unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      if "\"\\ =".unicodeScalars.contains(scalar) { needsQuotes = true }
      result.unicodeScalars.append(scalar)
    }
    return needsQuotes ? "\"\(result)\"" : result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }
}
