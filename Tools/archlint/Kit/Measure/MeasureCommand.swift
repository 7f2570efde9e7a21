import Foundation

/// `archlint measure`: how long runs take on a generated package, warm, in this build.
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
      guard try session.step() != nil else { throw .environment("a change went unnoticed") }
    }
    console.output("\(options.files) files, \(options.megabytes) MB, \(violations) violations\n")
    console.output("lint:               \(Self.summary(whole))\n")
    console.output("one change, watch:  \(Self.summary(again))\n")
    return 0
  }

  /// Five, after one to warm up.
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
    /// Of all cores together: what remains the same on a busy machine.
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
