import Models
import Ports

struct RemoteGroup: UpdatableRemote {
  var place: RemoteCard

  func read(_ id: String) async throws(SourceError) -> RemoteRecord { try await fetch(id).record }

  private func fetch(_ id: String) async throws(SourceError) -> RemoteCard.Resource {
    let gone = SourceError.meant(
      .missing, said: APIFailure(.gone, "the card was removed at the server"), url: place.url)
    let card: FetchedCard
    switch try await place.client.cards([place.path], of: place.cards.path, read: { $0 }).first {
    case .card(let found)?: card = found
    case .refused(_, let error)?: throw error
    case nil:
      try await place.checkBook()
      throw gone
    }
    let content = place.cards.content(of: card, place.contacts)
    guard let index = content.groups.indices.first(where: { place.cards.groupID(of: card.path, $0).exact == id.exact })
    else { throw gone }
    let change = place.cards.change(content.groups[index], of: content, at: index)
    return RemoteCard.Resource(
      record: RemoteRecord(change.fields, base: change.fields, sourceState: change.sourceState), whole: card,
      card: content.groups[index].card, isShared: content.isShared)
  }

  /// Writes the members that were added and the name, and takes away the others, in the card as the server has it now.
  func write(
    _ edit: JSONObject, on known: JSONObject, id: String, ifMatch etag: String?
  ) async throws(SourceError) -> UpdateAnswer {
    let resource = try await fetch(id)
    if let refusal = place.refusal(of: resource, ifMatch: etag) { return .preconditionFailed(refusal) }
    guard let group = try? PersonGroup(fields: resource.record.fields.applying(edit: edit)),
      let bytes = place.contacts.changed(resource.card, to: group, at: place.now)
    else { throw .refused(message: "the card at \(place.url) cannot be changed") }
    if let refusal = try await place.replace(resource, with: bytes) { return .preconditionFailed(refusal) }
    let written = try await fetch(id)
    var stored = written.record
    stored.sourceState?.entityTag = nil
    place.note(bytes, written.card, in: &stored)
    return .accepted(stored)
  }

  func remove(_ id: String, ifMatch etag: String?) async throws(SourceError) -> RemovalAnswer {
    try await place.remove(ifMatch: etag) { () async throws(SourceError) in try await fetch(id) }
  }

  /// - Parameters: as of `RemoteCard.create`.
  func create(_ fields: JSONObject, isNew: Bool, mayBeThere: Bool) async throws(SourceError) -> PushOutcome {
    guard let group = try? PersonGroup(fields: fields) else { throw .refused(message: "the group cannot be sent") }
    let uid = String(DAVAddress.name(place.path).dropLast(4))
    let bytes = place.contacts.newCard(of: group, uid: uid, at: place.now)
    if mayBeThere, let owner = try await place.owner(of: uid) { return try await created(at: owner.path, bytes) }
    let response = try await place.putNew(bytes)
    switch place.client.meaning(of: response) {
    case .http(.success), .http(.preconditionFailed), .duplicateUID: break
    default: throw place.error(response)
    }
    do throws(SourceError) {
      let path = response.isSuccess ? place.place(response) ?? place.path : place.path
      return try await created(at: path, bytes, isOurs: response.isSuccess || isNew)
    } catch {
      guard error.isNotFound else { throw error }
      // The server gave the card another name and does not say which, or it refuses the content.
      guard let owner = try await place.owner(of: uid) else {
        throw response.isSuccess ? error : place.refusal(response)
      }
      return try await created(at: owner.path, bytes)
    }
  }

  /// The new card as it is stored.
  ///
  /// - Parameter isOurs: whether it is the one that was sent.
  private func created(at path: String, _ sent: [UInt8], isOurs: Bool = true) async throws(SourceError) -> PushOutcome {
    var made = self
    made.place.path = path
    let id = place.cards.groupID(of: path)
    let written = try await made.fetch(id)
    var stored = written.record
    guard isOurs else { return .remoteIsNewer(stored) }
    stored.sourceState?.entityTag = nil
    stored.newID = id
    place.note(sent, written.card, in: &stored)
    return .accepted(stored)
  }
}

extension BookCards {
  /// The id of a group, which is the same in every store: the one in the name of a card that this account created.
  ///
  /// - Parameter place: the place among the groups of the resource.
  func groupID(of path: String, _ place: Int = 0) -> String {
    for key in place == 0 ? [key] + previousBooks : [] { if let named = namedID(of: path, key) { return named } }
    return "g-" + StableHash.digest([server, DAVAddress.decoded(path)] + (place == 0 ? [] : ["\(place)"]))
  }

  /// The stored groups of the book: the ids, the paths without escapes, and the entity tags.
  func groups(
    in reader: some RecordReader, _ edits: any PendingEdits
  ) throws(StoreError) -> [ExactString: [(id: String, tag: String?)]] {
    var groups: [ExactString: [(id: String, tag: String?)]] = [:]
    try edits.eachRemoteCopy(of: .groups, in: reader) { (id, copy) throws(StoreError) in
      let card = CardState(copy.sourceState)
      if card.isIn(key) { groups[card.path.exact, default: []].append((id, card.tag)) }
    }
    return groups
  }

  func change(_ group: ContactGroup, of content: Content, at place: Int) -> PulledChange {
    let record = PersonGroup(
      id: groupID(of: content.path, place), name: group.name, members: group.members, origin: follow)
    return PulledChange(record, .replace, base: record.fields, sourceState: sourceState(of: group.card, in: content))
  }
}

/// What the cards of people and of groups have in common.
extension RemoteCard {
  var url: String { client.start.at(path).url }

  /// Why a resource that was read may not be changed: it has another entity tag. `nil` if it may.
  func refusal(of resource: Resource, ifMatch etag: String?) -> SourceError? {
    guard let etag, resource.whole.tag?.exact != etag.exact else { return nil }
    return .meant(.changed, said: APIFailure(.changed, "the card changed"), url: url)
  }

  /// Replaces the card in its resource, and keeps the other cards.
  ///
  /// - Returns: the error of a server that has another version.
  func replace(_ resource: Resource, with card: [UInt8]) async throws(SourceError) -> SourceError? {
    let response = try await put(resource, with: card)
    switch client.meaning(of: response) {
    case .http(.success): return nil
    case .http(.conflict), .http(.preconditionFailed), .duplicateUID:
      if !client.format.conditions(response.body).isEmpty { throw refusal(response) }
      return client.error(response)
    default: throw error(response)
    }
  }
}
