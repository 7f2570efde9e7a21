import Models
import Ports

/// Writes why the daemon ends to standard error.
struct FailureLine {
  /// How the log is written: where it is JSON, so is this line.
  let format: LogFormat
  /// The clock.
  let time: any TimeSource
  /// Writes JSON.
  let coder: any RecordCoder

  /// As text one line, and the hint below it; as JSON one object, a log line with the members of the error.
  func print(_ failure: Failure) {
    switch format {
    case .text:
      var text = "almanacd: \(failure.message)\n"
      for line in (failure.hint ?? "").split(separator: "\n") { text += "  \(line)\n" }
      LineWriter.standardError.write(Array(text.utf8))
    case .json:
      var fields: JSONObject = ["time": .string(time.now.description), "level": "critical"]
      fields.members += failure.fields.members
      LineWriter.standardError.write(coder.encode(fields) + [0x0A])
    }
  }
}
