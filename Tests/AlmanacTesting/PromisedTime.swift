import Foundation

/// The bound of a promised time in a test.
///
/// Tests run in parallel and share the processors, so a duration measured there says little about the program. Only
/// with `ALMANAC_STRICT_TIMES=1`, for suites that run alone, does the promise itself count; otherwise the bound only
/// catches a hang.
public enum PromisedTime {
  private static let isStrict = ProcessInfo.processInfo.environment["ALMANAC_STRICT_TIMES"] == "1"

  /// The bound for a promised time.
  public static func bound(_ promised: Duration) -> Duration { isStrict ? promised : .seconds(600) }
}
