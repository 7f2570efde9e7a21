import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite struct SourceContractTests {
  @Test func keepsTheContract() async throws {
    let coder = JSONRecordCoder()
    let card: JSONObject = ["id": "one", "color": "red"]
    try await SourceContract(
      source: FakeSource(coder: coder, edits: Bench.edits()), follow: Follow(path: "fake/card/one"),
      badFollows: [Follow(path: "fake/other"), Follow(path: "fake/notes", limit: 101), Follow(path: "fake/card/")],
      answers: [HTTPResponse(status: 200, body: coder.encode(card), url: "http://fake.test/cards/one")],
      store: InMemoryRecordStore()
    ).verify()
    func page(_ id: Int, next: Int?) -> HTTPResponse {
      let item: JSONObject = ["id": .string("\(id)"), "text": .string("note \(id)")]
      var answer: JSONObject = ["items": .array([.object(item)])]
      answer.append("next", next)
      return HTTPResponse(status: 200, body: coder.encode(answer), url: "http://fake.test/notes")
    }
    try await verify(
      FakeSource(coder: coder, edits: Bench.edits()), "fake/notes", [page(1, next: 1)], [page(2, next: nil)], finds: nil
    )
  }

  /// The suite finds sources that repeat a page, or write to a collection that they do not declare.
  @Test(arguments: [
    (
      true, "things", "a",
      "expected another request for the second page than for the first one, found http://faulty.test/?page=0 for both"
    ),
    (
      false, "others", "a",
      "expected a collection that the descriptor declares (things), found others, of the record a"
    ),
    (false, "things", "b", "expected the id 'a' in the fields of its record, found \"b\""),
  ])
  func contractFinds(_ repeats: Bool, _ collection: String, _ id: String, _ violation: String) async throws {
    struct Faulty: Source {
      let abilities = SourceAbilities()
      let descriptor = Things.descriptor
      let repeats: Bool
      let collection: String
      let id: String

      func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
        let page = repeats ? 0 : context.cursor?["page"]?.int ?? 0
        let request = HTTPRequest(.get, "http://faulty.test/?page=\(page)")
        do throws(TransportError) { _ = try await context.transport.send(request) } catch { throw .transport(error) }
        return PullPage(
          changes: [
            PulledChange(
              collection: CollectionName(rawValue: collection), id: "a", fields: ["id": .string(id)], .replace)
          ], url: request.url, next: ["page": .int((context.cursor?["page"]?.int ?? 0) + 1)])
      }
    }
    let answer = HTTPResponse(status: 200, body: Array("{}".utf8), url: "")
    try await verify(
      Faulty(repeats: repeats, collection: collection, id: id), "things/all", [answer], [answer], finds: violation)
  }

  enum Slip: CaseIterable { case nothing, noDoubt, lastPoint, everyPage, noRemovals, lateEveryPage }

  /// The suite finds sources that ask only for what changed, and lose records.
  @Test(arguments: [
    (Slip.nothing, nil),
    (
      .noDoubt,
      "expected that a pull of what changed removes only what its responses name, found the removal of things/b; its list "
        + "is a part: say ListDoubt.part"
    ),
    (.lastPoint, "expected 'since=100' in the first request of the pull after a whole one, found"),
    (
      .everyPage,
      "expected the same request from a pull that begins again after the first of several pages, found "
        + "http://things.test/?page=1&since=100 after http://things.test/?page=1:"
    ),
    (
      .lateEveryPage,
      "expected the same request from a pull that begins again after the first of several pages, found "
        + "http://things.test/?page=1&since=300 after http://things.test/?page=1&since=100:"
    ),
    (
      .noRemovals,
      "expected the removal of things/c, which the responses of the later pull say is gone, found none: in a part of a "
        + "list, PulledChange.Rule.remove removes a record"
    ),
  ])
  func contractFinds(_ slip: Slip, _ violation: String?) async throws {
    func page(_ now: Int, _ ids: [String], removed: String = "", next: Bool) -> HTTPResponse {
      let things = ids.map { #"{"id": "\#($0)"}"# }.joined(separator: ", ")
      let body = #"{"now": \#(now), "things": [\#(things)], "removed": [\#(removed)], "more": \#(next)}"#
      return HTTPResponse(status: 200, body: Array(body.utf8), url: "http://things.test/")
    }
    let later = SourceContract.Later(
      answers: [page(300, ["d"], next: true), page(400, ["a"], removed: #""c""#, next: false)],
      removals: [RecordName(Things.collection, "c")], point: "since=100")
    try await verify(
      Changes(slip: slip), "things/all", [page(100, ["a", "b"], next: true)], [page(200, ["c"], next: false)],
      later: later, finds: violation)
  }

  /// The answers of the faulty sources: `{"things": [{"id", "kind"}], "now", "removed": [ID], "more"}`.
  private struct Things: ResponseParser {
    struct Answer: Sendable {
      var now = 0
      var changes: [PulledChange] = []
      var removed: [String] = []
      var hasMore = false
    }

    static let collection = CollectionName(rawValue: "things")
    static let descriptor = SourceDescriptor(
      name: SourceName(rawValue: "things"), summary: "faults", forms: [.init("things/all", "")],
      collections: [.init(collection, fields: [.init("id")], columns: ["id"])])

    var needsPoint = false
    var hasKinds = false
    /// Leaves out, without a word, what cannot be read.
    var dropsRecords = false
    /// Takes any object for an empty list.
    var isLenient = false

    func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<Answer> {
      try JSONDocument.read(body) { (root) throws(ParsingError) in
        guard let list = root["things"], !needsPoint || root["now"]?.int != nil else {
          guard isLenient, root.isObject else { throw root.error(expected: "things", missing: "things") }
          return Parsed(Answer())
        }
        let read = list.records { (thing) throws(ParsingError) -> PulledChange? in
          if thing["kind"]?.string == "other" { return nil }
          if dropsRecords, thing["kind"]?.string != "thing" || thing["id"]?.string == nil { return nil }
          if hasKinds, try thing.requiredText("kind") != "thing" { return nil }
          let id = try thing.requiredText("id")
          return PulledChange(collection: Self.collection, id: id, fields: ["id": .string(id)], .replace)
        }
        let answer = Answer(
          now: root["now"]?.int ?? 0, changes: read.value.compactMap(\.self),
          removed: (root["removed"]?.value.array ?? []).compactMap(\.string), hasMore: root["more"]?.bool ?? false)
        return Parsed(answer, rejects: read.rejects)
      }
    }
  }

  /// A source of pages of `{"now", "things": [{"id"}], "removed": [ID], "more"}`, which asks for what changed since `now` of
  /// the first page of the pull before.
  private struct Changes: Source {
    let abilities = SourceAbilities()
    let descriptor = Things.descriptor
    let slip: Slip

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      let client = try SourceClient(
        descriptor, Settings.Server(url: "http://things.test"), transport: context.transport)
      let number = context.cursor?["page"]?.int ?? 1
      let since = context.sourceState["point"]?.int
      let url = client.base + "/?page=\(number)" + (since.map { "&since=\($0)" } ?? "")
      guard let answer = try await client.get(url, Things(needsPoint: true)) else { return .notModified(url: url) }
      let read = answer.parsed.value
      // The point of the first page: what changes while the others are read comes with the next pull.
      let point = slip == .lastPoint ? read.now : context.cursor?["point"]?.int ?? read.now
      var page = PullPage(changes: read.changes, rejects: answer.parsed.rejects, url: url)
      if slip != .noRemovals {
        page.changes += read.removed.map { PulledChange(collection: Things.collection, id: $0, fields: [:], .remove) }
      }
      if read.hasMore { page.next = ["page": .int(number + 1), "point": .int(point)] }
      if !read.hasMore || slip == .everyPage || slip == .lateEveryPage && since != nil {
        page.sourceState = ["point": .int(point)]
      }
      var list = ListPage(read.changes.map { RecordName($0.collection, $0.id) })
      if since != nil, slip != .noDoubt { list.doubts = [.part] }
      page.coverage = .page(list)
      return page
    }
  }

  /// Verifies a source, and checks which violation is found; `nil` for none.
  private func verify(
    _ source: some Source, _ path: String, _ answers: [HTTPResponse], _ further: [HTTPResponse] = [],
    later: SourceContract.Later? = nil, finds violation: String?
  ) async throws {
    let contract = SourceContract(
      source: source, follow: Follow(path: path), badFollows: [], answers: answers, furtherAnswers: further,
      later: later,
      store: InMemoryRecordStore())
    guard let violation else { return try await contract.verify() }
    let error = await #expect(throws: ContractViolation.self) { try await contract.verify() }
    #expect(error?.description.hasPrefix(violation) == true, "\(error?.description ?? "")")
  }

  /// How a source reads what it should not.
  enum Misreading: CaseIterable {
    case nothing, emptyList, rememberedList, staleChange, removal, wrongList, laterRemoval, laterChange, laterLoss
  }

  /// The suite finds sources that take any JSON for an empty list, or a 304 for a list without records.
  @Test(arguments: [
    (Misreading.nothing, nil),
    (
      .emptyList,
      "expected an error or a rejected record for the response '{}', found a page with 0 records and none rejected"
    ),
    (
      .rememberedList,
      "expected the same ids in 'before' of a whole list with an empty memory, found none of a; say what each page has, "
        + "which the engine remembers"
    ),
    (
      .staleChange,
      "expected a page with unchanged coverage for the response 304 to a conditional request, found another"
    ),
    (
      .removal, "expected that the response 304 to a conditional request removes nothing, found the removal of things/a"
    ),
    (
      .wrongList,
      "expected things/a, which the pull brought, in 'now' of its whole list, found 1 other record: it would be removed"
    ),
    (
      .laterRemoval,
      "expected that the next pull removes nothing that the same responses brought, found the removal of things/a"
    ),
    (.laterChange, "expected the same record from the same responses in the next pull, found another things/a"),
    (
      .laterLoss,
      "expected things/a in the whole list of the next pull, which has the same responses, found none: it would be removed"
    ),
  ])
  func contractFinds(_ misreading: Misreading, _ violation: String?) async throws {
    let answer = HTTPResponse(status: 200, body: Array(#"{"things": [{"id": "a"}]}"#.utf8), url: "http://things.test/")
    try await verify(Misreader(misreading: misreading), "things/all", [answer], finds: violation)
  }

  enum Loss: CaseIterable { case nothing, laterPages, samePage, records, rejects }

  /// The suite finds sources that end at an unchanged first page, and that leave out records that they cannot read.
  @Test(arguments: [
    (Loss.nothing, nil),
    (
      .laterPages,
      "expected the cursor of the second page after the response 304 to the first of several, found none: what changed on "
        + "later pages would be lost"
    ),
    (
      .samePage,
      "expected a request for the second page after the response 304 to the first of several, found "
        + "[\"http://things.test/?page=1\"]"
    ),
    (
      .records,
      "expected an error or a rejected record where a field of a record has another kind, found neither: things/1 is "
        + "missing because of $.things[0].id"
    ),
    (
      .rejects,
      "expected things/1 in the list of a page that counts rejects, or a doubt, found neither: the record would be removed "
        + "because of $.things[0].id"
    ),
  ])
  func contractFinds(_ loss: Loss, _ violation: String?) async throws {
    func page(_ id: Int) -> HTTPResponse {
      let body = #"{"things": [{"id": "\#(id)", "kind": "thing"}, {"kind": "other"}]}"#
      return HTTPResponse(status: 200, body: Array(body.utf8), url: "http://things.test/?page=\(id)")
    }
    try await verify(Lister(loss: loss), "things/all", [page(1)], [page(2)], finds: violation)
  }

  /// A source of two pages of `{"things": [{"id", "kind"}]}`, of which those of the kind `thing` count.
  private struct Lister: Source {
    let abilities = SourceAbilities()
    let descriptor = Things.descriptor
    let loss: Loss

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      let client = try SourceClient(
        descriptor, Settings.Server(url: "http://things.test"), transport: context.transport)
      let number = context.cursor?["page"]?.int ?? 1
      let url = client.base + "/?page=\(number)"
      let validator = number == 1 ? StoredValidator(context.sourceState, url: url).validator : nil
      let next: JSONObject? = number == 1 ? ["page": 2] : nil
      let parser = Things(hasKinds: true, dropsRecords: loss == .records)
      guard let answer = try await client.get(url, parser, validator: validator) else {
        var page = PullPage.notModified(url: url)
        if loss != .laterPages { page.next = loss == .samePage ? ["page": 1, "again": true] : next }
        return page
      }
      var page = PullPage(changes: answer.parsed.value.changes, rejects: answer.parsed.rejects, url: url, next: next)
      if number == 1 { page.sourceState = StoredValidator(url: url, answer.validator).fields }
      page.coverage = .page(ListPage(page.changes.map { RecordName($0.collection, $0.id) }))
      page.countsRejects = loss == .rejects
      return page
    }
  }

  /// A source of `{"things": [{"id"}]}`.
  private struct Misreader: Source {
    let abilities = SourceAbilities()
    let descriptor = Things.descriptor
    let misreading: Misreading

    func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
      let client = try SourceClient(
        descriptor, Settings.Server(url: "http://things.test"), transport: context.transport)
      let url = client.base + "/"
      let validator = StoredValidator(context.sourceState, url: url).validator
      let parser = Things(isLenient: misreading == .emptyList)
      guard let answer = try await client.get(url, parser, validator: validator) else {
        let removal = PulledChange(collection: Things.collection, id: "a", fields: [:], .remove)
        var page = PullPage.notModified(url: url, changes: misreading == .removal ? [removal] : [])
        if misreading == .staleChange { page.coverage = .unknown }
        return page
      }
      var page = PullPage(
        changes: answer.parsed.value.changes, rejects: answer.parsed.rejects, url: url,
        sourceState: StoredValidator(url: url, answer.validator).fields)
      let isLater = !context.sourceState.isEmpty
      page.sourceState?.append("seen", true)
      switch misreading {
      case .wrongList: page.coverage = .whole(before: [], now: [.init(Things.collection, "b")])
      case .laterLoss:
        page.coverage = .whole(before: [], now: isLater ? [] : page.changes.map { .init(Things.collection, $0.id) })
      case .laterRemoval where isLater:
        page.changes = page.changes.map { PulledChange(collection: Things.collection, id: $0.id, fields: [:], .remove) }
      case .laterChange where isLater:
        page.changes = page.changes.map {
          PulledChange(
            collection: Things.collection, id: $0.id, fields: ["id": .string($0.id), "seen": true], .replace)
        }
      default: break
      }
      if misreading == .rememberedList {
        let now = page.changes.map(\.id)
        let before = (context.sourceState["ids"]?.array ?? []).compactMap(\.string)
        page.coverage = .whole(
          before: before.map { .init(Things.collection, $0) }, now: now.map { .init(Things.collection, $0) })
        page.sourceState?.append("ids", .array(now.map { .string($0) }))
      }
      return page
    }
  }
}
