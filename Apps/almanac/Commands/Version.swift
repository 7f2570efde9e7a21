import ArgumentParser
import Models
import Ports

struct Version: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version; with --check, whether there is a newer one.",
    discussion: """
      --check asks the address of --from, or of the variable ALMANAC_RELEASES, for the newest release: JSON with \
      "tag_name", as from https://api.github.com/repos/OWNER/REPOSITORY/releases/latest. Nothing is ever asked without \
      --check. Where the address cannot be reached, that is said, and the command ends with 0.
      """)

  @Flag(help: "Ask whether there is a newer version.") var check = false
  @Option(help: ArgumentHelp("Where to ask.", valueName: "url")) var from: String?
  @OptionGroup(title: "Common options") var global: GlobalOptions

  func validate() throws {
    if from != nil, !check { throw ValidationError("--from needs --check") }
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let (terminal, current) = (services.terminal, AlmanacVersion.current)
    var fields: JSONObject = ["version": .string(current)]
    guard check else { return terminal.answer.value(fields) { terminal.line("almanac \(current)") } }
    guard let url = from ?? services.releases else {
      throw .usage(
        "there is no address to ask for the newest version",
        hint: "name it with --from URL, or in the variable ALMANAC_RELEASES", code: .noAddress)
    }
    var newest: String?
    var problem: String?
    do throws(Failure) { newest = try await newestVersion(at: url, services) } catch { problem = error.message }
    terminal.status([])
    fields.append("newest", newest)
    if let newest { fields.append("isNewest", .bool(!Self.isNewer(newest, than: current))) }
    fields.append("problem", problem)
    terminal.answer.value(fields) {
      if let newest, Self.isNewer(newest, than: current) {
        terminal.line("almanac \(current); \(Printable.text(newest)) is available")
      } else {
        terminal.line("almanac \(current)\(newest == nil ? "" : ", the newest version")")
      }
    }
    if let problem { terminal.complain("the newest version is not known: \(problem) (\(url))") }
    return .done
  }

  private func newestVersion(at url: String, _ services: CompositionRoot) async throws(Failure) -> String {
    let response = try await services.response(from: url, nil, key: nil)
    let tag = (try? services.coder.decode(response.body))?["tag_name"]?.string
    guard response.isSuccess, let tag, Self.numbers(tag) != nil else {
      throw Failure(
        .parsing, .unparsable, "the answer (\(response.status)) has no \"tag_name\" with a version", url: url,
        code: .own(.noVersion))
    }
    return tag.hasPrefix("v") ? String(tag.dropFirst()) : tag
  }

  /// Whether a version is newer than another one, by the rules of semantic versioning; a pre-release never is.
  static func isNewer(_ version: String, than other: String) -> Bool {
    guard let left = numbers(version), let right = numbers(other) else { return false }
    return right.lexicographicallyPrecedes(left)
  }

  /// The three numbers of a version without a pre-release: `v1.2.3`, `1.2.3+build`.
  private static func numbers(_ text: String) -> [Int]? {
    let plain = (text.hasPrefix("v") ? text.dropFirst() : text[...]).prefix { $0 != "+" }
    let numbers = plain.split(separator: ".", omittingEmptySubsequences: false).compactMap { Int($0) }
    return numbers.count == 3 && plain.split(separator: ".").count == 3 ? numbers : nil
  }
}
