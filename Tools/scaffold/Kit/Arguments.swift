import Foundation

/// What the command line asks for.
struct Arguments {
  enum Action {
    case add(NewSource)
    case remove(String)
  }

  let action: Action
  let isDryRun: Bool
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
    } else if words.count == 2, words[0] == "source" {
      action = .add(
        try NewSource(
          module: words[1], record: options["--record"], collection: options["--collection"], url: options["--url"],
          path: options["--path"], wrapper: options["--under"], fields: options["--fields"]))
    } else {
      throw ScaffoldError(.usage, "'source NAME' or 'remove source NAME' is expected")
    }
  }

  private static let options: Set<String> = [
    "--record", "--collection", "--url", "--path", "--under", "--fields", "--package",
  ]

  /// The project's folder: the one that was named, or the nearest one above with a manifest.
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
