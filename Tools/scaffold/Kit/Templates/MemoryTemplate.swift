/// `Modules/Features/…/…Memory.swift`: what a follow remembers from one pull to the next.
enum MemoryTemplate {
  static func text(_ source: NewSource) -> String {
    """
    import Models
    import Ports

    /// What is remembered of a follow: the answer's validators, which hold for one address only, and which records came.
    struct \(source.module)Memory: Equatable {
      /// What makes the next request conditional.
      var validator: HTTPValidator?
      /// The records that the last answer held.
      var ids: [String]
      private let url: String

      /// What an answer from `url` gave.
      init(url: String, _ validator: HTTPValidator?, ids: [String]) {
        self.url = url
        self.validator = validator
        self.ids = ids
      }

      /// What was remembered, if it was of the same address.
      init(_ memory: JSONObject, url: String) {
        self.url = url
        ids = (memory["ids"]?.array ?? []).compactMap(\\.string)
        guard memory["url"]?.string == url else { return }
        let validator = HTTPValidator(etag: memory["etag"]?.string, lastModified: memory["lastModified"]?.string)
        self.validator = validator == HTTPValidator() ? nil : validator
      }

      /// The memory as it is kept.
      var fields: JSONObject {
        var fields: JSONObject = ["url": .string(url)]
        fields.append("etag", validator?.etag)
        fields.append("lastModified", validator?.lastModified)
        fields.append("ids", .array(ids.map { .string($0) }))
        return fields
      }

      /// Whether every record is still here: a 304 is of use only then. O(records).
      func isHere(_ snapshot: any StoreSnapshot) throws(StoreError) -> Bool {
        for id in ids {
          guard try snapshot.record(.\(source.collectionCase), id) != nil else { return false }
        }
        return !ids.isEmpty
      }
    }

    """
  }
}
