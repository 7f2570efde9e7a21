import AlmanacTesting
import Foundation
import Models
import Ports
import Synchronization

/// A CalDAV server in memory: a calendar `cal`, one for tasks, and one that may only be read.
final class FakeCalDAV: FakeDAV {
  static let space = "caldav"
  struct State {
    fileprivate var objects: [String: (tag: Int, text: String)] = [:]
    fileprivate var next = 1
    fileprivate var requests: [HTTPRequest] = []
    /// The number of changes that are made, and whose answers are lost.
    var losses = 0
    /// Runs once before the next change.
    var before: (@Sendable (FakeCalDAV) -> Void)?
    fileprivate var home = "/ann/"
    var answer: (@Sendable (HTTPRequest) -> (status: Int, condition: String)?)?
    /// What the server makes of an object that it stores.
    var rewrites: @Sendable (String) -> String = { $0 }
    /// How the server writes entity tags.
    var tag: @Sendable (Int) -> String = { "\"\($0)\"" }
    /// Whether a query answers with all events.
    var ignoresFilter = false
    var listsPrivileges = true
  }

  static let origin = "https://dav.example"
  private let state = Mutex(State())

  var calendar: String { state.withLock { $0.home + "cal/" } }

  /// The requests since the last call, as words: `PUT /ann/cal/x.ics`.
  func taken() -> [HTTPRequest] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// The objects by the last component of their path.
  var objects: [String: String] {
    let calendar = calendar
    return state.withLock { state in
      Dictionary(uniqueKeysWithValues: state.objects.map { (String($0.key.dropFirst(calendar.count)), $0.value.text) })
    }
  }

  // MARK: What somebody else does

  func put(_ name: String, _ text: String) { put(path: calendar + name, text) }

  private func put(path: String, _ text: String) {
    state.withLock { state in
      state.objects[path] = (state.next, text)
      state.next += 1
    }
  }

  func remove(_ name: String) { remove(path: calendar + name) }

  private func remove(path: String) {
    state.withLock { state in
      state.objects[path] = nil
      state.next += 1
    }
  }

  /// Changes the text of the object that contains a text.
  func edit(_ containing: String, _ old: String, _ new: String) {
    for (name, text) in objects where text.contains(containing) { put(name, text.replacing(old, with: new)) }
  }

  func move(to home: String) {
    state.withLock { state in
      let old = state.home
      state.objects = Dictionary(
        uniqueKeysWithValues: state.objects.map { (home + $0.key.dropFirst(old.count), $0.value) })
      state.home = home
    }
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  // MARK: Answers

  var transport: ScriptedTransport {
    ScriptedTransport { [self] (request: HTTPRequest, _: Int) throws(TransportError) -> HTTPResponse in
      try respond(to: request)
    }
  }

  private func respond(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    state.withLock { $0.requests.append(request) }
    let expected = "Basic " + Data("ann:secret".utf8).base64EncodedString()
    guard request.url.hasPrefix(Self.origin + "/"), request.headers["Authorization"] == expected else {
      return respond(401, url: request.url)
    }
    if let answer = state.withLock({ $0.answer })?(request) {
      return respond(answer.status, error(answer.condition), url: request.url)
    }
    let path = String(request.url.dropFirst(Self.origin.count))
    switch request.method {
    case .propfind: return properties(path, depth: request.headers["Depth"] ?? "0", request.url)
    case .report: return query(path, request.text, request.url)
    case .get:
      guard let object = state.withLock({ $0.objects[path] }) else { return respond(404, url: request.url) }
      var response = respond(200, object.text, url: request.url)
      response.headers["ETag"] = state.withLock { $0.tag(object.tag) }
      return response
    case .put, .delete: return try change(request, path)
    default: return respond(405, url: request.url)
    }
  }

  private func change(_ request: HTTPRequest, _ path: String) throws(TransportError) -> HTTPResponse {
    let before = state.withLock { state in
      defer { state.before = nil }
      return state.before
    }
    before?(self)
    let (old, tag, rewrites) = state.withLock { ($0.objects[path], $0.tag, $0.rewrites) }
    if let match = request.headers["If-Match"], match != old.map({ tag($0.tag) }) {
      return respond(412, url: request.url)
    }
    if request.headers["If-None-Match"] == "*", old != nil { return respond(412, url: request.url) }
    if request.method == .delete {
      if old == nil { return respond(404, url: request.url) }
      remove(path: path)
    } else {
      put(path: path, rewrites(request.text))
    }
    let isLost = state.withLock { state in
      defer { state.losses = max(0, state.losses - 1) }
      return state.losses > 0
    }
    if isLost { throw TransportError(.connectionLost, "the answer was lost", url: request.url, mayHaveArrived: true) }
    return respond(old == nil ? 201 : 204, url: request.url)
  }

  private func properties(_ path: String, depth: String, _ url: String) -> HTTPResponse {
    let (home, tag, lists) = state.withLock { ($0.home, $0.next, $0.listsPrivileges) }
    func calendar(_ name: String, _ component: String, _ privilege: String) -> String {
      let privileges =
        "<c:current-user-privilege-set><c:privilege><c:\(privilege)/></c:privilege></c:current-user-privilege-set>"
      return one(
        home + name,
        "<c:resourcetype><c:collection/><k:calendar/></c:resourcetype><c:displayname>My \(name.dropLast())</c:displayname>"
          + "<k:supported-calendar-component-set><k:comp name=\"\(component)\"/></k:supported-calendar-component-set>"
          + (lists ? privileges : "") + "<s:getctag>tag-\(tag)</s:getctag>")
    }
    let all = [
      calendar("cal/", "VEVENT", "write"), calendar("tasks/", "VTODO", "write"), calendar("shared/", "VEVENT", "read"),
    ]
    switch path {
    case "/":
      let user = "<c:current-user-principal><c:href>/principals/ann/</c:href></c:current-user-principal>"
      return multistatus([one("/", user)], url: url)
    case "/principals/ann/":
      return multistatus([one(path, "<k:calendar-home-set><c:href>\(home)</c:href></k:calendar-home-set>")], url: url)
    case home: return multistatus([one(home, "")] + (depth == "1" ? all : []), url: url)
    case home + "cal/": return multistatus([all[0]], url: url)
    case home + "shared/": return multistatus([all[2]], url: url)
    default: return respond(404, url: url)
    }
  }

  private func query(_ path: String, _ body: String, _ url: String) -> HTTPResponse {
    guard path == calendar || path.hasSuffix("/shared/") else { return respond(404, url: url) }
    let (objects, tag, ignores) = state.withLock { ($0.objects, $0.tag, $0.ignoresFilter) }
    guard body.contains(":prop-filter name=\"UID\""), body.contains(">@almanac<") else { return respond(400, url: url) }
    let found = objects.filter { path == calendar && (ignores || $0.value.text.contains("@almanac")) }
    return multistatus(
      found.sorted { $0.key < $1.key }.map { path, object in
        let text = object.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\r\n", with: "\n")
        return one(path, "<c:getetag>\(tag(object.tag))</c:getetag><k:calendar-data>\(text)</k:calendar-data>")
      }, url: url)
  }
}
