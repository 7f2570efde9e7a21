import Models
import Testing

@Suite struct PreferenceTests {
  /// What an edit says nothing about stays preferred, unless another item gets the preference.
  @Test(
    arguments: [
      (["value": "a@x"], [["value": "b@x"]], "a@x (preferred)"),
      (["value": "a@x", "type": "work"], [], "work: a@x (preferred)"),
      (["value": "a@x"], [["value": "b@x", "preferred": true]], "a@x"),
      (["value": "a@x", "preferred": false], [], "a@x"),
      (["value": "c@x"], [["value": "b@x"]], "c@x"),
    ] as [(JSONObject, [JSONObject], String)])
  func anEditOfOneItemKeepsThePreferenceOfOthers(item: JSONObject, others: [JSONObject], line: String) throws {
    var old = ContactDetails()
    old.emails = [ContactValue("a@x", type: "home", isPreferred: true), ContactValue("b@x")]
    let new = try old.changed(by: ["emails": .array(([item] + others).map { .object($0) })])
    #expect(new.emails.first?.description == line && new.emails.count == 1 + others.count)
    old.addresses = [PostalAddress(["", "", "Street 1"], type: "home", isPreferred: true)!]
    let address = try old.changed(by: ["addresses": [["street": "Street 1"], ["street": "Street 2"]]]).addresses
    #expect(address.map(\.isPreferred) == [true, false])
  }
}
