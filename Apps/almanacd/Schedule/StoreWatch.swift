import Models
import Ports
import ServiceLifecycle

/// Watches the store: commits of all processes, so that edits are sent at once and event streams report them, and whether
/// the store is still at its path and whole.
struct StoreWatch: Service {
  let folder: String
  let parts: API.Parts
  let time: any TimeSource
  /// How long a new folder must stay as it is before it is opened: it may still be copied.
  let settling: Duration
  /// Is called after each look at the store.
  let onLook: @Sendable () -> Void
  /// Opens the store that is at the path now.
  let reopen: @Sendable () async throws(Failure) -> Void

  /// The shortest time between two looks: a commit is several writes, and a sync is many commits.
  static let rest = Duration.milliseconds(200)
  /// The time between two looks where nothing says that something was written.
  static let pauseUnwatched = Duration.seconds(2)
  /// The longest time between two looks, for what is not reported: a folder above the store that is moved, a full disk.
  static let pulse = Duration.seconds(15)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      do throws(CancellationError) {
        while true {
          await watch()
          if Task.isCancelled { throw CancellationError() }
          await parts.scheduler.hold()
          try await reopenWhenSettled()
        }
      } catch {}
    }
  }

  /// Looks at every change, until the store is not at its path any more.
  private func watch() async {
    let watch = FolderWatch([folder], for: .written)
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withDiscardingTaskGroup { group in
      group.addTask {
        guard let watch else { return }
        for await _ in watch.changes { signal.yield() }
      }
      group.addTask {
        do throws(CancellationError) {
          while true {
            signal.yield()
            parts.health.check(parts.live.current)
            parts.health.checkFiles(parts.live.current)
            try await time.sleep(for: watch == nil ? Self.pauseUnwatched : Self.pulse)
          }
        } catch {}
      }
      for await _ in signals {
        guard await look() else { break }
        do throws(CancellationError) { try await time.sleep(for: Self.rest) } catch { break }
      }
      group.cancelAll()
    }
  }

  /// Looks once; `false` where the store is not at its path.
  private func look() async -> Bool {
    do throws(StoreError) { try parts.live.current.store.checkPlace() } catch {
      parts.health.check(parts.live.current)
      return false
    }
    parts.access.token.keep(in: folder)
    await parts.scheduler.tick()
    if parts.feed.hasListeners { try? await parts.reader.read() }
    onLook()
    parts.health.checkFiles(parts.live.current)
    return true
  }

  /// Waits until there is a store at the path which does not change any more, and opens it.
  private func reopenWhenSettled() async throws(CancellationError) {
    var seen: (files: [String: FileStamp], since: Duration) = ([:], time.uptime)
    while true {
      if (try? parts.live.current.store.checkPlace()) != nil {
        // It was moved back.
        await parts.scheduler.resume(parts.live.current.settings.follows, services: parts.live.current.scheduling)
        parts.health.check(parts.live.current)
        return
      }
      var files: [String: FileStamp] = [:]
      for name in FileStamp.names(in: folder) { files[name] = FileStamp(folder + "/" + name) }
      if files != seen.files { seen = (files, time.uptime) }
      // Without a manifest there is no store, or only a part of one. A new one is not made: the old one may come back.
      if files["manifest"] != nil, time.uptime - seen.since >= settling {
        do throws(Failure) {
          return try await reopen()
        } catch {
          parts.health.set(.store, error)
          seen.since = time.uptime
        }
      }
      try await time.sleep(for: settling / 4)
    }
  }
}

/// Runs the scheduler until the daemon is asked to stop.
struct SchedulerService: Service {
  let scheduler: Scheduler
  /// Takes up what the follows need, before the first of them is synced.
  let prepare: @Sendable () async -> Void

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await prepare()
      await scheduler.run()
    }
  }
}
