import ArgumentParser
import CLibrary
import Dispatch
import FoundationEssentials
import Models
import Synchronization

@main
enum Main {
  static func main() async {
    CompositionRoot.openStreams()
    let given = CompositionRoot.arguments
    let arguments = ArgumentOrder.globalsLast(given)
    let rest = ArgumentOrder.split(given).rest
    if given == ["--version"] {
      print("almanac \(AlmanacVersion.current)")
      exit(0)
    }
    let environment = ProcessInfo.processInfo.environment
    if rest == ["help", "options"] {
      print("Every command takes these options, before or after its name.\n")
      // The usage would name a command that does not exist.
      let text = GlobalOptions.helpMessage(columns: nil)
      print(text.firstRange(of: "OPTIONS:").map { text[$0.lowerBound...] } ?? text[...])
      exit(0)
    }
    if let mistake = CommandCheck.mistake(rest) {
      let options = WrongUse.options(given)
      CompositionRoot(options: options, environment: environment).terminal.report(mistake)
      exit(ExitStatus.usage.rawValue)
    }
    // The help text of a group takes no options.
    let named = CommandCheck.command(in: rest)
    let isHelp =
      rest.first == "help"
      || named.path == rest && named.type.configuration.defaultSubcommand == nil
        && !named.type.configuration.subcommands.isEmpty
    do {
      let parsed = try AlmanacCLI.parseAsRoot(isHelp ? rest : arguments)
      guard let command = parsed as? any ServiceCommand else {
        var command = parsed
        try command.run()
        exit(0)
      }
      let words = CommandCheck.command(in: rest).path.joined(separator: " ")
      exit(await run(command, words, environment))
    } catch {
      let problem = WrongUse(error, arguments: given)
      guard let failure = problem.failure else {
        guard AlmanacCLI.exitCode(for: problem.error).isSuccess else { AlmanacCLI.exit(withError: problem.error) }
        print(HelpText.completed(AlmanacCLI.fullMessage(for: problem.error)))
        exit(0)
      }
      CompositionRoot(options: problem.options, environment: environment).terminal.report(failure)
      exit(ExitStatus(failure.reason).rawValue)
    }
  }

  private static func run(
    _ command: any ServiceCommand, _ words: String, _ environment: [String: String]
  ) async -> Int32 {
    let interruption = Interruption()
    // A write beyond the limit of file sizes then fails and is reported, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let root = CompositionRoot(options: command.global, environment: environment, for: command, words: words)
    let terminal = root.terminal
    if let problem = root.storeProblem {
      terminal.report(problem)
      return ExitStatus(problem.reason).rawValue
    }
    let place = StorePlace(root: root)
    let job = Task {
      do throws(Failure) { return try await command.run(root).rawValue } catch {
        if error.reason == .cancelled {
          terminal.report(stopped: root.kept)
        } else {
          terminal.report(root.namingRecord(error, words: words))
        }
        return ExitStatus(error.reason).rawValue
      }
    }
    interruption.watch(job) {
      terminal.report(stopped: root.kept)
      terminal.flush()
    }
    var status = await job.value
    terminal.finish()
    place.announce(terminal)
    for failure in [await root.close(renewsFiles: command.renewsFiles), terminal.failure].compactMap({ $0 }) {
      terminal.report(failure)
      if status == ExitStatus.done.rawValue { status = ExitStatus(failure.reason).rawValue }
    }
    return status
  }
}

