import Foundation
import ScaffoldKit

/// Adds a new source to the project, and removes one.
@main
enum Scaffold {
  static func main() {
    let console = Console(
      output: { FileHandle.standardOutput.write(Data($0.utf8)) },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(Command.run(Array(CommandLine.arguments.dropFirst()), console: console))
  }
}
