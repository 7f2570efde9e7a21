/// The state of the simulated servers, and the routing of requests to them.
struct World {
  let options: UpstreamOptions
  private(set) var appStore: AppStoreUpstream
  private(set) var flickr: FlickrUpstream
  var users: UsersUpstream
  var people: PeopleUpstream
  var faults: FaultPlan
  var log = RequestLog()
  var day = 0
  private var cache = AnswerCache()

  init(options: UpstreamOptions) {
    self.options = options
    appStore = AppStoreUpstream(options: options)
    flickr = FlickrUpstream(options: options)
    users = UsersUpstream(options: options)
    people = PeopleUpstream(options: options)
    faults = FaultPlan(rules: options.faults, mix: options.faultMix)
  }

  /// The name of the API of a path, for counts.
  static func route(_ parts: [String]) -> String {
    switch parts.first {
    case "user"?: "users"
    case "people"?: "people"
    case "services"?: "flickr"
    case "api"?: "app-store"
    default:
      parts.count > 2 && parts[1] == "rss" ? "app-store" : ImagesUpstream.isImage(parts.last ?? "") ? "images" : "other"
    }
  }

  /// The response of the API. A write takes effect before its response is sent.
  mutating func answer(_ request: ReceivedRequest, parts: [String], base: String) -> Content {
    let isRead = request.method == "GET" || request.method == "HEAD"
    func refused(_ allowed: String) -> Content {
      var content = Content.error(405, "Only \(allowed)", status: 405)
      content.headers["allow"] = allowed
      return content
    }
    if parts.count == 2, parts[0] == "user" {
      if request.method == "PUT" { return users.put(parts[1], request) }
      return isRead ? users.get(parts[1]) : refused("GET, HEAD, PUT")
    }
    if parts == ["people"] {
      if request.method == "POST" { return people.post(request) }
      return isRead ? people.list() : refused("GET, HEAD, POST")
    }
    guard isRead else { return refused("GET, HEAD") }
    // A chart that rotates counts its responses, so they cannot be cached.
    if options.rotateEvery > 0, World.route(parts) == "app-store" { return generated(request, parts, base) }
    var cache = self.cache
    self.cache = AnswerCache()
    defer { self.cache = cache }
    return cache.answer("\(day) \(base) \(request.target)") { generated(request, parts, base) }
  }

  /// A response that depends only on the options, the day and the URL.
  private mutating func generated(_ request: ReceivedRequest, _ parts: [String], _ base: String) -> Content {
    if parts.starts(with: ["services", "rest"]) { return flickr.answer(request, base: base) }
    if parts.starts(with: ["api", "v2"]) { return appStore.marketing(parts, day: day, base: base) }
    if parts.count > 2, parts[1] == "rss" { return appStore.legacy(parts, day: day, base: base) }
    let path = parts.joined(separator: "/")
    if ImagesUpstream.isImage(path) { return ImagesUpstream.answer("/" + path, validated: options.validators != .none) }
    return .notFound("Nothing is played at this address")
  }
}
