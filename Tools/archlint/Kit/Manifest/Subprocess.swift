package import Foundation

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
