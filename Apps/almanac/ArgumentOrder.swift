/// Lets global options stand before the command as well as after it.
enum ArgumentOrder {
  private static let withValue: Set<String> = [
    "--store", "--config", "--format", "--seed", "--record", "--server",
  ]
  private static let flags: Set<String> = ["--quiet", "--verbose", "--no-color"]

  /// The arguments with global options moved to the end, and with `--sort -field` joined to one word.
  static func globalsLast(_ arguments: [String]) -> [String] {
    var kept: [String] = []
    var moved: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        return kept + moved + [argument] + rest
      }
      let name = argument.prefix { $0 != "=" }
      if flags.contains(argument) || (withValue.contains(String(name)) && name.count < argument.count) {
        moved.append(argument)
      } else if withValue.contains(argument) {
        moved.append(argument)
        if let value = rest.popFirst() { moved.append(value) }
      } else if argument == "--sort", let field = rest.popFirst() {
        kept.append("--sort=\(field)")
      } else {
        kept.append(argument)
      }
    }
    return kept + moved
  }
}
