import Models
import Ports

/// What the store published: a line with the size, time, inode and checksum of each file, appended to the file `published`.
///
/// A file that was changed from outside is found by comparing these, and is read only where they differ. Lines are not
/// synced when they are appended. Each has a checksum of its own, so that a power failure loses the newest at most; then a
/// file is compared with the records of the store. A compaction may drop these records, so it first writes the log anew and
/// syncs it.
struct PublishedLog {
  static let name = "published"
  static let temporaryName = "published.new"
  /// The log is written anew at this size.
  private static var mostBytes: Int { 1 << 18 }

  /// A published file, at the time of publishing.
  struct Entry: Hashable {
    var name: String
    var size: Int
    /// In nanoseconds since 1970.
    var modified: Int
    var identity: UInt64
    /// The XXH64 of its bytes; absent for a file that shares them with a collection file.
    var sum: UInt64?
    /// The start of the machine in which it was published. After a power cut the log may be older than the file.
    var boot: UInt64?
    /// The last commit of the store at that time; absent in a line of an older program.
    var commit: UInt64?

    /// Whether this is the file, by all that can be seen without reading it.
    func describes(_ information: FileInformation) -> Bool {
      size == information.size && modified == information.modified && identity == information.identity
    }
  }

  private var entries: [Entry] = []
  private var size = 0

  /// Reads the log; lines that are not what was written are skipped.
  init(on disk: Disk) throws(StoreError) {
    guard let file = try disk.open(Self.name) else { return }
    let bytes = try file.bytes(count: try file.information().size)
    size = bytes.count
    for line in bytes.split(separator: 0x0A) {
      if let entry = Entry(line: String(decoding: line, as: UTF8.self)) { entries.append(entry) }
    }
  }

  /// What was published under a name, oldest first.
  func entries(of name: String) -> [Entry] { entries.filter { $0.name == name } }

  /// The newest publication of each name with commits after this one, which a store that ends with it has lost.
  func ahead(of sequence: UInt64) -> [Entry] {
    var last: [String: Entry] = [:]
    for entry in entries where entry.name.hasSuffix(Manifest.Part.publishedSuffix) { last[entry.name] = entry }
    return last.values.filter { $0.commit ?? 0 > sequence }.sorted { $0.name < $1.name }
  }

  /// Adds a file that is about to get its name.
  mutating func add(_ entry: Entry, on disk: Disk) throws(StoreError) {
    if size > Self.mostBytes { try makeDurable(on: disk) }
    entries.append(entry)
    // The line before may be truncated, without its end.
    let line = Array("\n\(entry.line)\n".utf8)
    var file = try disk.open(Self.name, .write)
    if file == nil { file = try disk.create(Self.name) }
    let end = try file!.information().size
    try file!.write(line, at: end)
    size = end + line.count
  }

  /// Writes the log anew, with the last two files of each name, and syncs it; its name is durable with the folder. A kept
  /// file that was deleted is left out.
  mutating func makeDurable(on disk: Disk) throws(StoreError) {
    if entries.isEmpty { return }
    let names = Set(try disk.names())
    var last: [String: [Entry]] = [:]
    for entry in entries where entry.name.hasSuffix(Manifest.Part.publishedSuffix) || names.contains(entry.name) {
      last[entry.name] = (last[entry.name] ?? []).suffix(1) + [entry]
    }
    entries = last.sorted { $0.key < $1.key }.flatMap(\.value)
    let text = Array(entries.map { "\($0.line)\n" }.joined().utf8)
    let file = try disk.create(Self.temporaryName)
    try file.write(text)
    try file.sync()
    try disk.rename(Self.temporaryName, to: Self.name)
    size = text.count
  }
}

extension PublishedLog.Entry {
  /// The entry as it is written, the checksum of all before it at the end.
  fileprivate var line: String {
    var text =
      "\(name) \(size) \(modified) \(identity) \(sum.map(hexadecimalText) ?? "-") \(boot.map(hexadecimalText) ?? "-")"
    if let commit { text += " \(commit)" }
    return "\(text) \(Self.check(text))"
  }

