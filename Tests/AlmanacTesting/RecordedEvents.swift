import Foundation
import Models
public import Ports
import Synchronization

public enum Recording {
  public struct Exchange {
    public var method: String
    public var url: String
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]
    /// A fault instead of the response.
    public var fault: String?

    /// Creates an exchange; by default a JSON response with 200.
    public init(
      method: String = "GET", url: String, status: Int = 200,
      headers: [String: String] = ["Content-Type": "application/json"], body: [UInt8] = [], fault: String? = nil
    ) {
      (self.method, self.url, self.status) = (method, url, status)
      (self.headers, self.body, self.fault) = (headers, body, fault)
    }

    public init(_ url: String, _ text: String, status: Int = 200, method: String = "GET") {
      self.init(method: method, url: url, status: status, body: Array(text.utf8))
    }
  }

  /// A HAR 1.2 file.
  public static func har(_ exchanges: [Exchange]) throws -> String {
    let entries: [[String: Any]] = exchanges.map { exchange in
      var entry: [String: Any] = [
        "startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "cache": [String: String](),
        "timings": ["send": 0, "wait": 1, "receive": 0],
        "request": [
          "method": exchange.method, "url": exchange.url, "httpVersion": "HTTP/1.1", "cookies": [String](),
          "headers": [String](), "queryString": [String](), "headersSize": -1, "bodySize": -1,
        ] as [String: Any],
        "response": [
          "status": exchange.status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [String](),
          "headers": exchange.headers.map { ["name": $0.key, "value": $0.value] }, "redirectURL": "",
          "headersSize": -1, "bodySize": -1,
          "content": [
            "size": exchange.body.count, "mimeType": exchange.headers["Content-Type"] ?? "",
            "text": Data(exchange.body).base64EncodedString(), "encoding": "base64",
          ] as [String: Any],
        ] as [String: Any],
      ]
      if let fault = exchange.fault { entry["_fault"] = fault }
      return entry
    }
    let log: [String: Any] = [
      "log": ["version": "1.2", "creator": ["name": "tests", "version": "1"], "entries": entries] as [String: Any]
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: log), as: UTF8.self)
  }
}

/// A transport without a network, which answers requests with a closure and records them.
public final class ScriptedTransport: HTTPTransport {
  private let answer: @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse
  private let sent = Mutex<[HTTPRequest]>([])

  /// Creates a transport that calls the closure with each request and its number, from 0.
  public init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse) {
    self.answer = answer
  }

  /// Creates a transport that returns the responses in order and then repeats the last one. Without any, every request is an
  /// error.
  public convenience init(_ responses: [HTTPResponse]) {
    self.init { (request: HTTPRequest, index: Int) throws(TransportError) -> HTTPResponse in
      guard let last = responses.last else {
        throw TransportError(.cannotConnect, "the ScriptedTransport has no response", url: request.url)
      }
      return index < responses.count ? responses[index] : last
    }
  }

  /// All requests that were sent, in order.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// Returns the next response.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "cancelled", requests: 0) }
    let index = sent.withLock {
      $0.append(request)
      return $0.count - 1
    }
    return try await answer(request, index)
  }
}
