import Dispatch
import Glibc

/// Turns Ctrl-C and SIGTERM into a cancelled task, and ends the program when that takes too long: the store is whole
/// at any moment, so nothing is lost by that.
enum Interruption {
  /// How long a cancelled run may take to come back.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  /// Watches for both signals until the result is let go.
  static func watch(_ job: Task<Int32, Never>, _ terminal: Terminal) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        job.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          terminal.flush()
          _exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }
}
