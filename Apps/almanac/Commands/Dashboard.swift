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
