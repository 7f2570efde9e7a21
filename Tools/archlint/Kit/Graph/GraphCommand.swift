extension CommandLineOptions {
  private enum GraphFormat: String, CaseIterable { case svg }

  /// `archlint graph`: draws the dependency graph as an SVG, with violations in red.
  func graph(_ console: Console) throws(ArchlintError) -> Int32 {
    _ = try format(GraphFormat.self, else: .svg)
    let project = try loader().load()
    let result = Linter(project, today: today).run()
    let drawing = GraphDrawing(project, result, showsTests: showsTests, showsPackages: showsPackages)
    try deliver(SVGGraph.svg(drawing), to: console)
    return 0
  }
}
