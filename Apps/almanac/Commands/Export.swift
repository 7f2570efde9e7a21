import ArgumentParser
import Models
import Ports

/// `almanac export COLLECTION --to FORMAT`
struct Export: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a whole collection out, as it stands now.",
    discussion: """
      jsonl and json lose nothing, and 'almanac import' reads jsonl back; csv has one column a field; vcf and ics are \
      for people; html is a page that stands alone; singer speaks the Singer protocol of data pipelines.
      """)

  /// What can be written.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    /// JSON Lines.
    case jsonl
    /// Comma-separated values.
    case csv
    /// A JSON array.
    case json
    /// vCard.
    case vcf
    /// iCalendar.
    case ics
    /// A page.
    case html
    /// Singer messages.
    case singer
  }

  @Argument(help: "Which collection.") var collection: String
  @Option(help: "The format: jsonl, csv, json, vcf, ics, html or singer.") var to: Format
  @Option(help: "The file; standard output where none is named.") var out: String?
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let name = try CollectionArgument.parse(collection)
    let file = OutputFile(path: out ?? "-")
    switch to {
    case .vcf, .ics:
      guard name == .people else {
        throw Failure(.config, .usage, "\(name) cannot be written as \(to.rawValue)", hint: "only people can")
      }
      let people = try services.people()
      let bytes = to == .vcf ? try people.contacts() : try people.calendar(leapDay: .feb28, alarm: nil)
      try file.write(bytes, for: services.terminal)
    case .jsonl, .csv, .json, .html, .singer:
      let text = ExportText(services: services, collection: name)
      try file.write(for: services.terminal) { (take) throws(Failure) in try text.write(to, to: take) }
    }
    return .done
  }
}

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
    let result = try await services.library().importLines(InputFile(path: file).read(), into: name)
    let counts: JSONObject = [
      "collection": .string(name.rawValue), "added": .int(result.added), "updated": .int(result.updated),
      "unchanged": .int(result.unchanged),
    ]
    Answer(terminal: services.terminal).value(counts) {
      services.terminal.line(
        "\(name): \(result.added) added, \(result.updated) updated, \(result.unchanged) unchanged")
    }
    return .done
  }
}

/// `almanac changes`
struct Changes: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Every commit in order, as JSON Lines, each line with its cursor.",
    discussion: "Go on with --since and the last cursor that was handled; --follow waits for more.")

  @Option(help: "Only what came after this cursor.") var since: String?
  @Flag(help: "Wait for more.") var follow = false
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let library = try services.library()
    var cursor = since.map { ChangeCursor($0) }
    while true {
      let changes = try library.changes(since: cursor, limit: 1000)
      for change in changes { services.terminal.write(line(change, services.coder)) }
      if let last = changes.last { cursor = last.cursor }
      guard services.terminal.hasReader else { return .done }
      if changes.count == 1000 { continue }
      guard follow else { return .done }
      services.terminal.flush()
      do throws(CancellationError) { try await services.time.sleep(for: .milliseconds(250)) } catch { return .done }
    }
  }

  private func line(_ change: StoreChange, _ coder: any RecordCoder) -> [UInt8] {
    let head: JSONObject = [
      "cursor": .string(change.cursor.description), "at": .string(change.at.description),
      "op": change.record == nil ? "delete" : "put", "collection": .string(change.collection.rawValue),
      "id": .string(change.id),
    ]
    let bytes = coder.encode(head)
    guard let record = change.record else { return bytes + [0x0A] }
    return bytes.dropLast() + Array(",\"record\":".utf8) + record + [0x7D, 0x0A]
  }
}
