public import ArgumentParser
import Frontend
public import Models
public import Ports

/// The list of commands.
///
/// Each command gives its `commandName`: where one does not, ArgumentParser makes it from the type's description at every
/// start, and forty questions for conformances take a quarter of the program's time.
struct AlmanacCLI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "almanac", abstract: "Keeps a local copy of the people, photos, profiles and charts that you follow.",
    discussion: """
      Begin with \(help: "demo"), which needs nothing. Then follow something of your own:

        almanac follow app-store/us/top-free
        almanac sync
        almanac charts top app-store/us/top-free

      The store is \u{24}XDG_DATA_HOME/almanac (or --store, ALMANAC_STORE); the config file is \
      \u{24}XDG_CONFIG_HOME/almanac/config.json (or --config, ALMANAC_CONFIG). Answers go to standard output, everything \
      else to standard error.
      """,
    version: "almanac \(AlmanacVersion.current)",
    groupedSubcommands: [
      CommandGroup(
        name: "Follow and sync",
        subcommands: [
          Demo.self, AccountCommand.self, AddFollow.self, Unfollow.self, Following.self, Sync.self, SourceCommand.self,
        ]),
      CommandGroup(
        name: "Read",
        subcommands: [
          List.self, Show.self, Search.self, HistoryCommand.self, Blame.self, Difference.self, OpenRecord.self,
          ChartsCommand.self, GenreCommand.self, PhotosCommand.self, Birthdays.self, Status.self, MCPCommand.self,
        ]),
      CommandGroup(
        name: "Edit",
        subcommands: [PeopleCommand.self, ProfileCommand.self, EditRecord.self, OutboxCommand.self, Undo.self]),
      CommandGroup(
        name: "Maintain",
        subcommands: [
          MediaCommand.self, Export.self, Import.self, Changes.self, Backup.self, Restore.self, Forget.self,
          StoreCommand.self,
          Doctor.self, Compact.self, ConfigCommand.self, Dashboard.self, Completion.self, Manual.self, Version.self,
        ]),
    ])
}

/// The options that every command takes, before or after its name.
struct GlobalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The store: a folder, or postgres://HOST/DATABASE.", valueName: "dir"), completion: .directory)
  var store: String?

  @Option(help: ArgumentHelp("The config file.", valueName: "file"), completion: .file(extensions: ["json"]))
  var config: String?

  @Option(
    name: [.long, .customShort("o")],
    help: ArgumentHelp(
      "How answers are printed: table, wide (a table that may be wider than the screen), json, jsonl or csv.",
      valueName: "format"))
  var format = FormatArgument(argument: "table")!

  @Option(
    help: ArgumentHelp("Replay a recording instead of contacting servers; repeatable.", valueName: "file.har"),
    completion: .file(extensions: ["har"]))
  var seed: [String] = []

  @Option(
    help: ArgumentHelp("Record every request and response, without secrets.", valueName: "file.har"),
    completion: .file(extensions: ["har"]))
  var record: String?

  @Option(help: ArgumentHelp("Use another base URL for a source; repeatable.", valueName: "source=url"))
  var server: [String] = []

  @Flag(help: "Print only problems and requested data.") var quiet = false

  @Flag(help: "Print each request and response.") var verbose = false

  @Flag(name: .customLong("no-color"), help: "Disable colors, like NO_COLOR.") var noColor = false

  @Flag(
    name: .customLong("no-pager"), help: "Never show long answers page by page; ALMANAC_PAGER or PAGER names the pager."
  )
  var noPager = false

  static let withValue = ["--store", "--config", "--format", "--seed", "--record", "--server"]
  static let flags = ["--quiet", "--verbose", "--no-color", "--no-pager"]
  static let names = withValue + flags + ["--version", "--help"]

  /// An empty name comes from a variable that was not set; it must not mean the working folder.
  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs the name of a folder") }
    if config?.isEmpty == true { throw ValidationError("--config needs the name of a file") }
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people.
  case table
  case json
  /// One JSON object a line.
  case jsonl
  /// Comma-separated values (RFC 4180) with a header.
  case csv

  /// The form of records that are not in a table.
  var ofRecords: RecordFile.Format {
    switch self {
    case .json: .json
    case .csv: .csv
    case .jsonl, .table: .jsonl
    }
  }
}

