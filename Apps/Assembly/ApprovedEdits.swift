import Models
import Ports

/// Makes approved edits with the services that a person's commands use.
struct ApprovedEdits: ProposalEditor {
  let services: LocalServices

  func check(_ proposal: Proposal) throws(Failure) {
    let name = proposal.collection
    switch (name, proposal.kind) {
    case (.people, .delete): break
    case (.people, _):
      try Self.check(proposal.edit, PersonInput.fields, of: name)
      _ = try Self.input(proposal)
    case (.profiles, .put): _ = try Self.profileChange(proposal.edit)
    case (_, .put): try services.library.check(Self.changes(proposal.edit), of: name)
    case (_, .delete) where services.catalog[name]?.isRemovable == true: break
    case (_, .delete), (_, .post):
      throw Failure(
        .config, .usage, "records of \(name) cannot be \(proposal.kind == .post ? "added" : "removed")",
        code: .own(proposal.kind == .post ? .notAddable : .notRemovable))
    }
  }

  func apply(_ proposal: Proposal, ifStored current: [UInt8]?, alongside note: CommitNote) async throws(Failure) {
    let (name, id) = (proposal.collection, proposal.record ?? "")
    let services = services.proposed(by: proposal.client)
    let (people, library) = (services.people, services.library)
    switch (name, proposal.kind) {
    case (.people, .delete): _ = try await people.remove(id, ifStored: current)
    case (.people, .put): _ = try await people.edit(id, PersonChange(try Self.input(proposal)), ifStored: current)
    case (.people, .post):
      let new = PersonChange(try Self.input(proposal))
      _ = try await people.add(
        firstName: new.firstName ?? "", lastName: new.lastName ?? "", birthday: new.birthday, fullName: new.fullName,
        details: new.details, to: nil, isNew: false, alongside: note)
    case (.profiles, .put):
      _ = try await services.profiles.edit(id, try Self.profileChange(proposal.edit), ifStored: current)
    case (_, .put): _ = try await library.edit(name, id, Self.changes(proposal.edit), ifStored: current)
    case (_, .delete): try await library.remove(name, id, ifStored: current)
    case (_, .post): _ = try await library.add(name, Self.changes(proposal.edit), alongside: note)
    }
  }

  private static func input(_ proposal: Proposal) throws(Failure) -> PersonInput {
    try Failure.from { () throws(PersonInput.Mistake) in try PersonInput(patch: proposal.edit) }
  }

  private static func changes(_ edit: JSONObject) -> [FieldChange] {
    edit.members.map { FieldChange($0.key, $0.value == .null ? nil : $0.value) }
  }

  private static func profileChange(_ edit: JSONObject) throws(Failure) -> ProfileChange {
    try check(edit, ProfileChange.fields, of: .profiles)
    do throws(ProfileChange.NoText) { return try ProfileChange(patch: edit) } catch {
      throw Failure(.config, .usage, "\(error.field) is a text", code: .own(.badValue), path: error.field)
    }
  }

  private static func check(_ edit: JSONObject, _ known: [String], of collection: CollectionName) throws(Failure) {
    for key in edit.keys where !known.contains(where: { $0.exact == key.exact }) {
      throw Failure(
        .config, .usage, "the field '\(key)' of \(collection) cannot be changed",
        hint: "these can be: \(known.joined(separator: ", "))", code: .own(.notEditable), path: key)
    }
  }
}
