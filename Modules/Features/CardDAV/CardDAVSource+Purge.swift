public import Models
public import Ports

extension CardDAVSource: PurgeableSource {
  /// The people and the groups of the address book: each names the book as the origin. O(n) for n people.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    var people: [RecordName] = []
    try reader.scan(Person.self, .all, coder) { person in
      if person.origin?.exact == follow.path.exact { people.append(.init(.people, person.id)) }
      return .next
    }
    try reader.scan(PersonGroup.self, .all, coder) { group in
      if group.origin.exact == follow.path.exact { people.append(.init(.groups, group.id)) }
      return .next
    }
    return people
  }
}
