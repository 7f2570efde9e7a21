import ArgumentParser
import CLibrary
import FoundationEssentials
import Models

@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "almanacd",
    abstract: "Keeps the copy fresh: syncs each follow on its interval, sends edits, and shows a page.",
    discussion: """
      Stop it with SIGTERM or Ctrl-C; SIGHUP reads the config again, and so does a change of the file. It answers on \
      127.0.0.1:7423; \(help: "dashboard") prints the link to its page.
      """,
    version: "almanacd \(DaemonVersion.current)")

  @OptionGroup var options: DaemonOptions

  static func main() async {
    CompositionRoot.openStreams()
    do {
      var command = try parseAsRoot(CompositionRoot.arguments)
      if var daemon = command as? any AsyncParsableCommand {
        try await daemon.run()
      } else {
        try command.run()
      }
    } catch {
      guard let failure = WrongUse.failure(error) else { exit(withError: error) }
      let isJSON = CompositionRoot.arguments.contains { $0 == "json" || $0 == "--log-format=json" }
      let options = try? DaemonOptions.reading(isJSON ? ["--log-format", "json"] : [])
      let root = CompositionRoot(options: options ?? DaemonOptions(), environment: ProcessInfo.processInfo.environment)
      root.failureLine.print(failure)
      LineWriter.standardError.flush(milliseconds: 1000)
      exit(withError: ExitCode(ExitStatus.usage.rawValue))
    }
  }

  func run() async throws {
    // Until the config is watched, nothing has to be read again, and a signal that nobody takes would end the daemon.
    if !options.once { signal(SIGHUP, SIG_IGN) }
    Allocator.prepare()
    // Files in the store's folder are for their owner only.
    umask(0o077)
    let root = CompositionRoot(options: options, environment: ProcessInfo.processInfo.environment)
    let status: ExitStatus
    do throws(Failure) {
      status = options.once ? try await root.runOnce() : try await root.runForever()
    } catch {
      root.failureLine.print(error)
      status = ExitStatus(error.reason)
    }
    LineWriter.standardError.flush(milliseconds: 1000)
    throw ExitCode(status.rawValue)
  }
}

/// What is said about arguments that are wrong, in the form of every other error.
enum WrongUse {
  /// What the parser says, in one line, and what to do about it; `nil` for an error that is not about arguments, and for
  /// help texts.
  static func failure(_ error: any Error) -> Failure? {
    // A status of a daemon that ran, and has said why it ends, may be the same number.
    guard !(error is ExitCode), Main.exitCode(for: error) == .validationFailure else { return nil }
    let message = Main.message(for: error)
    var text = message.split(separator: "\n").first.map(String.init) ?? message
    var hint: Advice = "'almanacd --help' explains the options"
    if text.hasPrefix("Unknown option '-") {
      // The parser also suggests options that have nothing in common with the word.
      text = text.firstRange(of: ". Did you mean").map { String(text[..<$0.lowerBound]) } ?? text
      let word = String(text.drop { $0 != "-" }.prefix { $0 != "'" && $0 != "=" })
      let options = Main.helpMessage(columns: 200).split(separator: "\n").compactMap { line in
        let name = line.drop { $0 == " " }.prefix { $0 != " " }
        return name.hasPrefix("--") ? String(name) : nil
      }
      let near = NearestName.alike(word, among: options).map { "'\($0)'" }.joined(separator: " or ")
      let known = near.isEmpty ? "its options are \(NearestName.few(options));" : "did you mean \(near)?"
      hint = "\(known) \(hint)"
    }
    return Failure(.config, .usage, (text.first?.lowercased() ?? "") + text.dropFirst(), hint: hint, code: .own(.usage))
  }
}

/// How the process takes and gives back memory: malloc(3) is set up for programs that end, this one runs for months.
enum Allocator {
  /// Sets it up; before other threads begin.
  ///
  /// An arena for every thread keeps what a busy hour needed once per thread, and a threshold that grows with what was
  /// freed keeps the buffers of a compaction: two arenas serve all threads, and large buffers go back when they are freed.
  static func prepare() {
    // M_ARENA_MAX, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3).
    _ = setOption(-8, 2)
    _ = setOption(-3, 256 << 10)
    _ = setOption(-1, 128 << 10)
  }
}

/// `mallopt(3)`: the toolchain's Glibc module leaves malloc.h out.
@_silgen_name("mallopt")
private func setOption(_ parameter: Int32, _ value: Int32) -> Int32
