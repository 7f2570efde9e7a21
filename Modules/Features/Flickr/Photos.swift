public import Models
public import Ports

/// Lists the photos of the store with the names of their owners.
public struct Photos: PhotoService {
  let store: any RecordStore
  let coder: any RecordCoder

  /// A list over a store.
  public init(store: any RecordStore, coder: any RecordCoder) {
    self.store = store
    self.coder = coder
  }

  /// Photos, newest first by the time of posting (of taking where that is unknown), then by id.
  ///
  /// O(n log n) for n photos, all of which are held.
  public func photos(owner: String?) throws(Failure) -> [PhotoListing] {
    let wanted = owner?.lowercased()
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      var owners: [String: Owner?] = [:]
      var listings: [PhotoListing] = []
      try snapshot.scan(Photo.self, .all, coder) { (photo) throws(StoreError) -> ScanStep in
        if owners[photo.ownerID] == nil {
          owners[photo.ownerID] = .some(try snapshot.record(Owner.self, photo.ownerID, coder))
        }
        let known = owners[photo.ownerID] ?? nil
        let name = known?.username ?? photo.ownerID
        if let wanted, name.lowercased() != wanted, photo.ownerID.lowercased() != wanted { return .next }
        listings.append(PhotoListing(photo: photo, owner: name, iconURL: known?.iconURL))
        return .next
      }
      let dated = listings.map { (time: $0.photo.postedAt ?? $0.photo.takenAt, listing: $0) }
      return dated.sorted { lhs, rhs in
        guard lhs.time == rhs.time else {
          guard let left = lhs.time, let right = rhs.time else { return lhs.time != nil }
          return left > right
        }
        return lhs.listing.photo.id.utf8.lexicographicallyPrecedes(rhs.listing.photo.id.utf8)
      }.map(\.listing)
    } catch {
      throw error.failure
    }
  }
}
