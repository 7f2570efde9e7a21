import Assembly
import AsyncHTTPTransport
import Models
import Ports

extension CompositionRoot {
  func dashboardLink() async throws(Failure) -> String {
    let base = try daemonURL()
    let token = try DaemonToken(folder: storePath).read()
    let client = AsyncHTTPTransport(.init(userAgent: invocation.userAgent))
    let outcome = await Self.askForLink(base, token, client)
    await client.shutdown()
    return try outcome.get()
  }

  /// Where the daemon of this store said that it listens, or where the config says so.
  private func daemonURL() throws(Failure) -> String {
    if let said = try DaemonPlace(folder: storePath, coder: coder).url() { return said }
    return "http://\(try loadSettings().daemon.listen ?? "127.0.0.1:7423")"
  }

  private static func askForLink(
    _ base: String, _ token: String, _ client: AsyncHTTPTransport
  ) async -> Result<String, Failure> {
    do throws(TransportError) {
      let response = try await client.send(
        HTTPRequest(
          .post, "\(base)/api/v1/login-codes",
          headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"], body: Array("{}".utf8)))
      guard response.isSuccess, let code = response.headers["X-Login-Code"] else {
        return .failure(
          Failure(
            .http, response.status == 401 ? .denied : .unavailable,
            "the daemon at \(base) answered \(response.status)",
            hint: "does it keep the same store? --store must name the daemon's"))
      }
      return .success("\(response.headers["X-Public-URL"] ?? base)/login?code=\(code)")
    } catch {
      return .failure(
        Failure(
          .transport, .unavailable, "no daemon answers at \(base): \(error.message)",
          hint: "start it with 'almanacd', or set daemon.listen in the config", url: base, retryable: true))
    }
  }
}
