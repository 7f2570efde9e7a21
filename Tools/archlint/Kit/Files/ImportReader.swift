import Dispatch

/// Reads the imports of many files, on all cores.
package enum ImportReader {
  /// - Parameter root: What the files' paths are relative to; nil: the current folder.
  package static func read(_ files: inout [SourceFile], root: String?) {
    let prefix = root.map { $0 + "/" } ?? ""
    let paths = files.map { prefix + $0.path }
    let slots = UnsafeMutableBufferPointer<[ImportStatement]?>.allocate(capacity: paths.count)
    slots.initialize(repeating: nil)
    defer {
      slots.deinitialize()
      slots.deallocate()
    }
    // Each iteration writes its own slots only.
    nonisolated(unsafe) let results = slots
    let stride = 32
    DispatchQueue.concurrentPerform(iterations: (paths.count + stride - 1) / stride) { chunk in
      for index in chunk * stride..<min((chunk + 1) * stride, paths.count) {
        results[index] = SourceBytes.withFile(paths[index], ImportScanner.imports(of:))
      }
    }
    for index in files.indices {
      files[index].imports = slots[index] ?? []
      files[index].isReadable = slots[index] != nil
    }
  }
}
