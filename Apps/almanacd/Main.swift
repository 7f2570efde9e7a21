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
