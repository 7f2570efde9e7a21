import CLibrary
import Logging
import Models
import Ports

/// Writes log lines to standard error, as text or as one JSON object a line.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level = .info
  var metadata: Logger.Metadata = [:]
  let format: LogFormat
  let time: any TimeSource
  let coder: any RecordCoder
  var wording = Wording()
  /// Takes each line, whole.
  var write: @Sendable ([UInt8]) -> Void = { LineWriter.standardError.write($0) }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var metadata = metadata.merging(event.metadata ?? [:]) { _, new in new }
    if case .stringConvertible(let hint as Advice)? = metadata["hint"] { metadata["hint"] = "\(wording(hint))" }
    let all = metadata.sorted { $0.key < $1.key }
    var line: [UInt8]
    switch format {
    case .text:
      var text = "\(time.now) \(event.level) \(Self.line("\(event.message)"))"
      for (key, value) in all { text += " \(key)=\(Self.quoted(Self.text(value)))" }
      line = Array(text.utf8)
    case .json:
      var fields: JSONObject = [
        "time": .string(Self.moment(time)), "level": .string(event.level.rawValue),
        "message": .string("\(event.message)"),
      ]
      for (key, value) in all { fields.append(key, Self.json(value)) }
      line = coder.encode(fields)
    }
    line.append(0x0A)
    write(line)
  }

  /// The time to the millisecond. A clock that is not the machine's has no parts of a second.
  static func moment(_ time: any TimeSource) -> String {
    let now = time.now
    // The members of `timespec` belong to a module of NIO's here, which is not imported: it is two words.
    var real = (seconds: 0, nanoseconds: 0)
    withUnsafeMutableBytes(of: &real) { words in
      if let place = words.baseAddress { clock_gettime(CLOCK_REALTIME, place.assumingMemoryBound(to: timespec.self)) }
    }
    let isReal = abs(real.seconds - now.secondsSinceEpoch) <= 1
    let second = isReal ? Timestamp(secondsSinceEpoch: real.seconds) : now
    let digits = String((isReal ? real.nanoseconds / 1_000_000 : 0) + 1000).dropFirst()
    return second.description.dropLast() + ".\(digits)Z"
  }

  /// Durations in seconds to the millisecond, everything else as it is.
  private static func text(_ value: Logger.Metadata.Value) -> String {
    guard case .stringConvertible(let value) = value, let duration = value as? Duration else { return "\(value)" }
    return "\(Double(duration.milliseconds) / 1000)s"
  }

  /// Numbers and flags as they are, durations in seconds, everything else as text.
  private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
    guard case .stringConvertible(let value) = value else { return .string("\(value)") }
    switch value {
    case let number as any BinaryInteger: return .number("\(number)")
    case let flag as Bool: return .bool(flag)
    case let duration as Duration: return .number("\(Double(duration / .microseconds(1)).rounded() / 1e6)")
    default: return .string("\(value)")
    }
  }

  /// The text on one line, so that a server's words cannot pass for a line of the log. Line breaks and tabs become
  /// spaces, other control characters U+FFFD.
  private static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    let scalars = text.replacing("\r\n", with: " ").unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "\n", "\r", "\t", "\u{85}": " "
      case _ where isControl(scalar): "\u{FFFD}"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
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

/// Writes why the daemon ends to standard error.
struct FailureLine {
  /// How the log is written: where it is JSON, so is this line.
  let format: LogFormat
  let time: any TimeSource
  let coder: any RecordCoder
  var wording = Wording()

  /// As text one line, and the hint below it; as JSON one object, a log line with the members of the error.
  func print(_ failure: Failure) {
    let failure = wording(failure)
    switch format {
    case .text:
      var text = "almanacd: \(failure.message)\n"
      for line in (failure.hint?.description ?? "").split(separator: "\n") { text += "  \(line)\n" }
      LineWriter.standardError.write(Array(text.utf8))
    case .json:
      var fields: JSONObject = ["time": .string(LineLogHandler.moment(time)), "level": "critical"]
      fields.members += failure.fields.members
      LineWriter.standardError.write(coder.encode(fields) + [0x0A])
    }
  }
}

/// Writes lines to a descriptor from a thread of its own, so that logging never blocks. When the reader stops reading,
/// lines beyond the limit are dropped and counted.
final class LineWriter: Sendable {
  private struct State {
    var lines: [[UInt8]] = []
    var bytes = 0
    var isWriting = false
    var hasThread = false
    var dropped = 0
    var untold = 0
  }

  static let standardError = LineWriter(descriptor: 2)
  /// How many bytes may wait.
  static let mostBytes = 1 << 20

  private let descriptor: Int32
  private let state = Monitor(State())

  /// A writer to an open descriptor, which stays open.
  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Lines that were dropped since the start.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Takes a line, with its line feed; returns at once.
  func write(_ line: [UInt8]) {
    let needsThread = state.signal { state -> (result: Bool, wakes: Bool) in
      if state.bytes + line.count > Self.mostBytes {
        state.dropped += 1
        state.untold += 1
        return (false, false)
      }
      state.lines.append(line)
      state.bytes += line.count
      defer { state.hasThread = true }
      return (!state.hasThread, true)
    }
    if needsThread, !OwnThread.start("log", { [self] in work() }) { state.withLock { $0.hasThread = false } }
  }

  /// Waits until everything is written, at most so long: for the end of the process.
  func flush(milliseconds: Int) {
    for _ in 0..<milliseconds {
      if state.withLock({ $0.lines.isEmpty && !$0.isWriting }) { return }
      usleep(1000)
    }
  }

  private func work() {
    while true {
      let (lines, untold) = state.wait { state -> ([[UInt8]], Int)? in
        state.isWriting = false
        guard !state.lines.isEmpty else { return nil }
        defer { (state.lines, state.bytes, state.untold, state.isWriting) = ([], 0, 0, true) }
        return (state.lines, state.untold)
      }
      for line in lines { writeAll(line) }
      if untold > 0 {
        writeAll(
          Array(
            "almanacd: \(untold.counted("line of the log was", "lines of the log were")) dropped, because nothing read the log\n"
              .utf8))
      }
    }
  }

  /// A line that cannot be written, because nothing reads the pipe any more, is lost.
  private func writeAll(_ line: [UInt8]) {
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress! + done, line.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }
}
