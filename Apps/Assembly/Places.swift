#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The locations of the store and the config file, from the arguments, the environment, or the XDG Base Directory
/// Specification, in this order.
public struct Places: Sendable {
  /// The store's folder.
  public let store: String
  /// The config file.
  public let config: String
  /// Whether the config file was named explicitly, so that its absence is an error.
  public let isConfigNamed: Bool

  /// Determines the locations.
  ///
  /// - Parameters:
  ///   - store: the value of `--store`.
  ///   - config: the value of `--config`.
  public init(store: String?, config: String?, environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "."
    self.store =
      store ?? value("ALMANAC_STORE") ?? "\(value("XDG_DATA_HOME") ?? "\(home)/.local/share")/almanac"
    let named = config ?? value("ALMANAC_CONFIG")
    self.config = named ?? "\(value("XDG_CONFIG_HOME") ?? "\(home)/.config")/almanac/config.json"
    isConfigNamed = named != nil
  }
}
