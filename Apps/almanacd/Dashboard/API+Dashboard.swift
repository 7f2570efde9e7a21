import Hummingbird
import Logging
import Models
import Ports

extension API {
  /// The pages and their files.
  var dashboard: [Route] {
    [
      page("/") { [parts] call in
        HomePage(data: await HomeData(call.services, parts, Visit(call, parts.endpoint))).page
      },
      page("/more") { call in Page.more(Self.counts(call.services)) },
      page("/follows") { [parts] call in
        await FollowsPage(call.services, parts, FollowsPage.Query { call.query($0) }).page
      },
      page("/follows/**") { [parts] call in try await FollowPage(call.rest(after: 1), call, parts).page },
      page("/add") { [parts] call in AddPage(call, parts).page },
      page("/add/{source}") { [parts] call in
        let source = try Self.settable(call, parts)
        guard let account = call.query("account") else { return AddPage(call, parts).page(of: source) }
        return try await AddPage(call, parts).page(of: account, at: source, call.services)
      },
      page("/add/{source}/{account}") { [parts] call in
        let source = try Self.settable(call, parts)
        return try await AddPage(call, parts).page(of: call.part("account"), at: source, call.services)
      },
      page("/birthdays") { [parts] call in
        let names = parts.access.list.tokens.filter { $0.rights == .calendar }.map(\.name)
        return try PeoplePages.birthdays(call, readBy: names)
      },
      page("/outbox") { [parts] call in
        try OutboxPage(call.services, await parts.scheduler.sendPlans).page
      },
      page("/charts") { call in ChartPage.all(call.services, start: call.query("from").flatMap { Int($0) } ?? 0) },
      page("/photos") { [parts] call in
        let pictures = await parts.scheduler.pictures
        return try PhotoPages.list(call, isComplete: pictures.isRunning || pictures.problem == nil)
      },
      page("/photos/**") { call in try PhotoPages.photo(call) },
      page("/charts/**") { call in
        try ChartPage(call).page
      },
      page("/apps/**") { call in
        try AppPage(call).page
      },
      page("/search") { call in
        try RecordSearch(call.query("words") ?? "", in: Self.searched(call), call.services).page(call.services)
      },
      page(ChangesPage.path) { call in try ChangesPage(call).page },
      page("/activity") { [parts] call in try await ActivityPage(call.services, parts).page },
      page("/collections") { call in try RecordPages.collections(call.services) },
      page("/collections/{name}") { call in
        let collection = try Self.described(call)
        if collection.name == .people, call.query("new") != nil { return PersonForms.addition(call.services) }
        if collection.name == .people, call.query("import") != nil { return PersonForms.importing(call.services) }
        if collection.name == .people, call.query("print") != nil { return try PeoplePages.printed(call.services) }
        if collection.name == .people, call.query("newgroup") != nil { return try ManyForms.newGroup(call) }
        if collection.name == .people, call.query("merge") != nil { return try ManyForms.merging(call) }
        if collection.name == .people, call.query("duplicates") != nil { return try DuplicatesPage.page(call.services) }
        return try RecordPages.list(collection, RecordQuery(call), call.services)
      },
      page("/collections/{name}/**") { call in
        let (collection, id) = (try Self.described(call), call.rest(after: 2))
        if call.query("edit") != nil {
          return collection.name == .people
            ? try PersonForms.change(id, call.services) : try RecordForms.change(collection, id, call.services)
        }
        return try RecordPages.record(
          collection, id, call.services, at: call.query("at").map { try call.moment($0) }, until: call.query("until"))
      },
      Route(.get, "/media/people/**", .page) { call in
        guard let photo = try call.services.people.photo(of: call.rest(after: 2)), let type = photo.type,
          let bytes = Base64.decoded(photo.data), ContactPhoto(bytes)?.type == type
        else { return Self.placeholder(call) }
        return Response(type: type, bytes, headers: [.cacheControl: "private, max-age=3600"])
      },
      Route(.get, "/media/**", .page) { [parts] call in try await Self.picture(call, parts) },
      Route(.get, "/large/**", .page) { call in
        try await PhotoPages.image(call) ?? Self.placeholder(call)
      },
      Route(.get, "/assets/almanac.css", .page) { _ in Self.asset("text/css; charset=utf-8", Asset.style) },
      Route(.get, "/assets/almanac.js", .page) { _ in Self.asset("text/javascript; charset=utf-8", Asset.script) },
      Route(.get, "/assets/almanac.webmanifest", .page) { _ in Self.asset("application/manifest+json", Asset.manifest)
      },
      Route(.get, "/assets/offline.js", .page) { [parts] _ in
        var response = Self.asset("text/javascript; charset=utf-8", Asset.worker)
        response.headers[.contentSecurityPolicy] = "default-src 'none'; connect-src 'self'"
        // Of every page, not of those below its own path alone (Service Workers, section 6.5).
        response.headers[.init("Service-Worker-Allowed")!] = parts.endpoint.basePath + "/"
        return response
      },
      Route(.get, "/assets/icon.svg", .page) { _ in Self.asset("image/svg+xml", Asset.icon) },
      Route(.get, "/assets/placeholder.svg", .page) { _ in Self.asset("image/svg+xml", Asset.placeholder()) },
    ]
  }

