import Models
import Ports

/// What CardDAV and CalDAV have in common with other names: accounts with collections that a well-known path leads to
/// (RFC 6764).
struct DAVService: Sendable {
  /// The source whose accounts these are.
  let source: SourceName
  /// The name that servers use for it.
  let protocolName: String
  let item: String
  /// The well-known path (RFC 6764 section 5).
  let wellKnown: String
  /// The property of a principal that names the places of its collections.
  let homes: WebDAVProperty
  /// The properties that describe a collection.
  let properties: [WebDAVProperty]
  /// Whether a resource is such a collection.
  let isCollection: @Sendable (WebDAVResource) -> Bool

  /// Address books (RFC 6352).
  static let contacts = DAVService(
    source: .cardDAV, protocolName: "CardDAV", item: "address book", wellKnown: "/.well-known/carddav",
    homes: .addressBookHomes, properties: [.types, .displayName, .privileges], isCollection: \.isAddressBook)

  /// Calendars that take events (RFC 4791). Without a list of components, a calendar takes all (section 5.2.3).
  static let calendars = DAVService(
    source: .calDAV, protocolName: "CalDAV", item: "calendar", wellKnown: "/.well-known/caldav",
    homes: .calendarHomes, properties: [.types, .displayName, .privileges, .calendarComponents],
    isCollection: { $0.isCalendar && $0.components?.contains("VEVENT") != false })

  func setting(_ account: String) -> String { "servers.\(source).accounts.\(account)" }
}
