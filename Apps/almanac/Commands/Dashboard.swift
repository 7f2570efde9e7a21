import ArgumentParser
import CLibrary
import FoundationEssentials
import Frontend
import Models
import Ports

struct Dashboard: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard", abstract: "Print a link to the daemon's page that works once.")

  @Flag(help: "Open the link in the browser.") var open = false
  @Option(
    help: ArgumentHelp("The folder of almanacd's --state, for a store on a server.", valueName: "dir"),
    completion: .directory)
  var state: String?
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let link = try await services.dashboardLink(state: state)
    services.answer.value(["url": .string(link)]) { services.terminal.line(link) }
    if open { try await Browser.open(link, services) }
    return .done
  }
}

struct OpenRecord: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the page of a record in the browser, or its picture.",
    discussion: """
      It prints the address or the file, and opens it with xdg-open. Ends with 69 where nothing could be opened; with \
      --print nothing is opened. The picture of a person is the photo of the card.

      --picture --here draws the picture in the terminal, if that is iTerm2, WezTerm, mintty or VS Code; kitty and \
      Ghostty take only PNG.
      """)

  @Argument(help: "Which collection.", completion: Completions.collections) var collection: String
  @Argument(help: "The record's id or name.", completion: Completions.records) var id: String
  @Flag(help: "Open the downloaded picture instead of the page.") var picture = false
  @Flag(help: "Draw the picture in the terminal.") var here = false
  @Flag(help: "Only print what would be opened.") var print = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    if here, !picture || print { throw ValidationError("--here needs --picture, and cannot be combined with --print") }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let collection = try CollectionArgument.parse(collection, services)
    let id = try RecordArgument.id(id, in: collection, services)
    let fields = try services.fields(collection, id)
    guard !here else { return try draw(image(fields, collection, id, services), services.terminal) }
    let place = picture ? try image(fields, collection, id, services).path : try page(fields, collection, id)
    let answer: JSONObject = [picture ? "file" : "url": .string(place)]
    services.answer.value(answer) { services.terminal.line(Printable.text(place)) }
    if !print { try await Browser.open(place, services) }
    return .done
  }

  private func page(_ fields: JSONObject, _ collection: CollectionName, _ id: String) throws(Failure) -> String {
    let addresses = ["pageURL", "profileURL", "photosURL", "url"].compactMap { fields[$0]?.string }
    // An address came from a server: only a page of the web is opened.
    if let address = addresses.first(where: { $0.hasPrefix("https://") || $0.hasPrefix("http://") }) { return address }
    throw Failure(
      .store, .notFound, "\(collection)/\(id) has no address of a page",
      hint: "\(command: "show", "\(collection)", id) prints what it has", code: .own(.noPage),
      path: "\(collection)/\(id)")
  }

  private func draw(_ image: (path: String, type: String), _ terminal: Terminal) throws(Failure) -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    guard terminal.isInteractive, let kind = Thumbnail.Terminal(environment: environment),
      let sequence = Thumbnail.sequence(of: try InputFile(path: image.path).read(), type: image.type, for: kind)
    else {
      throw Failure(
        .config, .unavailable, "this terminal does not show \(image.type)",
        hint: "\(command: "help", "open") names those that do; without --here, xdg-open shows \(image.path)",
        code: .own(.notShown), path: image.path)
    }
    terminal.write(sequence)
    return .done
  }

  private func image(
    _ fields: JSONObject, _ collection: CollectionName, _ id: String, _ services: CompositionRoot
  ) throws(Failure) -> (path: String, type: String) {
    for name in services.catalog[collection]?.media ?? [] {
      guard let url = fields[name]?.string, let image = try services.imageFile(of: url) else { continue }
      return (image.path, image.item.type)
    }
    if collection == .people {
      guard let photo = try services.people().photo(of: id) else {
        throw Failure(
          .store, .notFound, "\(fields["fullName"]?.string ?? id) has no picture",
          hint: "\(command: "people", "edit", id, "--photo", "FILE") gives one", code: .own(.noPicture))
      }
      if let bytes = Base64.decoded(photo.data), !bytes.isEmpty, let type = photo.type {
        return (try services.cachedPhoto(bytes, type), type)
      }
      if let url = photo.url, url.hasPrefix("https://") || url.hasPrefix("http://"), !here { return (url, "") }
    }
    throw Failure(
      .store, .notFound, "no picture of this record was downloaded",
      hint: "\(command: "media", "fetch") downloads them", code: .own(.noPicture))
  }
}

enum Browser {
  /// How long the program may take to fail. A browser that it starts may run for hours.
  private static let timeout = Duration.seconds(1)

  /// - Throws: `Failure`, `unavailable` where there is no program for it, or where that failed at once.
  static func open(_ link: String, _ services: CompositionRoot) async throws(Failure) {
    services.terminal.flush()
    let pid = try start(link)
    let end = services.time.uptime + timeout
    var status: Int32 = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      guard services.time.uptime < end else { return }
      do throws(CancellationError) { try await services.time.sleep(for: .milliseconds(20)) } catch { return }
    }
    if status != 0 { throw failure("xdg-open failed", link) }
  }

  private static func start(_ link: String) throws(Failure) -> pid_t {
    var pid = pid_t()
    let words = ["xdg-open", link]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let code = posix_spawnp(&pid, "xdg-open", nil, nil, &arguments, environ)
    guard code == 0 else { throw failure("xdg-open cannot be started: \(String(cString: strerror(code)))", link) }
    return pid
  }

  private static func failure(_ reason: String, _ link: String) -> Failure {
    Failure(
      .config, .unavailable, "nothing was opened: \(reason)",
      hint: "xdg-open is part of xdg-utils and needs a desktop; open what is printed with another program",
      code: .own(.notOpened), path: link)
  }
}
