import Models
import Ports

/// A conflict that was decided, as the Undo of its message knows it: both sides of each field.
struct Decision {
  /// The record: `COLLECTION/ID`.
  let target: String
  private let mine, theirs: JSONObject

  /// What the Undo of a decision about a conflict sends.
  static func values(_ entry: OutboxEntry, _ call: APIRequest) -> [(String, String)] {
    guard entry.state == .conflict, entry.kind == .put, !entry.isRemoved else { return [] }
    func side(_ fields: JSONObject?) -> String {
      let own = entry.edit.keys.filter { entry.contested.contains($0.exact) }
      let side = JSONObject(members: own.map { JSONObject.Member(key: $0, value: fields?[$0] ?? .null) })
      return String(decoding: call.services.coder.encode(side), as: UTF8.self)
    }
    return [("target", entry.target), ("mine", side(entry.edit)), ("theirs", side(entry.theirs))]
  }

  /// The decision that a form names; `nil` where it names none.
  init?(_ call: APIRequest) throws {
    guard let target = call.form["target"], let mine = call.form["mine"], let theirs = call.form["theirs"] else {
      return nil
    }
    self.target = target
    self.mine = try call.services.coder.decode(Array(mine.utf8))
    self.theirs = try call.services.coder.decode(Array(theirs.utf8))
  }

  /// Gives the server the values back that it had before the decision, unless an edit of the record is under way, or the
  /// fields were changed since.
  ///
  /// - Returns: what is said, and the button that tries it again where that may succeed.
  func takeBack(_ call: APIRequest) async throws -> (words: String, undo: HTML?) {
    let (name, id) = (CollectionName(rawValue: target.firstPart), target.restOfParts)
    let record = try call.services.coder.decode(call.services.library.record(name, id))
    let title = Shown.name(RecordPages.title(record, name, call.services) ?? id)
    if let open = try call.services.outbox.entries().first(where: { $0.$target == target.exact }) {
      let values = ["run", "from", "target", "mine", "theirs"].map { ($0, call.form[$0] ?? "") }
      return open.state == .pending
        ? (
          "an edit of \(title) is on its way to the server: undo this when it has arrived",
          Control.button("Undo", "/do/undo", and: values)
        ) : ("another edit of \(title) needs a decision now, which takes this one's place", nil)
    }
    guard theirs.members.allSatisfy({ [mine[$0.key] ?? .null, $0.value].contains(record[$0.key] ?? .null) }) else {
      return ("this is not undone: \(title) was changed since", nil)
    }
    try await call.services.because(ChangeCause(.undo, tool: .page)).editor(of: name).edit(id, theirs, ifStored: nil)
    return ("your edit was sent already: \(title) gets the values of the server back", nil)
  }
}
