import ArgumentParser
import Frontend
import Models
import Ports

struct PhotosCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos", abstract: "List photos with their owners, newest first.")

  @Option(help: "Only those of this owner: a name or an id.", completion: Completions.owners) var owner: String?
  @Option(help: "Only those that this follow lists, such as flickr/search/cats.", completion: Completions.follows)
  var follow: String?
  @OptionGroup var most: LimitOption
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    do throws(Failure) { try print(owner, services) } catch {
      guard error.reason == .notFound, let owner else { throw error }
      // The beginning of a name, or the address of a page.
      let id = try RecordArgument.id(owner, in: .owners, services)
      guard id.exact != owner.exact else { throw error }
      do throws(Failure) { try print(id, services) } catch let other { throw other.reason == .notFound ? error : other }
    }
    return .done
  }

  private func print(_ owner: String?, _ services: CompositionRoot) throws(Failure) {
    let answer = PhotoAnswer(services: services)
    var rows = answer.rows(empty: "no photos\(services.emptyStore)")
    var problem: Failure?
    // As `follow` spells it.
    let path = follow.map { path in (try? services.check(Follow(path: path)))?.path ?? path }
    try services.photos().photos(PhotoQuery(owner: owner, follow: path, limit: most.limit)) { photo in
      do throws(Failure) { rows.append(try answer.fields(photo)) } catch {
        problem = error
        return .stop
      }
      return services.terminal.hasReader ? .next : .stop
    }
    if let problem { throw problem }
    rows.finish()
  }
}

struct PhotoAnswer {
  let services: CompositionRoot

  func print(_ photos: [PhotoListing]) throws(Failure) {
    var rows = rows(empty: "no photos")
    for photo in photos { rows.append(try fields(photo)) }
    rows.finish()
  }

  /// A photo as it is printed: the formats for programs have the file of the fetched image as well.
  func fields(_ photo: PhotoListing) throws(Failure) -> JSONObject {
    var fields = photo.fields
    if services.terminal.format != .table {
      fields.append("thumbnailFile", try services.imageFile(of: photo.photo.thumbnailURL)?.path)
    }
    return fields
  }

  func rows(empty: Advice) -> Answer.Rows {
    Answer.Rows(
      terminal: services.terminal, columns: ["title", "owner", "postedAt", "id", "pageURL"],
      csvFields: ["id", "title", "owner", "ownerID", "postedAt", "takenAt", "pageURL", "thumbnailFile"], empty: empty)
  }
}

