import Hummingbird
import Models
import Ports
import Synchronization

/// Edits what is followed, as `almanac follow` does.
final class FollowEditor: Sendable {
  /// What the sources say about themselves; a reload may change it.
  var sources: [SourceDescriptor] { currentSources() }
  private let currentSources: @Sendable () -> [SourceDescriptor]
  /// The definitions of sources with mistakes; a reload may change them.
  var mistakes: [CheckedDefinition] { currentMistakes() }
  private let currentMistakes: @Sendable () -> [CheckedDefinition]
  /// The definitions that come with the program.
  var gallery: [SourceDefinition] { currentGallery() }
  private let currentGallery: @Sendable () -> [SourceDefinition]
  private let follows: any FollowService
  private let missing: @Sendable () -> Failure?
  private let reload = Mutex<(@Sendable (Follow.Origin?) async -> Void)?>(nil)

  /// An editor of a config file and of the follows of a store on a server.
  ///
  /// - Parameter missing: why nothing may be written: the file that was read is gone.
  init(
    follows: any FollowService,
    sources: @autoclosure @escaping @Sendable () -> [SourceDescriptor],
    mistakes: @autoclosure @escaping @Sendable () -> [CheckedDefinition] = [],
    gallery: @autoclosure @escaping @Sendable () -> [SourceDefinition] = [],
    missing: @autoclosure @escaping @Sendable () -> Failure? = nil
  ) {
    self.follows = follows
    currentGallery = gallery
    self.missing = missing
    currentSources = sources
    currentMistakes = mistakes
  }

  /// Calls a closure after each edit, with the place of the follow, before the edit returns.
  func onChange(_ reload: @escaping @Sendable (Follow.Origin?) async -> Void) { self.reload.withLock { $0 = reload } }

  /// Follows a path; of one that is followed already, changes only what is named.
  ///
  /// - Throws: `Problem`: about a field where a source refuses the follow, or the account does not have what is followed;
  ///   about none where the config file or the store cannot be read or written. Then nothing was changed.
  func follow(_ change: FollowChange, _ services: DaemonServices) async throws(Problem) -> (
    follow: Follow, isNew: Bool
  ) {
    // A new file would hold this follow alone, and no server.
    if let missing = missing() { throw Problem(missing) }
    do throws(Failure) { try await services.checkAccount(change.path) } catch {
      guard error.reason == .notFound else { throw Problem(error) }
      // The address of the request is there: it is the path in it that leads to nothing.
      throw Problem(
        Failure(error.kind, .usage, error.message, hint: error.hint, code: error.code, path: error.path)
      ).about("follow")
    }
    let sync = services.sync
    do throws(FollowError) {
      _ = try [change].applied(to: services.settings.follows) { (follow) throws(FollowError) in try sync.check(follow) }
    } catch { throw Problem(error.failure).about(error.member ?? "follow") }
    let (follow, earlier): (Follow, Follow?)
    do throws(Failure) { (follow, earlier) = try await follows.follow(change) } catch { throw Problem(error) }
    await reload.withLock { $0 }?(follow.origin)
    return (follow, earlier == nil)
  }

  /// Reads the config and the definitions of sources again, after something else was written there.
  func changedSettings() async { await reload.withLock { $0 }?(nil) }

  /// The error where the config file is not there any more; nothing is written then.
  func checkConfig() throws(Failure) { if let missing = missing() { throw missing } }

  /// Changes follows, as one change of the config.
  ///
  /// - Throws: as `follow(_:_:)`.
  func change(_ changes: [FollowChange]) async throws(Failure) {
    if let missing = missing() { throw missing }
    let changed = try await follows.follow(changes)
    for origin in Set(changed.map(\.follow.origin)) { await reload.withLock { $0 }?(origin) }
  }

