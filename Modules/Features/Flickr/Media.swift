public import Models
public import Ports

/// Downloads the thumbnails and icons that the records of the store name.
public struct Media: MediaService {
  /// The largest image that is taken, in bytes.
  public static let largestImage = 16 * 1024 * 1024

  /// How many images in a row may be too large for what is left of a limit before the rest is left for the next time:
  /// little is left then, and every try costs a request.
  private static let missesUnderLimit = 16

  /// Downloads that run side by side where no limit makes them wait for one another.
  private static let jobs = 4

  let store: any RecordStore
  let media: any MediaStore
  let transport: any HTTPTransport
  let coder: any RecordCoder
  let catalog: CollectionCatalog
  let time: any TimeSource
  let events: (any EventSink)?

  /// A downloader of the images that the records of the catalog's collections name.
  public init(
    store: any RecordStore, media: any MediaStore, transport: any HTTPTransport, coder: any RecordCoder,
    catalog: CollectionCatalog, time: any TimeSource, events: (any EventSink)? = nil
  ) {
    (self.store, self.media, self.transport, self.coder) = (store, media, transport, coder)
    (self.catalog, self.time, self.events) = (catalog, time, events)
  }

  private var incomplete: IncompleteImages { IncompleteImages(store: store, coder: coder, time: time) }

  /// Fetches the images that are missing, each address once. An image that cannot be fetched, or is too large, is
  /// reported, and the next call tries it again; one that did not come whole is tried again after a pause. A host of which
  /// no request was answered is asked for no other image: each would take as long to fail.
  public func fetch(maxBytes: Int?) async throws(Failure) -> MediaReport {
    var report = MediaReport()
    var open: [String] = []
    // They made room for others, and are fetched again only where somebody wants to see them.
    var evicted = 0
    try store.read { (snapshot) throws(StoreError) in
      for url in try addresses(snapshot) {
        if try kept(url) != nil {
          report.known += 1
        } else if try media.isEvicted(url) {
          evicted += 1
        } else if let failure = try incomplete.pause(url, in: snapshot) {
          report.failed.append(failure)
        } else {
          open.append(url)
        }
      }
    }
    var rest = open[...]
    var misses = 0
    var smallest = Int.max
    while let next = rest.first {
      if let host = report.unreachable.firstIndex(where: { $0.$address == Self.host(of: next).exact }) {
        report.unreachable[host].left += 1
        rest.removeFirst()
        continue
      }
      let room = maxBytes.map { $0 - report.bytes }
      // Where a quarter of the smallest image so far would not fit, the next ones are not worth a request each.
      if let room, room <= 0 || room < smallest / 4 && report.fetched > 0 || misses >= Self.missesUnderLimit { break }
      // Under a limit one waits for the other, so that the sum is known before each.
      let group = Array(
        rest.prefix(room == nil ? Self.jobs : 1).prefix { url in
          !report.unreachable.contains { $0.$address == Self.host(of: url).exact }
        })
      let limit = min(room ?? Self.largestImage, Self.largestImage)
      let results = await group.concurrentMap { await download($0, limit: limit) }
      report.unreachable += Self.unreachable(group, results)
      for (url, download) in zip(group, results) {
        switch download {
        case .success(let image):
          do throws(StoreError) {
            if let failure = try await incomplete.problem(image.bytes, image.type, url) {
              report.failed.append(failure)
              continue
            }
            _ = try await media.keep(image.bytes, type: image.type.rawValue, for: url)
          } catch {
            throw error.failure
          }
          report.fetched += 1
          report.bytes += image.bytes.count
          smallest = min(smallest, image.bytes.count)
          misses = 0
        case .failure(let failure) where failure.reason == .cancelled: throw failure
        case .failure(let failure) where failure.code == .transport(.tooLarge):
          report.skipped.append(Self.tooLarge(failure.url, limit: limit, isRest: limit == room && report.bytes > 0))
          // Until an image was fetched, the next one has the same limit, so that trying it is worthwhile.
          if report.fetched > 0 { misses += 1 }
        case .failure(let failure):
          report.failed.append(
            try await Failure.from { () async throws(StoreError) in try await incomplete.problem(failure, url) })
        }
      }
      rest = rest.dropFirst(group.count)
      events?.report(.picture(done: open.count - rest.count, total: open.count))
    }
    report.left = rest.count + evicted + report.skipped.count + report.unreachable.reduce(0) { $0 + $1.left }
    return report
  }

