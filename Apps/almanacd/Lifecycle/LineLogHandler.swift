import Glibc
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

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
    var line: [UInt8]
    switch format {
    case .text:
      var text = "\(time.now) \(event.level) \(event.message)"
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
    _ = write(2, line, line.count)
  }

  /// The value on one line; in quotes where it has a space in it.
  private static func quoted(_ text: String) -> String {
    var result = ""
    var needsQuotes = text.isEmpty
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        result += "\\"
        result.unicodeScalars.append(scalar)
        needsQuotes = true
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += "\u{FFFD}"
      default:
        if scalar == " " || scalar == "=" { needsQuotes = true }
        result.unicodeScalars.append(scalar)
      }
    }
    return needsQuotes ? "\"\(result)\"" : result
  }
}
