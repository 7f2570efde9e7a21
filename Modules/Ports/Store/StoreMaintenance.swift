public import Models

/// Maintenance of a store on a disk.
public protocol StoreMaintenance: Sendable {
  /// Compacts the journal into the collection files.
  ///
  /// - Throws: `StoreError`; what was there stays.
  func compact() async throws(StoreError) -> StoreStatistics

  /// Renews the files that people read (`people.jsonl`) after commits: at the end of a command, when nothing was
  /// committed for a moment, and before a program that writes for long ends. Commits never wait for it, and their
  /// durability does not depend on it.
  ///
  /// - Throws: `StoreError` where a file cannot be renewed; no record is touched, and the file is as it was.
  func publish(_ effort: PublishEffort) async throws(StoreError)

  /// The collections whose file does not hold the newest commits: compaction renews it.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func behind() throws(StoreError) -> [CollectionName]

  /// Reads everything and checks every checksum; an empty list when all is well.
  ///
  /// - Throws: `StoreError` where the store cannot be read at all.
  func verify() throws(StoreError) -> [StoreFinding]

  /// Repairs what can be repaired; what is cut off is kept beside the store.
  ///
  /// - Returns: what was done. A finding of severity `loss` says what could not be recovered.
  /// - Throws: `StoreError` where it cannot be repaired.
  func repair() async throws(StoreError) -> [StoreFinding]

  /// How much the store holds.
  ///
  /// - Throws: `StoreError` where the store cannot be read.
  func statistics() throws(StoreError) -> StoreStatistics
}

/// How much work may go into the files that people read.
public enum PublishEffort: Sendable {
  /// What takes some milliseconds: somebody waits for a command to end.
  case quick
  /// Longer files too, at a bounded rate: the program goes on with other work.
  case background
  /// Longer files too, at once: the program ends.
  case complete
}

/// How much a store holds.
public struct StoreStatistics: Hashable, Sendable {
  /// Records of all collections that users see.
  public var records: Int
  /// Bytes of all its files.
  public var bytes: Int
  /// Bytes of the journal.
  public var journalBytes: Int

  /// Makes statistics.
  public init(records: Int, bytes: Int, journalBytes: Int) {
    self.records = records
    self.bytes = bytes
    self.journalBytes = journalBytes
  }
}

/// Something that a check of the store found.
public struct StoreFinding: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// Repaired, or harmless.
    case note
    /// Data is damaged, and can be repaired.
    case damage
    /// The store is repaired, and data is lost.
    case loss
  }

  /// How bad it is.
  public var severity: Severity
  /// The file.
  public var path: String
  /// The place in it, in bytes.
  public var offset: Int?
  /// What is wrong.
  public var message: String
  /// What to do, or what was done.
  public var remedy: String?
  /// The collection that it concerns, if it is one alone.
  public var collection: CollectionName?

  /// Makes a finding.
  public init(
    _ severity: Severity, path: String, offset: Int? = nil, message: String, remedy: String?,
    collection: CollectionName? = nil
  ) {
    self.severity = severity
    self.path = path
    self.offset = offset
    self.message = message
    self.remedy = remedy
    self.collection = collection
  }
}

/// Keeps images by the address that they came from.
public protocol MediaStore: Sendable {
  /// The kept file for an address; `nil` where there is none.
  ///
  /// - Throws: `StoreError` where the folder cannot be read.
  func item(for url: String) throws(StoreError) -> MediaItem?

  /// Keeps an image. The same bytes under two addresses are kept once.
  ///
  /// - Throws: `StoreError` where it cannot be written; then there is no trace of it.
  func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem

  /// The bytes of an item, checked against its digest.
  ///
  /// - Throws: `StoreError`, `damaged` where the bytes are not those that were kept.
  func bytes(of item: MediaItem) throws(StoreError) -> [UInt8]

  /// How many addresses have an image.
  ///
  /// - Throws: `StoreError` where the folder cannot be read.
  func count() throws(StoreError) -> Int
}

/// A kept image.
public struct MediaItem: Hashable, Sendable {
  /// The content's digest, which names the file.
  public var digest: String
  /// The media type: `image/png`.
  public var type: String
  /// The size in bytes.
  public var bytes: Int

  /// Makes an item.
  public init(digest: String, type: String, bytes: Int) {
    self.digest = digest
    self.type = type
    self.bytes = bytes
  }
}
