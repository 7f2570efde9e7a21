import Models
import Parsing
import Ports
import Testing

/// Users and people as REST services write them, in words of our own: what each becomes.
@Suite("Drifts: users and people")
struct EnvelopeDriftTests {
  private func user(_ body: String) -> String {
    do throws(ParsingError) {
      switch try UserEnvelopeParser().parse(Array(body.utf8)).value {
      case .success(let user): return "\(user.id) \(user.name) \(user.email) \(user.description ?? "-")"
      case .failure(let failure): return "\(failure.code): \(failure.message)"
      }
    } catch {
      return "\(error.code) \(error.path)"
    }
  }

  @Test(
    "a user, bare and wrapped, its id by any name",
    arguments: [
      #"{"data":{"userId":"7","name":"N","email":"e"}}"#, #"{"userId":7,"name":"N","email":"e"}"#,
      #"{"data":{"id":"7","name":"N","email":"e","description":null}}"#,
      #"{"data":[{"userId":"7","name":"N","email":"e"}]}"#,
      #"{"error":null,"data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":false,"data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":"","data":{"userId":"7","name":"N","email":"e"}}"#,
      #"{"error":{},"data":{"userId":"7","name":"N","email":"e"}}"#,
      "\u{FEFF}{\"data\":\r\n{\"userId\":\"7\",\"name\":\"N\",\"email\":\"e\"}}\r\n",
      #"{"data":{"userId":"7","name":"old","name":"N","email":"e"}}"#,
    ])
  func users(body: String) {
    #expect(user(body) == "7 N e -")
  }

  @Test(
    "errors of every form",
    arguments: [
      (#"{"error":{"code":404,"message":"gone"}}"#, "404: gone"),
      (#"{"error":{"code":"404"}}"#, "404: error 404 without a message"),
      (#"{"error":"not found"}"#, "error: not found"), (#"{"error":true,"message":"m"}"#, "error: m"),
      (#"{"error":404,"message":"m"}"#, "error: 404"), (#"{"error":["a","b"]}"#, "error: a"),
      (#"{"error":{"code":1,"message":"m"},"data":null}"#, "1: m"),
      ("{}", "shape $.userId"),
      (#"{"data":[{"userId":"7","name":"N","email":"e"},{"userId":"8","name":"M","email":"f"}]}"#, "shape $.data"),
      (#"{"data":null}"#, "shape $.data"), (#"{"data":[]}"#, "shape $.data"),
      ("[]", "shape $"),
      ("null", "shape $"), ("", "foreign $"), ("<html>", "foreign $"),
      (#"{"data":{"name":"N","email":"e"}}"#, "shape $.data.userId"),
      (#"{"data":{"userId":"7","name":null,"email":"e"}}"#, "shape $.data.name"),
    ])
  func errors(body: String, expected: String) {
    #expect(user(body) == expected)
  }

  private func people(_ body: String) -> [String] {
    do throws(ParsingError) {
      let parsed = try PeopleListParser().parse(Array(body.utf8))
      return parsed.value.map {
        "\($0.remoteID ?? "-") \($0.firstName) \($0.lastName) \($0.birthday?.description ?? "-")"
      }
        + parsed.rejects.kept.map { "reject \($0.path)" }
    } catch {
      return ["\(error.code) \(error.path)"]
    }
  }

  @Test("lists, one person, none, and a hole")
  func lists() {
    let ann = #"{"id":1,"firstName":"A","lastName":"B","birthday":"1985-04-07"}"#
    let line = "1 A B 1985-04-07"
    for body in [
      "[\(ann)]", ann, #"{"data":[\#(ann)]}"#, #"{"data":\#(ann)}"#,
      #"{"page":1,"per_page":6,"total":12,"data":[\#(ann)]}"#,
      #"{"error":null,"data":[\#(ann)]}"#, #"{"error":false,"data":[\#(ann)]}"#, "\u{FEFF}[\(ann)]\r\n",
    ] {
      #expect(people(body) == [line], "\(body)")
    }
    for body in ["[]", #"{"data":[]}"#, #"{"data":null}"#, #"{"data":{}}"#] { #expect(people(body) == [], "\(body)") }
    #expect(people("[null,\(ann),7,{}]") == [line, "reject $[0]", "reject $[2]", "reject $[3].firstName"])
    #expect(people("{}") == ["shape $.data"])
    #expect(people(#"{"error":{"code":500}}"#) == ["shape $.error"])
  }

  @Test(
    "birthdays",
    arguments: [
      (#""1985-04-07""#, "1985-04-07"), (#""--04-07""#, "--04-07"), (#""1985-04-07T23:30:00-08:00""#, "1985-04-07"),
      (#""1985-04-07T00:00:00.000+0000""#, "1985-04-07"), (#""1985-04-07 10:00:00""#, "1985-04-07"),
      (#""1985-04-07T10:00Z""#, "1985-04-07"), ("481680000", "1985-04-07"), (#""481680000""#, "1985-04-07"),
      ("481680000.5", "1985-04-07"), ("-1", "1969-12-31"), ("0", "1970-01-01"),
      (#"{"date":"1985-04-07"}"#, "1985-04-07"),
      (#""--02-29""#, "--02-29"),
    ])
  func birthdays(text: String, expected: String) {
    #expect(people(#"[{"firstName":"A","lastName":"B","birthday":\#(text)}]"#) == ["- A B \(expected)"])
  }

  @Test(
    "an invalid birthday rejects the person",
    arguments: [
      #""""#, #""1985-02-30""#, #""0000-00-00""#, #""04/07/1985""#, #""1985-04""#, #""--0412""#,
      #""circa 1800""#,
      "481680000000", "1e3", "true", "[]", "{}", #"{"date":null}"#, #""19850407""#,
    ])
  func noBirthdays(text: String) {
    let found = people(#"[{"firstName":"A","lastName":"B","birthday":\#(text)}]"#)
    #expect(found.count == 1 && found[0].hasPrefix("reject $[0]"), "\(text): \(found)")
  }
}
