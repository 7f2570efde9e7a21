import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// Every style of paging meets everything that may be wrong with an answer: what is removed of a list of eight records in
/// pages of two, of which one is gone at the server.
@Suite("Decisions about lists")
struct ListDecisionTests {
  enum Outcome: Equatable {
    case removes(Int)
    /// Nothing is removed, and a warning says why.
    case doubts
    /// Most of the list is missing.
    case refuses
    case fails
  }

  /// What is wrong, with the second page if with one.
  enum Fault: CaseIterable {
    case nothing, rejectedRecord, recordWithoutID, failure, noList, limit, emptyPage, wrongCount, promise, repeatedPage
  }

  /// A style of paging, and what it makes of the faults that not every style can notice.
  struct Style: Sendable, CustomTestStringConvertible {
    var request: String
    var pages: String
    var emptyPage: Outcome
    /// The last page says that there is another number of records or pages, or that there are more.
    var isCounted: Bool
    var repeatedPage: Outcome

    init(
      _ variable: String, _ pages: String, empty: Outcome, isCounted: Bool = false, repeated: Outcome = .removes(1)
    ) {
      request = "/items?size=2\(variable.isEmpty ? "" : "{&\(variable)}")"
      (self.pages, emptyPage, self.isCounted, repeatedPage) = (pages, empty, isCounted, repeated)
    }

    var testDescription: String { pages }
  }

  static let styles = [
    // A link or a cursor goes on behind an empty page, and nothing says that it should have records: three are gone.
    Style("", #"{"link": "next"}"#, empty: .removes(3), repeated: .removes(3)),
    Style("", #"{"link": "next", "count": "$.total"}"#, empty: .doubts, isCounted: true, repeated: .doubts),
    Style("", #"{"next": "$.next"}"#, empty: .removes(3), repeated: .removes(3)),
    Style("cursor", #"{"cursor": {"cursor": "$.cursor"}}"#, empty: .removes(3), repeated: .removes(3)),
    Style(
      "cursor", #"{"cursor": {"cursor": "$.cursor"}, "more": "$.more"}"#, empty: .removes(3), isCounted: true,
      repeated: .removes(3)),
    Style("page", #"{"page": 1}"#, empty: .refuses, repeated: .fails),
    Style("page", #"{"page": 1, "pages": "$.pages"}"#, empty: .doubts, isCounted: true, repeated: .fails),
    Style("page", #"{"page": 1, "more": "$.more"}"#, empty: .doubts, isCounted: true, repeated: .fails),
    Style("page", #"{"page": 1, "count": "$.total"}"#, empty: .doubts, isCounted: true, repeated: .fails),
    Style("offset", #"{"offset": 0, "count": "$.total"}"#, empty: .doubts, isCounted: true, repeated: .fails),
    Style("after", #"{"last": {"after": "$.id"}}"#, empty: .refuses),
    Style("after", #"{"last": {"after": "$.id"}, "more": "$.more"}"#, empty: .doubts),
  ]

  private static func expected(_ fault: Fault, _ style: Style) -> Outcome? {
    switch fault {
    case .nothing, .rejectedRecord: .removes(1)
    case .recordWithoutID, .limit: .removes(0)
    case .failure, .noList: .fails
    case .emptyPage: style.emptyPage
    case .wrongCount, .promise: style.isCounted ? .doubts : .removes(1)
    // A list that goes on after its last record comes to the same page for ever.
    case .repeatedPage: style.request.contains("after") ? nil : style.repeatedPage
    }
  }

  @Test("one case for each style of paging and each fault", arguments: styles, Fault.allCases)
  func cells(_ style: Style, _ fault: Fault) async throws {
    guard let expected = Self.expected(fault, style) else { return }
    let shop = try Shop(
      items: 8,
      follow:
        #""get": "\#(style.request)", "pages": \#(style.pages), "complete": true, "limit": {"default": 99, "most": 99}"#
    )
    try await shop.sync()
    shop.change { _ = $0.items.remove(at: 6) }
    let targets = try await pages(of: shop)
    for (target, answer) in try await disturbed(targets, fault, shop) {
      shop.change { $0.answers[target.exact] = answer }
    }
    let plan = try await shop.sync(limit: fault == .limit ? 3 : nil, options: SyncOptions(dryRun: true))
    let isDoubted = plan.notes.contains { $0.contains("nothing is removed") }
    let report = try await shop.sync(limit: fault == .limit ? 3 : nil)
    let outcome: Outcome =
      report.error?.code == .own(.massRemoval)
      ? .refuses : report.error != nil ? .fails : isDoubted ? .doubts : .removes(report.counts.removed)
    #expect(outcome == expected, "\(report) \(plan.notes)")
    // What is right again is applied.
    shop.change { $0.answers = [:] }
    try await shop.sync(options: SyncOptions(force: true))
    try await shop.sync(options: SyncOptions(force: true))
    #expect(try shop.ids() == ["0", "1", "2", "3", "4", "5", "7"])
  }

  /// The targets of the pages as the server has them now, in the order of a reading.
  private func pages(of shop: Shop) async throws -> [String] {
    var targets: [String] = []
    _ = try await shop.sync(options: SyncOptions(dryRun: true))
    for target in shop.requests where !targets.contains(target) { targets.append(target) }
    return targets
  }

  private func disturbed(_ targets: [String], _ fault: Fault, _ shop: Shop) async throws -> [(String, HTTPResponse)] {
    func changed(_ target: String, _ change: (inout JSONObject) -> Void) async throws -> (String, HTTPResponse) {
      var answer = try await shop.send(HTTPRequest(.get, Shop.base + target))
      var body = try shop.coder.decode(answer.body)
      change(&body)
      answer.body = shop.coder.encode(body)
      return (target, answer)
    }
    let (second, last) = (targets[1], targets.last { !$0.contains("page=5") && !$0.contains("after=7") } ?? "")
    switch fault {
    case .nothing, .limit: return []
    case .rejectedRecord, .recordWithoutID:
      return [
        try await changed(second) { body in
          let bad: JSONObject = fault == .rejectedRecord ? ["id": 2] : ["name": "x"]
          body["items"] = .array([.object(bad)] + (body["items"]?.array?.dropFirst() ?? []))
        }
      ]
    case .failure: return [(second, HTTPResponse(status: 500, url: ""))]
    case .noList: return [(second, HTTPResponse("{}"))]
    case .emptyPage: return [try await changed(second) { $0["items"] = .array([]) }]
    case .wrongCount, .promise:
      // Also on the empty page behind the last one, which the answer leads to.
      let behind = [
        targets.last ?? "", last.replacing("page=4", with: "page=5").replacing("offset=6", with: "offset=7"),
      ]
      var answers: [(String, HTTPResponse)] = []
      for target in Set(([last] + behind).map(\.exact)).sorted() {
        answers.append(
          try await changed(target.text) { body in
            body["total"] = .int(fault == .promise ? 99 : 9)
            body["pages"] = .int(fault == .promise ? 99 : 6)
            body["more"] = .bool(true)
          })
      }
      return answers
    case .repeatedPage:
      let first = try shop.coder.decode(try await shop.send(HTTPRequest(.get, Shop.base + targets[0])).body)
      return [try await changed(second) { $0["items"] = first["items"] }]
    }
  }
}
