import ArgumentParser
import Frontend
import Models
import Ports

struct Import: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import records as one commit.",
    discussion: """
      The file's name or --collection says which collection: people.jsonl, and what a repair kept as \
      people.jsonl.damaged. Records of the file take the place of those with the same id; the others stay. \
      A person keeps the id on the server, remoteID, if the file does not have it.
      """)

  @Argument(help: "A file of JSON Lines; - is standard input.", completion: .file()) var file: String
  @Option(help: "The collection.", completion: Completions.collections) var collection: String?
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var changes: ChangeCause.Kind { .import }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    guard let text = collection ?? Self.collection(of: file) else {
      throw Failure(
        .config, .usage, "\(file) does not say which collection it holds",
        hint: Self.otherFormat(file) ?? "name it with --collection, or name the file like people.jsonl")
    }
    let name = try CollectionArgument.parse(text, services)
    let input = try InputFile(path: file).open()
    let library = try services.library()
    let result: ImportedRecords
    do throws(Failure) {
      result = try await library.importLines(into: name) { () throws(Failure) in try input.read() }
    } catch {
      throw naming(error)
    }
    let counts: JSONObject = [
      "collection": .string(name.rawValue), "added": .int(result.added), "updated": .int(result.updated),
      "unchanged": .int(result.unchanged),
    ]
    Answer(terminal: services.terminal).done(counts) {
      services.terminal.line(
        "\(name): \(result.added) added, \(result.updated) updated, \(result.unchanged) unchanged")
    }
    return .done
  }

  /// The collection that a file's name begins with: `people.jsonl`, `people.jsonl.damaged`.
  private static func collection(of file: String) -> String? {
    let words = (file.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    return words.count >= 2 && words[1] == "jsonl" ? String(words[0]) : nil
  }

  /// A mistake in a line, with the file that the line is in, and what to do where that is another kind of file.
  private func naming(_ failure: Failure) -> Failure {
    guard failure.code == .own(.badLine) else { return failure }
    var failure = failure
    failure.message = "\(file == "-" ? "standard input" : file), \(failure.message)"
    if let hint = Self.otherFormat(file) { failure.hint = "nothing was imported; \(hint)" }
    return failure
  }

  private static let piped = ["import", "-", "--collection", "COLLECTION"]

  /// What to do with a file whose name says that it is not JSON Lines.
  private static func otherFormat(_ file: String) -> Advice? {
    let name = file.lowercased()
    func has(_ endings: String...) -> Bool { endings.contains { name.hasSuffix(".\($0)") } }
    if has("vcf", "vcard") { return "\(command: "people", "import", file) reads contact cards" }
    if has("csv", "tsv") {
      let input = has("csv") ? "--icsv" : "--itsv"
      return """
        \(command: "import") reads JSON Lines, one object with an "id" a line; Miller converts a table whose first line \
        names the fields:
        mlr \(input) --ojsonl cat \(ShellWord.quoted(file)) | \(command: Self.piped, isQuoted: false)
        """
    }
    if has("xlsx", "html", "ics") {
      return
        "\(command: "import") reads JSON Lines only, as \(command: "export", "COLLECTION", "--to", "jsonl") writes them"
    }
    if has("json") {
      return
        """
        \(command: "import") reads JSON Lines; of an array: jq -c '.[]' \(ShellWord.quoted(file)) | \
        \(command: Self.piped, isQuoted: false)
        """
    }
    return nil
  }
}
