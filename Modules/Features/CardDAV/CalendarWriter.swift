import Models
import Ports

struct StoredEvent: Sendable {
  var path: String
  /// The entity tag, as the server wrote it.
  var tag: String?
  var object: CalendarObject
}

enum EventChange: Sendable {
  case add(CalendarObject)
  case replace(StoredEvent, with: CalendarObject)
  case remove(StoredEvent)
  /// Somebody changed the event, so it stays as it is.
  case keep(StoredEvent)
  case none

  /// Whether a request is sent for it.
  var isWritten: Bool {
    switch self {
    case .add, .replace, .remove: true
    case .keep, .none: false
    }
  }
}

/// Compares the events of one calendar with those that it should have, and writes the differences.
///
/// Every change has a condition, so that nothing newer is overwritten: `If-None-Match: *` for a new event, `If-Match` for the
/// others. After 412 the event is read, and decided about again. An event that an earlier attempt wrote whose answer was lost
/// is then as it should be, so that a repeated command does nothing twice.
struct CalendarWriter {
  let client: DAVClient
  let calendar: any CalendarFormat
  let path: String
  /// Whether events that somebody changed are replaced too, and most events may be removed.
  let isForced: Bool
  /// How users force it.
  let suggestion: Advice
  private(set) var publication = PullPage.Publication()
  /// The number of events with the mark of Almanac.
  private var known = 0
  /// The names of events that somebody changed.
  private var kept: [String] = []
  /// The first refusal of an event, and the number of all.
  private var refusal: (error: SourceError, name: String, count: Int)?

  init(client: DAVClient, calendar: any CalendarFormat, path: String, isForced: Bool, suggestion: Advice) {
    (self.client, self.calendar, self.path) = (client, calendar, path)
    (self.isForced, self.suggestion) = (isForced, suggestion)
  }

  /// The events whose `UID` has the form of Almanac.
  func events() async throws(SourceError) -> [StoredEvent] {
    let response = try await client.ask(.report, path, depth: 1, .events(uidContaining: CalendarObject.uidEnd))
    var events: [StoredEvent] = []
    for resource in try client.multistatus(response).resources {
      guard let bytes = resource.calendarObject, let object = calendar.object(bytes),
        object.uid.hasSuffix(CalendarObject.uidEnd)
      else { continue }
      let place = try client.path(of: resource.href, from: client.start.at(path))
      events.append(StoredEvent(path: place, tag: resource.entityTag, object: object))
    }
    return events
  }

  mutating func changes(_ found: [StoredEvent], to wanted: [CalendarObject]) -> [EventChange] {
    known = found.count { $0.object.mark != nil }
    var byID: [ExactString: [StoredEvent]] = [:]
    for event in found { byID[event.object.$uid, default: []].append(event) }
    var changes: [EventChange] = []
    for object in wanted {
      // Of several with one UID, which some servers allow, the one that Almanac made counts.
      let same = byID.removeValue(forKey: object.$uid) ?? []
      changes.append(change(same.first { $0.object.mark != nil } ?? same.first, to: object))
    }
    for event in byID.values.joined().sorted(by: { $0.object.$uid < $1.object.$uid }) {
      changes.append(change(event, to: nil))
    }
    return changes
  }

  private func change(_ event: StoredEvent?, to wanted: CalendarObject?) -> EventChange {
    guard let event else { return wanted.map { .add($0) } ?? .none }
    guard let wanted else {
      if event.object.mark == nil { return .none }
      return event.object.isForeign && !isForced ? .keep(event) : .remove(event)
    }
    if event.object.digest == wanted.digest, event.object.mark != nil { return .none }
    return event.object.isForeign && !isForced ? .keep(event) : .replace(event, with: wanted)
  }

  /// Looks whether the changes may be made.
  ///
  /// - Throws: `SourceError` if the calendar may only be read, or most events would be removed.
  func check(_ changes: [EventChange], isReadOnly: Bool) throws(SourceError) {
    guard changes.contains(where: \.isWritten) else { return }
    if isReadOnly { throw readOnly }
    let removed = changes.count { if case .remove = $0 { true } else { false } }
    guard !isForced, MassRemoval.isLikely(removed, of: known) else { return }
    let message =
      "\(removed) of \(known) events would be removed from the calendar at once; nothing was changed: \(suggestion)"
    throw .meant(.refused, said: APIFailure(.massRemoval, message), url: client.start.at(path).url)
  }

  /// Counts the changes, and notes the requests that they need.
  mutating func plan(_ changes: [EventChange]) {
    for change in changes {
      count(change)
      let (method, place, object): (HTTPRequest.Method, String, CalendarObject)
      switch change {
      case .add(let wanted): (method, place, object) = (.put, self.place(of: wanted), wanted)
      case .replace(let event, let wanted): (method, place, object) = (.put, event.path, wanted)
      case .remove(let event): (method, place, object) = (.delete, event.path, event.object)
      case .keep, .none: continue
      }
      let id = String(object.uid.dropLast(CalendarObject.uidEnd.count))
      publication.planned.append(
        PlannedRequest(
          id: object.uid, method: method.rawValue, target: "people/\(id)", edit: ["summary": .string(object.summary)],
          url: client.start.at(place).url))
    }
    warn()
  }

