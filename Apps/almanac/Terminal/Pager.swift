import CLibrary
import Frontend
import Synchronization

/// Shows long answers page by page, by the rules of git: only on a terminal, with the program of `ALMANAC_PAGER`, or
/// `PAGER`, or `less`, which ends at once where the answer fits the screen.
final class Pager: Sendable {
  private enum State {
    /// Nothing was written yet.
    case waiting
    /// It reads the descriptor.
    case running(pid_t, Int32)
    /// It ended, or could not be started: answers are written directly.
    case over
  }

  private struct Shown {
    var state = State.waiting
    /// Messages for the time after it: written now, they would be mixed with the pages.
    var messages: [UInt8] = []
  }

  private let command: String
  private let environment: [String: String]
  private let shown = Mutex(Shown())

  init(command: String, environment: [String: String]) {
    self.command = command
    self.environment = environment
  }

  /// The command of the pager; `nil` where answers are written directly.
  static func command(_ environment: [String: String], isWanted: Bool) -> String? {
    guard isWanted, environment["TERM"] != "dumb" else { return nil }
    let command = environment["ALMANAC_PAGER"] ?? environment["PAGER"] ?? "less"
    return command.isEmpty || command == "cat" ? nil : command
  }

  /// Writes an answer, and starts the pager for the first one.
  ///
  /// - Returns: why it could not be written (errno(3)): `EPIPE` where the person has closed the pager.
  func write(_ bytes: [UInt8]) -> Int32? {
    let descriptor = shown.withLock { shown -> Int32 in
      if case .waiting = shown.state { shown.state = start() }
      if case .running(_, let descriptor) = shown.state { return descriptor }
      return 1
    }
    return Descriptor(descriptor).write(bytes)
  }

  /// Keeps a message for the time after the pager; `false` where it is not running.
  func keeps(_ message: [UInt8]) -> Bool {
    shown.withLock { shown in
      guard case .running = shown.state else { return false }
      shown.messages += message
      return true
    }
  }

  /// Waits until the person has closed the pager, and writes the messages that it kept.
  func end() {
    let running = shown.withLock { shown -> (pid_t, Int32)? in
      guard case .running(let process, let descriptor) = shown.state else { return nil }
      return (process, descriptor)
    }
    guard let (process, descriptor) = running else { return }
    close(descriptor)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let messages = shown.withLock { shown in
      shown.state = .over
      defer { shown.messages = [] }
      return shown.messages
    }
    _ = Descriptor(2).write(messages)
  }

  private func start() -> State {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .over }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    // Ctrl-C belongs to the pager, which ends the command by closing its input.
    signal(SIGINT, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGPIPE, SIGTERM, SIGXFSZ] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var variables = environment
    // As git sets them: end where it fits one screen, show colours, leave the text on the screen.
    if variables["LESS"] == nil { variables["LESS"] = "FRX" }
    if variables["LV"] == nil { variables["LV"] = "-c" }
    var process: pid_t = 0
    let words = (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words, settings)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      return .over
    }
    return .running(process, ends[1])
  }
}
