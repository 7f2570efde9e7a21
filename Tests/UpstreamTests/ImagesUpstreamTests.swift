import Foundation
import Testing
import UpstreamKit

@Suite struct ImagesUpstreamTests {
  @Test(
    arguments: [
      ("/65535/51000000024_ba172f0481_q.jpg", "image/jpeg", [0xFF, 0xD8, 0xFF]),
      ("/image/thumb/Purple/v4/ac06/AppIcon.png/53x53bb.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
      ("/images/buddyicon.gif", "image/gif", [0x47, 0x49, 0x46, 0x38]),
      ("/6571/buddyicons/10000001@N08.jpg", "image/jpeg", [0xFF, 0xD8, 0xFF]),
    ] as [(String, String, [UInt8])])
  func servesPictures(path: String, type: String, start: [UInt8]) throws {
    let played = try Played()
    let response = try played.client.call("GET", path)
    #expect(response.status == 200)
    #expect(response["content-type"] == type)
    #expect(response.body.starts(with: start))
    let tag = try #require(response["etag"])
    #expect(try played.client.call("GET", path, headers: ["If-None-Match": tag]).status == 304)
  }

  /// Python's zlib verifies the checksums of a PNG, and the number of pixels must match the header.
  @Test func makesPNGsThatInflate() throws {
    let file = TinyImage.make(.png, width: 100, height: 53, colour: (1, 2, 3))
    func big(_ offset: Int) -> Int { file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(big(16) == 100 && big(20) == 53)
    let mark = try #require((0..<file.count - 4).first { Array(file[$0..<$0 + 4]) == Array("IDAT".utf8) })
    let data = Array(file[(mark + 4)..<(mark + 4 + big(mark - 4))])
    #expect(try inflate(data, as: "deflate") == [UInt8](repeating: 0, count: 53 * 14))
  }

  @Test(arguments: TinyImage.Kind.allCases, [1, 7, 8, 9, 150])
  func makesEverySize(kind: TinyImage.Kind, edge: Int) {
    let file = TinyImage.make(kind, width: edge, height: edge, colour: (200, 100, 50))
    #expect(file.count > 30)
    switch kind {
    case .jpeg: #expect(file.suffix(2) == [0xFF, 0xD9])
    case .gif: #expect(file.last == 0x3B)
    case .png: #expect(file.suffix(8).prefix(4) == [0x49, 0x45, 0x4E, 0x44])
    }
    #expect(TinyImage.Kind(name: "x.\(kind == .jpeg ? "JPG" : kind.rawValue)") == kind)
  }

  @Test func photoAddressesLeadToPictures() throws {
    let played = try Played()
    let answer = try played.flickr("interestingness.getList&per_page=2&extras=url_q")
    let photos = try #require((answer["photos"] as? [String: Any])?["photo"] as? [[String: Any]])
    let url = try #require(photos[0]["url_q"] as? String)
    // The raw client uses the host "localhost", so the URL does too.
    let path = try #require(url.split(separator: "http://localhost").first.map(String.init))
    #expect(try played.client.call("GET", path)["content-type"] == "image/jpeg")
  }
}
