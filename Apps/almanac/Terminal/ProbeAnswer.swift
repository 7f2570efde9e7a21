import Models
import Ports

/// What the answer to a request for a server's root says about requests for what is followed there.
enum ProbeAnswer {
  /// Looks at the status.
  ///
  /// A root that does not exist (404), or that cannot be asked by HEAD (405, 501), says nothing about other addresses.
  /// nginx answers 400 where it wants a client certificate.
  ///
  /// - Throws: `SourceError.http` where other requests would meet the same status.
  static func check(_ response: HTTPResponse, url: String) throws(SourceError) {
    switch response.status {
    case 501, ..<400: return
    case 400 where url.hasPrefix("https://"):
      throw .status(response, url: url, message: "it may ask for a client certificate")
    case 400, 401, 403, 407, 500...: throw .status(response, url: url)
    default: return
    }
  }
}
