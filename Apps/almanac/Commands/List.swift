import ArgumentParser
import Frontend
import Models
import Ports

struct List: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the records of a collection; without one, the collections.",
    discussion: """
      Conditions are 'FIELD OP VALUE' with = != < <= > >= ~ (contains, in any case and without accents), 'FIELD is present' and 'FIELD is absent'. All \
      must be met:

        almanac list apps --where 'price.amount < 1' --where 'name ~ map'
        almanac list apps --sort -releaseDate --limit 10
        almanac list people --where 'birthday is absent'

      Numbers compare as numbers, texts by their characters. For a time, write a year, a month, a day, or all of it: \
      'releaseDate = 2025' is met in 2025, '> 2025-02' after that February, '<= 2025-02-23' until the end of that day.

      A list is met where one of its values is, and '!=' where none is equal. A value of several members, such as a mail \
      address with its type, is compared by each of them, or by one that is named: 'emails ~ example.org', \
      'emails.type = work'. As a column, 'emails.value' is the list of these members.

      A birthday without a year is neither before \
      nor after one with a year: 'birthday < 1980' finds only people whose year is known, 'birthday < --07' only those \
      whose year is not.

      The collections and their fields:
      \(CollectionColumns.help)
      """)

  @Argument(help: "Which collection.", completion: Completions.collections) var collection: String?
  @OptionGroup var options: ListOptions
  @Option(help: "Only ids that begin with this.") var prefix: String?
  @OptionGroup var past: AtOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    if collection == nil, !options.isEmpty || prefix != nil {
      throw ValidationError("name the collection whose records are listed")
    }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let services = try services.past(past.time)
    guard let collection else {
      let library = try services.library()
      var rows: [JSONObject] = []
      for name in services.catalog.names {
        rows.append(["collection": .string(name.rawValue), "records": .int(try library.count(name))])
      }
      return services.answer.list(rows, columns: ["collection", .init("records", number: true)])
    }
    let name = try CollectionArgument.parse(collection, services)
    var query = try options.query()
    query.prefix = prefix ?? ""
    // The newest come first: their ids begin with their time.
    if name == .runs, query.sortField == nil { query.descending = true }
    return try Self.print(name, query, columns: try options.fields(of: name, services), services)
  }

  /// Prints the records that match.
  ///
  /// - Parameters:
  ///   - fields: the columns; `nil` for those of the collection.
  ///   - nothing: what is said in a table where no record is printed; `nil` for the usual words.
  static func print(
    _ name: CollectionName, _ query: LibraryQuery, columns fields: [String]? = nil, nothing: String? = nil,
    _ services: CompositionRoot
  ) throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    let library = try services.library()
    if fields != nil || terminal.format == .table || terminal.format == .csv {
      return try listFields(name, query, fields, nothing, library, services)
    }
    var stream = RecordStream(terminal.format.ofRecords, fields: [], terminal.coder)
    try list(name, query, library, services) { record in
      terminal.write(stream.piece(encoded: record.copied))
      return .next
    }
    terminal.write(stream.end)
    return .done
  }

  private static func listFields(
    _ name: CollectionName, _ query: LibraryQuery, _ named: [String]?, _ words: String?,
    _ library: any LibraryService, _ services: CompositionRoot
  ) throws(Failure) -> ExitStatus {
    let (terminal, catalog) = (services.terminal, services.catalog)
    var problem: ParsingError?
    var columns =
      named?.map { CollectionColumns.column($0, of: name, in: catalog) } ?? CollectionColumns.table(name, in: catalog)
    if named == nil { services.complainOfUnknownColumns(of: [name]) }
    if named == nil, let sort = query.sortField {
      // Beside the first column, so that a narrow screen does not leave it out.
      if terminal.width != nil, columns.first?.field != sort { columns.removeAll { $0.field == sort } }
      if !columns.contains(where: { $0.field == sort }) {
        columns.insert(CollectionColumns.column(sort, of: name, in: catalog), at: min(1, columns.count))
      }
    }
    var rows = Answer.Rows(
      terminal: terminal, columns: columns, csvFields: named ?? CollectionColumns.csv(name, in: catalog),
      empty: "\(words ?? nothing(name, query))\(services.emptyStore)", leavesOutEmpty: named == nil)
    try list(name, query, library, services) { record in
      do throws(ParsingError) {
        var fields = try services.coder.decode(record)
        if terminal.format == .json || terminal.format == .jsonl, let named {
          var chosen = JSONObject()
          for field in named { chosen.append(field, fields.value(at: field)) }
          fields = chosen
        }
        if terminal.format == .table, name == .charts {
          fields["ranks"] = .string((fields["ranks"]?.array?.count ?? 0).counted("app"))
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

  /// The largest number of people who are ordered by name, and of other records by the numbers in their ids: all of them are
  /// held for it.
  private static let (mostOrdered, mostNumbered) = (100_000, 10_000)

  /// Hands the records on: people without an order of its own by name, others by their ids with numbers by their values, all
  /// others as the library lists them.
  private static func list(
    _ name: CollectionName, _ query: LibraryQuery, _ library: any LibraryService, _ services: CompositionRoot,
    _ body: (RawSpan) throws(Failure) -> ScanStep
  ) throws(Failure) {
    guard query.sortField == nil, !query.descending,
      try library.count(name) <= (name == .people ? mostOrdered : mostNumbered)
    else { return try library.list(name, query, body) }
    var whole = query
    whole.limit = nil
    var ordered: [(first: String, second: String, record: [UInt8])] = []
    try library.list(name, whole) { record in
      func text(_ field: String) -> String { (try? services.coder.text(field, of: record)) ?? "" }
      if name == .people {
        let (last, first) = (FoldedText.folded(text("lastName")), FoldedText.folded(text("firstName")))
        ordered.append((last.isEmpty ? first : last, last.isEmpty ? "" : first, record.copied))
      } else {
        ordered.append((numbered(text("id")), "", record.copied))
      }
      return .next
    }
    ordered.sort { ($0.first, $0.second) < ($1.first, $1.second) }
    for one in ordered.prefix(query.limit ?? .max) {
      // The span of an array needs macOS 26, that of a slice does not.
      let slice = one.record[...]
      if try body(slice.span.bytes) == .stop { break }
    }
  }

  /// An id with the number of digits before each of its parts that is a number, so that 2 comes before 10. Ids that begin with
  /// a time stay as they are.
  private static func numbered(_ id: String) -> String {
    id.split(separator: "/", omittingEmptySubsequences: false).map { part in
      guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return String(part) }
      let digits = part.drop { $0 == "0" }
      return "\(Character(Unicode.Scalar(UInt8(0x30 + min(digits.utf8.count, 0x4F)))))\(digits)"
    }.joined(separator: "/")
  }

  private static func nothing(_ name: CollectionName, _ query: LibraryQuery) -> String {
    query.conditions.isEmpty && query.prefix.isEmpty ? "no \(name)" : "no \(name) match"
  }
}

struct ListOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .singleValue, help: "A condition; repeatable.", completion: Completions.fields)
  var conditions: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A field to sort by; with - before it the largest comes first.", valueName: "field"),
    completion: Completions.order)
  var sort: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("The fields to print, in this order, with commas between them.", valueName: "fields"),
    completion: Completions.columns)
  var columns: [String] = []
  @OptionGroup var most: LimitOption

  var isEmpty: Bool { conditions.isEmpty && sort.isEmpty && columns.isEmpty && most.limit == nil }

  func validate() throws {
    try require(sort.count < 2, "--sort was given twice: records are sorted by one field")
  }

  func query() throws(Failure) -> LibraryQuery {
    var query = try LibraryQuery(where: conditions, sort: sort.first)
    query.limit = most.limit
    return query
  }

  /// The fields of `--columns`; `nil` without it.
  ///
  /// - Throws: `Failure`, `usage` where the collection has no such field.
  func fields(of name: CollectionName, _ services: CompositionRoot) throws(Failure) -> [String]? {
    guard !columns.isEmpty else { return nil }
    let names = columns.joined(separator: ",").split(separator: ",").map { String($0.filter { $0 != " " }) }.filter {
      !$0.isEmpty
    }
    guard !names.isEmpty else {
      throw .usage("--columns names no field", hint: "write --columns id,name", code: .usage)
    }
    try CollectionArgument.checkFields(names, of: name, services)
    return names
  }
}