  /// Reads a line; `nil` unless it is what was written.
  fileprivate init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 7 || words.count == 8, words.last == Self.check(words.dropLast().joined(separator: " ")),
      let size = Int(words[1]), let modified = Int(words[2]), let identity = UInt64(words[3])
    else { return nil }
    self.init(
      name: words[0], size: size, modified: modified, identity: identity, sum: UInt64(words[4], radix: 16),
      boot: UInt64(words[5], radix: 16), commit: words.count == 8 ? UInt64(words[6]) : nil)
  }

  private static func check(_ text: String) -> String { hexadecimalText(XXHash64.sum(Array(text.utf8))) }
}

extension Writer {
  /// What is added to the name of a published file that was changed from outside.
  static let changedSuffix = ".changed"

  /// Gives a new file the name of a published one. A file there that is not what the store published is kept.
  ///
  /// - Parameters:
  ///   - sum: the XXH64 of the new file's bytes, where it is known.
  ///   - commit: the last commit that the file holds; `nil` for that of the store.
  func publish(_ temporaryName: String, as name: String, sum: UInt64?, commit: UInt64?) throws(StoreError) {
    try keepIfChanged(name, openLog())
    guard let file = try disk.open(temporaryName) else {
      throw StoreError(.cannotRead, "a file that was just written has disappeared", path: disk.path(temporaryName))
    }
    let information = try file.information()
    let entry = PublishedLog.Entry(
      name: name, size: information.size, modified: information.modified, identity: information.identity, sum: sum,
      boot: store.bootID, commit: commit ?? state.sequence)
    try addToLog(entry)
    try disk.rename(temporaryName, to: name)
  }

  /// Keeps each published file with records of commits that the store has lost: it may be all that is left of them.
  ///
  /// The journal of a copied store may have been cut, which leaves no other trace where it was cut after a commit. A file
  /// whose lines the store all knows lost nothing, and counts as published now.
  func keepFilesAhead() throws(StoreError) {
    // Without the log no file is published either.
    guard let log = try? openLog() else { return }
    for var entry in log.ahead(of: state.sequence) {
      guard let file = try? disk.open(entry.name) else { continue }
      let unknown = try unknownLines(of: file)
      if unknown.first == nil {
        entry.commit = state.sequence
        try addToLog(entry)
      } else {
        let quarantined = try quarantine(entry.name)
        warn(
          "\(disk.path(entry.name)) holds \(unknown.text) of commits that the store has lost: it was published after "
            + "commit \(entry.commit!), and the store ends with commit \(state.sequence). It is kept as "
            + "\(quarantined.path)\(quarantined.advice)")
      }
    }
  }

  /// Whether a published file is what the store published, as far as that can be seen without reading it.
  func isAsPublished(_ name: String, _ information: FileInformation) throws(StoreError) -> Bool {
    try openLog().entries(of: name).contains { $0.describes(information) }
  }

  /// Makes the log durable together with the folder's names, before records that published files hold may be dropped.
  func makePublishedLogDurable() throws(StoreError) {
    var log = try openLog()
    try log.makeDurable(on: disk)
    publishedLog = log
  }

  private func addToLog(_ entry: PublishedLog.Entry) throws(StoreError) {
    var log = try openLog()
    try log.add(entry, on: disk)
    publishedLog = log
  }

  private func openLog() throws(StoreError) -> PublishedLog {
    if let publishedLog { return publishedLog }
    let log = try PublishedLog(on: disk)
    publishedLog = log
    return log
  }

