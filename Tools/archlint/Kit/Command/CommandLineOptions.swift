import Foundation

struct CommandLineOptions: Sendable {
  enum Action: String, Sendable {
    case lint, symbols, graph, imports, help
  }

  var action = Action.lint
  var operands: [String] = []
  var package: String?
  var rules: String?
  var manifest: String?
  var usesCache = true
  var isQuiet = false
  var today = CalendarDay.today()
  var format: String?
  var output: String?
  var indexStore: String?
  var showsTests = false
  var showsPackages = false

  static func parse(_ arguments: [String]) throws(ArchlintError) -> CommandLineOptions {
    var options = CommandLineOptions()
    var rest = arguments[...]
    if let first = rest.first, !first.hasPrefix("-") {
      guard let action = Action(rawValue: first) else { throw .usage("'\(first)' is not a command; see archlint help") }
      options.action = action
      rest = rest.dropFirst()
    }
    while let argument = rest.popFirst() { try options.read(argument, &rest) }
    try options.checkOperands()
    return options
  }

  private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>) throws(ArchlintError) {
    switch argument {
    case "--package": package = try Self.value(of: argument, &rest)
    case "--rules": rules = try Self.value(of: argument, &rest)
    case "--manifest": manifest = try Self.value(of: argument, &rest)
    case "--format": format = try Self.value(of: argument, &rest)
    case "--output", "-o": output = try Self.value(of: argument, &rest)
    case "--index-store": indexStore = try Self.value(of: argument, &rest)
    case "--no-cache": usesCache = false
    case "--quiet", "-q": isQuiet = true
    case "--tests": showsTests = true
    case "--packages": showsPackages = true
    case "--help", "-h": action = .help
    case "--today":
      today = try Self.value(of: argument, &rest)
      guard CalendarDay.isValid(today) else { throw .usage("--today needs a day such as 2026-12-31") }
    case let operand where !operand.hasPrefix("-"): operands.append(operand)
    default: throw .usage("'\(argument)' is not an option; see archlint help")
    }
  }

  private func checkOperands() throws(ArchlintError) {
    switch action {
    case .imports: if operands.isEmpty { throw .usage("write: archlint imports PATH…") }
    case .help: break
    default: if let extra = operands.first { throw .usage("unexpected argument '\(extra)'; see archlint help") }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(ArchlintError) -> String {
    guard let value = rest.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }

  /// The requested format among those of the command; `usual` if none was requested.
  func format<Format>(
    _ type: Format.Type, else usual: Format
  ) throws(ArchlintError) -> Format where Format: RawRepresentable<String> & CaseIterable {
    guard let format else { return usual }
    if let known = Format(rawValue: format) { return known }
    let all = Format.allCases.map(\.rawValue).joined(separator: ", ")
    throw .usage("'\(format)' is not a format of this command; the formats are: \(all)")
  }

  func loader() throws(ArchlintError) -> ProjectLoader {
    ProjectLoader(root: try PackageRoot.find(package), rulesPath: rules, manifestPath: manifest, usesCache: usesCache)
  }

  /// Writes a result to the file of `--output`, or otherwise to the console.
  func deliver(_ text: String, to console: Console) throws(ArchlintError) {
    guard let output else { return console.output(text) }
    do { try Data(text.utf8).write(to: URL(fileURLWithPath: output)) } catch {
      throw .environment("cannot write \(output): \(error)")
    }
  }
}

extension CommandLineOptions {
  static let help = """
    Lints the direction of dependencies of a Swift package.

      archlint [lint]               every check that needs no build
      archlint symbols              after a build: concrete types named outside composition roots
      archlint graph                the graph of targets as an SVG, violations in red; --tests, --packages to add those
      archlint imports PATH…        the imports of any files and folders

      --package DIR      the package (the nearest one above the current folder)
      --rules FILE       the rule file (Modules/archlint.rules)
      --format FORMAT    of lint and symbols: text, sarif
      --output FILE      where the result goes
      --manifest FILE    the output of swift package dump-package, instead of asking SwiftPM
      --index-store DIR  of symbols (.build/debug/index/store)
      --no-cache         ask SwiftPM for the manifest even if Package.swift did not change
      --today DAY        today's date, for ignores that end (such as 2026-12-31)
      --quiet            no summary

    Exit status: 0 clean, 1 violations, 2 bad rules or usage, 3 a failure of archlint itself.

    """
}
