import Assembly
import CLibrary
import FoundationEssentials
import Models
import Persistence
import Ports

extension CompositionRoot {
  /// Opens standard streams that the caller closed; before anything else.
  static func openStreams() { StandardStreams.open() }

  static var arguments: [String] { ProgramArguments.given }

  /// The collections that `daemon.notifications` names and that do not exist, with their places in the settings.
  func unknownCollections(in settings: Settings) -> [(place: String, message: String, suggestion: Advice)] {
    settings.unknownCollections(besides: catalog.names)
  }

  /// The name of a file in the store's folder; `nil` for a file elsewhere.
  func ownFile(_ path: String) -> String? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var (named, own) = (stat(), stat())
    guard !isStoreOnServer, stat(folder, &named) == 0, stat(storePath, &own) == 0, named.st_dev == own.st_dev,
      named.st_ino == own.st_ino
    else { return nil }
    return slash.map { String(path[path.index(after: $0)...]) } ?? path
  }

  func backUp(to folder: String, replaces: Bool) async throws(Failure) -> CopiedStore {
    try checkFolder(
      folder, "'backup' copies a folder, and the store is on a server",
      hint: "'pg_dump --schema=NAME' makes a backup of it, also while daemons work; "
        + "\(command: "store", "copy", "ADDRESS", "DIR") makes a copy in a folder")
    return CopiedStore(try await Backups(invocation, time: time).make(in: folder, replaces: replaces))
  }

  /// Puts a backup in the place of the store. Call it before anything else uses the store.
  func restore(_ folder: String) async throws(Failure) -> CopiedStore {
    try checkFolder(
      folder, "'restore' replaces a folder, and the store is on a server",
      hint:
        "\"psql -1 -v ON_ERROR_STOP=1 -c 'drop schema if exists NAME cascade' -f FILE\" restores what pg_dump wrote, also "
        + "while daemons work; \(command: "store", "copy", "DIR", "ADDRESS") copies a folder into a new schema")
    let backups = Backups(invocation, time: time)
    let changed = backups.changed(in: folder)
    let (copy, config) = try await backups.restore(folder)
    var copied = CopiedStore(copy)
    copied.config = config
    copied.changed = changed
    return copied
  }

  /// The edits that wait in the store and not in a backup: after a restore they are in the store that was replaced alone.
  func edits(missingIn backup: String) -> [OutboxEntry] {
    let kept = Set(Self.edits(in: backup, coder).map(\.$id))
    return Self.edits(in: storePath, coder).filter { !kept.contains($0.$id) }
  }

  /// The edits that wait in a folder; none where it is not a store.
  private static func edits(in folder: String, _ coder: any RecordCoder) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    guard let store = try? JSONFileStore(folder: folder, mustExist: true, readOnly: true) else { return [] }
    try? store.snapshot().eachObject(.outbox, ScanRange(), coder) { (fields) throws(StoreError) -> ScanStep in
      if let entry = try? OutboxEntry(fields: fields) { entries.append(entry) }
      return .next
    }
    return entries
  }

  /// The names in a store's folder that do not belong to the store.
  func othersInStore(_ folder: String) throws(Failure) -> [String] { try Backups.others(in: folder) }

  /// A copy of an image that is on a server, for programs that read files.
  func cached(_ item: MediaItem, of images: any MediaStore) throws(Failure) -> String {
    let path = "\(imageCache)/\(item.digest)"
    var information = stat()
    if stat(path, &information) == 0, information.st_size == item.bytes { return path }
    return try cache(try Failure.from { () throws(StoreError) in try images.bytes(of: item) }, at: path)
  }

  /// A file with the photo of a card, whose name has the ending of its type, for programs that go by that.
  func cachedPhoto(_ bytes: [UInt8], _ type: String) throws(Failure) -> String {
    try cache(bytes, at: cachePath(of: bytes, type))
  }

  /// Removes the file of a person's photo that was made for another program.
  func removeCachedPhoto(of id: String) {
    guard let photo = try? people().photo(of: id), let bytes = Base64.decoded(photo.data), let type = photo.type else {
      return
    }
    unlink(cachePath(of: bytes, type))
  }

  private func cachePath(of bytes: [UInt8], _ type: String) -> String {
    "\(imageCache)/\(SHA256.digest(bytes)).\(type.split(separator: "/").last ?? "image")"
  }

  private var imageCache: String { invocation.places.cache + "/images" }

  private func cache(_ bytes: [UInt8], at path: String) throws(Failure) -> String {
    let folder = imageCache
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(
        .store, .cannotCreate, "the folder for copies of images cannot be made",
        hint: "XDG_CACHE_HOME names another place", path: folder)
    }
    try OutputFile(path: path).write(bytes)
    return path
  }

  /// Copies a store into an empty place; both are folders or addresses.
  func copyStore(from source: String, to target: String) async throws(Failure) -> StoreCopyReport {
    for place in [source, target] {
      if let problem = Places(store: place, config: nil, environment: [:]).storeProblem { throw problem }
    }
    let catalog: @Sendable () -> CollectionCatalog = { [invocation] in invocation.sources.catalog }
    let first = try OpenedStore(at: source, catalog, time: time, events: events)
    let second = try OpenedStore(at: target, catalog, time: time, events: events)
    let copy = StoreCopy(
      from: first.records, try first.images(at: source, readOnly: true), to: second.records,
      try second.images(at: target), coder: coder, catalog: catalog(), now: time.now)
    let report = try await Failure.from { () async throws(StoreError) in
      let report = try await copy.run()
      try await second.records.publish(.complete)
      return report
    }
    return StoreCopyReport(
      records: report.records, images: report.images, commits: report.commits, digest: report.digest,
      damagedImages: report.damagedImages)
  }

  /// Checks the name of a backup, and that the store is in a folder.
  private func checkFolder(_ backup: String, _ reason: String, hint: Advice) throws(Failure) {
    if let problem = Places.problem(ofBackup: backup) { throw problem }
    if isStoreOnServer { throw Failure(.store, .usage, reason, hint: hint, code: .own(.storeOnServer)) }
  }
}

extension CopiedStore {
  fileprivate init(_ copy: StoreBackup.Copy) {
    self.init(
      folder: copy.folder, commit: copy.sequence, records: copy.records, bytes: copy.bytes, copied: copy.copied,
      previous: copy.previous, noteProblem: copy.noteProblem?.failure)
  }
}
