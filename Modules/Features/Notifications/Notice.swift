import Models
import Ports

/// Something that receivers are notified of.
struct Notice: Hashable, Sendable {
  enum Kind: String, Sendable {
    case birthday
    case stale = "follow.stale"
    case fresh = "follow.fresh"
    case conflict = "edit.conflict"
    case refused = "edit.refused"
    case chart = "chart.changed"
    case changes = "records.changed"
    case test
  }

  var kind: Kind
  var at: Timestamp
  var title: String
  var text: String
  var data: JSONObject

  var fields: JSONObject {
    [
      "type": .string(kind.rawValue), "at": .string(at.description), "title": .string(title), "text": .string(text),
      "data": .object(data),
    ]
  }

  init(_ kind: Kind, at: Timestamp, title: String, text: String, data: JSONObject) {
    (self.kind, self.at, self.title, self.text, self.data) = (kind, at, title, text, data)
  }

  init?(fields: JSONObject) {
    guard let kind = fields["type"]?.string.flatMap(Kind.init(rawValue:)), let title = fields["title"]?.string,
      let at = fields["at"]?.timestamp
    else { return nil }
    self.init(kind, at: at, title: title, text: fields["text"]?.string ?? "", data: fields["data"]?.object ?? [:])
  }
}

// MARK: The texts

extension Notice {
  static func test(at: Timestamp) -> Notice {
    Notice(.test, at: at, title: "A test by Almanac", text: "Notifications reach this receiver.", data: [:])
  }

  static func birthday(_ upcoming: (person: Person, date: CivilDate, age: Int?), in days: Int, at: Timestamp) -> Notice
  {
    let name = upcoming.person.fullName
    let moment =
      switch days {
      case 0: "today"
      case 1: "tomorrow"
      default: "in \(days) days"
      }
    let data: JSONObject = [
      "id": .string(upcoming.person.id), "fullName": .string(name), "date": .string(upcoming.date.description),
      "days": .int(days), "age": .of(upcoming.age),
    ]
    return Notice(
      .birthday, at: at, title: "Birthday \(moment): \(name)",
      text: upcoming.age.map { "\(name) turns \($0) on \(upcoming.date)" } ?? "\(name) on \(upcoming.date)", data: data)
  }

  /// A follow that became stale, or is not stale any more.
  static func follow(_ path: String, isStale: Bool, since: Timestamp?, error: Failure?, at: Timestamp) -> Notice {
    var data: JSONObject = ["follow": .string(path)]
    data.append("lastSuccess", since?.description)
    data.append("error", error.map { .object($0.fields) })
    guard isStale else {
      return Notice(.fresh, at: at, title: "\(path) is up to date again", text: "the last sync succeeded", data: data)
    }
    let last = since.map { "the last sync that succeeded ended at \($0)" } ?? "no sync has succeeded yet"
    return Notice(
      .stale, at: at, title: "\(path) is stale", text: last + (error.map { ": \($0.message)" } ?? ""), data: data)
  }

  /// An edit that cannot be sent without the user.
  ///
  /// - Parameter name: that of the record.
  static func edit(_ entry: OutboxEntry, named name: String?, at: Timestamp, _ suggestions: Suggestions) -> Notice {
    let title = name.map { "\($0) (\(entry.targetCollection))" } ?? entry.target
    let fields = entry.edit.keys.joined(separator: ", ")
    var data: JSONObject = [
      "id": .string(entry.id), "target": .string(entry.target), "fields": .array(entry.edit.keys.map { .string($0) }),
    ]
    data.append("name", name)
    data.append("error", entry.lastError)
    if entry.state == .conflict {
      return Notice(
        .conflict, at: at, title: "Conflict: \(title)",
        text: "both sides changed the record (\(fields)); " + suggestions(.resolveConflict).description,
        data: data)
    }
    return Notice(
      .refused, at: at, title: "Refused: \(title)",
      text: "the server refused the edit (\(fields))" + (entry.lastError.map { ": \($0)" } ?? ""), data: data)
  }

  struct Mover: Hashable, Sendable {
    var id: String
    var name: String
    /// The rank that it has; `nil` if it is not in the chart.
    var rank: Int?
    var was: Int?

    var fields: JSONObject { ["id": .string(id), "name": .string(name), "rank": .of(rank), "was": .of(was)] }
  }

  /// Apps that entered or left the top of a chart. Only one list may be empty.
  static func chart(
    _ rule: NotificationRules.Chart, entered: [Mover], left: [Mover], observedAt: Timestamp, at: Timestamp
  ) -> Notice {
    func names(_ movers: [Mover]) -> String {
      movers.count > 2 ? "\(movers.count) apps" : movers.map(\.name).joined(separator: " and ")
    }
    var title = entered.isEmpty ? "" : "\(names(entered)) entered"
    if !left.isEmpty { title += (title.isEmpty ? "" : ", ") + "\(names(left)) left" }
    var lines = entered.map { mover in
      "entered: \(mover.name), rank \(mover.rank ?? 0)" + (mover.was.map { ", was \($0)" } ?? "")
    }
    lines += left.map { mover in
      "left: \(mover.name), " + (mover.rank.map { "rank \($0)" } ?? "not in the chart") + ", was \(mover.was ?? 0)"
    }
    return Notice(
      .chart, at: at, title: "\(title) the top \(rule.top) of \(rule.path)", text: lines.joined(separator: "\n"),
      data: [
        "chart": .string(rule.path), "top": .int(rule.top), "observedAt": .string(observedAt.description),
        "entered": .array(entered.map { .object($0.fields) }), "left": .array(left.map { .object($0.fields) }),
      ])
  }

  static func changes(_ changes: [JSONObject], at: Timestamp) -> Notice {
    let lines = changes.map { change in
      let collection = change["collection"]?.string ?? ""
      let target =
        change["name"]?.string.map { "\($0) (\(collection))" } ?? "\(collection)/\(change["id"]?.string ?? "")"
      return "\(change["op"]?.string == "delete" ? "removed" : "changed"): \(target)"
    }
    return Notice(
      .changes, at: at, title: lines.count == 1 ? lines[0] : "\(lines.count) records were changed",
      text: lines.joined(separator: "\n"), data: ["changes": .array(changes.map { .object($0) })])
  }
}
