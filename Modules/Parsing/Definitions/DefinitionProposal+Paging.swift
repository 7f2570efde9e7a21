import Models
import Ports

// How a list continues, and which parameters of the address hold a key.

/// The address of a request whose parameters become variables.
struct ProposedAddress {
  /// A parameter of the query; without `=`, there is no value.
  struct Parameter {
    var name: String
    var value: String?
  }

  /// The path, with braces escaped.
  let path: String
  /// The parameters that every page has.
  var query: [Parameter]
  var later: [String] = []
  /// The variables of all pages, with their value on the first one.
  var first: [(name: String, value: String)] = []

  init(_ target: String) {
    path = String(target.prefix { $0 != "?" }).replacing("{", with: "%7B").replacing("}", with: "%7D")
    let text = target.drop { $0 != "?" }.dropFirst()
    query = text.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return Parameter(name: sides[0], value: sides.count == 2 ? sides[1] : nil)
    }
  }

  /// The place of the first parameter with one of these names and a number.
  func number(_ names: [String]) -> (place: Int, value: Int)? {
    for (place, parameter) in query.enumerated() where names.contains(Self.plain(parameter.name)) {
      if let value = parameter.value.flatMap({ Int($0) }), value >= 0 { return (place, value) }
    }
    return nil
  }

  /// The name in lower case, alone where it is one of a group: `size` for `page[size]`, `page` for `page[number]`.
  private static func plain(_ name: String) -> String {
    let name = name.lowercased().replacing("%5b", with: "[").replacing("%5d", with: "]")
    guard let group = ["page[", "pagination[", "paging["].first(where: name.hasPrefix), name.hasSuffix("]") else {
      return name
    }
    let inner = String(name.dropFirst(group.count).dropLast())
    return inner == "number" ? "page" : inner
  }

  /// Adds a variable that comes with the page before, in place of a value that the address has.
  mutating func continues(with variable: String) {
    // Many APIs begin a list that is read by a cursor with *.
    if let place = query.firstIndex(where: { $0.name.exact == variable.exact && $0.value == "*" }) {
      query[place].value = "{\(variable)}"
      return first.append((variable, "*"))
    }
    query.removeAll { $0.name.exact == variable.exact }
    later.append(variable)
  }

  var text: String {
    let pairs = query.map { parameter in parameter.value.map { "\(parameter.name)=\($0)" } ?? parameter.name }
    let extra = later.isEmpty ? "" : "{\(pairs.isEmpty ? "?" : "&")\(later.joined(separator: ","))}"
    return path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")) + extra
  }
}

extension DefinitionProposal {
  /// What stands for a secret in recordings.
  private static let mask = "REDACTED"

  /// Takes secrets out of the address; a definition has none.
  ///
  /// - Returns: how the key is sent; `nil` if the address has none.
  mutating func key(in address: inout ProposedAddress) -> JSONObject? {
    let secrets = address.query.filter { $0.value == Self.mask || $0.value != nil && isSecret(.parameter($0.name)) }
    address.query.removeAll { parameter in secrets.contains { $0.name.exact == parameter.name.exact } }
    if address.path.contains(Self.mask) {
      note(
        "address", address.path, isSure: false,
        "a secret of the recorded path is masked, and no address of a definition can hold one")
    }
    guard let first = secrets.first else { return nil }
    let others = secrets.dropFirst().map(\.name)
    note(
      "auth", "query \(first.name)", isSure: others.isEmpty && first.value == Self.mask,
      "the parameter is taken for a key, and its value is left out: it belongs in servers.NAME.apiKey"
        + (others.isEmpty ? "" : "; \(others.joined(separator: ", ")) are left out, too"))
    return ["query": .object([.init(stringLiteral: first.name): "{key}"])]
  }

  /// Adds a member before the collections, as in definitions that people write; one that is there stays.
  static func add(_ name: String, _ value: JSONValue, to definition: inout JSONObject) {
    guard definition[name] == nil else { return }
    let place = definition.members.firstIndex { $0.key == "collections" } ?? definition.members.count
    definition.members.insert(.init(key: name, value: value), at: place)
  }

