import Models
import Parsing
import Ports
import Testing

/// Lists of people, and the forms of their birthdays.
@Suite("People lists")
struct PeopleListTests {
  private func people(_ text: String) throws -> Parsed<[RemotePerson]> {
    try PeopleListParser().parse(Array(text.utf8))
  }

  static let ada = #"{"id":7,"firstName":"Ada","lastName":"Lovelace","birthday":"1815-12-10"}"#

  @Test(
    "every envelope",
    arguments: [
      ("[ADA]", 1), (#"{"data":[ADA]}"#, 1), (#"{"page":1,"per_page":6,"total":2,"data":[ADA,ADA]}"#, 2),
      (#"{"data":ADA}"#, 1), ("ADA", 1), (#"{"error":null,"data":[ADA]}"#, 1), (#"{"error":false,"data":[ADA]}"#, 1),
      ("\u{FEFF}[ADA]\r\n", 1),
      ("[]", 0), (#"{"data":[]}"#, 0), (#"{"data":{}}"#, 0), (#"{"data":null}"#, 0),
    ])
  func envelopes(text: String, count: Int) throws {
    let parsed = try people(text.replacing("ADA", with: PeopleListTests.ada))
    let birthday = try #require(Birthday("1815-12-10"))
    let ada = RemotePerson(remoteID: "7", firstName: "Ada", lastName: "Lovelace", birthday: birthday)
    #expect(parsed == Parsed(Array(repeating: ada, count: count)))
  }

  @Test(
    "every form of a birthday",
    arguments: [
      (#""1985-04-07""#, "1985-04-07"), (#""--04-07""#, "--04-07"), (#""--02-29""#, "--02-29"),
      (#""1985-04-07T23:30:00-11:00""#, "1985-04-07"), (#""1985-04-07T00:00:00.000Z""#, "1985-04-07"),
      (#""1985-04-07T00:00:00.000+0000""#, "1985-04-07"),
      (#""1985-04-07 10:00:00""#, "1985-04-07"), (#""1985-04-07T10:00""#, "1985-04-07"),
      (#""1985-04-07T10:00Z""#, "1985-04-07"),
      ("481680000", "1985-04-07"), (#""481680000""#, "1985-04-07"), ("481766399", "1985-04-07"),
      ("481680000.5", "1985-04-07"),
      ("0", "1970-01-01"), ("-1", "1969-12-31"), ("-0.5", "1969-12-31"), ("-86400", "1969-12-31"),
      ("-86401", "1969-12-30"),
      (#"{"date":"1985-04-07T21:26:52.824Z","age":35}"#, "1985-04-07"),
    ])
  func birthdays(json: String, date: String) throws {
    let parsed = try people("[{\"firstName\":\"A\",\"lastName\":\"B\",\"birthday\":\(json)}]")
    #expect(parsed.value.first?.birthday?.description == date)
    #expect(parsed.rejects.isEmpty)
  }

  @Test(
    "invalid birthdays are rejected",
    arguments: [
      #""1985-02-29""#, #""--02-30""#, #""7 April""#, #""19850407""#, "true", #""""#, "{}", "1e400",
      #""1985-04-07T25:00:00Z""#,
      #""1985-04-07Tnoon""#, "99999999999999", #""+481680000""#, "[]", #""0000-00-00""#, #""04/07/1985""#,
      #""1985-04""#,
      #""--0412""#, "481680000000", "1e3", #"{"date":null}"#,
    ])
  func noBirthdays(json: String) throws {
    let parsed = try people("[\(PeopleListTests.ada),{\"firstName\":\"A\",\"lastName\":\"B\",\"birthday\":\(json)}]")
    #expect(parsed.value.count == 1)
    #expect(parsed.rejects.kept.map(\.path) == ["$[1].birthday"])
  }

  @Test("names in other spellings, and people with one name")
  func names() throws {
    let parsed = try people(
      #"{"results":[{"name":{"title":"Ms","first":"Ada","last":"L"},"dob":{"date":"1985-04-07"},"id":{"name":"X","value":null}},{"first_name":"Ada","last_name":"","birth_date":"--04-07","id":""}]}"#
    )
    #expect(parsed.rejects.isEmpty)
    #expect(parsed.value.map(\.firstName) == ["Ada", "Ada"])
    #expect(parsed.value.map(\.lastName) == ["L", ""])
    #expect(parsed.value.map(\.remoteID) == [nil, nil])
  }

  /// A birthday and one of the names may be missing.
  @Test(arguments: [
    (#"{"firstName":"A","lastName":"B"}"#, "A", "B"), (#"{"firstName":"A","birthday":null}"#, "A", ""),
    (#"{"lastName":"B"}"#, "", "B"),
  ])
  func whatAPersonMayLack(person: String, first: String, last: String) throws {
    let parsed = try people("{\"data\":[\(person)]}")
    #expect(parsed.rejects.isEmpty)
    #expect(parsed.value == [RemotePerson(firstName: first, lastName: last, birthday: nil)])
  }

  @Test(
    "who has no name or a wrong one is set aside",
    arguments: [
      (#"{"birthday":"--04-07"}"#, "$.data[0].firstName"),
      (#"{"firstName":7,"lastName":"B","birthday":"--04-07"}"#, "$.data[0].firstName"),
      (#"{"firstName":"","lastName":"","birthday":"--04-07"}"#, "$.data[0].firstName"), ("7", "$.data[0]"),
      ("null", "$.data[0]"), ("{}", "$.data[0].firstName"),
    ])
  func rejects(person: String, path: String) throws {
    let parsed = try people("{\"data\":[\(person)]}")
    #expect(parsed.value.isEmpty)
    #expect(parsed.rejects.kept.map(\.path) == [path])
    #expect(parsed.rejects.kept.first?.raw == person)
  }

  @Test(
    "a body without a list has the wrong shape",
    arguments: [("{}", "$.data"), ("7", "$"), (#"{"data":7}"#, "$.data"), (#"{"error":{"code":1}}"#, "$.error")])
  func shapes(text: String, path: String) throws {
    let error = try #require(throws: ParsingError.self) { try people(text) }
    #expect(error.code == .shape)
    #expect(error.path == path)
  }

  @Test("the response to a POST", arguments: ["ADA", #"{"data":ADA}"#, #"{"data":[ADA]}"#])
  func created(text: String) throws {
    let body = Array(text.replacing("ADA", with: PeopleListTests.ada).utf8)
    #expect(try PersonAnswerParser().parse(body).value.remoteID == "7")
    #expect(throws: ParsingError.self) { try PersonAnswerParser().parse(Array("{}".utf8)) }
  }
}
