import Assembly
import AsyncHTTPTransport
import CLibrary
import Models
import Networking
import Persistence
import Ports

extension CompositionRoot {
  /// The setting without which a source cannot be asked, an address or a key, and how to give it; `nil` where it has all.
  func missingSetting(of source: SourceName) throws(Failure) -> Failure? {
    let settings = try settings.partial()
    return invocation.missingSetting(of: source, in: settings) {
      invocation.access(settings, isReplay: demo != nil, isPlan: true).keys[source] ?? .absent
    }
  }

  /// Why the server of an account cannot say whether it has what is to be followed; `nil` where it has it.
  ///
  /// - Throws: `Failure`: `notFound` if it does not have it.
  func accountProblem(following path: String, _ settings: Settings) async throws(Failure) -> Failure? {
    try await AccountCheck.problem(
      following: path, among: sources, settings, accounts: settingsFile.accounts(in: settings)
    ) { (account, source) async throws(Failure) in try await offers(of: account, at: source, caFile: nil) }
  }

  /// Lists what an account offers to follow, which proves that its server accepts it. The account need not be in the config
  /// file.
  func offers(
    of account: SourceAccount, at source: SourceName, caFile: String?
  ) async throws(Failure) -> [AccountOffer] {
    let network = try network(besides: nil, adding: (source, account, caFile))
    let offered: Result<[AccountOffer], Failure>
    do throws(Failure) { offered = .success(try await offers(of: account, at: source, over: network)) } catch {
      offered = .failure(error)
    }
    await network.client?.shutdown()
    return try offered.get()
  }

  private func offers(
    of account: SourceAccount, at source: SourceName, over network: Network
  ) async throws(Failure) -> [AccountOffer] {
    if let offers = try await self.source(source, over: network)?.offers(of: account, over: network.transport) {
      return offers
    }
    throw .usage(
      "\(source) has no accounts",
      hint: "those that have are \(sources.filter(\.hasAccounts).map(\.name.rawValue).joined(separator: ", "))")
  }

  /// The definitions that had mistakes when they were read; what they fill is not known.
  var wrongDefinitions: [CheckedDefinition] { invocation.wrongDefinitions }

