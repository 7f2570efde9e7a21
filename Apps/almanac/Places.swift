import Glibc

/// Default places, as the XDG Base Directory Specification has them.
struct Places {
  /// The store's folder.
  let store: String
  /// The config file.
  let config: String

  /// The places for an environment.
  init(environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "."
    store = value("ALMANAC_STORE") ?? "\(value("XDG_DATA_HOME") ?? "\(home)/.local/share")/almanac"
    config = "\(value("XDG_CONFIG_HOME") ?? "\(home)/.config")/almanac/config.json"
  }
}
