import Models
public import Ports
import Synchronization

/// Keeps every exchange, and writes them as HAR 1.2 that `HARTransport` and other HAR tools read.
///
/// Belongs innermost, around the transport, so that each try and each redirect is an entry of its own. Keys, tokens,
/// cookies and Authorization are masked, also where an answer repeats them; a broken exchange is kept as a `_fault`
/// with the error beside it.
public final class HARRecorder: HTTPMiddleware {
  private let coder: any RecordCoder
  private let time: any TimeSource
  private let redaction: Redaction
  private let secrets: [String]
  private let program: (name: String, version: String)
  private let entries = Mutex<[JSONValue]>([])

  /// Makes the middleware.
  ///
  /// - Parameters:
  ///   - coder: writes JSON.
  ///   - time: the clock.
  ///   - secrets: keys and tokens in use, masked wherever they stand.
  ///   - program: name and version for the recording's `creator`.
  public init(
    coder: any RecordCoder, time: any TimeSource, secrets: [String] = [], program: (name: String, version: String)
  ) {
    self.coder = coder
    self.time = time
    self.secrets = secrets
    redaction = Redaction(secrets: secrets)
    self.program = program
  }

  /// Passes the request on and keeps the exchange.
  ///
  /// - Throws: what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let started = time.now
    let start = time.uptime
    do {
      let response = try await next(request)
      let milliseconds = (time.uptime - start).microseconds / 1000
      keep(HARWriter(redaction(for: request)).entry(request, .success(response), started, milliseconds))
      return response
    } catch {
      let milliseconds = (time.uptime - start).microseconds / 1000
      if error.code != .cancelled {
        keep(HARWriter(redaction(for: request)).entry(request, .failure(error), started, milliseconds))
      }
      throw error
    }
  }

  // What the request carries as a secret is masked in its answer too, although nobody named it.
  private func redaction(for request: HTTPRequest) -> Redaction {
    var found = secrets
    for field in request.headers.fields where Redaction.isSecretHeader(field.name) {
      found.append(field.value)
      found += field.value.split(separator: " ").map(String.init)
    }
    for parameter in WebAddress(request.url)?.parameters ?? [] where Redaction.isSecretParameter(parameter.name) {
      found.append(parameter.value)
    }
    return found.count == secrets.count ? redaction : Redaction(secrets: found)
  }

  private func keep(_ entry: JSONValue) { entries.withLock { $0.append(entry) } }

  /// The recording so far, as the bytes of a HAR file.
  public func recording() -> [UInt8] {
    let log: JSONObject = [
      "version": "1.2",
      "creator": .object(["name": .string(program.name), "version": .string(program.version)]),
      "entries": .array(entries.withLock { $0 }),
    ]
    return coder.encode(["log": .object(log)] as JSONObject)
  }
}
