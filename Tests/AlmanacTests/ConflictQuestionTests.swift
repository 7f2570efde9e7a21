import AlmanacTesting
import Foundation
import Testing

/// What `outbox resolve` asks for: each field that has a side of its own, and no other one.
@Suite struct ConflictQuestionTests {
  /// A store with Carla, whose edit is in conflict.
  ///
  /// - Parameter edit: the members `fields`, `base` and `theirs` of the edit.
  private func conflict(_ edit: String, person: String = #""lastName":"Dentt","fullName":"Carla Dentt""#) async throws
    -> Program
  {
    let almanac = try Program("almanac")
    try await almanac.load("people", #"{"id":"p1","firstName":"Carla",\#(person)}"#)
    try await almanac.load(
      "outbox",
      #"{"id":"01abc","target":"people/p1","kind":"put",\#(edit),"attempts":0,"state":"conflict","#
        + #""createdAt":"2026-11-23T10:00:00Z","source":"carddav"}"#)
    return almanac
  }

  private func answer(_ almanac: Program, _ lines: String) async throws -> Program.Result {
    // script(1) gives the program a terminal.
    try await almanac.shell("printf '\(lines)' | script -qec \"$PROGRAM outbox resolve\" /dev/null")
  }

  private func carla(_ almanac: Program) async throws -> [String: Any] {
    try await almanac.object("show", "people", "p1")
  }

  private static let renamed =
    #""fields":{"lastName":"Dentt","fullName":"Carla Dentt"},"base":{"lastName":"Dent","fullName":"Carla Dent"},"#
    + #""theirs":{"lastName":"Denton","fullName":"Carla Denton"}"#

  @Test(arguments: [("m", "Dentt"), ("t", "Denton")])
  func aFollowingFieldIsNotAskedFor(side: String, name: String) async throws {
    let almanac = try await conflict(Self.renamed)
    defer { almanac.clean() }
    let shown = try await almanac.run("outbox", "show", "p1")
    #expect(shown.out.contains("follows lastName"), "\(shown)")
    let asked = try await answer(almanac, "\(side)\\n")
    #expect(asked.status == 0 && asked.out.contains("fullName: follows lastName"), "\(asked)")
    #expect(!asked.out.contains("fullName: [m]ine"), "\(asked)")
    let carla = try await carla(almanac)
    #expect(carla["lastName"] as? String == name && carla["fullName"] as? String == "Carla \(name)", "\(asked)")
  }

  @Test("an answer that begins as one of the choices is none of them")
  func otherAnswers() async throws {
    let almanac = try await conflict(Self.renamed)
    defer { almanac.clean() }
    let asked = try await answer(almanac, "foo\\ntomorrow\\nmine\\n")
    #expect(asked.status == 0 && asked.out.contains("'foo' is none of these answers"), "\(asked)")
    #expect(try await carla(almanac)["lastName"] as? String == "Dentt", "\(asked)")
  }

  @Test(arguments: [
    ["--mine", "fullName"], ["--theirs", "fullName"], ["--mine", "lastName", "--theirs", "fullName"],
  ])
  func aFollowingFieldHasNoSideOfItsOwn(options: [String]) async throws {
    let almanac = try await conflict(Self.renamed)
    defer { almanac.clean() }
    try await almanac.run(["outbox", "resolve"] + options, exits: 64, err: "fullName of people/p1 follows lastName")
    try await almanac.run("outbox", "resolve", "--theirs", "lastName", exits: 0)
    #expect(try await carla(almanac)["fullName"] as? String == "Carla Denton")
  }

  /// Fields that the server did not change, and those that follow others, need no side.
  @Test func aFieldWithoutASideIsNamed() async throws {
    let almanac = try await conflict(
      #""fields":{"firstName":"Cara","lastName":"Dentt","note":"n"},"base":{"firstName":"Carla","lastName":"Dent","note":null},"#
        + #""theirs":{"firstName":"Karla","lastName":"Denton","note":null}"#,
      person: #""lastName":"Dentt","fullName":"Cara Dentt","note":"n""#)
    defer { almanac.clean() }
    _ = try await almanac.run("outbox", "resolve", "--mine", "firstName", "--theirs", "lastName")
    #expect(try await carla(almanac)["lastName"] as? String == "Denton")
    let second = try await conflict(
      #""fields":{"firstName":"Cara","lastName":"Dentt","nickname":"C"},"base":{"firstName":"Carla","lastName":"Dent","nickname":null},"#
        + #""theirs":{"firstName":"Karla","lastName":"Denton","nickname":"K"}"#,
      person: #""lastName":"Dentt","fullName":"Cara Dentt","nickname":"C""#)
    defer { second.clean() }
    try await second.run(
      "outbox", "resolve", "--mine", "firstName", "--theirs", "lastName", exits: 64, err: "name nickname as well")
  }

  /// Whoever changed the full name alone decides it.
  @Test(arguments: [("m", "Captain Carla"), ("t", "Dr. Carla Dentt")])
  func aFieldThatFollowsNothingIsAskedFor(side: String, name: String) async throws {
    let almanac = try await conflict(
      #""fields":{"fullName":"Captain Carla"},"base":{"fullName":"Carla Dentt"},"theirs":{"fullName":"Dr. Carla Dentt"}"#,
      person: #""lastName":"Dentt","fullName":"Captain Carla""#)
    defer { almanac.clean() }
    let asked = try await answer(almanac, "\(side)\\n")
    #expect(asked.status == 0 && asked.out.contains("fullName: [m]ine"), "\(asked)")
    #expect(try await carla(almanac)["fullName"] as? String == name, "\(asked)")
  }

  /// Texts, days and lists can be typed; what a field cannot have is asked for again.
  @Test func everyKindOfFieldTakesANewValue() async throws {
    let almanac = try await conflict(
      #""fields":{"lastName":"Dentt","fullName":"Carla Dentt","birthday":"1980-01-01","emails":[{"value":"m@x.org"}],"groups":["m"]},"#
        + #""base":{"lastName":"Dent","fullName":"Carla Dent","birthday":null,"emails":null,"groups":null},"#
        + #""theirs":{"lastName":"Denton","fullName":"Carla Denton","birthday":"1980-02-02","emails":[{"value":"t@x.org"}],"groups":["t"]}"#,
      person:
        #""lastName":"Dentt","fullName":"Carla Dentt","birthday":"1980-01-01","emails":[{"value":"m@x.org"}],"groups":["m"]"#
    )
    defer { almanac.clean() }
    let asked = try await answer(
      almanac,
      "e\\nKing\\n" + "e\\n1980-31-31\\ne\\n1980-03-03\\n" + "e\\nnonsense\\ne\\nwork: a@x.org\\nb@x.org\\n\\n"
        + "e\\nHome, sweet home\\n\\n")
    #expect(asked.status == 0 && asked.out.contains("not a birthday") && asked.out.contains("no '@'"), "\(asked)")
    let carla = try await carla(almanac)
    #expect(carla["lastName"] as? String == "King" && carla["fullName"] as? String == "Carla King", "\(asked)")
    #expect(carla["birthday"] as? String == "1980-03-03" && carla["groups"] as? [String] == ["Home, sweet home"])
    #expect(
      carla["emails"] as? [[String: String]] == [["value": "a@x.org", "type": "work"], ["value": "b@x.org"]], "\(asked)"
    )
    #expect(try await almanac.records("outbox").allSatisfy { $0["state"] as? String == "pending" })
  }
}
