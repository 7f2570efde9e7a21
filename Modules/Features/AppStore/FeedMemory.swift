import Models
import Ports

/// The feed's validators, which hold for one address only.
struct FeedMemory: Equatable {
  /// What makes the next request conditional.
  var validator: HTTPValidator?
  private let url: String

  /// What an answer from `url` gave.
  init(url: String, _ validator: HTTPValidator?) {
    self.url = url
    self.validator = validator
  }

  /// What was remembered, if it was of the same address.
  init(_ memory: JSONObject, url: String) {
    self.url = url
    guard memory["url"] == .string(url) else { return }
    let validator = HTTPValidator(etag: memory["etag"]?.string, lastModified: memory["lastModified"]?.string)
    self.validator = validator == HTTPValidator() ? nil : validator
  }

  /// The memory as it is kept; empty where the server gave nothing.
  var fields: JSONObject {
    guard let validator else { return [:] }
    var fields: JSONObject = ["url": .string(url)]
    fields.append("etag", validator.etag)
    fields.append("lastModified", validator.lastModified)
    return fields
  }
}
