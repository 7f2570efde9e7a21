import AlmanacTesting
import Models
import Ports
import Synchronization

/// A Flickr in memory: lists of photos, page by page, and people.
final class FakeFlickr: Sendable {
  struct Entry: Sendable {
    var id: String
    var owner: String
  }

  let entries: [Entry]
  /// What `getInfo` answers in place of the person, by NSID.
  let faults: [String: String]
  /// What a call meets before it is answered, by its number from 0.
  private let failures: Mutex<[Int: TransportError]>
  private let sent = Mutex<[HTTPRequest]>([])

  init(_ entries: [Entry], faults: [String: String] = [:], failures: [Int: TransportError] = [:]) {
    (self.entries, self.faults) = (entries, faults)
    self.failures = Mutex(failures)
  }

  /// As many photos as are asked for, of so many owners in turn.
  convenience init(photos: Int, owners: Int, faults: [String: String] = [:]) {
    self.init((0..<photos).map { Entry(id: String(1000 + $0), owner: Self.nsid($0 % owners)) }, faults: faults)
  }

  static func nsid(_ index: Int) -> String { "\(100 + index)@N00" }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// The people who were asked for, in order.
  var asked: [String] {
    requests.compactMap { request in
      let query = Self.query(of: request)
      return query["method"] == "flickr.people.getInfo" ? query["user_id"] : nil
    }
  }

  /// The pages of photos that were asked for, in order.
  var pages: [Int] { requests.compactMap { Self.query(of: $0)["page"].flatMap { Int($0) } } }

  var transport: any HTTPTransport {
    ScriptedTransport { (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      let number = self.sent.withLock {
        $0.append(request)
        return $0.count - 1
      }
      if let failure = self.failures.withLock({ $0.removeValue(forKey: number) }) { throw failure }
      return HTTPResponse(status: 200, body: Array(self.answer(Self.query(of: request)).utf8), url: request.url)
    }
  }

  private func answer(_ query: [String: String]) -> String {
    if query["method"] == "flickr.people.getInfo" {
      let nsid = query["user_id"] ?? ""
      return faults[nsid] ?? Self.person(nsid)
    }
    if let fault = faults["list"] { return fault }
    let size = query["per_page"].flatMap { Int($0) } ?? 100
    let page = query["page"].flatMap { Int($0) } ?? 1
    let pages = (entries.count + size - 1) / size
    let photos = entries.dropFirst((page - 1) * size).prefix(size).map { entry in
      """
      {"id":"\(entry.id)","owner":"\(entry.owner)","secret":"ab","server":"7","farm":1,"title":"Photo \(entry.id)",
      "dateupload":"1400000000","datetaken":"2014-01-02 03:04:05","datetakenunknown":"0","tags":"one two",
      "url_sq":"https://images.example/\(entry.id)_s.jpg","url_l":"https://images.example/\(entry.id)_b.jpg"}
      """
    }
    return """
      {"photos":{"page":\(page),"pages":\(pages),"perpage":\(size),"total":"\(entries.count)",
      "photo":[\(photos.joined(separator: ","))]},"stat":"ok"}
      """
  }

  static func person(_ nsid: String) -> String {
    """
    {"person":{"id":"\(nsid)","nsid":"\(nsid)","ispro":0,"iconserver":"12","iconfarm":3,
    "username":{"_content":"name of \(nsid)"},"photos":{"count":{"_content":7}}},"stat":"ok"}
    """
  }

  static func fail(_ code: Int, _ message: String) -> String {
    "{\"stat\":\"fail\",\"code\":\(code),\"message\":\"\(message)\"}"
  }

  static func query(of request: HTTPRequest) -> [String: String] {
    let text = request.url.drop { $0 != "?" }.dropFirst()
    let pairs = text.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    return Dictionary(pairs.map { (String($0[0]), percentDecoded($0.count > 1 ? $0[1] : "")) }) { first, _ in first }
  }
}
