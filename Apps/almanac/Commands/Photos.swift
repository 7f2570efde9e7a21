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
    var rows = PhotoAnswer(terminal: services.terminal).rows
    try services.photos().photos(owner: owner, limit: nil) { photo in
      rows.append(photo.fields)
      return services.terminal.hasReader ? .next : .stop
    }
    rows.finish()
    return .done
  }
}

/// Prints photos.
struct PhotoAnswer {
  /// Where they go.
  let terminal: Terminal

  /// Prints them in their order.
  func print(_ photos: [PhotoListing]) {
    var rows = rows
    for photo in photos { rows.append(photo.fields) }
    rows.finish()
  }

  /// The list that they are printed in.
  var rows: Answer.Rows {
    Answer.Rows(
      terminal: terminal, columns: [.init("title"), .init("owner"), .init("id"), .init("pageURL")],
      csvFields: ["id", "title", "owner", "ownerID", "pageURL"], empty: "no photos")
  }
}
