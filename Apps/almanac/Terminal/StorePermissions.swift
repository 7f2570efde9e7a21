import Glibc

/// Looks at who else can read the store.
struct StorePermissions {
  /// The store's folder.
  let folder: String

  /// What should be mended; nothing where there is no store yet.
  func findings() -> [Doctor.Finding] {
    var findings: [Doctor.Finding] = []
    for (name, mode) in [("", "700"), ("/token", "600")] {
      var status = stat()
      guard stat(folder + name, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      findings.append(
        Doctor.Finding(
          "permissions", nil, "\(folder + name) can be used by other users of this machine",
          "chmod \(mode) '\(folder + name)'"))
    }
    return findings
  }
}
