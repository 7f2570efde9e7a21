import ArgumentParser
import Models
import Ports

extension SourceCommand {
  struct Login: DefinitionCommand {
    static let configuration = CommandConfiguration(
      commandName: "login", abstract: "Log in to a source, so that it gets access tokens.",
      discussion: """
        Opens the page of the server in the browser, and waits until you have logged in there. The client with which you \
        registered at the server is servers.NAME.apiKey, ID:SECRET, or ID alone where it has no secret; it redirects to \
        http://127.0.0.1/callback. Where this machine has no browser, --device shows a code to enter on another one.

        The tokens are kept beside the definition, in a file that only you can read, and are renewed by themselves.
        """)

    @Argument(help: "The source.", completion: Completions.definitions) var source: String
    @Flag(help: "Show a code to enter on another device.") var device = false
    @Flag(help: "Print the address, and open nothing.") var noBrowser = false
    @Option(
      help: ArgumentHelp(
        "The port that the browser comes back to, for a server that allows one alone.", valueName: "number"))
    var port: UInt16 = 0
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      try await services.logIn(to: SourceName(rawValue: source), onDevice: device, port: port) { prompt in
        switch prompt {
        case .open(let address):
          terminal.complain(Advice("log in on this page: \(address)"))
          guard !noBrowser else { return }
          do throws(Failure) { try await Browser.open(address, services) } catch {
            terminal.complain(Advice("\(error.message); open the page yourself, or stop, and use --device"))
          }
        case .enter(let code, let address, let link):
          let other = link.map { ", or open \($0)" } ?? ""
          terminal.complain(Advice("enter the code \(code) on \(address)\(other)"))
        }
      }
      return terminal.answer.done(
        ["source": .string(source)], line: "\(source) has its tokens; they are renewed by themselves")
    }
  }
}
