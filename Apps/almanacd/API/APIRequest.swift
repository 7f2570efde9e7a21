import Hummingbird
import Logging
import Models
import Ports

/// One request with its body, and the services that answer it.
struct APIRequest: Sendable {
  let request: Request
  /// The whole body; empty if there is none.
  let body: [UInt8]
  var services: DaemonServices
  /// What the commit that adds a record writes as well.
  var note: CommitNote?
  /// Logs what was done, with who asked: `call.log("token made", ["token": "phone"])`.
  let log: @Sendable (Logger.Message, Logger.Metadata) -> Void
  private let parameters: Parameters
  /// The parameters of the query that the address takes; `nil` for any.
  private let taken: [Parameter]?
  /// The parameters of the query in their order.
  private let parameterList: [(name: String, value: String)]

  init(
    _ request: Request, _ parameters: Parameters, taking taken: [Parameter]? = nil, body: [UInt8],
    services: DaemonServices, log: @escaping @Sendable (Logger.Message, Logger.Metadata) -> Void
  ) {
    self.request = request
    self.parameters = parameters
    self.taken = taken
    self.body = body
    self.services = services
    self.log = log
    parameterList = Self.parameterList(of: request)
  }

  func part(_ name: String) -> String { parameters.get(name).map { percentDecoded($0) } ?? "" }

  /// The rest of the path after that many segments, percent-decoded, including slashes.
  func rest(after parts: Int) -> String {
    let pieces = request.uri.path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: parts)
    return pieces.count > parts ? percentDecoded(Substring(pieces[parts])) : ""
  }

  /// The parameters of a query, decoded as forms write them, with `+` for a space (WHATWG URL, section 5.1).
  private static func parameterList(of request: Request) -> [(name: String, value: String)] {
    (request.uri.query ?? "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String(decoding: percentDecodedBytes($0, plusIsSpace: true), as: UTF8.self)
      }
      return (sides[0], sides.count > 1 ? sides[1] : "")
    }
  }

  func query(_ name: String) -> String? { parameterList.first { $0.name == name }?.value }

  /// Every value of a parameter that may be repeated.
  func queries(_ name: String) -> [String] { parameterList.filter { $0.name == name }.map(\.value) }

  /// A parameter of the query that is `true` or `false`; `false` where it is absent.
  ///
  /// - Throws: `Problem` with 400 where it is something else.
  func flag(_ name: String) throws(Problem) -> Bool {
    switch query(name) {
    case nil, "false": return false
    case "true": return true
    default: throw Problem(.badRequest, "\(name) takes true or false")
    }
  }

  /// Checks that the query has none but the parameters that the address takes: one that is spelled wrong would give another
  /// answer than was asked for.
  ///
  /// - Throws: `Problem` with 400.
  func checkQuery() throws(Problem) {
    guard let taken, !parameterList.isEmpty else { return }
    let names = taken.map(\.name).sorted()
    for parameter in taken
    where !parameter.isRepeatable && parameterList.count(where: { $0.name == parameter.name }) > 1 {
      throw Problem(
        .badRequest, "the parameter \(parameter.name) is there more than once", code: "repeated-parameter")
    }
    for (name, _) in parameterList where !names.contains(name) {
      let suggestion = NearestName.question(name, among: names)
      throw Problem(
        .badRequest, "unknown parameter '\(name)'",
        hint: names.isEmpty ? "this address takes none" : "\(suggestion)there are: \(names.joined(separator: ", "))",
        code: "no-parameter")
    }
  }

  /// A whole number of the query, in the range of the parameter.
  ///
  /// - Throws: `Problem` with 400 if it is not a number, or out of range.
  func number(_ name: String) throws(Problem) -> Int? {
    guard let text = query(name) else { return nil }
    let range = taken?.first { $0.name == name }?.range ?? 0...Int.max
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number) else {
      throw Problem(.badRequest, "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The body as an object with none but these members; an empty one where there is no body.
  ///
  /// - Throws: `Problem` with 400 where the body is not a JSON object, with 422 where it holds something else.
  func object(_ members: String...) throws(Problem) -> JSONObject {
    guard !body.isEmpty else { return [:] }
    let object = try anyObject()
    try object.check(members: members)
    return object
  }

  /// The body as an object with any members.
  ///
  /// - Throws: `Problem` with 400 where the body is not a JSON object, with 422 where it could not be kept as it was sent.
  func anyObject() throws(Problem) -> JSONObject {
    let object: JSONObject
    do throws(ParsingError) { object = try services.coder.decode(body) } catch {
      throw Problem(.badRequest, "the body is not a JSON object: \(error)")
    }
    do throws(ParsingError) { try services.coder.checkSent(body) } catch {
      throw Problem(.unprocessableContent, "the body cannot be taken as it is: \(error)")
    }
    return object
  }

  var form: SentForm {
    let type = request.headers[.contentType] ?? ""
    guard type.lowercased().hasPrefix(Route.Content.fileForm.rawValue) else { return SentForm(body) }
    return SentForm(parts: body, type)
  }
}

/// The context of a request, with its connection, which is closed when a client takes too long.
struct APIContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the other side of the connection; `nil` on a Unix socket.
  let peer: String?
  private let connectionTimeout: @Sendable (Int64) -> ConnectionTimer

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    let channel = source.channel
    peer = channel.remoteAddress?.ipAddress
    connectionTimeout = { seconds in
      let task = channel.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
      return ConnectionTimer { task.cancel() }
    }
  }

  /// Closes the connection after a while unless the answer is there before.
  func close(after seconds: Int64) -> ConnectionTimer { connectionTimeout(seconds) }
}

/// Closes a connection unless it is cancelled in time.
struct ConnectionTimer: Sendable {
  private let stop: @Sendable () -> Void

  init(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

  /// The connection stays.
  func cancel() { stop() }
}
