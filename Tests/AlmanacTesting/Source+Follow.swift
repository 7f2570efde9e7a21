public import Models
public import Ports

extension Source {
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let checked: CheckedFollow
    do throws(FollowError) { checked = try check(follow) } catch { throw .follow(error) }
    return try await pull(checked, context)
  }

  /// Pulls a page of a follow of which nothing is known, at the beginning of 1970, unless something else is said.
  public func pull(
    _ follow: Follow, over transport: any HTTPTransport, in store: any RecordStore = InMemoryRecordStore(),
    cursor: JSONObject? = nil, sourceState: JSONObject = [:], at now: Timestamp = Timestamp(secondsSinceEpoch: 0)
  ) async throws(SourceError) -> PullPage {
    let context = PullContext(
      transport: transport, snapshot: try SourceError.reading(store.snapshot()), cursor: cursor,
      sourceState: sourceState, now: now, run: "run")
    return try await pull(follow, context)
  }
}
