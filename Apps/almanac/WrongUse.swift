import ArgumentParser
import Models

/// What is said about arguments that are wrong.
struct WrongUse {
  /// What the parser says.
  let error: any Error
  /// The same as an answer in JSON has it; `nil` where answers are for people, and for help texts.
  let failure: Failure?
  /// The global options among the arguments.
  let options: GlobalOptions

  /// Looks at an error.
  ///
  /// - Parameter arguments: as they were given. Where they are wrong without the global options as well, that is the
  ///   error: global options are parsed last, and a wrong command makes them look unknown.
  init(_ error: any Error, arguments: [String]) {
    var error = error
    let (rest, globals) = ArgumentOrder.split(arguments)
    if Self.isWrong(error), !globals.isEmpty {
      do { _ = try AlmanacCLI.parseAsRoot(rest) } catch let other {
        if Self.isWrong(other) { error = other }
      }
    }
    self.error = error
    options = (try? GlobalOptions.parse(globals)) ?? (try? GlobalOptions.parse([])) ?? GlobalOptions()
    failure =
      [.json, .jsonl].contains(options.format) && Self.isWrong(error)
      ? Failure(.config, .usage, AlmanacCLI.message(for: error), hint: "see 'almanac help'", code: "usage") : nil
  }

  private static func isWrong(_ error: any Error) -> Bool { AlmanacCLI.exitCode(for: error) == .validationFailure }
}
