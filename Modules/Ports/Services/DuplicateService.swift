public import Models

/// Finds people who are stored twice, and makes one of two.
public protocol DuplicateService: Sendable {
  /// Pairs of people who may be one, the surest first, without those who are noted as different. O(n log n) for n people.
  func duplicates() throws(Failure) -> [PossibleDuplicate]

  /// The stored people whom somebody may be who is not stored, the surest first. As `a`, each is the stored one.
  func duplicates(of person: Person) throws(Failure) -> [PossibleDuplicate]

  /// What two people would become together.
  ///
  /// - Throws: `Failure`: `notFound` if there is no such person; `usage` if both are the same one.
  func merging(_ a: String, _ b: String) throws(Failure) -> PersonMerge

  /// Makes one person of two, in one commit: the first one gets the details of the second one, who is removed. If only the
  /// second one is on a server, that one stays. Both changes are queued; the removal is sent after the change was accepted.
  ///
  /// - Parameter sides: whose values the fields in conflict get.
  /// - Throws: `Failure`: as `merging`; `usage` with `conflict` if a conflict is undecided. Nothing changes then.
  func merge(_ a: String, _ b: String, _ sides: [ExactString: PersonMerge.Side]) async throws(Failure) -> MergedPeople

  /// Notes whether two people are different, so that `duplicates` leaves them out. The people themselves are not changed.
  ///
  /// - Throws: `Failure`: as `merging`; or if the store cannot be written.
  func note(_ a: String, _ b: String, areDifferent: Bool) async throws(Failure)
}

public struct PossibleDuplicate: Hashable, Sendable {
  public var a: Person
  public var b: Person
  public var score: DuplicatePair.Score
  public var reasons: [DuplicatePair.Reason]

  public init(a: Person, b: Person, score: DuplicatePair.Score, reasons: [DuplicatePair.Reason]) {
    (self.a, self.b, self.score, self.reasons) = (a, b, score, reasons)
  }
}

public struct MergedPeople: Hashable, Sendable {
  public var person: Person
  public var removed: ChangedPerson
  public var isSent: Bool
  /// What no field has of the removed one, and the other one does not get: properties of the card, and stored members of which
  /// the other one has its own.
  public var lost: [String]

  public init(person: Person, removed: ChangedPerson, isSent: Bool, lost: [String]) {
    (self.person, self.removed, self.isSent, self.lost) = (person, removed, isSent, lost)
  }
}
