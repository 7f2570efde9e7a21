import Models
import Ports

/// Keys for people: ids for those who come from a server, and marks for those who were removed.
enum PersonKey {
  /// The id of a person who came from a server: `r-` and the server's id where that is short and plain, otherwise
  /// `h-` and a hash of it; the hash of the identity where the server gives no id. The same person always gets the
  /// same id, also in another store.
  ///
  /// - Parameter attempt: from 1; a later one gives another id, in case another person has the earlier ones: a person
  ///   whose id comes from a name that changed since, for instance.
  static func localID(of remote: RemotePerson, _ attempt: Int = 1) -> String {
    let suffix = attempt == 1 ? [] : [String(attempt)]
    guard let remoteID = remote.remoteID else { return "h-\(hash(["identity"] + remote.identity + suffix))" }
    return isPlain(remoteID) && attempt == 1 ? "r-\(remoteID)" : "h-\(hash(["id", remoteID] + suffix))"
  }

  /// The mark in `state` that a server's person was removed here and does not come back.
  static func removed(remoteID: String) -> String {
    isPlain(remoteID) ? "removed/people/\(remoteID)" : "removed/people/~\(hash(["id", remoteID]))"
  }

  /// The same for a person whose id on the server is not known.
  static func removed(identity: [String]) -> String { "removed/people/~\(hash(["identity"] + identity))" }

  /// First name and birthday, to find a person whose last name changed; `nil` where they are not enough.
  static func withoutLastName(_ person: RemotePerson) -> [String]? {
    person.firstName.isEmpty ? nil : [person.firstName, person.birthday.description]
  }

  /// Both names, to find a person whose birthday was corrected or is not known here.
  static func withoutBirthday(_ person: RemotePerson) -> [String]? { [person.firstName, person.lastName] }

  /// Last name and birthday, to find a person whose first name changed; `nil` where they are not enough.
  static func withoutFirstName(_ person: RemotePerson) -> [String]? {
    person.lastName.isEmpty ? nil : [person.lastName, person.birthday.description]
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

  /// 128 bits as 32 hexadecimal digits. They need not withstand an attacker: a server that wants to confuse its own
  /// people can do so anyway.
  private static func hash(_ texts: [String]) -> String {
    var halves = [StableHash(), StableHash(offset: 0x6C62_272E_07BB_0142)]
    for text in texts {
      for index in halves.indices { halves[index].combine(text) }
    }
    return halves.map(\.hex).joined()
  }
}

/// What is remembered of the server's copy of a person.
enum PersonMemory {
  /// The member that says that the person was sent and has not been on the server's list yet, so that a list that lags
  /// behind removes nobody.
  static let isUnlisted = "unlisted"

  /// What is remembered of a person whom the server has.
  static func memory(isListed: Bool) -> JSONObject { isListed ? [:] : [isUnlisted: true] }

  /// The person as the server has it.
  static func base(of person: Person) -> JSONObject {
    // The server knows no full names, so one that was given here is not a difference.
    var base = person.fields
    base["fullName"] = nil
    return base
  }
}

extension RemotePerson {
  /// The person with the spaces around the names cut off.
  var trimmed: RemotePerson {
    RemotePerson(
      remoteID: remoteID, firstName: People.trimmed(firstName), lastName: People.trimmed(lastName), birthday: birthday)
  }

  /// What makes two people the same.
  var identity: [String] { [firstName, lastName, birthday.description] }

  /// The person as it is kept.
  func person(id: String) -> Person {
    Person(id: id, firstName: firstName, lastName: lastName, birthday: birthday, remoteID: remoteID)
  }
}
