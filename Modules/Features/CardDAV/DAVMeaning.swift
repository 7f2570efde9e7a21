import Ports

/// What a WebDAV server says with a status and with the conditions in its answer (RFC 4918 section 16).
enum DAVMeaning: Hashable, Sendable {
  /// What any server says.
  case http(HTTPStatus.Meaning)
  /// 423: another client has locked the resource (RFC 4918 section 11.3).
  case locked
  /// 507: there is no room (RFC 4918 section 11.5), or the answer was cut (RFC 6578 section 3.6).
  case full
  /// The token is not one of the changes that the server still knows (RFC 6578 section 3.2).
  case invalidToken
  /// Another card of the address book has the `UID` (RFC 6352 section 6.3.2.1).
  case duplicateUID

  init(_ status: HTTPStatus, _ conditions: [String] = []) {
    switch status {
    case _ where status.isSuccess: self = .http(.success)
    case _ where conditions.contains("valid-sync-token"): self = .invalidToken
    case _ where conditions.contains("no-uid-conflict"): self = .duplicateUID
    // With 403 (RFC 6352 section 6.3.2.1).
    case _ where conditions.contains("max-resource-size"): self = .http(.tooLarge)
    case 423: self = .locked
    case 507: self = .full
    default: self = .http(status.meaning)
    }
  }
}

extension DAVClient {
  func meaning(of response: HTTPResponse) -> DAVMeaning {
    DAVMeaning(response.status, response.isSuccess ? [] : format.conditions(response.body))
  }
}