enum HelpText {
  /// The text without the options of every command, which 'almanac help options' prints, and with examples.
  static func completed(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: "COMMON OPTIONS:") else { return text }
    let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
    lines.removeSubrange(start..<min(end + 1, lines.endIndex))
    while lines.last?.isEmpty == true { lines.removeLast() }
    if let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) {
      let end = lines[usage...].firstIndex(of: "") ?? lines.endIndex
      let words = lines[usage..<end].joined(separator: " ").split(separator: " ").joined(separator: " ")
      lines.replaceSubrange(usage..<end, with: Printable.wrapped(shortened(words), 80, indent: 7))
      let path = CommandCheck.command(in: words.split(separator: " ").dropFirst(2).map(String.init)).path
      let examples = CommandExamples.of(path)
      if !examples.isEmpty { lines += ["", "EXAMPLES:"] + examples.map { "  \($0)" } }
    }
    return lines.joined(separator: "\n") + "\n\n\(help: "help options") lists the options of every command."
  }

  /// The line of the usage without the options of every command.
  private static func shortened(_ usage: String) -> String {
    var usage = usage
    for name in GlobalOptions.names {
      for beginning in ["[\(name)]", "[\(name) "] {
        guard let start = usage.firstRange(of: beginning)?.lowerBound,
          let end = usage[start...].firstIndex(of: "]")
        else { continue }
        usage.removeSubrange(start...end)
      }
    }
    return usage.split(separator: " ").joined(separator: " ")
  }
}

/// The store's folder at the start of a command: a mistyped path must not pass for an empty store.
struct StorePlace {
  private let path: String
  /// What names the folder; `nil` for the folder that is used where nothing does.
  private let name: String?
  private let isThere: Bool
  /// Why the store of a daemon is not there.
  private let displaced: Failure?

  init(root: CompositionRoot) {
    path = root.storePath
    name = root.options.store != nil ? "--store" : root.isStoreOfVariable ? "ALMANAC_STORE" : nil
    // What cannot be seen may be there: opening it says why.
    isThere = root.isStoreOnServer || access(path, F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno)
    displaced = isThere ? nil : root.displacedStore
  }

  /// Why a command that reads finds nothing; `nil` where there is a folder, or none was named.
  var missing: Failure? {
    guard !isThere else { return nil }
    var missing = name.map { Self.missing(at: path, name: $0) }
    // A daemon waits for its store: it was moved away, and no new one is made in its place.
    if let moved = displaced {
      missing = missing ?? Self.missing(at: path, name: "--store")
      missing?.hint = "almanacd keeps it, and it was moved or deleted: \(moved.hint ?? "move it back")"
    }
    return missing
  }

  /// The error where there is no store.
  ///
  /// - Parameter name: what names the place.
  static func missing(at path: String, name: String) -> Failure {
    Failure(
      .store, .notFound, "there is no store in \(path)",
      hint: """
        check \(name), or move the store back if it was moved; \(command: "restore", "BACKUP") puts a backup there, and \
        \(command: "sync") and \(command: "import") make a new store
        """, code: .own(.noStore), path: path)
  }

  /// Says that the command made the folder.
  func announce(_ terminal: Terminal) {
    if name != nil, !isThere, access(path, F_OK) == 0 { terminal.note("created a new store in \(path)") }
  }
}

/// Turns Ctrl-C and SIGTERM into a cancelled task, and ends the program when that takes too long: the store is whole
/// at any moment, so nothing is lost by that.
///
/// The signal's handler writes the number into a pipe, which `watch` reads: a signal that comes earlier waits
/// there. A dispatch source has a moment at its start in which a signal goes nowhere.
struct Interruption {
  /// How long a cancelled run may take to come back.
  private static let timeout = DispatchTimeInterval.milliseconds(650)
  /// How long the last words may take after that: their reader may have stopped reading.
  private static let lastWords = DispatchTimeInterval.milliseconds(100)

  private static let pipe: (out: Int32, in: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard CLibrary.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  private static let requested = Atomic(false)

  static var isRequested: Bool { requested.load(ordering: .sequentiallyConsistent) }

  /// Stops the program as that signal does. Allowed in a signal's handler.
  static func request(_ signal: Int32) {
    let error = errno
    requested.store(true, ordering: .sequentiallyConsistent)
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(pipe.in, &byte, 1)
    errno = error
  }

  /// From now on both signals wait in the pipe.
  init() {
    // Made now, because a handler may only do what is safe at any moment.
    guard Self.pipe.in >= 0, !Self.isRequested else { return }
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { Interruption.request($0) }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Watches for both signals until the program ends.
  ///
  /// - Parameter words: says that a run which does not come back was stopped.
  func watch(_ job: Task<Int32, Never>, _ words: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "interruption").async {
      var byte: UInt8 = 0
      while read(Self.pipe.out, &byte, 1) == 1 {
        let code = 128 + Int32(byte)
        Terminal.restoreSettings()
        // A task that waits for a line does not come back, and would take the next one for its answer; nor is what was typed
        // for the shell.
        if Terminal.isAsking {
          words()
          tcflush(0, TCIFLUSH)
          _exit(code)
        }
        job.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeout) {
          words()
          _exit(code)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeout + Self.lastWords) { _exit(code) }
      }
    }
  }
}

