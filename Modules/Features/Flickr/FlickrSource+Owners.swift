import Models
import Ports
import Synchronization

extension FlickrSource {
  private static let method = "flickr.people.getInfo"

  func pullPerson(
    _ nsid: String, _ client: FlickrClient, _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    let url = client.publicURL(Self.method, [("user_id", nsid)])
    let answer = try await client.call(Self.method, [("user_id", nsid)], person)
    switch answer.value {
    case .success(let owner): return PullPage(changes: [PulledChange(owner)], rejects: answer.rejects, url: url)
    case .failure(let failure) where failure.isDeletedUser:
      return PullPage(changes: [PulledChange(try tombstone(nsid, context.snapshot))], url: url)
    case .failure(let failure): throw client.error(failure, of: Self.method, url: url)
    }
  }

  /// The next owners of the queue: one, or as many as run side by side. A long queue is taken in 128ths, because its
  /// rest is written with every page.
  func pullOwners(
    _ cursor: FlickrCursor, follow: String, _ client: FlickrClient, _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    var page = PullPage(url: client.publicURL(Self.method, []))
    // The pages before told which photos the follow lists.
    var list = ListPage([])
    list.keepsDeparted = true
    page.coverage = .page(list)
    var missing: [String] = []
    var rest = cursor.owners[...]
    var open = max(context.jobs, cursor.owners.count / 128)
    var failed: SourceError?
    while open > 0, failed == nil {
      let group = try nextOwners(&rest, upTo: min(open, max(1, context.jobs)), follow: follow, context)
      guard !group.isEmpty else { break }
      open -= group.count
      var again: [String] = []
      let answers = await group.concurrentMap { await answer(to: $0, client) }
      for (nsid, answer) in zip(group, answers) {
        do throws(SourceError) {
          switch try answer.get().value {
          case .success(let owner): page.changes.append(PulledChange(owner))
          case .failure(let failure) where failure.isDeletedUser:
            page.changes.append(PulledChange(try tombstone(nsid, context.snapshot)))
          case .failure(let failure):
            switch failure.meaning(of: Self.method) {
            case .missing: missing.append(nsid)
            case .denied, .later:
              throw client.error(failure, of: Self.method, url: client.publicURL(Self.method, [("user_id", nsid)]))
            // An odd answer about one person must not block those that follow.
            default: page.rejects.append(reject(nsid, "a person", "error \(failure.code): \(failure.message)"))
            }
          }
        } catch .parsing(let error) where error.code == .shape {
          page.rejects.append(reject(nsid, error.expected, error.found, path: error.path))
        } catch {
          again.append(nsid)
          failed = failed ?? error
        }
      }
      rest = (again + rest)[...]
    }
    let done = cursor.owners.count - rest.count
    // What came before an error is kept; the error itself comes again with the next page.
    if let failed, page.changes.isEmpty, page.rejects.isEmpty, missing.isEmpty { throw failed }
    var next = cursor
    next.owners = Array(rest)
    next.fetched += done
    page.next = next.next
    page.progress = .init(done: next.photos + next.fetched, total: next.photos + next.fetched + rest.count)
    if !missing.isEmpty { page.sourceState = remember(missing, context.sourceState) }
    return page
  }

  /// Takes owners from the queue that are not stored and that no other follow requests.
  private func nextOwners(
    _ queue: inout ArraySlice<String>, upTo count: Int, follow: String, _ context: PullContext
  ) throws(SourceError) -> [String] {
    var group: [String] = []
    while group.count < count, let nsid = queue.first {
      let isOpen = try !isKnown(nsid, context.snapshot) && claims.claim(nsid, run: context.run, follow: follow)
      queue.removeFirst()
      if isOpen { group.append(nsid) }
    }
    return group
  }

  private func answer(to nsid: String, _ client: FlickrClient) async -> Result<Parsed<APIAnswer<Owner>>, SourceError> {
    do throws(SourceError) {
      return .success(try await client.call(Self.method, [("user_id", nsid)], person))
    } catch {
      return .failure(error)
    }
  }

  /// What is kept of a deleted account: what was known of it, or its id for a name.
  func tombstone(_ nsid: String, _ snapshot: any StoreSnapshot) throws(SourceError) -> Owner {
    try SourceError.from { () throws(StoreError) in
      var owner =
        try snapshot.record(Owner.self, nsid, coder)
        ?? Owner(id: nsid, username: nsid, iconURL: Owner.placeholderIconURL)
      owner.iconURL = Owner.placeholderIconURL
      owner.deleted = true
      return owner
    }
  }

  func isKnown(_ nsid: String, _ snapshot: any StoreSnapshot) throws(SourceError) -> Bool {
    try SourceError.reading(snapshot.record(.owners, nsid) != nil)
  }

  /// Owners that do not exist, according to Flickr. They are requested again only with `--full`.
  func missingOwners(_ state: JSONObject) -> [String] { state["missing"]?.array?.compactMap(\.string) ?? [] }

  private func remember(_ missing: [String], _ state: JSONObject) -> JSONObject {
    let known = missingOwners(state)
    var state = state
    state["missing"] = .array((known + missing.filter { !known.contains($0) }).map { .string($0) })
    return state
  }

  private func reject(_ nsid: String, _ expected: String, _ found: String, path: String = "$") -> RejectedRecord {
    RejectedRecord(index: 0, path: path, expected: expected, found: found, raw: nsid)
  }
}

/// The owners that the follows of a run have requested, so that no owner is requested twice.
///
/// It lives with the process; what other processes and earlier runs fetched is seen in the store.
final class OwnerClaims: Sendable {
  private struct Run {
    let id: String
    var follows: [ExactString: String] = [:]
    /// The owners that the store had when a page named them first.
    var stored: Set<ExactString> = []
  }

  /// Runs that are remembered: more than ever go on at the same time.
  private static let remembered = 8

  private let runs = Mutex<[Run]>([])

  /// Whether the follow may request the owner: no other follow of the run has.
  func claim(_ owner: String, run: String, follow: String) -> Bool {
    with(run) { run in
      let holder = run.follows[owner.exact]
      if holder == nil { run.follows[owner.exact] = follow }
      return holder == nil || holder?.exact == follow.exact
    }
  }

  /// The owners that no earlier page of the run found in the store: the pages of a list name the same ones again and again.
  func notMet(_ owners: [String], run: String) -> [String] {
    with(run) { run in owners.filter { !run.stored.contains($0.exact) } }
  }

  /// Notes owners that the store has.
  func meet(_ owners: [String], run: String) {
    with(run) { run in for owner in owners { run.stored.insert(owner.exact) } }
  }

  private func with<Result>(_ id: String, _ body: (inout Run) -> Result) -> Result {
    runs.withLock { runs in
      if let index = runs.firstIndex(where: { $0.id.exact == id.exact }) { return body(&runs[index]) }
      if runs.count == Self.remembered { runs.removeFirst() }
      runs.append(Run(id: id))
      return body(&runs[runs.count - 1])
    }
  }
}
