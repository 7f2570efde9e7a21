import HTTPBenchKit
import Ports
import URLSessionTransport

/// Measures `URLSessionTransport` as `http-bench` measures the others: `urlsession-bench URL REQUESTS CONCURRENCY`.
///
/// A program of its own: whoever links FoundationNetworking has curl and 25 libraries more in memory, and the daemon,
/// which `http-bench` stands for, does not.
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
      // The header keeps equal requests from being joined: each of them is to be made.
      try await transport.send(HTTPRequest(.get, url, headers: ["X-Number": String(number)])).body.count
    }
  }
}
