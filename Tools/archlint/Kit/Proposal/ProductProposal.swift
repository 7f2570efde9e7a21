/// Guesses which modules a product provides under another name: those that its users import and no product is named
/// after. Without the other package's manifest this is a guess, and it is written where it can be read.
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
      // Modules that every user imports and that are nobody else's.
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
