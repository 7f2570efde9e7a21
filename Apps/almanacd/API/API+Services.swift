import Frontend
import Hummingbird
import Models
import Ports
import ServiceLifecycle

extension API {
  /// What the services make of the records: charts, birthdays, pictures, and the change feed.
  var services: [Operation] {
    [
      Operation(
        .get, "/api/v1/charts/top", "topOfChart", "The newest ranks of a chart", effect: .readsTagged,
        query: [Self.chart(isNeeded: true), Self.limit(200)], answers: [.json("ChartEntries")], refusals: [404]
      ) { call in
        let (chart, limit) = (try call.needed("chart"), try call.number("limit"))
        let entries = try call.asked { () throws(Failure) in try call.services.charts.top(chart, limit: limit) }
        return call.answer(json: ["items": .array(entries.map { .object($0.fields) })])
      },
      Operation(
        .get, "/api/v1/charts/movers", "moversOfChart", "Who rose, fell, entered and left", effect: .readsTagged,
        query: [
          Self.chart(isNeeded: true), Self.limit(),
          Parameter(
            "since", "compared with which state: 12h, 7d or 4w ago",
            ["type": "string", "default": "7d", "pattern": "^[1-9][0-9]{0,3}[hdw]$"]),
        ], answers: [.json("ChartMovers")], refusals: [404]
      ) { call in
        let (chart, limit) = (try call.needed("chart"), try call.number("limit"))
        let since = call.query("since") ?? "7d"
        let span = try call.span(since)
        let found = try call.asked { () throws(Failure) in try call.services.charts.movers(chart, since: span) }
        var fields: JSONObject = ["chart": .string(found.chart)]
        fields.append("earlier", found.earlier?.description)
        fields.append("later", found.later.description)
        fields.append("items", .array(found.movers.prefix(limit ?? .max).map { .object($0.fields) }))
        return call.answer(json: fields)
      },
      Operation(
        .get, "/api/v1/charts/history", "historyOfApp", "An app's ranks over time", effect: .readsTagged,
        query: [
          Parameter(
            "app", "the App Store's id of the app, or its record's, fr/123", OpenAPI.words, isNeeded: true),
          Self.chart(isNeeded: false),
        ], answers: [.json("RankHistory")], refusals: [404]
      ) { call in
        let (app, chart) = (try call.needed("app"), call.query("chart"))
        let history = try call.asked { () throws(Failure) in
          try call.services.charts.history(app: app, path: chart)
        }
        return call.answer(json: [
          "name": .string(history.name), "artist": .string(history.artist), "chart": .string(history.chart),
          "items": .array(history.points.map { .object($0.fields) }),
        ])
      },
      Operation(
        .get, "/api/v1/birthdays", "nextBirthdays", "The next birthdays, in order", effect: .readsTagged,
        query: [
          Parameter("days", "today and the following days", in: 0...3660),
          Parameter("on", "another day in place of today", ["type": "string", "format": "date"]), Self.leapDayParameter,
        ], answers: [.json("Birthdays")]
      ) { call in
        let days = try call.number("days") ?? 30
        var day = call.services.time.now.date
        if let text = call.query("on") {
          guard let named = CivilDate(text) else { throw Problem(.badRequest, "on takes a day, YYYY-MM-DD") }
          day = named
        }
        let rule = try Self.leapDay(call)
        let found = try call.services.people.birthdays(from: day, days: days, leapDay: rule)
        return call.answer(json: ["items": .array(found.map { .object($0.fields) })])
      },
      Operation(
        .get, "/api/v1/photos", "listPhotosWithOwners", "Photos with their owners, the newest first",
        effect: .readsTagged,
        query: [
          Parameter("owner", "the name or the id of an owner", OpenAPI.words),
          Parameter("follow", "the path of a follow that lists photos: flickr/search/cats", OpenAPI.words),
          Parameter("after", "'next' of the answer before", OpenAPI.words), Self.limit(),
        ], answers: [.json("PhotoListings")], refusals: [404]
      ) { call in
        let limit = try call.number("limit") ?? 100
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
      Operation(
        .get, "/api/v1/media", "picture", "The kept picture of an address that a record names", effect: .readsTagged,
        query: [Parameter("url", "the address", OpenAPI.words, isNeeded: true)], answers: [.media("image/*")],
        refusals: [404]
      ) { call in
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
      Operation(
        .get, "/api/v1/media/fetch", "lastPictureFetch",
        "What the last fetch of pictures brought, or that one is under way",
        answers: [.json("PictureFetch")]
      ) { [parts] call in
        Response(json: await Self.pictures(call.services, parts).fields, call.services.coder)
      },
      Operation(
        .post, "/api/v1/media/fetch", "fetchPictures", "Begins to fetch the pictures that are missing",
        body: .nothing, answers: [.json(.accepted, "PictureFetch")]
      ) { [parts] call in
        _ = try call.object()
        try await Self.fetchPictures(call, parts)
        return Response(
          .accepted, json: await Self.pictures(call.services, parts).fields, call.services.coder)
      },
      Operation(
        .get, "/api/v1/notifications", "listWaitingNotifications",
        "The receivers of notifications, and what waits for them", answers: [.json("WaitingNotifications")]
      ) { call in
        let notifications = call.services.notifications
        return Response(
          json: [
            "receivers": .array(notifications.targets.map { .string($0) }),
            "states": .array(try notifications.states().map { .object($0.fields) }),
            "items": .array(try notifications.waiting().map { .object($0.fields) }),
          ], call.services.coder)
      },
      Operation(
        .post, "/api/v1/notifications/test", "testNotifications", "Sends a test message to a receiver, once",
        body: .needed("NotificationTest"), answers: [.json("NotificationTest")], refusals: [404, 502]
      ) { call in
        guard let receiver = try call.object("receiver")["receiver"]?.string else {
          throw Problem(.unprocessableContent, "receiver is the name of a receiver in daemon.notifications")
        }
        try await call.services.notifications.test(receiver)
        return Response(json: ["receiver": .string(receiver)], call.services.coder)
      },
      Operation(
        .get, "/api/v1/changes", "listChanges",
        "The changes after a cursor, oldest first; without one, every record comes first",
        query: [
          Parameter("since", "'next' of the answer before"), Self.limit(),
          Parameter("wait", "how many seconds the answer may wait for a change, where there is none yet", in: 0...60),
        ], answers: [.json("Changes")], refusals: [410]
      ) { [parts] call in
        guard let seconds = try call.number("wait"), seconds > 0 else {
          return Self.answer(try Self.changes(call), call)
        }
        // Nobody reads the feed of the store before somebody listens.
        try await Failure.from { () async throws(StoreError) in try await parts.reader.catchUp() }
        let changes = try await Self.changes(call, within: seconds, parts.feed)
        // The access may have been revoked since.
        if let refusal = parts.access.refusal(call.request, .token, openMetrics: false) { throw refusal }
        return Self.answer(changes, call)
      },
      Operation(
        .get, "/calendars/birthdays.ics", "calendar",
        "Everybody's birthday as iCalendar, for programs that subscribe to it", access: .open, effect: .readsTagged,
        query: [
          Parameter("token", "the secret of a token with the rights 'calendar'", OpenAPI.words, isNeeded: true),
          Parameter("alarm", "an alarm so long before the day begins: 9h is 15:00 of the day before, 1d its beginning"),
          Self.leapDayParameter,
        ], answers: [.media("text/calendar")], refusals: [400, 401]
      ) { [parts] call in
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

  private static let leapDayParameter = Parameter(
    "feb29", "where February 29 falls in other years", ["type": "string", "enum": ["feb28", "mar1"]])

  private static func chart(isNeeded: Bool) -> Parameter {
    Parameter(
      "chart", "the chart's path: app-store/fr/top-paid, with /GENRE for one genre", OpenAPI.words, isNeeded: isNeeded)
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
  private static func answer(_ changes: [StoreChange], _ call: APIRequest) -> Response {
    let coder = call.services.coder
    var bytes = Array(#"{"items":["#.utf8)
    for (index, change) in changes.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += change.line(coder)
    }
    bytes += Array("],\"more\":\(changes.count == limit(of: call))".utf8)
    if let next = changes.last?.cursor.description ?? call.query("since") {
      bytes += Array(#","next":"#.utf8) + coder.encode(.string(next))
    }
    return Response(type: "application/json", bytes + [UInt8(ascii: "}")])
  }

  private static func limit(of call: APIRequest) -> Int { (try? call.number("limit")) ?? 100 }

  /// The changes, as soon as there are some; none where none comes in time.
  private static func changes(
    _ call: APIRequest, within seconds: Int, _ feed: EventFeed
  ) async throws -> [StoreChange] {
    // Before the first look, so that no commit is missed.
    guard let listening = feed.listen() else {
      throw Problem(.serviceUnavailable, "too many listen already", headers: [.retryAfter: "30"])
    }
    defer { listening.leave() }
    let found = try changes(call)
    guard found.isEmpty else { return found }
    let time = call.services.time
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in listening.signals.cancelOnGracefulShutdown() {
          guard let found = try? Self.changes(call), found.isEmpty else { return }
        }
      }
      group.addTask { try? await time.sleep(for: .seconds(seconds)) }
      _ = await group.next()
      group.cancelAll()
    }
    return try changes(call)
  }

  private static func changes(_ call: APIRequest) throws -> [StoreChange] {
    _ = try call.number("limit")
    let since = call.query("since").map { ChangeCursor($0) }
    do throws(Failure) { return try call.services.library.changes(since: since, limit: limit(of: call)) } catch {
      guard error.reason == .usage else { throw error }
      if error.code == .store(.invalidCursor) {
        throw Problem(.badRequest, "since: \(error.message)", hint: error.hint, code: error.code?.text)
      }
      throw Problem(
        .gone, error.message, hint: "begin again without 'since': every record comes first", code: error.code?.text)
    }
  }
}

extension APIRequest {
  /// A parameter of the query that must be there.
  ///
  /// - Throws: `Problem` with 400 where it is absent or empty.
  func needed(_ name: String) throws(Problem) -> String {
    guard let value = query(name) else { throw Problem(.badRequest, "the parameter \(name) is missing") }
    guard !value.isEmpty else { throw Problem(.badRequest, "the parameter \(name) is empty") }
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
