import AlmanacTesting
import Foundation
import Models
import Parsing
import Persistence
import Ports
import Testing
import UpstreamKit

@testable import almanacd

/// What the pages offer besides the overview: people and photos.
@Suite struct DashboardTests {
  @Test("a person is added, edited and removed on the pages; a form that is too old changes nothing")
  func people() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let added = try await client.submit(
      "/do/people/add", [("firstName", "Ada"), ("lastName", "Lovelace"), ("birthday", "1815-12-10")])
    let page = try #require(added.nextPage)
    #expect(added.status == 303 && page.hasPrefix("/collections/people/"))
    let old = try await client.get(page + "?edit").form("/do/people/edit")
    let shown = old.filter { !$0.0.hasPrefix("was.") }
    let names = ["firstName", "lastName", "fullName", "birthday"]
    #expect(
      names.map { name in shown.first { $0.0 == name }?.1 } == ["Ada", "Lovelace", "Ada Lovelace", "10 December 1815"])
    func edited(_ changes: [String: String]) -> [(String, String)] { old.map { ($0.0, changes[$0.0] ?? $0.1) } }
    let saved = try await client.submit(
      "/do/people/edit",
      edited([
        "lastName": "King", "birthday": "", "nickname": "Countess",
      ])
        + [("emails", "work: a@example.org\r\n\r\nb@example.org"), ("note", "One\r\nTwo"), ("groups", "")])
    #expect(saved.status == 303 && saved.nextPage == page)
    let person = try await client.get("/api/v1/collections/people").list("items")[0]
    #expect(person["fullName"] as? String == "Ada King" && person["birthday"] == nil, "\(person)")
    #expect(
      person["emails"] as? [[String: String]] == [
        ["value": "a@example.org", "type": "work"], ["value": "b@example.org"],
      ])
    #expect(person["nickname"] as? String == "Countess" && person["note"] as? String == "One\nTwo")
    let rows = try await client.get(page + "?edit").form("/do/people/edit").filter { $0.0.hasPrefix("emails[]") }.map(
      \.1)
    #expect(rows == ["work", "a@example.org", "", "b@example.org", "", ""])
    let card = try await client.get(page).body
    #expect(card.contains("href=\"mailto:a@example.org\"") && card.contains("<h1>Ada King</h1>"), "\(card)")
    // The rows of the form are the lines of the lists.
    let form = try await client.get(page + "?edit").form("/do/people/edit")
    let more = form.map { field in
      field.0 == "emails[].value" && field.1.isEmpty
        ? (field.0, "c@example.org") : field.0 == "addresses[].value" ? (field.0, "X") : field
    }
    #expect(try await client.submit("/do/people/edit", more).status == 303)
    let longer = try await client.get("/api/v1/collections/people").list("items")[0]
    #expect(
      (longer["emails"] as? [[String: String]])?.map { $0["value"] } == [
        "a@example.org", "b@example.org", "c@example.org",
      ])
    let address = ["street", "city", "region", "postalCode", "country"].allSatisfy {
      (longer["addresses"] as? [[String: String]])?.first?[$0] == "X"
    }
    #expect(address && (longer["addresses"] as? [Any])?.count == 1, "\(longer)")
    // A search finds it in every collection, by all words and any field.
    let found = try await client.get("/api/v1/search?words=ada+COUNTESS")
    #expect(try found.list("items").map { $0["collection"] as? String } == ["people"], "\(found)")
    #expect(try found.object()["more"] as? Bool == false)
    #expect(try await client.get("/search?words=ada+countess").body.contains("href=\"\(page)\""))
    for (query, status) in [("words=+", 400), ("in=people", 400), ("words=a&in=peple", 404), ("words=a&limit=0", 400)] {
      #expect(try await client.get("/api/v1/search?\(query)").status == status, "\(query)")
    }
    // The form was made before the edit.
    let tooLate = try await client.submit("/do/people/remove", [old[0], old[1]])
    #expect(tooLate.status == 412)
    let now = try await client.get(page + "?edit").form("/do/people/remove")
    let removed = try await client.submit("/do/people/remove", now)
    #expect(removed.status == 303 && removed.nextPage == "/collections/people")
    #expect(try await client.get("/api/v1/collections/people").list("items").isEmpty)
    #expect(try await client.get(page).status == 404)
    // The message has a button that takes it back.
    let undo = try await client.get(try #require(removed.headers["location"])).form("/do/restore")
    #expect(try await client.submit("/do/restore", undo).status == 303)
    let back = try await client.get("/api/v1/collections/people").list("items")
    #expect(back.map { $0["fullName"] as? String } == ["Ada King"], "\(back)")
  }

  @Test("a photo is chosen in the form, kept in the card and shown; a file that is none is refused")
  func portraits() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let picture = "GIF89a\r\n\r\n--y --x"
    let fields = [("firstName", "Ada"), ("note", "a\r\nb")]
    let bad = try await client.upload("/do/people/add", "photo", "a.gif", "<svg>", fields)
    #expect(bad.status == 422 && bad.body.contains("is not a JPEG, PNG, GIF or WebP picture"), "\(bad)")
    let added = try await client.upload("/do/people/add", "photo", "a.gif", picture, fields)
    let page = try #require(added.nextPage, "\(added)")
    let person = try await client.get("/api/v1/collections/people").list("items")[0]
    let size = picture.utf8.count
    #expect((person["photo"] as? [String: Any])?["bytes"] as? Int == size && person["note"] as? String == "a\nb")
    let place = "/media/people/\(page.split(separator: "/").last ?? "")?v=\(size)"
    for shown in [page, page + "?edit", "/collections/people"] {
      #expect(try await client.get(shown).body.contains("src=\"\(place)\""), "\(shown)")
    }
    let photo = try await client.get(place)
    #expect(photo.headers["content-type"] == "image/gif" && photo.body == picture, "\(photo)")
    let form = try await client.get(page + "?edit").form("/do/people/edit")
    #expect(try await client.submit("/do/people/edit", form + [("nophoto", "true")]).status == 303)
    #expect(try await client.get(place).headers["content-type"] == "image/svg+xml")
    #expect(try await !client.get(page).body.contains("/media/people/"))
  }

  @Test("amounts, names of fields and shares are written as people write them")
  func words() {
    for (amount, currency, text) in [
      ("0.00000", "EUR", "free"), ("1.99000", "EUR", "1,99\u{A0}€"), ("4.99", "USD", "$4.99"),
      ("160.00", "JPY", "¥160"),
      ("12.5", "CHF", "CHF\u{A0}12.5"),
    ] { #expect(Shown.price(Price(amount: amount, currency: currency)) == text) }
    for (digits, text) in [
      ("0.30000000000000004", "0.3"), ("12.000", "12"), ("-0.50", "-0.5"), ("-0.0", "0"),
      ("1234567.25", "1\u{202F}234\u{202F}567.25"),
      ("0.9999999999999999", "1"), ("9.99", "9.99"), ("-123", "-123"), ("0.000012", "0.000012"), ("1e-9", "1e-9"),
      ("52.520008", "52.520008"), ("2.675", "2.675"), ("4.35.1", "4.35.1"), ("", ""),
      ("12345678901234567890.5", "12345678901234567890.5"),
    ] { #expect(Shown.decimal(digits) == text, "\(digits)") }
    for (first, last, full, letters) in [
      ("Ada", "King", nil, "AK"), ("<O", "", nil, ">O<"), ("🎉 Zoe", "'t Hooft", nil, "ZT"),
      ("🎉", "", nil, "class=\"icon\""),
      ("", "", "王小明", "王"),
    ] as [(String, String, String?, String)] {
      let person = Person(id: "x", firstName: first, lastName: last, birthday: nil, fullName: full)
      #expect(Avatar(person: person).html.text.contains(letters), "\(person)")
    }
    for (name, text) in [
      ("top-paid", "Top paid"), ("fullName", "Full name"), ("bundleID", "Bundle ID"), ("price.amount", "Price"),
      ("thumbnailURL", "Thumbnail URL"), ("id", "ID"), ("app-store", "App Store"), ("github-repos", "GitHub repos"),
    ] { #expect(Shown.heading(name) == text) }
    for (path, address) in [
      ("app-store/us/top-paid", "/follows/app-store/us/top-paid"),
      ("rss/feed/https://a.example/b c", "/follows/rss/feed/https%3A/%2Fa.example/b%20c"),
    ] { #expect(Shown.place("follows", path) == address) }
    let bar = ShareBar(parts: [(999, "good", "fresh"), (0, "warn", "stale"), (1, "bad", "failing")])
    #expect(bar.words == "999 fresh, 1 failing")
    #expect(bar.html?.text.contains("class=\"fill-bad\" x=\"999\" width=\"12\"") == true)
    #expect(ShareBar(parts: [(9, "good", "fresh"), (0, "bad", "failing")]).html == nil)
  }

  @Test("the first page tells what changed since the visit before: half an hour without a request ends a visit")
  func visits() async throws {
    let daemon = try await Daemon(follows: ["people"])
    let client = daemon.client
    try await daemon.log(holds: "synced")
    #expect(try await client.get("/").body.contains("in the last 24 hours"))
    let now = Int(Date().timeIntervalSince1970)
    func page(_ earlier: Int, _ latest: Int) async throws -> WebClient.Reply {
      try await client.get("/", headers: ["Cookie": "almanac_seen=\(now - earlier).\(now - latest)"])
    }
    for (earlier, latest, since) in [(90_000, 7200, 7200), (90_000, 60, 90_000)] {
      let reply = try await page(earlier, latest)
      #expect(
        reply.body.contains("since <time datetime=\"\(Timestamp(secondsSinceEpoch: now - since))\""), "\(reply.body)")
      #expect(reply.headers["set-cookie"]?.hasPrefix("almanac_seen=\(now - since).") == true, "\(reply.headers)")
      #expect(reply.body.contains(" new people"), "\(reply.body)")
    }
    let known = try await client.get("/api/v1/collections/people?limit=1").list("items")
    #expect(!known.isEmpty)
    // Nothing has changed since a visit that has only just ended.
    let later = try await client.get("/", headers: ["Cookie": "almanac_seen=\(now + 5).\(now + 6)"])
    #expect(later.body.contains("in the last 24 hours"), "a cookie of the future counts")
  }

  @Test("each source has a form with a field for each part of its paths, and its refusals come back to it")
  func catalogue() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    #expect(try await client.get("/add?search=charts").body.contains("href=\"/add/app-store\""))
    #expect(try await client.get("/add?search=no+such").body.contains("No source matches."))
    let template = "app-store/{storefront}/{chart}/{genre}"
    let form = try await client.get("/add/app-store").form("/do/follow", with: ("template", template))
    #expect(form.map(\.0).prefix(4) == ["template", "source", "part.storefront", "part.chart"], "\(form)")
    func submit(_ storefront: String) async throws -> WebClient.Reply {
      let values = ["part.storefront": storefront, "part.chart": "top-free", "every": "2h"]
      return try await client.submit("/do/follow", form.map { ($0.0, values[$0.0] ?? $0.1) })
    }
    let refused = try await submit("xx")
    #expect(refused.status == 422 && refused.body.contains("storefront"), "\(refused.body)")
    #expect(refused.body.contains("<option value=\"fr\">France</option>"), "\(refused.body)")
    #expect(refused.body.contains("data-page=\"/add/app-store\"") && refused.body.contains("role=\"alert\""))
    let added = try await submit("fr")
    #expect(added.status == 303 && added.nextPage == "/follows/app-store/fr/top-free", "\(added.body)")
    #expect(try await client.get("/api/v1/follows").list("items").first?["every"] as? String == "2h")
    #expect(try await client.get("/add/nothing").status == 404)
  }

  @Test(
    "a key is tried, kept in a file of its own and shown nowhere; a source of the gallery comes with its first follow")
  func setup() async throws {
    var options = UpstreamOptions()
    options.apiKey = "right"
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let daemon = try await Daemon(
      config: #"{"servers": {"flickr": {"url": "\#(upstream.url)"}}}"#,
      environment: ["HTTPS_PROXY": "http://127.0.0.1:9"])
    let (client, folder) = (daemon.client, daemon.program.folder)
    let page = try await client.get("/add/flickr").body
    #expect(page.contains("action=\"/do/setup/flickr\"") && page.contains("type=\"password\" name=\"key\""), "\(page)")
    #expect(!page.contains("action=\"/do/follow\""), "what needs a key can be followed without one")
    let early = try await client.submit("/do/follow", [("follow", "flickr/interestingness")])
    #expect(early.status == 422 && early.body.contains("needs a key first"), "\(early.body)")
    let made = try await client.post("/api/v1/tokens", #"{"name": "grafana", "rights": "read"}"#)
    var reader = client
    reader.token = try made.object()["token"] as? String
    for form in ["setup/flickr", "account/carddav", "books"] {
      #expect(try await reader.submit("/do/\(form)", [("key", "right")]).status == 403, "\(form)")
      let foreign = try await client.submit(
        "/do/\(form)", [("key", "right")], headers: ["Origin": "https://evil.example"])
      #expect(foreign.status == 403, "\(form)")
    }
    let file = folder + "/keys/flickr"
    let refused = try await client.submit("/do/setup/flickr", [("key", "wrong-one")])
    #expect(refused.status == 422 && refused.body.contains("refuses this key"), "\(refused.body)")
    #expect(!refused.body.contains("wrong-one") && !FileManager.default.fileExists(atPath: file))
    let saved = try await client.submit("/do/setup/flickr", [("key", " right ")])
    #expect(saved.status == 303 && saved.nextPage == "/add/flickr", "\(saved.body)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "right\n")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let config = try String(contentsOfFile: folder + "/config.json", encoding: .utf8)
    #expect(config.contains("keys/flickr") && !config.contains("right"), "\(config)")
    let open = try await client.get("/add/flickr").body
    #expect(open.contains("action=\"/do/follow\"") && !open.contains("right\""), "\(open)")

    #expect(try await client.get("/add").body.contains("href=\"/add/lobsters\""))
    let form = [("template", "lobsters/{list}"), ("part.list", "hottest"), ("source", "lobsters")]
    #expect(try await client.get("/add/lobsters").body.contains("value=\"lobsters/{list}\""))
    let added = try await client.submit("/do/follow", form)
    #expect(added.status == 303 && added.nextPage == "/follows/lobsters/hottest", "\(added.body)")
    #expect(FileManager.default.fileExists(atPath: folder + "/sources/lobsters.json"))
  }

  @Test("edits are told in people's words: who is new, who is to be removed, and values as they are read")
  func editsInWords() throws {
    func item(_ kind: OutboxEntry.Kind, _ edit: JSONObject, over base: JSONObject = [:], name: String) -> String {
      let entry = OutboxEntry(
        id: "e", target: kind == .post ? "people" : "people/1", kind: kind, edit: edit, base: base,
        createdAt: Timestamp(secondsSinceEpoch: 0))
      return OutboxItem(
        entry: entry, tag: "", collection: CollectionDescriptor(Person.self, columns: []), name: name,
        client: "desk"
      ).html.text
    }
    let phone = JSONValue.array([["value": "+49 30 555", "type": "work"]])
    let new = item(
      .post, ["firstName": "Iris", "lastName": "Kettle", "birthday": "1988-12-02", "phones": phone], name: "Iris Kettle"
    )
    #expect(new.contains("New person: Iris Kettle") && new.contains("2 December 1988"), "\(new)")
    #expect(new.contains("+49 30 555 (work)") && !new.contains("nothing") && !new.contains("<table"), "\(new)")
    let gone = item(.delete, [:], over: ["fullName": "Dario Ferrant", "phones": phone], name: "Dario Ferrant")
    #expect(
      gone.contains("Remove Dario Ferrant?") && gone.contains("class=\"danger\"")
        && gone.contains("Approve the removal"))
    #expect(!gone.contains("Yours") && !gone.contains("nothing"), "\(gone)")
    #expect(!item(.delete, [:], over: ["remoteID": "p-1", "nickname": "C"], name: "D").contains("p-1"))
    let changed = item(.put, ["nickname": "Countess"], over: ["nickname": .null], name: "Ada King")
    #expect(changed.contains(">Proposed</th>") && !changed.contains("class=\"was\""), "\(changed)")
  }

  @Test(
    "what became of a sync: what it brought, or why it failed and when it is tried again",
    arguments: [
      (0, 0, 0, "Synced: nothing new"), (3, 1, 0, "Synced: 3 new, 1 changed"),
      (0, 0, 1, "Failed: The server answered with an error. Next try"),
      (0, 0, 2, "Failed again: The server answered with an error. Next try"),
    ])
  func outcomes(added: Int, updated: Int, failures: Int, text: String) throws {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    var fields: JSONObject = ["follow": "users/ada", "added": .int(added), "updated": .int(updated)]
    if failures > 0 { fields.append("error", .object(Failure(.config, .notFound, "gone").fields)) }
    let line = try #require(RunLine(["id": "r", "startedAt": .string(now.description)], fields))
    let status = FollowStatus(follow: "users/ada", next: now + 960, isStale: false, failures: failures)
    let outcome = Outcome.of([line], status: status)
    #expect(outcome.text.text.hasPrefix(text) && (outcome.tone == .bad) == (failures > 0), "\(outcome)")
    let several = Outcome.of([line, line], status: nil).text.text
    #expect(several.contains(failures == 0 ? "Synced" : "2 of 2 follows failed."), "\(several)")
  }

  @Test(
    "what became of an edit that was sent again, and what the outbox says while it waits",
    arguments: [
      (OutboxEntry.State.pending, 1, false, "e", "Sending…", "Tried 1 time"),
      (.pending, 2, true, "", "Sending…", "Sending"),
      (.pending, 2, false, "the server answered 503", "Not sent: The server answered 503. Next try", "Tried 2 times"),
      (.refused, 2, false, "no", "The server refused the edit again, just now: No", "refused"),
      (.conflict, 2, false, "", "It is kept here; the server has other", "in conflict"),
      (.pending, 0, false, "", "Sending…", "Waiting to be sent"),
    ])
  func sending(
    state: OutboxEntry.State, attempts: Int, isUnknown: Bool, error: String, told: String, badge: String
  ) {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let entry = OutboxEntry(
      id: "e", target: "people/1", kind: .put, edit: ["nickname": "C"], base: [:], attempts: attempts,
      outcomeUnknown: isUnknown, state: state, lastError: error.isEmpty ? nil : error, createdAt: now)
    let outcome = Outcome.edit(entry, after: 1, next: now)
    #expect(outcome.text.text.hasPrefix(told) && (outcome.tone == .busy) == (told == "Sending…"), "\(outcome)")
    var item = OutboxItem(entry: entry, tag: "")
    (item.plan.isSending, item.plan.next) = (isUnknown, now)
    let html = item.html.text
    #expect(html.contains(">\(badge)") && html.contains("next try") == (state == .pending && !isUnknown), "\(html)")
    #expect(html.contains(">Send now<") == (state == .pending), "\(html)")
    #expect(Outcome.edit(nil, after: 1, next: nil).text.text == "The server has accepted it.")
    let first = Outcome.edit(entry, after: 0, next: nil).text.text
    #expect((first == "The server refused the edit: No.") == (state == .refused), "\(first)")
    // What a server did not take is said in place of what was said before, which it contradicts.
    #expect(outcome.isAdded == [.pending].contains(state))
  }

  @Test(
    "the outbox has the newest edit first, and with it the others of its record in the order in which they are sent")
  func ordered() {
    let items = [("a", "people/1"), ("b", "people/2"), ("c", "people/1"), ("d", "people"), ("e", "people")].enumerated()
      .map { second, edit in
        OutboxItem(
          entry: OutboxEntry(
            id: edit.0, target: edit.1, kind: .put, edit: ["nickname": "C"], base: [:],
            createdAt: Timestamp(secondsSinceEpoch: second)), tag: "")
      }
    let ordered = OutboxPage.ordered(items)
    #expect(ordered.map(\.entry.id) == ["e", "d", "a", "c", "b"])
    #expect(ordered.filter(\.isFurther).map(\.entry.id) == ["c"])
  }

  @Test("fields that both sides changed are choices that say both values")
  func choices() {
    var entry = OutboxEntry(
      id: "e", target: "people/1", kind: .put, edit: ["nickname": "C", "title": "Dr", "note": "N"], base: [:],
      theirs: ["nickname": "D", "title": "Prof", "note": .null], createdAt: Timestamp(secondsSinceEpoch: 0))
    entry.state = .conflict
    let html = OutboxItem(entry: entry, tag: "").html.text
    for (column, value, words) in [
      ("Yours", "mine", "Nickname, yours:</span><span>C"), ("Theirs", "theirs", "Position, theirs:</span><span>Prof"),
    ] {
      let field = value == "mine" ? "nickname" : "title"
      let cell =
        "<td data-name=\"\(column)\"><label class=\"side\"><input type=\"radio\" name=\"take.\(field)\" value=\"\(value)\" required><span class=\"hidden\">\(words)</span>"
      #expect(html.contains(cell), "\(cell) \(html)")
    }
    // What the server left alone is not decided, and all of the edit is in one form.
    #expect(
      !html.contains("take.note") && html.contains(">not changed<") && html.components(separatedBy: "<form").count == 2)
    #expect(html.contains("formaction=\"/do/outbox/e/discard\""), "\(html)")
    #expect(html.contains(">Save choices<") && html.contains(">All yours<") && !html.contains(">Take"), "\(html)")
  }

  @Test(
    "a follow that fails is in one state, also during a pause, and says since when and when it is tried again",
    arguments: [(1, false, "waiting"), (1, true, "failing"), (2, false, "failing")])
  func failing(failures: Int, isFault: Bool, state: String) {
    let now = Timestamp(secondsSinceEpoch: 1_800_000_000)
    let error =
      isFault
      ? Failure(.http, .unavailable, "down", code: .status(503))
      : Failure(.http, .tryLater, "later", code: .status(429), retryAfter: 60)
    for pause in [nil, Failure(.transport, .tryLater, "paused", code: .transport(.circuitOpen), retryAfter: 30)] {
      for seconds in [1, 31, 61, 3600] {
        var status = FollowStatus(
          follow: "users/ada", lastTry: now, next: now + 90, isStale: false, failures: failures,
          failingSince: now + -60,
          error: error, pause: pause)
        status.findPauseEnd(at: now + seconds)
        #expect(status.state.rawValue == state, "\(seconds) s: \(status)")
        let told = FollowsPage.times(of: status).text
        #expect(told.contains("failing since <time") == (state == "failing"), "\(told)")
        #expect(told.contains("next try <time datetime=\"\((now + 90).description)\""), "\(told)")
      }
    }
  }

  @Test("failures are told in a few words, sentences, and what a technician needs")
  func troubles() {
    let failure = Failure(
      .http, .notFound, "the server answered 404: no such user", hint: "check the address",
      url: "https://users.example/x",
      code: .status(404))
    let trouble = Trouble(failure: failure, follow: "users/nobody")
    #expect(trouble.title == "There is no ‘nobody’")
    #expect(
      trouble.sentence.hasPrefix("users.example answered 404") && trouble.sentence.hasSuffix("Check the spelling."))
    #expect(trouble.html.text.contains("The server answered 404: no such user. Check the address."))
    #expect(
      AccessPage.name(of: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36")
        == "Chrome on Linux")
    #expect(AccessPage.name(of: "curl/8") == "curl/8")
  }

  @Test("the birthdays of a month are a calendar")
  func birthdays() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    _ = try await client.post("/api/v1/collections/people", #"{"firstName": "Ada", "birthday": "1815-06-10"}"#)
    let year = Calendar(identifier: .gregorian).component(.year, from: Date())
    let page = try await client.get("/birthdays?month=\(year)-06").body
    #expect(
      page.contains("June \(year)") && page.contains("href=\"#day-10\"") && page.contains("id=\"day-10\""), "\(page)")
    #expect(page.contains("aria-label=\"10 June: 1 birthday\"") && page.contains("June \(year) (1)"), "\(page)")
    #expect(page.contains(" \(year - 1815)</span>"), "\(page)")
    #expect(page.contains("/birthdays?month=\(year)-05\"") && page.contains("/birthdays?month=\(year)-07\""))
    #expect(try await client.get("/birthdays?month=\(year)-05").body.contains("No birthday in this month."))
    // Whoever follows every link comes to an end.
    #expect(try await client.get("/birthdays?month=1259-10").body.contains("/birthdays?month=") == false)
    #expect(try await client.get("/birthdays?month=soon").status == 400)
    // Without a month, those who are next are below the calendar.
    let next = CivilDate(daysSinceEpoch: Int(Date().timeIntervalSince1970) / 86_400 + 3)
    let born = "--\(String(next.description.dropFirst(5)))"
    _ = try await client.post("/api/v1/collections/people", #"{"firstName": "Bo", "birthday": "\#(born)"}"#)
    let soon = try await client.get("/birthdays").body.components(separatedBy: "id=\"next\"").last ?? ""
    #expect(soon.contains("Bo") && soon.contains("in 3 days") && !page.contains("id=\"next\""), "\(soon)")
    // The list for paper has everybody.
    let paper = try await client.get("/collections/people?print").body
    #expect(paper.contains("10 June 1815") && paper.contains("2 in all"), "\(paper)")
  }

  @Test("a letter of the alphabet begins the list of people there, without case and accents, in either order")
  func alphabet() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    for (first, last) in [("ada", "Zuse"), ("Bo", "young"), ("Émile", "Xander"), ("Zoe", "Adler")] {
      _ = try await client.post("/api/v1/collections/people", #"{"firstName": "\#(first)", "lastName": "\#(last)"}"#)
    }
    func names(_ address: String) async throws -> [String] {
      try await client.get(address).body.matches(of: #/<strong class="cut">(\S+) /#).map { String($0.1) }
    }
    #expect(try await names("/collections/people") == ["ada", "Bo", "Émile", "Zoe"])
    #expect(try await names("/collections/people?from=B") == ["Bo", "Émile", "Zoe"])
    #expect(try await names("/collections/people?from=E") == ["Émile", "Zoe"])
    #expect(try await names("/collections/people?sort=lastName&from=Y") == ["Bo", "ada"])
    let page = try await client.get("/collections/people?sort=lastName&from=Y").body
    #expect(page.contains("4 in all") && page.contains("/collections/people?sort=lastName&amp;from=A\""))
    // Each letter that somebody begins with is a heading, in the order that is shown.
    func letters(_ address: String) async throws -> [String] {
      try await client.get(address).body.matches(of: #/<h2 id="letter-(.)">/#).map { String($0.1) }
    }
    #expect(try await letters("/collections/people") == ["A", "B", "E", "Z"])
    #expect(try await letters("/collections/people?sort=lastName") == ["A", "X", "Y", "Z"])
    #expect(try await letters("/collections/people?sort=organization").isEmpty)
  }

  @Test("groups lead to their people, from the list and from the page of a person; digits find a phone number")
  func groups() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    for (name, groups, phone) in [
      ("Ada", #"["family", "R & D"]"#, "+49 (30) 555-0199"), ("Bo", #"["family"]"#, "030 5550198"), ("Cy", "[]", "1"),
    ] {
      let fields = #"{"firstName": "\#(name)", "groups": \#(groups), "phones": [{"value": "\#(phone)"}]}"#
      #expect(try await client.post("/api/v1/collections/people", fields).status == 201, "\(fields)")
    }
    let list = try await client.get("/collections/people").body
    #expect(list.contains("/collections/people?group=R%20%26%20D\">R &amp; D 1</a>") && list.contains(">family 2</a>"))
    let family = try await client.get("/collections/people?group=family").body
    #expect(family.contains("2 people") && family.contains(">Ada</strong>") && !family.contains(">Cy</strong>"))
    #expect(family.contains("?group=family\" aria-current=\"true\""), "\(family)")
    let person = try #require(family.firstMatch(of: /href="(\/collections\/people\/[^"]+)"/)?.1)
    #expect(try await client.get(String(person)).body.contains("href=\"/collections/people?group=family\""))
    #expect(try await client.get("/collections/people?group=nobody").status == 404)
    for (words, names) in [
      ("30+555+0199", ["Ada"]), ("%2B49305550199", ["Ada"]), ("030555", ["Ada", "Bo"]), ("0305550198", ["Bo"]),
      ("999999", []),
    ] {
      let found = try await client.get("/search?words=\(words)").body
      for name in ["Ada", "Bo", "Cy"] {
        #expect(found.contains("\">\(name)</a>") == names.contains(name), "\(words): \(found)")
      }
      #expect(found.contains("Phone: ") == !names.isEmpty, "\(words): \(found)")
      let listed = try await client.get("/api/v1/collections/people?search=\(words)").list("items")
      #expect(listed.compactMap { $0["fullName"] as? String }.sorted() == names, "\(words)")
    }
  }

  @Test("the page of a person has everything of the card, and leads to the people who are related")
  func wholeCard() async throws {
    let daemon = try await Daemon(follows: [])
    let client = daemon.client
    let other = try await client.post("/api/v1/collections/people", #"{"firstName": "William", "lastName": "King"}"#)
    let place = (other.headers["location"] ?? "").replacing("/api/v1", with: "")
    let fields = #"""
      {"firstName": "Ada", "title": "Analyst", "relations": [{"value": "William King", "type": "spouse"}, {"value": "Annabella", "type": "mother"}], \#
      "urls": [{"value": "https://ada.example/"}, {"value": "javascript:alert(1)"}], "ims": [{"value": "xmpp:ada@example.org"}], \#
      "socialProfiles": [{"value": "https://social.example/@ada", "type": "mastodon"}], "dates": [{"value": "1835-07-08", "type": "anniversary"}]}
      """#
    let added = try await client.post("/api/v1/collections/people", fields)
    #expect(added.status == 201, "\(added)")
    let page = try await client.get((added.headers["location"] ?? "").replacing("/api/v1", with: "")).body
    for part in [
      ">Related, spouse</th><td><a href=\"\(place)\">William King</a></td>", ">Related, mother</th><td>Annabella</td>",
      "<a href=\"https://ada.example/\" rel=\"noreferrer\">", "<td>javascript:alert(1)</td>",
      "<td>xmpp:ada@example.org</td>",
      ">Profile, mastodon</th>", ">https://social.example/@ada</a></td>", ">Anniversary</th><td>8 July 1835",
      "<td>Analyst</td>",
    ] { #expect(page.contains(part), "\(part): \(page)") }
  }

  @Test(
    "text does not turn the direction of what is around it; what a form sends back stays as it is",
    arguments: [
      ("<p>", "\u{202E}gnp.exe", "\u{FFFD}gnp.exe"), ("<p>", "דוד", "<bdi>דוד</bdi>"), ("<p>", "Ada É", "Ada É"),
      ("", "דוד", "<bdi>דוד</bdi>"), ("<b>x</b> ", "דוד", "<bdi>דוד</bdi>"),
      ("<option value=\"a\">", "דוד", "\u{2068}דוד\u{2069}"), ("<title>", "דוד", "\u{2068}דוד\u{2069}"),
      ("<a title=\"of ", "דוד", "דוד"), ("<input value=\"", "\u{202E}a", "\u{202E}a"),
      (" alt=\"", "\u{2066}", "\u{2066}"),
      ("<textarea name=\"n\">", "\u{202E}a", "\u{202E}a"),
    ])
  func directions(before: String, value: String, shown: String) {
    let html: HTML = "\(HTML(markup: before))\(value)"
    #expect(html.text.exact == (before + shown).exact)
  }

  @Test("addresses that people guess lead to the page or the collection")
  func guessedAddresses() async throws {
    let daemon = try await Daemon(follows: [])
    let guesses = [
      ("/conflicts", "/outbox"), ("/rejects", "/activity#rejects"), ("/notifications", "/activity#receivers"),
      ("/status", "/"), ("/people", "/collections/people"), ("/people/r-1", "/collections/people/r-1"),
      ("/sessions", "/access"), ("/records", "/collections"),
    ]
    for (guess, place) in guesses {
      let reply = try await daemon.client.get(guess)
      #expect(reply.status == 303 && reply.headers["location"] == place, "\(guess): \(reply)")
    }
    for path in ["/nothing", "/outbox/x", "/api/v1/birthday", "/api/v1/"] {
      #expect(try await daemon.client.get(path).status == 404, "\(path)")
    }
    #expect(try await daemon.client.post("/conflicts", "{}").status == 404)
    #expect(try await daemon.stop().status == 0)
  }

  @Test("the list of photos counts those without a picture, and a page has the largest picture that is there")
  func missingPictures() async throws {
    var options = UpstreamOptions()
    options.photos = 12
    options.faults = ["s", "b"].map { FaultRule(.status(404), path: "/*_\($0).jpg", times: nil) }
    // Icons are missing, too: their addresses are elsewhere.
    let daemon = try await Daemon(
      follows: ["flickr/search/cats"], environment: ["HTTPS_PROXY": "http://127.0.0.1:9"], options: options)
    let client = daemon.client
    try await daemon.log(holds: "synced")
    let photos = try await client.get("/api/v1/collections/photos?limit=100").list("items")
    _ = try await client.post("/api/v1/media/fetch", "{}")
    _ = try await daemon.eventually("/photos") { $0.body.contains(">\(photos.count) photos without a picture<") }
    let id = try #require(photos.first?["id"] as? String)
    let tile = try await client.get("/large/\(id)?tile")
    #expect(tile.headers["content-type"] == "image/jpeg" && tile.headers["cache-control"] != "no-store", "\(tile)")
    let large = try await client.get("/large/\(id)")
    #expect(large.body == tile.body && large.headers["cache-control"] == "no-store", "\(large)")
    let details = try await client.get("/collections/photos/\(id)").body
    #expect(details.contains("class=\"large-photo\" href=\"/large/\(id)\""), "\(details)")
    // The day of a photo is the one by which it is in the list.
    let page = try await client.get("/photos").body
    #expect(page.contains("by day of posting") && page.contains(" · posted "), "\(page)")
    #expect(!page.contains("aria-current=\"true\""), "no year is chosen")
  }

  @Test("photos have pages, by owner too, and each a large picture that is fetched when it is looked at")
  func photos() async throws {
    var options = UpstreamOptions()
    options.photos = 150
    let daemon = try await Daemon(follows: ["flickr/search/cats"], options: options)
    let client = daemon.client
    try await daemon.log(holds: "synced")
    let first = try await client.get("/photos").body
    let photos = try await client.get("/api/v1/collections/photos?limit=1000").list("items")
    #expect(first.components(separatedBy: "<li>").count - 1 == min(60, photos.count))
    let photo = try #require(photos.first)
    let (id, owner) = (photo["id"] as? String ?? "", photo["ownerID"] as? String ?? "")
    let page = try await client.get("/photos/\(id)").body
    #expect(page.contains("src=\"/large/\(id)\"") && page.contains("/photos?owner="))
    let large = try await client.send("HEAD", "/large/\(id)")
    #expect(large.status == 200 && large.headers["content-type"]?.hasPrefix("image/") == true, "\(large)")
    #expect(large.headers["content-type"] != "image/svg+xml" && large.headers["cache-control"] != "no-store")
    #expect(try await client.get("/large/nothing").status == 404)
    // A tile has an image of its size, which is fetched when it is seen.
    #expect(first.contains("data-tile=\"/large/\(id)?tile\""), "\(first)")
    let tile = try await client.send("HEAD", "/large/\(id)?tile")
    #expect(tile.status == 200 && tile.headers["content-type"] == "image/jpeg", "\(tile)")
    #expect(tile.headers["cache-control"] != "no-store", "\(tile)")
    #expect(try await client.get("/large/nothing?tile").status == 404)
    let own = photos.count { $0["ownerID"] as? String == owner }
    let path = owner.replacingOccurrences(of: "@", with: "%40")
    let list = try await client.get("/photos?owner=\(path)").body
    // An owner may also be named; an unknown one, and an unknown chart, are not found.
    let owners = try await client.get("/api/v1/collections/owners?limit=1000").list("items")
    let name = try #require(owners.first { $0["id"] as? String == owner }?["username"] as? String)
    let allowed = CharacterSet.alphanumerics
    let named = try await client.get(
      "/photos?owner=\(name.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")")
    #expect(named.status == 200 && named.body.contains("<li>"), "\(named)")
    for (query, words) in [
      ("/photos?owner=nobody", "o such owner"), ("/photos?owner=nobody&follow=flickr/search/cats", "o such owner"),
      ("/photos?follow=flickr/search/dogs", "t is not known which photos"),
      ("/charts/app-store/us/nope", "here is no chart &#39;nope&#39;"), ("/charts/people", "is not a chart"),
    ] {
      let page = try await client.get(query, headers: ["Accept": "text/html"])
      #expect(page.status == 404, "\(query): \(page.status)")
      #expect(
        page.body.replacingOccurrences(of: "&#39;", with: "'").contains(
          words.replacingOccurrences(of: "&#39;", with: "'")),
        "\(query): \(page.body)")
    }
    #expect(list.components(separatedBy: "<li>").count - 1 == min(60, own))
  }

  @Test("photos by follow and by owner: in the API, on the page and in the CLI; a second sync writes nothing")
  func photosByFollow() async throws {
    var options = UpstreamOptions()
    (options.photos, options.owners) = (40, 5)
    let upstream = try Upstream(options)
    defer { upstream.stop() }
    let daemon = try await Daemon(
      config: Daemon.config(["flickr/interestingness", "flickr/search/cats"], url: upstream.url, every: "1h"),
      arguments: ["--verbose"])
    let client = daemon.client
    try await daemon.log(holds: "synced", times: 2)
    let all = try await client.get("/api/v1/photos?limit=1000").object()
    let owner = try #require((all["items"] as? [[String: Any]])?.first?["ownerID"] as? String)
    let own = "flickr/photos/\(owner)"
    #expect(try await client.get("/api/v1/photos?follow=\(own)").status == 404)
    #expect(try await client.post("/api/v1/follows", #"{"follow": "\#(own)"}"#).status == 201)
    let listed = try await daemon.eventually("/api/v1/photos?follow=\(own)&limit=1000") { $0.status == 200 }
    let items = try listed.list("items")
    #expect(!items.isEmpty && items.allSatisfy { $0["ownerID"] as? String == owner }, "\(listed.body)")
    let total = try #require(listed.object()["total"] as? Int)
    #expect(total == items.count && total < all["total"] as? Int ?? 0, "\(total) of \(all["total"] ?? 0)")
    // The same photos by the owner, page by page.
    var (found, after) = ([String](), "")
    repeat {
      let page = try await client.get("/api/v1/photos?owner=\(owner)&limit=3\(after)").object()
      found += (page["items"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
      after = (page["next"] as? String).map { "&after=\($0)" } ?? ""
    } while !after.isEmpty
    #expect(Set(found).isSuperset(of: items.compactMap { $0["id"] as? String }) && Set(found).count == found.count)
    let page = try await client.get("/photos?follow=\(own)")
    #expect(page.status == 200 && page.body.contains("<h1>Photos · ") && page.body.contains("\(total) in all"))
    let links = try await client.get("/photos").body
    #expect(links.contains("/photos?follow=flickr%2Fsearch%2Fcats\""), "\(links)")
    #expect(try await client.get("/photos?follow=flickr/search/dogs", headers: ["Accept": "text/html"]).status == 404)
    #expect(links.contains(">cats</a>"))
    #expect(try await client.get("/api/v1/photos?after=none").status == 400)
    let before = try await client.get("/api/v1/changes?limit=1000").object()["next"] as? String ?? ""
    _ = try await client.post("/api/v1/sync", #"{"follows": ["\#(own)"]}"#)
    try await daemon.log(holds: "synced", times: 4)
    let after2 = try await client.get("/api/v1/changes?since=\(before)&limit=1000").list("items")
    #expect(after2.allSatisfy { ["state", "runs"].contains($0["collection"] as? String ?? "") }, "\(after2)")
  }

  @Test("charts that nobody follows any more, and a filter of photos without an answer, have pages")
  func emptyPages() async throws {
    let daemon = try await Daemon(config: #"{"follows": [{"follow": "flickr/search/fog", "paused": true}]}"#)
    let client = daemon.client
    let coder = JSONRecordCoder()
    let store = try JSONFileStore(folder: daemon.program.store)
    let at = Timestamp(rfc3339: "2026-11-26T12:00:00Z")!
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      for (genre, time) in [(nil, at), (nil, at + 60), ("6014", at)] {
        let chart = ChartSnapshot(
          storefront: "us", chart: "top-paid", genre: genre, observedAt: time, lastObservedAt: time, ranks: ["1"])
        try transaction.put(chart, coder)
      }
    }
    let charts = try await client.get("/charts").body
    #expect(charts.contains("2 in all") && !charts.contains("No chart is followed"), "\(charts)")
    #expect(
      charts.contains("/charts/app-store/us/top-paid\"") && charts.contains("/charts/app-store/us/top-paid/6014\""))
    let photos = try await client.get("/photos?follow=flickr%2Fsearch%2Ffog")
    #expect(photos.status == 200 && photos.body.contains("has not answered yet."), "\(photos.body)")
    #expect(try await client.get("/photos?follow=flickr%2Fsearch%2Frain").status == 404)
  }

  @Test("an app's ranks by chart and in a range of time")
  func history() async throws {
    let daemon = try await Daemon(follows: ["app-store/us/top-paid", "app-store/us/top-free"])
    let client = daemon.client
    try await daemon.log(holds: "synced", times: 2)
    var charts: [String: [String]] = [:]
    for chart in ["app-store/us/top-paid", "app-store/us/top-free"] {
      let top = try await client.get("/api/v1/charts/top?chart=\(chart)").list("items")
      for id in top.compactMap({ $0["id"] as? String }) { charts[id, default: []].append(chart) }
    }
    let (id, paths) = try #require(charts.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) })
    for chart in paths {
      let page = try await client.get("/apps/us/\(id)?chart=\(chart)&since=7d").body
      // A few points are dots.
      #expect(page.contains("<svg class=\"plot\"") && page.contains("<circle"), "\(page)")
      #expect(
        page.contains("since=7d\" aria-current=\"true\">Week</a>") && page.contains("since=365d\">Year"), "\(page)")
      #expect(page.contains("aria-label=\"Charts\"") == (paths.count > 1))
      #expect(page.contains("id=\"prices\""), "\(page)")
    }
    let (store, coder) = (try JSONFileStore(folder: daemon.program.store), JSONRecordCoder())
    _ = try await store.write { (transaction: inout any StoreTransaction) throws(StoreError) in
      for hour in 1...3 {
        let time = Timestamp(secondsSinceEpoch: Int(Date().timeIntervalSince1970) - hour * 3600)
        let chart = ChartSnapshot(
          storefront: "us", chart: "top-paid", genre: nil, observedAt: time, lastObservedAt: time, ranks: [id])
        try transaction.put(chart, coder)
      }
    }
    let drawn = try await client.get("/apps/us/\(id)?chart=app-store/us/top-paid&since=7d").body
    #expect(drawn.contains("<svg class=\"plot\"") && drawn.contains("in app-store/us/top-paid: ranks"), "\(drawn)")
    for (query, status) in [("?since=soon", 400), ("?chart=app-store/fr/new", 404), ("", 200)] {
      let reply = try await client.get("/apps/us/\(id)\(query)", headers: ["Accept": "text/html"])
      #expect(reply.status == status, "\(query): \(reply.body)")
    }
  }
}
