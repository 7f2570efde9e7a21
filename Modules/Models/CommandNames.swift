/// The store and the config file that commands in messages must name, because they are not those that a command without
/// options uses.
public struct CommandNames: Sendable {
  private let store: String?
  private let config: String?

  /// Commands with options.
  ///
  /// - Parameters:
  ///   - store: what `--store` must be, a folder or the address of a server; `nil` where commands find the store without it.
  ///   - config: what `--config` must be; `nil` where commands find the file without it.
  public init(store: String? = nil, config: String? = nil) { (self.store, self.config) = (store, config) }

  /// The text with `--store` and `--config` in each command that uses the store or the config file.
  public func naming(_ text: String) -> String {
    guard store != nil || config != nil else { return text }
    // A word in double quotes may hold a single one.
    return text.replacing(/('|\| )almanac ([a-z]+)((?:"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'|[^'"\n])*)/) { command in
      let options = options(of: command.2, besides: command.3)
      // The first argument is quoted where the command seems to end with a space.
      return command.3.hasSuffix(" ")
        ? "\(command.1)almanac \(command.2)\(options)\(command.3)"
        : "\(command.1)almanac \(command.2)\(command.3)\(options)"
    }
  }

  /// The failure with such commands in its hint.
  public func naming(_ failure: Failure) -> Failure {
    var failure = failure
    failure.hint = failure.hint.map { naming($0) }
    return failure
  }

  private func options(of command: Substring, besides words: Substring) -> String {
    let withoutAny = ["completion", "genre", "help", "manual"]
    // A store on a server keeps what is followed; with a folder, the config file does.
    let follows = store?.contains("://") == true ? [] : ["follow", "following", "unfollow"]
    let withoutStore = withoutAny + follows + ["config", "source", "store"]
    let places = [("--store", store, withoutStore), ("--config", config, withoutAny)]
    return places.compactMap { name, value, others in
      guard let value, !words.contains(name), !others.contains(String(command)) else { return nil }
      return " \(name) \(ShellWord.inside(value))"
    }.joined()
  }
}
