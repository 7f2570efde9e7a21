import Logging
import Models
import Ports
import ServiceLifecycle

/// Watches a store on a server: commits of all programs, whether it can be reached, and which daemon leads.
struct ServerWatch: Service {
  /// The leases of this daemon.
  let lease: any LeaderLease
  let role: WorkRole
  /// The services of the newest config, over the store.
  let live: LiveServices
  let scheduler: Scheduler
  let feed: EventFeed
  let reader: CommitReader
  /// What keeps the daemon from working.
  let health: Health
  let time: any TimeSource
  /// Where changes of the role are logged.
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
  static let patience = Duration.seconds(10)

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
    /// Whether the server can be used.
    case usable(Bool)
    /// Whether this daemon leads.
    case leads(Bool)
  }

  /// Begins and ends the work: all of it needs the server, a part of it the lease.
  private func work(_ turns: AsyncStream<Turn>) async {
    for await turn in turns {
      switch turn {
      case .usable(true):
        let services = live.current
        await scheduler.resume(services.settings.follows, services: services.scheduling)
      case .usable(false): await scheduler.hold()
      case .leads(let value): await scheduler.lead(value)
      }
    }
  }

  /// Asks the server whether it is there, and writes, beside everything else: what waits for a silent server must not hold this up.
  private func probe(_ turn: AsyncStream<Turn>.Continuation) async {
    var lastAnswer = time.uptime
    var isLost = false
    while !Task.isCancelled {
      health.ask()
      do throws(StoreError) {
        let store = live.current.store
        _ = try store.snapshot()
        try store.checkWritable()
        lastAnswer = time.uptime
        health.answered(nil)
        if isLost { turn.yield(.usable(true)) }
        isLost = false
      } catch {
        health.answered(error.failure)
        if !isLost, time.uptime - lastAnswer >= Self.patience {
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
      if let sequence = try? live.current.store.snapshot().sequence {
        if sequence != seen || time.uptime - lastLook >= Self.pulse {
          (seen, lastLook) = (sequence, time.uptime)
          await takeFollows()
          if role.leads { await takeRequests(&taken) } else { taken = [] }
          await scheduler.tick()
          if role.leads { onLook() }
        }
        if feed.hasListeners { try? await reader.read() }
      }
      do throws(CancellationError) { try await time.sleep(for: Self.rest) } catch { return }
    }
  }

  /// Queues the runs that were asked for at other daemons, and removes the requests of those that have ended; begins to fetch
  /// pictures if another daemon was asked to.
  private func takeRequests(_ taken: inout Set<ExactString>) async {
    let services = live.current
    let requests = SyncRequests(store: services.workStore, coder: services.coder)
    var ended: [String] = []
    for request in (try? requests.all()) ?? [] {
      if taken.contains(request.run.exact) {
        let run = await scheduler.run(request.run)
        if run == nil || run?.state == .failed { ended.append(request.run) }
        continue
      }
      let configured = services.settings.follows
      let follows = request.paths.map { path in
        configured.first { $0.$path == path.exact } ?? Follow(path: path)
      }
      if await scheduler.request(follows, run: request.run) { taken.insert(request.run.exact) }
    }
    if !ended.isEmpty { try? await requests.remove(ended) }
    if (try? requests.wantsPictures) == true, await scheduler.fetchMedia(services.media) {
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
          if hasLease { role.set(leads: true, until: end) }
        }
        if !hasLease {
          try await lease.claim()
          hasLease = true
          role.set(leads: true, until: end)
          logger.notice("leads the daemons of this store", metadata: ["lease": .stringConvertible(lease.seconds)])
          turn.yield(.leads(true))
        }
      } catch {
        switch error.code {
        case .busy: standBy(until: end)
        case .leaseLost:
          hasLease = false
          logger.warning("lost the lease", metadata: ["why": "\(error.message)"])
          turn.yield(.leads(false))
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
      let isNews = role.set(leads: false, holder: holder, until: end)
      if isNews, let holder { logger.notice("another daemon leads", metadata: ["leader": "\(holder)"]) }
    } catch {
      // The server does not say it: it does not lead in any case, and who does is not known.
      role.set(leads: false, until: .zero)
    }
  }
}

/// The leases of one of several daemons on a store.
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
