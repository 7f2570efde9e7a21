public import Ports

/// Writes WebDAV requests and reads multistatus responses, with the strict XML reader.
public struct WebDAVXML: WebDAVFormat {
  public init() {}

  public func body(of query: WebDAVQuery) -> [UInt8] {
    let root: XMLNode
    switch query {
    case .properties(let properties):
      root = XMLNode(DAV.dav, "propfind", [Self.list(properties)])
    case .changes(let token):
      root = XMLNode(
        DAV.dav, "sync-collection",
        [
          XMLNode(DAV.dav, "sync-token", text: token), XMLNode(DAV.dav, "sync-level", text: "1"),
          Self.list([.entityTag]),
        ])
    case .cards(let paths):
      root = XMLNode(
        DAV.card, "addressbook-multiget",
        [Self.list([.entityTag, .card])] + paths.map { XMLNode(DAV.dav, "href", text: $0) })
    case .cardsWithUIDs(let uids):
      // By default, a property that contains one of the texts matches.
      let matches = uids.map { XMLNode(DAV.card, "text-match", text: $0) }
      let uid = XMLNode(DAV.card, "prop-filter", matches, .init("name", "UID"))
      root = XMLNode(
        DAV.card, "addressbook-query", [Self.list([.entityTag, .card]), XMLNode(DAV.card, "filter", [uid])])
    case .events(let text):
      // Without the collation, servers compare letters in any case.
      let match = XMLNode(DAV.calendar, "text-match", text: text, .init("collation", "i;octet"))
      let uid = XMLNode(DAV.calendar, "prop-filter", [match], .init("name", "UID"))
      let events = XMLNode(DAV.calendar, "comp-filter", [uid], .init("name", "VEVENT"))
      let objects = XMLNode(DAV.calendar, "comp-filter", [events], .init("name", "VCALENDAR"))
      root = XMLNode(
        DAV.calendar, "calendar-query",
        [Self.list([.entityTag, .calendarObject]), XMLNode(DAV.calendar, "filter", [objects])])
    }
    return root.document
  }

  private static func list(_ properties: [WebDAVProperty]) -> XMLNode {
    XMLNode(DAV.dav, "prop", properties.map { XMLNode($0.name.namespace, $0.name.local) })
  }

  public func multistatus(_ body: [UInt8]) throws(ParsingError) -> WebDAVMultistatus {
    var reader = MultistatusReader(reader: try XMLReader(body))
    return try reader.read()
  }

  public func conditions(_ body: [UInt8]) -> [String] {
    do throws(ParsingError) {
      var reader = try XMLReader(body)
      guard try reader.root().name == XMLName(DAV.dav, "error") else { return [] }
      var names: [String] = []
      while let condition = try reader.child() {
        names.append(condition.name.local)
        try reader.skip()
      }
      return names
    } catch {
      return []
    }
  }
}

private enum DAV {
  static let dav = "DAV:"
  static let card = "urn:ietf:params:xml:ns:carddav"
  static let calendar = "urn:ietf:params:xml:ns:caldav"
  static let calendarServer = "http://calendarserver.org/ns/"
}

extension WebDAVProperty {
  fileprivate var name: XMLName {
    switch self {
    case .currentUserPrincipal: XMLName(DAV.dav, "current-user-principal")
    case .addressBookHomes: XMLName(DAV.card, "addressbook-home-set")
    case .calendarHomes: XMLName(DAV.calendar, "calendar-home-set")
    case .types: XMLName(DAV.dav, "resourcetype")
    case .displayName: XMLName(DAV.dav, "displayname")
    case .privileges: XMLName(DAV.dav, "current-user-privilege-set")
    case .syncToken: XMLName(DAV.dav, "sync-token")
    case .collectionTag: XMLName(DAV.calendarServer, "getctag")
    case .entityTag: XMLName(DAV.dav, "getetag")
    case .card: XMLName(DAV.card, "address-data")
    case .calendarComponents: XMLName(DAV.calendar, "supported-calendar-component-set")
    case .calendarObject: XMLName(DAV.calendar, "calendar-data")
    }
  }

  fileprivate static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}

private struct MultistatusReader {
  var reader: XMLReader

