import Models
import Testing

@testable import Parsing

/// The quick way to read a time says what the thorough one says.
@Suite("Times in records")
struct ISOTimeTests {
  private func quick(_ text: String, isLocal: Bool = false) -> Timestamp? {
    Array(text.utf8).withUnsafeBufferPointer { ISOTime.read($0, isLocal: isLocal) }
  }

  @Test("every day of four centuries' edges, both ways")
  func days() {
    for day in [-719_162, -1, 0, 59, 11_016, 11_017, 19_782, 19_783, 2_932_896]
      + stride(from: -700_000, to: 2_900_000, by: 4999)
    {
      for second in [0, 1, 59, 3599, 43_200, 86_399] {
        let time = Timestamp(secondsSinceEpoch: day * 86_400 + second)
        let text = time.description
        #expect(text.utf8.count == 20)
        #expect(Timestamp(rfc3339: text) == time)
        #expect(quick(text) == time)
        #expect(quick(text.replacing("T", with: " ").replacing("Z", with: "+05:30")) == time + -19_800)
        #expect(quick(String(text.dropLast()), isLocal: true) == time)
      }
    }
  }

  @Test("what it takes, the thorough way takes as the same; the rest is left to it")
  func agreement() {
    var chance = Chance(seed: 3)
    let alphabet = Array("0123456789-:T Z+.t")
    for _ in 0..<20_000 {
      var text = Array(chance.next(2) == 0 ? "2024-02-29T23:59:58-07:00" : "2023-12-31 00:00:60Z")
      for _ in 0..<chance.next(3) { text[chance.next(text.count)] = chance.pick(alphabet) }
      if let time = quick(String(text)) { #expect(Timestamp(rfc3339: String(text)) == time, "\(String(text))") }
    }
    for text in [
      "", "2024-02-30T00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29T00:60:00Z", "2024-02-29T00:00:00",
      "2024-02-29T00:00:00*07:00",
    ] {
      #expect(quick(text) == nil)
    }
  }
}
