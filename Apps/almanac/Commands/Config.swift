import ArgumentParser
import CLibrary
import Models
import Ports

private let settingHelp = ArgumentHelp("The setting, servers.people.url for example.", valueName: "setting")

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show, change and check the config file.",
    discussion: """
      A setting is named by its place in the file:

        almanac config set servers.people.url https://people.example.com
        almanac config set servers.flickr.apiKey          # asks for the key
        almanac config set servers.flickr.apiKey '{"command": ["pass", "flickr"]}'
        almanac config get follows[0].limit
      """, subcommands: [Get.self, Set.self, Unset.self, Edit.self, Path.self, Check.self])

  struct Get: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Print a setting, or all of them; keys and other secrets are hidden.")

    @Argument(help: settingHelp, completion: Completions.settings) var place: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var isPaged: Bool { true }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let all = ConfigText.hidden(.object(try ConfigText.read(services)), named: "")
      guard let place else { return services.answer.one(all.object ?? [:]) }
      guard let value = ConfigText.value(at: place, in: all) else { throw ConfigText.notSet(place, services) }
      let answer = services.answer
      switch (services.terminal.format, value) {
      case (.json, _), (.jsonl, _): services.terminal.write(services.coder.encode(value) + [0x0A])
      case (.csv, _):
        answer.list([["setting": .string(place), "value": value]], columns: ["setting", "value"])
      case (.table, .object(let object)): answer.one(object)
      case (.table, _): services.terminal.line(Printable.text(answer.cell(value)))
      }
      return .done
    }
  }

  struct Set: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change a setting; the rest of the file stays as it is.",
      discussion: """
        A value that is JSON is taken as such, anything else as a string. Without a value, it is asked for in a terminal, \
        and what is typed is not shown; elsewhere it is the first line of standard input. A change that would make a \
        mistake is refused; mistakes that the file has already are named.

        A key of a source, or the password of an account, that is not an argument is kept in a file that only you can read, \
        in the folder keys beside the config file. With --keyring, or where the old one is there, it is kept in the keyring \
        of the system (secret-tool). In a terminal it is tried at once.
        """)

    /// What a key consists of that is asked for: ` (ID:SECRET)`; empty for other settings.
    private static func form(of place: String, _ services: CompositionRoot) -> String {
      services.sources.first { place == "servers.\($0.name).apiKey" }?.key?.form.map { " (\($0))" } ?? ""
    }

    @Argument(help: settingHelp, completion: Completions.settings) var place: String
    @Argument(help: "The value.") var value: String?
    @Flag(help: "Keep the key in the keyring of the system.") var keyring = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      let isTyped = value == nil
      guard let text = value ?? terminal.askHidden("\(place)\(Self.form(of: place, services)): "),
        !text.isEmpty || !isTyped
      else { throw .usage("there is no value for \(place)", hint: "nothing was changed", code: .noValue) }
      let key = isTyped ? TypedKey(setting: place, services) : nil
      guard key != nil || !keyring else {
        throw .usage(
          "--keyring takes the key of a source that is typed or piped",
          hint: "almanac config set servers.flickr.apiKey --keyring", code: .usage)
      }
      // What was typed is a key or a name, also where its characters are a number.
      var read = isTyped ? nil : try? services.coder.decode(Array("{\"value\":\(text)}".utf8))["value"]
      let kept = KeptKey.all(services)
      if let key { read = try key.keep(text, inKeyring: keyring, old: kept) }
      try services.change(.set(place, read ?? .string(text.trimmed)))
      let isShared = key == nil && ConfigText.isSecret(place) && ConfigText.othersCanRead(services.settingsFile.path)
      terminal.answer.done(
        ["setting": .string(place), "outcome": "set"], note: "\(place) is set in \(services.settingsFile.path)")
      ConfigText.complainOfMistakes(services)
      KeptKey.removeUnused(kept, services)
      if let source = services.sources.first(where: { place == "servers.\($0.name).apiKey" }), source.key == nil {
        terminal.complain("warning: \(place) is not used: requests to \(source.name) carry no key")
      }
      if isShared {
        terminal.complain(
          "warning: other users can read this file: chmod 600 \(ShellWord.quoted(services.settingsFile.path))")
      }
      if let key, key.isUsed, terminal.canAsk { return await key.prove() }
      return .done
    }
  }

  struct Unset: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset", abstract: "Remove a setting.",
      discussion: "A key that 'config set' kept in a file or in the keyring is removed with its setting.")

    @Argument(help: settingHelp, completion: Completions.settings) var place: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let kept = KeptKey.all(services)
      guard try services.change(.unset(place)) else { throw ConfigText.notSet(place, services) }
      services.answer.done(["setting": .string(place), "outcome": "removed"], note: "\(place) is not set any more")
      ConfigText.complainOfMistakes(services)
      KeptKey.removeUnused(kept, services)
      return .done
    }
  }

  struct Edit: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Open the config file in an editor, then check it.",
      discussion:
        "The editor is that of VISUAL or EDITOR, or vi. Without a terminal, vi is not started: it ends with 64.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let path = services.settingsFile.path
      try UserEditor.open(path, services.terminal, instead: "\(command: "config", "set") changes one setting")
      services.forgetSettings()
      return try Check.check(services)
    }
  }

  struct Path: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "path", abstract: "Print where the config file is.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let path = services.settingsFile.path
      return services.answer.value(["path": .string(path), "exists": .bool(access(path, F_OK) == 0)]) {
        services.terminal.line(path)
      }
    }
  }

  struct Check: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Name every mistake of the config file, with its place.",
      discussion:
        """
        Ends with 0 where there is none, and with 78 otherwise. It contacts no server and runs no command that prints a \
        key; \(help: "doctor") does. Notes, such as a key file that others can read, do not change the status.
        """)

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus { try Self.check(services) }

    static func check(_ services: CompositionRoot) throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      let path = services.settingsFile.path
      let settings = services.settings
      if let failure = settings.failure { throw failure }
      let problems =
        settings.problems.isEmpty
        ? ConfigCheck(services: services, settings: settings.settings).problems()
        : settings.problems.map {
          ConfigCheck.Problem(
            place: $0.path, position: TextPlace(line: $0.line, column: $0.column), message: $0.message)
        }
      let isWell = problems.allSatisfy(\.isNote)
      if terminal.format == .csv {
        terminal.answer.list(problems.map(\.fields), columns: [], csvFields: ["line", "column", "path", "message"])
      } else {
        let fields: JSONObject = [
          "file": .string(path), "ok": .bool(isWell), "problems": .objects(problems.map(\.fields)),
        ]
        terminal.answer.value(fields) {
          for problem in problems { terminal.line(Printable.text("\(path):\(terminal.words(problem.line))")) }
          if problems.isEmpty, !terminal.isQuiet { terminal.line("\(path): no mistakes") }
        }
      }
      return isWell ? .done : .config
    }
  }
}

