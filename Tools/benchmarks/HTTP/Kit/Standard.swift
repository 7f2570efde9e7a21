#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the system says about this process.
package enum Standard {
  /// `RUSAGE_SELF`, which has another type on every platform.
  private static let this: Int32 = 0

  package static func flush() { fflush(nil) }

  /// Seconds of processor time so far.
  package static var processorTime: Double {
    var usage = rusage()
    getrusage(this, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// How many files are open now; 0 where the system does not say.
  package static var openFiles: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // The folder itself, `.` and `..` are not counted.
    return count - 3
  }

  /// The most memory that was resident at any time, in MB.
  package static var peakMegabytes: Int {
    var usage = rusage()
    getrusage(this, &usage)
    return usage.ru_maxrss / 1024
  }
}