  /// How the key is sent, by the header fields of a recorded request; `nil` if they have none.
  static func key(
    in fields: [(name: String, value: String)], isSecret: JSONDefinitionFormat.SecretCheck
  ) -> (auth: JSONObject, note: ProposedDefinition.Note)? {
    for (name, value) in fields {
      let isAuthorization = name.lowercased() == "authorization"
      let isCookie = name.lowercased().hasSuffix("cookie") || name.lowercased().hasPrefix("proxy-")
      guard !isCookie, isAuthorization || value == mask || isSecret(.header(name)) else { continue }
      let scheme = value.split(separator: " ").first.map { $0.lowercased() }
      if isAuthorization {
        let kind = scheme == "basic" ? "basic" : "bearer"
        return (
          [.init(stringLiteral: kind): "{key}"],
          .init(
            part: "auth", choice: kind, isSure: scheme == kind, reason: "the request has the header field Authorization"
          )
        )
      }
      return (
        ["headers": .object([.init(stringLiteral: name): "{key}"])],
        .init(
          part: "auth", choice: "header \(name)", isSure: value == mask,
          reason: "the field is taken for a key, and its value is left out: it belongs in servers.NAME.apiKey")
      )
    }
    return nil
  }

  /// How the list continues; `nil` if one answer is taken for all.
  mutating func paging(_ root: JSONNode, _ address: inout ProposedAddress) -> JSONObject? {
    var pages = JSONObject()
    let sizes = [
      "per_page", "limit", "size", "page_size", "pagesize", "maxresults", "max_results", "count", "rows", "max",
      "first",
    ]
    let size = address.number(sizes).flatMap { $0.value > 0 ? $0 : nil }
    let page = address.number(["page", "p"])
    let offset = address.number(["offset", "skip", "start", "startat", "start_at", "startindex", "from"])
    let next = Self.member(root, where: Self.isNextValue)
    if headers.values("Link").contains(where: { $0.contains("next") }) {
      pages.append("link", "next")
      note("pages", "link", isSure: true, "the answer has a header field Link with the relation next")
    } else if let next = Self.member(root, where: { Self.namesNext($0) && Self.isAddress($1) }) {
      pages.append("next", next.path)
      note("pages", next.path, isSure: true, "it holds the address of the next page")
    } else if let place = page ?? offset, let next, next.isNumber {
      // Counting sends what the address has already; the answer only says whether there is more.
      let word = page == nil ? "offset" : "page"
      pages.append(word, place.value)
      pages.append("more", next.path)
      address.query[place.place].value = "{\(word)}"
      note("pages", word, isSure: true, "the address has it, and \(next.path) says whether there are more")
    } else if let cursor = Self.member(root, where: Self.isCursor) ?? next {
      let variable = Self.variable(of: cursor)
      pages.append("cursor", .object(JSONObject(members: [.init(key: variable, value: .string(cursor.path))])))
      address.continues(with: variable)
      note(
        "pages", cursor.path, isSure: false,
        "it looks like a cursor; the parameter may have another name than \(variable)")
    } else if let token = Self.member(root, where: Self.isOffsetToken) {
      pages.append("cursor", ["offset": .string(token.path)])
      address.continues(with: "offset")
      note("pages", token.path, isSure: false, "it looks like a cursor, and the parameter usually has the same name")
    } else if let page {
      pages.append("page", page.value)
      address.query[page.place].value = "{page}"
      note("pages", "page", isSure: true, "the address has a number of a page")
    } else if let offset {
      pages.append("offset", offset.value)
      address.query[offset.place].value = "{offset}"
      note("pages", "offset", isSure: true, "the address has an offset")
    } else if let current = Self.member(
      root, where: { Self.pageNumbers.contains($0.filter(\.isLetter)) && $1.int != nil }),
      let last = lastPage(root)
    {
      pages.append("page", current.number)
      address.query.append(.init(name: "page", value: "{page}"))
      note(
        "pages", "page", isSure: false,
        "\(current.path) is the number of the page, and \(last) that of all; the parameter may have another name than page"
      )
    } else if let more = Self.member(root, where: Self.saysMore), Self.isListObject(root) {
      pages.append("last", ["starting_after": "$.id"])
      pages.append("more", more.path)
      address.continues(with: "starting_after")
      note("pages", more.path, isSure: false, "the list goes on after the id of its last record, as with Stripe")
    } else if let more = Self.member(root, where: Self.saysMore) {
      note("pages", "none", isSure: false, "\(more.path) says that there is more, but how to ask for it is not known")
      return nil
    } else {
      note("pages", "none", isSure: false, "nothing in the answer names a next page: one answer is taken for all")
      return nil
    }
    if let size, let place = address.number(sizes)?.place {
      pages.append("size", size.value)
      address.query[place].value = "{size}"
    }
    return pages
  }

