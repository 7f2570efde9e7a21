import Logging
import Models
import Ports
import ServiceLifecycle

/// Watches a store on a server: commits of all programs, whether it can be reached, and which daemon leads.
struct ServerWatch: Service {
  let lease: any LeaderLease
  let parts: API.Parts
  let time: any TimeSource
  let logger: Logger
  /// Takes up the follows of the store if they were changed.
  let takeFollows: @Sendable () async -> Void
  /// Is called after each look at the store while this daemon leads.
  let onLook: @Sendable () -> Void

  /// The time between two looks for commits.
  static let rest = Duration.milliseconds(200)
  /// The longest time between two looks of what works: notifications may be due without a commit.
  static let pulse = Duration.seconds(15)
  /// The time between two tries to get the lease, and between two questions whether the server is there.
  static let claimPause = Duration.seconds(1)
  /// A server that could not be used for so long interrupts the work: before, each commit waits for it.
  static let timeout = Duration.seconds(10)

  func run() async throws {
    let (turns, turn) = AsyncStream.makeStream(of: Turn.self)
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask { await probe(turn) }
        group.addTask { await look() }
        group.addTask { await holdLease(turn) }
        await work(turns)
        group.cancelAll()
      }
    }
  }

  private enum Turn: Sendable {
    case usable(Bool)
    case leader(Bool)
  }

  /// Begins and ends the work: all of it needs the server, a part of it the lease.
  private func work(_ turns: AsyncStream<Turn>) async {
    for await turn in turns {
      switch turn {
      case .usable(true):
        let services = parts.live.current
        await parts.scheduler.resume(services.settings.follows, services: services.scheduling)
      case .usable(false): await parts.scheduler.hold()
      case .leader(let value): await parts.scheduler.setLeader(value)
      }
    }
  }

  /// Asks the server whether it is there, and writes, beside everything else: what waits for a silent server must not hold this up.
  private func probe(_ turn: AsyncStream<Turn>.Continuation) async {
    var lastAnswer = time.uptime
    var isLost = false
    while !Task.isCancelled {
      parts.health.ask()
      do throws(StoreError) {
        let store = parts.live.current.store
        _ = try store.snapshot()
        try store.checkWritable()
        lastAnswer = time.uptime
        parts.health.answered(nil)
        if isLost { turn.yield(.usable(true)) }
        isLost = false
      } catch {
        parts.health.answered(error.failure)
        if !isLost, time.uptime - lastAnswer >= Self.timeout {
          isLost = true
          turn.yield(.usable(false))
        }
      }
      do throws(CancellationError) { try await time.sleep(for: Self.claimPause) } catch { return }
    }
  }

  /// Looks for commits, several times a second.
  private func look() async {
    var seen: UInt64?
    var lastLook = Duration.zero
    var taken: Set<ExactString> = []
    while !Task.isCancelled {
      // What the server's problem is, the health says; the next look tries again.
      if let sequence = try? parts.live.current.store.snapshot().sequence {
        if sequence != seen || time.uptime - lastLook >= Self.pulse {
          (seen, lastLook) = (sequence, time.uptime)
          await takeFollows()
          if parts.role.isLeader { await takeRequests(&taken) } else { taken = [] }
          await parts.scheduler.tick()
          if parts.role.isLeader { onLook() }
        }
        if parts.feed.hasListeners { try? await parts.reader.read() }
      }
      do throws(CancellationError) { try await time.sleep(for: Self.rest) } catch { return }
    }
  }

  /// Queues the runs that were asked for at other daemons, and removes the requests of those that have ended; begins to fetch
  /// pictures if another daemon was asked to.
  private func takeRequests(_ taken: inout Set<ExactString>) async {
    let services = parts.live.current
    let requests = SyncRequests(store: services.scheduling.store, coder: services.coder)
    var ended: [String] = []
    for request in (try? requests.all()) ?? [] {
      if taken.contains(request.run.exact) {
        let run = await parts.scheduler.run(request.run)
        if run == nil || run?.state == .failed { ended.append(request.run) }
        continue
      }
      let configured = services.settings.follows
      let follows = request.paths.map { path in
        configured.first { $0.$path == path.exact } ?? Follow(path: path)
      }
      if await parts.scheduler.request(follows, run: request.run) { taken.insert(request.run.exact) }
    }
    if !ended.isEmpty { try? await requests.remove(ended) }
    if (try? requests.wantsPictures) == true, await parts.scheduler.fetchMedia(services.media) {
      try? await requests.removePictures()
    }
  }

  /// Renews the leases of this daemon, and claims the one to lead until it has it.
  private func holdLease(_ turn: AsyncStream<Turn>.Continuation) async {
    defer { turn.finish() }
    var renewedAt = time.uptime
    var hasLease = false
    while !Task.isCancelled {
      let begun = time.uptime
      let end = begun + .seconds(lease.seconds)
      do throws(StoreError) {
        if begun - renewedAt >= .milliseconds(lease.seconds * 1000 / 3) {
          try lease.renew()
          renewedAt = begun
          if hasLease { parts.role.set(isLeader: true, until: end) }
        }
        if !hasLease {
          try await lease.claim()
          hasLease = true
          parts.role.set(isLeader: true, until: end)
          logger.notice("leads the daemons of this store", metadata: ["lease": .stringConvertible(lease.seconds)])
          turn.yield(.leader(true))
        }
      } catch {
        switch error.code {
        case .busy: standBy(until: end)
        case .leaseLost:
          hasLease = false
          logger.warning("lost the lease", metadata: ["why": "\(error.message)"])
          turn.yield(.leader(false))
          standBy(until: end)
        // The health says it, and the next try may reach the server. Until then the role is known for as long as a lease.
        default: break
        }
      }
      do throws(CancellationError) { try await time.sleep(for: Self.claimPause) } catch { return }
    }
  }

  private func standBy(until end: Duration) {
    do throws(StoreError) {
      let holder = try lease.current()
      let isNews = parts.role.set(isLeader: false, holder: holder, until: end)
      if isNews, let holder { logger.notice("another daemon leads", metadata: ["leader": "\(holder)"]) }
    } catch {
      // The server does not say it: it does not lead in any case, and who does is not known.
      parts.role.set(isLeader: false, until: .zero)
    }
  }
}

/// The lease to lead the daemons of a store, and the leases of follows that go with it.
protocol LeaderLease: Sendable {
  /// How long they last after each renewal.
  var seconds: Int { get }
  /// The daemon that leads; `nil` where none does.
  func current() throws(StoreError) -> String?
  /// Takes the lease to lead.
  ///
  /// - Throws: `StoreError`: `busy` if another daemon has it.
  func claim() async throws(StoreError)
  /// Renews all leases of this daemon.
  ///
  /// - Throws: `StoreError`: `leaseLost` if another daemon leads now.
  func renew() throws(StoreError)
}
