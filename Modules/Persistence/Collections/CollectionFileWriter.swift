import Models
import Ports

final class CollectionFileWriter {
  private let file: OpenFile
  private let sumsFile: OpenFile
  private let part: Manifest.Part
  private var buffer = ByteBuffer(capacity: flushSize + CollectionFile.blockSize)
  private var sums = ByteBuffer(capacity: 1 << 12)
  private var sumsWritten = 0
  private var sumOfSums = XXHash64()
  private var index = SparseIndexWriter()
  /// The last record, which its owner keeps until the file is finished.
  private var last: ByteSlice?
  private var written = 0
  private var records = 0

  private static var flushSize: Int { 1 << 20 }

  convenience init(collection: String, version: UInt64, on disk: Disk) throws(StoreError) {
    try self.init(Manifest.Part(collection: collection, version: version, records: 0, bytes: 0, sum: 0), on: disk)
  }

  init(_ part: Manifest.Part, on disk: Disk) throws(StoreError) {
    self.part = part
    file = try disk.create(part.fileName)
    sumsFile = try disk.create(part.sumsName)
  }

  func add(_ record: ByteSlice) throws(StoreError) {
    index.add(record, at: written + buffer.count)
    buffer.append(record)
    buffer.append(0x0A)
    last = record
    records += 1
    if buffer.count >= Self.flushSize { try flush(all: false) }
  }

  private func flush(all: Bool) throws(StoreError) {
    let size = all ? buffer.count : buffer.count / CollectionFile.blockSize * CollectionFile.blockSize
    guard size > 0 else { return }
    var offset = 0
    while offset < size {
      let block = buffer.slice[offset..<min(offset + CollectionFile.blockSize, size)]
      withUnsafeBytes(of: XXHash64.sum(block.raw).littleEndian) { sums.append(ByteSlice($0.baseAddress!, count: 8)) }
      offset += block.count
    }
    if sums.count >= Self.flushSize { try flushSums() }
    try file.write(buffer.slice[0..<size].raw, at: written)
    // The disk works while the rest is built.
    file.beginSync(written..<written + size)
    written += size
    buffer.keep(from: size)
  }

  private func flushSums() throws(StoreError) {
    try sumsFile.write(sums.slice.raw, at: sumsWritten)
    sumsFile.beginSync(sumsWritten..<sumsWritten + sums.count)
    sumOfSums.update(sums.slice.raw)
    sumsWritten += sums.count
    sums.truncate(to: 0)
  }

  /// Completes and syncs both files, while the last record is still in memory.
  func finish(_ sync: (OpenFile) throws(StoreError) -> Void) throws(StoreError) -> Manifest.Part {
    try flush(all: true)
    if let last {
      index.finish(last: last, bytes: written) { word in
        withUnsafeBytes(of: word.littleEndian) { sums.append(ByteSlice($0.baseAddress!, count: 8)) }
      }
    }
    try flushSums()
    try sync(file)
    try sync(sumsFile)
    var part = part
    (part.records, part.bytes, part.sum) = (records, written, sumOfSums.value)
    return part
  }
}