  /// Where releases are announced; `nil` where nothing says so.
  var releases: String? { invocation.environment["ALMANAC_RELEASES"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Looks whether `purge` can remove the records of a follow, and whether there are any.
  func checkPurge(_ follow: Follow, besides others: [Follow]) throws(Failure) -> Bool {
    try local().purge.check(follow, besides: others)
  }

  /// Removes the records that a follow brought and no other one; asks no server.
  func purge(_ follow: Follow, besides others: [Follow]) async throws(Failure) -> PurgedRecords {
    try await local().purge.purge(follow, besides: others)
  }

  /// Asks for an address once, with the retries, recordings and proxies of every request, and with a key if there is one.
  func response(
    from url: String, _ auth: SourceDefinition.Authentication?, key: String?
  ) async throws(Failure) -> HTTPResponse {
    var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
    if let auth, let key { request = try SourceDefinitions.request(url, auth, key: key) }
    let network = try network(hiding: key)
    do throws(TransportError) { return try await network.transport.send(request) } catch {
      throw Redaction(secrets: network.secrets, names: invocation.sources.secretNames).error(error).failure
    }
  }

  func logIn(
    to source: SourceName, onDevice: Bool, port: UInt16, show: (LoginPrompt) async -> Void
  ) async throws(Failure) {
    guard !isReplay else { throw .usage("a recording gives no tokens", hint: "leave --seed out", code: .usage) }
    let network = try planningNetwork()
    try await invocation.logIn(
      to: source, onDevice: onDevice, port: port, settings.strict(), over: network.transport, time: time,
      random: random, show: show)
  }

  /// Asks whether a source's server answers at all, and whether it takes the key.
  func probe(_ source: SourceName) async -> ServerProbe {
    do throws(Failure) {
      let descriptor = sources.first { $0.name == source }
      if descriptor?.isProgram == true { return ServerProbe(url: "a program") }
      if descriptor?.hasAccounts == true { return try await probeAccounts(of: source) }
      let server = try settings.strict().servers[source]
      let definition = invocation.sources.definition(of: source)
      if definition?.folder != nil { return ServerProbe(url: "files") }
      // Settings may be a part of the address.
      let bound = (try? definition?.bound(by: server))?.url
      guard let url = server?.url ?? bound ?? descriptor?.defaultURL else {
        return ServerProbe(url: "no address", failure: invocation.noServer(source))
      }
      // Counting the call would make a store of a folder that is not one yet, or migrate an older one.
      let isNew = (try? store().snapshot()).map { $0.end == nil } ?? false
      let network = try isNew ? planningNetwork() : network()
      let known = self.source(source, over: network)
      var probe = ServerProbe(url: url)
      if case .given(_, let place)? = network.access.keys[source] { probe.keyPlace = place }
      do throws(SourceError) {
        if try await known?.proveKey(over: network.transport) != true {
          let response: HTTPResponse
          do throws(TransportError) {
            response = try await network.transport.send(HTTPRequest(.head, url + "/"))
          } catch { throw .transport(error) }
          // A definition tells no address below its own that answers without a key and says nothing else.
          probe.isOnlyReached = known?.fingerprint != nil
          if !probe.isOnlyReached { try ProbeAnswer.check(response, url: url) }
        }
      } catch {
        probe.failure = Redaction(secrets: network.secrets, names: invocation.sources.secretNames).error(error).failure
      }
      return probe
    } catch {
      return ServerProbe(url: source.rawValue, failure: error)
    }
  }
}

extension CompositionRoot {
  private func source(_ name: SourceName, over network: Network) -> RedactedSource? {
    invocation.sources.sources(coder, network.access, secrets: network.secrets)[name]
  }

  /// Asks the server of each account of a source, until one does not answer well.
  private func probeAccounts(of source: SourceName) async throws(Failure) -> ServerProbe {
    let network = try planningNetwork()
    guard let accounts = network.access.accounts[source], !accounts.isEmpty else {
      throw Invocation.noAccount(of: source)
    }
    var probe = ServerProbe(url: accounts[0].url)
    for account in accounts {
      probe = ServerProbe(url: account.url)
      if case .given(_, let place) = account.password { probe.keyPlace = place }
      do throws(Failure) { _ = try await offers(of: account, at: source, over: network) } catch {
        (probe.failure, probe.account) = (error, account.name)
        return probe
      }
    }
    return probe
  }
}

/// What the answer to a request for a server's root says about requests for what is followed there.
enum ProbeAnswer {
  /// Looks at the status.
  ///
  /// A root that does not exist (404), or that cannot be asked by HEAD (405, 501), says nothing about other addresses.
  /// nginx answers 400 where it wants a client certificate.
  ///
  /// - Throws: `SourceError.answered` where other requests would meet the same status.
  static func check(_ response: HTTPResponse, url: String) throws(SourceError) {
    switch response.status.meaning {
    case .invalid where url.hasPrefix("https://"):
      throw .status(response, url: url, message: "it may ask for a client certificate")
    case .invalid, .unauthorized, .forbidden, .serverFault: throw .status(response, url: url)
    case .other where response.status == .proxyUnauthorized || response.status.isServerError:
      throw .status(response, url: url)
    default: return
    }
  }
}

extension CompositionRoot {
  /// A link that enters the daemon's page once.
  /// - Parameter state: the folder of the daemon's `--state`, for a store on a server.
  func dashboardLink(state: String?) async throws(Failure) -> String {
    guard state == nil || isStoreOnServer else {
      throw .usage(
        "--state is for a store on a server; a store in a folder keeps the token",
        hint: "leave --state out", code: .usage)
    }
    let folder = state ?? invocation.places.state
    let base = try daemonURL(folder)
    let token = try DaemonToken(folder: folder, isStore: !isStoreOnServer).read()
    let client = daemonClient()
    let process = DaemonPlace(in: folder, coder)?.process(keeping: folder)
    let outcome = await Self.askForLink(base, token, client, process, isStoreOnServer)
    await client.shutdown()
    return try outcome.get()
  }

  /// A client for the daemon: a person waits, and it answers at once.
  private func daemonClient() -> AsyncHTTPTransport {
    var configuration = AsyncHTTPTransport.Configuration(userAgent: invocation.userAgent)
    configuration.connectTimeout = .seconds(3)
    configuration.idleTimeout = .seconds(4)
    configuration.callTimeout = .seconds(4)
    return AsyncHTTPTransport(configuration)
  }

  private static func silent(_ process: Int) -> Advice {
    "it runs, and is stopped or too busy; 'ps -o stat,time \(process)' shows which"
  }

  /// What the daemon of this store says in `/api/v1/status`, or that it does not answer; `nil` where none runs here, or its
  /// token cannot be read.
  func daemonStatus() async -> JSONObject? {
    let folder = invocation.places.state
    guard let place = DaemonPlace(in: folder, coder), let process = place.process(keeping: folder),
      !isStoreOnServer || place.store?.exact == storePath.exact,
      let token = try? DaemonToken(folder: folder, isStore: !isStoreOnServer).read()
    else { return nil }
    let client = daemonClient()
    let response: Result<HTTPResponse, TransportError>
    do throws(TransportError) {
      response = .success(
        try await client.send(
          HTTPRequest(.get, "\(place.url)/api/v1/status", headers: ["Authorization": "Bearer \(token)"])))
    } catch { response = .failure(error) }
    await client.shutdown()
    if case .failure(let error) = response, error.code == .timeout {
      let problem: JSONObject = [
        "part": "daemon", "message": .string("it does not answer: process \(process)"),
        "hint": .string(Self.silent(process).description),
      ]
      return ["problems": .objects([problem])]
    }
    return (try? response.get()).flatMap { try? coder.decode($0.body) }
  }

  /// Where the daemon of this store said that it listens, or where the config says so.
  private func daemonURL(_ folder: String) throws(Failure) -> String {
    let place = DaemonPlace(in: folder, coder)
    if isStoreOnServer, let other = place?.store, other.exact != storePath.exact {
      throw Failure(
        .config, .notFound, "the daemon of \(folder) works on another store, \(other)",
        hint: "name that one with --store, or the folder of the daemon with --state or ALMANAC_STATE", path: folder)
    }
    if let said = try place?.url(for: folder) { return said }
    return "http://\(try settings.strict().daemon.listen ?? "127.0.0.1:7423")"
  }

  private static func askForLink(
    _ base: String, _ token: String, _ client: AsyncHTTPTransport, _ process: Int?, _ isStoreOnServer: Bool
  ) async -> Result<String, Failure> {
    do throws(TransportError) {
      let response = try await client.send(
        HTTPRequest(
          .post, "\(base)/api/v1/login-codes",
          headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: Array("{}".utf8)))
      guard response.isSuccess, let code = response.headers["X-Login-Code"] else {
        return .failure(
          Failure(
            .http, response.status.meaning == .unauthorized ? .denied : .unavailable,
            "the daemon at \(base) answered \(response.status)",
            hint: isStoreOnServer
              ? "is it the daemon of this token? --state must name the daemon's folder"
              : "does it keep the same store? --store must name the daemon's"))
      }
      return .success("\(response.headers["X-Public-URL"] ?? base)/login?code=\(code)")
    } catch {
      if let process, error.code == .timeout {
        return .failure(
          Failure(
            .transport, .unavailable, "the daemon at \(base) does not answer: process \(process)",
            hint: silent(process), url: base, code: .transport(.timeout), retryable: true))
      }
      return .failure(
        Failure(
          .transport, .unavailable, "no daemon answers at \(base): \(error.message)",
          hint: "start it with 'almanacd', or set daemon.listen in the config", url: base, retryable: true))
    }
  }
}

extension DaemonPlace {
  /// Reads `daemon.json` in a folder; `nil` where no daemon has written one.
  init?(in folder: String, _ coder: any RecordCoder) {
    let bytes = try? InputFile(path: "\(folder)/daemon.json").read()
    guard let bytes, let fields = try? coder.decode(bytes) else { return nil }
    self.init(fields: fields)
  }

  /// The address, if the file is about a folder.
  ///
  /// - Throws: `Failure`, `notFound` where the file came here with a copy of another store: its daemon keeps that one.
  fileprivate func url(for path: String) throws(Failure) -> String? {
    guard folder != nil, !isOf(path) else { return url }
    guard access(path, F_OK) == 0 else { return nil }
    throw Failure(
      .config, .notFound,
      "no daemon keeps the store in \(path): it is a copy of the one \(store.map { "in \($0)" } ?? "that \(url) keeps")",
      hint: "start 'almanacd --store \(path)'\(store.map { ", or look at the other one with --store \($0)" } ?? "")",
      path: "\(path)/daemon.json")
  }
}

/// The secret that the daemon keeps in the store's folder, or in that of its state.
struct DaemonToken {
  let folder: String
  let isStore: Bool

  func read() throws(Failure) -> String {
    let path = "\(folder)/token"
    guard access(path, R_OK) == 0 else {
      let number = errno
      if number == EACCES { throw denied(path) }
      throw Failure(
        .config, .notFound, "there is no token of the daemon in \(folder)",
        hint: isStore
          ? "start 'almanacd' once with the same --store; it makes the token"
          : "start 'almanacd' on this machine; where it has --state DIR, name DIR with --state or ALMANAC_STATE",
        path: path)
    }
    let bytes = try InputFile(path: path).read()
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  private func denied(_ path: String) -> Failure {
    var status = stat()
    let owner = stat(folder, &status) == 0 ? getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) } : nil
    let other: Advice = isStore ? "" : ", or name the folder of another daemon with --state or ALMANAC_STATE"
    return Failure(
      .config, .denied, "the token of the daemon cannot be read by this user", number: EACCES,
      hint: "run the command as the user of the daemon, \(owner ?? "who owns \(folder)"), with sudo -u\(other)",
      path: path)
  }
}
