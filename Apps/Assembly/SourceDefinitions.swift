public import Models
import Parsing
import Persistence
public import Ports

/// The definitions of sources beside a config file.
public struct SourceDefinitions: SourceService {
  private let files: DefinitionFolder
  private let compiled: SourceList

  /// The definitions beside a config file.
  public init(beside config: String) {
    files = DefinitionFolder(beside: config)
    compiled = SourceList.compiled
  }

  /// The folder.
  public var folder: String { files.path }

  /// The definitions in the folder. A name of a collection belongs to the first source that fills it.
  public func installed() -> [CheckedDefinition] { read(files.names()) }

  private func read(_ names: [SourceName]) -> [CheckedDefinition] {
    var taken = takenCollections
    return names.map { name in
      let checked = check(files.file(of: name), name, isNamed: true, taken)
      taken += checked.definition?.collections.map(\.name) ?? []
      return checked
    }
  }

  /// Checks a file.
  public func check(_ path: String) throws(Failure) -> CheckedDefinition {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = SourceName(rawValue: file.hasSuffix(".json") ? String(file.dropLast(5)) : file)
    _ = try DefinitionFolder.bytes(of: path)
    let isInstalled = path.exact == files.file(of: name).exact
    let others = read(files.names().filter { $0 != name }).compactMap(\.definition)
    return check(path, name, isNamed: isInstalled, takenCollections + others.flatMap { $0.collections.map(\.name) })
  }

  private var takenCollections: [CollectionName] { compiled.catalog.names + [.state] }

  private func check(
    _ path: String, _ name: SourceName, isNamed: Bool, _ taken: [CollectionName]
  ) -> CheckedDefinition {
    let format = JSONDefinitionFormat(sources: compiled.descriptors.map(\.name), collections: taken)
    let result: Result<SourceDefinition, SettingsProblems>
    do throws(Failure) {
      let bytes = try DefinitionFolder.bytes(of: path)
      do throws(SettingsProblems) {
        result = .success(try format.read(bytes, named: isNamed ? name : nil))
      } catch {
        result = .failure(error)
      }
    } catch {
      result = .failure(SettingsProblems([SettingsProblem(line: 1, column: 1, path: "", message: error.message)]))
    }
    return CheckedDefinition(path: path, name: name, result: result)
  }
}
