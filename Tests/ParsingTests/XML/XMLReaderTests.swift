import Models
import Parsing
import Ports
import Testing

@Suite("XML: the reader and the writer")
struct XMLReaderTests {
  private static func error(_ document: String, limits: XMLReader.Limits = .init()) -> ParsingError? {
    do throws(ParsingError) {
      try XMLReader.check(Array(document.utf8), limits: limits)
      return nil
    } catch {
      return error
    }
  }

  private static func text(_ document: String) throws -> XMLText {
    var reader = try XMLReader(Array(document.utf8))
    _ = try reader.root()
    let text = try reader.text()
    try reader.end()
    return text
  }

  @Test("a response of a server, element by element")
  func multistatus() throws {
    let document = """
      <?xml version="1.0" encoding="UTF-8"?>
      <d:multistatus xmlns:d="DAV:" xmlns:card='urn:ietf:params:xml:ns:carddav'><!-- two -->
        <d:response><d:href>/ada/a%20b.vcf</d:href><d:propstat><d:prop><d:getetag>&quot;1&quot;</d:getetag>
          <card:address-data content-type="text/vcard">BEGIN:VCARD&#13;
      FN:A &amp; B<![CDATA[ <&]]>&#x1F600;</card:address-data></d:prop></d:propstat></d:response>
        <response xmlns="DAV:"><href>/c</href><href xmlns=""/></response>
      </d:multistatus>
      """
    var reader = try XMLReader(Array(document.utf8))
    #expect(try reader.root().name == XMLName("DAV:", "multistatus"))
    #expect(try reader.child()?.name == XMLName("DAV:", "response"))
    #expect(try reader.child()?.name == XMLName("DAV:", "href"))
    #expect(try reader.text().string == "/ada/a%20b.vcf")
    _ = try reader.child()
    _ = try reader.child()
    #expect(try reader.child()?.name.local == "getetag")
    #expect(try reader.text().string == "\"1\"")
    let data = try #require(try reader.child())
    #expect(data.name == XMLName("urn:ietf:params:xml:ns:carddav", "address-data"))
    #expect(data.attribute("content-type") == "text/vcard")
    #expect(try reader.text().string == "BEGIN:VCARD\r\nFN:A & B <&😀")
    for _ in 0..<3 { #expect(try reader.child() == nil) }
    #expect(try reader.child()?.name == XMLName("DAV:", "response"))
    #expect(try reader.child()?.name == XMLName("DAV:", "href"))
    try reader.skip()
    #expect(try reader.child()?.name == XMLName("", "href"))
    #expect(try reader.child() == nil)
    #expect(try reader.child() == nil)
    #expect(try reader.child() == nil)
    try reader.end()
  }

  @Test(
    "documents that are not well-formed, or that could harm",
    arguments: [
      // Entities and document types.
      ("<!DOCTYPE a><a/>", "/", "no document type declaration"),
      ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "/", "no document type declaration"),
      ("<a><!DOCTYPE a></a>", "/a", "no declaration inside an element"),
      ("<a>&nbsp;</a>", "/a", "one of the entities amp, lt, gt, quot and apos"),
      ("<a>a & b</a>", "/a", "';' after an entity; '&' itself is '&amp;'"),
      ("<a>&#xD800;</a>", "/a", "the number of a character"), ("<a>&#x110000;</a>", "/a", "the number of a character"),
      ("<a>&#;</a>", "/a", "the number of a character"), ("<a>&#+65;</a>", "/a", "the number of a character"),
      // Tags.
      ("<a><b></a></b>", "/a/b", "'</b>'"), ("<a><b></b>", "/a", "'</a>'"), ("<a></ab>", "/a", "'</a>'"),
      ("<a", "/", "'>'"), ("<a/><b/>", "/", "the end of the document"), ("<a/>text", "/", "the end of the document"),
      ("</a>", "/", "the root element"),
      ("<a>x]]></a>", "/a", "']]&gt;' instead of ']]>' outside a CDATA section"),
      ("<a><![CDATA[x</a>", "/a", "']]>'"),
      ("<a><!-- -- --></a>", "/a", "'-->' after '--' in a comment"),
      ("<a><?xml version='1.0'?></a>", "/a", "the XML declaration at the beginning only"),
      ("<1/>", "/", "a name"),
      // Attributes.
      ("<a b=c/>", "/", "a value in quotes"), ("<a b/>", "/", "'='"), ("<a b='1' b='2'/>", "/", "each attribute once"),
      ("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", "/", "each attribute once"),
      ("<a b='1'c='2'/>", "/", "a space, '>' or '/>'"), ("<a b='<'/>", "/", "'&lt;' instead of '<' in a value"),
      ("<a b='&#1;'/>", "/", "no control characters"),
      // Namespaces.
      ("<p:a/>", "/", "a declaration of the prefix 'p'"),
      ("<a><b xmlns:p='u'/><p:c/></a>", "/a", "a declaration of the prefix 'p'"),
      ("<a xmlns:p=''/>", "/", "a namespace that is not empty"),
      ("<a xmlns:xml='u'/>", "/", "no other meaning of the prefixes xml and xmlns"),
      ("<a xmlns:xmlns='u'/>", "/", "no other meaning of the prefixes xml and xmlns"),
      ("<a:b:c xmlns:a='u'/>", "/", "a name with at most one prefix"),
      ("<a xmlns:='u'/>", "/", "a prefix that is a name without ':'"),
      ("<a xmlns:-p='u'/>", "/", "a prefix that is a name without ':'"),
      ("<?pi d?>a><b/>", "/", "the root element"), ("<?a:b d?><a/>", "/", "a target without ':'"),
      ("<:a/>", "/", "a name with at most one prefix"),
      // Encodings.
      ("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "/", "the encoding UTF-8"),
      ("<?xml version='1.1'?><a/>", "/", "XML 1.0"),
      ("<?xml encoding='UTF-8'?><a/>", "/", "version, encoding or standalone, or '?>'"),
    ])
  func refused(document: String, path: String, expected: String) throws {
    let error = try #require(Self.error(document))
    #expect(error.expected == expected)
    #expect(error.path == path)
    #expect(error.offset <= document.utf8.count)
  }

  @Test("text in another format is named")
  func foreign() {
    #expect(Self.error("")?.found == "an empty body")
    #expect(Self.error("not found")?.code == .foreign)
    #expect(Self.error(#"{"error": 1}"#)?.code == .foreign)
  }

  @Test("a document that is cut off anywhere is refused")
  func prefixes() {
    let document = Array("<?xml version='1.0'?><a b='1'>x&amp;<![CDATA[y]]><c/><!-- z --></a>".utf8)
    for count in document.indices {
      #expect(throws: ParsingError.self) { try XMLReader.check(Array(document.prefix(count))) }
    }
    #expect(Self.error(String(decoding: document, as: UTF8.self)) == nil)
  }

  @Test("the limits are enforced at their exact value")
  func limits() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    func attributes(_ count: Int) -> String { "<a \((0..<count).map { "b\($0)='1'" }.joined(separator: " "))/>" }
    var limits = XMLReader.Limits()
    #expect(Self.error(nested(limits.depth)) == nil)
    #expect(Self.error(nested(limits.depth + 1))?.code == .limit)
    #expect(Self.error(attributes(limits.attributes)) == nil)
    #expect(Self.error(attributes(limits.attributes + 1))?.code == .limit)
    #expect(Self.error("<\(String(repeating: "a", count: limits.name))/>") == nil)
    #expect(Self.error("<\(String(repeating: "a", count: limits.name + 1))/>")?.code == .limit)
    #expect(Self.error("<a b='\(String(repeating: "c", count: limits.value))'/>") == nil)
    #expect(Self.error("<a b='\(String(repeating: "c", count: limits.value + 1))'/>")?.code == .limit)
    limits.bytes = 10
    #expect(Self.error("<a>123</a>", limits: limits) == nil)
    #expect(Self.error("<a>1234</a>", limits: limits)?.code == .limit)
  }

