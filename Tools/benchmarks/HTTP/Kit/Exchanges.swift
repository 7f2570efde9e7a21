import CLibrary

/// A number of exchanges of one client with a given concurrency.
package struct Exchanges: Sendable {
  private let name: String
  private let requests: Int
  private let concurrency: Int

  /// Creates exchanges; `name` identifies the client.
  package init(name: String, requests: Int, concurrency: Int) {
    self.name = name
    self.requests = requests
    self.concurrency = concurrency
  }

  /// Runs the exchanges after a first one that is not counted, and prints one line: the name, the concurrency, requests
  /// per second, megabytes per second, microseconds of processor time per request, and the peak memory in megabytes.
  ///
  /// - Parameter exchange: performs the exchange of the given number and returns the size of the response in bytes.
  package func measure(_ exchange: @escaping @Sendable (Int) async throws -> Int) async throws {
    _ = try await exchange(-1)
    let start = ContinuousClock().now
    let processor = Standard.processorTime
    let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
      for worker in 0..<concurrency {
        group.addTask {
          var bytes = 0
          for number in stride(from: worker, to: requests, by: concurrency) { bytes += try await exchange(number) }
          return bytes
        }
      }
      return try await group.reduce(0, +)
    }
    let seconds = (ContinuousClock().now - start) / .seconds(1)
    let cost = (Standard.processorTime - processor) / Double(requests) * 1_000_000
    print(
      [
        name, String(concurrency), String(Int(Double(requests) / seconds)),
        String(Int(Double(bytes) / seconds / 1_000_000)), String(Int(cost)), String(Standard.peakMegabytes),
      ].joined(separator: "\t"))
  }
}

/// Resource usage of this process.
package enum Standard {
  /// `RUSAGE_SELF`, whose type differs between platforms.
  private static let this: Int32 = 0

  package static func flush() { fflush(nil) }

  /// The processor time so far in seconds.
  package static var processorTime: Double {
    var usage = rusage()
    getrusage(this, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The number of open files; 0 if the system does not provide it.
  package static var openFiles: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The directory itself, `.` and `..` are not counted.
    return count - 3
  }

  /// The peak of the resident memory in MB.
  package static var peakMegabytes: Int {
    var usage = rusage()
    getrusage(this, &usage)
    return usage.ru_maxrss / 1024
  }
}
