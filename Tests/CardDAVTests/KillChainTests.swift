import AlmanacTesting
import CardDAV
import Foundation
import Models
import Parsing
import People
import Ports
import Sync
import Synchronization
import Testing

/// Changes, new people and removals, killed in process before and after every commit and request.
@Suite struct KillChainTests {
  /// Notes changes that are sent although the outcome of an earlier one of the same card is not known.
  private final class Watch: HTTPTransport {
    private struct State {
      var unsure: Set<ExactString> = []
      var blind: [String] = []
    }

    private let inner: any HTTPTransport
    private let state: Mutex<State>

    init(inner: any HTTPTransport, unsure: Set<ExactString>) {
      self.inner = inner
      state = Mutex(State(unsure: unsure))
    }

    /// The cards whose last change may have arrived.
    var unsure: Set<ExactString> { state.withLock { $0.unsure } }
    /// Changes without a condition, and those after a change of unknown outcome without a read.
    var blind: [String] { state.withLock { $0.blind } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      let path = String(request.url.dropFirst(FakeCardDAV.origin.count))
      let isChange = request.method == .put || request.method == .delete
      let creates = request.headers["If-None-Match"] == "*"
      if isChange {
        state.withLock { state in
          let isGuarded = creates || request.headers["If-Match"] != nil
          // A card that is created only if there is none tells by itself whether it is there.
          if !isGuarded || (!creates && state.unsure.contains(path.exact)) { state.blind.append(path) }
        }
      }
      do throws(TransportError) {
        let response = try await inner.send(request)
        let body = request.text
        state.withLock { state in
          state.unsure = state.unsure.filter {
            isChange ? $0 != path.exact : !body.contains($0.text) && $0 != path.exact
          }
        }
        return response
      } catch {
        if isChange, error.mayHaveArrived { state.withLock { _ = $0.unsure.insert(path.exact) } }
        throw error
      }
    }
  }

  /// Every attempt is killed: at its first step, then at the second, and so on; after each edit that arrived it begins
  /// with the first step again. `ALMANAC_PUSHES=100` for the measurement.
  @Test(arguments: [false, true]) func everyEditArrivesOnceWhenEveryAttemptIsKilled(_ syncs: Bool) async throws {
    let wanted = ProcessInfo.processInfo.environment["ALMANAC_PUSHES"].flatMap { Int($0) }
    let pushes = wanted ?? 10
    let (changes, removals) = (pushes * 2 / 5, pushes * 3 / 10)
    let server = FakeCardDAV()
    for number in 100..<110 + pushes {
      server.put("c\(number).vcf", vCard("P\(number) Q", uid: "u\(number)", "X-NUMBER:\(number)"))
    }
    let house = try await CardDAVHouse.synced(server.transport)
    let people = try house.all()
    for person in people[..<changes] {
      _ = try await house.people.edit(person.id, PersonChange(details: ["nickname": "new"]))
    }
    for person in people[changes..<changes + removals] { _ = try await house.people.remove(person.id) }
    var new: Set<ExactString> = []
    for number in 0..<pushes - changes - removals {
      let person = try await house.add("N\(number)", "O")
      new.insert(person.id.exact)
    }
    let expected = try house.names
    var (steps, attempts, killed, waiting) = (1, 0, 0, pushes)
    var unsure: Set<ExactString> = []
    var blind: [String] = []
    while waiting > 0, attempts < 100 * pushes {
      attempts += 1
      let kill = Kill(after: steps)
      let watch = Watch(inner: KilledTransport(inner: server.transport, kill: kill), unsure: unsure)
      let engine = SyncEngine(
        store: KilledStore(inner: house.store, kill: kill), sources: [house.source], transport: watch,
        coder: house.coder, time: house.time, random: SeededRandom(seed: UInt64(attempts)), events: RecordedEvents())
      if syncs {
        _ = try? await engine.sync([house.follow], SyncOptions(jobs: 1))
      } else {
        _ = try? await engine.flush(only: nil)
      }
      if kill.isDead { killed += 1 }
      (unsure, blind) = (watch.unsure, blind + watch.blind)
      let left = try house.outbox.entries()
      #expect(left.allSatisfy { $0.state == .pending }, "\(steps): \(left)")
      (steps, waiting) = (left.count < waiting ? 1 : steps + 1, left.count)
    }
    try await house.sync()
    #expect(waiting == 0 && blind.isEmpty, "\(waiting) wait, sent blindly: \(blind)")
    #expect(try house.names == expected && house.outbox.entries().isEmpty)
    #expect(try Set(house.all().map(\.id.exact)).isSuperset(of: new))
    let cards = server.cards.values
    #expect(try cards.count == expected.count && house.cardCount() == expected.count)
    #expect(cards.filter { $0.contains("NICKNAME:new") }.count == changes)
    #expect(cards.filter { $0.contains("X-NUMBER:") }.count == people.count - removals)
    if wanted != nil {
      print("\(pushes) pushes, \(syncs ? "with" : "without") pulls: \(killed) kills in \(attempts) attempts, 0 lost")
    }
  }
}
