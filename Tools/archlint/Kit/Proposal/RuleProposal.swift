import Foundation

/// `archlint init`: writes a rule file that describes the current state of a package and can be tightened by hand.
struct InitCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let loader = try options.loader()
    let manifest = try loader.loadManifest()
    let folder = FileManager.default.fileExists(atPath: loader.root + "/Modules") ? "Modules/" : ""
    let path = options.rules ?? "\(loader.root)/\(folder)archlint.rules"
    if options.output == nil, FileManager.default.fileExists(atPath: path) {
      throw .usage("\(path) exists already; --output FILE writes the proposal to another file")
    }
    let text = try RuleProposal(loader, manifest, today: options.today).text()
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: options.output ?? path), options: .withoutOverwriting)
    } catch {
      throw .environment("cannot write \(options.output ?? path): \(error)")
    }
    if !options.isQuiet { console.errors("archlint: wrote \(options.output ?? path); review it and tighten it\n") }
    return 0
  }
}

/// Writes rules that describe the current state of a package, so that it cannot get worse: all existing dependencies
/// are allowed and no others; current violations are ignored for three months, with their number.
struct RuleProposal {
  private let loader: ProjectLoader
  private let manifest: Manifest
  private let today: String

  init(_ loader: ProjectLoader, _ manifest: Manifest, today: String) {
    self.loader = loader
    self.manifest = manifest
    self.today = today
  }

  /// - Throws: `ArchlintError.rules` if the proposal is not a valid rule file, which would be a defect of archlint.
  func text() throws(ArchlintError) -> String {
    let bare = loader.project(rules: Rules(path: "archlint.rules"), manifest: manifest)
    let roles = RoleProposal(bare).text()
    let products = ProductProposal(bare).text()
    let skips = skips(bare)
    let settings = settings()
    let keeps = keeps()
    let header = """
      # Which target may use which in \(manifest.name). Everything that no line allows is forbidden.
      # Proposed by archlint init: the package as it is today. Tighten it: merge roles that belong together,
      # remove what should not be allowed, and write the rules that must stay true: 'layers', 'independent', 'never'.


      """
    let rules = [roles, products, settings, keeps, skips].filter { !$0.isEmpty }.joined(separator: "\n")
    let parsed = try RuleParser.parse(header + rules, path: "archlint.rules")
    let project = loader.project(rules: parsed, manifest: manifest, files: bare.files, nested: bare.nested)
    let ignores = ignores(Linter(project, today: today).run().violations)
    return header + rules + (ignores.isEmpty ? "" : "\n" + ignores)
  }

  /// Settings of all compiled targets.
  private func settings() -> String {
    let sets = manifest.targets.filter(\.isCompiled).map { target in
      Set(target.settings.filter { $0.kind == "upcoming" && !$0.isConditional }.map(\.value))
    }
    guard let first = sets.first else { return "" }
    let common = sets.dropFirst().reduce(first) { $0.intersection($1) }.sorted()
    return common.isEmpty ? "" : "require upcoming \(common.joined(separator: " "))\n"
  }

  /// Packages that no target uses, most of which provide command plugins.
  private func keeps() -> String {
    let bare = Project(
      root: loader.root, manifest: manifest, places: SourceBytes.with("") { ManifestPlaces($0, targets: []) },
      rules: Rules(path: "archlint.rules"), files: [])
    return ManifestCheck(bare).packages().compactMap(\.object)
      .map { "keep \($0) \"no target uses it; its plugins may be run by hand\"\n" }.joined()
  }

  private func skips(_ project: Project) -> String {
    // Folders with a target or one of its files.
    var owned: Set<String> = []
    let paths = manifest.targets.map { $0.path + "/" } + project.files.filter { $0.target != nil }.map(\.path)
    for path in paths { owned.formUnion(Self.folders(above: path)) }
    let strays = project.files.filter { $0.target == nil }.map(\.path) + project.nested
    // The outermost folder without any file of a target, or else the file itself.
    let skips = Set(strays.map { path in Self.folders(above: path).first { !owned.contains($0) } ?? path })
    return skips.sorted().map { "skip \(Self.word($0)) \"not part of a target of this package\"\n" }.joined()
  }

  /// The folders from the outermost to the innermost, each with a trailing slash.
  private static func folders(above path: String) -> [String] {
    path.indices.filter { path[$0] == "/" }.map { String(path[...$0]) }
  }

  private static func word(_ text: String) -> String { text.contains(" ") ? "\"\(text)\"" : text }

  private func ignores(_ violations: [Violation]) -> String {
    let groups = Dictionary(grouping: violations.filter(\.check.canBeIgnored)) { violation in
      violation.check.rawValue + " " + Self.word(violation.target ?? violation.place.path)
    }
    return groups.sorted { $0.key < $1.key }.map { key, found in
      """
      ignore \(key)
        reason "found on \(today)"
        until  \(CalendarDay.later(than: today, months: 3))
        max    \(found.count)

      """
    }
    .joined()
  }
}

/// Guesses the modules that a product provides under other names: those that its users import and that match no
/// product. Without the manifest of the other package this is only a guess, so it is written into the rules for review.
struct ProductProposal {
  private let project: Project

  init(_ project: Project) { self.project = project }

  func text() -> String {
    var users: [String: [ManifestTarget]] = [:]
    for target in project.manifest.targets {
      for dependency in target.dependencies where project.target(named: dependency.name) == nil || dependency.isProduct
      {
        users[dependency.name, default: []].append(target)
      }
    }
    let named = Set(users.keys.map { Project.module($0) })
    var imported: [String: Set<String>] = [:]
    for file in project.files { imported[file.target ?? "", default: []].formUnion(file.imports.map(\.module)) }
    return users.keys.sorted().compactMap { product in
      let targets = users[product] ?? []
      guard !targets.contains(where: { imported[$0.name]?.contains(Project.module(product)) ?? false }) else {
        return nil
      }
      // Modules that every user of the product imports and that do not belong to another product.
      let sets = targets.map { target in
        (imported[target.name] ?? []).filter { module in
          if case .package = project.origin(of: module) { return !named.contains(module) }
          return false
        }
      }
      guard let first = sets.first else { return nil }
      let common = sets.dropFirst().reduce(first) { $0.intersection($1) }.sorted()
      return common.isEmpty ? nil : "product \(product) provides \(common.joined(separator: " "))\n"
    }
    .joined()
  }
}
