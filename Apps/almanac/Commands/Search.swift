import ArgumentParser
import Frontend
import Models
import Ports

struct Search: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find records by any words in them.",
    discussion: """
      A record is found where every word occurs in one of its fields, in any case, with or without accents: search ada \
      lovelace. Names come first, and words that begin so before others; an id counts as a whole. Every record is read once, which takes about a second for a million of them.
      """)

  @Argument(help: "The words.") var words: [String]
  @OptionGroup var only: CollectionsOption
  @Option(help: "The maximum number.") var limit = 50
  @OptionGroup var past: AtOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    try LimitOption.check(limit)
    guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("nothing to search for: the words are empty")
    }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let services = try services.past(past.time)
    let names = try only.names(services)
    let terminal = services.terminal
    var rows = Answer.Rows(
      terminal: terminal, columns: ["collection", "id", "name", "field", "text"],
      empty: "no record holds \(Printable.text(words.joined(separator: " ")))\(services.emptyStore)")
    var count = 0
    let texts = words.flatMap { $0.split(separator: " ").map(String.init) }
    try services.library().search(texts, in: names, limit: limit == .max ? limit : limit + 1) { found in
      guard count < limit else {
        count += 1
        return .stop
      }
      count += 1
      rows.append(found.fields)
      return terminal.hasReader ? .next : .stop
    }
    rows.finish()
    if count > limit { terminal.note("there are more than \(limit): name more words, or --limit") }
    return .done
  }
}
