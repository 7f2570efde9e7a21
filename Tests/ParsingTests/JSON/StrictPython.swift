import Foundation

/// Python's json as an independent strict parser: `Tests/Fuzz/Parsing/strict_json.py`.
enum StrictPython {
  /// Whether there is a python3 to ask.
  static let isThere = ["/usr/bin", "/usr/local/bin", "/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/python3")
  }

  private static let script = URL(filePath: #filePath)  // Tests/ParsingTests/JSON/StrictPython.swift
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz/Parsing/strict_json.py").path

  /// For every document what it is when written without spaces; `nil` where it is refused.
  static func compact(_ documents: [[UInt8]]) throws -> [[UInt8]?] {
    var input = Data()
    for document in documents {
      withUnsafeBytes(of: UInt32(document.count).bigEndian) { input.append(contentsOf: $0) }
      input.append(contentsOf: document)
    }
    // Files, since two pipes that both fill up would wait for each other.
    let folder = FileManager.default.temporaryDirectory.appending(path: "strict-json-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inFile, outFile) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try input.write(to: inFile)
    _ = FileManager.default.createFile(atPath: outFile.path, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script, "--compact"]
    process.standardInput = try FileHandle(forReadingFrom: inFile)
    process.standardOutput = try FileHandle(forWritingTo: outFile)
    try process.run()
    process.waitUntilExit()
    let output = [UInt8](try Data(contentsOf: outFile))
    var answers: [[UInt8]?] = []
    var at = 0
    while at + 4 <= output.count {
      let length = output[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      answers.append(length == 0 ? nil : Array(output[at + 4..<at + 4 + length]))
      at += 4 + length
    }
    return answers
  }
}