/// Accepts global options before the command as well as after it.
enum ArgumentOrder {
  private static let withValue = GlobalOptions.withValue + ["-o"]
  /// Options of commands whose value may begin with `-`, whatever it is.
  private static let takesAny: Set<String> = ["--sort", "--description"]

  /// The arguments with global options moved to the end, and with `--sort -field` and `--limit -1` joined to one word:
  /// the parser takes what begins with `-` for an option.
  static func globalsLast(_ arguments: [String]) -> [String] {
    var (rest, globals) = split(arguments)
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    rest.insert(contentsOf: globals, at: end)
    return rest
  }

  /// The arguments without the global options, with such pairs joined; and these options.
  static func split(_ arguments: [String]) -> (rest: [String], globals: [String]) {
    var kept: [String] = []
    var globals: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" { return (kept + [argument] + rest, globals) }
      let name = argument.prefix { $0 != "=" }
      if GlobalOptions.flags.contains(argument) || (withValue.contains(String(name)) && name.count < argument.count) {
        globals.append(argument)
      } else if withValue.contains(argument) {
        globals.append(argument)
        if let value = rest.popFirst() { globals.append(value) }
      } else if takesAny.contains(argument) || (argument.hasPrefix("--") && isNegative(rest.first)),
        let value = rest.popFirst()
      {
        kept.append("\(argument)=\(value)")
      } else {
        kept.append(argument)
      }
    }
    return (kept, globals)
  }

  private static func isNegative(_ argument: String?) -> Bool {
    guard let argument, argument.first == "-" else { return false }
    return argument.dropFirst().first?.isNumber == true
  }
}

struct WrongUse {
  let error: any Error
  /// The same in one line with what to do; `nil` for help texts.
  let failure: Failure?
  let options: GlobalOptions

  /// - Parameter arguments: as they were given. Where they are wrong without the global options as well, that is the
  ///   error: global options are parsed last, and a wrong command makes them look unknown.
  init(_ error: any Error, arguments: [String]) {
    var error = error
    let (rest, globals) = ArgumentOrder.split(arguments)
    if Self.isWrong(error), !globals.isEmpty {
      do { _ = try AlmanacCLI.parseAsRoot(rest) } catch let other {
        if Self.isWrong(other) { error = other }
      }
    }
    self.error = error
    options = Self.options(arguments)
    failure = Self.isWrong(error) ? Self.failure(AlmanacCLI.message(for: error), rest, globals) : nil
  }

