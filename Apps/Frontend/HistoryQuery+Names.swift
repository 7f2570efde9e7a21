public import Models
public import Ports

extension HistoryQuery {
  /// Checks the field and the cause of a query that no change met: a mistyped name would look like a quiet time. What the
  /// history has is not asked again.
  ///
  /// - Parameters:
  ///   - follows: the paths that are followed.
  ///   - commands: the words of every command; `nil` where they are not known: then several words may be one.
  /// - Throws: `Failure`: `usage`, with the nearest name, if no collection of the query has the field, or if the cause is neither a kind
  ///   of change nor a known follow, command or run; or if the store cannot be read. O(n) for n records and changes.
  public func checkNames(
    _ library: any LibraryService, _ history: any HistoryService, _ catalog: CollectionCatalog, follows: [String],
    commands: [String]?
  ) throws(Failure) {
    if let field { try check(field, library, catalog) }
    if let cause { try check(cause, history, follows, commands) }
  }

  private func check(
    _ field: String, _ library: any LibraryService, _ catalog: CollectionCatalog
  ) throws(Failure) {
    let names = collections.isEmpty ? catalog.names : collections
    var problem: Failure?
    for name in names {
      let query = LibraryQuery(conditions: [RecordCondition(field: field, comparison: .present)], limit: 1)
      do throws(Failure) { return try library.list(name, query) { _ in .stop } } catch {
        guard error.code == .own(.noField) else { throw error }
        problem = problem ?? error
      }
    }
    guard var problem else { return }
    if names.count > 1 {
      let known = names.flatMap { catalog.fields(of: $0).flatMap(\.leaves).map(\.name) }
      problem.message = "'\(field)' is not a field of any collection"
      problem.hint = Advice(NearestName.suggestion(field, among: known))
    }
    throw problem
  }

  private func check(
    _ cause: String, _ history: any HistoryService, _ follows: [String], _ commands: [String]?
  ) throws(Failure) {
    let kinds = ChangeCause.Kind.allCases.map(\.rawValue)
    var known = kinds + follows + (commands ?? [])
    let isRequest = if case .command = ChangeCause.Tool(text: cause) { false } else { true }
    if isRequest || known.contains(where: { $0.exact == cause.exact }) || commands == nil && cause.contains(" ") {
      return
    }
    var isKnown = false
    try history.changes(HistoryQuery(limit: Self.mostRead)) { entry in
      guard let found = entry.origin?.cause else { return .next }
      isKnown = found.isNamed(cause)
      for name in [found.follow, found.tool?.text, found.words].compactMap(\.self)
      where !known.contains(where: { $0.exact == name.exact }) { known.append(name) }
      return isKnown ? .stop : .next
    }
    guard !isKnown else { return }
    throw Failure(
      .config, .usage, "'\(cause)' is neither a kind of change nor a known follow, command or run",
      hint: "\(NearestName.question(cause, among: known))the kinds are \(kinds.joined(separator: ", "))",
      code: .own(.usage), path: "by")
  }

  /// The number of the newest changes whose causes count as known.
  private static let mostRead = 10_000
}
