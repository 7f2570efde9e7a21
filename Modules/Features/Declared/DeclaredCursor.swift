import Models
import Ports

/// Where the pull of a list continues.
struct DeclaredCursor: Hashable, Sendable {
  struct Place: Hashable, Sendable {
    /// The address that the page before named.
    var href: String?
    /// Variables whose values came with the page before.
    var variables: JSONObject = [:]
    /// `page` or `offset`.
    var number: Int?
    /// Where the span of a list that is asked for step by step begins; `nil` in the first step.
    var window: Timestamp?

    var fields: JSONObject {
      [
        "href": .of(href), "variables": !variables.isEmpty ? .object(variables) : nil, "number": .of(number),
        "window": .of(window?.description),
      ]
    }

    init(href: String? = nil, variables: JSONObject = [:], number: Int? = nil, window: Timestamp? = nil) {
      self.window = window
      self.href = href
      self.variables = variables
      self.number = number
    }

    /// Whether it is the page that is here already, at a place and an address.
    func isPage(at place: Place, _ url: String) -> Bool {
      href.map { $0.exact == url.exact } ?? (number == nil && !variables.isEmpty && variables == place.variables)
    }

    init(fields: JSONObject) {
      self.init(
        href: fields["href"]?.string, variables: fields["variables"]?.object ?? [:], number: fields["number"]?.count,
        window: fields["window"]?.timestamp)
    }
  }

  /// A request that a record made and that was not sent to its end yet, or that failed.
  struct Waiting: Hashable, Sendable {
    /// Which of the requests of records, each before those that its own records make.
    var child: Int
    /// The values of its variables, those of the records around its record first.
    var variables: JSONObject
    var list = ListProgress()
    /// How often it was not found.
    var misses = 0

    /// The request as it is kept.
    var fields: JSONObject {
      let request: JSONObject = ["child": .int(child), "variables": .object(variables)]
      return request.adding(list.fields).adding(["misses": .of(misses == 0 ? nil : misses)])
    }

    init(child: Int, variables: JSONObject) { (self.child, self.variables) = (child, variables) }

    init(fields: JSONObject) {
      self.init(child: fields["child"]?.count ?? 0, variables: fields["variables"]?.object ?? [:])
      list = ListProgress(fields: fields)
      list.place = list.place ?? Place()
      misses = fields["misses"]?.count ?? 0
    }

    /// The values: `login=ada`.
    var text: String { variables.members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: " ") }
  }

  var list: ListProgress
  /// When the first page was read.
  var begun: Timestamp?
  /// Whether records that are known make their requests again.
  var isFull = false
  /// Requests of records, the innermost first.
  var waiting: [Waiting] = []

  init(isComplete: Bool, begun: Timestamp? = nil) {
    list = ListProgress(isComplete: isComplete)
    self.begun = begun
  }

  init(fields: JSONObject) {
    list = ListProgress(fields: fields)
    begun = fields["begun"]?.timestamp
    isFull = fields["full"]?.bool ?? false
    waiting = (fields["waiting"]?.array ?? []).compactMap(\.object).map(Waiting.init(fields:))
  }

  /// The cursor as it is kept; `nil` where nothing is left to do.
  var next: JSONObject? {
    guard list.place != nil || !waiting.isEmpty else { return nil }
    return list.fields.adding([
      "begun": .of(begun?.description), "full": .of(isFull ? true : nil),
      "waiting": .of(waiting.isEmpty ? nil : .array(waiting.map { .object($0.fields) })),
    ])
  }
}

/// How far a list was read: that of the follow, or of a request that a record made.
struct ListProgress: Hashable, Sendable {
  typealias Place = DeclaredCursor.Place

