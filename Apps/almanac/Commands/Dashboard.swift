import ArgumentParser
import Models
import Ports

/// `almanac dashboard`
struct Dashboard: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard",
    abstract: "Print the link that enters the daemon's page; it works once.")

  @Flag(help: "Open it in the browser.") var open = false
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let link = try await services.dashboardLink()
    Answer(terminal: services.terminal).value(["url": .string(link)]) { services.terminal.line(link) }
    if open { Browser.open(link) }
    return .done
  }
}
