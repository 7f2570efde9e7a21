/// `archlint graph`: draws the dependency graph as an SVG, with violations in red.
struct GraphCommand {
  private enum Format: String, CaseIterable { case svg }

  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    _ = try options.format(Format.self, else: .svg)
    let project = try options.loader().load()
    let result = Linter(project, today: options.today).run()
    let drawing = GraphDrawing(project, result, showsTests: options.showsTests, showsPackages: options.showsPackages)
    try options.deliver(SVGGraph.svg(drawing), to: console)
    return 0
  }
}