  mutating func read() throws(ParsingError) -> WebDAVMultistatus {
    let root = try reader.root().name
    guard root == XMLName(DAV.dav, "multistatus") else {
      throw reader.error(expected: "a multistatus of WebDAV", found: "the element \(root.local)")
    }
    var answer = WebDAVMultistatus()
    while let child = try reader.child() {
      switch child.name {
      case XMLName(DAV.dav, "response"): answer.resources += try response()
      case XMLName(DAV.dav, "sync-token"): answer.syncToken = Self.nonEmpty(try reader.text().trimmed)
      default: try reader.skip()
      }
    }
    try reader.end()
    return answer
  }

  /// The resources of a `response`: one, or several with one status.
  private mutating func response() throws(ParsingError) -> [WebDAVResource] {
    var hrefs: [String] = []
    var resource = WebDAVResource(href: "")
    while let child = try reader.child() {
      switch child.name {
      case XMLName(DAV.dav, "href"): hrefs.append(try reader.text().trimmed)
      case XMLName(DAV.dav, "status"): resource.status = Self.status(try reader.text().string)
      case XMLName(DAV.dav, "propstat"): try properties(of: &resource)
      default: try reader.skip()
      }
    }
    return hrefs.map { href in
      var one = resource
      one.href = href
      return one
    }
  }

  /// Reads a `propstat`. Its properties count only with a successful status.
  private mutating func properties(of resource: inout WebDAVResource) throws(ParsingError) {
    var found = resource
    var status: HTTPStatus?
    while let child = try reader.child() {
      switch child.name {
      case XMLName(DAV.dav, "status"): status = Self.status(try reader.text().string)
      case XMLName(DAV.dav, "prop"):
        while let property = try reader.child() { try read(property.name, into: &found) }
      default: try reader.skip()
      }
    }
    if let status, status.isSuccess { resource = found }
  }

  private mutating func read(_ name: XMLName, into resource: inout WebDAVResource) throws(ParsingError) {
    switch WebDAVProperty.byName[name] {
    case .currentUserPrincipal: resource.principal = try hrefs().first
    case .addressBookHomes, .calendarHomes: resource.homes = try hrefs()
    case .types:
      while let type = try reader.child() {
        if type.name == XMLName(DAV.card, "addressbook") { resource.isAddressBook = true }
        if type.name == XMLName(DAV.calendar, "calendar") { resource.isCalendar = true }
        try reader.skip()
      }
    case .displayName: resource.displayName = Self.nonEmpty(try reader.text().trimmed)
    case .privileges: resource.privileges = try privileges()
    case .syncToken: resource.syncToken = Self.nonEmpty(try reader.text().trimmed)
    case .collectionTag: resource.collectionTag = Self.nonEmpty(try reader.text().trimmed)
    case .entityTag: resource.entityTag = Self.nonEmpty(try reader.text().trimmed)
    case .card:
      let text = try reader.text()
      resource.card = text.bytes
      resource.hasForbiddenCharacters = text.forbidden != nil
    case .calendarObject: resource.calendarObject = try reader.text().bytes
    case .calendarComponents:
      var names: [String] = []
      while let component = try reader.child() {
        if component.name == XMLName(DAV.calendar, "comp") {
          names += component.attributes.filter { $0.name == XMLName("", "name") }.map(\.value)
        }
        try reader.skip()
      }
      resource.components = names
    case nil: try reader.skip()
    }
  }

  private mutating func hrefs() throws(ParsingError) -> [String] {
    var hrefs: [String] = []
    while let child = try reader.child() {
      if child.name == XMLName(DAV.dav, "href") {
        hrefs.append(try reader.text().trimmed)
      } else {
        try reader.skip()
      }
    }
    return hrefs.filter { !$0.isEmpty }
  }

  private mutating func privileges() throws(ParsingError) -> [String] {
    var names: [String] = []
    while try reader.child() != nil {
      while let privilege = try reader.child() {
        names.append(privilege.name.local)
        try reader.skip()
      }
    }
    return names
  }

  /// The code of `HTTP/1.1 200 OK`.
  private static func status(_ line: String) -> HTTPStatus? {
    line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { HTTPStatus($0) }
  }

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
