import Parsing
import Ports
import Testing

@Suite struct WebDAVXMLTests {
  private let format = WebDAVXML()

  @Test func requestsAreWritten() {
    func text(_ query: WebDAVQuery) -> String { String(decoding: format.body(of: query), as: UTF8.self) }
    #expect(
      text(.properties([.entityTag, .collectionTag])).contains(
        #"<a:propfind xmlns:a="DAV:" xmlns:b="http://calendarserver.org/ns/"><a:prop><a:getetag/><b:getctag/></a:prop>"#
      ))
    #expect(
      text(.changes(since: "a&b")).contains(
        "<a:sync-token>a&amp;b</a:sync-token><a:sync-level>1</a:sync-level><a:prop><a:getetag/></a:prop>"))
    #expect(text(.cards(["/x&y.vcf"])).contains("<b:getetag/><a:address-data/></b:prop><b:href>/x&amp;y.vcf</b:href>"))
  }

  @Test func aMultistatusIsRead() throws {
    let answer = try format.multistatus(
      Array(
        """
        <?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">
        <d:response><d:href> /a/ </d:href><d:propstat><d:prop><d:resourcetype><d:collection/><C:addressbook/>
        </d:resourcetype><d:displayname>A &amp; B</d:displayname><d:current-user-privilege-set><d:privilege><d:read/>
        </d:privilege><d:privilege><d:write/></d:privilege></d:current-user-privilege-set></d:prop>
        <d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:getetag>"x"</d:getetag></d:prop>
        <d:status>HTTP/1.1 404 Not Found</d:status></d:propstat></d:response>
        <d:response><d:href>/a/1</d:href><d:href>/a/2</d:href><d:status>HTTP/1.1 404 Gone</d:status></d:response>
        <d:response><d:href>/a/3</d:href><d:propstat><d:prop><d:getetag>W/"3"</d:getetag><C:address-data><![CDATA[BEGIN
        END]]></C:address-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        <d:sync-token>token</d:sync-token></d:multistatus>
        """.utf8))
    #expect(answer.syncToken == "token" && answer.resources.map(\.href) == ["/a/", "/a/1", "/a/2", "/a/3"])
    let book = answer.resources[0]
    #expect(book.isAddressBook && book.displayName == "A & B" && book.privileges == ["read", "write"])
    #expect(book.entityTag == nil && book.status == nil)
    #expect(answer.resources[1].status == 404 && answer.resources[2].status == 404)
    #expect(answer.resources[3].entityTag == "W/\"3\"" && answer.resources[3].card == Array("BEGIN\nEND".utf8))
  }

  @Test func calendarsAreAskedForAndRead() throws {
    #expect(
      String(decoding: format.body(of: .events(uidContaining: "@a&b")), as: UTF8.self).contains(
        #"""
        <a:calendar-query xmlns:a="urn:ietf:params:xml:ns:caldav" xmlns:b="DAV:"><b:prop><b:getetag/><a:calendar-data/>\#
        </b:prop><a:filter><a:comp-filter name="VCALENDAR"><a:comp-filter name="VEVENT"><a:prop-filter name="UID">\#
        <a:text-match collation="i;octet">@a&amp;b</a:text-match></a:prop-filter></a:comp-filter></a:comp-filter>\#
        </a:filter></a:calendar-query>
        """#))
    let answer = try format.multistatus(
      Array(
        """
        <d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/a/</d:href><d:propstat>
        <d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype><c:supported-calendar-component-set>
        <c:comp name="VEVENT"/><c:comp name="VTODO"/></c:supported-calendar-component-set>
        <c:calendar-home-set><d:href>/h/</d:href></c:calendar-home-set></d:prop><d:status>HTTP/1.1 200 OK</d:status>
        </d:propstat></d:response><d:response><d:href>/a/1</d:href><d:propstat><d:prop>
        <c:calendar-data>BEGIN:&lt;</c:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        </d:multistatus>
        """.utf8))
    let calendar = answer.resources[0]
    #expect(calendar.isCalendar && !calendar.isAddressBook && calendar.components == ["VEVENT", "VTODO"])
    #expect(calendar.homes == ["/h/"] && answer.resources[1].components == nil)
    #expect(answer.resources[1].calendarObject == Array("BEGIN:<".utf8))
  }

  @Test func otherBodiesAreErrors() {
    for body in ["", "<html/>", "<a xmlns='DAV:'/>", "<multistatus/>", "<multistatus xmlns='DAV:'>", "{}"] {
      #expect(throws: ParsingError.self, "\(body)") { try format.multistatus(Array(body.utf8)) }
    }
  }

  @Test func conditionsOfErrorsAreNamed() {
    func names(_ body: String) -> [String] { format.conditions(Array(body.utf8)) }
    #expect(names("<D:error xmlns:D='DAV:'><D:valid-sync-token/></D:error>") == ["valid-sync-token"])
    #expect(names("<error xmlns='DAV:'><need-privileges><resource/></need-privileges></error>") == ["need-privileges"])
    #expect(names("Forbidden").isEmpty && names("<error/>").isEmpty)
  }
}