  /// Ends follows and keeps their records.
  ///
  /// - Throws: as `unfollow(_:)`.
  func unfollow(all paths: [String]) async throws(Failure) {
    if let missing = missing() { throw missing }
    var origins: Set<Follow.Origin> = []
    for path in paths { if let origin = try await follows.unfollow(path) { origins.insert(origin) } }
    for origin in origins { await reload.withLock { $0 }?(origin) }
  }

  /// Ends a follow and keeps its records. Returns `false` if there is no such follow.
  ///
  /// - Throws: `Failure`: the errors of the config file or the store.
  func unfollow(_ path: String) async throws(Failure) -> Bool {
    if let missing = missing() { throw missing }
    guard let origin = try await follows.unfollow(path) else { return false }
    await reload.withLock { $0 }?(origin)
    return true
  }
}

extension API {
  var follows: [Operation] {
    [
      Operation(
        .get, "/api/v1/sources", "listSources", "The sources, and the forms that paths of follows can have",
        answers: [.json("Sources")]
      ) { [parts] call in
        let mistakes = parts.editor.mistakes
        let items = parts.editor.sources.map { source in
          JSONValue.object(Self.fields(source, mistakes.first { $0.name == source.name }))
        }
        return Response(json: ["items": .array(items)], call.services.coder)
      },
      Operation(
        .get, "/api/v1/follows", "listFollows", "What is followed", answers: [.json("Follows")]
      ) { call in
        Response(
          json: ["items": .array(call.services.settings.follows.map { .object($0.listed) })], call.services.coder)
      },
      Operation(
        .post, "/api/v1/follows", "follow", "Follows a path; of one that is followed, changes what is named",
        body: .needed("NewFollow"), answers: [.json("Follow"), .json(.created, "Follow")]
      ) { [parts] call in
        let (follow, isNew) = try await parts.editor.follow(
          try Self.follow(call.anyObject(), parts.editor.sources), call.services)
        return Response(
          isNew ? .created : .ok, json: follow.listed, call.services.coder,
          headers: [.location: Shown.place("api/v1/follows", follow.path)])
      },
      Operation(
        .delete, "/api/v1/follows/{id…}", "unfollow", "Ends a follow; its records stay",
        idText: "the follow's path; slashes may be escaped or not", answers: [.empty], refusals: [409]
      ) { [parts] call in
        guard try await parts.editor.unfollow(call.rest(after: 3)) else {
          throw Self.notFollowed(call.rest(after: 3), call)
        }
        return Response(status: .noContent)
      },
    ]
  }

  /// A follow in a message: what people call it.
  static func title(_ path: String, _ call: APIRequest) -> String { Shown.name(FollowName(path, call.services).title) }

