import CLibrary
import Ports

/// Where the file system can do it, files share their blocks until one of them changes. They are never links to files of
/// the store itself: damage of the one would be damage of the other.
struct FolderCopy {
  /// A backup that is to be replaced. Its files may be linked, because it is removed.
  struct Earlier {
    let disk: Disk
    let manifest: Manifest
  }

  private let source: Disk
  private let target: Disk
  private let earlier: Earlier?
  private(set) var bytes = 0
  /// The size of those that were not linked.
  private(set) var bytesCopied = 0

  init(from source: Disk, to path: String, earlier: Earlier?) {
    (self.source, target, self.earlier) = (source, Disk(anywhere: path), earlier)
  }

  /// Copies the files of a state; `false` if one was removed because the manifest changed.
  mutating func write(_ state: StoreState, store: UInt64) throws(StoreError) -> Bool {
    _ = try target.openFolder(create: true)
    var manifest = state.manifest
    // The files of the generation before are there for readers that are under way.
    manifest.kept = []
    manifest.store = store
    var sources: [(file: OpenFile, size: Int?, isSame: Bool)] = []
    for part in manifest.allParts {
      guard let file = try source.open(part.fileName), let sums = try source.open(part.sumsName) else { return false }
      let isSame = earlier?.manifest.allParts.contains(part) == true
      sources += [(file, nil, isSame), (sums, nil, isSame)]
    }
    for segment in manifest.segments {
      guard let file = try source.open(segment.fileName) else { return false }
      sources.append((file, segment.finalSize ?? state.end, false))
    }
    for (file, size, isSame) in sources {
      let known = size
      let size: Int
      if let known { size = known } else { size = try file.information().size }
      bytes += size
      if isSame, try linked(file.name, size) { continue }
      if !isSame, try hasSameBytes(file, size), try linked(file.name, size) { continue }
      try copy(file, size, as: file.name)
    }
    try write(manifest.text, as: Manifest.name)
    return true
  }

  /// Copies a file at any path, if it exists; only its owner can read the copy.
  ///
  /// - Parameter followsLinks: whether the path may be a link, or lead through one, because a person named it.
  mutating func write(file path: String, as name: String, followsLinks: Bool = false) throws(StoreError) {
    guard let path = followsLinks ? FolderPath.real(path) : path else { return }
    let (folder, file) = FolderPath.split(path)
    let disk = Disk(anywhere: folder)
    guard try disk.openFolder(create: false), let file = try disk.open(file) else { return }
    let (inner, last) = FolderPath.split(name)
    let size = try file.information().size
    bytes += size
    _ = try target.openFolder(create: true)
    try (inner == "." ? self : into(inner)).copied(file, size, as: last)
    bytesCopied += size
  }

  mutating func write(_ contents: [UInt8], as name: String) throws(StoreError) {
    let file = try target.create(name)
    try file.write(contents)
    bytes += contents.count
    bytesCopied += contents.count
  }

  /// Copies the files of a folder in the store's one whose contents never change under a name.
  mutating func writeFolder(_ name: String) throws(StoreError) {
    let folder = Disk(anywhere: source.path(name))
    guard try folder.openFolder(create: false) else { return }
    var copy = try into(name)
    for name in try folder.names().sorted() where !name.hasSuffix(".new") {
      guard let file = try folder.open(name) else { continue }
      let size = try file.information().size
      copy.bytes += size
      if try copy.hasSameBytes(file, size), try copy.linked(name, size) { continue }
      try copy.copy(file, size, as: name)
    }
    bytes += copy.bytes
    bytesCopied += copy.bytesCopied
  }

  private func into(_ name: String) throws(StoreError) -> FolderCopy {
    let earlier = earlier.map { earlier in
      Earlier(disk: Disk(anywhere: earlier.disk.path(name)), manifest: earlier.manifest)
    }
    _ = try? earlier?.disk.openFolder(create: false)
    let copy = FolderCopy(from: source, to: target.path(name), earlier: earlier)
    _ = try copy.target.openFolder(create: true)
    return copy
  }

  private mutating func copy(_ file: OpenFile, _ size: Int, as name: String) throws(StoreError) {
    try copied(file, size, as: name)
    bytesCopied += size
  }

  private func copied(_ file: OpenFile, _ size: Int, as name: String) throws(StoreError) {
    let copy = try target.create(name)
    if copy.shareBlocks(of: file) { return try copy.truncate(to: size) }
    var offset = 0
    while offset < size {
      let piece = try file.bytes(at: offset, count: min(1 << 20, size - offset))
      if piece.isEmpty { break }
      try copy.write(piece, at: offset)
      offset += piece.count
    }
  }

  private func hasSameBytes(_ file: OpenFile, _ size: Int) throws(StoreError) -> Bool {
    guard let old = try? earlier?.disk.open(file.name), try old.information().size == size,
      try file.information().size == size
    else { return false }
    return try file.hasSameBytes(as: old)
  }

  /// Gives a file of the earlier backup a name in this one; false where that is not possible.
  private func linked(_ name: String, _ size: Int) throws(StoreError) -> Bool {
    guard let earlier, let old = try? earlier.disk.open(name), try old.information().size == size else { return false }
    return link(earlier.disk.path(name), target.path(name)) == 0
  }
}
