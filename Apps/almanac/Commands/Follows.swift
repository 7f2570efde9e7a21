import ArgumentParser
import Frontend
import Models
import Ports

struct AddFollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow something; the next sync fetches it.",
    discussion: """
      A path is a source with its parameters:
      \(FollowHelp.forms)

      Options of the sources, for --option NAME=VALUE:
      \(FollowHelp.options)

      \(help: "source list") lists the sources that are described by files, with their paths and options.

      Several paths are followed together, all of them or, where one is refused, none; - reads them from standard input, \
      one a line.

      Following the same path again changes only the given options. --limit none, --every none and --option NAME= take \
      one away again, so that the default of the source applies.

      With a store on a server, a new follow is kept in the store, for all its daemons. One that the config file of this \
      machine has is changed there.
      """)

  @Argument(help: "What to follow, for example app-store/fr/top-paid; - reads lines.", completion: Completions.paths)
  var paths: [String]
  @Option(help: "The maximum number of records; none for the default of the source.") var limit: Setting<Int>?
  @Option(help: "How often the daemon syncs: 90s, 15m, 1h, 7d; none for every hour.") var every: Setting<String>?
  @Option(
    name: .customLong("option"), help: ArgumentHelp("An option of the source; repeatable.", valueName: "name=value"))
  var options: [String] = []
  @Option(help: "Short for --option genre=GENRE.", completion: Completions.genres) var genre: String?
  @Option(help: "Short for --option feed=FEED.") var feed: String?
  @Flag(help: "Sync it only when it is named, until it is resumed.") var pause = false
  @Flag(help: "Sync it on its interval again.") var resume = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  /// The config file is made.
  var needsConfig: Bool { false }

  func validate() throws {
    if pause, resume { throw ValidationError("--pause and --resume exclude each other") }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    // A sync would refuse a folder that is a backup, or no store.
    if services.options.store != nil, !services.isStoreOnServer {
      try services.checkChangeable()
      let store = try services.store()
      _ = try Failure.from { () throws(StoreError) in try store.snapshot() }
    }
    var interval: Interval?
    if case .value(let every)? = every {
      interval = try Interval(option: every, "write 90s, 15m, 1h, 7d or 1h30m; at least 1s")
    }
    let paths = try FollowSelection(paths).newPaths()
    let settings = try services.completed(services.settings.partial())
    let sources = services.sources(of: paths.map { Follow(path: $0) })
    var changes: [FollowChange] = []
    var unsure: [(path: String, failure: Failure)] = []
    defer { services.terminal.status([]) }
    for path in paths {
      changes.append(try change(path, interval, sources))
      // Whether the server of an account has what is followed for the first time.
      if let failure = try await services.accountProblem(following: path, settings) { unsure.append((path, failure)) }
    }
    let outcomes = try await services.follows().follow(changes)
    answer(outcomes, services)
    for (path, failure) in unsure {
      services.terminal.complain("warning: \(path) was not looked for: \(failure.message)", hint: failure.hint)
    }
    var known: Set<SourceName> = []
    for (follow, _) in outcomes where known.insert(follow.source).inserted {
      guard let missing = try services.missingSetting(of: follow.source) else { continue }
      services.terminal.complain(
        "warning: \(follow.path) cannot be fetched yet: \(missing.message)", hint: missing.hint)
    }
    ServerFiles(services: services, settings: try services.settings.partial()).complain(about: known)
    ConfigText.complainOfMistakes(services)
    return .done
  }

  private func change(
    _ path: String, _ interval: Interval?, _ sources: [SourceDescriptor]
  ) throws(Failure) -> FollowChange {
    let known = sources.first { $0.name == Follow(path: path).source }?.options ?? []
    let removed = known.map(\.name).filter { options.contains("\($0)=") }
    var given = options.filter { text in !removed.contains { text == "\($0)=" } }
    if let genre { given.append("genre=\(genre)") }
    if let feed { given.append("feed=\(feed)") }
    var change = FollowChange(path)
    if case .value(let limit)? = limit { change.limit = limit }
    change.every = interval
    change.removed = Set(removed.map(\.exact))
    if limit == Setting.none { change.removed.insert("limit") }
    if every == Setting.none { change.removed.insert("every") }
    change.options = try FollowOptionArgument.parse(given, for: path, sources)
    change.isPaused = pause ? true : resume ? false : nil
    return change
  }

  private func answer(_ outcomes: [(follow: Follow, earlier: Follow?)], _ services: CompositionRoot) {
    let rows = outcomes.map { follow, earlier in
      var fields = follow.listed
      fields.append("outcome", earlier == nil ? "added" : follow == earlier ? "unchanged" : "changed")
      return fields
    }
    let isFetched = services.hasDaemon
    let isReadable = services.settings.problem() == nil
    services.answer.done(rows, isOne: paths.count == 1 && paths != ["-"]) {
      if outcomes.count > FollowSelection.mostLines {
        let counts = Dictionary(grouping: rows) { $0["outcome"]?.string ?? "" }.mapValues(\.count)
        let words = ["added", "changed", "unchanged"].compactMap { word in counts[word].map { "\($0) \(word)" } }
        return services.terminal.note("\(outcomes.count) follows: \(words.joined(separator: ", "))")
      }
      for (follow, earlier) in outcomes {
        services.terminal.note(Self.message(follow, earlier, isFetched: isFetched, isReadable: isReadable))
      }
    }
  }

  /// What became of the follow.
  ///
  /// - Parameters:
  ///   - isFetched: whether a running daemon fetches it.
  ///   - isReadable: whether the config file has no mistakes, which a daemon does not take.
  private static func message(_ follow: Follow, _ earlier: Follow?, isFetched: Bool, isReadable: Bool) -> Advice {
    guard let earlier else {
      let place = follow.origin == .store ? ", for all daemons of the store" : ""
      let now = isReadable ? "now" : "once the config file has no mistakes"
      let next: Advice = isFetched ? "the daemon fetches it \(now)" : "\(command: "sync") fetches it"
      return follow.isPaused
        ? "following \(follow.path)\(place), paused; \(command: "follow", follow.path, "--resume") starts it"
        : "following \(follow.path)\(place); \(follow.origin == .store ? "a daemon fetches it, or \(command: "sync")" : next)"
    }
    var changed: [String] = []
    var kept: [String] = []
    let common: [(String, String?, String?)] = [
      ("limit", earlier.limit.map(String.init), follow.limit.map(String.init)),
      ("every", earlier.every?.description, follow.every?.description),
    ]
    let names = follow.options.members.map(\.key)
    let removed = earlier.options.members.map(\.key).filter { follow.options[$0] == nil }
    let options = (names + removed).map { ($0, earlier.options[$0]?.shown, follow.options[$0]?.shown) }
    if follow.isPaused != earlier.isPaused { changed.append(follow.isPaused ? "paused" : "resumed") }
    if follow.isPaused, earlier.isPaused { kept.append("paused") }
    for (name, old, new) in common + options {
      guard let new else {
        if old != nil { changed.append("no \(name)" + was(old)) }
        continue
      }
      if old == new { kept.append("\(name) \(new)") } else { changed.append("\(name) \(new)" + was(old)) }
    }
    let rest = kept.isEmpty ? "" : "; kept: \(kept.joined(separator: ", "))"
    return changed.isEmpty
      ? "\(follow.path) is followed already, nothing changed\(rest)"
      : "\(follow.path) is followed already, changed: \(changed.joined(separator: ", "))\(rest)"
  }

  private static func was(_ old: String?) -> String { old.map { " (was \($0))" } ?? "" }
}