  var followForms: [Route] {
    [
      Route(.post, "/do/follow", .page, content: .form) { [parts] call in
        do {
          let change = try Self.change(call.form)
          try await parts.setup.prepare(Follow(path: change.path).source, call.services)
          let (follow, isNew) = try await parts.editor.follow(change, parts.live.current)
          let outcome = isNew ? "is followed now" : "was followed already, and has these settings now"
          return Self.back(
            to: Shown.place("follows", follow.path),
            saying: "\(Self.title(follow.path, call)) \(outcome).",
            outcome: isNew ? Outcome.address(ofFollow: follow.path) : nil, call, parts)
        } catch {
          return try Self.addition(call, parts, refused: RefusedForm(call, error))
        }
      },
      Route(.post, "/do/change", .page, content: .form) { [parts] call in
        do {
          // A follow that was removed meanwhile is not added again.
          let follow = try Self.followed(call.form["follow"] ?? "", call)
          if ["limit", "every"].contains(where: { call.form.isConflict($0, stored: follow.text($0)) }) {
            throw Problem(
              .preconditionFailed, "\(Self.title(follow.path, call)) was changed since the page was read",
              hint: RefusedForm.changedHint, code: "changed"
            )
          }
          _ = try await parts.editor.follow(try Self.change(call.form, of: follow), call.services)
          return Self.back(
            to: Shown.place("follows", follow.path),
            saying: "The settings of \(Self.title(follow.path, call)) are saved.",
            call, parts)
        } catch {
          let refused = try RefusedForm(call, error)
          if refused.problem.status == .notFound { throw error }
          return try await Self.changed(call, parts, refused: refused)
        }
      },
      Route(.post, "/do/unfollow", .page, content: .form) { [parts] call in
        let path = call.form["follow"] ?? ""
        let follow = try Self.followed(path, call)
        // The records first: what stops in between can be repeated.
        let purged =
          call.form["purge"] == nil
          ? nil : try await call.services.purge.purge(follow, besides: call.services.settings.follows)
        guard try await parts.editor.unfollow(path) else { throw Self.notFollowed(path, call) }
        return Self.back(
          to: "/follows",
          saying:
            "\(Self.title(path, call)) is not followed any more; \(purged.map(Self.words) ?? "its records stay").",
          undo: Self.following([follow], call), call, parts)
      },
      Route(.post, "/do/again", .page, content: .form) { [parts] call in
        let sources = parts.editor.sources
        let changes = try call.form.all("entry").map { text throws(Problem) in
          let fields: JSONObject
          do throws(ParsingError) { fields = try call.services.coder.decode(Array(text.utf8)) } catch {
            throw Problem(.unprocessableContent, "an entry is a JSON object: \(error)")
          }
          return try Self.follow(fields, sources)
        }
        try await parts.editor.change(changes)
        let place = changes.count == 1 ? Shown.place("follows", changes[0].path) : "/follows"
        let what = changes.count == 1 ? Self.title(changes[0].path, call) : changes.count.counted("follow")
        let outcome = changes.count == 1 ? Outcome.address(ofFollow: changes[0].path) : nil
        return Self.back(to: place, saying: "Followed again: \(what).", outcome: outcome, call, parts)
      },
      Route(.post, "/do/pause", .page, content: .form) { [parts] call in
        // A follow that was removed meanwhile is not added again.
        var follow = FollowChange(try Self.followed(call.form["follow"] ?? "", call).path)
        follow.isPaused = call.form["paused"] != "false"
        _ = try await parts.editor.follow(follow, call.services)
        let outcome = follow.isPaused == true ? "is paused" : "is resumed"
        return Self.back(
          to: Shown.place("follows", follow.path), saying: "\(Self.title(follow.path, call)) \(outcome).", call, parts)
      },
      Route(.post, "/do/follows", .page, content: .form) { [parts] call in
        do { return try await Self.several(call, parts) } catch {
          let refused = try RefusedForm(call, error)
          if refused.problem.status == .notFound { throw error }
          let form = call.form
          let page = await FollowsPage(call.services, parts, FollowsPage.Query { form[$0] }, refused).page
          return refused.response(page, at: "/follows", call, parts)
        }
      },
    ]
  }