  /// Adds the place of the number of all records, or of pages, to what says how the list continues.
  ///
  /// - Parameter count: the records of the answer.
  /// - Returns: whether the list is read as a whole, so that what it lacks was removed.
  mutating func isWhole(_ root: JSONNode, _ count: Int, _ pages: inout JSONObject?) -> Bool {
    let offer = "what the API removes stays here; write \"complete\": true in the follow if the list is whole"
    guard pages != nil else {
      let total = Self.member(root) { name, value in
        value.int.map { Self.isTotal(name) && $0 >= count || Self.counts.contains(name) && $0 > count } == true
      }
      guard let total, total.number == count else {
        if let total, let number = total.number {
          note(
            "pages", "none", isSure: false,
            "\(total.path) is \(number), so that there may be more, but how to ask for it is not known; "
              + "ask for an address with a page or an offset")
        }
        note("complete", "none", isSure: false, offer)
        return false
      }
      pages = ["count": .string(total.path)]
      note(
        "complete", "true", isSure: true,
        "\(total.path) says that the answer has all records; an answer with fewer removes nothing")
      return true
    }
    // A number that is not above that of the answer may be that of the page alone.
    let counts = Self.member(root) {
      (Self.isTotal($0) || Self.counts.contains($0)) && $1.int.map { $0 > count } == true
    }
    let known = counts.map { (place: $0.path, isOfPages: false) }
    let found = known ?? headerEnd ?? lastPage(root).map { (place: $0, isOfPages: true) }
    guard let (end, isOfPages) = found else {
      note("complete", "none", isSure: false, offer)
      return false
    }
    let isCounted = pages?["page"] != nil || pages?["offset"] != nil
    // A list with a link or a cursor says itself where it ends; the number of records tells whether it came to the end.
    if !isOfPages || isCounted {
      pages?.append(isOfPages ? "pages" : "count", end)
      note(
        "pages", end, isSure: false,
        "it looks like the number of all \(isOfPages ? "pages" : "records")\(isCounted ? ", where the list ends" : "")"
      )
    }
    note(
      "complete", "true", isSure: false,
      "each sync reads the whole list and removes here what it lacks; leave it out if the list has only the newest records"
    )
    return true
  }

  /// Whether a member has the number of all records: `total`, `total_count`, `totalResults`, `numFound`.
  private static func isTotal(_ name: String) -> Bool {
    let letters = name.filter(\.isLetter)
    let rests = ["", "count", "results", "items", "records", "elements", "hits", "found", "rows", "entries"]
    return letters == "numfound" || letters.hasPrefix("total") && rests.contains(String(letters.dropFirst(5)))
  }

  /// Other names of the number of records, which some APIs use for that of one page.
  private static let counts = ["count", "found", "hits", "result_count", "resultcount", "record_count"]

  /// Names of the number of pages, letters alone.
  private static let lastPages = [
    "totalpages", "pages", "lastpage", "lastvisiblepage", "pagecount", "numpages", "nbpages", "maxpage",
  ]

  /// Names of the number of the page that the answer is, letters alone.
  private static let pageNumbers = ["page", "currentpage", "pagenumber", "pageindex", "number"]

  private func lastPage(_ root: JSONNode) -> String? {
    Self.member(root) { Self.lastPages.contains($0.filter(\.isLetter)) && $1.int != nil }?.path
  }