struct FormatArgument: ExpressibleByArgument {
  let format: OutputFormat
  /// Whether a table shows every column, however wide the screen is.
  let isWide: Bool

  static let allValueStrings = ["table", "wide"] + OutputFormat.allCases.map(\.rawValue).filter { $0 != "table" }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  init?(argument: String) {
    isWide = argument == "wide"
    let name = argument == "ndjson" ? OutputFormat.jsonl.rawValue : argument
    guard let format = isWide ? .table : OutputFormat(rawValue: name) else { return nil }
    self.format = format
  }

  var defaultValueDescription: String { format.rawValue }
}

/// Looks for a command that does not exist, and for the one that was probably meant.
struct CommandCheck {
  /// What people write who know other programs.
  private static let synonyms = [
    "ls": "list", "get": "show", "cat": "show", "find": "search", "grep": "search", "rm": "unfollow", "pull": "sync",
    "fetch": "sync", "refresh": "sync", "update": "sync", "follows": "following", "contacts": "people",
    "check": "doctor", "settings": "config", "configure": "config", "completions": "completion",
    "repair": "doctor --repair", "daemon": "dashboard", "watch": "changes --follow",
  ]

  /// Why the words name no command; `nil` where they do, or where the parser has to tell.
  ///
  /// - Parameter arguments: without the global options.
  static func mistake(_ arguments: [String]) -> Failure? {
    var words = arguments[...]
    if words.first == "help" { words.removeFirst() }
    var path: [String] = []
    var group: any ParsableCommand.Type = AlmanacCLI.self
    while let word = words.popFirst() {
      let commands = subcommands(of: group)
      guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
      guard let command = commands.first(where: { name(of: $0) == word }) else {
        // The command that a group stands for may take words.
        if let standard = group.configuration.defaultSubcommand, AlmanacCLI.usageString(for: standard).contains(" [<") {
          return nil
        }
        return path.isEmpty && word == "help" ? nil : failure(word, path, commands, rest: Array(words))
      }
      path.append(word)
      group = command
    }
    return nil
  }

  private static func failure(
    _ word: String, _ path: [String], _ commands: [any ParsableCommand.Type], rest: [String]
  ) -> Failure {
    let known: Advice =
      path.isEmpty
      ? "\(command: "help") lists the commands" : "its commands are \(commands.map(name).joined(separator: ", "))"
    let meant = suggestion(word, path, commands, rest: rest).map { "did you mean \(command: $0)? " as Advice } ?? ""
    return .usage(
      "'\(word)' is not a command\(path.isEmpty ? "" : " of \(help: path.joined(separator: " "))")",
      hint: meant + known, code: .usage)
  }

  private static func suggestion(
    _ word: String, _ path: [String], _ commands: [any ParsableCommand.Type], rest: [String]
  ) -> [String]? {
    let top = subcommands(of: AlmanacCLI.self)
    // 'charts list' for 'list charts', 'charts show us' for 'show charts us'.
    if let place = path.first, Catalog.collections.contains(CollectionName(rawValue: place)) {
      let command = synonyms[word] ?? word
      if ["list", "show", "export"].contains(command) { return [command, place] + rest.prefix(1) }
    }
    if let nearest = NearestName.of(word, among: commands.map(name)) { return path + [nearest] }
    if path.isEmpty {
      if let synonym = synonyms[word] { return synonym.split(separator: " ").map(String.init) }
      if Catalog.collections.contains(CollectionName(rawValue: word)) { return ["list", word] }
      for group in top where subcommands(of: group).contains(where: { name(of: $0) == word }) {
        return [name(of: group), word]
      }
    } else if top.contains(where: { name(of: $0) == word }) {
      return [word]
    }
    return nil
  }