extension AddFollow {
  /// The value of an option that can be taken away again.
  enum Setting<Value: ExpressibleByArgument & Equatable & Sendable>: ExpressibleByArgument, Equatable, Sendable {
    case none
    case value(Value)

    init?(argument: String) {
      guard argument != "none" else {
        self = .none
        return
      }
      guard let value = Value(argument: argument) else { return nil }
      self = .value(value)
    }
  }
}

enum FollowOptionArgument {
  /// The options of a follow. Names that its source does not declare are kept, for the source to refuse.
  static func parse(_ texts: [String], for path: String, _ sources: [SourceDescriptor]) throws(Failure) -> JSONObject {
    let source = sources.first { $0.name == Follow(path: path).source }
    var options = JSONObject()
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .usage("'\(text)' is not an option", hint: "write --option NAME=VALUE") }
      let option = source?.options.first { $0.name == parts[0] }
      guard let value = option?.value(text: parts[1]) ?? (option == nil ? .string(parts[1]) : nil) else {
        throw .usage(
          "the option \(parts[0]) cannot be '\(parts[1])'",
          hint: "expected \(option?.expected ?? "a string")", path: path)
      }
      options[parts[0]] = value
    }
    return options
  }
}

enum FollowHelp {
  static var forms: String { table(Catalog.sources.flatMap(\.forms).map { ($0.text, $0.summary) }) }

