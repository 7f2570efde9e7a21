public import Ports

/// Reads a page of photos: `flickr.photos.search`, `flickr.people.getPublicPhotos`, `flickr.interestingness.getList`
/// and `flickr.favorites.getPublicList` all answer `{"photos": {page, pages, perpage, total, photo: […]}}`; sets
/// answer the same under `photoset`, where the owner stands once for all.
public struct FlickrPhotosParser: ResponseParser {
  /// A parser.
  public init() {}

  /// Parses one page.
  ///
  /// - Throws: `ParsingError`: `shape` where there is no list of photos; `foreign` where it is no JSON at all;
  ///   `syntax`, `truncated` or `limit` where the JSON is broken.
  public func parse(_ body: [UInt8]) throws(ParsingError) -> Parsed<APIAnswer<PhotoPage>> {
    try FlickrAnswer.read(body) { (root) throws(ParsingError) -> Parsed<PhotoPage> in
      guard let list = root["photos"] ?? root["photoset"] else {
        throw root.error(expected: "a page of photos", missing: "photos")
      }
      guard list.isObject else { throw list.error(expected: "an object with 'photo'") }
      guard let photos = list["photo"] else { throw list.error(expected: "a list of photos", missing: "photo") }
      let owner = try FlickrPhoto.owner(list["owner"])
      let (records, rejects) = photos.records { (photo) throws(ParsingError) in
        try FlickrPhoto.photo(photo, owner: owner)
      }
      let page = PhotoPage(
        photos: records, page: try list["page"]?.wholeNumber() ?? 1, pages: try list["pages"]?.wholeNumber() ?? 0,
        total: total(list))
      return Parsed(page, rejects: rejects)
    }
  }

  /// How many there are, to show how far a pull has come; one that cannot be read costs nobody the page.
  private func total(_ list: JSONNode) -> Int? {
    do throws(ParsingError) { return try list["total"]?.wholeNumber() } catch { return nil }
  }
}
