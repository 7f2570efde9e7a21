public import Models
public import Ports

/// Images in a folder: each content once, named by its SHA-256, and a small file for each address.
///
/// Both kinds are written under another name, brought to the disk and renamed, so that any number of processes can
/// keep images at once without a lock.
public struct MediaFolder: MediaStore {
  /// Where the images of a store are in its folder.
  static let folderName = "media"

  let disk: Disk
  let isReadOnly: Bool
  /// What to do about a damaged file.
  private let suggestion: Advice

  /// Images in this folder, which is made when the first one is kept.
  ///
  /// - Parameter suggestion: what findings and errors advise about a damaged image.
  /// - Throws: `StoreError`: `unsuitablePlace`, `cannotRead`.
  public init(
    folder: String, readOnly: Bool = false, suggestion: Advice = "remove the file and fetch the image again"
  ) throws(StoreError) {
    try self.init(system: RealFileSystem(path: folder), readOnly: readOnly, suggestion: suggestion)
  }

  package init(
    system: any FileSystem, readOnly: Bool = false, suggestion: Advice = "remove the file and fetch the image again"
  ) throws(StoreError) {
    (disk, isReadOnly, self.suggestion) = (Disk(system: system), readOnly, suggestion)
    _ = try disk.openFolder(create: false)
  }

  public func item(for url: String) throws(StoreError) -> MediaItem? {
    guard try disk.openFolder(create: false) else { return nil }
    let name = MediaReference.fileName(url)
    guard let text = try contents(name) else { return nil }
    guard let reference = MediaReference(text: text, url: url) else { throw damaged(name) }
    // A power cut may have kept the address and not the image: then it was never acknowledged.
    guard let file = try disk.open(reference.item.digest),
      try file.information().size == reference.item.bytes
    else { return nil }
    return reference.item
  }

  public func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem {
    if isReadOnly { throw StoreError(.cannotWrite, "opened for reading only", path: disk.system.path) }
    guard !type.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }),
      !url.utf8.contains(where: { $0 < 0x20 })
    else { throw StoreError(.invalidRecord, "a media type and an address have no control characters") }
    _ = try disk.openFolder(create: true)
    let item = MediaItem(digest: SHA256.digest(bytes), type: type, bytes: bytes.count)
    let name = MediaReference.fileName(url)
    let hadContent = try contents(item.digest) == bytes
    if !hadContent { try replace(item.digest, with: bytes) }
    do throws(StoreError) {
      try replace(name, with: MediaReference(item: item, url: url).text)
      try disk.syncFolder()
    } catch {
      try? disk.remove(name)
      if !hadContent { try? disk.remove(item.digest) }
      throw error
    }
    return item
  }

  public func bytes(of item: MediaItem) throws(StoreError) -> [UInt8] {
    guard item.digest.utf8.count == 64, try disk.openFolder(create: false), let bytes = try contents(item.digest) else {
      throw StoreError(.cannotRead, "there is no such image", path: disk.path(item.digest))
    }
    guard bytes.count == item.bytes, SHA256.digest(bytes) == item.digest else { throw damaged(item.digest) }
    noteUse(item.digest)
    return bytes
  }

  /// The longest time that an image is used without a note, in nanoseconds.
  private static let usePrecision = 86_400 * 1_000_000_000

  /// The time of a file is that of the last use of its image, to the day.
  private func noteUse(_ name: String) {
    guard !isReadOnly, let file = try? disk.open(name), let modified = try? file.information().modified,
      MachineTime().now.secondsSinceEpoch.times(1_000_000_000).minus(modified) > Self.usePrecision
    else { return }
    disk.system.touch(file.number)
  }

  public func evict(to most: Int, unusedSince unused: Timestamp) throws(StoreError) -> Int {
    guard try disk.openFolder(create: false) else { return 0 }
    var images: [(name: String, information: FileInformation)] = []
    for name in try disk.names() where name.utf8.count == 64 {
      if let information = try disk.open(name)?.information() { images.append((name, information)) }
    }
    var bytes = images.reduce(0) { $0 + $1.information.size }
    if bytes <= most { return bytes }
    var removed: Set<ExactString> = []
    for (name, information) in images.sorted(by: { $0.information.modified < $1.information.modified }) {
      guard bytes > most, information.modified / 1_000_000_000 < unused.secondsSinceEpoch else { break }
      removed.insert(name.exact)
      bytes -= information.size
    }
    if removed.isEmpty { return bytes }
    // The addresses first: a kill in between leaves images without one, which the next call removes.
    for name in try disk.names() where name.hasSuffix(MediaReference.suffix) {
      guard let text = try contents(name), let digest = MediaReference.digest(of: text), removed.contains(digest.exact)
      else { continue }
      try disk.rename(name, to: name.dropLast(MediaReference.suffix.count) + MediaReference.evictedSuffix)
    }
    for name in removed { try disk.remove(name.text) }
    return bytes
  }

  public func isEvicted(_ url: String) throws(StoreError) -> Bool {
    guard try disk.openFolder(create: false) else { return false }
    return try disk.open(MediaReference.evictedName(url)) != nil
  }

  public func want(_ url: String) throws(StoreError) {
    if try isEvicted(url) { try disk.remove(MediaReference.evictedName(url)) }
  }

  /// Removes the image of an address. O(n) for n addresses.
  public func remove(_ url: String) throws(StoreError) {
    guard try disk.openFolder(create: false) else { return }
    let digest = try contents(MediaReference.fileName(url)).flatMap { MediaReference.digest(of: $0) }
    for name in [MediaReference.fileName(url), MediaReference.evictedName(url)] where try disk.open(name) != nil {
      try disk.remove(name)
    }
    guard let digest else { return }
    for name in try disk.names() where name.hasSuffix(MediaReference.suffix) {
      if try contents(name).flatMap({ MediaReference.digest(of: $0) })?.exact == digest.exact { return }
    }
    if try disk.open(digest) != nil { try disk.remove(digest) }
  }

  public func count() throws(StoreError) -> Int {
    guard try disk.openFolder(create: false) else { return 0 }
    return try disk.names().count { $0.hasSuffix(MediaReference.suffix) }
  }

  public func verify() throws(StoreError) -> [StoreFinding] {
    try damagedFiles().map { name in
      StoreFinding(
        .damage, path: disk.path(name), offset: 0, message: Self.isReference(name) ? Self.lostAddress : Self.lostImage,
        suggestion: suggestion)
    }
  }

  /// Renames the damaged files, whose addresses are without an image then.
  public func repair() throws(StoreError) -> [StoreFinding] {
    var findings: [StoreFinding] = []
    for name in try damagedFiles() {
      try disk.rename(name, to: name + Self.damagedSuffix)
      findings.append(
        StoreFinding(
          .note, path: disk.path(name), message: Self.isReference(name) ? Self.lostAddress : Self.lostImage,
          suggestion: "put aside as \(name)\(Self.damagedSuffix)"))
    }
    return findings
  }

  private static let damagedSuffix = ".damaged"
  private static let lostImage = "the image is not what was downloaded"
  private static let lostAddress = "the address of an image is not what was written"

  private static func isReference(_ name: String) -> Bool { name.hasSuffix(MediaReference.suffix) }

  private func damagedFiles() throws(StoreError) -> [String] {
    guard try disk.openFolder(create: false) else { return [] }
    var damaged: [String] = []
    for name in try disk.names().sorted() {
      let isReference = Self.isReference(name)
      // An image that was removed in this moment is not damaged.
      guard isReference || name.utf8.count == 64, let bytes = try contents(name) else { continue }
      if isReference ? !MediaReference.isIntact(bytes) : SHA256.digest(bytes) != name { damaged.append(name) }
    }
    return damaged
  }

  private func contents(_ name: String) throws(StoreError) -> [UInt8]? {
    guard let file = try disk.open(name) else { return nil }
    return try file.bytes(count: try file.information().size)
  }

  private func replace(_ name: String, with bytes: [UInt8]) throws(StoreError) {
    let temporary = "\(hexadecimalText(disk.system.randomNumber())).new"
    let file = try disk.create(temporary)
    do throws(StoreError) {
      try file.write(bytes)
      try file.sync()
      try disk.rename(temporary, to: name)
    } catch {
      try? disk.remove(temporary)
      throw error
    }
  }

  private func damaged(_ name: String) -> StoreError {
    StoreError(.damaged, "the file is not what was kept", hint: suggestion, path: disk.path(name), offset: 0)
  }
}

