import AlmanacTesting
import CLibrary
import Foundation
import Testing
import UpstreamKit

/// How often a command opens the config file, as inotify(7) reports it for a real process.
@Suite final class ConfigReadingTests: SceneTests {
  /// What happens to the files of a folder.
  private final class FolderWatch {
    private let descriptor: Int32

    init(_ folder: String) throws {
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      try #require(descriptor >= 0)
      try #require(inotify_add_watch(descriptor, folder, UInt32(IN_OPEN | IN_CLOSE | IN_MOVED_TO)) >= 0)
    }

    deinit { close(descriptor) }

    /// How often a file was opened, and replaced, since the last call.
    func counts(of name: String) -> (opens: Int, replacements: Int) {
      var counts = (opens: 0, replacements: 0)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return counts }
        var offset = 0
        while offset < count {
          let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
          let start = offset + MemoryLayout<inotify_event>.size
          let named = String(decoding: buffer[start..<start + Int(event.len)].prefix { $0 != 0 }, as: UTF8.self)
          if named == name, event.mask & UInt32(IN_OPEN) != 0 { counts.opens += 1 }
          if named == name, event.mask & UInt32(IN_MOVED_TO) != 0 { counts.replacements += 1 }
          offset = start + Int(event.len)
        }
      }
    }
  }

  @Test("a command opens the config file once, and a change replaces it once")
  func opens() async throws {
    let almanac = try scene.configured(["users"], follows: ["users/ada"])
    let watch = try FolderWatch(almanac.folder)
    for (arguments, opens, replacements) in [
      (["sync"], 1, 0), (["status"], 1, 0), (["list", "profiles"], 0, 0), (["following"], 1, 0),
      (["follow", "users/2"], 1, 1), (["follow", "users/2", "--limit", "none"], 1, 0), (["unfollow", "users/2"], 1, 1),
      (["config", "set", "daemon.openMetrics", "true"], 1, 1), (["config", "unset", "daemon.openMetrics"], 1, 1),
      (["config", "get"], 1, 0), (["config", "check"], 1, 0), (["doctor"], 1, 0),
    ] {
      try await almanac.run(arguments, exits: 0)
      let counts = watch.counts(of: "config.json")
      #expect(counts.opens == opens && counts.replacements == replacements, "\(arguments): \(counts)")
    }
  }
}
