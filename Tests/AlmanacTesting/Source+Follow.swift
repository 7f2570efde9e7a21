public import Models
public import Ports

extension Source {
  public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let checked: CheckedFollow
    do throws(FollowError) { checked = try check(follow) } catch { throw .follow(error) }
    return try await pull(checked, context)
  }
}
