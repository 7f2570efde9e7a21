import Foundation

/// `archlint --affected REVISION`: lists the targets that changes since the revision can affect, so that CI can skip
/// others.
struct AffectedCommand {
  private enum Format: String, CaseIterable { case text, json }

  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(Format.self, else: .text)
    let project = try options.loader().load()
    let changed = try Self.changedFiles(since: options.operands[0], root: project.root)
    let affected = Affected.targets(project, changed: changed)
    let text =
      switch format {
      case .text: affected.map { "\($0.target)\t\($0.reason)\n" }.joined()
      case .json:
        JSONTree.array(
          affected.map { .object([("target", .string($0.target)), ("reason", .string($0.reason))]) }
        ).text
      }
    try options.deliver(text, to: console)
    return 0
  }

  /// The paths of files that differ from the revision or are untracked, relative to the package.
  private static func changedFiles(since revision: String, root: String) throws(ArchlintError) -> [String] {
    guard !revision.hasPrefix("-") else { throw .usage("'\(revision)' is not a revision") }
    var files: Set<String> = []
    for command in [
      ["git", "diff", "--name-only", "--relative", "-z", revision, "--"],
      ["git", "ls-files", "--others", "--exclude-standard", "-z"],
    ] {
      let outcome = try Subprocess.run(command, in: root)
      guard outcome.status == 0 else {
        let reason = String(decoding: outcome.errors, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        throw .usage("git cannot list the changes since '\(revision)': \(reason)")
      }
      files.formUnion(outcome.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
    return files.sorted()
  }
}

/// Finds the targets that a change affects: those with changed files, and those that use them directly or indirectly.
package enum Affected {
  package struct Target: Sendable, Equatable {
    package var target: String
    /// `changed`, `over X` with the next target on the way to the change, or `manifest` if every target may be
    /// affected.
    package var reason: String
  }

  /// - Parameter changed: Paths relative to the package.
  /// - Returns: The targets, sorted by name.
  package static func targets(_ project: Project, changed: [String]) -> [Target] {
    let graph = ModuleGraph(project)
    if changed.contains(where: { $0 == "Package.swift" || $0 == "Package.resolved" || $0.hasPrefix("Package@") }) {
      return graph.targets.map { Target(target: $0, reason: "manifest") }
    }
    var reasons: [String: String] = [:]
    // A file belongs to the innermost of nested folders.
    let byDepth = project.manifest.targets.sorted { $0.path.utf8.count > $1.path.utf8.count }
    for path in changed {
      if let owner = byDepth.first(where: { RelativePath.isInside(path, $0.path) }) { reasons[owner.name] = "changed" }
    }
    var incoming: [String: [String]] = [:]
    for edge in graph.edges { incoming[edge.to, default: []].append(edge.from) }
    var queue = reasons.keys.sorted()
    var next = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      for user in (incoming[current] ?? []).sorted() where reasons[user] == nil {
        reasons[user] = "over \(current)"
        queue.append(user)
      }
    }
    return reasons.sorted { $0.key < $1.key }.map { Target(target: $0.key, reason: $0.value) }
  }
}
