/// Flickr's error codes in words, for answers that bring a code alone.
///
/// Codes from 95 on are the same for every method (https://www.flickr.com/services/api/flickr.photos.search.html,
/// 'Error Codes'); lower ones are the method's own, and those of the methods that are used here are named.
enum FlickrFault {
  /// The message that came, or the code's meaning.
  static func message(_ code: String, given: String?) -> String {
    if let given { return given }
    return Int(code).flatMap { names[$0] } ?? "error \(code) without a message"
  }

  private static let names: [Int: String] = [
    0: "the service is not available",
    1: "not found",
    2: "unknown user",
    3: "a search needs at least one parameter",
    4: "no permission to view this",
    5: "the user was deleted",
    10: "the search is not available",
    95: "TLS is required",
    96: "invalid signature",
    97: "missing signature",
    98: "login failed, or an invalid token",
    99: "not logged in, or not allowed",
    100: "invalid API key",
    105: "the service is not available now",
    106: "the write failed",
    111: "the format was not found",
    112: "the method was not found",
    114: "an invalid SOAP envelope",
    115: "an invalid XML-RPC call",
    116: "a bad URL was found in a text",
  ]
}
