import Models
import Ports

extension FlickrSource {
  /// The largest page that Flickr gives.
  private static let largestPage = 500
  /// What every photo comes with, beside what a list always tells.
  private static let extras = "date_upload,date_taken,tags,url_sq,url_q,url_l"

  /// One page of a list of photos.
  func pullPhotos(
    _ query: FlickrQuery, _ page: Int, _ cursor: FlickrCursor, limit: Int, _ client: FlickrClient,
    _ context: PullContext
  ) async throws(SourceError) -> PullPage {
    let parameters =
      query.parameters + [
        ("per_page", String(min(limit, Self.largestPage))), ("page", String(page)), ("extras", Self.extras),
      ]
    let url = client.publicURL(query.method, parameters)
    let answer = try await client.call(query.method, parameters, photos)
    switch answer.value {
    case .failure(let failure):
      if failure.isDeletedUser, let nsid = query.nsid {
        return PullPage(changes: [PulledChange(try tombstone(nsid, context.snapshot))], url: url)
      }
      throw client.error(failure, of: query.method, url: url)
    case .success(let found):
      let taken = Array(found.photos.prefix(limit - cursor.photos))
      var next = cursor
      next.photos += taken.count + answer.rejects.total
      next.owners += try unknownOwners(of: taken, cursor, context)
      // A page may hold fewer photos than promised, so the number of pages says where the end is.
      let isLast = page >= found.pages || next.photos >= limit || found.photos.isEmpty && answer.rejects.isEmpty
      next.page = isLast ? nil : page + 1
      return PullPage(
        changes: taken.map { PulledChange($0, .merge) }, rejects: answer.rejects, url: url, next: next.next,
        progress: .init(done: next.photos, total: found.total.map { min($0, limit) }))
    }
  }

  /// The owners that neither the store nor the queue knows, in the order of their photos.
  private func unknownOwners(
    of photos: [Photo], _ cursor: FlickrCursor, _ context: PullContext
  ) throws(SourceError) -> [String] {
    var seen = Set(cursor.owners).union(missingOwners(context.memory))
    var unknown: [String] = []
    for photo in photos where FlickrQuery.isNSID(photo.ownerID) && seen.insert(photo.ownerID).inserted {
      if try !isKnown(photo.ownerID, context.snapshot) { unknown.append(photo.ownerID) }
    }
    return unknown
  }
}
