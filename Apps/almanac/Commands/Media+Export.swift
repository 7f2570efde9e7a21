import ArgumentParser
import CLibrary
import Models
import Ports

extension MediaCommand {
  struct ExportMedia: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Copy the downloaded images into a folder, under names that people can read.",
      discussion: """
        A photo is named by its owner, title and day, any other image by the name of its record, each with the id: \
        'Ada - Harbour - 2026-03-02 [5391].jpg'. A name depends on its record alone, is valid on Linux, macOS and \
        Windows, and no two are alike. Files that are there already are not written again, and nothing is removed. \
        Damaged images are left out; then it ends with 74.
        """)

    @Argument(help: ArgumentHelp("The folder; it is made if it is missing.", valueName: "dir"), completion: .directory)
    var folder: String
    @OptionGroup var only: CollectionsOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try Export.make(folder)
      var (names, written, known, damaged, bytes) = (MediaFileNames(), 0, 0, 0, 0)
      try ListMedia.forEach(in: only, services) { (record, collection, image, _) throws(Failure) in
        let words = try Self.words(record, collection, services)
        let name = names.add(words, id: record["id"]?.string ?? "", image.item)
        var status = stat()
        let path = "\(folder)/\(name)"
        if stat(path, &status) == 0, Int(status.st_size) == image.item.bytes {
          known += 1
          return true
        }
        let content = try InputFile(path: image.path).read()
        guard SHA256.digest(content) == image.item.digest else {
          damaged += 1
          services.terminal.complain("\(image.path) is damaged: \(name) is not written")
          return true
        }
        try OutputFile(path: path).write(content)
        written += 1
        bytes += image.item.bytes
        return true
      }
      damaged += services.damagedImages
      let fields: JSONObject = [
        "folder": .string(folder), "written": .int(written), "known": .int(known), "damaged": .int(damaged),
        "bytes": .int(bytes),
      ]
      let terminal = services.terminal
      terminal.answer.done(
        fields,
        line:
          "\(written.counted("image")) written (\(bytes.counted("byte"))), \(known) there already, in \(Printable.text(folder))"
      )
      if damaged > 0 {
        let images = damaged == 1 ? "a damaged image" : "\(damaged) damaged images"
        throw Failure(
          .store, .inputOutput, "\(images) could not be exported",
          hint:
            "\(command: "doctor", "--repair") puts damaged images aside, \(command: "media", "fetch") downloads them again",
          code: .store(.damaged))
      }
      if written + known == 0 {
        terminal.note("no image was downloaded yet; \(command: "media", "fetch") downloads them")
      }
      return .done
    }

    /// What a person calls the image.
    private static func words(
      _ record: JSONObject, _ collection: CollectionDescriptor, _ services: CompositionRoot
    ) throws(Failure) -> [String] {
      let name = collection.nameField.flatMap { record[$0]?.string }
      guard collection.name == .photos else { return [name].compactMap(\.self) }
      let day = (record["takenAt"]?.string ?? record["postedAt"]?.string).map { String($0.prefix(10)) }
      return [try owner(record["ownerID"]?.string, services), name, day].compactMap(\.self)
    }

    /// The name of the owner; the id of one who is not known.
    private static func owner(_ id: String?, _ services: CompositionRoot) throws(Failure) -> String? {
      guard let id else { return nil }
      do throws(Failure) { return try services.fields(.owners, id)["username"]?.string ?? id } catch {
        guard error.reason == .notFound else { throw error }
        return id
      }
    }
  }
}

/// Names of files that people can read, and that every file system takes.
struct MediaFileNames {
  private var used: Set<ExactString> = []

  /// The most bytes of a name without its ending, so that a temporary name beside it also fits into 255.
  private static let mostBytes = 200
  /// What Windows does not take in names, besides control characters.
  private static let refused: Set<Character> = ["<", ">", ":", "\"", "/", "\\", "|", "?", "*"]
  /// Names that mean devices there, whatever follows a dot.
  private static let devices =
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] }

  /// The name of an image: its words, the id in brackets, and the ending of its type.
  ///
  /// Two ids that differ only in what a file system ignores, such as case, are told apart by a part of the digest.
  mutating func add(_ words: [String], id: String, _ item: MediaItem) -> String {
    let ending = Self.ending(item.type)
    let key = " [\(Self.shortened(Self.safe(id), to: Self.mostBytes / 2))]"
    var title = words.map(Self.safe).filter { !$0.isEmpty }.joined(separator: " - ")
    title = Self.shortened(title, to: Self.mostBytes - key.utf8.count)
    if Self.devices.contains(title.prefix { $0 != "." }.lowercased()) { title = "_" + title }
    var stem = String((title + key).drop { $0 == " " })
    if !used.insert(stem.lowercased().exact).inserted {
      stem += " \(item.digest.prefix(8))"
      used.insert(stem.lowercased().exact)
    }
    return stem + ending
  }

  /// The text without what some file system refuses, and without dots and spaces at its ends.
  private static func safe(_ text: String) -> String {
    let shown = Printable.text(text).map { refused.contains($0) || $0 == "\u{FFFD}" ? "_" : $0 }
    let trimmed = shown.drop { $0 == "." || $0 == " " }
    return String(trimmed.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }

  /// The beginning of a text, in whole characters.
  private static func shortened(_ text: String, to bytes: Int) -> String {
    var (short, count) = ("", 0)
    for character in text {
      count += character.utf8.count
      guard count <= bytes else { break }
      short.append(character)
    }
    return short
  }

  /// `.jpg` for `image/jpeg`.
  private static func ending(_ type: String) -> String {
    let kind = type.split(separator: "/").last.map(String.init) ?? ""
    return "." + (kind == "jpeg" ? "jpg" : kind.isEmpty ? "bin" : kind)
  }
}
