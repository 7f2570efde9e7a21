import Hummingbird
import Models
import Ports

extension API {
  /// What the services make of the records: charts, birthdays, pictures, and the change feed.
  var services: [Route] {
    [
      Route(.get, "/api/v1/charts/top", parameters: ["chart", "limit"]) { call in
        let (chart, limit) = (try call.needed("chart"), try call.query("limit", in: 1...200))
        let entries = try call.asked { () throws(Failure) in try call.services.charts.top(chart, limit: limit) }
        return call.answer(json: ["items": .array(entries.map { .object($0.fields) })])
      },
      Route(.get, "/api/v1/charts/movers", parameters: ["chart", "since", "limit"]) { call in
        let (chart, limit) = (try call.needed("chart"), try call.query("limit", in: 1...1000))
        let since = call.query("since") ?? "7d"
        let span = try call.span(since)
        let found = try call.asked { () throws(Failure) in try call.services.charts.movers(chart, since: span) }
        var fields: JSONObject = ["chart": .string(found.chart)]
        fields.append("earlier", found.earlier?.description)
        fields.append("later", found.later.description)
        fields.append("items", .array(found.movers.prefix(limit ?? .max).map { .object($0.fields) }))
        return call.answer(json: fields)
      },
      Route(.get, "/api/v1/charts/history", parameters: ["app", "chart"]) { call in
        let (app, chart) = (try call.needed("app"), call.query("chart"))
        let history = try call.asked { () throws(Failure) in
          try call.services.charts.history(app: app, path: chart)
        }
        return call.answer(json: [
          "name": .string(history.name), "artist": .string(history.artist), "chart": .string(history.chart),
          "items": .array(history.points.map { .object($0.fields) }),
        ])
      },
      Route(.get, "/api/v1/birthdays", parameters: ["days", "on", "feb29"]) { call in
        let days = try call.query("days", in: 0...3660) ?? 30
        var day = call.services.time.now.date
        if let text = call.query("on") {
          guard let named = CivilDate(text) else { throw Problem(.badRequest, "on takes a day, YYYY-MM-DD") }
          day = named
        }
        let rule = try Self.leapDay(call)
        let found = try call.services.people.birthdays(from: day, days: days, leapDay: rule)
        return call.answer(json: ["items": .array(found.map { .object($0.fields) })])
      },
      Route(.get, "/api/v1/photos", parameters: ["owner", "follow", "after", "limit"]) { call in
        let limit = try call.query("limit", in: 1...Self.largestPage) ?? 100
        let (listings, next, total) = try PhotoPages.photos(
          PhotoQuery(
            owner: call.query("owner"), follow: call.query("follow"), after: call.query("after"), limit: limit),
          call)
        var fields: JSONObject = [
          "items": .array(
            listings.map { listing in
              var fields = listing.fields
              fields.append("thumbnailURL", listing.photo.thumbnailURL)
              fields.append("imageURL", listing.photo.imageURL)
              return .object(fields)
            }), "total": .int(total),
        ]
        fields.append("next", next)
        return call.answer(json: fields)
      },
      Route(.get, "/api/v1/media", parameters: ["url"]) { call in
        let url = try call.needed("url")
        let found: (item: MediaItem, bytes: [UInt8])?
        do throws(StoreError) {
          found = try call.services.mediaStore.item(for: url).map { (item) throws(StoreError) in
            (item, try call.services.mediaStore.bytes(of: item))
          }
        } catch {
          guard error.code == .damaged else { throw error.failure }
          throw Problem(
            .notFound, "the stored picture of \(url) is damaged", hint: "POST /api/v1/media/fetch fetches it again",
            code: error.code.rawValue)
        }
        guard let found else {
          throw Problem(
            .notFound, "no picture of this address is kept", hint: "POST /api/v1/media/fetch fetches what is missing")
        }
        return call.answer(type: found.item.type, found.bytes, tag: EntityTag.of(digest: found.item.digest))
      },
      Route(.get, "/api/v1/media/fetch") { [parts] call in
        Response(json: await Self.pictures(call.services, parts).fields, call.services.coder)
      },
      Route(.post, "/api/v1/media/fetch") { [parts] call in
        _ = try call.object()
        try await Self.fetchPictures(call, parts)
        return Response(
          .accepted, json: await Self.pictures(call.services, parts).fields, call.services.coder)
      },
      Route(.get, "/api/v1/notifications") { call in
        let notifications = call.services.notifications
        return Response(
          json: [
            "receivers": .array(notifications.targets.map { .string($0) }),
            "items": .array(try notifications.waiting().map { .object($0.fields) }),
          ], call.services.coder)
      },
      Route(.post, "/api/v1/notifications/test") { call in
        guard let receiver = try call.object("receiver")["receiver"]?.string else {
          throw Problem(.unprocessableContent, "receiver is the name of a receiver in daemon.notifications")
        }
        try await call.services.notifications.test(receiver)
        return Response(json: ["receiver": .string(receiver)], call.services.coder)
      },
      Route(.get, "/api/v1/changes", parameters: ["since", "limit"]) { call in try Self.changes(call) },
      Route(.get, "/calendars/birthdays.ics", .open) { [parts] call in
        guard let token = call.query("token"), parts.access.list.token(token)?.rights == .calendar else {
          throw Problem(
            .unauthorized, "this address needs the token of a calendar",
            hint: "POST /api/v1/tokens with the rights 'calendar' makes one", code: "bad-token",
            headers: [.wwwAuthenticate: "Bearer realm=\"almanac\""])
        }
        return try Self.calendar(call)
      },
    ]
  }

