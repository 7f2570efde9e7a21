import Foundation
import UpstreamKit

/// An upstream in this process and a raw client of it.
struct Played {
  let upstream: Upstream
  let client: RawClient

  init(_ change: (inout UpstreamOptions) -> Void = { _ in }) throws {
    var options = UpstreamOptions()
    change(&options)
    upstream = try Upstream(options)
    client = try RawClient(port: upstream.server.port)
  }

  /// Another connection, for after one that was reset.
  func another() throws -> RawClient {
    try RawClient(port: upstream.server.port)
  }

  /// The JSON object at an address, read by Foundation and not by the tool's own reader.
  func object(_ target: String) throws -> [String: Any] {
    try json(client.call("GET", target)) as? [String: Any] ?? [:]
  }

  func flickr(_ query: String) throws -> [String: Any] {
    try object("/services/rest/?api_key=k&format=json&nojsoncallback=1&method=flickr." + query)
  }
}

/// A response's body, read by Foundation.
func json(_ response: RawClient.Response) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(response.body), options: [.fragmentsAllowed])
}
