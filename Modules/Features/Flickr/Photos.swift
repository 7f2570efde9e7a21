public import Models
public import Ports

/// Lists the photos of the store with the names of their owners.
public struct Photos: PhotoService {
  let store: any RecordStore
  let coder: any RecordCoder
  let suggestions: Suggestions
  let listed: Listed

  /// The ids of the photos that a follow lists; `nil` where that is not known.
  public typealias Listed =
    @Sendable (_ follow: String, _ snapshot: any StoreSnapshot) throws(StoreError) -> Set<ExactString>?

  /// - Parameter listed: which photos a follow lists.
  public init(
    store: any RecordStore, coder: any RecordCoder, suggestions: Suggestions = Suggestions(),
    listed: @escaping Listed = { (_, _) throws(StoreError) in nil }
  ) {
    (self.suggestions, self.listed, self.store, self.coder) = (suggestions, listed, store, coder)
  }

  /// Photos, newest first by the time of posting (of taking where that is unknown), then by id.
  ///
  /// O(n log n) for n photos, of which the times and ids are held. Each is read again when it is handed out, from the
  /// same state of the store.
  @discardableResult
  public func photos(_ query: PhotoQuery, _ body: (PhotoListing) -> ScanStep) throws(Failure) -> Int {
    let (owner, wanted) = (query.owner, query.owner?.lowercased())
    var missing: Failure?
    var total = 0
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      var owners = KnownOwners(snapshot: snapshot, coder: coder)
      var places: [Place] = []
      var ids: Set<ExactString>?
      if let follow = query.follow {
        ids = try listed(follow, snapshot)
        if ids == nil { missing = unlisted(follow) }
      }
      try snapshot.scan(Photo.self, .all, coder) { (photo) throws(StoreError) -> ScanStep in
        if missing != nil { return .stop }
        if let ids, !ids.contains(photo.id.exact) { return .next }
        if let wanted, photo.ownerID.lowercased() != wanted {
          guard try owners.owner(photo.ownerID)?.username.lowercased() == wanted else { return .next }
        }
        places.append(Place(time: photo.postedAt ?? photo.takenAt, id: photo.id))
        return .next
      }
      if let owner, places.isEmpty, missing == nil { missing = try unknown(owner, in: snapshot) }
      places.sort { $0.precedes($1) }
      total = places.count
      if let after = query.after {
        if let place = places.firstIndex(where: { $0.id.exact == after.exact }) {
          places.removeFirst(place + 1)
        } else {
          missing = missing ?? misplaced(after)
        }
      }
      if missing != nil { places = [] }
      for place in places.prefix(max(0, query.limit ?? .max)) {
        guard let photo = try snapshot.record(Photo.self, place.id, coder) else { continue }
        let known = try owners.owner(photo.ownerID)
        let listing = PhotoListing(photo: photo, owner: known?.username ?? photo.ownerID, iconURL: known?.iconURL)
        if body(listing) == .stop { return total }
      }
    } catch {
      throw error.failure
    }
    if let missing { throw missing }
    return total
  }

  private func unlisted(_ follow: String) -> Failure {
    Failure(
      .store, .notFound, "it is not known which photos '\(follow)' lists",
      hint: "name a follow of photos; its list is known after its next complete sync", code: .own(.notListed))
  }

  private func misplaced(_ id: String) -> Failure {
    Failure(.config, .usage, "'\(id)' is not a photo of this list", hint: "begin without it", code: .own(.badCursor))
  }

  /// Why there are no photos of an owner: nobody is called so. `nil` where somebody is.
  private func unknown(_ name: String, in snapshot: any StoreSnapshot) throws(StoreError) -> Failure? {
    var names: [String] = []
    var isKnown = false
    try snapshot.scan(Owner.self, .all, coder) { (owner) throws(StoreError) -> ScanStep in
      isKnown = [owner.id, owner.username].contains { $0.lowercased() == name.lowercased() }
      names.append(owner.username)
      return isKnown ? .stop : .next
    }
    if isKnown { return nil }
    let nearest = NearestName.question(name, among: names)
    let some = names.sorted().prefix(Self.mostNamed).joined(separator: ", ")
    let more: Advice =
      names.count > Self.mostNamed ? ", and \(names.count - Self.mostNamed) more: \(suggestions(.listOwners))" : ""
    return Failure(
      .store, .notFound, "there is no photo of '\(name)', and no such owner",
      hint: names.isEmpty ? "no owner is known yet" : "\(nearest)the owners are \(some)\(more)", code: .own(.notFound))
  }

  /// How many owners a failure names.
  private static let mostNamed = 10

  /// Where a photo comes in the list.
  private struct Place {
    let time: Timestamp?
    let id: String

    func precedes(_ other: Place) -> Bool {
      guard time == other.time else {
        guard let left = time, let right = other.time else { return time != nil }
        return left > right
      }
      return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
  }

  /// The owners that were looked up last.
  private struct KnownOwners {
    let snapshot: any StoreSnapshot
    let coder: any RecordCoder
    private var owners: [ExactString: Owner?] = [:]

    /// How many are held: photos of one owner mostly come together.
    private static let most = 2048

    init(snapshot: any StoreSnapshot, coder: any RecordCoder) {
      (self.snapshot, self.coder) = (snapshot, coder)
    }

    mutating func owner(_ id: String) throws(StoreError) -> Owner? {
      if let known = owners[id.exact] { return known }
      let owner = try snapshot.record(Owner.self, id, coder)
      if owners.count >= Self.most { owners.removeAll(keepingCapacity: true) }
      owners[id.exact] = .some(owner)
      return owner
    }
  }
}
