package import Foundation

/// Gets a package's manifest from SwiftPM, and keeps the answer until the manifest changes.
///
/// The dump is kept in `.build/archlint`, under a name made of the bytes of `Package.swift` (and its versioned siblings):
/// asking SwiftPM costs about a second, reading the copy a millisecond. A manifest whose meaning depends on something else
/// (an environment variable) needs `--no-cache`.
package struct ManifestLoader {
  package var root: String
  package var usesCache = true
  /// The `swift` to ask.
  package var swift = "swift"

  package init(root: String, usesCache: Bool = true) {
    self.root = root
    self.usesCache = usesCache
  }

  /// - Throws: `ArchlintError.manifest` when there is none, or SwiftPM refuses it.
  package func load() throws(ArchlintError) -> Manifest {
    let copy = "\(root)/.build/archlint/manifest-\(try key()).json"
    if usesCache, let dump = FileManager.default.contents(atPath: copy),
      let manifest = try? ManifestDecoder.decode(dump, root: root)
    {
      return manifest
    }
    let dump = try dump()
    let manifest = try ManifestDecoder.decode(dump, root: root)
    if usesCache { keep(dump, at: copy) }
    return manifest
  }

  /// FNV-1a over the manifests' names and bytes.
  private func key() throws(ArchlintError) -> String {
    guard FileManager.default.fileExists(atPath: root + "/Package.swift") else {
      throw .manifest("no Package.swift in \(root)")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for name in names.filter({ $0.hasPrefix("Package") && $0.hasSuffix(".swift") }).sorted() {
      let bytes = Array(name.utf8) + (FileManager.default.contents(atPath: "\(root)/\(name)").map(Array.init) ?? [])
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Its own scratch path, because another SwiftPM may hold the lock of the usual one (as in `swift test`).
  private func dump() throws(ArchlintError) -> Data {
    let result = try Subprocess.run([
      swift, "package", "--package-path", root, "--scratch-path", root + "/.build/archlint/scratch", "--ignore-lock",
      "dump-package",
    ])
    guard result.status == 0 else {
      let reason = String(decoding: result.errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      throw .manifest("swift package dump-package failed with \(result.status): \(reason)")
    }
    return result.output
  }

  /// A cache that cannot be written is only slower.
  private func keep(_ dump: Data, at path: String) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for old in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where old.hasPrefix("manifest-") && old.hasSuffix(".json") {
      try? FileManager.default.removeItem(atPath: folder + "/" + old)
    }
    try? dump.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// Runs another program to its end.
package enum Subprocess {
  package struct Outcome: Sendable {
    package var status: Int32
    package var output: Data
    package var errors: Data
  }

  /// Looks the program up in PATH unless its name has a slash; gives it no input.
  ///
  /// - Throws: `ArchlintError.environment` when it cannot be started.
  package static func run(_ command: [String], in folder: String? = nil) throws(ArchlintError) -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0].contains("/") ? command[0] : "/usr/bin/env")
    process.arguments = command[0].contains("/") ? Array(command.dropFirst()) : command
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let output = Pipe()
    // Errors go through a file: with two pipes a program that fills the other one would wait for us forever.
    let errorPath = NSTemporaryDirectory() + "archlint-\(UUID().uuidString).err"
    _ = FileManager.default.createFile(atPath: errorPath, contents: nil, attributes: [.posixPermissions: 0o600])
    defer { try? FileManager.default.removeItem(atPath: errorPath) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errorPath) ?? .nullDevice
    do {
      try process.run()
    } catch {
      throw .environment("cannot start \(command[0]): \(error)")
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: text, errors: FileManager.default.contents(atPath: errorPath) ?? Data()
    )
  }
}
