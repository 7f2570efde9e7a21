public import AsyncHTTPTransport
public import Models
public import Networking
public import Parsing
public import Persistence
public import Ports
import Sync

/// One invocation of a program: its arguments, its environment, and the parts that both programs assemble from them.
public struct Invocation: Sendable {
  /// The name of the program in the `User-Agent`: `almanac`.
  public let program: String
  public let environment: [String: String]
  public let places: Places
  public var sources: SourceList { loaded.current }
  /// The compiled sources and those of the follows; the definitions of others are not read for it.
  public func sources(of follows: [Follow]) -> [SourceDescriptor] {
    let named = Set(follows.map(\.source))
    let known = loaded.known
    let compiled = SourceList.compiled.descriptors
    let others = known.names.filter { name in named.contains(name) && !compiled.contains { $0.name == name } }
    return compiled + others.compactMap { known[$0] }
  }
  /// The recordings that replace the servers.
  public let recordings: Recordings
  public var settingsFile: SettingsFile {
    func file(_ check: FileCheck?) -> SettingsFile {
      SettingsFile(
        path: places.config, isRequired: needsConfig && places.isConfigNamed,
        format: JSONSettingsFormat(sources: loaded.known, check: loaded.check, fileCheck: check),
        environment: environment, lastUsed: LastUsedSettings(in: places.state, of: Places.absolute(places.config)))
    }
    let unchecked = file(nil)
    return file { setting, path in
      let path = unchecked.placed(path)
      return TrustSettings.problem(of: path, isKey: setting == "keyFile").map { "\(path) \($0)" }
    }
  }
  private let loaded: LoadedSources
  public let coder = JSONRecordCoder()
  private let overrides: [String]
  private let needsConfig: Bool

  /// The version of both programs, by the rules of semantic versioning.
  public static let version = "0.3.0"

  /// - Parameters:
  ///   - servers: the values of `--server`, each `SOURCE=URL`.
  ///   - needsConfig: whether a missing config file is an error, if it was named.
  public init(
    program: String, store: String?, config: String?, state: String? = nil, seeds: [String], servers: [String],
    environment: [String: String], needsConfig: Bool = true
  ) {
    (self.program, self.environment) = (program, environment)
    overrides = servers
    places = Places(store: store, config: config, state: state, environment: environment)
    self.needsConfig = needsConfig
    loaded = LoadedSources(SourceDefinitions(beside: places.config))
    recordings = Recordings(seeds, environment: environment)
  }

  /// The words for what this program uses, for a user with another environment.
  public var wording: Wording {
    CommandWording.wording(store: places.namedStore, config: places.namedConfig, state: places.namedState)
  }

  /// The `User-Agent`: `almanac/0.3.0`.
  public var userAgent: String { "\(program)/\(Self.version)" }

  public var definitions: SourceDefinitions { loaded.definitions }

  /// The definitions of sources that had mistakes when they were read last.
  public var wrongDefinitions: [CheckedDefinition] { loaded.mistakes }

  /// Reads the definitions of sources again. Where one has mistakes now, the one before stays.
  public func reloadDefinitions() { loaded.reload() }

  /// Why this machine cannot ask for a follow; never with a store in a folder, which keeps what fails.
  public func localBlockers(_ settings: Settings) -> @Sendable (Follow) -> Failure? {
    guard places.isStoreOnServer else { return { _ in nil } }
    return { follow in localBlocker(to: follow, in: settings) }
  }

  /// Edits what is followed.
  ///
  /// - Parameters:
  ///   - settings: the config file, which is loaded for each edit.
  ///   - store: the store on a server; `nil` for one in a folder.
  ///   - besideMistakes: whether the config file may have mistakes elsewhere, which stay.
  public func follows(
    settings: any SettingsStore, store: (@Sendable () -> any RecordStore)?, besideMistakes: Bool = false
  ) -> any FollowService {
    var stored: (@Sendable () -> StoredFollows)?
    if let store { stored = { [coder] in StoredFollows(store: store(), coder: coder) } }
    return FollowList(settings: settings, store: stored, besideMistakes: besideMistakes, check: loaded.check)
  }

  /// The settings with the follows of a store on a server. A source without a definition is known from then on: its follows
  /// fail here, and nothing else.
  ///
  /// - Parameter known: the follows that are taken if the store cannot be read.
  public func completing(
    _ settings: Settings, from store: any RecordStore, orElse known: [Follow]? = nil
  ) throws(Failure) -> Settings {
    guard places.isStoreOnServer else { return settings }
    var follows: [Follow]
    do throws(StoreError) { follows = try StoredFollows(store: store, coder: coder).all() } catch {
      guard let known else { throw error.failure }
      follows = known
    }
    for follow in follows { _ = loaded.known[follow.source] }
    return settings.adding(storeFollows: follows.map { (try? loaded.check($0)) ?? $0 })
  }

  /// Returns the settings with the servers from the command line. An argument that is not valid is their failure.
  public func overriding(_ loaded: LoadedSettings) -> LoadedSettings {
    loaded.overriding { (settings) throws(Failure) in
      var settings = settings
      for text in overrides {
        let override = try ServerOverride(text, sources: self.loaded.known.names)
        settings.servers[override.source, default: Settings.Server()].url = override.url
      }
      return settings
    }
  }