/// What the folder remembers of an address: one line in a file of its own, named by the address's digest.
///
/// `{"digest":"…64…","bytes":…,"type":"image/png","url":"…","sum":"…16…"}`; the sum covers all before `,"sum"`.
struct MediaReference: Hashable {
  var item: MediaItem
  var url: String

  static let suffix = ".ref"
  /// The suffix instead, once the image made room for others.
  static let evictedSuffix = ".out"

  static func fileName(_ url: String) -> String { SHA256.digest(url.utf8) + suffix }
  static func evictedName(_ url: String) -> String { SHA256.digest(url.utf8) + evictedSuffix }

  static func digest(of text: [UInt8]) -> String? {
    let words = String(decoding: text, as: UTF8.self).split(separator: "\"", maxSplits: 4)
    return words.count > 3 && words[1] == "digest" ? String(words[3]) : nil
  }

  var text: [UInt8] {
    var line = Array("{\"digest\":\"\(item.digest)\",\"bytes\":\(item.bytes),\"type\":\"".utf8)
    Array(item.type.utf8).withByteSlice { RecordKey.escape($0, into: &line) }
    line += Array("\",\"url\":\"".utf8)
    Array(url.utf8).withByteSlice { RecordKey.escape($0, into: &line) }
    line.append(0x22)
    return line + Self.end(of: line)
  }

  /// Whether a line is, to the last byte, one that was written.
  static func isIntact(_ text: [UInt8]) -> Bool {
    let count = 8 + 16 + 3  // ,"sum":"…16…"}\n
    return text.count > count && Array(text.suffix(count)) == end(of: Array(text.dropLast(count)))
  }

  private static func end(of line: [UInt8]) -> [UInt8] {
    Array(",\"sum\":\"\(hexadecimalText(XXHash64.sum(line)))\"}\n".utf8)
  }
}

extension MediaReference {
  /// Reads a line; `nil` where it is not, to the last byte, one that was written for this address.
  init?(text: [UInt8], url: String) {
    let words = String(decoding: text, as: UTF8.self).split(separator: "\"", maxSplits: 8)
    // `{`, digest, `:`, the digest, `,`, bytes, `:n,`, type, the rest
    guard words.count == 9, words[1] == "digest", words[5] == "bytes", words[7] == "type",
      let bytes = Int(words[6].dropFirst().dropLast()), words[8].hasPrefix(":\"")
    else { return nil }
    let type = words[8].dropFirst(2).prefix { $0 != "\"" }
    self.init(item: MediaItem(digest: String(words[3]), type: String(type), bytes: bytes), url: url)
    guard self.text == text else { return nil }
  }
}
