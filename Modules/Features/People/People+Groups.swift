public import Models
import Ports

extension People {
  /// The groups of people. O(n) for n people, whose cards are read only if a group has a card of its own.
  public func groups() throws(Failure) -> PeopleGroups {
    try Failure.from { () throws(StoreError) in
      let snapshot = try store.snapshot()
      var (people, groups): ([Person], [PersonGroup]) = ([], [])
      try snapshot.scan(Person.self, .all, coder) { (person) throws(StoreError) in
        people.append(person)
        return .next
      }
      try snapshot.scan(PersonGroup.self, .all, coder) { (group) throws(StoreError) in
        groups.append(group)
        return .next
      }
      let cards = groups.isEmpty ? [:] : try StoredCard.all(in: snapshot, coder)
      return PeopleGroups(people, groups: groups, uids: cards.compactMapValues { contactFormat.uid(of: $0.bytes) })
    }
  }
}
