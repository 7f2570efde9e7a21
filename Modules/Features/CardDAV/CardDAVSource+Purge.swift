public import Models
public import Ports

extension CardDAVSource: PurgeableSource {
  /// The people and the groups of the address book: each names the book as the origin. O(n) for n people.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  public func records(
    of follow: Follow, besides others: [Follow], in reader: any RecordReader
  ) throws(StoreError) -> [RecordName]? {
    let people = try reader.all(Person.self, coder) { person in
      person.origin?.exact == follow.path.exact ? RecordName(.people, person.id) : nil
    }
    return try people
      + reader.all(PersonGroup.self, coder) { group in
        group.origin.exact == follow.path.exact ? RecordName(.groups, group.id) : nil
      }
  }
}