  /// What the buttons do; each leads back to the page.
  var buttons: [Route] {
    [
      Route(.post, "/do/sync", .page, content: .form) { [parts] call in
        let active = call.services.settings.follows.filter { !$0.isPaused }
        // In the list of follows, the button of a row is sent with the rows that are ticked.
        let path = call.form["only"] ?? call.form["follow"]
        let wanted = try path.map { path throws(Problem) in [try Self.followed(path, call)] } ?? active
        let run = try await Self.start(wanted, call, parts)
        guard !wanted.isEmpty else {
          let reason = call.services.settings.follows.isEmpty ? "nothing is followed" : "every follow is paused"
          return Self.back(to: "/follows", saying: "Nothing is synced: \(reason).", call, parts)
        }
        let what = wanted.count == 1 ? Self.title(wanted[0].path, call) : "\(grouped(wanted.count)) follows"
        let place =
          call.form["from"] == "home"
          ? "/#problems" : call.form["only"] == nil && path != nil ? Shown.place("follows", path ?? "") : "/follows"
        return Self.back(
          to: place, saying: "The sync of \(what) begins.", outcome: Outcome.address(ofRun: run), call, parts)
      },
      Route(.post, "/do/media", .page, content: .form) { [parts] call in
        try await Self.fetchPictures(call, parts)
        return Self.back(to: "/activity#pictures", saying: "The pictures that are missing are fetched.", call, parts)
      },
      Route(.post, "/do/people/{action}", .page, content: .fileForm) { [parts] call in
        try await PersonForms.answer(call, parts)
      },
      Route(.post, "/do/records/{action}", .page, content: .form) { [parts] call in
        try await RecordForms.answer(call, parts)
      },
      Route(.post, "/do/restore", .page, content: .form) { [parts] call in try await Timeline.restore(call, parts) },
      Route(.post, "/do/receivers/{name}/test", .page, content: .form) { [parts] call in
        let name = call.part("name")
        do throws(Failure) { try await call.services.notifications.test(name) } catch {
          guard error.reason != .notFound else { throw error }
          return Self.back(
            to: "/activity#receivers", saying: "The receiver \(name) did not accept the test: \(error.message)", call,
            parts)
        }
        return Self.back(
          to: "/activity#receivers", saying: "The receiver \(name) has accepted a test message.", call, parts)
      },
      Route(.post, "/do/proposals/{id}/{action}", .page, content: .form) { [parts] call in
        try await ProposalForms.answer(call, parts)
      },
      Route(.post, "/do/outbox/{id}/{action}", .page, content: .form) { [parts] call in
        let id = call.part("id")
        guard let entry = try Self.entry(id, call) else { throw OutboxItem.gone }
        try Self.checkState(of: entry, call)
        let run = Self.newRun(call, deciding: ["mine", "fields"].contains(call.part("action")) ? entry : nil)
        let outbox = run.services.outbox
        let words = OutboxItem.words(of: entry, call.services)
        let outcome: String
        // What is sent then, so that its end is told, and whether nothing of it is left.
        var sent: OutboxEntry?
        var isGone = false
        switch call.part("action") {
        case "retry":
          _ = try await outbox.retry(id)
          (outcome, sent) = ("is tried again", entry)
        case "send":
          await parts.scheduler.sendNow()
          (outcome, sent) = ("is sent now", entry)
        case "discard":
          _ = try await outbox.discard(id)
          isGone = true
          outcome = "is discarded" + (entry.leavesPerson ? "; the person stays here" : "")
        case "mine":
          sent = try await outbox.resolve(id, take: .mine)
          outcome = "stays as you made it"
        case "theirs":
          sent = try await outbox.resolve(id, take: .theirs)
          isGone = sent?.edit.isEmpty ?? true
          outcome = "gives way to the values of the server"
        case "fields":
          sent = try await Self.resolveFields(of: id, call, outbox)
          isGone = sent?.edit.isEmpty ?? true
          outcome = "is decided, field by field"
        default: throw Problem(.notFound, "an entry can be sent, retried, discarded, or resolved")
        }
        return Self.decided(
          "\(words) \(outcome)", undo: isGone || entry.state == .conflict ? run.undo : nil,
          outcome: isGone ? nil : sent.map(Outcome.address(of:)), call, parts)
      },
      Route(.post, "/do/undo", .page, content: .form) { [parts] call in
        let said: String
        var (outcome, undo) = (String?.none, HTML?.none)
        do throws(Failure) {
          let undone = try await call.services.undo.undo(run: call.form["run"] ?? "")
          let ids = undone.changes.filter { $0.collection == .outbox }.map(\.$id)
          let words = try call.services.outbox.entries().filter { ids.contains($0.$id) }.map {
            OutboxItem.words(of: $0, call.services)
          }
          said =
            words.isEmpty
            ? "all of it is as it was"
            : "\(words.joined(separator: ", ")) \(words.count == 1 ? "is" : "are") as before"
        } catch {
          guard [.usage, .notFound].contains(error.reason) else { throw error }
          if error.code == .own(.changedSince), let decided = try Decision(call) {
            (said, undo) = try await decided.takeBack(call)
            outcome = undo == nil ? Outcome.address(ofEditOf: decided.target, call.services) : nil
          } else {
            said = error.message
          }
        }
        return Self.decided(said, undo: undo, outcome: outcome, call, parts)
      },
    ]
  }

