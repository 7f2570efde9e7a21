import Foundation
import Testing

/// Inflates with Python's zlib, which is not this project's code, and which checks every sum. Where there is no Python
/// the test is cancelled, with the reason.
func inflate(_ bytes: [UInt8], as coding: String) throws -> [UInt8] {
  let folder = FileManager.default.temporaryDirectory
  let source = folder.appendingPathComponent("inflate-\(UUID().uuidString)")
  let target = folder.appendingPathComponent("inflate-\(UUID().uuidString)")
  defer {
    try? FileManager.default.removeItem(at: source)
    try? FileManager.default.removeItem(at: target)
  }
  try Data(bytes).write(to: source)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [
    "python3", "-c",
    """
    import sys, gzip, zlib
    data = open(sys.argv[1], 'rb').read()
    open(sys.argv[2], 'wb').write(gzip.decompress(data) if sys.argv[3] == 'gzip' else zlib.decompress(data))
    """, source.path, target.path, coding,
  ]
  try process.run()
  process.waitUntilExit()
  if process.terminationStatus == 127 { try Test.cancel("python3 is not installed") }
  guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
  return Array(try Data(contentsOf: target))
}