  static var options: String {
    table(Catalog.sources.flatMap { source in source.options.map { ("\(source.name): \($0.name)", $0.help) } })
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { left, right in
      "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
    }.joined(separator: "\n")
  }
}

extension JSONValue {
  /// The value of an option as it is printed.
  fileprivate var shown: String? { string ?? int.map(String.init) ?? bool.map(String.init) }
}

struct Following: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "following", abstract: "List what is followed.")

  @OptionGroup(title: "Common options") var global: GlobalOptions

  var isPaged: Bool { true }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let settings = try services.completed(services.settings.partial())
    let follows = settings.follows
    let options = Self.options(services.sources(of: follows)).map { Answer.Column($0) }
    let origin: [Answer.Column] = services.isStoreOnServer ? ["origin"] : []
    services.answer.list(
      follows.map(\.listed),
      columns: ["follow", .init("limit", number: true), "every"] + options + ["paused"] + origin,
      empty: services.nothingFollowed)
    for follow in settings.followsInBoth { services.terminal.note(Advice(follow.inBoth)) }
    ConfigText.complainOfMistakes(services)
    return .done
  }

  private static func options(_ sources: [SourceDescriptor]) -> [String] {
    var seen: Set<ExactString> = []
    return sources.flatMap(\.options).filter { !$0.becomesPath && seen.insert($0.name.exact).inserted }
      .map(\.name)
  }
}

extension Follow {
  /// What is said of one that both the config file and the store have.
  var inBoth: String {
    "\(path) is in the config file and in the store; that of the config file counts on this machine"
  }
}

