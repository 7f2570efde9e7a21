import ArchlintKit
import Foundation

/// Checks the direction of dependencies in a Swift package.
@main
enum Archlint {
  static func main() {
    let console = Console(
      output: { FileHandle.standardOutput.write(Data($0.utf8)) },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(Command.run(Array(CommandLine.arguments.dropFirst()), console: console))
  }
}
