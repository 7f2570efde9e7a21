/// The contact card of a person as it was received, in the internal collection `cards` under the id of the person:
/// `{"id", "card", "read"}`, or `base64` instead of `card` if the card is not UTF-8.
public struct StoredCard: Hashable, Sendable {
  public var id: String
  /// The card from `BEGIN` to `END`.
  public var bytes: [UInt8]
  /// The card as it came, where the photo was changed here afterwards and is in `bytes`.
  public var original: [UInt8]?
  /// Whether the person has all that is read of the card now and was not edited since. Earlier versions read less.
  public var isRead = true

  /// What `read` is for a person who has everything. Raise it, and extend `completed`, when cards are read further.
  public static let reading = 2

  public init(id: String, bytes: [UInt8]) { (self.id, self.bytes) = (id, bytes) }

  public init?(fields: JSONObject) {
    guard let id = fields["id"]?.string,
      let bytes = fields["card"]?.string.map({ Array($0.utf8) }) ?? fields["base64"]?.string.flatMap(Base64.decoded)
    else { return nil }
    self.init(id: id, bytes: bytes)
    original = fields["original"]?.string.map { Array($0.utf8) }
    isRead = fields["read"]?.int == Self.reading
  }

  public var fields: JSONObject {
    let text = String(validating: bytes, as: UTF8.self)
    return [
      "id": .string(id), "card": .of(text), "base64": .of(text == nil ? Base64.encoded(bytes) : nil),
      "original": .of(original.flatMap { String(validating: $0, as: UTF8.self) }),
      "read": .of(isRead ? Self.reading : nil),
    ]
  }
}
