public import AsyncHTTPTransport
public import Models
public import Networking
public import Parsing
public import Persistence
import Ports

/// One run of a program: what its arguments and its environment say, and the parts that both programs make of it alike.
public struct Invocation: Sendable {
  /// The program's name, as servers see it: `almanac`.
  public let program: String
  /// The program's environment.
  public let environment: [String: String]
  /// Where the store and the config file are.
  public let places: Places
  /// The program's sources.
  public let sources = SourceList.compiled
  /// What answers in place of the servers.
  public let recordings: Recordings
  /// The config file.
  public let settingsFile: SettingsFile
  /// Reads and writes records.
  public let coder = JSONRecordCoder()
  private let overrides: [String]

  /// The version of both programs; semantic versioning.
  public static let version = "0.1.0"

  /// A run.
  ///
  /// - Parameters:
  ///   - store: the value of `--store`.
  ///   - config: the value of `--config`.
  ///   - seeds: the values of `--seed`.
  ///   - servers: the values of `--server`, each `SOURCE=URL`.
  public init(
    program: String, store: String?, config: String?, seeds: [String], servers: [String],
    environment: [String: String]
  ) {
    self.program = program
    self.environment = environment
    overrides = servers
    places = Places(store: store, config: config, environment: environment)
    recordings = Recordings(seeds, environment: environment)
    settingsFile = SettingsFile(
      path: places.config, isRequired: places.isConfigNamed,
      format: JSONSettingsFormat(sources: sources.descriptors, check: sources.check), environment: environment)
  }

  /// `almanac/0.1.0`
  public var userAgent: String { "\(program)/\(Self.version)" }

  /// The settings, with the servers that the arguments name.
  ///
  /// - Throws: `Failure` with every mistake of the config file, or where an argument is wrong.
  public func settings() throws(Failure) -> Settings {
    try overriding(try Failure.from { () throws(SettingsFailure) in try settingsFile.load() })
  }

  /// Settings with the servers that the arguments name.
  public func overriding(_ settings: Settings) throws(Failure) -> Settings {
    var settings = settings
    for text in overrides {
      let override = try ServerOverride(text, sources: sources.descriptors.map(\.name))
      settings.servers[override.source, default: Settings.Server()].url = override.url
    }
    return settings
  }

  /// How the sources reach their servers. Recordings answer to any key.
  ///
  /// - Parameter isReplay: whether recordings answer that this run does not name itself.
  public func access(_ settings: Settings, isReplay: Bool = false) -> SourceAccess {
    guard isReplay || !recordings.isEmpty else {
      return SourceAccess(
        servers: settings.servers, keys: settingsFile.keys(of: sources.descriptors, in: settings))
    }
    let keyed = sources.descriptors.filter { $0.key != nil }.map(\.name)
    return SourceAccess(
      servers: settings.servers, keys: Dictionary(uniqueKeysWithValues: keyed.map { ($0, Self.recordedKey) }))
  }

  private static let recordedKey = SourceKey.given("seeded", from: "the recording")

  /// The keys that must not show in anything that is printed, recorded or kept; the one of recordings is no secret.
  public func secrets(of access: SourceAccess) -> [String] {
    access.keys.values.filter { $0 != Self.recordedKey }.compactMap(\.value)
  }

  /// What asks the servers, with the proxies of the environment.
  ///
  /// - Parameter servers: the servers with certificates of their own.
  public func client(_ servers: [SourceName: Settings.Server]) -> AsyncHTTPTransport {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: userAgent)
    configuration.proxies = ProxySettings(environment: environment)
    configuration.trust = trust(servers)
    return AsyncHTTPTransport(configuration)
  }

  /// The certificates that are trusted, and those that the program presents.
  public func trust(_ servers: [SourceName: Settings.Server]) -> TrustSettings {
    TrustSettings(environment: environment, servers: servers)
  }

  /// The stack with what both programs set: who asks, and what is redacted.
  public func configured(_ stack: StandardStack, _ access: SourceAccess) -> StandardStack {
    var stack = stack
    stack.userAgent = userAgent
    stack.secrets = secrets(of: access)
    stack.secretNames = sources.secretNames
    return stack
  }
}
