import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

struct Demo: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Try every source with recordings that are built in; nothing needs to be set up.",
    discussion: """
      It needs no network, no key and no file. The store is a new or empty folder at --store, or a temporary one, which \
      a later demo removes. --remove removes the store at --store, if a demo made it.
      """)

  @Flag(help: "Remove the store at --store that a demo made.") var remove = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  static let follows = [
    Follow(path: "app-store/us/top-paid", limit: 100), Follow(path: "flickr/interestingness", limit: 24),
    Follow(path: "users/ada"), Follow(path: "people"),
  ]

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let terminal = services.terminal
    if global.store != nil, services.isStoreOnServer {
      throw Failure(
        .store, .usage, "the demo makes a new folder, and --store is an address of a server",
        hint: "name a folder, or none", code: .own(.storeOnServer))
    }
    if remove { return try removeStore(services) }
    if let store = global.store { return try await show(newFolder(store), services) }
    let temporary = TemporaryStores()
    temporary.removeOld(services.time.now)
    let folder = try temporary.new()
    // Where nobody is told the folder, nobody can use it.
    defer { if terminal.format != .table || terminal.isQuiet { temporary.remove(folder) } }
    return try await show(folder, services)
  }

  private func show(_ folder: String, _ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let sync = try await keepTwoDays(services, folder)
    // A folder without this file is not removed later.
    close(open(Self.mark(in: folder), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
    let demo = services.demo(store: folder, secondsAgo: 0)
    if services.terminal.format == .table {
      if !services.terminal.isQuiet { try printTour(sync, demo, folder) }
    } else {
      try printCounts(sync, demo)
    }
    _ = await demo.close(renewsFiles: false)
    return ExitStatus(sync, strict: false)
  }

  /// The recordings hold the chart of two days: the first is kept as yesterday's, unless the store has both.
  private func keepTwoDays(_ services: CompositionRoot, _ folder: String) async throws(Failure) -> SyncReport {
    let isRepeated = Self.made(folder)
    if !isRepeated {
      let yesterday = services.demo(store: folder, secondsAgo: 86_400)
      let chart = Array(Self.follows.prefix(1))
      _ = try await yesterday.sync().sync(chart, SyncOptions(sendsEdits: false))
      _ = await yesterday.close(renewsFiles: true)
    }
    let today = services.demo(store: folder, secondsAgo: 0, isRepeated: isRepeated)
    let report = try await today.sync().sync(Self.follows, SyncOptions())
    for listing in try today.photos().photos(PhotoQuery()) {
      // A photo without its picture has a placeholder.
      _ = try? await today.media().fetch(image: listing.photo.thumbnailURL)
    }
    services.terminal.status([])
    _ = await today.close(renewsFiles: true)
    return report
  }

  private func printCounts(_ sync: SyncReport, _ demo: CompositionRoot) throws(Failure) {
    var fields: JSONObject = ["sync": .object(sync.fields)]
    let library = try demo.library()
    for name in [CollectionName.apps, .charts, .photos, .owners, .profiles, .people] {
      fields.append(name.rawValue, try library.count(name))
    }
    demo.answer.value(fields) {}
  }

  private func printTour(_ sync: SyncReport, _ demo: CompositionRoot, _ folder: String) throws(Failure) {
    let terminal = demo.terminal
    SyncAnswer(terminal: terminal).print(sync)
    heading("Top paid apps, United States: the first 10 of 100", terminal)
    terminal.top(try demo.charts().top("app-store/us/top-paid", limit: 10))
    heading("Photos with their owners", terminal)
    try PhotoAnswer(services: demo).print(try demo.photos().photos(PhotoQuery(limit: 8)))
    heading("A profile", terminal)
    terminal.answer.one(try demo.profiles().profile("ada").fields)
    heading("Birthdays of the next 60 days", terminal)
    let today = LocalTime(demo.time.now).day
    terminal.birthdays(try demo.people().birthdays(from: today, days: 60, leapDay: .feb28), days: 60)
    terminal.line()
    terminal.line("Everything is plain JSON in \(folder). Look around:")
    let named = ShellWord.quoted(folder)
    terminal.line("  almanac charts movers app-store/us/top-paid --since 1d --store \(named)")
    terminal.line("  almanac list people --where 'birthday ~ -12-' --store \(named)")
    terminal.line("  head -n 2 \(ShellWord.quoted(folder + "/people.jsonl"))")
    terminal.line(
      global.store == nil
        ? "A demo that runs an hour from now or later removes the folder."
        : "Remove it with: almanac demo --remove --store \(named)")
  }

  private func heading(_ text: String, _ terminal: Terminal) {
    terminal.line()
    terminal.line(terminal.bold(text))
  }

  /// The folder, unless it holds a store that no demo made: the demo's records must not be mixed with a user's own. A
  /// folder with other files is refused where the store is opened.
  private func newFolder(_ path: String) throws(Failure) -> String {
    if Self.made(path) { return path }
    for name in FolderNames.all(in: path) ?? [] {
      guard name == "manifest" || name.hasPrefix("journal.") else { continue }
      throw Failure(
        .store, .cannotCreate, "there are records in \(path) already",
        hint: """
          name a new folder with --store, or leave --store out for a temporary one
          \(command: "status", "--store", path) shows what is there
          """, path: path)
    }
    return path
  }

  private func removeStore(_ services: CompositionRoot) throws(Failure) -> ExitStatus {
    guard let folder = global.store else {
      throw Failure(
        .store, .usage, "--remove needs the folder of the demo's store",
        hint: "name it with --store; a temporary one is removed by a later demo", code: .own(.usage))
    }
    guard Self.made(folder) else {
      throw Failure(
        .store, .cannotCreate, "no demo made the store in \(folder), and nothing was removed",
        hint: "\(command: "status", "--store", folder) shows what is there", path: folder)
    }
    let others = try services.othersInStore(folder)
    guard others.isEmpty else {
      throw Failure(
        .store, .cannotCreate,
        "the demo's folder holds other files, and nothing was removed: \(others.joined(separator: ", "))",
        hint: "move them elsewhere", path: folder)
    }
    TemporaryStores().remove(folder)
    return services.answer.done(["removed": .string(folder)], line: "removed the demo's store in \(folder)")
  }

  static func made(_ folder: String) -> Bool { access(mark(in: folder), F_OK) == 0 }

  /// The file that says that a demo made the store.
  private static func mark(in folder: String) -> String { "\(folder)/made-by-demo" }
}

/// The folders of demos that got no other.
struct TemporaryStores {
  private static let prefix = "almanac-demo."
  /// The seconds after the last change in which a person may still look around in a folder.
  private static let timeout = 3600

  private let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

  /// Makes a folder that only its owner can read.
  func new() throws(Failure) -> String {
    var template = Array("\(base)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .store, .cannotCreate, "no temporary folder in \(base)", number: errno,
        hint: "name one with --store", path: base)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the user's folders that were not changed for an hour.
  func removeOld(_ now: Timestamp) {
    for name in FolderNames.all(in: base) ?? [] where name.hasPrefix(Self.prefix) {
      let path = "\(base)/\(name)"
      var status = stat()
      // Not a link, and not another user's: this folder is everybody's.
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == getuid(),
        now.secondsSinceEpoch - Int(status.st_mtim.tv_sec) > Self.timeout
      else { continue }
      remove(path)
    }
  }

  /// Removes a folder with the store in it. What no demo makes is left there, and with it the folder.
  func remove(_ path: String) {
    for name in FolderNames.all(in: path) ?? [] where unlink("\(path)/\(name)") != 0 {
      for inner in FolderNames.all(in: "\(path)/\(name)") ?? [] { unlink("\(path)/\(name)/\(inner)") }
      rmdir("\(path)/\(name)")
    }
    rmdir(path)
  }

}
