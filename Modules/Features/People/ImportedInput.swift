import Models
import Ports

/// What a file said of a person who was imported: `{"id", "person", "said"}` in `state`, by the names and the birthday there.
///
/// The same input finds its person again, whatever was edited since, and what was removed here does not come back. A card
/// with a `UID` and a row with an id need no such record: they say whose they are.
struct ImportedInput {
  private let key: StateKey
  private let before: JSONObject?
  /// The local id of the person, who may have been removed since.
  var person: String? { before?["person"]?.string }
  /// The details that these inputs said; `nil` for a card that an earlier version imported.
  var said: ContactDetails? { before?["said"]?.object.map { ContactDetails(fields: $0) } }

  /// Whether these inputs said all of the details, of this person; not where there are none.
  func hasSaid(_ details: ContactDetails, of person: String) -> Bool {
    guard self.person?.exact == person.exact, details != ContactDetails(), let said else { return false }
    return said.united(with: details) == said
  }

  /// - Returns: `nil` if the card or the row says whose it is.
  init?(
    _ contact: Contact, _ evidence: PersonEvidence, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard evidence.uid == nil, evidence.id == nil else { return nil }
    key = PersonKey.imported(evidence)
    before = try reader.state(key, coder)
  }

  func keep(
    _ contact: Contact, as person: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let earlier = self.person?.exact == person.exact ? said : nil
    let said = earlier?.united(with: contact.details) ?? contact.details
    let fields: JSONObject = ["id": .string(key.id), "person": .string(person), "said": .object(said.fields)]
    if fields != before { try transaction.setState(key, to: fields, coder) }
  }

  /// Lets what was said of a person count for the one with whom the person was merged.
  static func move(
    from removed: String, to kept: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let moved = try transaction.states(.imported, coder) { key, fields in
      fields["person"]?.string?.exact == removed.exact ? (key, fields) : nil
    }
    for (key, fields) in moved {
      var fields = fields
      fields["person"] = .string(kept)
      try transaction.setState(key, to: fields, coder)
    }
  }
}
