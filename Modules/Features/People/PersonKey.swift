import Models
import Ports

/// Keys of people: ids for people from a server, and markers for removed people.
enum PersonKey {
  /// The id of a person from a server: `r-` and the server's id if it is short and plain, otherwise `h-` and a hash of it;
  /// without an id on the server, a hash of the identity. The same person has the same id in every store.
  ///
  /// - Parameter attempt: counts from 1. Each attempt returns another id, for the case that the earlier ones are in use,
  ///   for instance by a person whose name changed since.
  static func localID(of remote: RemotePerson, _ attempt: Int = 1) -> String {
    let suffix = attempt == 1 ? [] : [String(attempt)]
    guard let remoteID = remote.remoteID else { return "h-\(remote.evidence.identityHash(suffix))" }
    return isPlain(remoteID) && attempt == 1 ? "r-\(remoteID)" : "h-\(StableHash.digest(["id", remoteID] + suffix))"
  }

  /// The key in `state` of the marker that a person of the server was removed locally.
  static func removed(remoteID: String) -> StateKey {
    StateKey(.removed, isPlain(remoteID) ? "people/\(remoteID)" : "people/~\(StableHash.digest(["id", remoteID]))")
  }

  /// The same key for a person without a known id on the server.
  static func removed(identity person: PersonEvidence) -> StateKey {
    StateKey(.removed, "people/~\(person.identityHash())")
  }

  /// The key in `state` of what a file said of a person.
  ///
  /// - Parameter isOne: whether the person is one of several of the names and the birthday.
  static func imported(_ evidence: PersonEvidence, isOne: Bool = false) -> StateKey {
    StateKey(.imported, "people/~\(evidence.identityHash(isOne ? evidence.content : []))")
  }

  private static func isPlain(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x3A, 0x40: true
        default: false
        }
      }
  }
}

/// The markers in `state` of people who were removed locally while the server keeps them.
///
/// A person who is added again with the same names and birthday is linked to the markers, so that the person is not sent
/// to the server a second time.
enum RemovalMarker {
  static func fields(of person: Person) -> JSONObject {
    var fields: JSONObject = ["remoteID": .of(person.remoteID)]
    fields["identity"] = PersonEvidence(person).identityFields
    return fields
  }

  /// All markers. O(n) for n of them.
  static func all(
    in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) -> [(key: StateKey, fields: JSONObject)] {
    try reader.states(.removed, from: "people/", coder) { ($0, $1) }
  }

  static func link(
    _ person: Person, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let added = PersonEvidence(person)
    // Markers of earlier versions have no identity, but a key that is made of it.
    let key = PersonKey.removed(identity: added)
    for (id, marker) in try all(in: transaction, coder) where marker["person"] == nil {
      var matcher = PersonMatcher(.entry)
      if let removed = PersonEvidence(identity: marker["identity"]) { matcher.add(removed) }
      guard id == key || matcher.match(added) != .new else { continue }
      var linked = marker
      linked["person"] = .string(person.id)
      try transaction.setState(id, to: linked, coder)
    }
  }

  static func unlink(
    _ person: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    for (id, marker) in try all(in: transaction, coder) where marker["person"]?.string?.exact == person.exact {
      var unlinked = marker
      unlinked["person"] = nil
      try transaction.setState(id, to: unlinked, coder)
    }
  }
}

/// The stored data about the server's copy of a person.
enum CopyState {
  /// The member that is set for a person who was sent and has not appeared in the server's list yet, so that an outdated
  /// list removes no one.
  private static let unlisted = "unlisted"

  static func fields(isListed: Bool) -> JSONObject { isListed ? [:] : [unlisted: true] }

  static func isListed(_ sourceState: JSONObject) -> Bool { sourceState[unlisted] == nil }

  static func base(of person: Person) -> JSONObject {
    // The server has no full names, so a local one is not a difference.
    var base = person.fields
    base["fullName"] = nil
    return base
  }
}

extension RemotePerson {
  var trimmed: RemotePerson {
    RemotePerson(remoteID: remoteID, firstName: firstName.trimmed, lastName: lastName.trimmed, birthday: birthday)
  }

  var evidence: PersonEvidence {
    PersonEvidence(remoteID: remoteID, firstName: firstName, lastName: lastName, birthday: birthday)
  }

  func person(id: String) -> Person {
    Person(id: id, firstName: firstName, lastName: lastName, birthday: birthday, remoteID: remoteID)
  }
}
