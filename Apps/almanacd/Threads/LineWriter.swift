import Glibc

/// Writes lines to a descriptor from a thread of its own: who logs never waits for who reads. Where nobody reads, what is
/// too much is dropped and counted.
final class LineWriter: Sendable {
  private struct State {
    var lines: [[UInt8]] = []
    var bytes = 0
    var isWriting = false
    var hasThread = false
    var dropped = 0
    var untold = 0
  }

  /// Standard error.
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
    let needsThread = state.signal { state in
      if state.bytes + line.count > Self.mostBytes {
        state.dropped += 1
        state.untold += 1
        return false
      }
      state.lines.append(line)
      state.bytes += line.count
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if needsThread, !OwnThread.start({ [self] in work() }) { state.withLock { $0.hasThread = false } }
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
      if untold > 0 { writeAll(Array("almanacd: \(untold) lines of the log were dropped: they were not read\n".utf8)) }
    }
  }

  /// Where nobody reads any more the line is lost, and nothing else.
  private func writeAll(_ line: [UInt8]) {
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, line.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }
}
