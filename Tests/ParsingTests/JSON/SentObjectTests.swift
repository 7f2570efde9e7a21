import Parsing
import Ports
import Testing

/// Objects that people send, of which all must be kept as it was sent.
@Suite struct SentObjectTests {
  private func mistake(_ text: String) -> ParsingError? {
    do throws(ParsingError) {
      try JSONRecordCoder().checkSent(Array(text.utf8))
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    #"{"a":"\ud800"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud83dx\ude00"}"#, #"{"a":"\ud83d\ud83d\ude00"}"#, #"{"\ud800":1}"#,
    #"{"a":[{"b":"\\\ud800"}]}"#, #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"a":{"b":1,"b":2}}"#, #"{"a":1e400}"#,
    #"{"a":[-1e999]}"#, "[]", "{",
  ])
  func isRefused(_ text: String) { #expect(mistake(text) != nil) }

  @Test(arguments: [
    "{}", #"{"a":"\ud83d\ude00","b":"\\ud800","c":"\uFFFD","d":"é\"\/\n"}"#,
    #"{"a":1e308,"b":1e-400,"c":12345678901234567890}"#,
    #"{"a":{"b":1},"b":1,"A":2}"#,
  ])
  func isTaken(_ text: String) { #expect(mistake(text) == nil) }

  @Test func thePlaceIsNamed() {
    #expect(mistake(#"{"a":[{"b":"\ud800"}]}"#)?.path == "$.a[0].b")
    #expect(mistake(#"{"a":1,"a":2}"#)?.description.contains("'a'") == true)
  }
}
