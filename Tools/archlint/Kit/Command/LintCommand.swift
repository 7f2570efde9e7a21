/// `archlint`: every check, once.
struct LintCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(ReportFormat.self, else: .text)
    let project = try options.loader().load()
    let result = Linter(project, today: options.today).run()
    try options.deliver(format.render(result), to: console)
    if !options.isQuiet { console.errors(TextReport.summary(result)) }
    return result.violations.isEmpty ? 0 : 1
  }
}
