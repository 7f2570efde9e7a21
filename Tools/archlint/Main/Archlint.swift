import ArchlintKit
import Foundation

/// Lints the direction of dependencies of a Swift package.
@main
enum Archlint {
  static func main() {
    let console = Console(
      output: { FileHandle.standardOutput.write(Data($0.utf8)) },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(Command.run(Array(CommandLine.arguments.dropFirst()), console: console))
  }
}
