import Models
import Parsing
import Ports
import Testing

/// Documents with mistakes in them: the same verdict and the same content as an independent strict reader.
///
/// `ALMANAC_MUTATIONS` is the number of documents; a hundred thousand before a release, two thousand every day.
@Suite("Mutated XML")
struct XMLMutationTests {
  private static let seeds = [
    """
    <?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:" xmlns:C='urn:c'><D:response><D:href>/a%20b</D:href>\
    <D:propstat><D:prop><D:getetag>&quot;1&quot;</D:getetag><C:data t="v">N:é;&amp;&#13;\n</C:data></D:prop></D:propstat>\
    </D:response></D:multistatus>
    """,
    "<a xmlns='u' xmlns:p='v' p:x='1' x=\"2\"><b xmlns=''/><p:c xmlns:p='w'><p:d/></p:c><p:c/></a>",
    "<!-- c --><?pi data?><a><![CDATA[<&]]>]]&gt;<!-- -->\r\ntext\r</a><!-- end -->",
    "\u{FEFF}<r  a = '&lt;&#x41;\t&apos;' >&gt;&#65;<s xml:lang='en'/>\n</r >",
  ].map { Array($0.utf8) }
  private static let tokens = [
    "<", ">", "/", "</", "/>", "=", "\"", "'", "&", ";", "&amp;", "&#", "&#x", "&#0;", "]]>", "<![CDATA[", "<!--",
    "-->",
    "--", "<?", "?>", "<?xml version='1.0'?>", "<!DOCTYPE a>", "xmlns", "xmlns:p=''", "xmlns:p='q'", ":", "p:", "xml:",
    " ", "\t", "\r", "\n", "\u{0}", "\u{1}", "\u{FFFF}", "é", "a", "-", "1", " a='1'", "<a/>", "<b>",
    "</b>",
  ].map { Array($0.utf8) }

  @Test("the same verdict and content as expat without its leniences", .enabled(if: StrictPython.isThere, "no python3"))
  func verdicts() throws {
    let wanted = Chance.count("ALMANAC_MUTATIONS", otherwise: 2000)
    var mutator = Mutator(
      seeds: Self.seeds, tokens: Self.tokens, seed: UInt64(Chance.count("ALMANAC_SEED_NUMBER", otherwise: 1)))
    var (accepted, refused) = (0, 0)
    while accepted + refused < wanted {
      let documents = (0..<min(5000, wanted - accepted - refused)).map { _ in mutator.next() }
      let verdicts = try StrictPython.answers("strict_xml.py", documents)
      try #require(verdicts.count == documents.count, "python3 stopped early")
      for (document, verdict) in zip(documents, verdicts) {
        if verdict == nil { refused += 1 } else { accepted += 1 }
        let ours = try? Self.content(of: document)
        let theirs = verdict.map { String(decoding: $0, as: UTF8.self) }
        if ours != theirs {
          Issue.record(
            "\(String(decoding: document, as: UTF8.self).debugDescription): \(ours ?? "-"), \(theirs ?? "-")")
        }
      }
    }
    print("mutated XML documents: \(accepted) accepted and \(refused) refused by both readers")
    #expect(accepted > wanted / 50)
  }

  /// The document in the form of `strict_xml.py`.
  private static func content(of document: [UInt8]) throws(ParsingError) -> String {
    var reader = try XMLReader(document)
    let root = try reader.root()
    let content = try content(of: root, &reader)
    try reader.end()
    return content
  }

  private static func content(of element: XMLElement, _ reader: inout XMLReader) throws(ParsingError) -> String {
    var copy = reader
    let text = try copy.text()
    if text.forbidden != nil { throw reader.error(expected: "no control characters", found: "one") }
    let attributes = element.attributes.sorted { $0.name.description.exact < $1.name.description.exact }
      .map { "|\($0.name)=\($0.value)" }
    var children = ""
    while let child = try reader.child() { children += try content(of: child, &reader) }
    return "<\(element.name)\(attributes.joined())>\(children)#\(text.string)</>"
  }
}
