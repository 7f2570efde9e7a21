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
      fields.members += follow.options.members
      return fields
    }
    Answer(terminal: services.terminal).list(
      records,
      columns: [.init("follow"), .init("limit", number: true), .init("every")] + Self.options.map { .init($0) },
      empty: NothingFollowed(services: services).message)
    return .done
  }

  /// The options that a follow can keep.
  private static var options: [String] {
    var seen: Set<ExactString> = []
    return Catalog.sources.flatMap(\.options).filter { !$0.becomesPath && seen.insert($0.name.exact).inserted }
      .map(\.name)
  }
}
