import ArgumentParser
import Glibc
import Models
import Ports

/// `almanac demo`
struct Demo: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try every source with recordings that are built in; nothing needs to be set up.",
    discussion: "It needs no network, no key and no file. The store is a temporary folder, or a new one at --store.")

  @OptionGroup(title: "Common options") var global: GlobalOptions

  static let follows = [
    Follow(path: "app-store/us/top-paid", limit: 100), Follow(path: "flickr/interestingness", limit: 24),
    Follow(path: "users/ada"), Follow(path: "people"),
  ]

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let folder: String
    if let store = global.store { folder = try newFolder(store) } else { folder = try temporaryFolder() }
    let sync = try await keepTwoDays(services, folder)
    let demo = services.demo(store: folder, secondsAgo: 0)
    if services.terminal.format == .table {
      if !services.terminal.isQuiet { try printTour(sync, demo, folder) }
    } else {
      try printCounts(sync, demo)
    }
    return ExitStatus(sync, strict: false)
  }

  /// The recordings hold the chart of two days: the first is kept as yesterday's.
  private func keepTwoDays(_ services: any AlmanacServices, _ folder: String) async throws(Failure) -> SyncReport {
    let yesterday = services.demo(store: folder, secondsAgo: 86_400)
    let chart = Array(Self.follows.prefix(1))
    _ = try await yesterday.sync().sync(chart, SyncOptions(sendsEdits: false))
    let today = services.demo(store: folder, secondsAgo: 0)
    let report = try await today.sync().sync(Self.follows, SyncOptions())
    services.terminal.status([])
    for demo in [yesterday, today] { _ = await demo.close(renewsFiles: true) }
    return report
  }

  private func printCounts(_ sync: SyncReport, _ demo: any AlmanacServices) throws(Failure) {
    var fields: JSONObject = ["sync": .object(sync.fields)]
    let library = try demo.library()
    for name in [CollectionName.apps, .charts, .photos, .owners, .profiles, .people] {
      fields.append(name.rawValue, try library.count(name))
    }
    Answer(terminal: demo.terminal).value(fields) {}
  }

  private func printTour(_ sync: SyncReport, _ demo: any AlmanacServices, _ folder: String) throws(Failure) {
    let terminal = demo.terminal
    SyncAnswer(terminal: terminal).print(sync)
    heading("Top paid apps, United States: the first 10 of 100", terminal)
    ChartAnswer(terminal: terminal).top(try demo.charts().top("app-store/us/top-paid", limit: 10))
    heading("Photos with their owners", terminal)
    try PhotoAnswer(services: demo).print(try demo.photos().photos(owner: nil, limit: 8))
    heading("A profile", terminal)
    Answer(terminal: terminal).one(try demo.profiles().profile("ada").fields)
    heading("Birthdays of the next 60 days", terminal)
    let today = LocalDay.today(demo.time.now)
    BirthdayAnswer(terminal: terminal).print(
      try demo.people().birthdays(from: today, days: 60, leapDay: .feb28), days: 60)
    terminal.line()
    terminal.line("Everything is plain JSON in \(folder). Look around:")
    terminal.line("  almanac charts movers app-store/us/top-paid --since 1d --store \(folder)")
    terminal.line("  almanac list people --where 'birthday ~ -12-' --store \(folder)")
    terminal.line("  head -n 2 \(folder)/people.jsonl")
  }

  private func heading(_ text: String, _ terminal: Terminal) {
    terminal.line()
    terminal.line(terminal.bold(text))
  }

  /// The folder, unless it holds a store: the demo's records must not be mixed with a user's own.
  private func newFolder(_ path: String) throws(Failure) -> String {
    guard let entries = opendir(path) else { return path }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard name == "manifest" || name.hasPrefix("journal.") || name.hasSuffix(".jsonl") else { continue }
      throw Failure(
        .store, .cannotCreate, "there is a store in \(path) already",
        hint: """
          name a new folder with --store, or leave --store out for a temporary one
          'almanac status --store \(path)' shows what is there
          """, path: path)
    }
    return path
  }

  private func temporaryFolder() throws(Failure) -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/almanac-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .store, .cannotCreate, "no temporary folder in \(base): \(String(cString: strerror(errno)))",
        hint: "name one with --store", path: base)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A clock that is some seconds behind or ahead of another.
struct ShiftedTime: TimeSource {
  /// The other clock.
  let base: any TimeSource
  /// How far ahead; negative for behind.
  let seconds: Int

  var now: Timestamp { base.now + seconds }
  var uptime: Duration { base.uptime }

  func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
}
