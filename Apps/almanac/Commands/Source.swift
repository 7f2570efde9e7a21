import ArgumentParser
import Models
import Ports

/// A command about definitions. They are beside the config file, which need not exist yet.
protocol DefinitionCommand: ServiceCommand {}

extension DefinitionCommand {
  var needsConfig: Bool { false }
}

struct SourceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "source", abstract: "Sources that a file describes, without code.",
    discussion: """
      A file sources/NAME.json beside the config file describes an API: which requests it answers, and how an answer \
      becomes records. \(help: "follow NAME/…") then works as with the sources that are built in. The program comes with \
      definitions of some APIs: \(help: "source list --gallery").
      """,
    subcommands: [
      Add.self, New.self, Import.self, Check.self, Try.self, List.self, Show.self, Remove.self, Trust.self, Login.self,
      Schema.self,
    ])

  struct Check: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Name every mistake of a definition, with its place.",
      discussion: """
        Exits with 0 if there are none, and with 78 otherwise. Warnings are about what is allowed and may be meant \
        otherwise, such as a text that looks like a path. --write writes the words of earlier versions of the language as \
        they are written now, and leaves the rest as it is.
        """)

    @Argument(
      help: "Files, or names of definitions; those of the folder sources where none is named.",
      completion: .file(extensions: ["json"]))
    var files: [String] = []
    @Flag(help: "Renew the words of earlier versions.") var write = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      var checked: [CheckedDefinition] = []
      if files.isEmpty { checked = services.definitions.installed() }
      for file in files { checked.append(try services.definitions.check(file)) }
      let terminal = services.terminal
      if write {
        for definition in checked where definition.problems.isEmpty {
          let places = try services.definitions.renew(definition.path)
          if !places.isEmpty { terminal.note("\(definition.path): renewed \(places.joined(separator: ", "))") }
        }
      }
      if checked.isEmpty { terminal.note("there is no definition in \(services.definitions.folder)") }
      if terminal.format == .table {
        for definition in checked { print(definition, terminal) }
      } else {
        terminal.answer.list(checked.map(Self.fields), columns: ["file", "source", "ok", "problems", "warnings"])
      }
      return checked.allSatisfy(\.problems.isEmpty) ? .done : .config
    }

    private func print(_ checked: CheckedDefinition, _ terminal: Terminal) {
      for (problems, kind) in [(checked.problems, ""), (checked.warnings, "warning: ")] {
        for problem in problems { terminal.line(Printable.text(problem.text(in: checked.path, kind: kind))) }
      }
      guard let definition = checked.definition, !terminal.isQuiet else { return }
      let collections = definition.collections.map(\.name.rawValue).joined(separator: ", ")
      terminal.line("\(checked.path): no mistakes; \(definition.name) fills \(collections)")
      for form in definition.follows.map(\.form) { terminal.line("  almanac follow \(form.text)") }
    }

    private static func fields(_ checked: CheckedDefinition) -> JSONObject {
      [
        "file": .string(checked.path), "source": .string((checked.definition?.name ?? checked.name).rawValue),
        "ok": .bool(checked.problems.isEmpty),
        "problems": .array(checked.problems.map(fields)), "warnings": .array(checked.warnings.map(fields)),
      ]
    }

    private static func fields(_ problem: SettingsProblem) -> JSONValue {
      [
        "line": .int(problem.line), "column": .int(problem.column), "path": .string(problem.path),
        "message": .string(problem.message),
      ]
    }
  }
  struct List: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the sources, with the paths that can be followed.")

    @Flag(help: "List the definitions that come with the program, for \(help: "source add").") var gallery = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      if gallery { return listGallery(services) }
      let definitions = services.definitions.installed()
      let records = services.sources.flatMap { source in
        let checked = definitions.first { $0.name == source.name }
        return source.forms.map { form -> JSONObject in
          [
            "source": .of(source.name.rawValue), "path": .of(form.text),
            "keeps": .of(checked?.failure?.message ?? form.summary), "file": .of(checked?.path),
          ]
        }
      }
      return services.answer.list(records, columns: ["source", "path", "keeps", "file"])
    }

    private func listGallery(_ services: CompositionRoot) -> ExitStatus {
      let installed = services.sources.map(\.name)
      let records = services.definitions.gallery().map { definition -> JSONObject in
        let keys = definition.auths.isEmpty ? "none" : definition.isKeyOptional ? "optional" : "required"
        return [
          "source": .of(definition.name.rawValue), "keeps": .of(definition.title),
          "collections": .texts(definition.collections.map(\.name.rawValue)), "key": .of(keys),
          "needs": .of(Self.needs(of: definition)), "docs": .of(definition.docs),
          "isAdded": .of(installed.contains(definition.name)),
        ]
      }
      guard services.terminal.format == .table else {
        return services.answer.list(records, columns: ["source", "keeps", "needs", "isAdded"])
      }
      // What is usual is left out, so that the texts have room.
      let rows = records.map { record -> JSONObject in
        var row = record
        if row["key"] == "none" { row["key"] = nil }
        row["added"] = record["isAdded"] == true ? "yes" : nil
        return row
      }
      return services.answer.list(rows, columns: ["source", "key", "keeps", "added"])
    }

    /// What a user gives, in a few words; `nil` for nothing.
    private static func needs(of definition: SourceDefinition) -> String? {
      var needs: [String] = []
      if let auth = definition.auths.first {
        let client = definition.hasLogin ? "a client" : "a key"
        let key = auth.keyForm.map { "\(client) \($0)" } ?? "a key"
        needs.append(key + (definition.hasLogin ? " and a login" : "") + (definition.isKeyOptional ? ", optional" : ""))
      }
      needs += definition.settings.filter { $0.standard == nil && !$0.isOptional && $0.origin == nil }.map {
        "the setting \($0.name)"
      }
      return needs.isEmpty ? nil : needs.joined(separator: "; ")
    }
  }
}
