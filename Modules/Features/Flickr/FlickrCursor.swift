import Models

/// Where a list of photos goes on: first page by page, then through the owners that are not known.
struct FlickrCursor: Hashable, Sendable {
  /// The next page of photos, from 1; `nil` once the photos are here.
  var page: Int?
  /// Photos that came.
  var photos = 0
  /// Owners that were asked for.
  var fetched = 0
  /// Owners that are not known yet, in the order in which they were met.
  var owners: [String] = []

  /// The beginning.
  init() { page = 1 }

  /// Reads a cursor; one that is no cursor is the beginning.
  init(fields: JSONObject?) {
    self.init()
    guard let fields, let photos = fields["photos"]?.int, let fetched = fields["fetched"]?.int,
      let owners = fields["owners"]?.string
    else { return }
    page = fields["page"]?.int
    self.photos = photos
    self.fetched = fetched
    self.owners = owners.split(separator: " ").map(String.init)
  }

  /// The cursor as it is kept. The owners are one string: an NSID has no space.
  var fields: JSONObject {
    var fields = JSONObject()
    fields.append("page", page)
    fields.append("photos", photos)
    fields.append("fetched", fetched)
    fields.append("owners", owners.joined(separator: " "))
    return fields
  }

  /// The cursor as it is kept, `nil` where nothing is left to do.
  var next: JSONObject? { page == nil && owners.isEmpty ? nil : fields }
}
