import Models
import Parsing
import Ports
import Testing

/// Responses of Flickr as other clients have received them, rewritten, with their results.
@Suite("Drifts: Flickr")
struct FlickrDriftTests {
  /// `id owner title thumbnail image` of each photo, then each reject's path.
  private func photos(_ body: String) -> [String] {
    do throws(ParsingError) {
      let parsed = try FlickrPhotosParser().parse(Array(body.utf8))
      guard case .success(let page) = parsed.value else { return [] }
      return page.photos.map { "\($0.id) \($0.ownerID) \($0.title) \($0.thumbnailURL) \($0.imageURL)" }
        + parsed.rejects.kept.map { "reject \($0.index) \($0.path) \($0.found)" }
        + ["page \(page.page) of \(page.pages), \(page.total.map(String.init) ?? "?")"]
    } catch {
      return ["\(error.code) \(error.path) \(error.found)"]
    }
  }

  private func page(_ photo: String, counts: String = #""page":1,"pages":1,"total":1,"#) -> [String] {
    photos(#"{"photos":{\#(counts)"photo":\#(photo)},"stat":"ok"}"#)
  }

  private let farm = "https://live.staticflickr.com/9/7_ab"

  @Test(
    "counts of every spelling",
    arguments: [
      (#""page":"2","pages":"3","total":"98","#, "page 2 of 3, 98"),
      (#""page":2.0,"pages":3e0,"total":"","#, "page 2 of 3, ?"),
      (#""page":null,"pages":null,"total":null,"#, "page 1 of 0, ?"),
      (#""page":1,"pages":1,"total":"1,234","#, "page 1 of 1, ?"),
      (#""page":1,"pages":1,"total":{"_content":5},"#, "page 1 of 1, 5"),
      ("", "page 1 of 0, ?"),
    ])
  func counts(text: String, expected: String) {
    #expect(page("[]", counts: text) == [expected])
  }

  @Test("the list is missing, null, one object, empty, or has a hole")
  func lists() {
    let photo = #"{"id":7,"owner":"1@N00","secret":"ab","server":9,"title":"T"}"#
    let line = "7 1@N00 T \(farm)_s.jpg \(farm)_b.jpg"
    #expect(page("null") == ["page 1 of 1, 1"])
    #expect(page(photo) == [line, "page 1 of 1, 1"])
    #expect(
      page("[\(photo),null,[],7]").prefix(4) == [
        line, "reject 1 $.photos.photo[1] null", "reject 2 $.photos.photo[2] an empty array",
        "reject 3 $.photos.photo[3] number 7",
      ])
    #expect(photos(#"{"stat":"ok"}"#) == ["shape $.photos nothing"])
    #expect(photos(#"{"photos":null,"stat":"ok"}"#) == ["shape $.photos null"])
  }

  @Test("titles, owners and pictures in every wrapping")
  func fields() {
    func one(_ more: String) -> String { page(#"[{"id":"7","secret":"ab","server":"9",\#(more)}]"#)[0] }
    let pictures = "\(farm)_s.jpg \(farm)_b.jpg"
    #expect(one(#""owner":"o","title":{"_content":null}"#) == "7 o  \(pictures)")
    #expect(one(#""owner":{"nsid":"o","username":"u"},"title":null"#) == "7 o  \(pictures)")
    #expect(one(#""owner":"o","title":5"#) == "7 o 5 \(pictures)")
    #expect(one(#""owner":"o","url_s":"","url_l":null"#) == "7 o  \(pictures)")
    #expect(one(#""owner":"o","url_s":"","url_z":"z""#) == "7 o  z z")
    #expect(one(#""owner":"o","url_s":5"#).hasPrefix("reject 0 $.photos.photo[0].url_s"))
    #expect(one(#""owner":null"#).hasPrefix("reject 0 $.photos.photo[0]"))
  }

  @Test(
    "tags and dates",
    arguments: [
      (#""tags":"a b""#, "a b"), (#""tags":["a","b c"]"#, "a|b c"), (#""tags":{"tag":[{"_content":"a"},"b"]}"#, "a b"),
      (#""tags":{"tag":{"_content":"a"}}"#, "a"), (#""tags":null"#, "-"), (#""tags":[]"#, "-"),
    ])
  func tags(text: String, expected: String) throws {
    let body = #"{"photos":{"photo":[{"id":"7","owner":"o","secret":"ab","server":"9",\#(text)}]},"stat":"ok"}"#
    guard case .success(let page) = try FlickrPhotosParser().parse(Array(body.utf8)).value else {
      Issue.record("a failure")
      return
    }
    #expect(page.photos.first.map { $0.tags?.joined(separator: expected.contains("|") ? "|" : " ") ?? "-" } == expected)
  }

  @Test(
    "people: servers, farms, counts and flags",
    arguments: [
      (#""iconserver":"8033","iconfarm":"9""#, "https://farm9.staticflickr.com/8033/buddyicons/1@N00.jpg"),
      (#""iconserver":8033,"iconfarm":9.0"#, "https://farm9.staticflickr.com/8033/buddyicons/1@N00.jpg"),
      (#""iconserver":"0","iconfarm":0"#, "https://www.flickr.com/images/buddyicon.gif"),
      (#""iconserver":null,"iconfarm":null"#, "https://www.flickr.com/images/buddyicon.gif"),
      (#""ispro":"0","photos":{"count":{"_content":"3"}}"#, "https://www.flickr.com/images/buddyicon.gif"),
      (#""ispro":false,"photos":null"#, "https://www.flickr.com/images/buddyicon.gif"),
      (
        #""photos":{"count":null},"realname":{"_content":null},"location":"""#,
        "https://www.flickr.com/images/buddyicon.gif"
      ),
    ])
  func people(text: String, icon: String) throws {
    let body = #"{"person":{"nsid":"1@N00","username":{"_content":"u"},\#(text)},"stat":"ok"}"#
    guard case .success(let owner) = try FlickrPersonParser().parse(Array(body.utf8)).value else {
      Issue.record("a failure")
      return
    }
    #expect(owner.iconURL == icon)
    #expect(owner.username == "u" && owner.realName == nil && owner.location == nil)
  }
}
