import Foundation
import ScaffoldKit

/// Writes a new source into the project, and takes one out again.
@main
enum Scaffold {
  static func main() {
    let console = Console(
      output: { FileHandle.standardOutput.write(Data($0.utf8)) },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
    exit(Command.run(Array(CommandLine.arguments.dropFirst()), console: console))
  }
}
