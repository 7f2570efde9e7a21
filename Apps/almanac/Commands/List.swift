import ArgumentParser
import Models
import Ports

/// `almanac list COLLECTION`
struct List: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the records of a collection.",
    discussion: """
      Conditions are 'FIELD OP VALUE' with = != < <= > >= ~ (contains), 'FIELD is present' and 'FIELD is absent'. All \
      must be met:

        almanac list apps --where 'price.amount < 1' --where 'name ~ map'
        almanac list apps --sort -releaseDate --limit 10
        almanac list people --where 'birthday is absent'

      Numbers compare as numbers, times and texts by their characters. A birthday without a year is neither before \
      nor after one with a year: 'birthday < 1980' finds only people whose year is known, 'birthday < --07' only those \
      whose year is not.

      The collections and their fields:
      \(CollectionColumns.help)
      """)

  @Argument(help: "Which collection.") var collection: String
  @Option(name: .customLong("where"), parsing: .singleValue, help: "A condition; repeatable.")
  var conditions: [String] = []
  @Option(parsing: .unconditional, help: "A field to sort by; with - before it the largest comes first.")
  var sort: String?
  @Option(help: "How many at most.") var limit: Int?
  @Option(help: "Only ids that begin with this.") var prefix: String?
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit)") }
  }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let name = try CollectionArgument.parse(collection)
    var query = LibraryQuery(limit: limit, prefix: prefix ?? "")
    for text in conditions { query.conditions.append(try ConditionArgument.parse(text)) }
    if let sort {
      query.descending = sort.hasPrefix("-")
      query.sortField = query.descending ? String(sort.dropFirst()) : sort
    }
    do throws(Failure) {
      return try print(name, query, services)
    } catch {
      var failure = error
      if error.code == "bad-condition", let joined = query.conditions.first(where: ConditionArgument.isJoined) {
        failure.hint = "all of '\(joined.value)' was compared: repeat --where for each condition"
      }
      throw failure
    }
  }

  private func print(
    _ name: CollectionName, _ query: LibraryQuery, _ services: any AlmanacServices
  ) throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    let library = try services.library()
    if terminal.format == .table || terminal.format == .csv {
      return try listFields(name, query, library, services.coder, terminal)
    }
    var stream = RecordStream(terminal: terminal, csvFields: [])
    try library.list(name, query) { record in
      stream.append(encoded: record.copied)
      return .next
    }
    stream.finish()
    return .done
  }

  private func listFields(
    _ name: CollectionName, _ query: LibraryQuery, _ library: any LibraryService, _ coder: any RecordCoder,
    _ terminal: Terminal
  ) throws(Failure) -> ExitStatus {
    var problem: ParsingError?
    var rows = Answer.Rows(
      terminal: terminal, columns: CollectionColumns.table(name), csvFields: CollectionColumns.csv(name),
      empty: Self.nothing(name, query))
    try library.list(name, query) { record in
      do throws(ParsingError) {
        var fields = try coder.decode(record)
        if terminal.format == .table, name == .charts {
          fields["ranks"] = .string("\(fields["ranks"]?.array?.count ?? 0) apps")
        }
        rows.append(fields)
        return terminal.hasReader ? .next : .stop
      } catch {
        problem = error
        return .stop
      }
    }
    if let problem { throw problem.failure }
    rows.finish()
    return .done
  }

  /// What is said where no record is printed; nothing where none was asked for.
  private static func nothing(_ name: CollectionName, _ query: LibraryQuery) -> String? {
    if query.limit == 0 { return nil }
    if query.conditions.isEmpty, query.prefix.isEmpty { return "no \(name)" }
    let joined = query.conditions.first(where: ConditionArgument.isJoined)
    let hint = joined.map { "; all of '\($0.value)' was compared: repeat --where for each condition" } ?? ""
    return "no \(name) match\(hint)"
  }
}
