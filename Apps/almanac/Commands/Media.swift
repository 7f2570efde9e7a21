import ArgumentParser
import Models
import Ports

/// `almanac media …`
struct MediaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "media", abstract: "Keep thumbnails and icons.", subcommands: [FetchMedia.self])

  /// `almanac media fetch`
  struct FetchMedia: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Download thumbnails and icons, once each.")

    @Option(help: "Stop before so many bytes are downloaded.") var maxBytes: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let maxBytes, maxBytes < 0 { throw ValidationError("--max-bytes takes 0 or more, not \(maxBytes)") }
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let report = try await services.media().fetch(maxBytes: maxBytes)
      services.terminal.status([])
      let fields: JSONObject = [
        "fetched": .int(report.fetched), "known": .int(report.known), "bytes": .int(report.bytes),
        "left": .int(report.left), "failed": .array(report.failed.map { .object($0.fields) }),
      ]
      Answer(terminal: services.terminal).value(fields) {
        services.terminal.line(
          "\(report.fetched) fetched (\(report.bytes) bytes), \(report.known) there already, "
            + "\(report.failed.count) failed, \(report.left) left")
      }
      for failure in report.failed {
        services.terminal.note("\(failure.url ?? "?"): \(Printable.text(failure.message)); the placeholder stays")
      }
      return .done
    }
  }
}
