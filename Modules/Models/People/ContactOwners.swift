/// Finds out whose the mail addresses and phone numbers of some people are, among many others who are seen one by one.
public struct ContactOwners: Sendable {
  /// The keys of mail addresses, and the ends of phone numbers, that are looked for, and who has them.
  private var owners: [ExactString: [(phone: [UInt8], person: Person)]] = [:]

  /// - Parameter wanted: the details of those whose addresses and numbers are looked for.
  public init(of wanted: some Sequence<ContactDetails>) {
    for key in wanted.lazy.flatMap({ Self.keys(of: $0) }) { owners[key.key] = [] }
  }

  public mutating func see(_ person: Person) {
    guard !owners.isEmpty else { return }
    for key in Self.keys(of: person.details) where owners[key.key] != nil {
      owners[key.key]?.append((key.phone, person))
    }
  }

  /// The first address or number that somebody has, with that person; `nil` also where people of several names have it: then it
  /// is one of a family or a company, and tells nobody.
  public func owner(of details: ContactDetails) -> (contact: String, isPhone: Bool, person: Person)? {
    for key in Self.keys(of: details) {
      let found = (owners[key.key] ?? []).filter { ContactDetails.areEqual($0.phone, key.phone) }
      guard let first = found.first, found.allSatisfy({ $0.person.fullName == first.person.fullName }) else { continue }
      return (key.contact, !key.phone.isEmpty, first.person)
    }
    return nil
  }

  private static func keys(of details: ContactDetails) -> [(key: ExactString, phone: [UInt8], contact: String)] {
    details.phones.compactMap { phone in
      guard let digits = ContactDetails.phoneKey(phone.value).map(ContactDetails.significant), !digits.isEmpty else {
        return nil
      }
      return (String(decoding: digits.suffix(7), as: UTF8.self).exact, digits, phone.value)
    } + details.emails.map { (ContactDetails.mailKey($0.value), [], $0.value) }
  }
}
