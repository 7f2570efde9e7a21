import ArgumentParser
import Models
import Ports

/// `almanac unfollow PATH`
struct Unfollow: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow",
    abstract: "Stop following; what was kept stays in the store.")

  @Argument(help: "The followed path.") var path: String
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let path = (try? services.check(Follow(path: path)).path) ?? path
    let wasThere = try Failure.from { () throws(SettingsFailure) in try services.settings.remove(path: path) }
    guard wasThere else {
      throw Failure(
        .config, .notFound, "\(path) is not followed", hint: "'almanac following' lists what is", path: path)
    }
    services.terminal.note("no longer following \(path); its records stay")
    return .done
  }
}