  /// What a purge did: `removed: 40 apps, 3 charts`.
  private static func words(_ purged: PurgedRecords) -> String {
    let removed = purged.removed.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, count in
      "\(grouped(count)) \(Shown.things(count, name, of: nil))"
    }
    let kept = purged.kept.count
    let rest = kept == 0 ? "" : "; \(kept.counted("record")) with edits \(kept == 1 ? "stays" : "stay")"
    return (removed.isEmpty ? "no record was removed" : "removed: \(removed.joined(separator: ", "))") + rest
  }

  /// The follow that the page's form adds, or what it changes of one.
  private static func change(_ form: SentForm, of stored: Follow? = nil) throws(Problem) -> FollowChange {
    let path = form["template"].map { FollowForm.path($0) { name in form["part.\(name)"] } }
    var follow = FollowChange(stored?.path ?? path ?? form["follow"] ?? "")
    for (name, text) in form.fields(after: "option.") where !text.trimmed.isEmpty {
      follow.options.append(name, .string(text.trimmed))
    }
    guard !follow.path.isEmpty else {
      throw Problem(
        .unprocessableContent, "a path is needed", hint: "write one such as app-store/us/top-free", field: "follow")
    }
    for name in ["limit", "every"] {
      guard let text = form.changed(name, stored: stored?.text(name) ?? "")?.trimmed else { continue }
      // The form shows what is set: a field that is emptied takes it away.
      if text.isEmpty {
        if stored != nil { follow.removed.insert(name.exact) }
      } else if name == "every" {
        do throws(Problem) { follow.every = try interval(text) } catch { throw error.about("every") }
      } else {
        guard let limit = Int(text) else {
          throw Problem(.unprocessableContent, "'\(text)' is not a limit", hint: "write a whole number", field: "limit")
        }
        follow.limit = limit
      }
    }
    return follow
  }

  /// What the list of follows does to those that are ticked, or to all that its search finds.
  private static func several(_ call: APIRequest, _ parts: Parts) async throws -> Response {
    let form = call.form
    let query = FollowsPage.Query { form[$0] }
    var paths = form.all("follow")
    if form["all"] != nil {
      let status = explained(try call.services.statusCache.read(call.services).status, call.services, parts)
      paths = query.matches(in: status.follows).map(\.follow)
    }
    guard !paths.isEmpty else {
      throw Problem(
        .unprocessableContent, "no follow is ticked",
        hint: "tick the follows that are meant, and press the button again")
    }
    let follows = try paths.map { path throws(Problem) in try followed(path, call) }
    let outcome: String
    var (undo, run) = (HTML?.none, String?.none)
    switch form["do"] {
    case "sync":
      run = try await start(follows, call, parts)
      outcome = "The sync begins"
    case "remove":
      try await parts.editor.unfollow(all: paths)
      outcome = "Not followed any more"
      undo = following(follows, call)
    case let action:
      var change = FollowChange("")
      switch action {
      case "pause": (change.isPaused, outcome) = (true, "Paused")
      case "resume": (change.isPaused, outcome) = (false, "Resumed")
      case "every":
        do throws(Problem) { change.every = try interval(form["every"]?.trimmed ?? "") } catch {
          throw error.about("every")
        }
        outcome = "The interval is set"
      default: throw Problem(.unprocessableContent, "do takes sync, pause, resume, every or remove")
      }
      try await parts.editor.change(
        follows.map { follow in
          var one = change
          one.path = follow.path
          return one
        })
    }
    return back(
      to: query.address(), saying: "\(outcome): \(paths.count.counted("follow")).", undo: undo,
      outcome: run.map(Outcome.address(ofRun:)), call, parts)
  }

  /// The button that follows again what was removed, with its settings.
  private static func following(_ follows: [Follow], _ call: APIRequest) -> HTML {
    let entries = follows.map { follow in
      Control.hidden("entry", String(decoding: call.services.coder.encode(follow.fields), as: UTF8.self))
    }
    return "<form method=\"post\" action=\"/do/again\">\(entries)<button>Undo</button></form>"
  }

  /// The page of what can be followed, with the form that was refused.
  private static func addition(_ call: APIRequest, _ parts: Parts, refused: RefusedForm) throws -> Response {
    let source = call.form["source"].flatMap { parts.setup.source($0) }
    var problem = refused.problem
    // A problem of a field that the form does not have, such as an option of the source, is one of the path and its options;
    // the form of a source has no field for the path.
    if let field = problem.field, call.form[field] == nil {
      problem.field = source == nil ? "follow" : call.form["option.\(field)"] == nil ? nil : "option.\(field)"
    }
    let shown = AddPage(call, parts, RefusedForm(values: refused.values, problem: problem))
    return refused.response(
      source.map { shown.page(of: $0) } ?? shown.page, at: source.map { "/add/\($0.name.rawValue)" } ?? "/add", call,
      parts)
  }

  /// The page of a follow, with the form that was refused.
  private static func changed(_ call: APIRequest, _ parts: Parts, refused: RefusedForm) async throws -> Response {
    var problem = refused.problem
    if let field = problem.field, !["limit", "every"].contains(field) { problem.field = nil }
    let path = refused.values["follow"] ?? ""
    let page = try await FollowPage(path, call, parts, RefusedForm(values: refused.values, problem: problem)).page
    return refused.response(page, at: Shown.place("follows", path), call, parts)
  }

  /// The follow of a form.
  ///
  /// - Throws: `Problem` with 404 where it is not followed, or not any more.
  static func followed(_ path: String, _ call: APIRequest) throws(Problem) -> Follow {
    guard let follow = call.services.settings.follows.first(where: { $0.path.exact == path.exact }) else {
      throw notFollowed(path, call)
    }
    return follow
  }

  private static func notFollowed(_ path: String, _ call: APIRequest) -> Problem {
    let others =
      call.services.settings.storeFollows == nil ? "" : "; what another machine's config file has is ended there"
    return Problem(
      .notFound, "'\(path)' is not followed",
      hint: "it may have been removed meanwhile: read the follows again\(others)", code: "not-followed")
  }

  /// The members of a follow are those of its entry in the config file.
  ///
  /// - Parameter sources: their options can be taken away; any other name is refused.
  private static func follow(_ fields: JSONObject, _ sources: [SourceDescriptor]) throws(Problem) -> FollowChange {
    guard let path = fields["follow"]?.string else { throw Problem(.unprocessableContent, "follow is a path") }
    var follow = FollowChange(path)
    let options = sources.first { $0.name == follow.follow.source }?.options ?? []
    let removable = Set(["limit", "every"] + options.map(\.name.exact))
    for member in fields.members {
      switch member.key {
      case "follow": break
      // As in RFC 7396: it has the default of its source again.
      case let name where member.value == .null && removable.contains(name.exact): follow.removed.insert(name.exact)
      case "limit":
        guard let limit = member.value.int else { throw Problem(.unprocessableContent, "limit is a whole number") }
        follow.limit = limit
      case "every":
        guard let text = member.value.string else { throw Problem(.unprocessableContent, "every is a text: 1h") }
        follow.every = try interval(text)
      case "paused":
        guard let flag = member.value.bool else { throw Problem(.unprocessableContent, "paused is true or false") }
        follow.isPaused = flag
      default: follow.options.append(member.key, member.value)
      }
    }
    return follow
  }

  private static func interval(_ text: String) throws(Problem) -> Interval {
    guard let interval = Interval(text) else {
      throw Problem(
        .unprocessableContent, "'\(text)' is not an interval", hint: "write 90s, 15m, 1h, 7d or 1h30m; at least 1s")
    }
    return interval
  }

  private static func fields(_ source: SourceDescriptor, _ wrong: CheckedDefinition?) -> JSONObject {
    var fields: JSONObject = ["name": .string(source.name.rawValue), "summary": .string(source.summary)]
    fields.append("note", source.pathNote)
    fields.append(
      "forms",
      .array(
        source.forms.map { form in
          var fields: JSONObject = ["template": .string(form.template), "summary": .string(form.summary)]
          fields.append("standardLimit", form.limit?.standard)
          fields.append("largestLimit", form.limit?.largest)
          return .object(fields)
        }))
    fields.append(
      "options",
      .array(
        source.options.map {
          ["name": .string($0.name), "expected": .string($0.expected), "help": .string($0.help)]
        }))
    fields.append(
      "mistakes",
      wrong.map { wrong in
        .array(
          wrong.problems.map { problem in
            [
              "file": .string(wrong.path), "line": .int(problem.line), "column": .int(problem.column),
              "path": .string(problem.path), "message": .string(problem.message),
            ]
          })
      })
    return fields
  }
}

extension Follow {
  /// A setting as the forms of the page show it; empty where it is not set.
  func text(_ setting: String) -> String {
    (setting == "limit" ? limit.map(String.init) : every?.description) ?? ""
  }
}
