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

/// `almanac media …`
struct MediaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "media", abstract: "Download thumbnails and icons.", subcommands: [FetchMedia.self])

  /// `almanac media fetch`
  struct FetchMedia: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Download missing thumbnails and icons.")

    @Option(
      help: "Download no more bytes than this: 500000, 512K, 1.5M, 1GiB. Images that are too large are skipped.")
    var maxBytes: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard let maxBytes, ByteCount(maxBytes) == nil else { return }
      throw ValidationError("--max-bytes takes a number of bytes such as 500000, 512K, 1.5M or 1GiB, not \(maxBytes)")
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let limit = maxBytes.flatMap { ByteCount($0) }
      let report = try await services.media().fetch(maxBytes: limit?.bytes)
      services.terminal.status([])
      let fields: JSONObject = [
        "fetched": .int(report.fetched), "known": .int(report.known), "bytes": .int(report.bytes),
        "left": .int(report.left), "skipped": .array(report.skipped.map { .object($0.fields) }),
        "failed": .array(report.failed.map { .object($0.fields) }),
        "unreachable": .array(report.unreachable.map { .object($0.fields) }),
      ]
      let terminal = services.terminal
      Answer(terminal: terminal).done(fields) {
        terminal.line(
          "\(report.fetched) fetched (\(report.bytes) bytes), \(report.known) there already, "
            + "\(report.skipped.count) too large, \(report.failed.count) failed, \(report.left) left")
      }
      for host in report.unreachable where host.left > 0 {
        terminal.complain(
          "\(Printable.text(host.address)) did not respond; \(host.left) more of its images were skipped; "
            + "run the command again later")
      }
      let unasked = report.left - report.skipped.count - report.unreachable.reduce(0) { $0 + $1.left }
      if unasked > 0 {
        let limit = limit.map { " of \($0.bytes) bytes" } ?? ""
        terminal.note(
          "the limit\(limit) is reached; \(unasked) images were not requested; run the command again for them")
      }
      for failure in report.skipped { terminal.note("\(Printable.text(failure.url ?? "?")): \(failure.message)") }
      for failure in report.failed { terminal.report(failure, of: failure.url ?? "?", as: "url") }
      return Self.status(report)
    }

    /// 0 where an image came, or none was missing; where every download failed 69, or 1 where they failed in several
    /// ways.
    private static func status(_ report: MediaReport) -> ExitStatus {
      guard report.fetched == 0, !report.failed.isEmpty else { return .done }
      return Swift.Set(report.failed.map(\.reason)).count == 1 ? .unavailable : .mixed
    }
  }
}