struct Unfollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow",
    abstract: "Stop following something; its records stay in the store, or are removed with --purge.",
    discussion: """
      --purge removes the records that this follow brought and no other one: of a chart its snapshots, and the apps that \
      are in no other followed chart; of photos the photos and their owners; of an address book its people, whose cards stay \
      at the server; of a described source what its last complete pull listed, or what it alone fills. \
      Records with pending edits, or changed here, are kept. It is refused where the store \
      does not know which records came from the follow alone, as for the source people. A follow that ended before is \
      named by its path.

      With a store on a server, a follow that the store keeps ends for all its daemons. One that the config file of this \
      machine has ends there, and the store's, if there is one as well, counts again; --purge ends both. What the config file \
      of another machine follows is not known here.
      """)

  @Argument(
    help: "Followed paths, patterns such as 'users/*', or the name of a source; - reads lines.",
    completion: Completions.follows)
  var paths: [String]
  @Flag(help: "Remove the records that no other follow brought.") var purge = false
  @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  private struct End {
    var path: String
    var follow: Follow
    /// Whether it is followed; of one that ended before, `--purge` removes what is left.
    var isFollowed: Bool
    /// What is said if it proves to be unknown.
    var unknown: Failure
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    let settings = try services.completed(services.settings.partial())
    // All are looked for before the first one ends.
    var ends: [End] = []
    for path in try FollowSelection(paths).paths(among: settings.follows) {
      ends.append(try find(path, settings.follows, services))
    }
    if purge, !(try terminal.confirms(Printable.text(question(ends, services)), unless: yes)) { return .mixed }
    let abandoned = abandonedSources(ends, settings, services)
    var rows: [JSONObject] = []
    var messages: [Advice] = []
    for end in ends {
      do throws(Failure) {
        let (row, message) = try await carryOut(end, services)
        rows.append(row)
        messages.append(message)
      } catch {
        for message in messages { terminal.note(message) }
        throw error
      }
    }
    for source in abandoned {
      terminal.complain(
        "warning: there is no source for servers.\(source) any more, a mistake in \(services.settingsFile.path); "
          + "\(command: "config", "unset", "servers.\(source)") removes it")
    }
    terminal.answer.done(rows, isOne: paths.count == 1 && rows.count == 1) {
      if messages.count > FollowSelection.mostLines {
        return terminal.note(
          "no longer following \(messages.count) paths; their records \(purge ? "are removed" : "stay")")
      }
      for message in messages { terminal.note(message) }
    }
    if abandoned.isEmpty { ConfigText.complainOfMistakes(services) }
    return .done
  }

  /// The follow of a path, once it is known that it can end.
  private func find(_ path: String, _ followed: [Follow], _ services: CompositionRoot) throws(Failure) -> End {
    let follow = (try? followed.named(path, checking: services.check)) ?? Follow(path: path)
    let isFollowed = followed.contains { $0.$path == follow.$path }
    let unknown = FollowSelection.notFollowed(
      path, among: followed,
      more: services.isStoreOnServer ? "; what another machine's config file has is ended there" : "")
    guard isFollowed || purge else { throw unknown }
    if purge {
      // What a definition with mistakes says about its records is not known.
      if let mistakes = services.wrongDefinitions.first(where: { $0.name == follow.source })?.failure { throw mistakes }
      do throws(Failure) {
        if try !services.checkPurge(follow, besides: followed), !isFollowed { throw unknown }
      } catch {
        throw isFollowed ? error : unknown
      }
    }
    return End(path: path, follow: follow, isFollowed: isFollowed, unknown: unknown)
  }

  private func question(_ ends: [End], _ services: CompositionRoot) -> String {
    guard ends.count == 1 || ends.allSatisfy(\.isFollowed) else {
      return "stop following \(Printable.list(ends.map(\.path))), or remove what is left of their records?"
    }
    let path = ends[0].follow.path
    if ends.count > 1 { return "stop following \(Printable.list(ends.map(\.follow.path))) and remove their records?" }
    if ends[0].isFollowed { return "stop following \(path) and remove its records?" }
    return services.isStoreOnServer
      ? "\(path) is not followed here, but another machine's config file may have it: remove its records?"
      : "\(path) is not followed any more: remove what is left of its records?"
  }

  /// Ends a follow, and with `--purge` removes its records.
  private func carryOut(
    _ end: End, _ services: CompositionRoot
  ) async throws(Failure) -> (row: JSONObject, message: Advice) {
    // The follows before this one may have ended.
    let settings = try services.completed(services.settingsFile.load().partial())
    // The records first: a command that is stopped in between can be repeated.
    let purged =
      purge ? try await services.purge(end.follow, besides: settings.follows) : PurgedRecords(removed: [:])
    if !end.isFollowed, purged.removed.isEmpty, purged.kept.isEmpty { throw end.unknown }
    let origin = end.isFollowed ? try await services.follows().unfollow(end.path) : nil
    let isInBoth = settings.followsInBoth.contains { $0.$path == end.follow.$path }
    if isInBoth, purge { _ = try await services.follows().unfollow(end.path) }
    var fields: JSONObject = ["follow": .string(end.path), "outcome": "removed"]
    if services.isStoreOnServer { fields.append("origin", origin?.rawValue) }
    let counts = purged.removed.sorted { $0.key < $1.key }
    let kept = purged.kept.map { "\($0.collection)/\($0.id)" }.sorted()
    if purge {
      fields.append(
        "records", .object(JSONObject(members: counts.map { .init(key: $0.key.rawValue, value: .int($0.value)) })))
      if !kept.isEmpty { fields.append("kept", .texts(kept)) }
    }
    let words = counts.map { "\($0.value) of \($0.key)" }
    let rest =
      !purge ? "its records stay" : words.isEmpty ? "no record was removed" : "removed \(Printable.list(words))"
    if let first = kept.first {
      services.terminal.complain(
        """
        \(kept.count.counted("record")) with edits \(kept.count == 1 ? "stays" : "stay") (\(Printable.list(kept))): \
        \(command: "outbox", "discard", first) drops a pending edit, and the same command with --purge removes the record then
        """)
    }
    let message: Advice =
      isInBoth && !purge
      ? "\(end.path) is not in the config file any more; the store still follows it, for all its daemons"
      : "no longer following \(end.path)\(origin == .store ? ", for all daemons of the store" : ""); \(rest)"
    return (fields, message)
  }

  /// The sources with settings whose definition is gone, and whose last follow ends: without one, nothing tells them from
  /// names that were mistyped.
  private func abandonedSources(_ ends: [End], _ before: Settings, _ services: CompositionRoot) -> [SourceName] {
    Set(ends.map(\.follow.source)).filter { source in
      before.servers[source] != nil && services.wrongDefinitions.contains { $0.isMissing && $0.name == source }
        && before.follows.count { $0.source == source } == ends.count { $0.follow.source == source }
    }.sorted { $0.rawValue < $1.rawValue }
  }
}
