import Models
import Ports

extension Scheduler {
  /// Of how many follows that are due one is chosen for each that can start. Other daemons choose at the same moment.
  private static let choice = 4

  /// Starts follows that are due, the longest due first. Where several daemons pull, each looks which follows no other one
  /// pulls, and which were pulled by another one meanwhile, so that they are not due any more.
  func startDue(_ moment: Timetable.Moment) {
    let wanted = runs.paths
    func due() -> [Follow] { timetable.due(at: moment).filter { !wanted.contains($0.$path) } }
    guard let leases = services.leases else {
      for follow in due() where hasPlace(for: follow) { start(follow) }
      return
    }
    let candidates = running.count < jobs ? due() : []
    // What the store's problem is, the health says; the next tick tries again.
    let paths = candidates.map(\.path)
    guard !paths.isEmpty, let states = try? leases.states(of: paths) else { return }
    let known = Dictionary(states.map { ($0.$follow, $0) }) { first, _ in first }
    while running.count < jobs {
      let free = due().compactMap { follow -> (follow: Follow, lease: Int64)? in
        let state = known[follow.$path]
        return state?.holder == nil && hasPlace(for: follow) ? (follow, state?.number ?? 0) : nil
      }.prefix((jobs - running.count) * Self.choice)
      let changed = free.filter { $0.lease != timetable.lease(of: $0.follow) }
      if changed.isEmpty {
        for next in free.shuffled(by: services.random) where hasPlace(for: next.follow) {
          start(next.follow, after: next.lease)
        }
        return
      }
      guard let status = try? services.sync.status(changed.map(\.follow)).follows, status.count == changed.count else {
        return
      }
      for (next, status) in zip(changed, status) {
        timetable.learn(status, of: next.follow, lease: next.lease, at: moment)
      }
    }
  }
}

extension Collection {
  fileprivate func shuffled(by random: any RandomSource) -> [Element] {
    map { (random.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
