import AlmanacTesting
import Models
import Parsing
import Ports
import Sync
import Synchronization
import Testing

/// What goes from the store with a list, with the records of the list, and with a follow.
@Suite("Removals by declared sources")
struct DeclaredRemovalTests {
  private static let makers =
    #""each": {"for": {"login": "$.maker.login"}, "get": "/makers/{login}", "take": {"into": "makers"}}"#

  private static let parts =
    #""each": {"for": {"id": "$.id"}, "when": "changed", "get": "/parts/{id}", "take": {"into": "makers"}}"#

  private static func answerParts(of shop: Shop, failing failed: Int, status: Int) {
    for item in 0..<4 { shop.answer("/parts/\(item)", #"{"login": "p\#(item)"}"#) }
    shop.answer("/parts/\(failed)", status: status)
  }

  private func forget(_ prefix: String, in shop: Shop) async throws {
    let ids = try shop.states(prefix)
    _ = try await shop.store.write { (transaction) throws(StoreError) in
      for id in ids { try transaction.delete(.state, id) }
    }
  }

  /// A shop with two complete lists, `shop/all` and `shop/other`.
  private static func shop(items: Int, other: String = "/items?size=9") throws -> Shop {
    let (list, rest) = (#""get": "/items?size=9", "complete": true"#, #""complete": true, \#(Shop.take)"#)
    return try Shop(items: items, follow: list, and: #""other": {"get": "\#(other)", \#(rest)}"#)
  }

  // MARK: complete that was added later

  @Test(
    "records that no list has, such as those of an earlier version, are named, and removed by a full sync with force")
  func recordsOfNoList() async throws {
    let list = #""get": "/items?size=9""#
    let before = try Shop(items: 5, follow: list)
    try await before.sync()
    try await forget("arrived/", in: before)
    let shop = try Shop(items: 3, follow: list + #", "complete": true"#, after: before)
    let plan = try await shop.sync(options: SyncOptions(dryRun: true))
    #expect(plan.notes.contains { $0.hasPrefix("2 records of items are in no list") }, "\(plan.notes)")
    #expect(try await shop.sync().counts.removed == 0)
    // They are named once, and whenever everything is read.
    #expect(!(try await shop.sync(options: SyncOptions(dryRun: true))).notes.contains { $0.contains("no list") })
    #expect(
      try await shop.sync(options: SyncOptions(dryRun: true, full: true)).notes.contains { $0.contains("no list") })
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 0)
    #expect(try await shop.sync(options: SyncOptions(full: true)).counts.removed == 0)
    #expect(try await shop.sync(options: SyncOptions(full: true, force: true)).counts.removed == 2)
    #expect(try shop.ids() == ["0", "1", "2"])
  }

  @Test("records that no list has stay where a follow of the same collection was never read as a whole")
  func recordsOfOthers() async throws {
    let list = #""get": "/items?size=9""#
    let shop = try Shop(
      items: 5, follow: list + #", "complete": true"#, and: #""part": {\#(list), \#(Shop.take)}"#)
    try await shop.sync("shop/part")
    try await forget("arrived/", in: shop)
    shop.change { $0.items.removeLast(2) }
    #expect(try await shop.sync(options: SyncOptions(full: true, force: true)).counts.removed == 0)
    #expect(try shop.ids().count == 5)
  }

  @Test("a follow that ends takes the records with it that no list has, where no other follow fills the collection")
  func purgeOfUnlisted() async throws {
    let list = #""get": "/items?size=9""#
    let before = try Shop(items: 5, follow: list)
    try await before.sync()
    try await forget("arrived/", in: before)
    let shop = try Shop(items: 3, follow: list + #", "complete": true"#, after: before)
    try await shop.sync()
    let purge = FollowPurge(store: shop.store, sources: [shop.source], coder: shop.coder)
    #expect(try await purge.purge(Follow(path: "shop/all"), besides: []).removed.values.reduce(0, +) == 5)
    #expect(try shop.ids().isEmpty)
  }

  @Test("the list of a follow that ended keeps no record in a pull, and one that goes on does; a purge counts both")
  func endedFollows() async throws {
    let shop = try Self.shop(items: 5)
    try await shop.sync()
    try await shop.sync("shop/other")
    shop.change { _ = $0.items.removeLast() }
    let both = [Follow(path: "shop/all"), Follow(path: "shop/other")]
    #expect(try await shop.sync(options: SyncOptions(configured: both)).counts.removed == 0)
    shop.change { _ = $0.items.removeLast() }
    #expect(try await shop.sync(options: SyncOptions(configured: [both[0]])).counts.removed == 1)
    let purge = FollowPurge(store: shop.store, sources: [shop.source], coder: shop.coder)
    #expect(try await purge.purge(both[0], besides: []).removed.isEmpty)
    #expect(try shop.ids().count == 4)
  }

  @Test(
    "a record that went because the follow that had it ended comes back when it is followed again, also without a change"
  )
  func followedAgain() async throws {
    let shop = try Self.shop(items: 5, other: "/items?size=8")
    let items = #"{"items": [{"id": 0, "name": "n0", "at": 1000}, {"id": 4, "name": "n4", "at": 1004}]}"#
    shop.answer("/items?size=8", items, headers: ["ETag": "\"1\""])
    try await shop.sync()
    try await shop.sync("shop/other")
    shop.change { _ = $0.items.removeLast() }
    let all = Follow(path: "shop/all")
    #expect(try await shop.sync(options: SyncOptions(configured: [all])).counts.removed == 1)
    #expect(try shop.stored("items", "4") == nil)
    try await shop.sync("shop/other", options: SyncOptions(configured: [all, Follow(path: "shop/other")]))
    #expect(shop.lastRequest?.validator == nil)
    #expect(try shop.stored("items", "4") != nil)
  }

  @Test("a follow that was ended in a store on a server keeps no record, until a program pulls it again")
  func endedOnAServer() async throws {
    let shop = try Self.shop(items: 9)
    /// What the follow `shop/all` loses when the server loses one.
    func lost() async throws -> Int {
      shop.change { _ = $0.items.removeLast() }
      return try await shop.sync().counts.removed
    }
    try await shop.sync()
    try await shop.sync("shop/other")
    #expect(try await lost() == 0)
    _ = try await shop.store.write { [coder = shop.coder] (transaction) throws(StoreError) in
      var state = try transaction.object(.state, "follow/shop/other", coder) ?? [:]
      state["ended"] = true
      try transaction.put(coder.encode(state), id: "follow/shop/other", in: .state)
    }
    #expect(try await lost() == 1)
    // Another machine has it in its config file, and asks for everything.
    try await shop.sync("shop/other")
    #expect(try await lost() == 0)
  }

  // MARK: What is gone

  private static let gone = #""errors": [{"status": 410, "means": "gone"}],"#

  @Test("a list that is gone takes the records with it that it brought, whatever its path says")
  func goneList() async throws {
    let shop = try Shop(
      items: 3, follow: #""get": "/items?size=9""#,
      and: #""of/{shelf}": {"get": "/shelves/{shelf}", \#(Shop.take)}"#, more: Self.gone)
    try await shop.sync()
    shop.answer("/shelves/1", #"{"items": [{"id": 7, "name": "x", "at": 1}]}"#)
    try await shop.sync("shop/of/1")
    #expect(try shop.ids() == ["0", "1", "2", "7"])
    shop.answer("/shelves/1", status: 410)
    // The path ends with the id of another record, which stays.
    #expect(try await shop.sync("shop/of/1").counts.removed == 1)
    #expect(try shop.ids() == ["0", "1", "2"])
  }

  @Test("a record that is gone is known by the values that its id is made of, also where no list has it")
  func goneRecord() async throws {
    let text = """
      {
        "almanac": 1, "source": "shop", "url": "\(Shop.base)", \(Self.gone)
        "collections": {"items": {"id": ["{shelf}", "{item}"], "fields": {"name": "text $.name"}}},
        "follows": {"one/{item}/{shelf}": {"get": "/one/{item}", "take": {"into": "items"}}}
      }
      """
    let shop = try Shop(text)
    for item in [1, 2] {
      shop.answer("/one/\(item)", #"{"name": "n"}"#)
      try await shop.sync("shop/one/\(item)/a")
    }
    #expect(try shop.ids() == ["a/1", "a/2"])
    // An earlier version kept no lists.
    try await forget("arrived/", in: shop)
    shop.answer("/one/1", status: 410)
    #expect(try await shop.sync("shop/one/1/a").counts.removed == 1)
    #expect(try shop.ids() == ["a/2"])
  }

  // MARK: Lists of records

  @Test("the records of child requests go with the record that made them, and with what a child list lacks")
  func children() async throws {
    for occasion in ["new", "changed", "always"] {
      let each =
        #""each": {"for": {"id": "$.id"}, "when": "\#(occasion)", "get": "/parts/{id}", "take": {"records": "$.parts", "into": "makers"}}"#
      let shop = try Shop(items: 6, follow: #""get": "/items?size=9", "complete": true, \#(each)"#)
      func parts(_ item: Int, _ names: [String]) {
        let list = names.map { #"{"login": "\#($0)"}"# }.joined(separator: ",")
        shop.answer("/parts/\(item)", #"{"parts": [\#(list)]}"#)
      }
      for item in 0..<6 { parts(item, ["p\(item)", "shared"]) }
      try await shop.sync()
      #expect(try shop.ids("makers").count == 7)
      // Nothing is asked for again, and nothing goes.
      #expect(try await shop.sync().counts.removed == 0, "\(occasion)")
      #expect(try shop.ids("makers").count == 7)
      shop.change { _ = $0.items.removeLast() }
      #expect(try await shop.sync().counts.removed == 2, "\(occasion)")
      #expect(try shop.ids("makers") == ["p0", "p1", "p2", "p3", "p4", "shared"], "\(occasion)")
      // A list that is read again removes what it lacks.
      parts(0, ["q0", "shared"])
      shop.change { $0.items[0].name = "other" }
      #expect(try await shop.sync().counts.removed == 1, "\(occasion)")
      #expect(try shop.ids("makers") == ["p1", "p2", "p3", "p4", "q0", "shared"], "\(occasion)")
      // They are the follow's own.
      let purge = FollowPurge(store: shop.store, sources: [shop.source], coder: shop.coder)
      #expect(try await purge.purge(Follow(path: "shop/all"), besides: []).removed.values.reduce(0, +) == 11)
    }
  }

  @Test("a child list in doubt removes nothing of its own, and neither does one whose record is rejected")
  func childrenInDoubt() async throws {
    let each =
      #""each": {"for": {"id": "$.id"}, "when": "always", "get": "/parts/{id}", "pages": {"page": 1, "count": "$.total"}, "take": {"records": "$.parts", "into": "makers"}}"#
    let shop = try Shop(items: 4, follow: #""get": "/items?size=9", "complete": true, \#(each)"#)
    func part(_ text: String) {
      for item in 0..<4 { shop.answer("/parts/\(item)", text.replacing("#", with: "\(item)")) }
    }
    part(##"{"total": 2, "parts": [{"login": "a#"}, {"login": "b#"}]}"##)
    try await shop.sync()
    #expect(try shop.ids("makers").count == 8)
    for answer in [
      // The number of records is another one; one has no login.
      ##"{"total": 3, "parts": [{"login": "a#"}], "x": 1}"##, ##"{"total": 2, "parts": [{"login": "a#"}, {}]}"##,
    ] {
      part(answer)
      let report = try await shop.sync(options: SyncOptions(force: true))
      #expect(report.error == nil || report.error?.code == .own(.samePage), "\(report)")
      #expect(try shop.ids("makers").count == 8, "\(answer)")
    }
    part(##"{"total": 1, "parts": [{"login": "a#"}]}"##)
    shop.change { state in state.items[0].name = nil }
    // Whose the lists of the rejected record are is not known.
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 3)
    #expect(try shop.ids("makers") == ["a0", "a1", "a2", "a3", "b0"])
    shop.change { state in state.items[0].name = "n" }
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 1)
    // The list is missing.
    part(##"{"total": 0}"##)
    #expect(try await shop.sync(options: SyncOptions(force: true)).counts.removed == 0)
  }

  @Test(
    "a child request that fails is a reject, does not hold up the others, and is tried again first, until it has an answer"
  )
  func failedChildren() async throws {
    for status in [500, 404, 403, 400] {
      for complete in ["", #""complete": true, "#] {
        let shop = try Shop(items: 3, follow: #""get": "/items?size=9", \#(complete)\#(Self.parts)"#)
        Self.answerParts(of: shop, failing: 1, status: status)
        let first = try await shop.sync()
        #expect(first.status == .partial && first.counts.rejected == 1, "\(status): \(first)")
        #expect(try shop.ids("makers") == ["p0", "p2"])
        let reject = try #require(try shop.stored("rejects", shop.ids("rejects")[0]))
        #expect(reject["expected"] == "an answer for id=1" && reject["raw"] == .string(Shop.base + "/parts/1"))
        shop.change { $0.items.append(.init(id: 3, name: "n", at: 5, maker: "m")) }
        #expect(try await shop.sync().counts.rejected == 1)
        // What the server fails at is repeated once, at once.
        let again = status == 500 ? ["/parts/1", "/parts/1"] : ["/parts/1"]
        #expect(shop.requests == again + ["/items?size=9", "/parts/3"])
        shop.answer("/parts/1", #"{"login": "p1"}"#)
        #expect(try await shop.sync().counts.added == 1)
        #expect(shop.requests == ["/parts/1", "/items?size=9"])
        #expect(try shop.ids("makers") == ["p0", "p1", "p2", "p3"])
        #expect(try shop.ids("rejects").isEmpty)
        #expect(try await shop.sync().status == .unchanged)
        #expect(shop.requests == ["/items?size=9"])
      }
    }
  }

  @Test("only a server that fails at everything makes a child request wait")
  func failingServer() async throws {
    for (status, flags) in [(500, [true, true]), (503, [true, false])] {
      let shop = try Shop(items: 1, follow: #""get": "/items?size=9", \#(Self.makers)"#)
      shop.answer("/makers/m0", status: status)
      try await shop.sync()
      #expect(shop.sentRequests.filter { $0.url.hasSuffix("/m0") }.map(\.returnsServerErrors) == flags)
    }
  }

  @Test("a child request that fails for all of them ends the pull, which goes on there")
  func failureOfAll() async throws {
    let shop = try Shop(items: 3, follow: #""get": "/items?size=9", \#(Self.makers)"#)
    shop.answer("/makers/m1", status: 401)
    #expect(try await shop.sync().error?.code == .status(401))
    shop.change { $0.answers = [:] }
    #expect(try await shop.sync().error == nil)
    #expect(shop.requests == ["/makers/m1", "/makers/m2"])
  }

  @Test("requests that an interrupted pull owes are made also where the limit is changed before it goes on")
  func abandoned() async throws {
    let shop = try Shop(
      items: 3, follow: #""get": "/items?size=9", "limit": {"default": 5, "most": 9}, \#(Self.parts)"#)
    Self.answerParts(of: shop, failing: 1, status: 401)
    #expect(try await shop.sync().error != nil)
    shop.answer("/parts/1", #"{"login": "p1"}"#)
    #expect(try await shop.sync(limit: 4).error == nil)
    #expect(try shop.ids("makers") == ["p0", "p1", "p2"])
  }

  @Test("a request that records make no more is not tried again")
  func failedChildOfRemoved() async throws {
    let shop = try Shop(items: 4, follow: #""get": "/items?size=9", "complete": true, \#(Self.parts)"#)
    Self.answerParts(of: shop, failing: 3, status: 404)
    try await shop.sync()
    shop.change { _ = $0.items.removeLast() }
    try await shop.sync()
    #expect(shop.requests == ["/parts/3", "/items?size=9"])
    #expect(try await shop.sync().status == .unchanged)
    #expect(shop.requests == ["/items?size=9"])
  }

  @Test(
    "details that come with requests of an unchanged record stay, and are asked for again by a full sync, and after a change of the definition"
  )
  func detailsOfOwnCollection() async throws {
    for occasion in ["changed", "new"] {
      let each =
        #""each": {"for": {"id": "$.id"}, "when": "\#(occasion)", "get": "/items/{id}", "take": {"into": "items"}}"#
      let fields = #""name": "text $.name", "text": "text? $.text""#
      let text = Shop.definition(#""get": "/items?size=9", "complete": true, \#(each), \#(Shop.take)"#, fields: fields)
      var shop = try Shop(items: 2, text)
      func detail(_ text: String) {
        for item in 0..<2 {
          shop.answer("/items/\(item)", #"{"id": \#(item), "name": "n\#(item)", "text": "\#(text)"}"#)
        }
      }
      detail("a")
      try await shop.sync(options: SyncOptions(full: true))
      #expect(try shop.stored("items", "1")?["text"] == "a")
      detail("b")
      #expect(try await shop.sync().status == .unchanged)
      #expect(shop.requests == ["/items?size=9"])
      #expect(try shop.stored("items", "1")?["text"] == "a", "the list has no text, and that says nothing")
      #expect(try await shop.sync(options: SyncOptions(full: true)).counts.updated == 2)
      #expect(try shop.stored("items", "1")?["text"] == "b")
      shop = try Shop(items: 2, text + " ", after: shop)
      detail("c")
      try await shop.sync()
      #expect(try shop.stored("items", "1")?["text"] == "c", "\(occasion)")
    }
  }

  // MARK: Times and points

  @Test("a list that was cut, has a record without an id, or was gone on with, is not the complete one of the week")
  func onlyJudgedListsAreComplete() async throws {
    let definition = Shop.definition(
      #""get": "/items?size=2{&cursor,since}", "pages": {"cursor": {"cursor": "$.cursor"}}, "limit": {"default": 9, "most": 99}, "since": {"field": "at", "form": "epoch"}, "complete": "7d", \#(Shop.take)"#
    )
    let odd = HTTPResponse(#"{"items": [{"id": 2, "name": "n2", "at": 1002}, {"name": "x"}], "cursor": null}"#)
    let faults: [(String, (Shop) async throws -> Void)] = [
      ("limit", { try await $0.sync(limit: 3) }),
      (
        "no id",
        { shop in
          shop.change { $0.answers["/items?size=2&cursor=2"] = odd }
          try await shop.sync()
        }
      ),
      (
        "interrupted",
        { shop in
          shop.answer("/items?size=2&cursor=2", status: 500)
          try await shop.sync()
          shop.change { $0.answers = [:] }
          try await shop.sync()
        }
      ),
    ]
    for (name, fault) in faults {
      let shop = try Shop(items: 6, definition)
      try await fault(shop)
      shop.change { $0.answers = [:] }
      try await shop.sync()
      #expect(shop.requests.allSatisfy { !$0.contains("since") }, "\(name): \(shop.requests)")
      try await shop.sync()
      #expect(shop.requests.allSatisfy { $0.contains("since") }, "\(name): \(shop.requests)")
    }
  }

  @Test("a rejected record of a list that is read in parts keeps its text until the whole list is read")
  func rejectsOfParts() async throws {
    let shop = try Shop(
      items: 4, follow: #""get": "/items?size=9{&since}", "since": {"field": "at", "form": "epoch"}, "complete": "7d""#)
    try await shop.sync()
    shop.change { state in
      state.items.append(.init(id: 8, name: nil, at: 2000, maker: "m"))
      state.items.append(.init(id: 9, name: "n", at: 2001, maker: "m"))
    }
    #expect(try await shop.sync().counts.rejected == 1)
    #expect(try await shop.sync().counts.rejected == 0)
    #expect(shop.requests == ["/items?size=9&since=2001"])
    #expect(try shop.ids("rejects").count == 1)
    shop.time.advance(by: .seconds(8 * 86_400))
    shop.change { $0.items[4].name = "n" }
    #expect(try await shop.sync().counts.added == 1)
    #expect(try shop.ids("rejects").isEmpty)
  }

  @Test("a point that is a number is not later than now, and a token is sent as the server gave it")
  func points() async throws {
    let fields = #""name": "text $.name", "at": "int $.at""#
    let shop = try Shop(
      items: 3, follow: #""get": "/items?size=9{&since}", "since": {"field": "at", "form": "epoch"}"#, fields: fields)
    let begun = shop.time.now.secondsSinceEpoch
    shop.change { $0.items[1].at = begun + 2_000_000_000 }
    try await shop.sync()
    try await shop.sync()
    #expect(shop.requests == ["/items?size=9&since=\(begun)"])
    let token = try Shop(follow: #""get": "/log{?since}", "since": {"token": "$.token"}"#)
    let answer = HTTPResponse(#"{"items": [], "token": "2999-01-01T00:00:00.123Z"}"#)
    token.change { $0.answers["/log"] = answer }
    try await token.sync()
    try await token.sync()
    #expect(token.requests == ["/log?since=2999-01-01T00%3A00%3A00.123Z"])
  }

  @Test("pages with records of an earlier one are no whole list where the list says how many there are")
  func repeatedPage() async throws {
    let shop = try Shop(
      items: 8, follow: #""get": "/items?size=2{&page}", "pages": {"page": 1, "count": "$.total"}, "complete": true"#)
    try await shop.sync()
    let repeated = HTTPResponse(
      #"{"items": [{"id": 2, "name": "n2", "at": 1002}, {"id": 3, "name": "n3", "at": 1003}], "total": 8}"#)
    shop.change { $0.answers["/items?size=2&page=3"] = repeated }
    #expect(try await shop.sync().counts.removed == 0)
    #expect(try shop.ids().count == 8)
  }
}
