/// So many exchanges, so many at a time, by one client.
package struct Exchanges: Sendable {
  private let name: String
  private let requests: Int
  private let concurrency: Int

  /// Names the client whose exchanges they are.
  package init(name: String, requests: Int, concurrency: Int) {
    self.name = name
    self.requests = requests
    self.concurrency = concurrency
  }

  /// Makes them after a first one that is not counted, and prints one line: the name, how many at a time, requests a
  /// second, megabytes a second, microseconds of processor time a request, megabytes of memory at most.
  ///
  /// - Parameter exchange: makes the one of that number; gives the bytes of its answer.
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
