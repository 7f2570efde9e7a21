import ArgumentParser
import Foundation
import Glibc
import Models

/// Starts the daemon.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "almanacd",
    abstract: "Keeps the copy fresh: syncs each follow on its interval, sends edits, and shows a page.",
    discussion: """
      Stop it with SIGTERM or Ctrl-C; SIGHUP reads the config again, and so does a change of the file. It answers on \
      127.0.0.1:7423; 'almanac dashboard' prints the link to its page.
      """,
    version: "almanacd \(DaemonVersion.current)")

  @OptionGroup var options: DaemonOptions

  func run() async throws {
    Allocator.prepare()
    // Whatever is made in the store's folder is for its owner alone.
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
