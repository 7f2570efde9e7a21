/// `archlint graph`: who knows whom, with what breaks a rule in red.
struct GraphCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(GraphFormat.self, else: .mermaid)
    let project = try options.loader().load()
    let result = Linter(project, today: options.today).run()
    let drawing = GraphDrawing(
      project, result, showsTests: options.showsTests, showsPackages: options.showsPackages)
    let text =
      switch format {
      case .mermaid: TextGraph.mermaid(drawing)
      case .dot: TextGraph.dot(drawing)
      case .svg: SVGGraph.svg(drawing)
      case .html:
        HTMLGraph.render(
          drawing, result, metrics: TargetMetrics.all(project, result.graph), title: project.manifest.name)
      }
    try options.deliver(text, to: console)
    return 0
  }
}
