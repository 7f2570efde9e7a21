import Glibc
import Models

/// Looks at who else can read a key in the config file.
struct ConfigPermissions {
  /// The config file.
  let path: String
  /// What it says.
  let settings: Settings

  /// What is wrong; nothing where the file holds no key.
  func findings() -> [Doctor.Finding] {
    let names = settings.servers.keys.sorted().filter {
      if case .literal? = settings.servers[$0]?.apiKey { true } else { false }
    }
    var status = stat()
    guard !names.isEmpty, stat(path, &status) == 0, status.st_mode & 0o044 != 0 else { return [] }
    return [
      Doctor.Finding(
        "permissions", nil,
        "\(path) can be read by other users of this machine, and holds the key of \(names.map(\.rawValue).joined(separator: ", "))",
        "chmod 600 '\(path)', or keep the key elsewhere: \"apiKey\": {\"env\": NAME} or {\"file\": PATH}")
    ]
  }
}