  /// What is kept for an address; `nil` also where that is damaged, so that it is fetched again.
  private func kept(_ url: String) throws(StoreError) -> MediaItem? {
    do throws(StoreError) { return try media.item(for: url) } catch {
      guard error.code == .damaged else { throw error }
      return nil
    }
  }

  public func fetch(image url: String) async throws(Failure) -> MediaItem {
    if let item = try Failure.reading(kept(url)) { return item }
    if let pause = try Failure.reading(incomplete.pause(url, in: store.snapshot())) {
      throw pause
    }
    let image: Image
    switch await download(url, limit: Self.largestImage) {
    case .success(let whole): image = whole
    case .failure(let failure):
      throw try await Failure.from { () async throws(StoreError) in try await incomplete.problem(failure, url) }
    }
    let problem = try await Failure.from { () async throws(StoreError) in
      try await incomplete.problem(image.bytes, image.type, url)
    }
    if let problem { throw problem }
    return try await Failure.from { () async throws(StoreError) in
      try media.want(url)
      return try await media.keep(image.bytes, type: image.type.rawValue, for: url)
    }
  }

  /// The hosts of which no request of the group was answered.
  private static func unreachable(_ urls: [String], _ results: [Result<Image, Failure>]) -> [MediaReport.Host] {
    var silent: Set<ExactString> = []
    var answered: Set<ExactString> = []
    for (url, result) in zip(urls, results) {
      if case .failure(let failure) = result, [.transport(.cannotConnect), .transport(.timeout)].contains(failure.code)
      {
        silent.insert(host(of: url).exact)
      } else {
        answered.insert(host(of: url).exact)
      }
    }
    return silent.subtracting(answered).sorted().map { MediaReport.Host(address: $0.text) }
  }

  /// The address up to the path.
  private static func host(of url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/")
  }

  private static func tooLarge(_ url: String?, limit: Int, isRest: Bool) -> Failure {
    Failure(
      .transport, .unavailable, "larger than \(limit) bytes\(isRest ? ", what is left of the limit" : ""): skipped",
      url: url, code: .transport(.tooLarge))
  }

  /// Every address, once, in the order of the records.
  private func addresses(_ snapshot: any StoreSnapshot) throws(StoreError) -> [String] {
    var seen: Set<ExactString> = []
    var addresses: [String] = []
    func add(_ url: String) {
      guard url.hasPrefix("https://") || url.hasPrefix("http://"), seen.insert(url.exact).inserted else { return }
      addresses.append(url)
    }
    for collection in catalog.collections where !collection.media.isEmpty {
      try snapshot.scan(collection.name, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
        let fields = try coder.object(bytes, of: collection.name)
        for name in collection.media { fields[name]?.string.map(add) }
        return .next
      }
    }
    return addresses
  }

  private typealias Image = (bytes: [UInt8], type: ImageType)

  private func download(_ url: String, limit: Int) async -> Result<Image, Failure> {
    let response: HTTPResponse
    do throws(TransportError) {
      var request = HTTPRequest(.get, url, bodyLimit: limit)
      request.isFromData = true
      response = try await transport.send(request)
    } catch {
      return .failure(error.failure)
    }
    guard response.isSuccess else {
      var failure = SourceError.status(response, url: url).failure
      // No key belongs to an image.
      if failure.reason == .denied { failure.hint = nil }
      return .failure(failure)
    }
    guard response.body.count <= limit else {
      return .failure(TransportError(.tooLarge, "the image is larger than \(limit) bytes", url: url).failure)
    }
    guard let type = ImageType(response.body) else {
      return .failure(
        Failure(
          .parsing, .unparsable, "the answer is not a PNG, JPEG, GIF or WebP image", url: url, code: .own(.noImage)))
    }
    return .success((response.body, type))
  }
}
