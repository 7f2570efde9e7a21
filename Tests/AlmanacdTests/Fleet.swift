import AlmanacTesting
import CLibrary
import Foundation
import Ports
import Synchronization

/// Daemons on one store, and what happens to them.
final class Fleet {
  /// What happens to a daemon, or to the server of the store.
  enum Fault: String, CaseIterable {
    case kill = "KILLS"
    case pause = "PAUSES"
    case restart = "RESTARTS"
    case termination = "TERMINATIONS"

    var isOfServer: Bool { self == .restart || self == .termination }
  }

  static let lease = ProcessInfo.processInfo.environment["ALMANAC_FLEET_LEASE"].flatMap(Int.init) ?? 3

  private(set) var daemons: [Daemon] = []
  private(set) var counts: [Fault: Int] = [:]
  /// The connections that were ended.
  private(set) var connections = 0
  /// The times after which another daemon led, where the server had no fault.
  private(set) var takeovers: [Double] = []
  /// The starts of daemons that failed because the server had a fault.
  private(set) var failedStarts = 0
  /// How often a paused daemon said that another one leads now.
  private(set) var lostLeads = 0

  private let server: PostgreSQLServer
  private let address: String
  private let schema: String
  private let config: String
  /// The process of each daemon, by the name that it gives to the server.
  private var pids: [String: Int32] = [:]

  init(_ count: Int, on server: PostgreSQLServer, config: String) async throws {
    (self.server, self.config) = (server, config)
    address = server.newAddress()
    schema = String(address.split(separator: "=").last ?? "")
    for _ in 0..<count { daemons.append(try await Self.start(address, config, &pids)) }
    _ = try server.query(Self.functions(schema))
  }

  /// Records which program commits what requires a lease, and who has that lease; waits until others have taken over.
  private static func functions(_ schema: String) -> String {
    """
    create table \(schema).written(lease text, writer text, holder text, unique (lease, writer, holder));
    create function \(schema).note() returns trigger language plpgsql as $$
      declare needed text := case when new.id like 'sending/%' then 'daemon' else new.id end;
      begin
        -- A daemon that does not lead any more withdraws its mark: nothing else is in that commit.
        if new.body is null and new.id like 'sending/%'
          and not exists (select from \(schema).version where seq = new.seq and id <> new.id) then return null; end if;
        insert into \(schema).written select name, current_setting('application_name'), split_part(holder, ' ', 2)
          from \(schema).lease where name = needed on conflict do nothing;
        return null;
      end $$;
    create trigger note after insert on \(schema).version for each row
      when (new.collection = 'state' and (new.id like 'follow/%' or new.id like 'sending/%'))
      execute function \(schema).note();
    create function \(schema).taken_over(victims text[]) returns text language plpgsql as $$
      declare leader text; last timestamptz := clock_timestamp() + interval '300 s';
      begin
        while clock_timestamp() < last loop
          select split_part(holder, ' ', 2) into leader from \(schema).lease
            where name = 'daemon' and until > clock_timestamp();
          if leader <> all(victims) and not exists (select from \(schema).lease
            where until > clock_timestamp() and split_part(holder, ' ', 2) = any(victims)) then return leader; end if;
          perform pg_sleep(0.02);
        end loop;
        return null;
      end $$
    """
  }

  private static func start(_ address: String, _ config: String, _ pids: inout [String: Int32]) async throws -> Daemon {
    let name = "daemon-\(UUID().uuidString)"
    let daemon = try await Daemon(
      config: config, store: "\(address)&application_name=\(name)", arguments: ["--lease", "\(lease)"])
    pids[name] = daemon.running.pid
    return daemon
  }

  /// Waits until a daemon leads that is not among the victims, and no lease of a victim counts any more.
  private func leader(without victims: [Daemon] = []) throws -> Daemon {
    let pids = victims.map { "\($0.running.pid)" }.joined(separator: ",")
    let found = try server.query("select \(schema).taken_over('{\(pids)}')")
    guard let daemon = daemons.first(where: { "\($0.running.pid)" == found }) else {
      throw Daemon.Late(description: "no daemon leads: \(found)")
    }
    return daemon
  }

