import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

struct Export: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Export the current state of a collection.",
    discussion: """
      What can be imported again: jsonl and json, which have every field, with \(help: "import"); vcf, which alone has the \
      pictures and the cards of people, and csv of people, with \(help: "people import"). Nothing reads the other ones back: csv \
      of other collections, one column a field; ics, the birthdays; html, a page that needs no other file, with the \
      pictures that were downloaded and plots of charts; singer, messages of the Singer protocol of data pipelines, with every field \
      described. Edits that wait, follows and the history are in no export: \(help: "backup") copies everything.

      Without --to, the name of --out says the format: people.csv, people.vcf. --where takes the conditions of \
      \(help: "list").

      --all writes every collection that has records into a folder, as people.jsonl, apps.jsonl and so on.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, csv, json, vcf, ics, html, singer

    /// The names are also the ends of files.
    init?(argument: String) {
      switch argument.lowercased() {
      case "ndjson": self = .jsonl
      case "vcard": self = .vcf
      case "htm": self = .html
      case let name: self.init(rawValue: name)
      }
    }
  }

  @Argument(help: "Which collection.", completion: Completions.collections) var collection: String?
  @Option(help: ArgumentHelp("Write every collection into this folder.", valueName: "dir"), completion: .directory)
  var all: String?
  @Option(help: "The format: jsonl, csv, json, vcf, ics, html or singer.") var to: Format?
  @Option(help: "The file; standard output by default.", completion: .file()) var out: String?
  @Option(
    name: .customLong("where"), parsing: .singleValue, help: "A condition; repeatable.", completion: Completions.fields)
  var conditions: [String] = []
  @OptionGroup var past: AtOption
  @Flag(help: "With vcf: one file for each person, in the folder of --out.") var oneFileEach = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  /// That of `--to`, or else the one that the name of the file says.
  private var format: Format {
    get throws {
      if let to { return to }
      if oneFileEach { return .vcf }
      let name = out?.split(separator: "/").last ?? ""
      if let dot = name.lastIndex(of: "."), let format = Format(argument: String(name[dot...].dropFirst())) {
        return format
      }
      throw ValidationError(
        "the format is missing: --to is one of \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
    }
  }

  func validate() throws {
    try require(all != nil || collection != nil, "missing expected argument '<collection>'")
    try require(
      all == nil || collection == nil && out == nil && conditions.isEmpty,
      "--all cannot be combined with a collection, --out or --where")
    let format = try format
    try require(
      !oneFileEach || format == .vcf && out != nil, "--one-file-each needs --to vcf and the folder: --out FOLDER")
    try require(
      all == nil || format != .vcf && format != .ics, "--all cannot write \(format.rawValue), which is for people alone"
    )
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let services = try services.past(past.time)
    // It was checked before.
    let to = (try? format) ?? .jsonl
    if let all { return try exportAll(into: all, to, services) }
    let name = try CollectionArgument.parse(collection ?? "", services)
    let query = try LibraryQuery(where: conditions, sort: nil)
    let file = OutputFile(path: out ?? "-")
    switch to {
    case .vcf, .ics:
      guard name == .people else {
        throw .usage("\(name) cannot be written as \(to.rawValue)", hint: "only people can")
      }
      let people = try services.people()
      let chosen = conditions.isEmpty ? nil : try Self.ids(query, services)
      if to == .ics {
        try file.write(people.calendar(of: chosen, leapDay: .feb28, alarm: nil), for: services.terminal)
        return .done
      }
      var others = OtherMembers(name, services)
      try services.library().list(name, query) { (record: RawSpan) throws(Failure) -> ScanStep in
        others.see(try services.fields(record))
        return .next
      }
      others.complain(to)
      let cards = try people.cards().filter { chosen?.contains($0.id.exact) ?? true }
      if oneFileEach { return try export(cards, into: out ?? ".", services.terminal) }
      try file.write(cards.flatMap(\.bytes), for: services.terminal)
    case .jsonl, .csv, .json, .html, .singer:
      if to == .csv || to == .html { services.complainOfUnknownColumns(of: [name]) }
      let text = ExportText(services: services, collection: name, query: query)
      var others = OtherMembers(name, services)
      try file.write(for: services.terminal) { (take) throws(Failure) in try text.write(to, &others, to: take) }
      others.complain(to)
      if name == .people { try PeoplePictures(services: services).complain(of: conditions, leftOutOf: to) }
    }
    return .done
  }

  fileprivate static func ids(_ query: LibraryQuery, _ services: CompositionRoot) throws(Failure) -> Set<ExactString> {
    var ids: Set<ExactString> = []
    try services.library().list(.people, query) { record in
      if let id = RecordRule.id(of: record) { ids.insert(id.exact) }
      return .next
    }
    return ids
  }

  /// Writes each card as a file with the id of the person. Other files of the folder stay.
  private func export(_ cards: [StoredCard], into folder: String, _ terminal: Terminal) throws(Failure) -> ExitStatus {
    try Self.make(folder)
    var names: Set<ExactString> = []
    for card in cards {
      var name = String(card.id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.@".contains($0)) ? $0 : "_" })
      // Two ids may differ in what a file name cannot have.
      if name != card.id || !names.insert(name.exact).inserted {
        name = "\(name.prefix(40))-\(StableHash.digest([card.id]))"
      }
      _ = try OutputFile(path: "\(folder)/\(name).vcf").write { (take) throws(Failure) in _ = take(card.bytes) }
    }
    return terminal.answer.done(
      ["folder": .string(folder), "written": .int(cards.count)], line: "wrote \(cards.count) files into \(folder)")
  }

  static func make(_ folder: String) throws(Failure) {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw Failure(.store, .cannotCreate, "'\(folder)' cannot be created", number: errno, path: folder)
    }
  }

  private func exportAll(into folder: String, _ to: Format, _ services: CompositionRoot) throws(Failure) -> ExitStatus {
    try Self.make(folder)
    let ending = to == .singer ? "singer.jsonl" : to.rawValue
    var rows: [JSONObject] = []
    if to == .csv || to == .html { services.complainOfUnknownColumns(of: services.catalog.names) }
    for name in services.catalog.names where try services.library().count(name) > 0 {
      let path = "\(folder)/\(name).\(ending)"
      let text = ExportText(services: services, collection: name)
      var others = OtherMembers(name, services)
      let bytes = try OutputFile(path: path).write { (take) throws(Failure) in try text.write(to, &others, to: take) }
      rows.append(["collection": .string(name.rawValue), "file": .string(path), "bytes": .int(bytes)])
      others.complain(to)
      if name == .people { try PeoplePictures(services: services).complain(leftOutOf: to) }
    }
    let terminal = services.terminal
    if terminal.format == .table, terminal.isQuiet { return .done }
    return terminal.answer.list(
      rows, columns: ["collection", .init("bytes", number: true), "file"], empty: "there are no records")
  }
}

/// The pictures of people whose bytes are not in their records: they are in the cards.
struct PeoplePictures {
  let services: CompositionRoot

  private func ids(where conditions: [String] = []) throws(Failure) -> [String] {
    let query = try LibraryQuery(where: conditions + ["photo.bytes is present", "photo.data is absent"], sort: nil)
    var ids: [String] = []
    try services.library().list(.people, query) { record in
      if let id = RecordRule.id(of: record) { ids.append(id) }
      return .next
    }
    return ids
  }

  /// Says how many a file of a format that has whole records does not have.
  func complain(of conditions: [String] = [], leftOutOf format: Export.Format) throws(Failure) {
    guard [.jsonl, .json, .csv].contains(format) else { return }
    let pictures = try ids(where: conditions).count
    let cards = try services.people().cardCount(of: Export.ids(LibraryQuery(where: conditions, sort: nil), services))
    let left = [
      pictures > 0 ? pictures.counted("picture of a person", "pictures of people") : nil,
      cards > 0 ? "what only the cards of \(cards.counted("person", "people")) have, such as the UID" : nil,
    ].compactMap(\.self)
    guard !left.isEmpty else { return }
    let message: Advice =
      """
      not in \(format.rawValue): \(left.joined(separator: ", and ")); \
      \(command: "export", "people", "--to", "vcf") writes the cards with them
      """
    if pictures > 0 { services.terminal.complain(message) } else { services.terminal.note(message) }
  }

  /// Says how many people have a picture whose bytes did not come with their records.
  func complainOfMissing() throws(Failure) {
    let people = try services.people()
    var count = 0
    for id in try ids() where try people.photo(of: id)?.data.isEmpty ?? true { count += 1 }
    guard count > 0 else { return }
    services.terminal.complain(
      """
      \(count.counted("picture of a person is", "pictures of people are")) not here: JSON Lines have none; \
      \(command: "people", "import", "FILE.vcf") adds those of contact cards
      """)
  }
}

extension CompositionRoot {
  /// Says that the columns of collections are not known: the definition that fills them has mistakes, or is not there.
  func complainOfUnknownColumns(of collections: [CollectionName]) {
    let described = CollectionCatalog(sources)
    let unknown = collections.filter { !described.contains($0) && !$0.isInternal }
    guard !unknown.isEmpty else { return }
    terminal.complain("warning: the columns of \(Printable.list(unknown.map(\.rawValue))) are not known")
    let wrong = wrongDefinitions.compactMap(\.failure)
    for failure in wrong { terminal.complain("  \(failure.message)", hint: failure.hint) }
    if wrong.isEmpty {
      terminal.complain(
        "  no source describes them: \(command: "source", "add", "FILE") adds a definition; JSON has every field")
    }
  }
}

/// The members of records that are no fields, which cards and columns do not have.
struct OtherMembers {
  private let name: CollectionName
  private let terminal: Terminal
  private let known: Set<ExactString>
  private var others: Set<ExactString> = []

  init(_ name: CollectionName, _ services: CompositionRoot) {
    (self.name, terminal) = (name, services.terminal)
    known = Set(services.catalog.fields(of: name).map(\.name.exact))
  }

  mutating func see(_ record: JSONObject) {
    guard !known.isEmpty else { return }
    for key in record.keys where !known.contains(key.exact) { others.insert(key.exact) }
  }

  /// Names those that were seen.
  func complain(_ format: Export.Format) {
    guard !others.isEmpty else { return }
    terminal.complain(
      """
      not in \(format.rawValue): \(Printable.list(others.sorted().map(\.text))), no fields of \(name); \
      \(command: "export", name.rawValue, "--to", "jsonl") writes all members
      """)
  }
}

/// A collection as one text, which is written while it is read: it may be longer than memory.
struct ExportText {
  let services: CompositionRoot
  let collection: CollectionName
  var query = LibraryQuery()
  typealias Take = RecordFile.Take

  /// Gives the text piece by piece, in one of the formats that every collection has.
  ///
  /// - Parameter others: sees the records that are written as fields.
  func write(_ format: Export.Format, _ others: inout OtherMembers, to take: Take) throws(Failure) {
    switch format {
    case .html: try page(&others, take)
    case .singer: try messages(take)
    case .json, .csv, .jsonl, .vcf, .ics:
      try RecordFile(collection, query, services.catalog, services.library(), services.coder)
        .write(RecordFile.Format(rawValue: format.rawValue) ?? .jsonl, seeing: { others.see($0) }, to: take)
    }
  }

  private func messages(_ take: Take) throws(Failure) {
    var schema = SingerSchema(collection, in: services.catalog)
    try eachObject { record in
      schema.see(record)
      return true
    }
    guard take(services.coder.encode(schema.message) + [0x0A]) else { return }
    try eachObject { record in
      let message: JSONObject = [
        "type": "RECORD", "stream": .string(collection.rawValue), "record": .object(schema.completed(record)),
      ]
      return take(services.coder.encode(message) + [0x0A])
    }
    _ = take(services.coder.encode(["type": "STATE", "value": ["bookmarks": [:]]] as JSONObject) + [0x0A])
  }

  private func page(_ others: inout OtherMembers, _ take: Take) throws(Failure) {
    let page = try ExportPage(services: services, collection: collection, query)
    guard take(Array(try page.beginning().utf8)) else { return }
    var problem: Failure?
    try eachObject { object in
      others.see(object)
      do throws(Failure) { return take(Array(try page.row(object).utf8)) } catch {
        problem = error
        return false
      }
    }
    if let problem { throw problem }
    _ = take(Array(page.end.utf8))
  }

  private func eachObject(_ body: (JSONObject) -> Bool) throws(Failure) {
    try services.library().list(collection, query) { (record: RawSpan) throws(Failure) -> ScanStep in
      body(try services.fields(record)) ? .next : .stop
    }
  }
}

struct Changes: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes", abstract: "Print every commit in order as JSON Lines, each with its cursor.",
    discussion: """
      Continue with --since and the last processed cursor; --follow waits for new commits, \
      and up to ten minutes for a server that cannot be reached.

      Without --since, every record of the last compaction comes first, as one 'put' with the time of the compaction: \
      what happened before it is not kept. A cursor from before the commits that are kept is refused.
      """)

  @Option(help: "Only commits after this cursor.") var since: String?
  @Flag(help: "Wait for new commits.") var follow = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let library = try services.library()
    var cursor = since.map { ChangeCursor($0) }
    var lastAnswer = services.time.uptime
    var isLost = false
    while true {
      var changes: [StoreChange] = []
      do throws(Failure) {
        changes = try library.changes(since: cursor, limit: 1000)
        (lastAnswer, isLost) = (services.time.uptime, false)
      } catch {
        let isOutage = error.code == .store(.unreachable)
        guard follow, isOutage, services.time.uptime - lastAnswer < Self.timeout else { throw expired(error) }
        if !isLost { services.terminal.note("\(error.message); waiting for it") }
        isLost = true
      }
      for change in changes { services.terminal.write(change.line(services.coder) + [0x0A]) }
      if let last = changes.last { cursor = last.cursor }
      guard services.terminal.hasReader else { return .done }
      if changes.count == 1000 { continue }
      guard follow else { return .done }
      // A store that is put in the place of this one has other commits.
      let store = try services.store()
      do throws(StoreError) { try store.checkPlace() } catch { throw error.failure }
      services.terminal.flush()
      do throws(CancellationError) { try await services.time.sleep(for: .milliseconds(250)) } catch { return .done }
    }
  }

  /// How long `--follow` waits for a server that cannot be reached, as while it is restarted.
  private static let timeout = Duration.seconds(600)

  private func expired(_ failure: Failure) -> Failure {
    guard failure.code == .store(.cursorExpired), since != nil else { return failure }
    return failure.advising(
      """
      run \(command: "changes") without --since: it prints every record once, then the commits after them
      records that you have and that it does not print were deleted meanwhile
      """)
  }
}
