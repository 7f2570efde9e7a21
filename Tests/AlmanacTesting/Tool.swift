import Foundation

/// Another program of this machine.
package enum Tool {
  /// Whether a name space in which folders can be mounted can be made.
  package static let canMount = (try? run("unshare", ["-rm", "true"]).status) == 0

  /// Runs a program to its end.
  ///
  /// - Parameter name: its path, or its name where `PATH` leads to it.
  /// - Returns: its exit status, and what it wrote to both outputs.
  @discardableResult
  package static func run(
    _ name: String, _ arguments: [String], in folder: String? = nil
  ) throws -> (status: Int32, output: String) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Runs a program that takes long on a thread of its own.
  package static func result(
    of name: String, _ arguments: [String], in folder: String? = nil
  ) async throws -> (status: Int32, output: String) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try run(name, arguments, in: folder) }) }
    }
  }
}
