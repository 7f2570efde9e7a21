package import Foundation

/// Gets the manifest of a package from SwiftPM, and caches the result until the manifest changes.
///
/// The dump is stored in `.build/archlint` under a hash of `Package.swift` and its versioned variants. Running SwiftPM
/// takes about a second, and reading the copy takes a millisecond. A manifest that depends on something else, such as
/// an environment variable, requires `--no-cache`.
package struct ManifestLoader {
  package var root: String
  package var usesCache = true
  /// The `swift` executable.
  package var swift = "swift"

  package init(root: String, usesCache: Bool = true) {
    (self.root, self.usesCache) = (root, usesCache)
  }

  /// - Throws: `ArchlintError.manifest` if there is no manifest, or if SwiftPM rejects it.
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

  /// The FNV-1a hash of the manifests' names and bytes.
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

  /// Runs SwiftPM with a separate scratch path, because another process may hold the lock of the default one (as in
  /// `swift test`).
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

  /// Writes the cache. Errors are ignored, because a missing cache only costs time.
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

/// Runs another program until it exits.
package enum Subprocess {
  package struct Outcome: Sendable {
    package var status: Int32
    package var output: Data
    package var errors: Data
  }

  /// Searches PATH for the program, unless its name contains a slash. The program gets no input.
  ///
  /// - Throws: `ArchlintError.environment` if the program cannot be started.
  package static func run(_ command: [String], in folder: String? = nil) throws(ArchlintError) -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0].contains("/") ? command[0] : "/usr/bin/env")
    process.arguments = command[0].contains("/") ? Array(command.dropFirst()) : command
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let output = Pipe()
    // Errors are written to a file: with two pipes, a program that fills the other pipe would block forever.
    let errorPath = NSTemporaryDirectory() + "archlint-\(UUID().uuidString).err"
    _ = FileManager.default.createFile(atPath: errorPath, contents: nil, attributes: [.posixPermissions: 0o600])
    defer { try? FileManager.default.removeItem(atPath: errorPath) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errorPath) ?? .nullDevice
    do { try process.run() } catch {
      throw .environment("cannot start \(command[0]): \(error)")
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: text, errors: FileManager.default.contents(atPath: errorPath) ?? Data()
    )
  }
}
