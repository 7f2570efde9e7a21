import CLibrary
import Models
import Ports

/// A program that prints a secret: a password manager, or the keyring of the system.
struct SecretCommand {
  /// The program, which is searched in `PATH`, and its arguments.
  let words: [String]
  let environment: [String: String]
  /// How long the program may take, in milliseconds; it may ask for a passphrase.
  var timeout: Int32 = 60_000

  struct Problem: Error {
    /// In words, without what the program printed.
    var message: String
  }

  /// The first line of the program's standard output. Its standard input and error are those of this process.
  func firstLine() throws(Problem) -> String {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw problem(errno) }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let started = Result { () throws(Problem) in try spawn(output: ends[1]) }
    close(ends[1])
    let process = try started.get()
    guard let bytes = read(ends[0]) else {
      kill(process, SIGKILL)
      _ = wait(for: process)
      throw Problem(message: "the command '\(words[0])' did not end within \(timeout / 1000) s")
    }
    let status = wait(for: process)
    guard status == 0 else { throw Problem(message: "the command '\(words[0])' failed with status \(status)") }
    let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    if line.isEmpty { throw Problem(message: "the command '\(words[0])' printed nothing") }
    return line
  }

  private func spawn(output: Int32) throws(Problem) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let code = posix_spawnp(&process, words[0], &actions, nil, &arguments, &variables)
    guard code == 0 else { throw problem(code) }
    return process
  }

  /// What the program prints until it closes its output; `nil` where that takes too long.
  private func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A secret is one line; a program that prints without end is not waited for.
    while bytes.count <= 65_536 {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let answer = poll(&ready, 1, timeout)
      if answer < 0, errno == EINTR { continue }
      guard answer > 0 else { return nil }
      let count = buffer.withUnsafeMutableBytes { Platform.readFile(descriptor, $0) }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  private func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return Platform.exitStatus(status)
  }

  private func problem(_ code: Int32) -> Problem {
    Problem(message: "the command '\(words[0])' cannot be started: \(String(cString: strerror(code)))")
  }
}
