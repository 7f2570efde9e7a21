import Models
import Testing

struct PersonTextTests {
  private let ada: JSONObject = [
    "id": "p", "firstName": "Ada", "lastName": "Lovelace", "fullName": "Ada Lovelace",
    "emails": [["value": "a@example.org", "type": "home", "preferred": true]],
    "addresses": [["unit": "Flat 2", "street": "1 Road", "city": "London"]], "note": "one\ntwo",
  ]

  private func patch(_ text: String) -> JSONObject? {
    guard case .input(let input) = PersonText.read(text, over: ada) else { return nil }
    return input.patch
  }

  @Test func whatIsNotChangedChangesNothing() {
    let text = PersonText.text(of: ada)
    #expect(text.contains("emails: home: a@example.org (preferred)\n") && text.contains("note: one\n  two\n"))
    #expect(text.contains("\ntitle:\n"))
    #expect(patch(text) == [:])
  }

  /// Some editors strip the spaces at the end of lines.
  @Test(arguments: ["a\n\nb\n  indented", "- one\n  - two\n\n\n- three", "a\n", "  a\n\tb"])
  func linesOfANoteKeepTheirForm(note: String) {
    var person = ada
    person["note"] = .string(note)
    let text = PersonText.text(of: person)
    for written in [text, text.replacing("\n  \n", with: "\n\n")] {
      guard case .input(let input) = PersonText.read(written, over: person) else {
        Issue.record("it was not read")
        return
      }
      #expect(input.patch == [:], "\(input.patch)")
    }
  }

  @Test func anEmptyLineIsWrittenIntoANote() {
    #expect(
      patch(PersonText.text(of: ada).replacing("note: one\n  two", with: "note: one\n\n  two")) == [
        "note": "one\n\ntwo"
      ])
  }

  @Test func linesAreSetAddedAndRemoved() {
    let text = PersonText.text(of: ada)
      .replacing("title:", with: "title: Analyst").replacing("note: one\n  two", with: "note:")
      .replacing("emails:", with: "emails: work: b@example.org\nemails:")
    #expect(
      patch(text) == [
        "emails": [
          ["value": "b@example.org", "type": "work", "preferred": false],
          ["value": "a@example.org", "type": "home", "preferred": true],
        ], "title": "Analyst", "note": .null,
      ])
  }

  @Test func linesThatCannotBeReadAreNamed() {
    let text = "# a comment\nfirstName: Ada\nbirthday: soon\nsurname: L\nemails: nobody\nfirstName: Augusta\n"
    guard case .mistakes(let mistakes) = PersonText.read(text, over: ada) else {
      Issue.record("it was read")
      return
    }
    #expect(mistakes.map(\.line) == [3, 4, 5, 6])
    #expect(mistakes[2].mistake.field == "emails")
  }

  @Test func anItemThatIsThereKeepsItsPlace() throws {
    var input = PersonInput()
    let old = ContactDetails(fields: [
      "emails": [["value": "a@x.example", "preferred": true], ["value": "b@x.example"]]
    ])
    try input.add("work: b@x.example (preferred)", to: "emails", of: old)
    try input.add("c@x.example", to: "emails", of: old)
    #expect(
      input.patch == [
        "emails": [
          ["value": "a@x.example"], ["value": "b@x.example", "type": "work", "preferred": true],
          ["value": "c@x.example"],
        ]
      ])
    try input.remove("b@x.example", from: "emails", of: old)
    #expect(input.patch["emails"]?.array?.count == 2)
  }

  @Test(arguments: [
    ("urls", "nowhere"), ("ims", "ada"), ("dates", "anniversary: soon"), ("emails", "work:"), ("phones", "cell: x"),
  ]) func valuesThatCannotBeOfTheirListAreRefused(list: String, line: String) {
    #expect(throws: PersonInput.Mistake.self) { try PersonInput.element(line, of: list) }
  }

  @Test func aPhotoIsAPictureThatIsNotTooLarge() throws {
    #expect(throws: PersonInput.Mistake.self) { try PersonInput.photo(Array("GIF".utf8)) }
    let large = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: PersonInput.largestPhoto)
    #expect(throws: PersonInput.Mistake.self) { try PersonInput.photo(large) }
    #expect(try PersonInput.photo(Array(large.dropLast(3))).type == "image/jpeg")
  }
}