  /// Gives a published file that was changed from outside another name, and says so.
  private func keepIfChanged(_ name: String, _ log: PublishedLog) throws(StoreError) {
    guard keepsChangedFiles else { return }
    var found: (file: OpenFile, information: FileInformation)?
    do throws(FileFailure) {
      let number = try disk.repeating { () throws(FileFailure) in try disk.system.open(name, .read) }
      let file = OpenFile(number: number, name: name, disk: disk)
      found = (file, try disk.repeating { () throws(FileFailure) in try disk.system.information(number) })
    } catch {
      if error.isMissing { return }
      // A link, or a folder: the store never publishes one.
      guard error.isNoFile else { throw disk.error(error, .cannotRead, name: name) }
    }
    if let found, try isOwn(found.file, found.information, log) { return }
    // Of a link or a folder nothing is known.
    let isWhole = try found.map { (found) throws(StoreError) in try KnownLines.areRecords(in: found.file) } ?? true
    let quarantined = try quarantine(name, isWhole: isWhole)
    warn("\(disk.path(name)) was changed from outside, and is kept as \(quarantined.path)\(quarantined.advice)")
  }

  /// Gives a published file another name, under which it stays. The log says of which commits it may have been made.
  ///
  /// - Parameter isWhole: whether its lines are records.
  /// - Returns: its path, and what to do with it, as the rest of a sentence.
  private func quarantine(_ name: String, isWhole: Bool = true) throws(StoreError) -> (path: String, advice: Advice) {
    let quarantined = try disk.unusedName(name, Self.changedSuffix)
    for var entry in try openLog().entries(of: name).suffix(2) {
      entry.name = quarantined
      // Of lost commits the file has more than the store: that is what was changed in it.
      entry.commit = entry.commit.map { min($0, state.sequence) }
      try addToLog(entry)
    }
    try disk.rename(name, to: quarantined)
    keptFiles[name] = quarantined
    let path = disk.path(quarantined)
    let collection = CollectionName(rawValue: String(name.dropLast(Manifest.Part.publishedSuffix.count)))
    if collection.isInternal { return (path, "") }
    if !isWhole {
      let advice: Advice =
        "; not all of its lines are records, as after damage. The store has its own records: delete the file, or "
        + "correct these lines and then \(disk.suggestions.takeChanges(path))"
      return (path, advice)
    }
    return (
      path,
      ": \(disk.suggestions.takeChanges(path)); a line that was deleted there is still a record: "
        + disk.suggestions.delete(collection.rawValue)
    )
  }

  func warn(_ message: Advice) { if reports { store.warn(message) } }

  /// Whether a file holds what the store published.
  ///
  /// O(1) for a file that was not touched since; otherwise reads it and, without a checksum, its collection's files.
  private func isOwn(_ file: OpenFile, _ information: FileInformation, _ log: PublishedLog) throws(StoreError) -> Bool {
    let entries = log.entries(of: file.name)
    if information.size == 0 || entries.contains(where: { $0.describes(information) }) { return true }
    let collection = String(file.name.dropLast(Manifest.Part.publishedSuffix.count))
    for part in state.manifest.parts + state.manifest.kept where part.collection == collection {
      guard let own = try disk.open(part.fileName) else { continue }
      if try own.information().identity == information.identity { return true }
      if part.bytes == information.size, try own.hasSameBytes(as: file) { return true }
    }
    let sums = entries.compactMap(\.sum)
    if !sums.isEmpty, sums.contains(try file.checksum()) { return true }
    if let last = entries.last, last.sum != nil, last.boot != nil, last.boot == store.bootID { return false }
    return try unknownLines(of: file).first == nil
  }

  /// The lines of a published file that neither the collection files nor the journal hold.
  private func unknownLines(of file: OpenFile) throws(StoreError) -> KnownLines.Unknown {
    let collection = String(file.name.dropLast(Manifest.Part.publishedSuffix.count))
    var known = KnownLines(of: [collection])
    for part in state.manifest.parts + state.manifest.kept { try known.add(part, on: disk) }
    for segment in state.manifest.segments { try known.add(segment, on: disk, store.limits) }
    return try known.unknown(in: file, of: collection)
  }
}
