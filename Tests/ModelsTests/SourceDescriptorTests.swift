import Models
import Testing

@Suite struct SourceDescriptorTests {
  @Test(
    arguments: [
      ("a/{x}", "a/1", ["1"]), ("a/{x}", "a", nil), ("a/{x}", "a/", nil), ("a/{x}", "a/1/2", nil),
      ("a/{x}", "b/1", nil), ("a/{x}", "a/..", nil), ("a/{x}", "a/.", nil), ("a/{x}", "a/\u{1}", nil),
      ("a/{x}", "a/\u{301}", ["\u{301}"]), ("a/{x}/b/{y}", "a/1/b/2", ["1", "2"]), ("a/b", "a/b", []),
      ("a/b", "a/c", nil), ("a/{+x}", "a/1/2 3", ["1/2 3"]), ("a/{+x}", "a/", nil), ("a", "a", []), ("a", "a/", nil),
      ("\u{E9}", "e\u{301}", nil),
    ] as [(String, String, [String]?)])
  func formsMatchPaths(_ template: String, _ path: String, _ parameters: [String]?) {
    #expect(FollowForm(template, "").parameters(of: path) == parameters)
  }

  @Test func aParameterHasAtMost512Bytes() {
    let form = FollowForm("a/{x}", "")
    #expect(form.parameters(of: "a/" + String(repeating: "x", count: 512)) != nil)
    #expect(form.parameters(of: "a/" + String(repeating: "x", count: 513)) == nil)
  }

  @Test func aFormIsShownWithItsParametersInCapitals() {
    let form = FollowForm("a/b/{place}/{+rest}", "")
    #expect(form.text == "a/b/PLACE/REST")
    #expect(form.prefix == "a/b/")
  }

  @Test(
    arguments: [
      (FollowOption.Kind.text, "x", JSONValue.string("x")), (.text, "", nil), (.label, "6014", .string("6014")),
      (.whole(1...3), "3", .int(3)), (.whole(1...3), "4", nil), (.whole(1...3), "x", nil), (.flag, "true", .bool(true)),
      (.flag, "yes", nil),
    ] as [(FollowOption.Kind, String, JSONValue?)])
  func optionsReadTexts(_ kind: FollowOption.Kind, _ text: String, _ value: JSONValue?) {
    #expect(FollowOption("o", kind, help: "").value(text: text) == value)
  }

  private let source = SourceDescriptor(
    name: SourceName(rawValue: "a"), summary: "",
    forms: [
      .init("a/list", "", limit: .init(standard: 10, largest: 50)), .init("a/things/{id}", ""),
    ],
    options: [.init("state", allowed: ["open", "closed"], help: "")], collections: [])

  @Test func aMatchHasTheLimitOfItsForm() throws {
    #expect(try source.match(Follow(path: "a/list")).limit == 10)
    #expect(try source.match(Follow(path: "a/list", limit: 3)).limit == 3)
    let match = try source.match(Follow(path: "a/things/7"))
    #expect(match.form == source.forms[1] && match.parameters == ["7"] && match.limit == nil)
  }

  @Test(
    arguments: [
      (Follow(path: "a/thngs/7"), nil, "did you mean 'things'?", "expected a/list or a/things/ID"),
      (Follow(path: "a/things/7", limit: 1), "limit", "a/things/ID takes no limit", "leave the limit out"),
      (Follow(path: "a/list", limit: 51), "limit", "out of range", "1 to 50; 10 by default"),
      (
        Follow(path: "a/list", options: ["stat": "open"]), "stat", "unknown option 'stat'",
        "did you mean 'state'? a takes"
      ),
      (Follow(path: "a/list", options: ["state": "new"]), "state", "cannot be 'new'", #"expected "open" or "closed""#),
      (Follow(path: "a/list", options: ["state": .int(1)]), "state", "cannot be number", "expected"),
    ] as [(Follow, String?, String, String)])
  func aMismatchNamesTheMember(_ follow: Follow, _ member: String?, _ message: String, _ allowed: String) {
    let error = #expect(throws: FollowError.self) { try source.match(follow) }
    #expect(error?.member == member && error?.follow == follow.path)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.allowed.contains(allowed) == true, "\(error?.allowed ?? "")")
  }

  @Test func aCatalogHasEachCollectionOnce() {
    var one = source
    one.collections = [CollectionDescriptor(Profile.self, columns: ["id"])]
    var other = source
    other.collections = [
      CollectionDescriptor(CollectionName(rawValue: "things"), fields: [], columns: []),
      CollectionDescriptor(.profiles, fields: [], columns: []),
    ]
    let catalog = CollectionCatalog([one, other])
    #expect(catalog.names.map(\.rawValue) == ["profiles", "things", "outbox", "rejects", "runs"])
    #expect(catalog.fields(of: .profiles) == Profile.schema)
    #expect(!catalog.contains(.state) && CollectionName.state.isInternal)
  }
}
