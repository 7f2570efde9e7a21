/// Accepts global options before the command as well as after it.
enum ArgumentOrder {
  private static let withValue: Set<String> = [
    "--store", "--config", "--format", "--seed", "--record", "--server",
  ]
  private static let flags: Set<String> = ["--quiet", "--verbose", "--no-color"]

  /// The arguments with global options moved to the end, and with `--sort -field` and `--limit -1` joined to one word:
  /// the parser takes what begins with `-` for an option.
  static func globalsLast(_ arguments: [String]) -> [String] {
    var (rest, globals) = split(arguments)
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    rest.insert(contentsOf: globals, at: end)
    return rest
  }

  /// The arguments without the global options, with such pairs joined; and these options.
  static func split(_ arguments: [String]) -> (rest: [String], globals: [String]) {
    var kept: [String] = []
    var globals: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        return (kept + [argument] + rest, globals)
      }
      let name = argument.prefix { $0 != "=" }
      if flags.contains(argument) || (withValue.contains(String(name)) && name.count < argument.count) {
        globals.append(argument)
      } else if withValue.contains(argument) {
        globals.append(argument)
        if let value = rest.popFirst() { globals.append(value) }
      } else if argument == "--sort" || (argument.hasPrefix("--") && isNegative(rest.first)),
        let value = rest.popFirst()
      {
        kept.append("\(argument)=\(value)")
      } else {
        kept.append(argument)
      }
    }
    return (kept, globals)
  }

  private static func isNegative(_ argument: String?) -> Bool {
    guard let argument, argument.first == "-" else { return false }
    return argument.dropFirst().first?.isNumber == true
  }
}