  /// The next page; `nil` once the list is here.
  var place: Place? = Place()
  /// Pages that came.
  var pages = 0
  /// Records that came, those left out included.
  var count = 0
  /// Pages without a record, one after another.
  var empty = 0
  /// Those of them that the follow lists.
  var listed = 0
  var taken = 0
  var point: String?
  /// The values that the point is made of, in the order of the records.
  var order = ValueOrder()
  /// What ended the list before its end: `limit` or `most`.
  var cut: String?
  /// Whether the answers contradict one another.
  var isContradicted = false
  /// Whether a page may lack records.
  var isDoubtful = false
  var rejected = 0
  /// The names of the lists of its records of which something is remembered.
  var demanded: Set<ExactString> = []
  /// Whether the list is read as a whole, so that no point is sent.
  var isComplete = false
  /// Whether the list was begun anew, because the server did not know the point or the place any more.
  var hasRestarted = false
  /// A place that the list was at before, and how many pages ago it was noted: a list that comes back to it has no end.
  /// With a distance that doubles, every cycle is found (Brent's algorithm).
  var mark = ""
  var distance = 0
  var longest = 1

  init(isComplete: Bool = false) { self.isComplete = isComplete }

  init(fields: JSONObject) {
    place = fields["place"]?.object.map(Place.init(fields:))
    pages = fields["pages"]?.count ?? 0
    count = fields["count"]?.count ?? 0
    empty = fields["empty"]?.count ?? 0
    listed = fields["listed"]?.count ?? 0
    taken = fields["taken"]?.count ?? 0
    point = fields["point"]?.string
    order = ValueOrder(fields: fields["order"]?.object ?? [:])
    cut = fields["cut"]?.string
    isContradicted = fields["contradicted"]?.bool ?? false
    isDoubtful = fields["doubtful"]?.bool ?? false
    rejected = fields["rejected"]?.count ?? 0
    demanded = Set(fields["demanded"]?.array?.compactMap { $0.string?.exact } ?? [])
    isComplete = fields["complete"]?.bool ?? false
    hasRestarted = fields["restarted"]?.bool ?? false
    mark = fields["mark"]?.string ?? ""
    distance = fields["distance"]?.count ?? 0
    longest = fields["longest"]?.count ?? 1
  }

  var fields: JSONObject {
    func number(_ number: Int, unless standard: Int = 0) -> JSONValue? { .of(number == standard ? nil : number) }
    let order = order.fields
    return [
      "place": .of(place.map { .object($0.fields) }), "pages": number(pages), "count": number(count),
      "empty": number(empty), "listed": number(listed), "taken": number(taken), "point": .of(point),
      "order": .of(order.isEmpty ? nil : .object(order)), "cut": .of(cut),
      "contradicted": .of(isContradicted ? true : nil), "doubtful": .of(isDoubtful ? true : nil),
      "rejected": number(rejected),
      "demanded": .of(demanded.isEmpty ? nil : .array(demanded.sorted().map { .string($0.text) })),
      "complete": .of(isComplete ? true : nil), "restarted": .of(hasRestarted ? true : nil),
      "mark": .of(mark.isEmpty ? nil : mark), "distance": number(distance), "longest": number(longest, unless: 1),
    ]
  }

  /// Goes on to a place. Returns whether the list was there before.
  mutating func advance(to next: Place?, name: String) -> Bool {
    place = next
    guard next != nil else { return false }
    let digest = String(SHA256.digest(name.utf8).prefix(16))
    if digest.exact == mark.exact { return true }
    distance += 1
    if distance >= longest {
      (mark, distance, longest) = (digest, 0, longest * 2)
    }
    return false
  }

  /// Begins anew, once.
  ///
  /// - Throws: `SourceError.meant` where that was done already.
  mutating func restart(isComplete: Bool, url: String) throws(SourceError) {
    guard !hasRestarted else {
      let said = APIFailure(code: "restart", message: "the server asks for another beginning at the first request")
      throw .meant(.refused, said: said, url: url)
    }
    self = ListProgress(isComplete: isComplete)
    (hasRestarted, place) = (true, Place())
  }

  /// Goes on to the span that begins at a time.
  mutating func advance(toWindow start: Timestamp) {
    place = Place(window: start)
    (pages, count, mark, distance, longest) = (0, 0, "", 0, 1)
  }
}

/// The order in which the values of a field came.
struct ValueOrder: Hashable, Sendable {
  private(set) var lowest: String?
  /// The highest value but one: records with the highest one may follow.
  private(set) var secondHighest: String?
  private(set) var isAscending = true
  private(set) var isDescending = true
  private var last: String?

  init() {}

