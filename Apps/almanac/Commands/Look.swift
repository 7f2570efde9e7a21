import ArgumentParser
import Models
import Ports

/// `almanac list COLLECTION`
struct List: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the records of a collection.",
    discussion: """
      Collections: apps, charts, photos, owners, profiles, people, outbox, rejects, runs.
      Conditions are 'FIELD OP VALUE' with = != < <= > >= ~ (contains); all must be met:
        almanac list apps --where 'price.amount < 1' --where 'name ~ map' --sort -releaseDate --limit 10
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
    var rows: [JSONObject] = []
    var stream = RecordStream(terminal: terminal, csvFields: CollectionColumns.csv(name))
    try library.list(name, query) { record in
      do throws(ParsingError) {
        var fields = try coder.decode(record)
        if terminal.format == .csv {
          stream.append(fields)
        } else {
          if name == .charts { fields.append("count", fields["ranks"]?.array?.count) }
          rows.append(fields)
        }
        return .next
      } catch {
        problem = error
        return .stop
      }
    }
    if let problem { throw problem.failure }
    if terminal.format == .csv {
      stream.finish()
    } else {
      Answer(terminal: terminal).list(rows, columns: CollectionColumns.table(name), empty: "no \(name)")
    }
    return .done
  }
}

/// `almanac show COLLECTION ID`
struct Show: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one record.")

  @Argument(help: "Which collection.") var collection: String
  @Argument(help: "The record's id.") var id: String
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let record = try services.library().record(CollectionArgument.parse(collection), id)
    if services.terminal.format == .json || services.terminal.format == .jsonl {
      services.terminal.write(record + [0x0A])
      return .done
    }
    do throws(ParsingError) {
      Answer(terminal: services.terminal).one(try services.coder.decode(record))
    } catch { throw error.failure }
    return .done
  }
}

extension RawSpan {
  /// The bytes, copied out.
  var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// Reads a collection's name.
enum CollectionArgument {
  /// The collection, or what is allowed.
  static func parse(_ text: String) throws(Failure) -> CollectionName {
    let name = CollectionName(rawValue: text)
    guard CollectionName.listed.contains(name) else {
      throw Failure(
        .config, .usage, "there is no collection '\(text)'",
        hint: "one of \(CollectionName.listed.map(\.rawValue).joined(separator: ", "))")
    }
    return name
  }
}

/// Reads `FIELD OP VALUE`.
enum ConditionArgument {
  /// The condition, or how one is written.
  static func parse(_ text: String) throws(Failure) -> RecordCondition {
    let operators: Set<Character> = ["=", "!", "<", ">", "~"]
    if let start = text.firstIndex(where: operators.contains) {
      let rest = text[start...]
      let sign = ["!=", "<=", ">=", "=", "<", ">", "~"].first { rest.hasPrefix($0) }
      let field = trimmed(text[..<start])
      if let sign, let comparison = RecordCondition.Comparison(rawValue: sign), !field.isEmpty {
        return RecordCondition(field: field, comparison: comparison, value: trimmed(rest.dropFirst(sign.count)))
      }
    }
    throw Failure(
      .config, .usage, "'\(text)' is no condition", hint: "write 'FIELD OP VALUE' with = != < <= > >= or ~ (contains)")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
