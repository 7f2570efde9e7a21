import AlmanacTesting
import Models
import Parsing
import Ports
import Synchronization
import Testing

@testable import Flickr

struct MediaTests {
  /// The first bytes of a PNG image, and its end.
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
  private let coder = JSONRecordCoder()
  private let kept = FakeMediaStore()
  private let time = ManualTime()

  private func media(_ urls: [String], _ transport: ScriptedTransport) async throws -> Media {
    let store = InMemoryRecordStore()
    let owners = urls.enumerated().map { Owner(id: "\($0.offset)@N01", username: "", iconURL: $0.element) }
    try await store.put(owners, coder)
    return Media(store: store, media: kept, transport: transport, coder: coder, catalog: .everything, time: time)
  }

  private func answering(_ body: [UInt8], status: Int = 200) -> ScriptedTransport {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      if let limit = request.bodyLimit, body.count > limit {
        throw TransportError(.tooLarge, "too large", url: request.url)
      }
      return HTTPResponse(status: status, body: body, url: request.url)
    }
  }

  @Test func takesThumbnailsAndIconsOnceEach() async throws {
    let store = InMemoryRecordStore()
    let records: [any Record] = [
      App(appID: "1", name: "", artist: "", thumbnailURL: "https://a/app.png", artworkURL: "https://a/big.png"),
      Photo(
        id: "1", ownerID: "1@N1", title: "", thumbnailURL: "https://a/photo.png", imageURL: "https://a/large.png",
        pageURL: "https://a/"),
      Owner(id: "1@N1", username: "", iconURL: "https://a/icon.png"),
      Owner(id: "2@N1", username: "", iconURL: "https://a/icon.png"),
    ]
    try await store.put(records, coder)
    let transport = answering(Self.png)
    let media = Media(store: store, media: kept, transport: transport, coder: coder, catalog: .everything, time: time)
    let report = try await media.fetch(maxBytes: nil)
    #expect(report.fetched == 3)
    #expect(report.bytes == 3 * Self.png.count)
    #expect(kept.urls == ["https://a/app.png", "https://a/icon.png", "https://a/photo.png"])
    #expect(transport.requests.allSatisfy { $0.budget == nil })
    let again = try await media.fetch(maxBytes: nil)
    #expect(again.fetched == 0)
    #expect(again.known == 3)
    #expect(transport.requests.count == 3)
  }

  @Test(arguments: [
    (png, true), ([0xFF, 0xD8, 0xFF, 0xD9], true), (Array("GIF89a.......;".utf8), true),
    (Array("GIF87a.......;".utf8), true), (Array("RIFF\u{8}\0\0\0WEBPVP8 ".utf8), true),
    (Array("RIFF\u{8}\0\0\0WAVEVP8 ".utf8), false), ([], false),
    (Array("<html>Not here</html>".utf8), false), (Array("<svg xmlns=".utf8), false), ([0xFF, 0xD8], false),
    ([0x89, 0x50, 0x4E], false),
  ])
  func onlyImagesAreKept(bytes: [UInt8], isImage: Bool) async throws {
    let report = try await media(["https://a/1"], answering(bytes)).fetch(maxBytes: nil)
    #expect(report.fetched == (isImage ? 1 : 0))
    #expect(try kept.count() == (isImage ? 1 : 0))
    #expect(report.failed.count == (isImage ? 0 : 1))
  }

  @Test func aFailedOneIsNamedAndHarmsNoOther() async throws {
    let png = Self.png
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      if request.url.hasSuffix("0") { throw TransportError(.cannotConnect, "no way", url: request.url) }
      return HTTPResponse(status: request.url.hasSuffix("1") ? 404 : 200, body: png, url: request.url)
    }
    let report = try await media((0..<5).map { "https://a/\($0)" }, transport).fetch(maxBytes: nil)
    #expect(report.fetched == 3)
    #expect(report.failed.map(\.url) == ["https://a/0", "https://a/1"])
    #expect(report.failed.map(\.code) == [.transport(.cannotConnect), .status(404)])
  }

  /// 40 images of a host that does not answer, and three of one that does.
  @Test(arguments: [nil, 1 << 20])
  func aHostThatDoesNotAnswerIsAskedOnce(maxBytes: Int?) async throws {
    let png = Self.png
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      if request.url.hasPrefix("https://dead/") { throw TransportError(.timeout, "no answer", url: request.url) }
      return HTTPResponse(status: 200, body: png, url: request.url)
    }
    let urls = (0..<40).map { "https://dead/\($0)" } + (0..<3).map { "https://alive/\($0)" }
    let report = try await media(urls, transport).fetch(maxBytes: maxBytes)
    let asked = transport.requests.count { $0.url.hasPrefix("https://dead/") }
    #expect(asked <= 4 && report.failed.count == asked)
    #expect(report.unreachable == [MediaReport.Host(address: "https://dead", left: 40 - asked)])
    #expect(report.fetched == 3 && report.left == 40 - asked)
  }

  @Test(arguments: [(0, 0, 5), (19, 0, 5), (20, 1, 4), (50, 2, 3), (100, 5, 0), (1000, 5, 0)])
  func stopsBeforeTheLimit(maxBytes: Int, fetched: Int, left: Int) async throws {
    let report = try await media((0..<5).map { "https://a/\($0)" }, answering(Self.png)).fetch(maxBytes: maxBytes)
    #expect(report.fetched == fetched)
    #expect(report.left == left)
    #expect(report.bytes <= maxBytes)
    #expect(report.failed.isEmpty)
  }

  /// Images of the sizes that their addresses end with.
  private func sized(_ sizes: [Int], _ maxBytes: Int?) async throws -> (report: MediaReport, requests: Int) {
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      let size = Int(request.url.split(separator: "/").last?.split(separator: "-").last ?? "") ?? 0
      if let limit = request.bodyLimit, size > limit { throw TransportError(.tooLarge, "too large", url: request.url) }
      return HTTPResponse(
        status: 200, body: Self.png + Array(repeating: 0, count: size - Self.png.count), url: request.url)
    }
    let urls = sizes.enumerated().map { "https://a/\($0.offset)-\($0.element)" }
    let report = try await media(urls, transport).fetch(maxBytes: maxBytes)
    return (report, transport.requests.count)
  }

  @Test(arguments: [
    // One that is too large for ever is passed over, wherever it stands.
    ([100, 5000, 100], 1000, [0, 2]), ([5000, 100, 100], 1000, [1, 2]), ([100, 100, 5000], 1000, [0, 1]),
    // One that is too large for what is left waits; a smaller one behind it does not.
    ([600, 600, 300], 1000, [0, 2]), ([16 << 20, 16 << 20 + 1, 100], nil, [0, 2]),
  ])
  func oneThatIsTooLargeIsPassedOver(sizes: [Int], maxBytes: Int?, fetched: [Int]) async throws {
    let (report, _) = try await sized(sizes, maxBytes)
    #expect(kept.urls == fetched.map { "https://a/\($0)-\(sizes[$0])" })
    #expect(report.skipped.count == 1 && report.left == 1 && report.failed.isEmpty)
    #expect(
      report.skipped.first?.url.map { url in !fetched.contains { url == "https://a/\($0)-\(sizes[$0])" } } == true)
    #expect(report.skipped.first?.message.contains("larger than") == true)
  }

  @Test func littleThatIsLeftIsNotAskedForManyTimes() async throws {
    let many = try await sized([990] + Array(repeating: 100, count: 500), 1000)
    #expect(many.report.fetched == 1 && many.report.left == 500)
    #expect(many.requests == 1, "what is left is a hundredth of the image that came")
    let more = try await sized([600] + Array(repeating: 500, count: 500), 1000)
    #expect(more.report.fetched == 1 && more.report.left == 500 && more.requests < 30)
    // But as long as nothing came, the first that fits is found.
    // By their bytes, "9@N01" is the last of these ids.
    var sizes = Array(repeating: 5000, count: 100)
    sizes[9] = 100
    let late = try await sized(sizes, 1000)
    #expect(late.report.fetched == 1 && late.report.skipped.count == 99)
  }

  /// One image of each format, with its bytes from the first that tells the format to the last that is needed.
  private static let images: [(name: String, bytes: [UInt8])] = [
    ("PNG", png),
    // A segment with the end of a thumbnail, a scan with a restart, a filled byte, a stuffed byte, and a second scan.
    (
      "JPEG",
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xD9, 1, 2, 0xFF, 0xDA, 0, 3, 9, 1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF]
        + [0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9]
    ),
    // A colour table of two colours, an extension and a frame with a table, each with a trailer among its data.
    (
      "GIF",
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0x3B, 0, 0, 0x3B] + [0x21, 0xF9, 2, 0x3B, 0x3B, 0]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3B, 0, 0, 0, 0, 0x3B, 2, 2, 0x3B, 1, 0] + [0x3B]
    ),
    ("WebP", Array("RIFF\u{C}\0\0\0WEBPVP8 \0\0\0\0".utf8)),
  ]

  @Test(
    "an image that is cut anywhere is not kept; with its end, and with whatever follows it, it is", arguments: images)
  func cutImages(name: String, whole: [UInt8]) async throws {
    for length in 12..<whole.count {
      let report = try await media(["https://a/\(length)"], answering(Array(whole.prefix(length)))).fetch(maxBytes: nil)
      #expect(
        report.fetched == 0 && report.failed.map(\.code) == [.own(.incompleteImage)], "\(length) of \(whole.count)")
      #expect(report.failed.first?.message.contains("the \(name) image has no end") == true)
    }
    for rest in [[], [0], [0xFF, 0xD8, 1, 2, 3]] as [[UInt8]] {
      let report = try await media(["https://a/whole\(rest.count)"], answering(whole + rest)).fetch(maxBytes: nil)
      #expect(report.fetched == 1, "\(rest)")
    }
  }

  @Test("an image without an end is fetched three times, an hour and a day apart, and kept as it is then")
  func imageThatHasNoEnd() async throws {
    let transport = answering(Array(Self.png.dropLast(12)))
    let media = try await media(["https://a/1"], transport)
    var attempts: [Int] = []
    for hour in 0..<100 {
      let before = transport.requests.count
      let report = try await media.fetch(maxBytes: nil)
      if transport.requests.count > before { attempts.append(hour) }
      // Until it is kept it is missing, with the reason.
      #expect(report.failed.map(\.code) == (kept.urls.isEmpty ? [.own(.incompleteImage)] : []), "hour \(hour)")
      let single = try? await media.fetch(image: "https://a/1")
      #expect((single == nil) == kept.urls.isEmpty, "hour \(hour)")
      time.advance(by: .seconds(3600))
    }
    #expect(attempts == [0, 1, 25] && transport.requests.count == 3 && kept.urls == ["https://a/1"])
  }

  @Test(
    "an image that was cut once is whole the next time, also after the clock was set back; then nothing is remembered")
  func imageThatWasCut() async throws {
    let cut = Mutex(true)
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      let body = cut.withLock { $0 } ? Array(Self.png.dropLast(1)) : Self.png
      return HTTPResponse(status: 200, body: body, url: request.url)
    }
    let media = try await media(["https://a/1"], transport)
    #expect(try await media.fetch(maxBytes: nil).failed.count == 1)
    cut.withLock { $0 = false }
    time.set(by: -7200)
    #expect(try await media.fetch(maxBytes: nil).fetched == 1)
    #expect(try kept.item(for: "https://a/1")?.bytes == Self.png.count)
    #expect(try media.store.snapshot().count(.state) == 0)
  }

  @Test(
    "an image whose connection breaks is tried again after an hour, then once a day, and nothing is remembered of a whole one",
    arguments: [TransportError.Code.connectionLost, .truncated])
  func imageWhoseConnectionBreaks(code: TransportError.Code) async throws {
    let isBroken = Mutex(true)
    let transport = ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) in
      if isBroken.withLock({ $0 }) { throw TransportError(code, "the connection broke", url: request.url) }
      return HTTPResponse(status: 200, body: Self.png, url: request.url)
    }
    let media = try await media(["https://a/1"], transport)
    var attempts: [Int] = []
    for hour in 0..<80 {
      let before = transport.requests.count
      let report = try await media.fetch(maxBytes: nil)
      if transport.requests.count > before { attempts.append(hour) }
      #expect(report.failed.map(\.code) == [.own(.incompleteImage)], "hour \(hour)")
      #expect(report.failed.first?.message.contains("the connection broke") == true)
      await #expect(throws: Failure.self) { try await media.fetch(image: "https://a/1") }
      time.advance(by: .seconds(3600))
    }
    #expect(attempts == [0, 1, 25, 49, 73] && transport.requests.count == 5)
    isBroken.withLock { $0 = false }
    time.advance(by: .seconds(86_400))
    #expect(try await media.fetch(image: "https://a/1").bytes == Self.png.count)
    #expect(try media.store.snapshot().count(.state) == 0)
  }

  @Test func aFullDiskIsAnError() async throws {
    kept.failNextKeep(with: StoreError(.full, "the disk is full"))
    let media = try await media(["https://a/1"], answering(Self.png))
    await #expect(throws: Failure.self) { try await media.fetch(maxBytes: nil) }
  }

  @Test func whatIsNoWebAddressIsLeftAlone() async throws {
    let transport = answering(Self.png)
    let report = try await media(["", "file:///etc/passwd", "ftp://a/b"], transport).fetch(maxBytes: nil)
    #expect(report == MediaReport())
    #expect(transport.requests.isEmpty)
  }
}
