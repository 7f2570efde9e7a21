import Models
import Ports

/// Moves the apps of stores of earlier versions, whose ids are the App Store's alone, to the storefronts.
///
/// Such a record goes to every storefront in whose charts the app was seen, and to the one of its page where it was
/// seen in none. It stays where neither is known. What a storefront knows of the app already stays as it is.
struct AppTakeover {
  let reader: any RecordReader
  let coder: any RecordCoder

  /// The changes that move them; none where all have a storefront, which takes one lookup. O(number of apps without
  /// one and of chart snapshots).
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func changes() throws(StoreError) -> [PulledChange] {
    let records = try bareRecords()
    guard !records.isEmpty else { return [] }
    let seen = try storefronts(of: Set(records.map(\.id.exact)))
    var changes: [PulledChange] = []
    for (id, fields) in records {
      var storefronts = seen[id.exact] ?? []
      if storefronts.isEmpty, let page = fields["url"]?.string.flatMap(Storefront.ofPage) { storefronts = [page.exact] }
      guard !storefronts.isEmpty else { continue }
      changes += storefronts.sorted().map(\.text).map { storefront in
        var moved: JSONObject = [
          "id": .string(App.id(storefront: storefront, appID: id)), "storefront": .string(storefront),
          "appID": .string(id),
        ]
        moved.members += fields.members.filter { moved[$0.key] == nil }
        return PulledChange(collection: .apps, id: App.id(storefront: storefront, appID: id), fields: moved, .insert)
      }
      changes.append(PulledChange(collection: .apps, id: id, fields: [:], .remove))
    }
    return changes
  }

  /// The records whose ids are digits, which sort before every storefront.
  private func bareRecords() throws(StoreError) -> [(id: String, fields: JSONObject)] {
    var records: [(id: String, fields: JSONObject)] = []
    try reader.scan(.apps, .all) { (bytes: RawSpan) throws(StoreError) -> ScanStep in
      let fields = try coder.object(bytes, of: .apps)
      guard let id = fields["id"]?.string, let first = id.utf8.first, first <= 0x39 else { return .stop }
      if id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { records.append((id, fields)) }
      return .next
    }
    return records
  }

  /// In which storefronts' charts the apps were seen.
  private func storefronts(of apps: Set<ExactString>) throws(StoreError) -> [ExactString: Set<ExactString>] {
    var seen: [ExactString: Set<ExactString>] = [:]
    try reader.scan(ChartSnapshot.self, .all, coder) { (snapshot) throws(StoreError) in
      for id in snapshot.ranks where apps.contains(id.exact) {
        seen[id.exact, default: []].insert(snapshot.storefront.exact)
      }
      return .next
    }
    return seen
  }
}

extension Storefront {
  /// The storefront of an app's page, `https://apps.apple.com/fr/app/…`.
  static func ofPage(_ url: String) -> String? {
    let parts = url.split(separator: "/")
    guard parts.count > 2, isKnown(String(parts[2])) else { return nil }
    return String(parts[2])
  }
}
