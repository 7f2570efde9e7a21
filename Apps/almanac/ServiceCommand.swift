import ArgumentParser
import Frontend
import Models
import Ports

struct StoreCopyReport: Sendable {
  /// Records that users can list.
  var records: Int
  var images: Int
  var commits: Int
  /// The SHA-256 of all records of both stores.
  var digest: String
  var damagedImages: [String]
}

struct ImageFile: Sendable {
  var path: String
  var item: MediaItem
}

/// A source's server, and whether it answers.
struct ServerProbe: Sendable {
  /// The address without a path.
  var url: String
  /// Why it does not answer, or refuses the key; `nil` when it answers.
  var failure: Failure?
  /// The account whose server does not answer well.
  var account: String?
  /// Where the key came from; `nil` if there is none or none is needed.
  var keyPlace: String?
  /// Whether the server was only reached: its answer says nothing about what is followed, and the key was not tried.
  var isOnlyReached = false
}

/// A command that does its work with the services of a composition root, which it knows by the ports alone.
protocol ServiceCommand: AsyncParsableCommand, Sendable {
  var global: GlobalOptions { get }

  /// Whether published files are renewed at the end. A command that only inspects the store leaves them as it found
  /// them, also where it counted a call or kept a run.
  var renewsFiles: Bool { get }

  /// Whether the command reads an existing store. Where `--store` or `ALMANAC_STORE` names a folder that does not exist, such
  /// a command fails as soon as it needs the store: an empty answer would hide a mistyped path.
  var readsStore: Bool { get }

  /// Whether a config file that was named must exist. Commands that work on what is beside it need none.
  var needsConfig: Bool { get }

  /// What its changes of records are, in their history.
  var changes: ChangeCause.Kind { get }

  /// Whether an answer that is longer than the screen is shown page by page.
  var isPaged: Bool { get }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus
}

extension ServiceCommand {
  var renewsFiles: Bool { true }
  var readsStore: Bool { false }
  var needsConfig: Bool { true }
  var isPaged: Bool { false }
  var changes: ChangeCause.Kind { .edit }
}

protocol ReadingCommand: ServiceCommand {}

extension ReadingCommand {
  var readsStore: Bool { true }
}

protocol ListingCommand: ReadingCommand {}

extension ListingCommand {
  var isPaged: Bool { true }
}

/// Refuses arguments that do not go together.
func require(_ isMet: Bool, _ message: @autoclosure () -> String) throws {
  if !isMet { throw ValidationError(message()) }
}

/// The collections to which a command is limited.
struct CollectionsOption: ParsableArguments {
  @Option(
    name: .customLong("in"), help: ArgumentHelp("Only this collection; repeatable.", valueName: "collection"),
    completion: Completions.collections)
  var collections: [String] = []

  func names(_ services: CompositionRoot) throws(Failure) -> [CollectionName] {
    try collections.map { (name) throws(Failure) in try CollectionArgument.parse(name, services) }
  }
}

struct LimitOption: ParsableArguments {
  @Option(help: "The maximum number.") var limit: Int?

  func validate() throws { try Self.check(limit) }

  /// - Throws: `ValidationError` where nothing would be printed.
  static func check(_ limit: Int?) throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes 1 or more, not \(limit)") }
  }
}