enum ConfigText {
  static func notSet(_ place: String, _ services: CompositionRoot) -> Failure {
    let path = services.settingsFile.path
    return Failure(
      .config, .notFound, "\(place) is not set in \(path)",
      hint: "\(command: "config", "get") prints every setting", code: .own(.notSet), path: path)
  }

  /// The members of the file; none where there is no file.
  static func read(_ services: CompositionRoot) throws(Failure) -> JSONObject {
    // Every mistake is named, as anywhere else.
    _ = try services.settings.strict()
    return (try? services.coder.decode(services.settings.bytes)) ?? [:]
  }

  /// Names the mistakes that the file still has after a change.
  static func complainOfMistakes(_ services: CompositionRoot) {
    guard let failure = services.settings.problem() else { return }
    services.terminal.complain("warning: \(failure.message)", hint: failure.hint)
  }

  /// The value at a place of the file, also where the file has mistakes.
  static func stored(_ place: String, _ services: CompositionRoot) -> JSONValue? {
    (try? services.coder.decode(services.settings.bytes)).flatMap { value(at: place, in: .object($0)) }
  }

  /// Removes the value at a place, and the objects around it that are empty then, up to `servers`.
  static func remove(_ place: String, _ services: CompositionRoot) throws(Failure) {
    var place = place
    repeat {
      try services.change(.unset(place))
      place = place.lastIndex(of: ".").map { String(place[..<$0]) } ?? ""
    } while place.contains(".") && stored(place, services)?.object?.members.isEmpty == true
  }

  /// The value at `servers.people.url` or `follows[0].limit`.
  static func value(at place: String, in value: JSONValue) -> JSONValue? {
    var value: JSONValue? = value
    for part in place.split(separator: ".", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "[" }
      if !name.isEmpty { value = value?.object?[String(name)] }
      for index in part.dropFirst(name.count).split(separator: "[") {
        guard let number = Int(index.prefix { $0 != "]" }), let list = value?.array, list.indices.contains(number)
        else { return nil }
        value = list[number]
      }
    }
    return value
  }

  static func places(_ value: JSONValue, _ place: String = "") -> [String] {
    switch value {
    case .object(let object):
      object.members.flatMap { places($0.value, place.isEmpty ? $0.key : "\(place).\($0.key)") }
    case .array(let values): values.enumerated().flatMap { places($0.element, "\(place)[\($0.offset)]") }
    default: [place]
    }
  }

  /// The value with secrets replaced by `(hidden)`; where a secret comes from is none.
  static func hidden(_ value: JSONValue, named name: String) -> JSONValue {
    switch value {
    case .string where isSecret(name): .string("(hidden)")
    case .object(let object):
      .object(JSONObject(members: object.members.map { .init(key: $0.key, value: hidden($0.value, named: $0.key)) }))
    case .array(let values): .array(values.map { hidden($0, named: name) })
    default: value
    }
  }

  static func isSecret(_ place: String) -> Bool {
    let name = place.split(separator: ".").last?.lowercased() ?? ""
    return ["key", "secret", "token", "password"].contains { name.hasSuffix($0) }
  }

  static func othersCanRead(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o044 != 0
  }
}
