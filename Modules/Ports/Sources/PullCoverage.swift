public import Models

/// What a page says about the records that the list of a follow has. From that of all pages, the engine decides which
/// records have left the list.
public enum PullCoverage: Hashable, Sendable {
  /// Nothing: the source has no list, or cannot say which records it has.
  case unknown
  /// The remote reported that nothing changed since `PullContext.sourceState` was stored (304, RFC 9110 section 15.4.5). The
  /// stored records, the stored rejects and the stored shape of the responses are kept.
  case unchanged
  /// A page of a list. The engine remembers what a follow listed, and removes what the pages of a whole pull lack,
  /// unless another follow lists it.
  case page(ListPage)
  /// The whole list at once, with the records that it had before. What it lacks is removed, unless there is a doubt.
  case whole(before: [RecordName], now: [RecordName], doubt: ListDoubt? = nil)
}

public struct ListPage: Hashable, Sendable {
  /// The records of the page, rejected ones included (`PullPage.countsRejects`).
  public var records: [RecordName]
  /// The lists that records of the page have, such as the replies to a comment. Their records leave with the record.
  public var sublists: [Sublist] = []
  /// What the names of sublists begin with; the engine forgets sublists with other names, which another definition had.
  public var sublistKinds: Set<ExactString> = []
  /// Whether a record of the page may have sublists that are not in `sublists`.
  public var mayMissSublists = false
  /// Records that the answer says are gone, also where no pull listed them. They count where the whole list was read; an
  /// answer that is a part of it removes records with `PulledChange.Rule.remove`.
  public var gone: [RecordName] = []
  /// The number of records that the list says it has, on the last page. If its pages have another number of different
  /// records, nothing is removed.
  public var total: Int?
  /// Whether a record may have moved from this page to one that was read before, as it does where pages are counted and the
  /// remote removes a record. `false` where each page begins after a named record. It does not matter for the first page.
  public var mayHaveMoved = true
  /// Why the list may have records that its pages lack.
  public var doubts: [ListDoubt] = []
  /// Whether records stay that the list does not have any more, as with the results of a search.
  public var keepsDeparted = false

  public init(_ records: [RecordName], doubts: [ListDoubt] = []) { (self.records, self.doubts) = (records, doubts) }

  /// What is between the name of a sublist and that of the sublist around it.
  public static let around = "\u{1F}"

  /// The name of the sublist whose record has a sublist; `nil` if a record of the list itself has it.
  public static func outer(of name: ExactString) -> ExactString? {
    name.text.firstIndex(of: "\u{1F}").map { String(name.text[$0...].dropFirst()).exact }
  }

  /// A list that a record of another list has.
  public struct Sublist: Hashable, Sendable {
    /// What a pull knows of a sublist. A sublist that is read begins with its first page.
    public enum Reading: Hashable, Sendable {
      /// It was not asked for, or not to its end: it still has what it had.
      case partial
      /// Its last page was read.
      case ended
      /// Its last page was read, and it is complete whatever becomes of the list around it.
      case complete
    }

    /// The name, unique within the follow: a kind, a space and the values that were asked for. In a sublist, `around` and the
    /// name of that one follow.
    @ExactString public var name: String
    public var records: [RecordName]
    public var reading: Reading
    /// Whether a record of the page has it; `false` for the answer to a request that one made.
    public var isListed: Bool

    public init(_ name: String, _ records: [RecordName] = [], reading: Reading, isListed: Bool = false) {
      (self.name, self.records, self.reading, self.isListed) = (name, records, reading, isListed)
    }
  }
}

/// The records that a follow fills: those of a collection whose ids begin with a text.
public struct RecordArea: Hashable, Sendable {
  public var collection: CollectionName
  /// How the ids begin; the whole id of a single record.
  public var start: String
  public var isSingle: Bool

  /// Creates an area; by default the whole collection.
  public init(_ collection: CollectionName, start: String = "", isSingle: Bool = false) {
    (self.collection, self.start, self.isSingle) = (collection, start, isSingle)
  }

  public func overlaps(_ other: RecordArea) -> Bool {
    collection == other.collection && (start.hasPrefix(other.start) || other.start.hasPrefix(start))
  }
}

/// Why a list that was read may lack records that the remote has.
public enum ListDoubt: Hashable, Sendable {
  /// Only a part of the list was asked for, such as what changed since the last pull.
  case part
  /// A limit ended the list, or the place up to which it was known.
  case limit
  /// The pull went on where an earlier one was interrupted.
  case interrupted
  /// A page had not changed, and its records are not known.
  case unchanged
  /// The id of a rejected record could not be read, so that it may be any record. The engine finds it by itself unless the
  /// source says `PullPage.countsRejects`.
  case unreadableID
  /// A record may have moved to a page that was read before: the list came in several pages whose borders move when the
  /// remote adds or removes a record (`ListPage.mayHaveMoved`). What a second reading in the same sync lacks, too, is missing.
  case movingPages
  /// The answer does not have one of its lists.
  case noList(path: String)
  /// The answer does not even have the collection itself, so that it is not its list.
  case emptyAnswer
  /// The answer says that the list has another number of records.
  case count(said: Int, came: Int)
  /// The last page says that there are more records. Pages count from 1.
  case more(page: Int, isEmpty: Bool)
  /// A page with records names itself as the next one. Pages count from 1.
  case samePage(Int)
  /// The answer says that the list has more pages.
  case pages(said: Int, came: Int)

  /// Whether the answers contradict one another, so that it is not even known where the list ended: no point moves then.
  public var isContradiction: Bool {
    switch self {
    case .part, .limit, .interrupted, .unchanged, .unreadableID, .movingPages: false
    case .noList, .emptyAnswer, .count, .more, .samePage, .pages: true
    }
  }

  /// What the answers say; `nil` where nothing is wrong with them.
  public var warning: String? {
    switch self {
    case .part, .limit, .interrupted, .unchanged, .unreadableID, .movingPages: nil
    case .noList(let path): "the answer has no list at \(path): nothing is removed"
    case .emptyAnswer: "the answer names nothing, not even the list itself: nothing is removed"
    case .count(let said, let came):
      "the list says \(said.counted("record")) and gave \(came): nothing is removed; if \"count\" counts something"
        + " else, leave it out"
    case .more(let page, true): "page \(page) is empty, and the list says that there are more: nothing is removed"
    case .more(_, false): "the list says that there are more records, and names no next page: nothing is removed"
    case .samePage(let page): "page \(page) names itself as the next one: nothing is removed"
    case .pages(let said, let came): "the list says \(said.counted("page")) and ended after \(came): nothing is removed"
    }
  }
}

/// The rule by which the removal of many records at once is taken for a fault of the other side.
public enum MassRemoval {
  /// Whether a list of three or more records loses more than half of them. In shorter ones a record can be half.
  public static func isLikely(_ removed: Int, of before: Int) -> Bool { before >= 3 && removed * 2 > before }
}
