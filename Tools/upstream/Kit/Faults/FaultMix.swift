/// Faults by chance, over all requests.
public struct FaultMix: Sendable, Equatable {
  /// How often, of one.
  public var rate: Double
  /// Which ones; each is as likely as another.
  public var kinds: [Fault]
  /// Decides which requests meet which fault: by seed, method, target and how often that target was asked for, so
  /// that the order in which different targets are asked for changes nothing.
  public var seed: UInt64
  /// After so many faults in a row the same target is let through, so that a patient client always gets on.
  public var longestStreak: Int

  /// Every kind that a client can come through by trying again; no hangs.
  public static let usualKinds: [Fault] = [
    "429", "500", "502", "503", "504", "html", "redirect", "reset", "lost-reply", "close", "truncate", "drip", "delay",
    "gzip",
  ].compactMap(Fault.init(name:))

  /// A mix.
  public init(rate: Double = 0, kinds: [Fault] = usualKinds, seed: UInt64 = 1, longestStreak: Int = 2) {
    self.rate = rate
    self.kinds = kinds
    self.seed = seed
    self.longestStreak = longestStreak
  }
}
