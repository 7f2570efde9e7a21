import Models
import Ports

/// Writes which fields of the sources' answers are not what they were.
struct DriftTable {
  /// Where it goes.
  let terminal: Terminal

  /// Writes a line per field, by source and follow; nothing where nothing drifted.
  func write(_ drifts: [SourceDrift]) {
    guard !drifts.isEmpty else { return }
    let fields =
      drifts.count == 1
      ? "1 field of the servers' answers is not what it was"
      : "\(drifts.count) fields of the servers' answers are not what they were"
    terminal.line("\(terminal.colored("note", .yellow)): drift: \(fields) at the first sync")
    let rows = drifts.map { drift in
      var fields = drift.fields
      if drift.drift.now.isEmpty { fields["is"] = "(gone)" }
      return fields
    }
    var table = TableWriter(
      terminal: terminal,
      columns: [.init("follow"), .init("field"), .init("was"), .init("is"), .init("firstSeen"), .init("at")])
    for row in rows { table.append(row) }
    table.finish()
    terminal.line("  look at 'almanac list rejects'; 'almanac sync PATH --full' takes the answers as they are now")
  }
}
