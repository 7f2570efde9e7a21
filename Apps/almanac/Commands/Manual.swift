import ArgumentParser
import Models
import Ports

struct Manual: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page almanac(1), in the format of man.",
    discussion: """
      The page contains the help of every command. It can be read at once, or installed:

        almanac manual --out ~/.local/share/man/man1/almanac.1
      """)

  @Option(help: "The file; standard output by default.", completion: .file()) var out: String?
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    try OutputFile(path: out ?? "-").write(Array(ManualPage.text.utf8), for: services.terminal)
    return .done
  }
}

enum ManualPage {
  static var text: String {
    var page = """
      .TH ALMANAC 1 "" "almanac \(AlmanacVersion.current)" "User Commands"
      .SH NAME
      almanac \\- \(escaped(lowercasedFirst(AlmanacCLI.configuration.abstract)))
      .SH SYNOPSIS
      .B almanac
      .I command
      [\\fIoptions\\fR] [\\fIarguments\\fR]
      .SH DESCRIPTION

      """
    let discussion = AlmanacCLI.configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
    page += preformatted(discussion.flatMap { Printable.wrapped(String($0), 72) }.joined(separator: "\n"))
    page += ".SH COMMANDS\n"
    for path in CommandCheck.leaves() {
      let command = CommandCheck.command(in: path).type
      page += ".SS almanac \(escaped(path.joined(separator: " ")))\n"
      page += preformatted(help(of: command))
    }
    page += ".SH COMMON OPTIONS\n" + preformatted(GlobalOptions.helpMessage(columns: 72))
    page += ".SH ENVIRONMENT\n" + list(environment)
    page += ".SH FILES\n" + list(files)
    page += ".SH EXIT STATUS\n" + list(statuses)
    return page
  }

  private static func help(of command: any ParsableCommand.Type) -> String {
    var lines = HelpText.completed(AlmanacCLI.helpMessage(for: command, columns: 72))
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).map(String.init)
    lines.removeAll { $0.hasPrefix("  --version  ") || $0.hasPrefix("  -h, --help  ") }
    if let start = lines.firstIndex(of: "OPTIONS:"), lines.dropFirst(start + 1).first?.isEmpty ?? true {
      lines.removeSubrange(start...min(start + 1, lines.count - 1))
    }
    let text = lines.joined(separator: "\n")
    return text.hasPrefix("OVERVIEW: ") ? String(text.dropFirst("OVERVIEW: ".count)) : text
  }

  private static let environment = [
    ("ALMANAC_STORE", "The store's folder, if --store is not given."),
    ("ALMANAC_CONFIG", "The config file, if --config is not given."),
    ("ALMANAC_SEED", "Recordings to replay, separated by colons."),
    ("ALMANAC_FLICKR_KEY", "The key for Flickr, if the config has none."),
    ("ALMANAC_PAGER, PAGER", "The pager of long answers on a terminal; less by default."),
    ("VISUAL, EDITOR", "The editor of \(help: "config edit") and \(help: "people edit --editor")."),
    ("NO_COLOR", "Disables colours, if it is not empty."),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "Authorities that replace those of the system."),
  ]

  private static let files = [
    ("~/.local/share/almanac", "The store, or $XDG_DATA_HOME/almanac."),
    ("~/.config/almanac/config.json", "The config file, or $XDG_CONFIG_HOME/almanac/config.json."),
  ]

  private static let statuses = [
    ("0", "Success, also without changes."), ("1", "Several operations failed for different reasons."),
    ("64", "The command line is not valid."), ("65", "A response, a recording or a file could not be parsed."),
    ("66", "A record, a file or the store does not exist."),
    ("69", "A server could not be reached, kept failing, or refused a request."), ("70", "An internal error."),
    ("73, 74", "A file or the store cannot be created; cannot be read or written, or is damaged."),
    ("75", "Temporary: try again later. 'status': a follow is stale."),
    ("77", "A key is missing or was refused."), ("78", "The config has mistakes."), ("130", "Interrupted."),
  ]

  private static func list(_ entries: [(String, String)]) -> String {
    entries.map { ".TP\n.B \(escaped($0.0))\n\(escaped($0.1))\n" }.joined()
  }

  /// Text whose lines stay as they are.
  private static func preformatted(_ text: String) -> String {
    ".nf\n" + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) + "\n" }.joined()
      + ".fi\n"
  }

  /// Text that the formatter prints as it is: no escapes, no requests, and hyphens that can be copied.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
  }

  private static func lowercasedFirst(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
