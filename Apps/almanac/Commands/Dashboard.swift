import ArgumentParser
import Glibc
import Models
import Ports

/// `almanac dashboard`
struct Dashboard: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Print a link to the daemon's page that works once.")

  @Flag(help: "Open the link in the browser.") var open = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let link = try await services.dashboardLink()
    Answer(terminal: services.terminal).value(["url": .string(link)]) { services.terminal.line(link) }
    if open { Browser.open(link) }
    return .done
  }
}

/// `almanac open COLLECTION ID`
struct OpenRecord: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open the page of a record in the browser, or its picture.",
    discussion: "It prints the address or the file, and opens it where a program for that is known (xdg-open).")

  @Argument(help: "Which collection.", completion: Completions.collections) var collection: String
  @Argument(help: "The record's id or name.", completion: Completions.records) var id: String
  @Flag(help: "Open the downloaded picture instead of the page.") var picture = false
  @Flag(help: "Only print what would be opened.") var print = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var readsStore: Bool { true }

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let collection = try CollectionArgument.parse(collection, services.catalog)
    let id = try RecordArgument.id(id, in: collection, services)
    let record = try services.library().record(collection, id)
    let fields = try Failure.from { () throws(ParsingError) in try services.coder.decode(record) }
    let place = picture ? try file(fields, collection, services) : try page(fields, collection, id)
    let answer: JSONObject = [picture ? "file" : "url": .string(place)]
    Answer(terminal: services.terminal).value(answer) { services.terminal.line(Printable.text(place)) }
    if !print { Browser.open(place) }
    return .done
  }

  private func page(_ fields: JSONObject, _ collection: CollectionName, _ id: String) throws(Failure) -> String {
    let addresses = ["pageURL", "profileURL", "photosURL", "url"].compactMap { fields[$0]?.string }
    // An address came from a server: only a page of the web is opened.
    if let address = addresses.first(where: { $0.hasPrefix("https://") || $0.hasPrefix("http://") }) { return address }
    throw Failure(
      .store, .notFound, "\(collection)/\(id) has no address of a page",
      hint: "'almanac show \(collection) \(ShellWord.quoted(id))' prints what it has", code: "no-page",
      path: "\(collection)/\(id)")
  }

  private func file(
    _ fields: JSONObject, _ collection: CollectionName, _ services: any AlmanacServices
  ) throws(Failure) -> String {
    for name in services.catalog[collection]?.media ?? [] {
      guard let url = fields[name]?.string, let image = try services.imageFile(of: url) else { continue }
      return image.path
    }
    throw Failure(
      .store, .notFound, "no picture of this record was downloaded", hint: "'almanac media fetch' downloads them",
      code: "no-picture")
  }
}

/// The user's browser.
enum Browser {
  /// Opens a link, as well as the machine can.
  static func open(_ link: String) {
    var pid = pid_t()
    let words = ["xdg-open", link]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    posix_spawnp(&pid, "xdg-open", nil, nil, &arguments, environ)
  }
}
