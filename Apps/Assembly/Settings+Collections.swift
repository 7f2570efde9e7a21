public import Models

extension Settings {
  /// The collections that `daemon.notifications` and `mcp` name and that neither a source nor the store has, with their JSON
  /// paths.
  ///
  /// They do not stop the daemon: the definition of their source may be missing, or have a mistake.
  public func unknownCollections(
    besides known: [CollectionName]
  ) -> [(place: String, message: String, suggestion: Advice)] {
    let names = known.map(\.rawValue)
    let known = Set(names.map(\.exact))
    func unknown(_ name: String, _ place: String, _ effect: String) -> (String, String, Advice)? {
      guard !known.contains(name.exact) else { return nil }
      let advice: Advice =
        if let nearest = NearestName.of(name, among: names) { "did you mean '\(nearest)'?" } else {
          "correct the name; \(command: "help", "list") lists them"
        }
      return (place, "there is no collection '\(name)': \(effect)", advice)
    }
    let hidden = mcp.hide.enumerated().filter { !$0.element.contains("/") }.compactMap {
      unknown($0.element, "mcp.hide[\($0.offset)]", "assistants are refused until it is corrected")
    }
    let approved = mcp.approve.enumerated().compactMap {
      unknown($0.element.rawValue, "mcp.approve[\($0.offset)]", "it approves nothing")
    }
    return hidden + approved
      + daemon.notifications.enumerated().flatMap { index, target in
        target.rules.changes.enumerated().compactMap { number, name in
          unknown(
            name.rawValue, "daemon.notifications[\(index)].on.changes[\(number)]",
            "\(target.name) is told nothing about it")
        }
      }
  }
}
