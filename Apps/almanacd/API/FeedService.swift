import Ports
import ServiceLifecycle

/// Looks for commits while somebody listens, and shows every listener from time to time that the line is alive.
struct FeedService: Service {
  /// Seconds between two signs of life.
  static let heartbeat = 15

  /// Seconds until it is looked whether somebody listens.
  static let quietPause = 3

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
        group.addTask { await lookByTheClock() }
        group.addTask { await lookAfterEvents() }
      }
    }
  }

  private func lookByTheClock() async {
    var beat = 0
    while true {
      // While nobody listens an idle machine is left in peace.
      let pause = feed.hasListeners ? 1 : Self.quietPause
      do throws(CancellationError) { try await time.sleep(for: .seconds(pause)) } catch { return }
      guard feed.hasListeners else { continue }
      try? await reader.read()
      beat += 1
      if beat % Self.heartbeat == 0 { feed.wake() }
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
