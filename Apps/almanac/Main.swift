import ArgumentParser
import Foundation
import Models

/// Starts the program: arguments in, exit code out.
@main
enum Main {
  static func main() async {
    let arguments = ArgumentOrder.globalsLast(Array(CommandLine.arguments.dropFirst()))
    let environment = ProcessInfo.processInfo.environment
    do {
      let parsed = try AlmanacCLI.parseAsRoot(arguments)
      guard let command = parsed as? any ServiceCommand else {
        var command = parsed
        try command.run()
        exit(0)
      }
      exit(await run(command, environment))
    } catch {
      AlmanacCLI.exit(withError: error)
    }
  }

  private static func run(_ command: any ServiceCommand, _ environment: [String: String]) async -> Int32 {
    let interruption = Interruption()
    let root = CompositionRoot(options: command.global, environment: environment)
    let terminal = root.terminal
    let job = Task {
      do throws(Failure) { return try await command.run(root).rawValue } catch {
        terminal.report(error)
        return ExitStatus(error.reason).rawValue
      }
    }
    interruption.watch(job, terminal)
    let status = await job.value
    await root.close()
    terminal.flush()
    return status
  }
}
