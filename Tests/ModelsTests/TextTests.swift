import Models
import Testing

@Suite struct ByteCountTests {
  @Test(arguments: [
    ("0", 0), ("500000", 500_000), ("1K", 1024), ("512k", 524_288), ("1M", 1_048_576), ("1MiB", 1_048_576),
    ("1mb", 1_000_000), ("1.5M", 1_572_864), ("1GiB", 1_073_741_824), ("2 GB", 2_000_000_000),
    ("1T", 1_099_511_627_776),
    ("7B", 7), ("9007199254740993", 9_007_199_254_740_993), ("0.5K", 512),
  ])
  func reads(text: String, bytes: Int) { #expect(ByteCount(text)?.bytes == bytes) }

  @Test(arguments: [
    "", "-1", "M", "1X", "1MM", "1.5", "1.", ".5M", "1e3", "1,5M", "1 000", "99999999999T", "1KiBs", "١K", "1..5M",
    "+1",
  ]) func refuses(text: String) { #expect(ByteCount(text) == nil) }
}

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("limits", "limit"), ("limt", "limit"), ("LIMIT", "limit"), ("ilmit", "limit"), ("evry", "every"), ("x", nil),
    ("", nil), ("something else", nil), ("genre", "genre"),
  ])
  func finds(text: String, name: String?) { #expect(NearestName.of(text, among: ["limit", "every", "genre"]) == name) }

  @Test func theLimitIsKept() {
    #expect(NearestName.of("uss", among: ["fr", "us"], within: 1) == "us")
    #expect(NearestName.of("uxx", among: ["fr", "us"], within: 1) == nil)
    // A swap counts once.
    #expect(NearestName.of("rf", among: ["us", "fr"], within: 1) == "fr")
  }
}

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("83136939@N00,7", "83136939@N00,7", "83136939%40N00%2C7"), ("a b+c", "a%20b%2Bc", "a%20b%2Bc"),
    ("é/?#&=%", "%C3%A9%2F%3F%23%26%3D%25", "%C3%A9%2F%3F%23%26%3D%25"), ("Az09-._~", "Az09-._~", "Az09-._~"),
  ]) func encodes(text: String, usual: String, strict: String) {
    #expect(percentEncoded(text) == usual && percentEncoded(text, strictly: true) == strict)
    #expect(percentDecoded(usual) == text && percentDecoded(strict) == text)
  }

  @Test(arguments: [
    ("100%", "100%"), ("%", "%"), ("%4", "%4"), ("%zz%20", "%zz "), ("%c3%A9", "é"), ("a+b", "a+b"), ("", ""),
    ("%FF", "%FF"), ("%2520", "%20"),
  ]) func decodes(text: String, expected: String) { #expect(percentDecoded(text) == expected) }

  @Test func plusIsASpaceInForms() {
    #expect(percentDecodedBytes("a+b%2B", plusIsSpace: true) == Array("a b+".utf8))
    #expect(percentDecodedBytes("%FF+") == [0xFF, 0x2B])
  }
}
