public import Models
public import Ports

extension JSONDefinitionFormat {
  /// Makes a definition from a manifest of a low-code connector of Airbyte. Nothing of the manifest is run, and nothing that
  /// it names is opened. O(size of the manifest with its references resolved), and as much again for each stream that the
  /// language of definitions does not take.
  ///
  /// - Parameter streams: the streams that are wanted; all of them if it is empty.
  /// - Throws: `ParsingError` where the document is no such manifest.
  public func imported(
    _ manifest: LocatedValue, named name: SourceName, streams: [String] = [],
    defaults: [(name: String, value: String)] = []
  ) throws(ParsingError) -> ImportedDefinition {
    var translation: ManifestTranslation
    do throws(Refusal) {
      translation = try ManifestTranslation(manifest, named: name, taken: collections)
      try translation.translate(streams)
    } catch {
      throw ParsingError(.shape, path: "", expected: "a manifest of a low-code connector", found: error.reason)
    }
    var (object, follows) = translation.definition()
    var refused = translation.refused
    var unknown: [String] = []
    for given in defaults {
      guard var with = object["with"]?.object, var setting = with[given.name]?.object else {
        unknown.append(given.name)
        continue
      }
      setting.members.removeAll { ["default", "optional"].contains($0.key) }
      setting.append("default", given.value)
      with.replace(given.name, .object(setting))
      object.replace("with", .object(with))
    }
    // What the language does not take goes, one stream after another.
    var text = ""
    while !follows.isEmpty {
      text = JSONText.pretty(.object(object)) + "\n"
      let problems: [SettingsProblem]
      do throws(SettingsProblems) {
        _ = try read(Array(text.utf8), named: name)
        break
      } catch {
        problems = error.problems
      }
      var isFound = false
      for problem in problems {
        let steps = problem.path.split { ".['\"]".contains($0) }.map(String.init)
        guard steps.count > 1, ["follows", "collections"].contains(steps[0]),
          let index = follows.firstIndex(where: { $0.follow == steps[1] })
        else { continue }
        isFound = true
        let stream = follows[index]
        refused.append(.init(stream: stream.name, line: stream.line, reason: problem.message))
        for key in ["follows", "collections"] {
          guard var members = object[key]?.object else { continue }
          members.members.removeAll { $0.key == follows[index].follow }
          object.replace(key, .object(members))
        }
        follows.remove(at: index)
      }
      if !isFound {
        let first = problems.first
        refused += follows.map {
          .init(stream: $0.name, line: $0.line, reason: "\(first?.path ?? ""): \(first?.message ?? "")")
        }
        follows = []
      }
    }
    let names = follows.map(\.name)
    var imported = ImportedDefinition(
      text: follows.isEmpty ? "" : text, streams: names, refused: refused,
      notes: translation.notes.filter { $0.stream == nil || names.contains($0.stream ?? "") })
    imported.unknown = unknown
    imported.settings = object["with"]?.object?.keys ?? []
    return imported
  }
}
