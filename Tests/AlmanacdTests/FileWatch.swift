import Foundation
import Glibc

/// Waits for a file to hold something; inotify(7) says when to look again.
enum FileWatch {
  /// Waits until the file is as it should be, and gives its text.
  ///
  /// - Throws: `Daemon.Late` where it is not in time.
  static func until(
    _ path: String, seconds: Double, _ isDone: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try wait(path, seconds, isDone) })
      }
    }
  }

  private static func wait(_ path: String, _ seconds: Double, _ isDone: (String) -> Bool) throws -> String {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(descriptor) }
    inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
    let end = Date().addingTimeInterval(seconds)
    while true {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      if isDone(text) { return text }
      let rest = end.timeIntervalSinceNow
      if rest <= 0 { throw Daemon.Late(description: "the log does not say it:\n\(text)") }
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A process that ended writes no more: its end is seen at the next turn.
      if Glibc.poll(&poll, 1, Int32(min(rest, 1) * 1000)) > 0 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = read(descriptor, &buffer, buffer.count)
      }
    }
  }
}
