import Models
import Ports

/// When and why commits were made that are compacted.
struct CommitNotes {
  let state: StoreState
  let disk: Disk

  private var runs: [History.Run] { state.manifest.history?.runs(of: History.notes) ?? [] }

  func note(of commit: UInt64) throws(StoreError) -> CommitOrigin? {
    guard let run = runs.last(where: { $0.first <= commit && commit <= $0.last }), let file = try open(run) else {
      return nil
    }
    let line = try withKey(RunWriter.noteID(commit)) { (key) throws(StoreError) in try file.record(key) }
    return line.map { line in
      line.withByteSlice {
        CommitOrigin(at: Timestamp(secondsSinceEpoch: Self.note($0).at), cause: CauseLine.cause(in: $0))
      }
    }
  }

  /// The last commit with a note at or before a time.
  func moment(_ seconds: Int) throws(StoreError) -> Moment? {
    for run in runs.reversed() where run.least <= seconds {
      guard let file = try open(run) else { continue }
      var found: JournalChanges.Note?
      if run.isMixed {
        var cursor = try LineCursor(file)
        while let line = cursor.line {
          let note = Self.note(line)
          if note.at <= seconds { found = note }
          try cursor.advance()
        }
      } else {
        // The notes before `low` are not later than the time, those at `high` and after it are.
        var (low, high) = (run.first, run.last + 1)
        while low < high {
          let middle = low + (high - low) / 2
          if let note = try Self.first(notBefore: middle, in: file), note.at <= seconds {
            found = note
            low = note.commit + 1
          } else {
            high = middle
          }
        }
      }
      if let found { return Moment(commit: found.commit, at: Timestamp(secondsSinceEpoch: found.at)) }
    }
    return nil
  }

  private func open(_ run: History.Run) throws(StoreError) -> CollectionFile? { try CollectionFile(run.part, on: disk) }

  private static func first(
    notBefore commit: UInt64, in file: CollectionFile
  ) throws(StoreError) -> JournalChanges.Note? {
    try file.prepareMapping()
    let start = try withKey(RunWriter.noteID(commit)) { (key) throws(StoreError) in try file.offset(of: key) }
    return start < file.part.bytes ? note(file.slice[start..<(try file.lineEnd(from: start))]) : nil
  }

  /// Reads a line of the notes. The cause is what follows the time, with the comma in the place of its bracket.
  static func note(_ line: ByteSlice) -> JournalChanges.Note {
    var offset = RecordKey.openingCount
    let commit = UInt64(line.decimal(at: &offset))
    // ","at":"…"
    let start = offset + 8
    let end = line.first(0x22, from: start) ?? line.count
    let at = Timestamp(rfc3339: line[min(start, end)..<end].text)?.secondsSinceEpoch ?? 0
    let hasCause = end + 2 < line.count
    return JournalChanges.Note(commit: commit, at: at, cause: hasCause ? line[end + 1..<line.count] : nil)
  }
}
