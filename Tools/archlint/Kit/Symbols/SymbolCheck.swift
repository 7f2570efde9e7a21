import Foundation

extension CommandLineOptions {
  /// `archlint symbols`: finds concrete types that are named where that is not allowed; requires a build.
  func symbols(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try format(ReportFormat.self, else: .text)
    let project = try loader().load()
    let store = try IndexStore(path: indexStore ?? project.root + "/.build/debug/index/store")
    defer { store.close() }
    // The compiler may have received the path with symbolic links resolved.
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
      throw .environment("the index contains no file of this package: build first (swift build)")
    }
    let check = SymbolCheck(project, index: index)
    let (kept, hidden) = IgnoreFilter(project.rules, today: today).apply(to: check.run(), upkeepOf: [.concreteType])
    let result = LintResult(
      violations: Array(Set(kept)).sorted(), ignored: hidden, files: index.count, graph: ModuleGraph(project))
    let stale = check.stale()
    if !stale.isEmpty {
      console.errors(
        "archlint: warning: \(stale.count) files are newer than the index or not in it (\(stale[0])): build again\n")
    }
    return try report(result, format, to: console)
  }
}

/// Concrete types of another module may be named only in composition roots and tests. The index of a build shows uses
/// that imports do not: inferred types, aliases, and types that are imported elsewhere in the target.
struct SymbolCheck {
  private let project: Project
  /// The index by path relative to the package.
  private let index: [String: IndexedFile]

  init(_ project: Project, index: [String: IndexedFile]) {
    (self.project, self.index) = (project, index)
  }

  func run() -> [Violation] {
    let owners = definitions()
    return project.files.flatMap { file -> [Violation] in
      guard let target = file.target, let role = project.roles[target], role.isTest == nil, !project.isRoot(file),
        let occurrences = index[file.path]?.occurrences
      else { return [] }
      return occurrences.compactMap { occurrence in
        guard !occurrence.isDefinition, let owner = owners[occurrence.symbol], owner != target,
          let ownerRole = project.roles[owner], let rule = ownerRole.isConcrete
        else { return nil }
        return Violation(
          check: .concreteType, place: Place(file.path, (occurrence.line, occurrence.column)),
          message:
            "\(target) (\(role.name.text)) names \(occurrence.name) of \(owner) (\(ownerRole.name.text)) outside a "
            + "composition root", target: target, object: owner, rule: rule.place,
          suggestion: role.suggestion ?? "take it as a protocol, and name \(occurrence.name) in a composition root")
      }
    }
  }

  /// The target that defines each concrete type, by symbol.
  private func definitions() -> [String: String] {
    var owners: [String: String] = [:]
    for file in project.files {
      guard let target = file.target else { continue }
      for occurrence in index[file.path]?.occurrences ?? [] where occurrence.isDefinition {
        owners[occurrence.symbol] = target
      }
    }
    return owners
  }

  /// Files without current index data, because they changed since the build or were never built.
  func stale() -> [String] {
    project.files.filter { file in
      guard file.target != nil else { return false }
      guard let indexed = index[file.path] else { return true }
      var status = stat()
      guard stat(project.root + "/" + file.path, &status) == 0 else { return false }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) > indexed.compiledAt
    }
    .map(\.path)
  }
}
