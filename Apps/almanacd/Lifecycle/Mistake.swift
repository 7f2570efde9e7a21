import Logging
import Models
import Ports

/// A mistake in the config file or in a definition, with its place.
struct Mistake {
  /// `FILE:LINE:COLUMN`.
  let place: String
  /// The path of the setting; empty for the file as a whole.
  let path: String
  let message: String

  /// The mistakes of a file.
  static func all(_ problems: [SettingsProblem], in file: String) -> [Mistake] {
    problems.map { Mistake(place: "\(file):\($0.line):\($0.column)", path: $0.path, message: $0.message) }
  }

  /// The mistakes of a definition; that it is missing is one.
  static func all(of definition: CheckedDefinition) -> [Mistake] {
    guard definition.problems.isEmpty, let failure = definition.failure else {
      return all(definition.problems, in: definition.path)
    }
    return [Mistake(place: definition.path, path: "", message: failure.message)]
  }

  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["at": "\(place)", "why": "\(message)"]
    metadata["path"] = path.isEmpty ? nil : "\(path)"
    return metadata
  }
}
