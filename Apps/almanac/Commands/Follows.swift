import ArgumentParser
import Models
import Ports

/// `almanac follow PATH`
struct AddFollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow something; the next sync fetches it.",
    discussion: """
      A path is a source with its parameters:
      \(FollowHelp.forms)

      Options of the sources, for --option NAME=VALUE:
      \(FollowHelp.options)

      'almanac source list' lists the sources that are described by files, with their paths and options.

      Following the same path again changes only the given options. --limit none, --every none and --option NAME= take \
      one away again, so that the default of the source applies.

      With a store on a server, a new follow is kept in the store, for all its daemons. One that the config file of this \
      machine has is changed there.
      """)

  @Argument(help: "What to follow, for example app-store/fr/top-paid.", completion: Completions.paths)
  var path: String
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

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    var interval: Interval?
    if case .value(let every)? = every {
      guard let parsed = Interval(every) else {
        throw Failure(
          .config, .usage, "'\(every)' is not an interval", hint: "write 90s, 15m, 1h, 7d or 1h30m; at least 1s")
      }
      interval = parsed
    }
    let sources = services.sources(of: [Follow(path: path)])
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
    let isUnsure = try await isUnsure(services)
    let (follow, earlier) = try await services.follows().follow(change)
    let outcome = earlier == nil ? "added" : follow == earlier ? "unchanged" : "changed"
    var fields = follow.listed
    fields.append("outcome", outcome)
    let isFetched = services.hasDaemon
    let isReadable = services.settings.problem() == nil
    Answer(terminal: services.terminal).done(fields) {
      services.terminal.note(Self.message(follow, earlier, isFetched: isFetched, isReadable: isReadable))
    }
    if let isUnsure {
      services.terminal.complain("warning: \(follow.path) was not looked for: \(Printable.text(isUnsure.message))")
      complain(of: isUnsure.hint, services.terminal)
    }
    if let missing = try services.missingSetting(of: follow.source) {
      services.terminal.complain("warning: \(follow.path) cannot be fetched yet: \(missing.message)")
      complain(of: missing.hint, services.terminal)
    }
    ServerFiles(services: services, settings: try services.settings.partial()).complain(about: [
      follow.source
    ])
    ConfigText.complainOfMistakes(services)
    return .done
  }

  /// Prints each line of a hint.
  private func complain(of hint: String?, _ terminal: Terminal) {
    for line in hint?.split(separator: "\n") ?? [] { terminal.complain("  \(line)") }
  }

  /// Asks the server of an account whether it has what is followed for the first time.
  private func isUnsure(_ services: any AlmanacServices) async throws(Failure) -> Failure? {
    let settings = try services.completed(services.settings.partial())
    defer { services.terminal.status([]) }
    return try await services.accountProblem(following: path, settings)
  }

  /// What became of the follow.
  ///
  /// - Parameters:
  ///   - isFetched: whether a running daemon fetches it.
  ///   - isReadable: whether the config file has no mistakes, which a daemon does not take.
  private static func message(_ follow: Follow, _ earlier: Follow?, isFetched: Bool, isReadable: Bool) -> String {
    guard let earlier else {
      let place = follow.origin == .store ? ", for all daemons of the store" : ""
      let now = isReadable ? "now" : "once the config file has no mistakes"
      let next = isFetched ? "the daemon fetches it \(now)" : "'almanac sync' fetches it"
      return follow.isPaused
        ? "following \(follow.path)\(place), paused; 'almanac follow \(ShellWord.inside(follow.path)) --resume' starts it"
        : "following \(follow.path)\(place); \(follow.origin == .store ? "a daemon fetches it, or 'almanac sync'" : next)"
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
    /// It is taken away.
    case none
    /// It is set.
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

/// Reads `--option NAME=VALUE`.
enum FollowOptionArgument {
  /// The options of a follow. Names that its source does not declare are kept, for the source to refuse.
  static func parse(
    _ texts: [String], for path: String, _ sources: [SourceDescriptor]
  ) throws(Failure) -> JSONObject {
    let source = sources.first { $0.name == Follow(path: path).source }
    var options = JSONObject()
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw Failure(.config, .usage, "'\(text)' is not an option", hint: "write --option NAME=VALUE")
      }
      let option = source?.options.first { $0.name == parts[0] }
      guard let value = option?.value(text: parts[1]) ?? (option == nil ? .string(parts[1]) : nil) else {
        throw Failure(
          .config, .usage, "the option \(parts[0]) cannot be '\(parts[1])'",
          hint: "expected \(option?.expected ?? "a string")", path: path)
      }
      options[parts[0]] = value
    }
    return options
  }
}

/// What the sources say about their follows, for the help of `follow`.
enum FollowHelp {
  /// The forms of the paths, one a line.
  static var forms: String { table(Catalog.sources.flatMap(\.forms).map { ($0.text, $0.summary) }) }

