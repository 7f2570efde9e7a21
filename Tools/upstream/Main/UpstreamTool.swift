import CLibrary
import Foundation
import UpstreamKit

/// `upstream`: starts the server and waits for a signal.
@main
enum UpstreamTool {
  static func main() {
    let line: UpstreamOptions.CommandLine
    do { line = try UpstreamOptions.parse(Array(CommandLine.arguments.dropFirst())) } catch {
      fail(64, error.description)
    }
    if line.wantsHelp {
      write(1, UpstreamOptions.help)
      exit(0)
    }
    var options = line.options
    options.recordedRequests = 0
    if let path = line.faultFile {
      guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else {
        fail(66, "cannot read \(path)")
      }
      do { options.faults = try FaultScript.rules(parsing: bytes) } catch {
        fail(65, error.description)
      }
    }
    // The signals are blocked before any thread starts, so that only the wait below receives them.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    do {
      let observer: (@Sendable (LogEntry) -> Void)? = line.isVerbose ? report : nil
      let upstream = try Upstream(options, observer: observer)
      let place = options.socketPath.map { "unix:" + $0 } ?? upstream.url
      write(1, "listening on \(place)\n")
      // An interactive user gets a hint; programs read only the first line.
      if isatty(2) == 1, options.socketPath == nil {
        write(2, "try: almanac sync people users/ada --server people=\(place) --server users=\(place)\n")
      }
      var signal: Int32 = 0
      sigwait(&signals, &signal)
      upstream.stop()
    } catch {
      fail(69, "cannot listen: \(error)")
    }
  }

  @Sendable private static func report(_ entry: LogEntry) {
    let fault = entry.fault.map { " [\($0)]" } ?? ""
    write(2, "\(entry.method) \(entry.target) \(entry.status == 0 ? "-" : String(entry.status))\(fault)\n")
  }

  /// Writes immediately, because a buffered line would make another program wait.
  private static func write(_ descriptor: Int32, _ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func fail(_ code: Int32, _ text: String) -> Never {
    write(2, "upstream: \(text)\n")
    exit(code)
  }
}