  /// The command that the words name, as far as they name one.
  static func command(in arguments: [String]) -> (path: [String], type: any ParsableCommand.Type) {
    var found: (path: [String], type: any ParsableCommand.Type) = ([], AlmanacCLI.self)
    for word in arguments {
      guard let command = subcommands(of: found.type).first(where: { name(of: $0) == word }) else { break }
      found = (found.path + [word], command)
    }
    return found
  }

  /// The first option among the words that their command does not have.
  static func unknownOption(in arguments: [String]) -> String? {
    let known = options(of: command(in: arguments).path) + GlobalOptions.names
    let words = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    return words.first { $0.hasPrefix("--") && !known.contains($0) }
  }

  /// The options of a command besides those that every command takes, in the order of its help text; those of a group are
  /// those of the command that it stands for.
  static func options(of path: [String]) -> [String] {
    let type = command(in: path).type
    let help = AlmanacCLI.helpMessage(for: type.configuration.defaultSubcommand ?? type, columns: 200)
    let common = Set(GlobalOptions.names.map(\.exact))
    return help.split(separator: "\n").compactMap { line in
      var text = line.drop { $0 == " " }
      guard text.hasPrefix("-"), line.count - text.count == 2 else { return nil }
      // A short name comes first: -y, --yes.
      if text.prefix(4).hasSuffix(", ") { text = text.dropFirst(4) }
      let name = String(text.prefix { $0 != " " })
      return common.contains(name.exact) ? nil : name
    }
  }

  /// The options that were probably meant: that of the field of a person which has the name, the nearest one, what other
  /// programs call it, or those with the same word.
  static func options(near word: String, among options: [String]) -> [String] {
    let synonyms: KeyValuePairs = [
      "-n": "--dry-run", "--output": "--out", "-f": "--format", "-q": "--quiet", "-v": "--verbose",
      "--json": "--format json", "--csv": "--format csv", "--filter": "--where", "--order": "--sort",
      "--max": "--limit", "--count": "--limit", "--top": "--limit", "--interval": "--every", "--keep": "--take",
      "--keep": "--prefer", "--use": "--take", "--use": "--prefer",
    ]
    let all = options + GlobalOptions.names
    let field = PersonFieldNames.field(meant: word)?.lowercased() ?? ""
    let ofField = options.first { field.hasPrefix($0.filter { $0 != "-" }.lowercased()) }
    if let ofField, !options.contains(word) { return [ofField] }
    let meant = synonyms.first { $0 == word && all.contains(String($1.prefix { $0 != " " })) }?.value
    return meant.map { [$0] } ?? NearestName.alike(word, among: all)
  }

  /// The options that remove a field: those of `--clear phones` and `--remove note`, where a command has no such option.
  static func options(removing field: String, among options: [String]) -> [String] {
    let field = (PersonFieldNames.field(meant: field) ?? field).lowercased()
    func isOf(_ option: String, _ beginning: String) -> Bool {
      let name = option.dropFirst(beginning.count).filter { $0 != "-" }
      return option.hasPrefix(beginning) && !name.isEmpty && field.hasPrefix(name)
    }
    let removing = options.filter { option in ["--remove-", "--clear-", "--no-"].contains { isOf(option, $0) } }
    return removing.isEmpty ? options.filter { isOf($0, "--") }.map { "\($0) ''" } : removing
  }

  /// The words of every command that is not a group, in the order of the help text.
  static func leaves(of command: any ParsableCommand.Type = AlmanacCLI.self, _ path: [String] = []) -> [[String]] {
    let inner = subcommands(of: command)
    return inner.isEmpty ? [path] : inner.flatMap { leaves(of: $0, path + [name(of: $0)]) }
  }

  private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

  private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    command.configuration.subcommands
  }
}

extension Birthday.LeapDayRule: ExpressibleByArgument {}
extension ConflictSide: ExpressibleByArgument {}
extension DuplicatePair.Score: ExpressibleByArgument {}
extension PersonMerge.Side: ExpressibleByArgument {}
