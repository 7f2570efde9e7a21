import Models
import Testing

@Suite struct ContactDetailsTests {
  private func details(_ emails: [String], nickname: String? = nil) -> ContactDetails {
    var details = ContactDetails()
    details.emails = emails.map { ContactValue($0) }
    details.nickname = nickname
    return details
  }

  /// Here, before, there, and the result.
  @Test func everyFieldIsWrittenInItsOrder() {
    let all = JSONObject(
      members: ContactDetails.forms.map { name, form in
        let value: JSONValue =
          switch form {
          case .text: .string(name)
          case .values: [["value": .string(name)]]
          case .words: [.string(name)]
          case .addresses: [["street": .string(name)]]
          case .photo: ["url": .string(name)]
          }
        return JSONObject.Member(key: name, value: value)
      })
    #expect(ContactDetails(fields: all).fields == all && all.keys == ContactDetails(fields: all).fields.keys)
  }

  @Test(arguments: [
    (["a", "h"], ["a"], ["a", "t"], ["a", "h", "t"]), (["a"], ["a", "b"], ["a", "b"], ["a"]),
    (["a", "b"], ["a", "b"], ["b"], ["b"]), (["a", "x"], ["a"], ["a", "x"], ["a", "x"]),
    (["b", "a"], ["a", "b"], ["a", "b", "c"], ["b", "a", "c"]), ([], ["a"], [], []),
    (["a", "a"], ["a"], ["a"], ["a", "a"]),
    (["a", "a"], ["a", "a"], ["a"], ["a"]), (["c"], ["a"], ["b"], ["c", "b"]), (["a"], [], ["a"], ["a"]),
  ])
  func listsMergeItemByItem(here: [String], before: [String], there: [String], merged: [String]) {
    let result = details(here).merged(from: details(before), to: details(there))
    #expect(result.emails.map(\.value) == merged)
  }

  @Test func aTextThatWasChangedHereIsKept() {
    let merged = details([], nickname: "mine").merged(
      from: details([], nickname: "old"), to: details([], nickname: "new"))
    #expect(merged.nickname == "mine")
    #expect(details([], nickname: "old").merged(from: details([], nickname: "old"), to: details([])).nickname == nil)
  }

  @Test(arguments: [
    ("a@example.org", "", "a@example.org"), ("work: a@example.org", "work", "a@example.org"),
    ("work:a@example.org", "work", "a@example.org"), ("other-1:+44 20", "other-1", "+44 20"),
    ("mailto:a@example.org", "", "mailto:a@example.org"), ("a b:1", "", "a b:1"), ("TEL:1", "", "TEL:1"),
    ("tel:+44", "", "tel:+44"), (" home:  1 ", "home", "1"),
  ]) func aValueIsReadFromText(text: String, type: String, value: String) {
    #expect(ContactValue(text) == ContactValue(value, type: type))
    #expect(ContactValue(text).flatMap { ContactValue($0.description) } == ContactValue(text))
  }

  @Test func anAddressIsReadFromText() throws {
    let address = try #require(PostalAddress("home: 1 Road; London; ; N1; UK"))
    #expect(address.parts.map(\.text) == ["", "", "1 Road", "London", "", "N1", "UK"] && address.type == "home")
    #expect(address.description == "home: 1 Road; London; ; N1; UK")
    #expect(PostalAddress("; ;") == nil && PostalAddress("a;b;c;d;e;f") == nil)
  }
}
