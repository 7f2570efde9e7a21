/// The program, without the process around it.
package enum Command {
  /// - Returns: 0 clean, 1 violations, 2 bad rules or usage, 3 a failure of our own.
  package static func run(_ arguments: [String], console: Console) -> Int32 {
    do {
      let options = try CommandLineOptions.parse(arguments)
      return try run(options, console: console)
    } catch {
      console.errors(error.message + "\n")
      return error.exitCode
    }
  }

  private static func run(_ options: CommandLineOptions, console: Console) throws(ArchlintError) -> Int32 {
    switch options.action {
    case .help:
      console.output(CommandLineOptions.help)
      return 0
    case .lint: return try LintCommand(options).run(console)
    case .symbols: return try SymbolsCommand(options).run(console)
    case .graph: return try GraphCommand(options).run(console)
    case .metrics: return try MetricsCommand(options).run(console)
    case .explain: return try ExplainCommand(options).run(console)
    case .affected: return try AffectedCommand(options).run(console)
    case .watch: return try WatchCommand(options).run(console)
    case .`init`: return try InitCommand(options).run(console)
    case .imports: return try ImportsCommand(options).run(console)
    case .measure: return try MeasureCommand(options).run(console)
    }
  }
}
