/// Writes the bodies of WebDAV, CardDAV and CalDAV requests, and reads the responses (RFC 4918, RFC 6352, RFC 4791, RFC 6578).
public protocol WebDAVFormat: Sendable {
  func body(of query: WebDAVQuery) -> [UInt8]

  /// Reads a multistatus (RFC 4918 section 13). O(bytes).
  func multistatus(_ body: [UInt8]) throws(ParsingError) -> WebDAVMultistatus

  /// The local names of the conditions in the body of an error (RFC 4918 section 16): `valid-sync-token`,
  /// `need-privileges`. Empty if the body is not such an error.
  func conditions(_ body: [UInt8]) -> [String]
}

public enum WebDAVQuery: Hashable, Sendable {
  /// Properties of a resource, and of its members with `Depth: 1` (RFC 4918 section 14.20).
  case properties([WebDAVProperty])
  /// The members that changed since a token, with their entity tags (RFC 6578 section 6.1); all, for an empty token.
  case changes(since: String)
  /// Cards with their entity tags (RFC 6352 section 10.7).
  case cards([String])
  /// The cards of an address book whose `UID` contains one of these texts (RFC 6352 section 8.6).
  case cardsWithUIDs([String])
  /// The events of a calendar whose UID contains a text, with their entity tags (RFC 4791 section 7.8).
  case events(uidContaining: String)
}

public enum WebDAVProperty: String, Hashable, Sendable, CaseIterable {
  /// The principal of the user (RFC 5397 section 3).
  case currentUserPrincipal
  /// The collections with the address books of a principal (RFC 6352 section 7.1.1).
  case addressBookHomes
  /// The collections with the calendars of a principal (RFC 4791 section 6.2.1).
  case calendarHomes
  /// The types of a resource (RFC 4918 section 15.9).
  case types
  /// The name for users (RFC 4918 section 15.2).
  case displayName
  /// What the user may do (RFC 3744 section 5.5).
  case privileges
  /// The token of the current state of a collection (RFC 6578 section 4).
  case syncToken
  /// A tag that changes with every change of a collection; an extension of Calendar Server.
  case collectionTag
  /// The entity tag (RFC 4918 section 15.6).
  case entityTag
  /// The card (RFC 6352 section 10.4).
  case card
  /// The components that a calendar takes (RFC 4791 section 5.2.3).
  case calendarComponents
  /// The object of a calendar (RFC 4791 section 9.6).
  case calendarObject
}

public struct WebDAVMultistatus: Hashable, Sendable {
  public var resources: [WebDAVResource]
  public var syncToken: String?

  public init(resources: [WebDAVResource] = [], syncToken: String? = nil) {
    (self.resources, self.syncToken) = (resources, syncToken)
  }
}

/// What an answer says about one resource. Properties that the server did not find are missing.
public struct WebDAVResource: Hashable, Sendable {
  /// The address as the server wrote it: a URL or an absolute path.
  public var href: String
  /// The status of the resource as a whole; `nil` if the answer has properties instead.
  public var status: HTTPStatus?
  public var principal: String?
  /// The addresses of collections with address books, or with calendars.
  public var homes: [String] = []
  public var isAddressBook = false
  public var isCalendar = false
  /// The names of the components that a calendar takes: `VEVENT`; `nil` if the server did not list them.
  public var components: [String]?
  public var displayName: String?
  /// The local names of the privileges: `read`, `write`; `nil` if the server did not list them.
  public var privileges: [String]?
  public var syncToken: String?
  public var collectionTag: String?
  public var entityTag: String?
  public var card: [UInt8]?
  public var calendarObject: [UInt8]?
  /// Whether the card contains a character that XML does not allow, such as a control character.
  public var hasForbiddenCharacters = false

  public init(href: String, status: HTTPStatus? = nil) { (self.href, self.status) = (href, status) }
}
