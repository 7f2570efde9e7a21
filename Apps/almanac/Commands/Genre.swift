import ArgumentParser
import Models
import Ports

/// `almanac genre …`
struct GenreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "genre", abstract: "The genres that have charts of their own.", subcommands: [List.self])

  /// `almanac genre list`
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the genres of the App Store.",
      discussion: "A chart's path takes the name or the id: app-store/us/top-free/games.")

    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      Answer(terminal: services.terminal).list(
        services.genres.map(\.fields), columns: [.init("id"), .init("name"), .init("title")])
      return .done
    }
  }
}
