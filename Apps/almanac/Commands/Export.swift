import ArgumentParser
import Models
import Ports

/// `almanac export COLLECTION --to FORMAT`
struct Export: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the current state of a whole collection.",
    discussion: """
      jsonl and json lose nothing, and 'almanac import' reads jsonl back; csv has one column a field; vcf and ics are \
      for people; html is a page that needs nothing else; singer speaks the Singer protocol of data pipelines, with \
      every field described.
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