  /// A page that renews itself. It knows its place in the event stream, so that no change is missed while it loads.
  func page(
    _ path: String, _ access: Route.Access = .page, _ make: @escaping @Sendable (APIRequest) async throws -> Page
  ) -> Route {
    Route(.get, path, access) { [parts] call in
      // A store that cannot be read shows in the page itself.
      try? await parts.reader.catchUp()
      let position = parts.feed.position
      var page = try await make(call)
      page.position = position
      page.note = parts.notes.take(call)
      page.counts = Self.counts(call.services)
      return page.response(base: parts.endpoint.basePath)
    }
  }

  /// What the navigation counts: edits to decide about, and follows that fail.
  static func counts(_ services: DaemonServices) -> [Section: Int] {
    let entries = ((try? services.outbox.entries()) ?? []).filter { $0.state != .pending || $0.attempts > 0 }
    let proposals = (try? services.proposals.proposals().count) ?? 0
    var counts: [Section: Int] = [:]
    counts[.follows] = try? services.statusCache.read(services).status.follows.count { $0.state == .failing }
    if !entries.isEmpty || proposals > 0 { counts[.outbox] = entries.count { $0.state != .pending } + proposals }
    return counts
  }

  /// Checks that an edit is as the page showed it: the server's side of a conflict may be another one by now.
  ///
  /// - Throws: `Problem` with 412.
  private static func checkState(of entry: OutboxEntry, _ call: APIRequest) throws(Problem) {
    guard let tag = call.form["tag"], OutboxItem.tag(of: entry, call.services.coder).exact != tag.exact else { return }
    let (words, isOpen) = (OutboxItem.words(of: entry, call.services), entry.state == .conflict)
    throw Problem(
      .preconditionFailed, "\(words) was \(isOpen ? "changed since it was read" : "decided meanwhile")",
      hint: isOpen ? "look at both sides again" : nil, code: "changed")
  }

  private static func entry(_ id: String, _ call: APIRequest) throws(Failure) -> OutboxEntry? {
    try call.services.outbox.entries().first { $0.$id == id.exact }
  }

