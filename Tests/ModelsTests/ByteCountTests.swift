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
  ])
  func refuses(text: String) { #expect(ByteCount(text) == nil) }
}
