import Foundation

/// `archlint --watch`: lints after each change of a file, the manifest or the rules, until it is interrupted.
struct WatchCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(ReportFormat.self, else: .text)
    var session = WatchSession(try options.loader(), today: options.today)
    let clock = ContinuousClock()
    var lastFailure: ArchlintError?
    while true {
      let start = clock.now
      do throws(ArchlintError) {
        if let result = try session.step() {
          console.output(format.render(result))
          let took = MeasureCommand.milliseconds(clock.now - start)
          console.errors(TextReport.summary(result).dropLast() + ", \(took)\n")
        }
        lastFailure = nil
      } catch {
        // While a rule file is being edited, it is often invalid for a moment.
        if error != lastFailure { console.errors(error.message + "\n") }
        lastFailure = error
      }
      usleep(200_000)
    }
  }
}

/// Lints a package repeatedly, and reads only the files that changed.
package struct WatchSession {
  private struct Stamp: Equatable {
    var seconds: Int
    var nanoseconds: Int
    var size: Int
    var inode: UInt64
  }

  private let loader: ProjectLoader
  private let today: String
  private var known: [String: (stamp: Stamp, file: SourceFile)] = [:]
  private var stamps: [String: Stamp] = [:]
  private var manifest: Manifest?
  private var rules: Rules?

  package init(_ loader: ProjectLoader, today: String) {
    self.loader = loader
    self.today = today
  }

  /// Checks for changes since the last call.
  ///
  /// - Returns: The result of a new run; nil if nothing changed.
  /// - Throws: `ArchlintError`, as for a single run; the next call tries again after a further change.
  package mutating func step() throws(ArchlintError) -> LintResult? {
    let settings = try settingsChanged()
    if settings {
      manifest = nil
      rules = nil
    }
    let current = try currentRules()
    let described = try currentManifest()
    let (found, nested) = FileTree.walk(root: loader.root, targets: described.targets)
    let sources = refresh(found)
    guard settings || sources else { return nil }
    let files = found.map { file in
      var file = file
      file.imports = known[file.path]?.file.imports ?? []
      file.isReadable = known[file.path]?.file.isReadable ?? false
      return file
    }
    return Linter(
      loader.project(rules: current, manifest: described, files: files, nested: nested), today: today
    ).run()
  }

  private mutating func currentRules() throws(ArchlintError) -> Rules {
    if let rules { return rules }
    let loaded = try loader.loadRules()
    rules = loaded
    return loaded
  }

  private mutating func currentManifest() throws(ArchlintError) -> Manifest {
    if let manifest { return manifest }
    let loaded = try loader.loadManifest()
    manifest = loaded
    return loaded
  }

  private mutating func settingsChanged() throws(ArchlintError) -> Bool {
    var now: [String: Stamp] = [:]
    for path in [loader.root + "/Package.swift", try loader.rulesLocation().path] { now[path] = Self.stamp(path) }
    defer { stamps = now }
    return now != stamps
  }

  /// Whether a file was added, removed or changed. Reads the changed files.
  private mutating func refresh(_ found: [SourceFile]) -> Bool {
    var changed: [SourceFile] = []
    var changedStamps: [Stamp] = []
    var present: Set<String> = []
    for file in found {
      present.insert(file.path)
      guard let stamp = Self.stamp(loader.root + "/" + file.path) else { continue }
      if known[file.path]?.stamp != stamp {
        changed.append(file)
        changedStamps.append(stamp)
      }
    }
    let gone = known.keys.filter { !present.contains($0) }
    for path in gone { known[path] = nil }
    ImportReader.read(&changed, root: loader.root)
    for (file, stamp) in zip(changed, changedStamps) { known[file.path] = (stamp, file) }
    return !changed.isEmpty || !gone.isEmpty
  }

  private static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(
      seconds: time.tv_sec, nanoseconds: time.tv_nsec, size: Int(status.st_size), inode: UInt64(status.st_ino))
  }
}
