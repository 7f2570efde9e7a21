import Ports
import ServiceLifecycle

/// Shows every listener from time to time that the line is alive, and looks for commits when a module reports one.
///
/// Commits of other processes are heard of by `StoreWatch`; with every sign of life it is looked for any that were not.
struct FeedService: Service {
  /// Seconds between two signs of life.
  static let heartbeat = 15

  /// What is told.
  let feed: EventFeed
  /// Finds commits.
  let reader: CommitReader
  /// What modules report, which says when to look.
  let hub: EventHub
  /// The clock.
  let time: any TimeSource

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await beat() }
        group.addTask { await lookAfterEvents() }
      }
    }
  }

  private func beat() async {
    while true {
      do throws(CancellationError) { try await time.sleep(for: .seconds(Self.heartbeat)) } catch { return }
      guard feed.hasListeners else { continue }
      try? await reader.read()
      feed.wake()
    }
  }

  private func lookAfterEvents() async {
    for await event in hub.listen() {
      guard feed.hasListeners else { continue }
      switch event {
      case .pageCommitted, .followFinished, .syncFinished, .edit: try? await reader.read()
      default: break
      }
    }
  }
}
