import ArgumentParser
import Models
import Ports

/// `almanac photos`
struct PhotosCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos", abstract: "Photos with their owners, newest first.")

  @Option(help: "Only those of this owner: a name or an id.") var owner: String?
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    PhotoAnswer(terminal: services.terminal).print(try services.photos().photos(owner: owner))
    return .done
  }
}

/// Prints photos.
struct PhotoAnswer {
  /// Where they go.
  let terminal: Terminal

  /// Prints them in their order.
  func print(_ photos: [PhotoListing]) {
    Answer(terminal: terminal).list(
      photos.map(\.fields),
      columns: [.init("title"), .init("owner"), .init("id"), .init("pageURL", "PAGE")],
      csvFields: ["id", "title", "owner", "ownerID", "pageURL"], empty: "no photos")
  }
}