  /// The servers and the keys of the sources. Recordings accept any key.
  ///
  /// - Parameters:
  ///   - isReplay: whether responses come from recordings that are not arguments of this invocation.
  ///   - events: gets what programs of sources print on standard error.
  ///   - isPlan: whether nothing is written, not even which server got a key first.
  public func access(
    _ settings: Settings, isReplay: Bool = false, isPlan: Bool = false, events: (any EventSink)? = nil
  ) -> SourceAccess {
    guard isReplay || !recordings.isEmpty else {
      let sources = sources
      let keys = settingsFile.keys(of: sources.descriptors, in: settings)
      var access = SourceAccess(
        servers: settings.servers,
        keys: definitions.trusted(keys, of: sources, servers: settings.servers, remembers: !isPlan))
      access.tokens = definitions.tokens
      access.programs = ChildPrograms(folder: definitions.folder, environment: programEnvironment)
      access.events = events
      access.accounts = settingsFile.accounts(in: settings)
      access.follows = settings.follows
      return access
    }
    let keyed = sources.descriptors.filter { $0.key != nil }.map { ($0.name, Self.recordedKey) }
    var access = SourceAccess(servers: settings.servers, keys: Dictionary(uniqueKeysWithValues: keyed))
    // A recording contains no passwords.
    access.accounts = settings.servers.mapValues { server in
      server.accounts.map { SourceAccount(name: $0.name, url: $0.url, user: $0.user) }
    }
    access.follows = settings.follows
    return access
  }

  /// The environment of the programs of sources, without the keys of other sources.
  private var programEnvironment: [String: String] {
    let keys = Set(sources.descriptors.compactMap { $0.key?.variable.exact })
    return environment.filter { !keys.contains($0.key.exact) }
  }

  // With the parts that OAuth needs.
  private static let recordedKey = SourceKey.given("seeded:seeded:seeded", from: "the recording")

  /// The keys to redact in output, recordings and stored errors. The key for recordings is not a secret.
  public func secrets(of access: SourceAccess) -> [String] {
    let tokens = access.tokens == nil ? [] : access.keys.keys.flatMap { definitions.tokens.secrets(of: $0) }
    return access.keys.filter { $0.value != Self.recordedKey }.flatMap { name, key in
      key.value.map { sources.secrets($0, of: name) } ?? []
    } + tokens + access.accounts.values.flatMap(\.self).flatMap(\.secrets)
  }

  /// Creates the HTTP client, with the proxies of the environment.
  ///
  /// - Parameters:
  ///   - servers: the servers with their own certificates.
  ///   - progress: gets the bytes of a response that have arrived so far, and the announced size; the URL has no query.
  public func client(
    _ servers: [SourceName: Settings.Server], progress: (@Sendable (String, Int, Int?) -> Void)? = nil
  ) -> AsyncHTTPTransport {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: userAgent)
    configuration.progress = progress
    configuration.proxies = ProxySettings(environment: environment)
    configuration.trust = trust(servers)
    return AsyncHTTPTransport(configuration)
  }

  /// The trusted authorities and the client certificates.
  public func trust(_ servers: [SourceName: Settings.Server]) -> TrustSettings {
    TrustSettings(environment: environment, servers: servers)
  }

  /// Returns the stack with the settings of both programs: the `User-Agent` and the redaction.
  public func configured(_ stack: StandardStack, _ access: SourceAccess) -> StandardStack {
    var stack = stack
    stack.userAgent = userAgent
    stack.secrets = secrets(of: access)
    // A definition is the user's own choice of a server, as a setting is.
    stack.serversAreNamedBy = "servers.NAME.url in the config, or \"url\" in a definition,"
    stack.servers =
      access.servers.values.flatMap { [$0.url].compactMap(\.self) + $0.accounts.map(\.url) }
      + sources.definitions.compactMap(\.definition).filter { $0.folder == nil }.compactMap { definition in
        try? definition.bound(by: access.servers[definition.name])
      }.flatMap { [$0.url, $0.auth?.oauth2?.token, $0.auth?.oauth2?.device].compactMap(\.self) }
    stack.secretNames = sources.secretNames
    return stack
  }
}

/// The address of a source's server for one run: `--server people=http://localhost:8080`.
struct ServerOverride: Hashable, Sendable {
  let source: SourceName
  let url: String

  /// Reads `SOURCE=URL`.
  ///
  /// - Throws: `Failure`, `usage`, which says what is allowed.
  init(_ text: String, sources: [SourceName]) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    func problem(_ message: String, _ hint: Advice? = nil) -> Failure {
      let source = parts.count == 2 ? parts[0] : "people"
      return Failure(.config, .usage, message, hint: hint ?? "write --server \(source)=http://localhost:8080")
    }
    guard parts.count == 2 else { throw problem("--server \(text) is not SOURCE=URL") }
    if let reason = ServerURL.problem(parts[1]) { throw problem("--server \(parts[0]): \(reason)") }
    guard let source = sources.first(where: { $0.rawValue == parts[0] }) else {
      throw problem(
        "--server \(text): there is no source '\(parts[0])'",
        "one of \(sources.map(\.rawValue).joined(separator: ", "))")
    }
    self.source = source
    url = ServerURL.normal(parts[1])
  }
}
