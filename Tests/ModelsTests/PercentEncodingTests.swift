import Models
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("83136939@N00,7", "83136939@N00,7", "83136939%40N00%2C7"), ("a b+c", "a%20b%2Bc", "a%20b%2Bc"),
    ("é/?#&=%", "%C3%A9%2F%3F%23%26%3D%25", "%C3%A9%2F%3F%23%26%3D%25"), ("Az09-._~", "Az09-._~", "Az09-._~"),
  ])
  func encodes(text: String, usual: String, strict: String) {
    #expect(percentEncoded(text) == usual && percentEncoded(text, strictly: true) == strict)
    #expect(percentDecoded(usual) == text && percentDecoded(strict) == text)
  }

  @Test(arguments: [
    ("100%", "100%"), ("%", "%"), ("%4", "%4"), ("%zz%20", "%zz "), ("%c3%A9", "é"), ("a+b", "a+b"), ("", ""),
    ("%FF", "%FF"), ("%2520", "%20"),
  ])
  func decodes(text: String, expected: String) { #expect(percentDecoded(text) == expected) }

  @Test func plusIsASpaceInForms() {
    #expect(percentDecodedBytes("a+b%2B", plusIsSpace: true) == Array("a b+".utf8))
    #expect(percentDecodedBytes("%FF+") == [0xFF, 0x2B])
  }
}
