import Dispatch
import Glibc

/// Turns Ctrl-C and SIGTERM into a cancelled task, and ends the program when that takes too long: the store is whole
/// at any moment, so nothing is lost by that.
struct Interruption {
  /// How long a cancelled run may take to come back.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  private let signals: sigset_t

  /// Holds both signals back from now on, for this thread and those that it starts: one that comes before somebody
  /// watches waits, and is not lost.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    self.signals = signals
  }

  /// Watches for both signals until the program ends.
  func watch(_ job: Task<Int32, Never>, _ terminal: Terminal) {
    DispatchQueue(label: "interruption").async { [signals] in
      var signals = signals
      while true {
        var number: Int32 = 0
        guard sigwait(&signals, &number) == 0 else { return }
        let code = 128 + number
        job.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) {
          terminal.flush()
          _exit(code)
        }
      }
    }
  }
}
