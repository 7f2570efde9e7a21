public import Models
import Ports

/// Collections that `daemon.notifications` names and that do not exist.
public enum ToldCollections {
  /// A name in the settings.
  public struct Unknown: Sendable {
    /// The JSON path of the name.
    public var place: String
    /// What is wrong.
    public var message: String
    /// What to do.
    public var remedy: String
  }

  /// The names that neither a source nor the store has. They do not stop the daemon: the definition of their source may be
  /// missing, or have a mistake.
  ///
  /// - Parameter known: the collections of the sources and of the store.
  public static func unknown(in settings: Settings, known: [CollectionName]) -> [Unknown] {
    let known = Set(known.map(\.rawValue.exact))
    var found: [Unknown] = []
    for (index, target) in settings.daemon.notifications.enumerated() {
      for (number, name) in target.rules.changes.enumerated() where !known.contains(name.rawValue.exact) {
        found.append(
          Unknown(
            place: "daemon.notifications[\(index)].on.changes[\(number)]",
            message: "there is no collection '\(name)': \(target.name) is told nothing about it",
            remedy:
              "correct the name; 'almanac help list' lists them"
          ))
      }
    }
    return found
  }
}
