import Models
import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The clocks of the machine, for programs that do not bring a `TimeSource` of their own.
struct MachineTime: TimeSource {
  var now: Timestamp { Timestamp(secondsSinceEpoch: time(nil)) }

  var uptime: Duration {
    var value = timespec()
    clock_gettime(CLOCK_MONOTONIC, &value)
    return .seconds(value.tv_sec) + .nanoseconds(value.tv_nsec)
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }
}
