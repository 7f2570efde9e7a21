import Foundation

/// `archlint measure`: measures runs on a generated package, with warm caches, in this build.
struct MeasureCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let root = NSTemporaryDirectory() + "archlint-measure-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let package = GeneratedPackage(root: root, files: options.files, bytes: options.megabytes * 1_000_000)
    do {
      try package.write()
    } catch {
      throw .environment("cannot write the package to measure with: \(error)")
    }
    let loader = ProjectLoader(root: root, manifestPath: root + "/manifest.json")
    var violations = 0
    let whole = try laps { _ throws(ArchlintError) in
      violations = Linter(try loader.load(), today: options.today).run().violations.count
    }
    var session = WatchSession(loader, today: options.today)
    _ = try session.step()
    let again = try laps { lap throws(ArchlintError) in
      do {
        try package.change(lap)
      } catch {
        throw .environment("cannot change a file to measure with: \(error)")
      }
      guard try session.step() != nil else { throw .environment("the watch missed a change") }
    }
    console.output("\(options.files) files, \(options.megabytes) MB, \(violations) violations\n")
    console.output("lint:               \(Self.summary(whole))\n")
    console.output("one change, watch:  \(Self.summary(again))\n")
    return 0
  }

  /// Measures five runs after one to warm up.
  private func laps(_ body: (Int) throws(ArchlintError) -> Void) throws(ArchlintError) -> [Lap] {
    let watch = ContinuousClock()
    var laps: [Lap] = []
    for lap in 0..<6 {
      let start = watch.now
      let used = clock()
      try body(lap)
      laps.append(
        Lap(time: watch.now - start, processor: .microseconds(Int(clock() - used) * 1_000_000 / Int(CLOCKS_PER_SEC))))
    }
    return laps.dropFirst().sorted { $0.time < $1.time }
  }

  private struct Lap {
    var time: Duration
    /// The processor time of all cores, which does not depend on other load.
    var processor: Duration
  }

  private static func summary(_ laps: [Lap]) -> String {
    let processor = laps.map(\.processor).sorted()[2]
    return "median \(milliseconds(laps[2].time)), fastest \(milliseconds(laps[0].time)), "
      + "slowest \(milliseconds(laps[4].time)) of 5; processor \(milliseconds(processor))"
  }

  static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
}

/// A generated package for measurements, with targets in layers and files with strings, comments and conditions.
struct GeneratedPackage {
  let root: String
  let fileCount: Int
  /// The approximate size of each file in bytes.
  let fileSize: Int
  private let targetCount: Int

  init(root: String, files: Int, bytes: Int) {
    self.root = root
    fileCount = files
    fileSize = max(300, bytes / max(1, files))
    targetCount = max(2, min(200, files / 25))
  }

  private func name(_ target: Int) -> String { "Module\(target)" }

  /// Each target uses up to three of those below it.
  private func dependencies(of target: Int) -> [Int] {
    Set([target - 1, target / 2, target / 3].filter { $0 >= 0 && $0 < target }).sorted()
  }

  /// - Throws: Cocoa errors if the folder cannot be written.
  func write() throws {
    let manager = FileManager.default
    for target in 0..<targetCount {
      try manager.createDirectory(atPath: "\(root)/Modules/\(name(target))", withIntermediateDirectories: true)
    }
    for file in 0..<fileCount { try writeFile(file) }
    try Data("// swift-tools-version: 6.2\n".utf8).write(to: URL(fileURLWithPath: root + "/Package.swift"))
    try Data("role module\n  targets Modules/*\n  uses module\n  system Foundation Dispatch\n".utf8)
      .write(to: URL(fileURLWithPath: root + "/Modules/archlint.rules"))
    try manifest().write(to: URL(fileURLWithPath: root + "/manifest.json"))
  }

  /// Adds an import to one of the files.
  func change(_ lap: Int) throws {
    let path = "\(root)/Modules/\(name(1))/File\(1 + targetCount * 2).swift"
    try Data("import Foundation\nimport \(name(0))\nlet lap = \(lap)\n".utf8).write(to: URL(fileURLWithPath: path))
  }

  private func manifest() throws -> Data {
    let targets = (0..<targetCount).map { target in
      [
        "name": name(target), "type": "regular", "path": "Modules/\(name(target))",
        "dependencies": dependencies(of: target).map { ["byName": [name($0), NSNull()]] as [String: Any] },
      ] as [String: Any]
    }
    return try JSONSerialization.data(withJSONObject: ["name": "Generated", "targets": targets])
  }

  private func writeFile(_ file: Int) throws {
    let target = file % targetCount
    var text = "import Foundation\n#if canImport(Dispatch)\n  import Dispatch\n#endif\n"
    for dependency in dependencies(of: target) { text += "import \(name(dependency))\n" }
    var part = 0
    while text.utf8.count < fileSize {
      text += Self.declaration(file, part)
      // In one file of ten the word occurs near the end, so that the whole file is read.
      if file % 10 == 0 { text += "// Nothing here is an import, though it says import Module\(part).\n" }
      part += 1
    }
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(root)/Modules/\(name(target))/File\(file).swift"))
  }

  private static func declaration(_ file: Int, _ part: Int) -> String {
    """

    /// Value \(part) of file \(file): a comment of the usual length that says what the type is for and what it is not.
    struct Value\(file)x\(part): Sendable, Hashable {
      var name: String = "a string with \\(1 + 2) and \\"quotes\\" in it"
      var text = #"raw \\n "text" here"#
      /* a block /* nested */ comment */
      func double(_ number: Int) -> Int {
        guard number > 0 else { return number / 2 + number * 3 }
        return [1, 2, 3].map { $0 * number }.reduce(0, +) + name.utf8.count
      }
    }

    """
  }
}
