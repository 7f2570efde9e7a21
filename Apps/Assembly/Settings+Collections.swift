public import Models

extension Settings {
  /// The collections that `daemon.notifications` names and that neither a source nor the store has, with their JSON paths.
  ///
  /// They do not stop the daemon: the definition of their source may be missing, or have a mistake.
  public func unknownCollections(
    besides known: [CollectionName]
  ) -> [(place: String, message: String, suggestion: Advice)] {
    let known = Set(known.map(\.rawValue.exact))
    return daemon.notifications.enumerated().flatMap { index, target in
      target.rules.changes.enumerated().filter { !known.contains($0.element.rawValue.exact) }.map { number, name in
        (
          "daemon.notifications[\(index)].on.changes[\(number)]",
          "there is no collection '\(name)': \(target.name) is told nothing about it",
          "correct the name; \(command: "help", "list") lists them"
        )
      }
    }
  }
}
