public import Models

public protocol StoreMaintenance: Sendable {
  /// Compacts the journal into the collection files.
  ///
  /// - Throws: `StoreError`; the previous state is preserved.
  @discardableResult
  func compact() async throws(StoreError) -> StoreStatistics

  /// Updates the readable files (`people.jsonl`) after commits. Call it at the end of a command, after a moment without
  /// commits, and before a long-running program ends. Commits do not wait for it, and their durability does not depend
  /// on it. The files contain the commits of all processes; with the effort `quick`, nothing is updated unless this
  /// process has committed.
  ///
  /// - Throws: `StoreError` if a file cannot be updated; the previous file and all records are preserved.
  func publish(_ effort: PublishEffort) async throws(StoreError)

  /// The collections whose readable file lacks the latest commits; compaction updates it.
  func behind() throws(StoreError) -> [CollectionName]

  /// The collections whose readable file is behind because another program changed it. O(bytes of these files).
  func changedFiles() throws(StoreError) -> [CollectionName]

  /// The commits whose state a file in the store's folder may have been made of, by ascending number: a published one, or
  /// one that was kept because another program had changed it. Empty if that is not known.
  ///
  /// - Parameter name: the name of the file: `people.jsonl.changed`.
  func bases(ofFile name: String) throws(StoreError) -> [UInt64]

  /// Reads all files and verifies all checksums. Returns an empty array if the store is intact and can be written.
  func verify() throws(StoreError) -> [StoreFinding]

  /// Repairs the store as far as possible. Data that has to be cut off is kept beside the store.
  ///
  /// - Returns: the repairs. A finding of severity `loss` names data that could not be recovered.
  func repair() async throws(StoreError) -> [StoreFinding]

  func statistics() throws(StoreError) -> StoreStatistics

  /// Checks that the store's path still leads to the files that are open. Every write checks it, too.
  ///
  /// - Throws: `StoreError`: `moved` where the folder was moved, deleted or replaced, or the file replaced that commits are
  ///   written to; `damaged` where that file was deleted; `cannotRead` where the path cannot be looked at, such as that of
  ///   a folder that was given to another user.
  func checkPlace() throws(StoreError)

  /// Checks that the store takes commits, without making one.
  ///
  /// - Throws: `StoreError`: `denied` where its server can be read only; `poisoned` after a write that failed, `cannotWrite`
  ///   where it was opened for reading; others where it cannot be asked.
  func checkWritable() throws(StoreError)
}

extension StoreMaintenance {
  /// None: a store without files.
  public func changedFiles() throws(StoreError) -> [CollectionName] { [] }
  public func bases(ofFile name: String) throws(StoreError) -> [UInt64] { [] }

  /// Does nothing: a store without a folder cannot lose it.
  public func checkPlace() throws(StoreError) {}

  /// Does nothing: a store in memory takes every commit.
  public func checkWritable() throws(StoreError) {}
}

public enum PublishEffort: Sendable {
  /// Only work of a few milliseconds, for a command that is about to end, and nothing if the command has not committed.
  case quick
  /// Includes long files, at a limited rate, for a program that continues with other work.
  case background
  /// Includes long files, at full speed, for a program that is about to end.
  case complete
}

public struct StoreStatistics: Hashable, Sendable {
  /// The number of records in all collections that are shown to users.
  public var records: Int
  /// The size of all files in bytes.
  public var bytes: Int
  public var journalBytes: Int

  public init(records: Int, bytes: Int, journalBytes: Int) {
    (self.records, self.bytes, self.journalBytes) = (records, bytes, journalBytes)
  }
}

public struct StoreFinding: Hashable, Sendable {
  public enum Severity: String, Sendable {
    /// Repaired or harmless.
    case note
    /// Data is damaged and can be repaired.
    case damage
    /// The store is repaired, but data is lost.
    case loss
    /// The store is intact, but cannot be written.
    case blocked
  }

  public var severity: Severity
  public var path: String
  public var offset: Int?
  public var message: String
  public var suggestion: Advice?
  public var collection: CollectionName?

  public init(
    _ severity: Severity, path: String, offset: Int? = nil, message: String, suggestion: Advice?,
    collection: CollectionName? = nil
  ) {
    (self.severity, self.path, self.offset) = (severity, path, offset)
    (self.message, self.suggestion, self.collection) = (message, suggestion, collection)
  }
}

public protocol MediaStore: Sendable {
  func item(for url: String) throws(StoreError) -> MediaItem?

  /// Stores an image. Identical bytes of two URLs are stored once.
  ///
  /// - Throws: `StoreError` if the image cannot be written; no partial file remains.
  func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem

  /// - Throws: `StoreError`: `damaged` if the bytes do not match the digest.
  func bytes(of item: MediaItem) throws(StoreError) -> [UInt8]

  /// Removes the images that were not used for the longest time, until all together have at most `most` bytes. Reading
  /// an image counts as a use. A removed image is not downloaded again before it is wanted.
  ///
  /// - Parameter unused: only images that were not used after this time are removed.
  /// - Returns: the size of the images that remain, in bytes.
  func evict(to most: Int, unusedSince unused: Timestamp) throws(StoreError) -> Int

  /// Whether the image of a URL was removed to make room.
  func isEvicted(_ url: String) throws(StoreError) -> Bool

  /// Notes that somebody wants to see an image that was removed to make room; the next download fetches it.
  func want(_ url: String) throws(StoreError)

  /// Removes the image of a URL, with its content unless another URL has the same.
  func remove(_ url: String) throws(StoreError)

  /// Reads every image and compares it with its digest. O(n) for n bytes.
  func verify() throws(StoreError) -> [StoreFinding]

  /// Puts damaged images aside, so that the next download fetches them.
  func repair() throws(StoreError) -> [StoreFinding]
}

extension MediaStore {
  /// Removes nothing, for a store without a limit.
  public func evict(to most: Int, unusedSince unused: Timestamp) throws(StoreError) -> Int { 0 }
  public func isEvicted(_ url: String) throws(StoreError) -> Bool { false }
  /// Does nothing: no image was removed.
  public func want(_ url: String) throws(StoreError) {}
  /// Does nothing, for a store that removes the images of a record with it.
  public func remove(_ url: String) throws(StoreError) {}
  /// Nothing, for a store that verifies an image whenever it is read.
  public func verify() throws(StoreError) -> [StoreFinding] { [] }
  public func repair() throws(StoreError) -> [StoreFinding] { [] }
}

public struct MediaItem: Hashable, Sendable {
  /// The digest of the content, which is also the file name.
  public var digest: String
  public var type: String
  public var bytes: Int

  public init(digest: String, type: String, bytes: Int) { (self.digest, self.type, self.bytes) = (digest, type, bytes) }
}
