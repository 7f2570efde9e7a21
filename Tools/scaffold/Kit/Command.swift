import Foundation

/// The command line: `scaffold source NAME …` and `scaffold remove source NAME`.
public enum Command {
  /// How it is called.
  public static let help = """
    usage: scaffold source NAME [--record TYPE] [--collection NAME] [--url URL] [--path PATH] [--under MEMBER]
                                [--fields LIST] [--dry-run] [--package FOLDER]
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
