import Models
import Ports

/// What a file said of a person who was imported: `{"id", "person", "said"}` in `state`, by the names and the birthday there.
///
/// The same input finds its person again, whatever was edited since, and what was removed here does not come back. A card
/// with a `UID` and a row with an id need no such record: they say whose they are. People of one file with the same names and
/// birthday have a record each, by all that they say; then that of the names and the birthday has `"several": true`.
struct ImportedInput {
  private let key: StateKey
  private let before: JSONObject?
  /// The key of the names and the birthday.
  private let names: StateKey
  private let isShared: Bool
  /// The local id of the person, who may have been removed since.
  var person: String? { before?["person"]?.string }
  /// The details that these inputs said; `nil` for a card that an earlier version imported.
  var said: ContactDetails? { Self.said(before) }

  private static func said(_ fields: JSONObject?) -> ContactDetails? {
    fields?["said"]?.object.map { ContactDetails(fields: $0) }
  }

  /// Whether these inputs said all of the details, of this person; not where there are none.
  func hasSaid(_ details: ContactDetails, of person: String) -> Bool {
    guard self.person?.exact == person.exact, details != ContactDetails(), let said else { return false }
    return said.united(with: details) == said
  }

  /// - Parameters:
  ///   - names: the key of the names and the birthday; `nil` if the card or the row says whose it is.
  ///   - isShared: whether another person of the file has both.
  /// - Returns: `nil` without a key.
  init?(
    _ contact: Contact, _ names: StateKey?, isShared: Bool, in reader: some RecordReader, _ coder: any RecordCoder
  ) throws(StoreError) {
    guard let names else { return nil }
    (self.names, self.isShared) = (names, isShared)
    let ofNames = try reader.state(names, coder)
    if isShared || ofNames?[Self.several] == true {
      let own = PersonKey.imported(contact.wholeEvidence, isOne: true)
      let known = try reader.state(own, coder)
      if isShared || known != nil {
        // What one of several said is not said of another one.
        let said = Self.said(ofNames).map { $0.singles(insteadOf: contact.details).isEmpty ? $0 : ContactDetails() }
        let isSaid = said.map { $0.united(with: contact.details) == $0 } ?? false
        (key, before) = (own, known ?? (isSaid ? ofNames : nil))
        return
      }
    }
    (key, before) = (names, ofNames)
  }

  func keep(
    _ contact: Contact, as person: String, in transaction: inout any StoreTransaction, _ coder: any RecordCoder
  ) throws(StoreError) {
    let earlier = self.person?.exact == person.exact ? said : nil
    let said = earlier?.united(with: contact.details) ?? contact.details
    var fields: JSONObject = ["id": .string(key.id), "person": .string(person), "said": .object(said.fields)]
    if key == names, before?[Self.several] == true { fields[Self.several] = true }
    if fields != before { try transaction.setState(key, to: fields, coder) }
    guard isShared else { return }
    var ofNames = try transaction.state(names, coder) ?? [:]
    guard ofNames[Self.several] == nil else { return }
    ofNames[Self.several] = true
    try transaction.setState(names, to: ofNames, coder)
  }

  private static let several = "several"

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
