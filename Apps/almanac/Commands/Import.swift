import ArgumentParser
import Models
import Ports

/// `almanac import FILE.jsonl`
struct Import: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read records back in, as one commit.",
    discussion: "The file's name (people.jsonl) or --collection says which collection.")

  @Argument(help: "A file of JSON Lines; - is standard input.") var file: String
  @Option(help: "The collection.") var collection: String?
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let base = file.split(separator: "/").last.map(String.init) ?? file
    guard let text = collection ?? (base.hasSuffix(".jsonl") ? String(base.dropLast(6)) : nil) else {
      throw Failure(
        .config, .usage, "\(file) does not say which collection it holds",
        hint: "name it with --collection, or name the file like people.jsonl")
    }
    let name = try CollectionArgument.parse(text)
    let input = try InputFile(path: file).open()
    let result = try await services.library().importLines(into: name) { () throws(Failure) in try input.read() }
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
}
