import ArgumentParser
import Foundation
import Models

/// Starts the program: arguments in, exit code out.
@main
enum Main {
  static func main() async {
    let given = Array(CommandLine.arguments.dropFirst())
    let arguments = ArgumentOrder.globalsLast(given)
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
      let problem = WrongUse(error, arguments: given)
      guard let failure = problem.failure else { AlmanacCLI.exit(withError: problem.error) }
      CompositionRoot(options: problem.options, environment: environment).terminal.report(failure)
      exit(ExitStatus(failure.reason).rawValue)
    }
  }

  private static func run(_ command: any ServiceCommand, _ environment: [String: String]) async -> Int32 {
    let interruption = Interruption()
    // A write beyond the limit of file sizes then fails and is reported, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let root = CompositionRoot(options: command.global, environment: environment)
    let terminal = root.terminal
    let job = Task {
      do throws(Failure) { return try await command.run(root).rawValue } catch {
        if error.reason == .cancelled {
          terminal.report(stopped: root.kept)
        } else {
          terminal.report(error)
        }
        return ExitStatus(error.reason).rawValue
      }
    }
    interruption.watch(job) {
      terminal.report(stopped: root.kept)
      terminal.flush()
    }
    var status = await job.value
    terminal.flush()
    for failure in [await root.close(renewsFiles: command.renewsFiles), terminal.failure].compactMap({ $0 }) {
      terminal.report(failure)
      if status == ExitStatus.done.rawValue { status = ExitStatus(failure.reason).rawValue }
    }
    return status
  }
}
