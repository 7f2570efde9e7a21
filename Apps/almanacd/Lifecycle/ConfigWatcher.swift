import Models
import Ports
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Reads the config and the definitions of sources again when a file changes or SIGHUP comes; a bad one is refused and the old one stays.
struct ConfigWatcher: Service {
  let folders: [String]
  let stamps: @Sendable () -> [FileStamp]
  /// The files as they were before they were read at the start: what was written since is not missed.
  let loaded: [FileStamp]
  let time: any TimeSource
  let notifier: SystemdNotifier
  /// Takes the new config; is told whether somebody asked for it.
  let reload: @Sendable (_ isWanted: Bool) async -> Void

  /// Seconds between two looks at a file whose folder is watched.
  static let pause = 15
  /// Seconds between two looks where nothing says that it changed.
  static let pauseUnwatched = 2

  func run() async throws {
    let signals = await UnixSignalsSequence(trapping: .sighup)
    let watch = FolderWatch(folders, for: .complete)
    let seen = Seen(loaded)
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await _ in signals {
            // What is read now is no news to the watch.
            _ = seen.isNews(stamps())
            await readAgain(isWanted: true)
          }
        }
        group.addTask { await look(seen, every: watch == nil ? Self.pauseUnwatched : Self.pause) }
        if let watch { group.addTask { for await _ in watch.changes { await look(seen) } } }
      }
    }
  }

  private func look(_ seen: Seen, every seconds: Int) async {
    while true {
      await look(seen)
      do throws(CancellationError) { try await time.sleep(for: .seconds(seconds)) } catch { return }
    }
  }

  private func look(_ seen: Seen) async {
    if seen.isNews(stamps()) { await readAgain(isWanted: false) }
  }

  private func readAgain(isWanted: Bool) async {
    notifier.send(.reloading)
    await reload(isWanted)
    notifier.send(.ready)
  }

  /// The files as they were when they were last looked at.
  private final class Seen: Sendable {
    private let stamp: Mutex<[FileStamp]>

    init(_ stamp: [FileStamp]) { self.stamp = Mutex(stamp) }

    func isNews(_ now: [FileStamp]) -> Bool {
      stamp.withLock { last in
        defer { last = now }
        return now != last
      }
    }
  }
}
