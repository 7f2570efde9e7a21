import CLibrary
import Dispatch
public import Models
public import Ports
import Synchronization

/// Starts programs as processes of this one, in a folder.
public struct ChildPrograms: ProgramRunner {
  public let variables: [(name: String, value: String)]
  private let folder: String

  public init(folder: String, environment: [String: String]) {
    self.folder = folder
    variables = environment.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  /// Starts a program in a process group of its own.
  public func start(_ words: [String], file: [UInt8]?) throws(Failure) -> any RunningProgram {
    guard isProgram(words[0]) else { throw Self.failure(words[0], ENOENT) }
    var words = words
    var input: Int32 = -1
    if let file {
      input = try Self.unnamedFile(file, for: words[0])
      words.append("/dev/fd/3")
    }
    defer { if input >= 0 { close(input) } }
    var (output, errors): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&output) == 0 else { throw Self.failure(words[0], errno) }
    guard pipe(&errors) == 0 else {
      let code = errno
      output.forEach { close($0) }
      throw Self.failure(words[0], code)
    }
    // Also what a library has opened, such as the port of a daemon, which nobody could open again.
    let open = RealFileSystem(path: "/proc/self/fd", isAnywhere: true)
    let others = (try? open.openFolder(create: false)) == true ? (try? open.names()) ?? [] : []
    for end in output + errors + others.compactMap({ Int32($0) }) where end > 2 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let started = spawn(words, output: output[1], errors: errors[1], file: input)
    close(output[1])
    close(errors[1])
    switch started {
    case .success(let process): return ChildProgram(process, output: output[0], errors: errors[0])
    case .failure(let failure):
      close(output[0])
      close(errors[0])
      throw failure
    }
  }

  /// Whether the shell will find the program.
  private func isProgram(_ word: String) -> Bool {
    if word.contains("/") { return access(word.hasPrefix("/") ? word : "\(folder)/\(word)", X_OK) == 0 }
    let path = variables.first { $0.name.exact == "PATH" }?.value ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(word)", X_OK) == 0 }
  }

  /// Reads a file of at most 1 MiB.
  public func contents(of path: String) -> [UInt8]? {
    try? WholeFile.read(path.hasPrefix("/") ? path : "\(folder)/\(path)", most: 1 << 20).bytes
  }

  /// A file without a name, read from its beginning: nobody else can read it, and nothing of it is left after a kill.
  private static func unnamedFile(_ bytes: [UInt8], for program: String) throws(Failure) -> Int32 {
    var name = Array("/tmp/almanac-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw failure(program, errno) }
    unlink(&name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    guard Platform.writeAll(file, bytes) else {
      let code = errno
      close(file)
      throw failure(program, code)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private func spawn(_ words: [String], output: Int32, errors: Int32, file: Int32) -> Result<pid_t, Failure> {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    if file >= 0 { posix_spawn_file_actions_adddup2(&actions, file, 3) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A daemon ignores some signals, and a program that inherits that would not end when nobody reads its output.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    // With a group of its own, the processes that it starts end with it.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    // posix_spawn cannot change the folder everywhere.
    let shell = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", folder]
    var arguments = (shell + words).map { strdup($0) } + [nil]
    var variables = variables.map { strdup("\($0.name)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawn(&process, shell[0], &actions, &attributes, &arguments, &variables)
    return code == 0 ? .success(process) : .failure(Self.failure(words[0], code))
  }

  private static func failure(_ program: String, _ code: Int32) -> Failure {
    Failure(
      .config, .config, "the program '\(program)' cannot be started: \(String(cString: strerror(code)))",
      hint: "install it, or write its path in \"command\"", code: .own(.noProgram))
  }
}

private final class ChildProgram: RunningProgram {
  private struct State {
    var isOutputOpen = true
    var areErrorsOpen = true
    /// The status, once it was waited for. The process must not be signalled any more.
    var status: Int32?
  }

  /// The largest piece of output.
  private static let piece = 1 << 18
  /// How long a process may go on after it was asked to end, in milliseconds.
  private static let courtesy: Int32 = 2000

  private let process: pid_t
  private let output: Int32
  private let errors: Int32
  private let state = Mutex(State())

  init(_ process: pid_t, output: Int32, errors: Int32) {
    (self.process, self.output, self.errors) = (process, output, errors)
  }

  deinit {
    signal(SIGKILL)
    _ = wait(0)
    close(output)
    close(errors)
  }

  func next(within timeout: Duration) async -> ProgramOutput {
    let milliseconds = Int32(clamping: Int(timeout.components.seconds).times(1000))
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { [self] in continuation.resume(returning: wait(for: milliseconds)) }
      }
    } onCancel: {
      signal(SIGKILL)
    }
  }

  func end() async {
    guard state.withLock({ $0.status }) == nil else { return }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in
        signal(SIGTERM)
        if reaped(within: Self.courtesy) == nil {
          signal(SIGKILL)
          _ = wait(0)
        }
        // What it started does not outlive it.
        kill(-process, SIGKILL)
        continuation.resume()
      }
    }
  }

  /// Signals the process group, unless the process was waited for.
  private func signal(_ number: Int32) { state.withLock { if $0.status == nil { _ = kill(-process, number) } } }

  private func wait(for timeout: Int32) -> ProgramOutput {
    while true {
      let (isOutputOpen, areErrorsOpen) = state.withLock { ($0.isOutputOpen, $0.areErrorsOpen) }
      // What a process that it started prints later is of no interest.
      guard isOutputOpen else { return ended(within: timeout) }
      var ready = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
      if areErrorsOpen { ready.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
      let count = poll(&ready, nfds_t(ready.count), timeout)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .silent }
      if areErrorsOpen, ready[1].revents != 0 {
        if let bytes = read(errors) { return .complaint(bytes) }
        state.withLock { $0.areErrorsOpen = false }
      }
      guard ready[0].revents != 0 else { continue }
      if let bytes = read(output) { return .output(bytes) }
      state.withLock { $0.isOutputOpen = false }
    }
  }

  /// The status, after what is left on standard error.
  private func ended(within timeout: Int32) -> ProgramOutput {
    var ready = [pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
    if state.withLock({ $0.areErrorsOpen }), poll(&ready, 1, 0) > 0, let bytes = read(errors) {
      return .complaint(bytes)
    }
    return reaped(within: timeout).map { .ended(status: $0) } ?? .silent
  }

  /// The next bytes; `nil` at the end.
  private func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    let count = buffer.withUnsafeMutableBytes { Platform.readFile(descriptor, $0) }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// The status of the process, if it ends within some milliseconds.
  private func reaped(within timeout: Int32) -> Int32? {
    var left = timeout
    while true {
      if let status = wait(WNOHANG) { return status }
      guard left > 0 else { return nil }
      _ = poll(nil, 0, min(20, left))
      left -= 20
    }
  }

  /// Waits for the process, once; `nil` if it still runs.
  private func wait(_ options: Int32) -> Int32? {
    state.withLock { state in
      if let status = state.status { return status }
      var word: Int32 = 0
      while true {
        let found = waitpid(process, &word, options)
        if found == 0 { return nil }
        if found < 0, errno == EINTR { continue }
        let status = found < 0 ? -1 : Platform.exitStatus(word)
        state.status = status
        return status
      }
    }
  }
}
