import Hummingbird
import Models
import Ports

extension API {
  var runs: [Operation] {
    [
      Operation(
        .post, "/api/v1/sync", "sync", "Starts a sync", body: .optional("SyncRequest"),
        answers: [.json(.accepted, "StartedRun")]
      ) { [parts] call in
        let run = try await Self.start(try Self.follows(call), call, parts)
        return Response(
          .accepted, json: ["run": .string(run)], call.services.coder, headers: [.location: "/api/v1/runs/\(run)"])
      },
      Operation(
        .get, "/api/v1/runs/{id}", "run", "The state of a run", idText: "the run's id", answers: [.json("Run")]
      ) { [parts] call in
        Response(json: try await Self.run(call.part("id"), call.services, parts), call.services.coder)
      },
    ]
  }

  /// A run that waits or is at work, or the record of one that has ended.
  ///
  /// - Throws: `Failure`, `notFound` where there is none.
  static func run(_ id: String, _ services: DaemonServices, _ parts: Parts) async throws -> JSONObject {
    if let run = await parts.scheduler.run(id) { return run.fields }
    let record: [UInt8]
    do throws(Failure) { record = try services.library.record(.runs, id) } catch {
      guard parts.role.isShared, error.reason == .notFound, let request = try requests(services).request(id) else {
        throw error
      }
      return request.fields
    }
    return try services.coder.decode(record)
  }

  /// Starts a run of follows, or asks the daemon that leads for it, and returns its id.
  ///
  /// - Throws: `Failure` where the store cannot be used, as nothing could be kept; `Problem` with 503 where too many runs
  ///   wait.
  static func start(_ follows: [Follow], _ call: APIRequest, _ parts: Parts) async throws -> String {
    if let problem = parts.health.check(call.services) { throw problem }
    let run = RecordID.make(at: call.services.time.now, random: call.services.random.next)
    let isTaken: Bool
    if parts.role.isLeader {
      isTaken = await parts.scheduler.request(follows, run: run)
    } else {
      isTaken = try await requests(call.services).add(follows, run: run, at: call.services.time.now)
    }
    guard isTaken else {
      throw Problem(
        .serviceUnavailable, "too many runs wait already", hint: "try again in a few seconds",
        headers: [.retryAfter: "5"])
    }
    return run
  }

  /// Begins to fetch pictures, or asks the daemon that leads for it.
  ///
  /// - Throws: `Failure` where the store cannot be used.
  static func fetchPictures(_ call: APIRequest, _ parts: Parts) async throws {
    if let problem = parts.health.check(call.services) { throw problem }
    if parts.role.isLeader, await parts.scheduler.fetchMedia(call.services.media) { return }
    try await requests(call.services).addPictures(at: call.services.time.now)
  }

  /// The last fetch of pictures of this daemon, or the one that waits for the daemon that leads.
  static func pictures(_ services: DaemonServices, _ parts: Parts) async -> PictureFetch {
    var fetch = await parts.scheduler.pictures
    if parts.role.isShared, !fetch.isRunning { fetch.isWaiting = (try? requests(services).wantsPictures) == true }
    return fetch
  }

  private static func requests(_ services: DaemonServices) -> SyncRequests {
    SyncRequests(store: services.store, coder: services.coder)
  }

  /// The follows that the body names, or all of them.
  private static func follows(_ call: APIRequest) throws -> [Follow] {
    let object = try call.object("follows")
    let configured = call.services.settings.follows
    let active = configured.filter { !$0.isPaused }
    guard let value = object["follows"] else { return active }
    guard let list = value.array else { throw Problem(.unprocessableContent, "follows is a list of paths") }
    var follows: [Follow] = []
    for element in list {
      guard let path = element.string else { throw Problem(.unprocessableContent, "follows is a list of paths") }
      do throws(FollowError) {
        follows.append(
          try configured.named(path) { (follow) throws(FollowError) in try call.services.sync.check(follow) })
      } catch {
        throw Problem(.unprocessableContent, "\(error.follow): \(error.message)", hint: Advice(error.allowed))
      }
    }
    return follows.isEmpty ? active : follows
  }
}
