import Dispatch
import Glibc

/// Turns Ctrl-C and SIGTERM into a cancelled task, and ends the program when that takes too long: the store is whole
/// at any moment, so nothing is lost by that.
///
/// The signal's handler writes the number into a pipe, which `watch` reads: a signal that comes earlier waits
/// there. A dispatch source has a moment at its start in which a signal goes nowhere.
struct Interruption {
  /// How long a cancelled run may take to come back.
  private static let patience = DispatchTimeInterval.milliseconds(650)
  /// How long the last words may take after that: their reader may have stopped reading.
  private static let lastWords = DispatchTimeInterval.milliseconds(100)

  private static let pipe: (out: Int32, in: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  /// From now on both signals wait in the pipe.
  init() {
    // Made now, because a handler may only do what is safe at any moment.
    guard Self.pipe.in >= 0 else { return }
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Interruption.pipe.in, &byte, 1)
        errno = error
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Watches for both signals until the program ends.
  ///
  /// - Parameter words: says that a run which does not come back was stopped.
  func watch(_ job: Task<Int32, Never>, _ words: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "interruption").async {
      var byte: UInt8 = 0
      while read(Self.pipe.out, &byte, 1) == 1 {
        let code = 128 + Int32(byte)
        job.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
          words()
          _exit(code)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience + Self.lastWords) { _exit(code) }
      }
    }
  }
}