  /// Everybody's birthday. Programs that subscribe to it ask again and again: its entity tag leaves out when it was written.
  private static func calendar(_ call: APIRequest) throws -> Response {
    var alarm: Interval?
    if let text = call.query("alarm") {
      guard let span = Interval(text) else { throw Problem(.badRequest, "alarm takes an interval, such as 9h or 1d") }
      alarm = span
    }
    let bytes = try call.services.people.calendar(leapDay: try leapDay(call), alarm: alarm)
    let stamp = Array("DTSTAMP".utf8)
    let content = bytes.split(separator: 0x0A).filter { !$0.starts(with: stamp) }.joined(separator: [0x0A])
    return call.answer(
      type: "text/calendar; charset=utf-8", bytes, tag: "W/" + EntityTag.of(Array(content)),
      headers: [.contentDisposition: #"inline; filename="birthdays.ics""#])
  }

  /// Where February 29 falls in other years.
  static func leapDay(_ call: APIRequest) throws(Problem) -> Birthday.LeapDayRule {
    guard let text = call.query("feb29") else { return .feb28 }
    guard let rule = Birthday.LeapDayRule(rawValue: text) else {
      throw Problem(.badRequest, "feb29 takes feb28 or mar1")
    }
    return rule
  }

  /// `{"items": [{"cursor", "at", "op", "collection", "id", "record"?}], "next"?, "more"}`
  private static func changes(_ call: APIRequest) throws -> Response {
    let limit = try call.query("limit", in: 1...largestPage) ?? 100
    let since = call.query("since").map { ChangeCursor($0) }
    let changes: [StoreChange]
    do throws(Failure) { changes = try call.services.library.changes(since: since, limit: limit) } catch {
      guard error.reason == .usage else { throw error }
      if error.code == .store(.invalidCursor) {
        throw Problem(.badRequest, "since: \(error.message)", hint: error.hint, code: error.code?.text)
      }
      throw Problem(
        .gone, error.message, hint: "begin again without 'since': every record comes first", code: error.code?.text)
    }
    let coder = call.services.coder
    var bytes = Array(#"{"items":["#.utf8)
    for (index, change) in changes.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += change.line(coder)
    }
    bytes += Array("],\"more\":\(changes.count == limit)".utf8)
    if let next = changes.last?.cursor ?? since {
      bytes += Array(#","next":"#.utf8) + coder.encode(.string(next.description))
    }
    return Response(type: "application/json", bytes + [UInt8(ascii: "}")])
  }
}

extension StoreChange {
  /// The change as `almanac changes` prints it. The record is not read for it.
  func line(_ coder: any RecordCoder) -> [UInt8] {
    let head: JSONObject = [
      "cursor": .string(cursor.description), "at": .string(at.description), "op": record == nil ? "delete" : "put",
      "collection": .string(collection.rawValue), "id": .string(id),
    ]
    let bytes = coder.encode(head)
    guard let record else { return bytes }
    return bytes.dropLast() + Array(",\"record\":".utf8) + record + [UInt8(ascii: "}")]
  }
}

extension APIRequest {
  /// A parameter of the query that must be there.
  ///
  /// - Throws: `Problem` with 400 where it is absent or empty.
  func needed(_ name: String) throws(Problem) -> String {
    guard let value = query(name), !value.isEmpty else {
      throw Problem(.badRequest, "the parameter \(name) is missing")
    }
    return value
  }

  /// Reads what the query asks for: a failure that the query caused is 400.
  func asked<Value>(_ read: () throws(Failure) -> Value) throws -> Value {
    do throws(Failure) { return try read() } catch {
      guard error.reason == .usage else { throw error }
      throw Problem(.badRequest, error.message, hint: error.hint, code: error.code?.text)
    }
  }
}