  /// The options, one a line.
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

/// `almanac following`
struct Following: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "following", abstract: "List what is followed.")

  @OptionGroup(title: "Common options") var global: GlobalOptions

  var isPaged: Bool { true }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let settings = try services.completed(services.settings.partial())
    let follows = settings.follows
    Answer(terminal: services.terminal).list(
      follows.map(\.listed),
      columns: [.init("follow"), .init("limit", number: true), .init("every")]
        + Self.options(services.sources(of: follows)).map { .init($0) } + [.init("paused")]
        + (services.isStoreOnServer ? [.init("origin")] : []),
      empty: NothingFollowed(services: services).message)
    for follow in settings.followsInBoth { services.terminal.note(InBoth.message(follow)) }
    ConfigText.complainOfMistakes(services)
    return .done
  }

  /// The options that a follow can keep.
  private static func options(_ sources: [SourceDescriptor]) -> [String] {
    var seen: Set<ExactString> = []
    return sources.flatMap(\.options).filter { !$0.becomesPath && seen.insert($0.name.exact).inserted }
      .map(\.name)
  }
}

/// A follow that both the config file and the store have.
enum InBoth {
  /// Which one counts.
  static func message(_ follow: Follow) -> String {
    "\(follow.path) is in the config file and in the store; that of the config file counts on this machine"
  }

  static func remedy(_ follow: Follow) -> String {
    "'almanac unfollow \(ShellWord.inside(follow.path))' ends that of the config file"
  }
}

/// `almanac unfollow PATH`
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

  @Argument(help: "The followed path.", completion: Completions.follows) var path: String
  @Flag(help: "Remove the records that no other follow brought.") var purge = false
  @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    let settings = try services.completed(services.settings.partial())
    let followed = settings.follows
    let follow = (try? services.check(Follow(path: path))) ?? Follow(path: path)
    let isFollowed = followed.contains { $0.$path == follow.$path || $0.path.exact == path.exact }
    func unknown() -> Failure {
      let nearest = NearestName.question(path, among: followed.map(\.path))
      return Failure(
        .config, .notFound, "\(path) is not followed",
        hint: "\(nearest)'almanac following' lists what is"
          + (services.isStoreOnServer ? "; what another machine's config file has is ended there" : ""), path: path)
    }
    guard isFollowed || purge else { throw unknown() }
    var removed: [CollectionName: Int] = [:]
    if purge {
      // What a definition with mistakes says about its records is not known.
      if let mistakes = services.wrongDefinitions.first(where: { $0.name == follow.source })?.failure { throw mistakes }
      do throws(Failure) {
        let hasRecords = try services.checkPurge(follow, besides: followed)
        if !isFollowed, !hasRecords { throw unknown() }
      } catch {
        throw isFollowed ? error : unknown()
      }
      let question =
        isFollowed
        ? "stop following \(follow.path) and remove its records?"
        : services.isStoreOnServer
          ? "\(follow.path) is not followed here, but another machine's config file may have it: remove its records?"
          : "\(follow.path) is not followed any more: remove what is left of its records?"
      guard try terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
      // The records first: a command that is stopped in between can be repeated.
      removed = try await services.purge(follow, besides: followed)
      if !isFollowed, removed.isEmpty { throw unknown() }
    }
    let isKnownByFollow =
      settings.servers[follow.source] != nil
      && services.wrongDefinitions.contains { $0.isMissing && $0.name == follow.source }
      && followed.count(where: { $0.source == follow.source }) == 1
    let origin = isFollowed ? try await services.follows().unfollow(path) : nil
    let isInBoth = settings.followsInBoth.contains { $0.$path == follow.$path }
    if isInBoth, purge { _ = try await services.follows().unfollow(path) }
    if isKnownByFollow {
      // Without a follow, nothing tells a source that was removed from a name that was mistyped.
      let setting = "servers.\(follow.source)"
      terminal.complain(
        "warning: there is no source for \(setting) any more, a mistake in \(services.settingsFile.path); "
          + "'almanac config unset \(setting)' removes it")
    }
    var fields: JSONObject = ["follow": .string(path), "outcome": "removed"]
    if services.isStoreOnServer { fields.append("origin", origin?.rawValue) }
    let counts = removed.sorted { $0.key < $1.key }
    if purge {
      fields.append(
        "records", .object(JSONObject(members: counts.map { .init(key: $0.key.rawValue, value: .int($0.value)) })))
    }
    Answer(terminal: terminal).done(fields) {
      let words = counts.map { "\($0.value) of \($0.key)" }
      let rest =
        !purge ? "its records stay" : words.isEmpty ? "no record was removed" : "removed \(Printable.list(words))"
      if isInBoth, !purge {
        terminal.note("\(path) is not in the config file any more; the store still follows it, for all its daemons")
      } else {
        terminal.note("no longer following \(path)\(origin == .store ? ", for all daemons of the store" : ""); \(rest)")
      }
    }
    if !isKnownByFollow { ConfigText.complainOfMistakes(services) }
    return .done
  }
}
