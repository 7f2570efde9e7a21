import Hummingbird
import Logging
import Models
import Ports

/// Decides several edits of the outbox at once: the proposals of an assistant, and what servers refused.
enum OutboxMany {
  /// The buttons for those of which there are several.
  static func buttons(_ items: [OutboxItem]) -> HTML? {
    var forms: [HTML] = []
    // A removal, and what changed since, is decided by itself.
    let plain = items.filter { $0.client != nil && $0.entry.state == .pending && $0.entry.kind != .delete }
    for client in Set(plain.compactMap { $0.client?.exact }).sorted() {
      let own = plain.filter { $0.client?.exact == client }
      guard own.count > 1 else { continue }
      let isAll = own.count == items.count(where: { $0.client?.exact == client })
      let label: HTML =
        "Approve \(isAll ? "all " : nil)\(own.count) by \(Shown.short(client.text, 40))\(isAll ? nil : " without the removals" as HTML)"
      forms.append(form("approve", own, "<button class=\"primary\">\(label)</button>"))
    }
    let refused = items.filter { $0.client == nil && $0.entry.state == .refused }
    if refused.count > 1 {
      forms.append(
        form(
          "discard", refused,
          Control.asking(
            "Discard all \(refused.count) refused", says: "Discard all \(refused.count) refused",
            "The edits are forgotten. The records are as their servers have them.",
            "<button class=\"danger\">Discard them</button>")))
    }
    return forms.isEmpty ? nil : "<div class=\"buttons\">\(forms)</div>"
  }

  private static func form(_ action: String, _ items: [OutboxItem], _ button: HTML) -> HTML {
    "<form method=\"post\" action=\"/do/several/\(action)\">\(items.map { Control.hidden("entry", $0.entry.id) })\(button)</form>"
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let (ids, services) = (call.form.all("entry"), call.services)
    guard !ids.isEmpty else { throw Problem(.unprocessableContent, "no edit is named") }
    switch call.part("action") {
    case "approve": return try await ProposalForms.approve(ids, call, parts)
    case "again": return try await ProposalForms.again(call, parts)
    case "discard":
      let names = Set(ids.map(\.exact))
      let known = try services.outbox.entries().filter { names.contains($0.$id) && $0.state == .refused }
      let run = API.newRun(call)
      for entry in known { _ = try await run.services.outbox.discard(entry.id) }
      return API.back(to: "/outbox", saying: "Discarded: \(known.count.counted("edit")).", undo: run.undo, call, parts)
    default: throw Problem(.notFound, "several edits can be approved, discarded or proposed again")
    }
  }
}
