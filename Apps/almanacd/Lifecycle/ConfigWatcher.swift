import Foundation
import Models
import Ports
import ServiceLifecycle
import UnixSignals

/// Reads the config again when the file changes or SIGHUP comes; a bad one is refused and the old one stays.
struct ConfigWatcher: Service {
  /// The config file.
  let path: String
  /// The file as it was before it was read at the start: what was written since is not missed.
  let loaded: FileStamp
  /// The clock.
  let time: any TimeSource
  /// Tells systemd.
  let notifier: SystemdNotifier
  /// Takes the new config.
  let reload: @Sendable () async -> Void

  /// Seconds between two looks at the file.
  static let pause = 2

  func run() async throws {
    let signals = await UnixSignalsSequence(trapping: .sighup)
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { for await _ in signals { await readAgain() } }
        group.addTask { await watchFile() }
      }
    }
  }

  private func watchFile() async {
    var seen = loaded
    while true {
      do throws(CancellationError) { try await time.sleep(for: .seconds(Self.pause)) } catch { return }
      let stamp = FileStamp(path)
      if stamp != seen {
        seen = stamp
        await readAgain()
      }
    }
  }

  private func readAgain() async {
    notifier.send(.reloading)
    await reload()
    notifier.send(.ready)
  }

  /// What changes when a file is written.
  struct FileStamp: Equatable {
    private var number: Int?
    private var size: Int?
    private var changed: Date?

    /// The file as it is now.
    init(_ path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      number = attributes?[.systemFileNumber] as? Int
      size = attributes?[.size] as? Int
      changed = attributes?[.modificationDate] as? Date
    }
  }
}