  /// Lets faults happen at the same time, the first one of a daemon to the one that leads; ends when another one leads and
  /// all daemons run again.
  func suffer(_ faults: [Fault], _ random: some RandomSource) async throws {
    let first = try leader()
    var healthy = daemons.filter { $0 !== first }.map { ($0, random.next()) }.sorted { $0.1 < $1.1 }.map(\.0)
    var victims: [Daemon] = []
    var paused: [Daemon] = []
    var begun: Date?
    for fault in faults {
      counts[fault, default: 0] += 1
      switch fault {
      case .kill, .pause:
        let victim = victims.isEmpty ? first : healthy.removeLast()
        victims.append(victim)
        victim.running.signal(fault == .kill ? SIGKILL : SIGSTOP)
        if fault == .pause { paused.append(victim) }
        if begun == nil { begun = Date() }
      case .restart: try server.crash()
      case .termination:
        let ended = try server.query(
          """
          select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'daemon-%'
          """)
        connections += Int(ended) ?? 0
      }
    }
    let killed = victims.filter { victim in !paused.contains { $0 === victim } }
    daemons.removeAll { daemon in killed.contains { $0 === daemon } }
    for daemon in killed { note(daemon) }
    // The new ones join while nobody leads.
    for _ in killed { daemons.append(try await replacement()) }
    _ = try leader(without: victims)
    if let begun, !faults.contains(where: \.isOfServer) { takeovers.append(Date().timeIntervalSince(begun)) }
    for daemon in paused { daemon.running.signal(SIGCONT) }
  }

  /// Starts a daemon; again where the server's fault ended it, as a service manager does.
  private func replacement() async throws -> Daemon {
    for _ in 0..<20 {
      do { return try await Self.start(address, config, &pids) } catch is Daemon.Late { failedStarts += 1 }
    }
    return try await Self.start(address, config, &pids)
  }

  private func note(_ daemon: Daemon) {
    lostLeads += daemon.running.errorSoFar.components(separatedBy: "lost the lease").count - 1
  }

  /// Ends the daemons after all edits were sent: none waits for a daemon that was paused and lives.
  ///
  /// - Returns: the seconds until then.
  func end() async throws -> Double {
    let begun = Date()
    _ = try await leader().eventually("/api/v1/outbox") { try $0.list("items").isEmpty }
    let seconds = Date().timeIntervalSince(begun)
    for daemon in daemons { try await daemon.stop() }
    for daemon in daemons { note(daemon) }
    return seconds
  }

  /// The commits of programs whose lease another one had.
  func lateCommits() throws -> [String] {
    let rows = try server.query("select lease, writer, holder from \(schema).written").split(separator: "\n")
    guard !rows.isEmpty else { throw Daemon.Late(description: "nothing was committed with a lease") }
    return rows.map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
      .filter { pids[$0[1]].map(String.init) != $0[2] }.map { $0.joined(separator: " ") }
  }

  /// Whether the feed has all commits, and the history exactly their changes: a refused commit leaves nothing.
  func hasWholeFeed() throws -> Bool {
    try server.query(
      """
      select count(*) = max(c.seq) and min(c.seq) = 1 and max(c.seq) = (select seq from \(schema).store)
        and bool_and(c.changes = coalesce(v.count, 0)) and (select count(*) from \(schema).version) = sum(c.changes)
        from \(schema).commit c left join (select seq, count(*) from \(schema).version group by seq) v using (seq)
      """) == "t"
  }

  func commits() throws -> String { try server.query("select seq from \(schema).store") }
}

/// Adds people at daemons that may be dead or paused, and has them sent.
final class FleetSenders: Sendable {
  private struct State {
    var daemons: [Daemon]
    var isOver = false
    var allowed = 0
    var acknowledged: [String] = []
    var tried: [String] = []
  }

  private let state: Mutex<State>

  init(_ daemons: [Daemon]) { state = Mutex(State(daemons: daemons)) }

  func replace(_ daemons: [Daemon]) { state.withLock { $0.daemons = daemons } }
  func allow(_ number: Int) { state.withLock { $0.allowed += number } }
  func end() { state.withLock { $0.isOver = true } }
  var names: (acknowledged: [String], tried: [String]) { state.withLock { ($0.acknowledged, $0.tried) } }

  func run() async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<4 { group.addTask { await self.send() } }
    }
  }

  private func send() async {
    while let client = state.withLock({ $0.isOver ? nil : $0.daemons.randomElement()?.client }) {
      guard state.withLock({ $0.tried.count < $0.allowed }) else {
        try? await Task.sleep(for: .milliseconds(5))
        continue
      }
      let name = "P" + UUID().uuidString.filter { $0 != "-" }
      let person = #"{"firstName": "\#(name)", "lastName": "Fleet", "birthday": "1906-12-09"}"#
      guard let made = try? await client.post("/api/v1/collections/people", person), made.status == 201,
        let id = try? made.object()["id"] as? String
      else { continue }
      state.withLock { $0.tried.append(name) }
      let sent = try? await client.post("/api/v1/people/send", #"{"ids": ["\#(id)"]}"#)
      if sent?.status == 202 { state.withLock { $0.acknowledged.append(name) } }
    }
  }
}
