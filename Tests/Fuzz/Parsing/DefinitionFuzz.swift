import Models
import Parsing
import Ports

// What definitions of sources are read with, chosen when it is compiled: -D DEFINITION, PATHS, ANSWERS, EXPRESSIONS,
// PROPOSALS.

/// A definition with every kind of field and root.
private let example = """
  {
    "almanac": 1, "source": "s", "url": "https://s.example",
    "collections": {
      "a": {
        "id": ["{x}", "$.id", "#"],
        "fields": {
          "t": "text $.t", "p": "plain? $.p | $.t", "u": "url? https://s.example{+$.t}", "n": "int? $.n", "d": "decimal? $.n",
          "b": "bool? $.b", "e": "time(epoch)? $.n", "z": "time(utc)? $.at", "f": "date? $.at", "r": "time(rfc822)? $.at",
          "m": "time(DD.MM.YYYY hh:mm)? $.at", "l": "list(text)? $.l[*].x", "k": "list(json)? $.l", "j": "json? $",
          "o": {"i": "text? ^.t", "w": "text? $$.t"}
        }
      }
    },
    "follows": {
      "{x}": {
        "get": "/{x}{?c}", "pages": {"last": {"c": "$.id"}, "more": "$$.more"},
        "take": [
          {"records": "$.a", "only": {"$.b": [true, null]}, "gone": {"$.g": 1}, "into": "a"},
          {"columns": "$.c", "into": "a"}, {"records": "$.m.*", "into": "a"}
        ],
        "each": {"for": {"y": "$.l[*].x", "w": "#"}, "when": "always", "get": "/{y}", "take": {"into": "a"}}
      }
    }
  }
  """

/// Definitions, their paths and templates, what is read with them, and proposals.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  #if DEFINITION
    do throws(SettingsProblems) {
      let definition = try JSONDefinitionFormat().read(bytes, named: nil)
      let descriptor = definition.descriptor
      precondition(descriptor.forms.allSatisfy { $0.template.hasPrefix(definition.name.rawValue) })
      for follow in definition.follows {
        _ = JSONAnswerReaderCompiler().reader(of: follow.request)
      }
      guard let renewed = try? JSONDefinitionFormat().renewed(bytes).text else { preconditionFailure("not renewed") }
      precondition((try? JSONDefinitionFormat().read(renewed, named: nil)) != nil, "a renewed definition has mistakes")
      precondition((try? JSONDefinitionFormat().renewed(renewed).places) == [], "it is renewed again")
    } catch {
      let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
      precondition(!error.problems.isEmpty, "no problem named")
      for problem in error.problems {
        precondition((1...lines).contains(problem.line) && problem.column >= 1 && !problem.message.isEmpty)
      }
      let places = error.problems.map { ($0.line, $0.column) }
      precondition(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 }, "not in the order of the file")
    }
  #elseif PATHS
    let text = String(decoding: bytes, as: UTF8.self)
    if let path = try? ValuePath(text) {
      precondition(path.description == text && ValuePath.isPath(text))
      _ = JSONAnswerReaderCompiler().values([path], in: Array(#"{"a":[{"b":1}],"c":{"d":null}}"#.utf8))
    }
    do throws(DefinitionTextError) {
      let template = try URLTemplate(text)
      precondition(template.description == text)
      let expanded = try? template.expanded { $0.description.isEmpty ? nil : "ä /?&=\u{7F}" }
      if template.names.isEmpty { precondition(expanded != nil, "a template without names has a value") }
    } catch {
      precondition((0...bytes.count * 3).contains(error.offset) && !error.message.isEmpty)
    }
  #elseif EXPRESSIONS
    // The bytes are an expression of a manifest, in every place where one may be.
    func map(_ members: [(String, LocatedValue.Content)]) -> LocatedValue.Content {
      .map(members.map { .init($0.0, LocatedValue($0.1, line: 1)) })
    }
    let text = LocatedValue.Content.text(String(decoding: bytes, as: UTF8.self))
    let requester = map([
      ("url_base", .text("https://x.example")), ("path", text), ("request_parameters", map([("a", text)])),
      ("request_body_json", map([("b", text)])),
    ])
    let pages = map([
      ("type", .text("DefaultPaginator")),
      (
        "pagination_strategy",
        map([("type", .text("CursorPagination")), ("cursor_value", text), ("stop_condition", text)])
      ), ("page_token_option", map([("type", .text("RequestPath"))])),
    ])
    let selector = map([
      ("extractor", map([("field_path", .list([LocatedValue(text, line: 1)]))])),
      ("record_filter", map([("condition", text)])),
    ])
    let stream = map([
      ("name", .text("things")),
      ("retriever", map([("requester", requester), ("paginator", pages), ("record_selector", selector)])),
      (
        "transformations",
        .list([
          LocatedValue(
            map([
              ("type", .text("AddFields")),
              (
                "fields",
                .list([
                  LocatedValue(map([("path", .list([LocatedValue(.text("x"), line: 1)])), ("value", text)]), line: 1)
                ])
              ),
            ]), line: 1)
        ])
      ),
    ])
    let manifest = LocatedValue(map([("streams", .list([LocatedValue(stream, line: 1)]))]), line: 1)
    guard let imported = try? JSONDefinitionFormat().imported(manifest, named: SourceName(rawValue: "s")) else {
      return 0
    }
    precondition(imported.streams.count + imported.refused.count > 0, "a stream without an answer")
    precondition(imported.refused.allSatisfy { !$0.reason.isEmpty && $0.line > 0 })
    if !imported.streams.isEmpty {
      let definition = try? JSONDefinitionFormat().read(Array(imported.text.utf8), named: nil)
      precondition(definition != nil, "a translation with mistakes")
    }
  #elseif ANSWERS
    guard let definition = try? JSONDefinitionFormat().read(Array(example.utf8), named: nil) else {
      preconditionFailure("the example has mistakes")
    }
    let reader = JSONAnswerReaderCompiler().reader(of: definition.follows[0].request)
    do throws(ParsingError) {
      let answer = try reader.read(bytes, variables: ["x": "v"])
      let again = try reader.read(bytes, variables: ["x": "v"])
      precondition(answer.value == again.value && answer.rejects.total == again.rejects.total)
      for record in answer.value.records {
        precondition(record.isGone || record.fields["id"]?.string == record.id?.text, "the id is the first field")
        let line = JSONRecordCoder().encode(record.fields)
        precondition((try? JSONRecordCoder().decode(line)) == record.fields, "the record came back as another one")
      }
      for reject in answer.rejects.kept { precondition(!reject.path.isEmpty && !reject.expected.isEmpty) }
    } catch {
      precondition(error.line >= 1 && error.column >= 1 && !error.expected.isEmpty)
    }
  #else
    let name = SourceName(rawValue: "s")
    let answer = HTTPResponse(status: 200, body: bytes, url: "https://s.example/v1/items?page=1&limit=5")
    let proposals = [
      try? JSONDefinitionFormat().proposal(for: answer, to: answer.url, named: name),
      try? JSONDefinitionFormat().proposal(from: bytes, named: name),
    ]
    for proposal in proposals.compactMap(\.self) {
      precondition(!proposal.text.isEmpty && proposal.records >= 0)
    }
  #endif
  return 0
}