  /// Makes the changes, one after the other.
  ///
  /// - Throws: `SourceError` at the first problem that concerns all events; after all others, that of an event that the
  ///   server refused. What was written before stays.
  mutating func write(_ changes: [EventChange]) async throws(SourceError) {
    for change in changes {
      if Task.isCancelled {
        let url = client.start.at(path).url
        throw .transport(TransportError(.cancelled, "the sync was stopped", url: url, requests: 0))
      }
      do throws(SourceError) { count(try await made(change, attempts: 3)) } catch {
        guard Self.concernsOneEvent(error) else { throw error }
        refusal = (refusal?.error ?? error, refusal?.name ?? Self.name(of: change), (refusal?.count ?? 0) + 1)
      }
    }
    warn()
    guard let refusal else { return }
    let others = refusal.count == 1 ? "" : " and \((refusal.count - 1).counted("other"))"
    let message = "the server refuses the event of \(refusal.name)\(others): \(refusal.error.failure.message)"
    throw .meant(.refused, said: APIFailure(.refusedEvent, message), url: client.start.at(path).url)
  }

  /// Makes a change. What the server meanwhile has is decided about again.
  ///
  /// - Returns: the change that was made.
  private func made(_ change: EventChange, attempts: Int) async throws(SourceError) -> EventChange {
    let (response, place): (HTTPResponse, String)
    switch change {
    case .keep, .none: return change
    case .add(let wanted):
      place = self.place(of: wanted)
      response = try await put(wanted, at: place, ["If-None-Match": "*"])
    case .replace(let event, let wanted):
      place = event.path
      response = try await put(wanted, at: place, try condition(event))
    case .remove(let event):
      place = event.path
      response = try await client.send(.delete, place, headers: try condition(event), isRepeatable: true)
      if response.status.meaning == .missing { return change }
    }
    if response.isSuccess { return change }
    if response.status.meaning == .forbidden { throw refused(response) }
    guard response.status.meaning == .preconditionFailed, attempts > 1 else { throw client.error(response) }
    let current = try await event(at: place)
    let next: EventChange
    switch change {
    case .add(let wanted), .replace(_, let wanted): next = self.change(current, to: wanted)
    default: next = self.change(current, to: nil)
    }
    // An attempt whose answer was lost has done it.
    if case .none = next { return change }
    return try await made(next, attempts: attempts - 1)
  }

  /// The error of 403: a condition names what is wrong with the event; without one the user may not change the calendar.
  private func refused(_ response: HTTPResponse) -> SourceError {
    let conditions = client.format.conditions(response.body).filter { $0 != "need-privileges" }
    return conditions.isEmpty ? readOnly : client.error(response)
  }

  private var readOnly: SourceError {
    let message = "the calendar may only be read by this user: choose another one, or ask for the right to change it"
    return .meant(.denied, said: APIFailure(.readOnly, message), url: client.start.at(path).url)
  }

  private func put(
    _ object: CalendarObject, at place: String, _ condition: HTTPHeaders
  ) async throws(SourceError) -> HTTPResponse {
    var headers = condition
    headers["Content-Type"] = "text/calendar; charset=utf-8"
    return try await client.send(.put, place, headers: headers, body: object.bytes, isRepeatable: true)
  }

  /// - Throws: `SourceError` without an entity tag that identifies exactly these bytes, which RFC 4791 section 5.3.4
  ///   requires.
  private func condition(_ event: StoredEvent) throws(SourceError) -> HTTPHeaders {
    guard let tag = event.tag, !tag.hasPrefix("W/") else {
      throw .meant(
        .unguarded,
        said: APIFailure(.unguarded, "the event has no strong entity tag"),
        url: client.start.at(event.path).url)
    }
    return ["If-Match": tag]
  }

  /// The event that is at a path now; `nil` if there is none.
  private func event(at place: String) async throws(SourceError) -> StoredEvent? {
    let response = try await client.send(.get, place, headers: ["Accept": "text/calendar"])
    if response.status.meaning == .missing { return nil }
    guard response.isSuccess else { throw client.error(response) }
    let object =
      calendar.object(response.body)
      ?? CalendarObject(bytes: response.body, uid: "", summary: place, digest: "", mark: nil)
    return StoredEvent(path: place, tag: response.headers["ETag"], object: object)
  }

  /// The path of a new event. It is always the same for a person, so that an event is never there twice.
  private func place(of object: CalendarObject) -> String {
    var hash = StableHash()
    hash.combine(object.uid)
    return "\(path)almanac-\(hash.hex).ics"
  }

  private static func concernsOneEvent(_ error: SourceError) -> Bool {
    switch error {
    case .answered(let status, _, _, _):
      switch status.meaning {
      case .invalid, .forbidden, .unsupported, .conflict, .preconditionFailed, .tooLarge, .preconditionRequired:
        !status.isServerError
      default: false
      }
    case .meant(.unguarded, _, _, _): true
    default: false
    }
  }

  private static func name(of change: EventChange) -> String {
    switch change {
    case .add(let object), .replace(_, let object): object.summary
    case .remove(let event), .keep(let event): event.object.summary
    case .none: ""
    }
  }

  private mutating func count(_ change: EventChange) {
    switch change {
    case .add: publication.counts.added += 1
    case .replace: publication.counts.updated += 1
    case .remove: publication.counts.removed += 1
    case .keep(let event): kept.append(event.object.summary)
    case .none: publication.counts.unchanged += 1
    }
  }

  private mutating func warn() {
    guard !kept.isEmpty else { return }
    let names = kept.prefix(5).joined(separator: ", ") + (kept.count > 5 ? " and \(kept.count - 5) more" : "")
    let events = kept.count.counted(
      "event was changed at the server and stays as it is there",
      "events were changed at the server and stay as they are there")
    publication.warnings.append("\(events): \(names); writing them anew discards those changes: \(suggestion)")
  }
}
