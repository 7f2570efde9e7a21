import ArgumentParser
import Models
import Ports

/// `almanac following`
struct Following: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "following", abstract: "List what is followed.")

  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let records = try services.loadSettings().follows.map { follow in
      var fields: JSONObject = ["follow": .string(follow.path)]
      fields.append("limit", follow.limit)
      fields.append("every", follow.every?.description)
      fields.append("feed", follow.feed)
      return fields
    }
    Answer(terminal: services.terminal).list(
      records,
      columns: [.init("follow"), .init("limit", number: true), .init("every"), .init("feed")],
      empty: NothingFollowed(services: services).message)
    return .done
  }
}
