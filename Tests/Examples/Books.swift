// Keeps the books of a JSON API in files: fetched now and every hour, compared, and current for any program.
import Models
import Networking
import Parsing
import Persistence
import Ports
import Sync
import URLSessionTransport

let books = CollectionName(rawValue: "books")

struct BookParser: ResponseParser {
  func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<[PulledChange]> {
    try JSONDocument.read(body) { (root) throws(ParsingError) in
      root.records { (book) throws(ParsingError) in
        let id = try book.requiredText("id")
        return PulledChange(collection: books, id: id, fields: book.value.object ?? [:], .replace)
      }
    }
  }
}

struct BookSource: Source {
  let abilities = SourceAbilities()
  let descriptor = SourceDescriptor(
    name: SourceName(rawValue: "books"), summary: "the books of a library",
    forms: [.init("books", "all books")],
    collections: [.init(books, fields: [.init("id"), .init("title")], columns: ["id", "title"])])
  let server: Settings.Server

  func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let client = try SourceClient(descriptor, server, transport: context.transport)
    let url = client.base + "/books"
    let answer = try await client.get(
      url, BookParser(), validator: StoredValidator(context.sourceState, url: url).validator)
    guard let answer else { return .notModified(url: url) }
    var page = PullPage(
      changes: answer.parsed.value, rejects: answer.parsed.rejects, url: url,
      sourceState: StoredValidator(url: url, answer.validator).fields)
    // A book that the list does not have any more is removed, unless a rejected record may be that book.
    page.coverage = .page(ListPage(page.changes.map { RecordName($0.collection, $0.id) }))
    return page
  }
}

@main
struct Books: EventSink {
  func report(_ event: Event) {}

  static func main() async throws {
    guard CommandLine.arguments.count > 1 else { fatalError("usage: books URL [once]") }
    let store = try JSONFileStore(folder: "books.store")
    let time = SystemTimeSource()
    let engine = SyncEngine(
      store: store, sources: [BookSource(server: Settings.Server(url: CommandLine.arguments[1]))],
      transport: StandardStack().transport(over: URLSessionTransport()), coder: JSONRecordCoder(), time: time,
      random: SystemRandomSource(), events: Books())
    while true {
      let report = try await engine.sync([Follow(path: "books")], SyncOptions()).follows[0]
      let counts = report.counts
      print("\(report.status): \(counts.added) added, \(counts.updated) updated, \(counts.removed) removed")
      if let error = report.error { print(error.message) }
      try await store.publish(.complete)
      if CommandLine.arguments.last == "once" { break }
      try await time.sleep(for: .seconds(3600))
    }
  }
}
