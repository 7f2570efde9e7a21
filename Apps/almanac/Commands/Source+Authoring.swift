import ArgumentParser
import CLibrary
import Models
import Ports

// The commands that make definitions and look at them.

extension CheckedDefinition {
  func complainOfWarnings(_ terminal: Terminal) {
    for warning in warnings { terminal.complain("warning: \(path): \(warning)") }
  }
}

extension CompositionRoot {
  /// Says that a name was given to a definition which one of the gallery has.
  func noteGallery(_ name: SourceName) {
    guard definitions.isInGallery(name) else { return }
    terminal.note(
      "the gallery has a source \(name), too: \(command: "source", "add", name.rawValue) needs this one to have another name"
    )
  }
}

extension SourceCommand {
  struct New: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Propose a definition from an answer of an API, a recording or an OpenAPI document.",
      discussion: """
        Asks for URL once and proposes where the records are, what their fields are, which one is the id, and how the \
        list continues. It says what it is not sure of. Without --save the definition is printed.

        With --auth, the request has a key: that of the variable which --key-env names, or the one that is typed, or piped. \
        It is in no file afterwards; \(help: "config set servers.NAME.apiKey") keeps it.

          almanac source new 'https://api.example/items?limit=50' --name shop --save
          almanac source new https://api.example/v1/items --auth bearer   # asks
          almanac source new https://api.example --auth 'header X-Key' --key-env KEY
          almanac source new --from openapi.json --name shop
          almanac follow shop/items
          almanac sync
        """)

    @Argument(help: "An address that answers with a list of records.") var url: String?
    @Option(
      help: ArgumentHelp("A recording (HAR), or an OpenAPI document in JSON, in place of URL.", valueName: "file"),
      completion: .file(extensions: ["har", "json"]))
    var from: String?
    @Option(help: "The name of the source; the server's where absent.") var name: String?
    @Option(
      help: ArgumentHelp(
        "How URL takes a key: bearer, basic (USER:PASSWORD), 'header NAME [PREFIX]' or 'query NAME'.", valueName: "kind"
      ))
    var auth: String?
    @Option(help: ArgumentHelp("The environment variable with the key.", valueName: "variable")) var keyEnv: String?
    @Flag(help: "Write it into the folder of definitions.") var save = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(auth == nil || from == nil, "--auth needs URL: a recording has its requests")
      try require(keyEnv == nil || auth != nil, "--key-env needs --auth, which says how the key is sent")
      if let auth, Self.authentication(auth) == nil {
        throw ValidationError(
          "--auth '\(auth)' is none of bearer, basic, 'header NAME', 'header NAME PREFIX', 'query NAME'")
      }
      try require((url == nil) != (from == nil), "expected URL or --from FILE")
      if let url {
        let scheme = ["https://", "http://"].first { url.lowercased().hasPrefix($0) }
        guard let scheme, !url.dropFirst(scheme.count).prefix(while: { !"/?#".contains($0) }).isEmpty else {
          throw ValidationError("expected an address that begins with http:// or https://, not '\(url)'")
        }
      }
      try require(from == nil || name != nil, "--from needs --name NAME, the name of the source")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let source = SourceName(rawValue: name ?? Self.name(of: url ?? "", besides: services.sources.map(\.name)))
      let proposed: ProposedDefinition
      if let from {
        proposed = try services.definitions.propose(source, fromFile: from)
      } else {
        let url = url ?? ""
        let sent = auth.flatMap(Self.authentication)
        let secret = sent == nil ? nil : try key(of: source, services)
        let answer = try await services.response(from: url, sent, key: secret)
        proposed = try services.definitions.propose(source, from: answer, to: url, sent)
      }
      let terminal = services.terminal
      for note in proposed.notes where !terminal.isQuiet || !note.isSure {
        terminal.complain("\(note.isSure ? "" : "not sure: ")\(note.part) \(note.choice): \(note.reason)")
      }
      if proposed.records + proposed.rejected > 0 {
        terminal.note("it reads \(proposed.records.counted("record")) of this answer, and rejects \(proposed.rejected)")
      }
      guard save else {
        terminal.write(Array(proposed.text.utf8))
        let checked = services.definitions.check(proposed.text, as: source)
        for problem in checked.problems { terminal.complain("a mistake to correct before it can be used: \(problem)") }
        checked.complainOfWarnings(terminal)
        return .done
      }
      let file: String
      do throws(Failure) { file = try services.definitions.install(proposed.text, as: source) } catch {
        guard error.code == .own(.definition) else { throw error }
        throw Failure(
          .config, .config, "the proposal has mistakes, and is not saved",
          hint: (error.hint ?? "")
            + "\ncorrect them in the text that the command prints without --save, and add the file "
            + "with \(command: "source", "add", "./\(source).json")", code: .own(.definition))
      }
      services.noteGallery(source)
      let checked = try services.definitions.check(file)
      terminal.line(file)
      for form in checked.definition?.follows.map(\.form) ?? [] { terminal.note("almanac follow \(form.text)") }
      let collections = checked.definition?.collections.map(\.name.rawValue) ?? []
      if auth != nil { terminal.note("\(command: "config", "set", "servers.\(source).apiKey") keeps the key") }
      terminal.note(
        "after \(command: "sync"): \(collections.map { "\(command: "list", $0)" as Advice }.joined(separator: ", "))")
      return .done
    }

    /// The key of the variable, or the one that is typed.
    private func key(of source: SourceName, _ services: CompositionRoot) throws(Failure) -> String {
      if let keyEnv {
        if let key = variable(keyEnv) { return key }
        throw .usage("the environment variable \(keyEnv) has no key", hint: "export \(keyEnv)=…", code: .noValue)
      }
      if let key = services.terminal.askHidden("the key of \(source): "), !key.isEmpty { return key }
      throw .usage("there is no key", hint: "type it, pipe it, or name its variable with --key-env", code: .noValue)
    }

    /// How a key is sent; `nil` if the text does not say it.
    private static func authentication(_ text: String) -> SourceDefinition.Authentication? {
      let words = text.split(separator: " ").map(String.init)
      return switch (words.first, words.count) {
      case ("bearer", 1): .bearer()
      case ("basic", 1): .basic()
      case ("header", 2): .header(words[1])
      case ("header", 3): .header(words[1], prefix: words[2] + " ")
      case ("query", 2): .query(words[1])
      default: nil
      }
    }

    /// `shop` for `https://api.shop.example/v1`; of an address without a name, `posts` for `http://10.0.0.2/v1/posts.json`.
    static func name(of url: String, besides taken: [SourceName]) -> String {
      let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
      let host = url[start...].prefix { !"/?#:".contains($0) }
      let words = host.split(separator: ".").map { $0.lowercased() }
      let generic = ["www", "api", "rest", "com", "org", "net", "io", "dev", "co", "example"]
      let chosen = words.filter { !generic.contains($0) }
      let path = url[start...].prefix { !"?#".contains($0) }.split(separator: "/").dropFirst()
      let last = path.last?.prefix { $0 != "." }.lowercased()
      let name = (chosen.count > 1 ? chosen[chosen.count - 2] : chosen.first) ?? ""
      if SourceName.isDefinable(name) { return name }
      guard let last, SourceName.isDefinable(last), !taken.contains(SourceName(rawValue: last)) else { return "source" }
      return last
    }
  }

  struct Try: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "try", abstract: "Pull a follow of a definition, and write nothing.",
      discussion:
        """
        Shows the records that a sync would bring, and each one that it would reject; which fields none of them has, and \
        why the list ended. --verbose has the requests; with --seed, a recording answers.
        """)

    @Argument(help: "What to follow, for example shop/items.", completion: Completions.paths) var path: String
    @Option(help: "How many records at most are shown.") var show = 5
    @Option(help: "How many records at most are asked for.") var limit: Int?
    @Option(
      name: .customLong("option"), help: ArgumentHelp("An option of the source; repeatable.", valueName: "name=value"))
    var options: [String] = []
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let named = Follow(
        path: path, limit: limit, options: try FollowOptionArgument.parse(options, for: path, services.sources))
      let follow = try Failure.from { () throws(FollowError) in try services.check(named) }
      services.definitions.installed().first { $0.name == follow.source }?.complainOfWarnings(services.terminal)
      let report = try await services.planning().sync(
        [follow], SyncOptions(dryRun: true, plansWithPosts: true, full: true, sendsEdits: false))
      let terminal = services.terminal
      let changes = report.plan ?? []
      if terminal.format == .table {
        for change in changes.prefix(max(0, show)) {
          terminal.line("\(terminal.bold("\(change.collection)/\(change.id)")) \(change.operation.rawValue)")
          for member in change.changed?.members ?? [] {
            terminal.line(Printable.text("  \(member.key): \(terminal.answer.cell(member.value))"))
          }
        }
        for follow in report.follows {
          terminal.note(
            "\(follow.counts.requests.counted("request")), \(changes.count.counted("record differs", "records differ")), "
              + "\(follow.counts.rejected) rejected")
          for note in follow.notes { terminal.note(Advice(note)) }
          for line in SyncAnswer.rejects(of: follow) { terminal.line(line) }
        }
      } else {
        terminal.write(services.coder.encode(report.fields) + [0x0A])
      }
      for follow in report.follows { if let error = follow.error { throw error } }
      return .done
    }
  }

  struct Show: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show what a source reads: its paths, options and collections with their fields.")

    @Argument(help: "The source.", completion: Completions.sources) var source: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      if let failure = services.definitions.installed().first(where: { $0.name.rawValue == source })?.failure {
        throw failure
      }
      guard let descriptor = services.sources.first(where: { $0.name.rawValue == source }) else {
        let nearest = NearestName.question(source, among: services.sources.map(\.name.rawValue))
        throw Failure(
          .config, .notFound, "there is no source '\(source)'",
          hint: "\(nearest)\(command: "source", "list") names them", code: .own(.noSource))
      }
      let terminal = services.terminal
      return terminal.answer.value(Self.fields(descriptor)) {
        terminal.line("\(terminal.bold(descriptor.name.rawValue))  \(descriptor.summary)")
        for line in Self.lines(descriptor).flatMap({ Printable.wrapped($0, terminal.width ?? .max, indent: 8) }) {
          terminal.line(line)
        }
      }
    }

    private static func lines(_ source: SourceDescriptor) -> [String] {
      var lines: [String] = []
      if let url = source.defaultURL { lines.append("server  \(url)") }
      if let key = source.key { lines.append("key     \(key.variable); \(key.help)") }
      lines += source.settings.map { setting in
        let state =
          setting.standard.map { "\($0) if it is not set" } ?? (setting.isOptional ? "optional" : "needed")
        let choices = setting.choices.isEmpty ? "" : "; \(setting.choices.map(\.given).joined(separator: ", "))"
        return "setting \(setting.name)  \(setting.help.isEmpty ? "" : "\(setting.help); ")\(state)\(choices)"
      }
      lines += source.forms.map { "path    \($0.text)  \($0.summary)" }
      lines += source.options.map { option in
        let help = option.help.hasSuffix(".") ? String(option.help.dropLast()) : option.help
        return "option  \(option.name)  \(help); \(option.expected)"
      }
      lines += source.collections.map { collection in
        "fills   \(collection.name): \(collection.leaves.map(\.name).joined(separator: ", "))"
      }
      return lines
    }

    private static func fields(_ source: SourceDescriptor) -> JSONObject {
      let collections = source.collections.map { collection in
        JSONObject.Member(key: collection.name.rawValue, value: .texts(collection.leaves.map(\.name)))
      }
      return [
        "source": .of(source.name.rawValue), "summary": .of(source.summary), "url": .of(source.defaultURL),
        "key": .of(source.key?.variable), "settings": .texts(source.settings.map(\.name)),
        "paths": .texts(source.forms.map(\.text)), "options": .texts(source.options.map(\.name)),
        "collections": .object(JSONObject(members: collections)),
      ]
    }
  }

  struct Trust: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "trust", abstract: "Let the server that a definition names have the source's key.",
      discussion: """
        The server that gets a key first is remembered. A definition that names another one later gets no key, so that \
        a file that was replaced cannot send it elsewhere; this command says that the change is right.
        """)

    @Argument(help: "The source.", completion: Completions.definitions) var source: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let name = SourceName(rawValue: source)
      let server = try services.definitions.trust(name, services.settings.partial().servers[name])
      return services.answer.done(
        ["source": .string(source), "server": .string(server)], line: "the key of \(source) goes to \(server)")
    }
  }

  struct Add: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a definition of the gallery, or a file, to the folder of definitions.",
      discussion: "\(help: "source list --gallery") lists the definitions that come with the program.")

    @Argument(help: "A name of the gallery, or the path of a file.", completion: Completions.gallery) var definition:
      String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let checked = try services.definitions.add(definition)
      guard let added = checked.definition else {
        throw checked.failure ?? Failure(.config, .config, "it has mistakes")
      }
      let terminal = services.terminal
      checked.complainOfWarnings(terminal)
      let forms = added.follows.map(\.form.text)
      let answer: JSONObject = [
        "source": .string(added.name.rawValue), "file": .string(checked.path),
        "paths": .texts(forms),
      ]
      terminal.answer.done(answer) {
        terminal.line(checked.path)
        for form in forms { terminal.line("  almanac follow \(form)") }
      }
      // It says whose server is meant, and which setting names another one.
      if let title = added.title { terminal.note("\(added.name) keeps \(title)") }
      if let example = added.follows.lazy.compactMap(\.form.example).first {
        terminal.note("for example \(command: "follow", example)")
      }
      if !added.command.isEmpty {
        terminal.note("a sync of it runs the program \(added.command.joined(separator: " "))")
      }
      if let key = added.descriptor.key {
        let form = key.form.map { " \($0)" } ?? ""
        terminal.note(
          "\(key.isOptional ? "a key\(form) is optional" : "it needs a key\(form)"): "
            + "\(command: "config", "set", "servers.\(added.name).apiKey"), or \(key.variable); \(key.help)")
      }
      return .done
    }
  }

  struct Remove: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a definition and the settings of its server; its records stay.",
      discussion: """
        A source that is followed cannot be removed: unfollow its paths first. A key that 'config set' kept in a file or in \
        the keyring is removed with the settings. A file that the gallery does not have like this is kept in the folder \
        .removed beside the definitions.
        """)

    @Argument(help: "The source.", completion: Completions.definitions) var source: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let name = SourceName(rawValue: source)
      if let follow = try services.completed(services.settings.partial()).follows.first(where: { $0.source == name }) {
        throw .usage(
          "\(source) is followed: \(follow.path)", hint: "\(command: "unfollow", follow.path) first", code: .followed)
      }
      let removed = try services.definitions.remove(name)
      let fields: JSONObject = ["source": .string(source), "outcome": "removed", "kept": .of(removed.kept)]
      services.answer.done(fields) {
        services.terminal.line("\(removed.file) removed")
        guard let kept = removed.kept else { return }
        services.terminal.note("it is kept as \(kept); \(command: "source", "add", kept) brings it back")
      }
      // Of a source that does not exist, they are a mistake.
      let setting = "servers.\(source)"
      guard ConfigText.stored(setting, services) != nil else { return .done }
      let kept = KeptKey.all(services)
      try ConfigText.remove(setting, services)
      services.terminal.note("\(setting) is not set any more")
      KeptKey.removeUnused(kept, services)
      return .done
    }
  }

  struct Schema: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "schema", abstract: "Print the JSON Schema of definitions, for editors.",
      discussion: """
        almanac source schema > source.schema.json
        A definition that begins with "$schema": "./source.schema.json" is checked while it is written.
        """)

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      services.terminal.write(Array(services.definitions.schema.utf8))
      return .done
    }
  }
}
