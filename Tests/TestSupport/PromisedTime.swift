import Foundation

/// How long something may take that has a promised time.
///
/// Beside all other tests the processors are shared by everybody, and a promise can only be told from a hang: ten times
/// as long is allowed. With `ALMANAC_STRICT_TIMES=1`, for suites that run alone, the promise itself counts.
public enum PromisedTime {
  private static let isStrict = ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1"

  /// The bound for a promised time.
  public static func bound(_ promised: Duration) -> Duration { isStrict ? promised : promised * 10 }
}