  @Test("a character that XML does not allow is reported with its place, and the rest is read")
  func forbidden() throws {
    #expect(try Self.text("<a>b\u{1}c</a>") == Self.text("<a>b\u{1}c</a>"))
    #expect(try Self.text("<a>b\u{1}c</a>").forbidden == 4)
    #expect(try Self.text("<a>b&#1;c</a>").forbidden == 4)
    #expect(try Self.text("<a><![CDATA[\u{B}]]></a>").forbidden == 12)
    #expect(try Self.text("<a>\u{FFFF}</a>").forbidden == 3)
    #expect(try Self.text("<a>\u{FEFF}\u{FFFD}\t\u{85}</a>").forbidden == nil)
    #expect(Self.error("<a><!-- \u{1} --></a>")?.expected == "no control characters")
  }

  @Test("line breaks: CR LF and CR are LF, and a reference stays")
  func lineBreaks() throws {
    #expect(try Self.text("<a>1\r\n2\r3\n4&#13;\n5<![CDATA[\r\n]]></a>").string == "1\n2\n3\n4\r\n5\n")
  }

  @Test("invalid UTF-8 is refused with its place")
  func encoding() throws {
    let error = #expect(throws: ParsingError.self) {
      try XMLReader.check(Array("<a>é".utf8) + [0xC3] + Array("</a>".utf8))
    }
    #expect(error?.offset == 5 && error?.expected == "UTF-8")
    #expect(Self.error("\u{FEFF}<a/>") == nil)
  }

  @Test("a written document is read again as the same")
  func writing() throws {
    let text = " <a> & \"b\" ]]> \t\r\n é😀 "
    let node = XMLNode(
      "DAV:", "propfind",
      [
        XMLNode("DAV:", "prop", [XMLNode("DAV:", "href", text: text), XMLNode("urn:x", "empty")]), XMLNode("", "plain"),
      ])
    #expect(
      String(decoding: XMLNode("DAV:", "propfind", [XMLNode("DAV:", "allprop")]).document, as: UTF8.self)
        == "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a:propfind xmlns:a=\"DAV:\"><a:allprop/></a:propfind>")
    var reader = try XMLReader(node.document)
    #expect(try reader.root().name == XMLName("DAV:", "propfind"))
    #expect(try reader.child()?.name == XMLName("DAV:", "prop"))
    #expect(try reader.child()?.name == XMLName("DAV:", "href"))
    #expect(try reader.text().string == text)
    #expect(try reader.child()?.name == XMLName("urn:x", "empty"))
    try reader.skip()
    #expect(try reader.child() == nil)
    #expect(try reader.child()?.name == XMLName("", "plain"))
    try reader.end()
    #expect(
      try Self.text(String(decoding: XMLNode("", "a", text: "\u{1}").document, as: UTF8.self)).string == "\u{FFFD}")
  }
}
