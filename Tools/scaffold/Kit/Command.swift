import Foundation

/// The command line: `scaffold source NAME …` and `scaffold remove source NAME`.
public enum Command {
  /// The help text.
  public static let help = """
    usage: scaffold source NAME [--record TYPE] [--collection NAME] [--url URL] [--path PATH] [--under MEMBER]
                                [--fields LIST] [--from FILE] [--follow NAME] [--dry-run] [--package FOLDER]
           scaffold remove source NAME [--dry-run] [--package FOLDER]

    Writes the model, parser, feature and tests of a source that reads JSON over HTTP, and adds it to the manifest and to
    the list of sources that both programs use; or removes all of that.

      NAME               the module, a capital first: Weather
      --record TYPE      what one record is called: Forecast (NAMEItem)
      --collection NAME  the collection of its records: forecasts (the record's plural)
      --url URL          where the API is, for everybody: https://api.example.org (the config says)
      --path PATH        what a follow asks for, its parameters in braces: /forecast/{city} (/NAME/{id})
      --under MEMBER     the member that wraps the answer: data, or data.items
      --fields LIST      what is kept: 'id=code, name, wind=wind_kmh:int, rain:bool?, at:time' (name, note?)
                         kinds: text, int, bool, time; ? may be missing; NAME=MEMBER where the API calls it MEMBER,
                         with dots where that is further inside: size=files.0.size:int
      --from FILE        takes what is not given from a definition of a source (Apps/Sources.md), or from an answer of the
                         API; what it cannot take is listed, to be written by hand
      --follow NAME      which follow of the definition (the first one)
      --dry-run          shows what would be written
      --package FOLDER   the project (this folder or one above it)

    Exit: 0 done, 1 refused and nothing written, 64 usage.

    """

  /// Runs the tool.
  ///
  /// - Returns: the exit status.
  public static func run(_ arguments: [String], console: Console) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") || arguments == ["help"] {
      console.output(help)
      return 0
    }
    do throws(ScaffoldError) {
      try run(try Arguments(arguments), console)
      return 0
    } catch {
      console.errors("scaffold: error: \(error)\n")
      if error.kind == .usage { console.errors("scaffold --help shows how it is called\n") }
      return error.kind == .usage ? 64 : 1
    }
  }

  private static func run(_ arguments: Arguments, _ console: Console) throws(ScaffoldError) {
    let tree = Tree(root: try arguments.root())
    let changes: [Change]
    switch arguments.action {
    case .add(let source): changes = try SourcePlan.adding(source, to: tree)
    case .remove(let module): changes = try SourcePlan.removing(module, from: tree)
    }
    if !arguments.isDryRun { try tree.apply(changes) }
    console.output(changes.map(\.summary).joined())
    if !arguments.notes.isEmpty {
      console.output("\nby hand:\n" + arguments.notes.map { "  \($0)\n" }.joined())
    }
    if arguments.isDryRun {
      console.output("nothing was written\n")
    } else if case .add(let source) = arguments.action {
      console.output(next(source))
    }
  }

  private static func next(_ source: NewSource) -> String {
    let follow = ([source.name] + source.parameters.map { _ in "one" }).joined(separator: "/")
    return """

      next: swift build --build-tests && swift run --skip-build archlint && swift test --filter \(source.module)Tests
      then: put a real answer into Tests/\(source.module)Tests/\(source.record)Sample.swift, and follow it:
            almanac follow \(follow) && almanac sync \(follow)\(
              source.url == nil ? " --server \(source.name)=http://127.0.0.1:8080" : "")

      """
  }
}

/// The parsed command line.
struct Arguments {
  enum Action {
    case add(NewSource)
    case remove(String)
  }

  let action: Action
  let isDryRun: Bool
  /// What a file says and the scaffold cannot write.
  let notes: [String]
  private let package: String?

  init(_ arguments: [String]) throws(ScaffoldError) {
    var words: [String] = []
    var options: [String: String] = [:]
    var isDryRun = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        words.append(argument)
        continue
      }
      if argument == "--dry-run" {
        isDryRun = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard Self.options.contains(parts[0]) else { throw ScaffoldError(.usage, "there is no option \(parts[0])") }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw ScaffoldError(.usage, "\(argument) needs a value")
      }
      guard options.updateValue(value, forKey: parts[0]) == nil else {
        throw ScaffoldError(.usage, "\(parts[0]) is given twice")
      }
    }
    self.isDryRun = isDryRun
    package = options.removeValue(forKey: "--package")
    if words.count == 3, words[0] == "remove", words[1] == "source" {
      guard options.isEmpty else { throw ScaffoldError(.usage, "remove takes --dry-run and --package alone") }
      action = .remove(words[2])
      notes = []
    } else if words.count == 2, words[0] == "source" {
      var file: SourceFile?
      if let path = options["--from"] {
        file = try SourceFile(path, follow: options["--follow"])
      } else if options["--follow"] != nil {
        throw ScaffoldError(.usage, "--follow needs --from")
      }
      notes = file?.notes ?? []
      action = .add(
        try NewSource(
          module: words[1], record: options["--record"], collection: options["--collection"] ?? file?.collection,
          url: options["--url"] ?? file?.url, path: options["--path"] ?? file?.path,
          wrapper: options["--under"] ?? file?.under, fields: options["--fields"] ?? file?.fields))
    } else {
      throw ScaffoldError(.usage, "'source NAME' or 'remove source NAME' is expected")
    }
  }

  private static let options: Set<String> = [
    "--record", "--collection", "--url", "--path", "--under", "--fields", "--from", "--follow",
    "--package",
  ]

  /// The folder of the project: the given one, or the nearest parent folder with a manifest.
  func root() throws(ScaffoldError) -> String {
    if let package { return package }
    var folder = FileManager.default.currentDirectoryPath
    while !FileManager.default.fileExists(atPath: "\(folder)/Package.swift") {
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else {
        throw ScaffoldError(.usage, "there is no Package.swift here or above; name the project with --package")
      }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
    return folder
  }
}

/// The outputs of the tool.
public struct Console {
  /// The requested output.
  public var output: (String) -> Void
  /// All other messages.
  public var errors: (String) -> Void

  /// Creates a console.
  public init(output: @escaping (String) -> Void, errors: @escaping (String) -> Void) {
    self.output = output
    self.errors = errors
  }
}

/// The reason why nothing was written.
public struct ScaffoldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Kind: Sendable {
    /// The command line is not valid.
    case usage
    /// The tree is not as expected, or a name is already in use.
    case refused
    /// A file could not be read or written.
    case file
  }

  /// The kind of error.
  public var kind: Kind
  /// The file, with the line if known: `Package.swift:7`.
  public var place: String?
  /// The problem and the remedy.
  public var message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, place: String? = nil) {
    self.kind = kind
    self.message = message
    self.place = place
  }

  /// `Package.swift:7: …`
  public var description: String { (place.map { "\($0): " } ?? "") + message }
}