  /// What the parser says, in one line, and what to do about it.
  private static func failure(_ message: String, _ arguments: [String], _ globals: [String]) -> Failure {
    let command = CommandCheck.command(in: arguments)
    var hint: Advice = "\(command: ["help"] + command.path) explains the command"
    let lines = message.split(separator: "\n")
    var text = lines.first.map(String.init) ?? message
    // More than five choices follow as a list, one a line.
    let choices = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    if text.hasSuffix(":"), !choices.isEmpty { text += " \(choices.joined(separator: ", "))" }
    var word = String(text.drop { $0 != "-" }.prefix { $0 != "'" && $0 != "=" })
    if !text.hasPrefix("Unknown option '-"), let option = CommandCheck.unknownOption(in: arguments) {
      // The parser takes the mistyped option for one that another parser would read: it misses the word after it, or the
      // command checks the arguments as if the option were not there.
      (text, word) = ("Unknown option '\(option)'", option)
    }
    if text.hasPrefix("Unknown option '-") {
      // The parser also suggests options that have nothing in common with the word.
      text = text.firstRange(of: ". Did you mean").map { String(text[..<$0.lowerBound]) } ?? text
      let options = CommandCheck.options(of: command.path)
      var meant: [String] = []
      if ["--clear", "--remove", "--unset", "--delete"].contains(word), let field = value(of: word, in: arguments) {
        meant = CommandCheck.options(removing: field, among: options)
      }
      if meant.isEmpty { meant = CommandCheck.options(near: word, among: options) }
      let near = meant.map { $0.hasSuffix("''") ? $0 : "'\($0)'" }.joined(separator: " or ")
      let known = options.isEmpty ? "it has only the common options" : "its options are \(NearestName.few(options))"
      hint = "\(near.isEmpty ? "\(known);" : "did you mean \(near)?") \(hint)"
    }
    if text.hasPrefix("Missing expected argument"), let example = CommandExamples.of(command.path).first {
      hint = "for example '\(example)'; \(hint)"
    }
    if let right = corrected(arguments, command.path, unexpected: text) { hint = "\(right); \(hint)" }
    if text.contains("'-o <"), CommandCheck.options(of: command.path).contains("--out") {
      hint = "-o is short for --format; --out names a file; \(hint)"
    }
    if let place = arguments.firstIndex(of: "--where"), arguments.count > place + 2,
      ["=", "!=", "~", "is", "<", "<=", ">", ">="].contains(arguments[place + 2])
    {
      let condition = ShellWord.quoted(arguments[(place + 1)...].prefix(3).joined(separator: " "))
      hint = "a condition is quoted, so that it is one word: --where \(condition); \(hint)"
    }
    if let format = exportFormat(in: globals) {
      let collection = command.path == ["people", "list"] ? "people" : arguments.dropFirst(command.path.count).first
      let words = ["export", collection ?? "COLLECTION", "--to", format]
      hint = "\(command: words) writes it; \(hint)"
    }
    let first = text.first?.lowercased() ?? ""
    return .usage(first + text.dropFirst(), hint: hint, code: .usage)
  }

  /// The value of an option: `--clear phones`, `--clear=phones`.
  private static func value(of option: String, in arguments: [String]) -> String? {
    guard let place = arguments.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return nil }
    return arguments[place] == option
      ? arguments.dropFirst(place + 1).first : String(arguments[place].dropFirst(option.count + 1))
  }

  /// What was meant by a word too many: a name of several words without quotes, or the file after the collection.
  private static func corrected(_ arguments: [String], _ path: [String], unexpected text: String) -> Advice? {
    guard text.contains("nexpected argument") else { return nil }
    let word = String(text.drop { $0 != "'" }.dropFirst().prefix { $0 != "'" })
    guard let place = arguments.indices.dropFirst(path.count + 1).first(where: { arguments[$0] == word }) else {
      return nil
    }
    let before = arguments[place - 1]
    if path == ["import"], Catalog.collections.contains(CollectionName(rawValue: before)) {
      return "\(command: "import", word, "--collection", before) imports the file"
    }
    guard !before.hasPrefix("-"), word.contains(where: \.isLetter), !word.contains(where: { "./".contains($0) }) else {
      return nil
    }
    let words = arguments[(place - 1)...].prefix { !$0.hasPrefix("-") }
    let quoted = arguments[..<(place - 1)] + [words.joined(separator: " ")] + arguments[words.endIndex...]
    return "several words are one name in quotes: \(command: Array(quoted))"
  }

  /// The value of `--format` that only `export` knows; `nil` where there is none.
  private static func exportFormat(in globals: [String]) -> String? {
    let values = globals.indices.map { index in
      let parts = globals[index].split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, ["--format", "-o"].contains(name) else { return "" }
      return parts.count > 1 ? parts[1] : globals.dropFirst(index + 1).first ?? ""
    }
    return values.first { FormatArgument(argument: $0) == nil && Export.Format(argument: $0) != nil }
  }

  static func options(_ arguments: [String]) -> GlobalOptions {
    let globals = ArgumentOrder.split(arguments).globals
    return (try? GlobalOptions.parse(globals)) ?? (try? GlobalOptions.parse([])) ?? GlobalOptions()
  }

  private static func isWrong(_ error: any Error) -> Bool { AlmanacCLI.exitCode(for: error) == .validationFailure }
}
