public import Models
public import Ports

extension FlickrSource: PurgeableSource {
  /// All photos if no other list of photos is followed: those of earlier pulls are in no list any more. A followed person is
  /// one owner. `nil` otherwise: the engine knows what the last pull listed.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    if let person = person(of: follow) {
      let owner = RecordName(.owners, person)
      return Array(try unneeded([owner], besides: others, in: reader))
    }
    guard others.allSatisfy({ person(of: $0) != nil }) else { return nil }
    return try reader.all(Photo.self, coder) { RecordName(.photos, $0.id) }
  }

  public func dependents(of records: [RecordName], in reader: any RecordReader) throws(StoreError) -> Set<RecordName> {
    var owners: Set<RecordName> = []
    for record in records where record.collection == .photos {
      if let photo = try reader.record(Photo.self, record.id, coder) { owners.insert(.init(.owners, photo.ownerID)) }
    }
    return owners
  }

  /// The owners who have no photo in the store, and whom nobody follows.
  public func unneeded(
    _ dependents: Set<RecordName>, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> Set<RecordName> {
    var owners = dependents
    for other in others { if let person = person(of: other) { owners.remove(.init(.owners, person)) } }
    try reader.scan(Photo.self, .all, coder) { photo in
      owners.remove(.init(.owners, photo.ownerID))
      return owners.isEmpty ? .stop : .next
    }
    return owners
  }

  private func person(of follow: Follow) -> String? {
    guard let checked = try? check(follow), case .person(let nsid) = FlickrQuery(checked.match) else { return nil }
    return nsid
  }
}
