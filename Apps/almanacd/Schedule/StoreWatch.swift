import Ports
import ServiceLifecycle

/// Watches for commits, also of other processes: their edits are sent at once, and event streams report them.
struct StoreWatch: Service {
  /// The store's folder.
  let folder: String
  /// Sends edits.
  let scheduler: Scheduler
  /// What listeners are told.
  let feed: EventFeed
  /// Finds commits for it.
  let reader: CommitReader
  /// The clock.
  let time: any TimeSource

  /// The shortest time between two looks: a commit is several writes, and a sync is many commits.
  static let rest = Duration.milliseconds(200)
  /// The time between two looks where nothing says that something was written.
  static let pauseUnwatched = Duration.seconds(2)

  func run() async throws {
    let watch = FolderWatch([folder], for: .written)
    await cancelWhenGracefulShutdown {
      do throws(CancellationError) {
        if let watch {
          for await _ in watch.changes {
            await look()
            try await time.sleep(for: Self.rest)
          }
        } else {
          while true {
            await look()
            try await time.sleep(for: Self.pauseUnwatched)
          }
        }
      } catch {}
    }
  }

  private func look() async {
    await scheduler.tick()
    if feed.hasListeners { try? await reader.read() }
  }
}

/// Runs the scheduler until the daemon is asked to stop.
struct SchedulerService: Service {
  /// What is run.
  let scheduler: Scheduler

  func run() async throws {
    await cancelWhenGracefulShutdown { await scheduler.run() }
  }
}