  init(fields: JSONObject) {
    lowest = fields["lowest"]?.string
    secondHighest = fields["secondHighest"]?.string
    last = fields["last"]?.string
    isAscending = fields["ascending"]?.bool ?? true
    isDescending = fields["descending"]?.bool ?? true
  }

  /// The form in which it is kept.
  var fields: JSONObject {
    [
      "lowest": .of(lowest), "secondHighest": .of(secondHighest), "last": .of(last),
      "ascending": .of(isAscending ? nil : false), "descending": .of(isDescending ? nil : false),
    ]
  }

  /// Adds the next value, and updates the highest one.
  mutating func add(_ value: String, highest: inout String?, isBefore: (String, String) -> Bool) {
    if let last {
      if isBefore(value, last) { isAscending = false }
      if isBefore(last, value) { isDescending = false }
    }
    last = value
    if lowest.map({ isBefore(value, $0) }) ?? true { lowest = value }
    guard let known = highest else {
      highest = value
      return
    }
    if isBefore(known, value) {
      (secondHighest, highest) = (known, value)
    } else if isBefore(value, known), secondHighest.map({ isBefore($0, value) }) ?? true {
      secondHighest = value
    }
  }
}

/// What is remembered of a follow between pulls.
struct DeclaredState: Hashable, Sendable {
  /// The validators of a page, and where the list went on after it.
  struct Page: Hashable, Sendable {
    var url: String
    var validator: JSONObject
    var next: DeclaredCursor.Place?
    /// How many records it had, and how many of them were taken.
    var count = 0
    var taken = 0
  }

  struct ListState: Hashable, Sendable {
    /// The point of the last pull that came to its end.
    var point: String?
    /// When the list was last read as a whole.
    var completedAt: Timestamp?

    init() {}

    init(fields: JSONObject) {
      point = fields["point"]?.string
      completedAt = fields["completedAt"]?.timestamp
    }

    var fields: JSONObject {
      ["point": .of(point), "completedAt": .of(completedAt?.description)]
    }
  }

  /// Pages whose validators are remembered.
  static let largestNumberOfPages = 64

  /// Of the follow's own list.
  var state: ListState
  /// Of the lists of records, by their names.
  var lists: [ExactString: ListState] = [:]
  var pages: [Page] = []
  /// Requests of records that failed, in the order in which they are tried again.
  var failed: [DeclaredCursor.Waiting] = []

  init(fields: JSONObject) {
    failed = (fields["failed"]?.array ?? []).compactMap(\.object).map(DeclaredCursor.Waiting.init(fields:))
    state = ListState(fields: fields)
    for list in fields["lists"]?.object?.members ?? [] {
      lists[list.key.exact] = ListState(fields: list.value.object ?? [:])
    }
    pages = (fields["pages"]?.array ?? []).compactMap(\.object).compactMap { page in
      guard let validator = page["validator"]?.object, let url = validator["url"]?.string else { return nil }
      return Page(
        url: url, validator: validator, next: page["next"]?.object.map(DeclaredCursor.Place.init(fields:)),
        count: page["count"]?.count ?? 0, taken: page["taken"]?.count ?? 0)
    }
  }

  var fields: JSONObject {
    var fields = state.fields
    if !lists.isEmpty {
      let members = lists.sorted { $0.key < $1.key }
        .map { JSONObject.Member(key: $0.key.text, value: .object($0.value.fields)) }
      fields.append("lists", .object(JSONObject(members: members)))
    }
    if !pages.isEmpty {
      fields.append(
        "pages",
        .array(
          pages.map { page in
            var object: JSONObject = ["validator": .object(page.validator)]
            object.append("next", page.next.map { .object($0.fields) })
            object.append("count", page.count)
            object.append("taken", page.taken)
            return .object(object)
          }))
    }
    if !failed.isEmpty { fields.append("failed", .array(failed.map { .object($0.fields) })) }
    return fields
  }

  /// Remembers a page; the oldest is forgotten where there are too many.
  mutating func keep(_ page: Page) {
    if let index = pages.firstIndex(where: { $0.url.exact == page.url.exact }) { pages.remove(at: index) }
    if !page.validator.isEmpty { pages.append(page) }
    if pages.count > Self.largestNumberOfPages { pages.removeFirst() }
  }
}
