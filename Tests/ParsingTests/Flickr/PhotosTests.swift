import Models
import Parsing
import Ports
import Testing

/// Pages of photos and their drifts.
@Suite("Flickr photos")
struct PhotosTests {
  let parser = FlickrPhotosParser()

  private func page(_ text: String) throws -> (page: PhotoPage, rejects: [RejectedRecord]) {
    let parsed = try parser.parse(Array(text.utf8))
    guard case .success(let page) = parsed.value else {
      throw ParsingError(.shape, expected: "a page", found: "a failure")
    }
    return (page, parsed.rejects.kept)
  }

  private func photo(_ members: String) throws -> Photo? {
    try page(#"{"photos":{"photo":[{"id":"7","owner":"1@N00","secret":"s3c","server":"65535",\#(members)}]}}"#).page
      .photos.first
  }

  @Test("a page with numbers as strings or numbers, and a photo with its extras")
  func extras() throws {
    let result = try page(
      #"""
      {"photos":{"page":"2","pages":9,"perpage":"1","total":"859","photo":[{"id":"7","owner":"1@N00","secret":"s3c","server":"65535","farm":66,
      "title":"Fog \/ 1","datetaken":"2012-05-17 08:45:10","datetakengranularity":0,"dateupload":"1337237200","tags":"fog  north sea",
      "url_sq":"https:\/\/img.example\/sq.jpg","height_sq":75,"width_sq":"75","url_t":"https:\/\/img.example\/t.jpg","height_t":"67","width_t":100,
      "url_o":"https:\/\/img.example\/o.jpg","width_o":"800","height_o":600,"url_l":"https:\/\/img.example\/l.jpg","width_l":1024,"height_l":"768"}]},"stat":"ok"}
      """#)
    #expect(result.rejects.isEmpty)
    #expect(result.page.page == 2)
    #expect(result.page.pages == 9)
    #expect(result.page.total == 859)
    #expect(
      result.page.photos == [
        Photo(
          id: "7", ownerID: "1@N00", title: "Fog / 1", thumbnailURL: "https://img.example/sq.jpg",
          imageURL: "https://img.example/l.jpg", pageURL: "https://www.flickr.com/photos/1@N00/7",
          takenAt: Timestamp(rfc3339: "2012-05-17T08:45:10Z"), postedAt: Timestamp(secondsSinceEpoch: 1_337_237_200),
          tags: ["fog", "north", "sea"])
      ])
  }

  @Test("addresses are built where the list has none")
  func built() throws {
    let photo = try #require(try photo(#""title":{"_content":"T"},"farm":5"#))
    #expect(photo.title == "T")
    #expect(photo.thumbnailURL == "https://live.staticflickr.com/65535/7_s3c_s.jpg")
    #expect(photo.imageURL == "https://live.staticflickr.com/65535/7_s3c_b.jpg")
    #expect(photo.takenAt == nil)
    #expect(photo.tags == nil)
  }

  @Test("one size is both smallest and largest; sizes without numbers follow their suffix; null is ignored")
  func sizes() throws {
    #expect(try photo(#""url_m":"m""#)?.thumbnailURL == "m")
    #expect(try photo(#""url_m":"m""#)?.imageURL == "m")
    let named = try photo(#""url_o":"o","url_s":"s","url_k":"k","url_zz":"?","url_t":null"#)
    #expect(named?.thumbnailURL == "s")
    #expect(named?.imageURL == "o")
  }

  @Test("odd values are absent values")
  func absent() throws {
    let odd = try photo(#""title":null,"datetaken":"0000-00-00 00:00:00","dateupload":0,"tags":"""#)
    #expect(odd?.title == "")
    #expect(odd?.takenAt == nil)
    #expect(odd?.postedAt == nil)
    #expect(odd?.tags == nil)
  }

  @Test("the owner of a set is that of its photos")
  func set() throws {
    let set = try page(
      #"{"photoset":{"owner":"2@N01","title":"S","photo":[{"id":"1","secret":"s","server":"1"}]},"stat":"ok"}"#)
    #expect(set.page.photos.first?.ownerID == "2@N01")
  }

  @Test(
    "a bad photo is set aside with its place",
    arguments: [
      (#"{"id":"1","secret":"s","server":"1"}"#, "$.photos.photo[1].owner", "nothing"),
      (#"{"id":"","owner":"1@N00"}"#, "$.photos.photo[1].id", "string \"\""),
      (#"{"id":"1","owner":"1@N00"}"#, "$.photos.photo[1].secret", "nothing"),
      (#"{"id":"1","owner":"1@N00","url_m":7}"#, "$.photos.photo[1].url_m", "number 7"),
      (
        #"{"id":"1","owner":"1@N00","secret":"s","server":"1","dateupload":"soon"}"#, "$.photos.photo[1].dateupload",
        "string \"soon\""
      ),
      ("[]", "$.photos.photo[1]", "an empty array"),
    ])
  func rejects(photo: String, path: String, found: String) throws {
    let good = #"{"id":"1","owner":"1@N00","secret":"s","server":"1"}"#
    let result = try page("{\"photos\":{\"photo\":[\(good),\(photo),\(good)]}}")
    #expect(result.page.photos.count == 2)
    #expect(
      result.rejects == [
        RejectedRecord(index: 1, path: path, expected: result.rejects.first?.expected ?? "", found: found, raw: photo)
      ])
  }
}
