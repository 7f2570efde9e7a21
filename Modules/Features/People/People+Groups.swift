public import Models
import Ports

extension People {
  /// The groups of people. O(n) for n people, whose cards are read only if some are of an address book.
  public func groups() throws(Failure) -> PeopleGroups {
    try store.read { (snapshot) throws(StoreError) in
      let (people, groups) = (try snapshot.all(Person.self, coder), try snapshot.all(PersonGroup.self, coder))
      let hasBooks = people.contains { ($0.origin ?? Person.imported) != Person.imported }
      let cards = hasBooks ? try StoredCard.all(in: snapshot, coder) : [:]
      return PeopleGroups(people, groups: groups, uids: cards.compactMapValues { contactFormat.uid(of: $0.bytes) })
    }
  }
}