struct MediaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "media", abstract: "Download thumbnails and icons, and find or copy their files.",
    subcommands: [ListMedia.self, FetchMedia.self, ExportMedia.self], defaultSubcommand: ListMedia.self)

  struct ListMedia: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the downloaded images with their records and files.",
      discussion: """
        A file is named by the SHA-256 of its content; the same image of two records is one file. \(help: "media export") \
        copies them under names that people can read.
        """)

    @OptionGroup var only: CollectionsOption
    @OptionGroup var most: LimitOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      var rows = Answer.Rows(
        terminal: terminal, columns: ["collection", "id", "name", .init("bytes", number: true), "file"],
        csvFields: ["collection", "id", "name", "field", "file", "type", "bytes", "url"],
        empty: "no image was downloaded yet; \(command: "media", "fetch") downloads them")
      var left = most.limit ?? Int.max
      try Self.forEach(in: only, services) { (record, collection, image, field) throws(Failure) in
        rows.append(Self.row(record, field, collection, image))
        left -= 1
        return left > 0 && terminal.hasReader
      }
      rows.finish()
      return .done
    }

    /// Calls `body` with each downloaded image of a record, the collection, the image and the field with its address, as
    /// long as it answers that more is wanted.
    static func forEach(
      in wanted: CollectionsOption, _ services: CompositionRoot,
      _ body: (JSONObject, CollectionDescriptor, ImageFile, String) throws(Failure) -> Bool
    ) throws(Failure) {
      let names = try wanted.names(services)
      var isWanted = true
      for collection in services.catalog.collections where !collection.media.isEmpty && isWanted {
        guard names.isEmpty || names.contains(collection.name) else { continue }
        try services.library().list(collection.name, LibraryQuery()) { (record: RawSpan) throws(Failure) in
          let fields = try services.fields(record)
          for field in collection.media where isWanted {
            guard let url = fields[field]?.string, let image = try services.imageFile(of: url) else { continue }
            isWanted = try body(fields, collection, image, field)
          }
          return isWanted ? .next : .stop
        }
      }
    }

    private static func row(
      _ record: JSONObject, _ field: String, _ collection: CollectionDescriptor, _ image: ImageFile
    ) -> JSONObject {
      [
        "collection": .string(collection.name.rawValue), "id": record["id"] ?? .null,
        "name": .of(collection.nameField.flatMap { record[$0]?.string }), "field": .of(field), "file": .of(image.path),
        "type": .of(image.item.type), "bytes": .of(image.item.bytes), "url": .of(record[field]?.string),
      ]
    }
  }

  struct FetchMedia: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Download missing thumbnails and icons.")

    @Option(help: "Download no more bytes than this: 500000, 512K, 1.5M, 1GiB. Images that are too large are skipped.")
    var maxBytes: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      guard let maxBytes, ByteCount(maxBytes) == nil else { return }
      throw ValidationError("--max-bytes takes a number of bytes such as 500000, 512K, 1.5M or 1GiB, not \(maxBytes)")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let limit = maxBytes.flatMap { ByteCount($0) }
      let report = try await services.media().fetch(maxBytes: limit?.bytes)
      services.terminal.status([])
      let fields: JSONObject = [
        "fetched": .int(report.fetched), "known": .int(report.known), "bytes": .int(report.bytes),
        "left": .int(report.left), "skipped": .objects(report.skipped.map(\.fields)),
        "failed": .objects(report.failed.map(\.fields)),
        "unreachable": .objects(report.unreachable.map(\.fields)),
      ]
      let terminal = services.terminal
      terminal.answer.done(
        fields,
        line: "\(report.fetched) fetched (\(report.bytes.counted("byte"))), \(report.known) there already, "
          + "\(report.skipped.count) too large, \(report.failed.count) failed, \(report.left) left")
      Self.complain(ofSilent: report.unreachable.filter { $0.left > 0 }, terminal)
      let unasked = report.left - report.skipped.count - report.unreachable.reduce(0) { $0 + $1.left }
      if unasked > 0 {
        let limit = limit.map { " of \($0.bytes) bytes" } ?? ""
        terminal.note(
          "the limit\(limit) is reached; \(unasked.counted("image was", "images were")) not requested; run the command again for the rest"
        )
      }
      for failure in report.skipped { terminal.note("\(failure.url ?? "?"): \(failure.message)") }
      Self.complain(of: report.failed, terminal)
      return Self.status(report)
    }

    /// A line for each host that did not respond; with `--quiet` one for all of them.
    static func complain(ofSilent hosts: [MediaReport.Host], _ terminal: Terminal) {
      let isShort = terminal.isQuiet && terminal.format == .table && hosts.count > 1
      guard isShort, let first = hosts.first else {
        for host in hosts {
          terminal.complain(
            "\(host.address) did not respond; \(host.left.counted("more of its images was", "more of its images were")) skipped; "
              + "run the command again later")
        }
        return
      }
      let left = hosts.reduce(0) { $0 + $1.left }
      terminal.complain(
        "\(hosts.count) hosts did not respond, the first \(first.address); \(left.counted("more of their images was", "more of their images were")) "
          + "skipped; \(command: "media", "fetch") without --quiet lists them")
    }

    /// A line for each image that could not be downloaded; with `--quiet` one for all of them.
    private static func complain(of failed: [Failure], _ terminal: Terminal) {
      guard terminal.isQuiet, terminal.format == .table else {
        for failure in failed { terminal.report(failure, of: failure.url ?? "?", as: "url") }
        return
      }
      guard let first = failed.first else { return }
      guard failed.count > 1 else { return terminal.report(first, of: first.url ?? "?", as: "url") }
      terminal.complain(
        "almanac: \(failed.count) images could not be downloaded, the first from \(first.url ?? "?"): "
          + "\(first.message); \(command: "media", "fetch") without --quiet lists them")
    }

    /// 0 where no image is missing that may come with another try, or where every one that failed is refused for good and
    /// others are there; else 69, or 1 where they failed in several ways. The same run again ends in the same way.
    private static func status(_ report: MediaReport) -> ExitStatus {
      guard report.failed.contains(where: \.retryable) || report.fetched + report.known == 0, !report.failed.isEmpty
      else { return .done }
      return Swift.Set(report.failed.map(\.reason)).count == 1 ? .unavailable : .mixed
    }
  }
}
