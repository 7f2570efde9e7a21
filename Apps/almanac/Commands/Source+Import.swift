import ArgumentParser
import Models
import Ports

extension SourceCommand {
  struct Import: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Make a definition from a manifest of a low-code connector of Airbyte.",
      discussion: """
        Streams become follows. Nothing of the manifest is run, and no address in it is opened. Streams that need program \
        code, and those that definitions cannot describe, are named with their lines and left out; --strict makes that an \
        error. The settings of the connector become settings of the source, in servers.NAME.with, and its secrets the key. \
        The key is sent after \(help: "source trust NAME").

          almanac source import manifest.yaml --name shop --dry-run
          almanac source import manifest.yaml --set region=eu --stream orders
        """)

    @Argument(help: "The manifest, in YAML or JSON.", completion: .file(extensions: ["yaml", "yml", "json"]))
    var manifest: String
    @Option(help: "The name of the source; that of the folder or the file where absent.") var name: String?
    @Option(help: ArgumentHelp("The default of a setting; repeatable.", valueName: "name=value")) var set: [String] = []
    @Option(help: ArgumentHelp("A stream that is wanted, in place of all; repeatable.", valueName: "name"))
    var stream: [String] = []
    @Flag(help: "Print the definition, and write nothing.") var dryRun = false
    @Flag(help: "Write nothing and fail (65) if a stream is left out.") var strict = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      if let name, !SourceName.isDefinable(name) {
        throw ValidationError("--name takes a-z, 0-9 and -, and begins with a letter, not '\(name)'")
      }
      for text in set where !text.contains("=") { throw ValidationError("--set takes NAME=VALUE, not '\(text)'") }
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let source = SourceName(rawValue: name ?? Self.name(of: manifest))
      if !dryRun, services.sources.contains(where: { $0.name == source }) {
        throw .usage("there is a source \(source) already", hint: "choose another name with --name", code: .taken)
      }
      let defaults = set.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (name: parts[0], value: parts[1])
      }
      let imported = try services.definitions.imported(manifest, as: source, streams: stream, defaults: defaults)
      let terminal = services.terminal
      for line in lines(imported.refused, "left out: ") { terminal.complain(line) }
      if !terminal.isQuiet { for line in lines(imported.notes, "") { terminal.complain(line) } }
      let total = imported.streams.count + imported.refused.count
      let summary = "\(imported.streams.count) of \(total.counted("stream"))"
      if imported.streams.isEmpty || strict && !imported.refused.isEmpty {
        throw Failure(
          .config, .unparsable, "\(summary) of \(manifest) can be followed; nothing was written",
          hint: imported.streams.isEmpty
            ? "a program can do what definitions cannot: see \"command\" in the page about sources"
            : "without --strict, the others are imported", path: manifest)
      }
      if dryRun {
        services.definitions.check(imported.text, as: source).complainOfWarnings(terminal)
        terminal.write(Array(imported.text.utf8))
        terminal.note(Advice(summary))
        return .done
      }
      let file = try services.definitions.installImported(imported.text, as: source)
      services.noteGallery(source)
      let checked = try services.definitions.check(file)
      checked.complainOfWarnings(terminal)
      let forms = checked.definition?.follows.map(\.form.text) ?? []
      let missing = (checked.definition?.settings ?? []).filter {
        $0.standard == nil && !$0.isOptional && $0.origin == nil
      }
      let answer: JSONObject = [
        "source": .string(source.rawValue), "file": .string(file), "paths": .texts(forms),
        "settings": .texts(missing.map(\.name)),
        "leftOut": .array(
          imported.refused.map {
            ["stream": .string($0.stream ?? ""), "line": .int($0.line), "reason": .string($0.reason)]
          }),
      ]
      terminal.answer.done(answer) {
        terminal.line(file)
        for form in forms { terminal.line("  almanac follow \(form)") }
      }
      terminal.note(Advice(summary))
      for setting in missing {
        let help = setting.help.isEmpty ? "" : ": \(setting.help)"
        terminal.note("it needs \(command: "config", "set", "servers.\(source).with.\(setting.name)", "…")\(help)")
      }
      if let definition = checked.definition, let auth = definition.auths.first {
        let parts = auth.parts == ["key"] ? "" : " (\(auth.parts.joined(separator: ":")))"
        terminal.note(
          "it needs a key\(parts): \(command: "config", "set", "servers.\(source).apiKey"), then \(command: "source", "trust", source.rawValue)"
        )
      }
      return .done
    }

    /// A line for each reason, with the streams that it is about.
    private func lines(_ remarks: [ImportedDefinition.Remark], _ prefix: String) -> [Advice] {
      var reasons: [(reason: String, remarks: [ImportedDefinition.Remark])] = []
      for remark in remarks {
        if let index = reasons.firstIndex(where: { $0.reason == remark.reason }) {
          reasons[index].remarks.append(remark)
        } else {
          reasons.append((remark.reason, [remark]))
        }
      }
      return reasons.map { reason, remarks in
        let line = remarks[0].line
        let streams = remarks.prefix(5).compactMap(\.stream).joined(separator: ", ")
        let more = remarks.count > 5 ? " and \(remarks.count - 5) more" : ""
        let place = line > 0 ? "\(manifest):\(line)" : manifest
        return Advice(Printable.text("\(place): \(streams)\(more)\(streams.isEmpty ? "" : ": ")\(prefix)\(reason)"))
      }
    }

    /// `klarna` for `source-klarna/manifest.yaml`.
    private static func name(of path: String) -> String {
      var parts = path.split(separator: "/").map(String.init)
      let file = parts.popLast() ?? path
      var name = file.hasPrefix("manifest.") ? parts.last ?? "source" : String(file.prefix { $0 != "." })
      if name.hasPrefix("source-") { name = String(name.dropFirst("source-".count)) }
      let letters = name.lowercased().map { ("a"..."z").contains($0) || ("0"..."9").contains($0) ? $0 : "-" }
      let start = String(letters).drop { !("a"..."z").contains($0) }
      return start.isEmpty ? "source" : String(start)
    }
  }
}
