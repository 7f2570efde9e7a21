import Foundation

/// `archlint symbols`: after a build, concrete types that are named where they must not be.
struct SymbolsCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(ReportFormat.self, else: .text)
    let project = try options.loader().load()
    let store = try IndexStore(path: options.indexStore ?? project.root + "/.build/debug/index/store")
    defer { store.close() }
    // The compiler may have been given the path with its links followed.
    let roots = Set([project.root, URL(fileURLWithPath: project.root).resolvingSymlinksInPath().path]).map { $0 + "/" }
    func relative(_ path: String) -> String? {
      roots.first { path.hasPrefix($0) }.map { String(path.dropFirst($0.count)) }
    }
    let known = Set(project.files.map(\.path))
    let found = store.files { path in relative(path).map(known.contains) ?? false }
    let index = Dictionary(
      found.compactMap { path, file in relative(path).map { ($0, file) } },
      uniquingKeysWith: { $0.compiledAt > $1.compiledAt ? $0 : $1 })
    guard !index.isEmpty else {
      throw .environment("the index knows no file of this package: build first (swift build)")
    }
    let check = SymbolCheck(project, index: index)
    let (kept, hidden) = IgnoreFilter(project.rules, today: options.today).apply(
      to: check.run(), upkeepOf: [.concreteType])
    let result = LintResult(
      violations: Array(Set(kept)).sorted(), ignored: hidden, files: index.count, graph: ModuleGraph(project))
    try options.deliver(format.render(result), to: console)
    let stale = check.stale()
    if !stale.isEmpty {
      console.errors(
        "archlint: warning: \(stale.count) files are newer than the index or not in it (\(stale[0])): build again\n")
    }
    if !options.isQuiet { console.errors(TextReport.summary(result)) }
    return result.violations.isEmpty ? 0 : 1
  }
}
