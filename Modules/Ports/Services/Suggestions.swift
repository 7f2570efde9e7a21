public import Models

/// What a user can do about a failure of a feature.
public enum Suggestion: Hashable, Sendable {
  /// Fetch a follow of which nothing is stored.
  case fetch(follow: String)
  case followUser(id: String)
  case listPeople
  /// Add a person although one of the same names is stored, whom nothing tells apart.
  case addNamesake(of: String)
  /// Change a person so that somebody else has the same names, or make one of both.
  case keepNamesake(String, of: String)
  /// Make one of a person and another one who is stored a second time.
  case mergeDuplicates(String, String)
  /// Say whose values count where two people become one.
  case chooseSide(a: String, b: String)
  /// Change a person only here, or ask again whether the address book takes changes.
  case editHere(person: String, book: String)
  case listFields(CollectionName)
  case listOwners
  /// Find out which pending edit was meant, or what became of it.
  case listEdits
  case listRejects
  case discardEdit(target: String)
  case resolveConflict
  case setBirthday(person: String)
  case sendPerson(person: String, book: String)
  /// Sync a follow, or all of them, because a plan does not send a request; `nil` for all.
  case syncToSend(path: String?)
  /// Ask a server before the time that it asked to wait for.
  case askEarly(path: String)
  /// Apply a list of which a server suddenly removed most records.
  case applyList(follow: String, isFull: Bool)
  /// Write events of a calendar anew that were changed there, or remove most of them at once.
  case forceCalendar(follow: String)
  case addAccount(source: String, name: String)
  case logIn(source: String)
  case importSingerRecords
}

/// Puts suggestions into the words of a program: features do not know its commands, pages and options.
public struct Suggestions: Sendable {
  private let text: @Sendable (Suggestion) -> Advice

  /// Creates suggestions; by default in words that fit any program.
  public init(_ text: @escaping @Sendable (Suggestion) -> Advice = { Advice($0.description) }) { self.text = text }

  public func callAsFunction(_ suggestion: Suggestion) -> Advice { text(suggestion) }
}

extension Suggestion: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fetch(let follow): "sync \(follow) first"
    case .followUser(let id): "sync users/\(id) first"
    case .listPeople: "use the id of a stored person, or the id on the server"
    case .addNamesake(let person): "its id is \(person); another person of these names is added as a new one"
    case .keepNamesake(let person, let other):
      "its id is \(other); merge \(person) with it if both are one, or say that they are two"
    case .mergeDuplicates(let person, let other): "merge \(other) with \(person)"
    case .listFields(let collection): "a record of \(collection) shows its fields"
    case .chooseSide: "say for each of them whose value is taken"
    case .editHere(_, let book): "change the person only here; a whole sync of \(book) asks again what may be changed"
    case .listOwners: "use the name or the id of a stored owner"
    case .listEdits: "look at the pending edits"
    case .listRejects: "the collection 'rejects' contains the path and the reason of each"
    case .discardEdit(let target): "discard the edit of \(target) to remove it from the outbox"
    case .resolveConflict: "decide which values are kept"
    case .setBirthday(let person): "set the birthday of \(person)"
    case .sendPerson(let person, let book): "send \(person) to \(book) to add the person who is here to it"
    case .syncToSend(let path): "a sync\(path.map { " of \($0)" } ?? "") sends it"
    case .askEarly(let path): "sync \(path) with 'SyncOptions.asksEarly' to ask now"
    case .applyList(let follow, let isFull):
      "a sync of \(follow) with 'SyncOptions.force'\(isFull ? " and 'full'" : "") applies the list anyway"
    case .forceCalendar(let follow): "a sync of \(follow) with 'SyncOptions.force' does it nevertheless"
    case .addAccount(let source, let name): "add the account \(name) of \(source) to the settings"
    case .logIn(let source): "log in to \(source)"
    case .importSingerRecords: "import the member 'record' of the messages of type RECORD"
    }
  }
}