extension CompositionRoot {
  /// What follows an empty answer that is empty for another reason than that nothing matches; nothing where there is a store
  /// with commits.
  var emptyStore: Advice {
    let path = storePath
    guard ((try? store().snapshot().end) ?? nil) == nil else { return "" }
    guard let names = FolderNames.all(in: path) else {
      return ": there is no store in \(path) yet; \(command: "sync") and \(command: "import") make one"
    }
    if let name = names.first(where: { $0 != "lock" && !$0.hasPrefix("daemon") }) {
      return ": \(path) is not a store, but holds other files, such as \(name); check --store"
    }
    return ": the store in \(path) is empty; \(command: "sync") and \(command: "import") fill it"
  }
}

struct Show: ListingCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one record.")

  @Argument(help: "Which collection.", completion: Completions.recordPaths) var collection: String
  @Argument(help: "The record's id or name.", completion: Completions.records) var id: String?
  @OptionGroup var past: AtOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let services = try services.past(past.time)
    let record = try NamedRecord(collection, id, services)
    return try Self.print(record.name, in: record.collection, services)
  }

  static func print(
    _ id: String, in collection: CollectionName, _ services: CompositionRoot
  ) throws(Failure) -> ExitStatus {
    do throws(Failure) { return try printed(id, in: collection, services) } catch {
      guard error.reason == .notFound, let entry = (try? services.history())?.last(of: collection, id),
        entry.after == nil
      else { throw error }
      var failure = error
      let (record, moment) = ("\(collection)/\(id)", "commit:\(entry.commit - 1)")
      failure.message = "the record '\(id)' of \(collection) was removed"
      failure.hint =
        "\(command: "show", collection.rawValue, id, "--at", moment) shows it as it was, \(command: "restore", record, "--at", moment) brings it back, and \(command: "history", collection.rawValue, id) lists its changes"
      throw failure
    }
  }

  private static func printed(
    _ id: String, in collection: CollectionName, _ services: CompositionRoot
  ) throws(Failure) -> ExitStatus {
    let id = try RecordArgument.id(id, in: collection, services)
    let record = try Self.record(collection, id, services.library())
    if services.terminal.format == .json || services.terminal.format == .jsonl {
      services.terminal.write(record + [0x0A])
      return .done
    }
    var fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(record) }
    for name in services.catalog[collection]?.media ?? [] {
      guard let url = fields[name]?.string, let image = try services.imageFile(of: url) else { continue }
      let word = name.hasSuffix("URL") ? String(name.dropLast(3)) : name
      fields.append("\(word)File", image.path)
    }
    if collection == .people, try services.library().count(.groups) > 0 {
      let groups = try services.people().groups().all.filter { $0.card != nil && $0.people.contains(id.exact) }
      if !groups.isEmpty { fields.append("memberOf", .texts(groups.map(\.name))) }
    }
    return services.answer.one(fields)
  }

  private static func record(
    _ collection: CollectionName, _ id: String, _ library: any LibraryService
  ) throws(Failure) -> [UInt8] {
    do throws(Failure) { return try library.record(collection, id) } catch {
      guard error.reason == .notFound, collection == .apps, !id.contains("/") else { throw error }
      throw error.advising(
        "apps are kept by storefront, us/\(id) for instance: almanac list apps --where 'appID = \(id)'")
    }
  }
}
