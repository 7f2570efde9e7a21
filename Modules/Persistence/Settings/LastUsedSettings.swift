import CLibrary
import Models

/// Remembers, in a folder beside a store, which config file said something when it was last used: one that is gone or empty
/// since then was lost, and a command that only adds to it must not begin another one.
///
/// The file `config-known` has two lines: the number of follows, and the absolute path of the config file.
public struct LastUsedSettings: Sendable {
  public static let name = "config-known"

  private let folder: String
  private let config: String

  /// - Parameters:
  ///   - folder: where it is kept; as long as it does not exist, nothing is.
  ///   - config: the absolute path of the config file.
  public init(in folder: String, of config: String) { (self.folder, self.config) = (folder, config) }

  private var path: String { "\(folder)/\(Self.name)" }

  private func bytes(_ follows: Int) -> [UInt8] { Array("\(follows)\n\(config)\n".utf8) }

  /// How many follows the config file had when it was last used; `nil` if it said nothing then, or was not used.
  var follows: Int? {
    guard let bytes = try? WholeFile.read(path, most: 1 << 16).bytes,
      let end = bytes.firstIndex(of: 0x0A), let follows = Int(String(decoding: bytes[..<end], as: UTF8.self)),
      bytes == self.bytes(follows)
    else { return nil }
    return follows
  }

  /// Notes what the config file says now. Where that cannot be written, nothing is remembered.
  func note(_ settings: Settings) {
    let known = follows
    if settings == Settings() {
      if known != nil { unlink(path) }
    } else if known != settings.follows.count, access(folder, F_OK) == 0 {
      _ = try? WholeFile.replace(path, with: bytes(settings.follows.count), mode: 0o600, folderMode: 0o700)
    }
  }
}
