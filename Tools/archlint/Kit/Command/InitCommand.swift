import Foundation

/// `archlint init`: a rule file for a package as it stands, to be tightened by hand.
struct InitCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let loader = try options.loader()
    let manifest = try loader.loadManifest()
    let folder = FileManager.default.fileExists(atPath: loader.root + "/Modules") ? "Modules/" : ""
    let path = options.rules ?? "\(loader.root)/\(folder)archlint.rules"
    if options.output == nil, FileManager.default.fileExists(atPath: path) {
      throw .usage("there are rules at \(path) already; --output FILE writes a proposal somewhere else")
    }
    let text = try RuleProposal(loader, manifest, today: options.today).text()
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: options.output ?? path), options: .withoutOverwriting)
    } catch {
      throw .environment("cannot write \(options.output ?? path): \(error)")
    }
    if !options.isQuiet { console.errors("archlint: wrote \(options.output ?? path); now read it, and tighten it\n") }
    return 0
  }
}
