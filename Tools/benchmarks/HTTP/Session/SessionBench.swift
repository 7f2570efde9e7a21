import HTTPBenchKit
import Ports
import URLSessionTransport

/// Measures `URLSessionTransport` like `http-bench` measures the others: `urlsession-bench URL REQUESTS CONCURRENCY`.
///
/// This is a program of its own, because linking FoundationNetworking loads curl and 25 other libraries into memory,
/// which the daemon, and therefore `http-bench`, does not.
@main
struct SessionBench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let requests = Int(arguments[1]), let concurrency = Int(arguments[2]) else {
      print("usage: urlsession-bench URL REQUESTS CONCURRENCY")
      return
    }
    let transport = URLSessionTransport()
    let url = arguments[0]
    try await Exchanges(name: "urlsession", requests: requests, concurrency: concurrency).measure { number in
      // The header prevents equal requests from being merged, because each one has to be sent.
      try await transport.send(HTTPRequest(.get, url, headers: ["X-Number": String(number)])).body.count
    }
  }
}