  /// The services for decisions that can be taken back, and the button that does so.
  ///
  /// - Parameters:
  ///   - kind: what is done: an edit, or an import, of which the list of people tells.
  ///   - entry: the conflict that is decided: if its edit was sent before that is taken back, the server gets its values back.
  static func newRun(
    _ call: APIRequest, _ kind: ChangeCause.Kind = .edit, deciding entry: OutboxEntry? = nil
  ) -> (id: String, services: DaemonServices, undo: HTML) {
    let run = RecordID.make(at: call.services.time.now, random: call.services.random.next)
    let from = kind == .import ? CollectionName.people.rawValue : call.form["from"] ?? ""
    let values = [("run", run), ("from", from)] + (entry.map { Decision.values($0, call) } ?? [])
    return (
      run, call.services.because(ChangeCause(kind, run: run, tool: .page)),
      Control.button("Undo", "/do/undo", and: values)
    )
  }

  /// Resolves a conflict by the side that a form takes for each field.
  private static func resolveFields(
    of id: String, _ call: APIRequest, _ outbox: any OutboxService
  ) async throws -> OutboxEntry {
    guard let entry = try entry(id, call) else { throw OutboxItem.gone }
    let fields = try entry.contested.subtracting(outbox.followingFields(of: entry).keys)
    let form = call.form
    let sides = fields.map { (field: $0, side: (form["all"] ?? form["take.\($0.text)"]).flatMap(ConflictSide.init)) }
    if let open = sides.first(where: { $0.side == nil }) {
      throw Problem(
        .unprocessableContent, "choose yours or theirs for \(Shown.field(open.field.text, of: entry.targetCollection))")
    }
    let mine = Set(sides.filter { $0.side == .mine }.map(\.field))
    if mine.isEmpty { return try await outbox.resolve(id, take: .theirs) }
    if mine == fields { return try await outbox.resolve(id, take: .mine) }
    return try await outbox.resolve(id, mine: mine)
  }

  private static func described(_ call: APIRequest) throws(Problem) -> CollectionDescriptor {
    let name = call.part("name")
    guard let collection = call.services.catalog[CollectionName(rawValue: name)] else {
      throw Problem(.notFound, "there is no collection '\(name)'")
    }
    return collection
  }

  /// Leads back to the page on which something was decided: home, the page of its record, the list of people, or the outbox.
  static func decided(
    _ words: String, undo: HTML? = nil, outcome: String? = nil, _ call: APIRequest, _ parts: Parts
  ) -> Response {
    let from = call.form["from"] ?? ""
    let place =
      from.contains("/")
      ? Shown.record(from.firstPart, from.restOfParts)
      : from == "home" ? "/#problems" : from == CollectionName.people.rawValue ? Section.people.address : "/outbox"
    return back(to: place, saying: Shown.sentence(words), undo: undo, outcome: outcome, call, parts)
  }

  /// Leads to a page, which says what became of the form.
  static func back(
    to place: String, saying text: String, undo: HTML? = nil, outcome: String? = nil, _ call: APIRequest,
    _ parts: Parts
  ) -> Response {
    parts.notes.answer(place, saying: text, undo: undo, outcome: outcome, call.services.random)
  }

  private static func asset(_ type: String, _ text: String) -> Response {
    Response(type: type, Array(text.utf8), headers: [.cacheControl: "no-cache"])
  }

  private static func placeholder(_ call: APIRequest) -> Response {
    asset("image/svg+xml", Asset.placeholder(for: call.rest(after: 1)))
  }

  /// The kept picture of an address; nothing is fetched for it. One that made room for others is fetched soon.
  private static func picture(_ call: APIRequest, _ parts: Parts) async throws(Failure) -> Response {
    let (url, media) = (Shown.address(ofMedia: call.rest(after: 1)), call.services.mediaStore)
    var isWanted = false
    let found: (MediaItem, [UInt8])?
    do throws(StoreError) {
      if let item = try media.item(for: url) {
        found = (item, try media.bytes(of: item))
      } else {
        isWanted = try media.isEvicted(url)
        if isWanted { try media.want(url) }
        found = nil
      }
    } catch {
      // A damaged picture is fetched again, as one that is missing is.
      guard error.code == .damaged else { throw error.failure }
      (isWanted, found) = (true, nil)
    }
    if isWanted { await parts.scheduler.wantMedia() }
    guard let (item, bytes) = found else { return placeholder(call) }
    return Response(type: item.type, bytes, headers: [.cacheControl: "private, max-age=86400"])
  }
}
