/// `archlint metrics`: how each target stands among the others.
struct MetricsCommand {
  private enum Format: String, CaseIterable { case text, json }

  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(Format.self, else: .text)
    let project = try options.loader().load()
    let metrics = TargetMetrics.all(project, ModuleGraph(project))
    try options.deliver(
      format == .text ? TargetMetrics.table(metrics) : TargetMetrics.json(metrics), to: console)
    return 0
  }
}