  /// The header field with the number of all pages or records, as those of WordPress and of many others.
  private var headerEnd: (place: String, isOfPages: Bool)? {
    let names = [
      ("X-WP-TotalPages", true), ("X-Total-Pages", true), ("X-WP-Total", false), ("X-Total-Count", false),
      ("X-Total", false),
    ]
    let found = names.first { name, _ in headers.values(name).first.flatMap { Int($0) } != nil }
    return found.map { ("header \($0.0)", $0.1) }
  }

  /// `next`, `next_url`, `more_topics_url`
  private static func namesNext(_ name: String) -> Bool {
    name.contains("next") || name.hasPrefix("more") && (name.hasSuffix("url") || name.hasSuffix("href"))
  }

  /// `has_more`, `hasMore`, `is_truncated`: there are further pages.
  private static func saysMore(_ name: String, _ value: JSONNode) -> Bool {
    let letters = name.filter(\.isLetter)
    switch value.bool {
    case true?: return ["more", "hasmore", "hasnext", "hasnextpage", "istruncated", "truncated"].contains(letters)
    case false?: return ["islast", "lastpage", "islastpage", "done", "complete"].contains(letters)
    case nil: return false
    }
  }

  /// An `offset` that is no number, as Airtable's.
  private static func isOffsetToken(_ name: String, _ value: JSONNode) -> Bool {
    name == "offset" && value.string.map { Int($0) == nil && !$0.isEmpty } == true
  }

  /// `"object": "list"`, as Stripe and those who follow it write it.
  private static func isListObject(_ root: JSONNode) -> Bool { root["object"]?.string == "list" && root["data"] != nil }

  private static func isAddress(_ value: JSONNode) -> Bool {
    value.string.map { $0.hasPrefix("http") || $0.hasPrefix("/") || $0.hasPrefix("?") } == true
  }

  private static func isCursor(_ name: String, _ value: JSONNode) -> Bool {
    ["cursor", "token", "continuation", "after"].contains { name.contains($0) }
      && value.string.map { !$0.isEmpty && $0 != mask } == true
  }

  /// Words that a member with the number or the token of the next page has beside `next`.
  private static let nextWords = [
    "", "page", "pagenumber", "pagenum", "number", "num", "no", "offset", "skip", "start", "from", "index", "key",
    "marker", "cursor", "token", "pagetoken", "pagecursor", "id",
  ]

  /// `next`, `next_page`, `nextOffset`: a number above 0, or a token. `next_update` is something else.
  private static func isNextValue(_ name: String, _ value: JSONNode) -> Bool {
    guard let place = name.firstRange(of: "next") else { return false }
    var rest = name
    rest.removeSubrange(place)
    guard nextWords.contains(rest.filter { $0.isLetter || $0.isNumber }) else { return false }
    if value.isNumber { return value.int.map { $0 > 0 } == true }
    return value.string?.isEmpty == false && !isAddress(value)
  }

  /// The parameter that usually takes such a cursor.
  private static func variable(of cursor: Member) -> String {
    let name = cursor.name
    if name.contains("token") { return "page_token" }
    if name.contains("after") { return "after" }
    for word in ["page", "offset", "skip", "start", "from", "index", "marker", "key"] where name.contains(word) {
      return word
    }
    guard cursor.isNumber, !name.contains("cursor") else { return "cursor" }
    // The second page, or the number of records before it.
    return cursor.number == 2 ? "page" : "offset"
  }

  struct Member {
    /// Its name in lower case.
    var name: String
    var path: String
    var isNumber: Bool
    var number: Int?
  }

  /// The first member outside lists that is as asked for.
  private static func member(_ root: JSONNode, where isFound: (String, JSONNode) -> Bool) -> Member? {
    var found: Member?
    func look(_ node: JSONNode, _ path: String, _ depth: Int) {
      // Members of records say nothing of the list.
      guard !isMap(node) else { return }
      node.forEachMember { name, value in
        let text = name.text
        if found == nil, isFound(text.lowercased(), value) {
          found = Member(name: text.lowercased(), path: path + step(text), isNumber: value.isNumber, number: value.int)
        }
        if depth > 0 { look(value, path + step(text), depth - 1) }
      }
    }
    look(root, "$", 3)
    return found
  }
}
