public import Models

/// The definitions of sources: those that are installed, and files that are to be.
public protocol SourceService: Sendable {
  /// The folder of the definitions, `sources` beside the config file.
  var folder: String { get }

  /// The definitions in the folder, by name. A file with mistakes is among them.
  func installed() -> [CheckedDefinition]

  /// Checks a file. A file in the folder has the name of its source; one elsewhere may have any.
  ///
  /// - Parameter text: a path, or the name of a definition in the folder.
  func check(_ text: String) throws(Failure) -> CheckedDefinition

  /// Writes the words of earlier versions of the language as they are written now, in a file without mistakes.
  ///
  /// - Returns: the places in it; none where it has no such words.
  func renew(_ path: String) throws(Failure) -> [String]

  /// Proposes a definition from one answer of an API.
  ///
  /// - Parameter auth: how the key of the request was sent; `nil` if it had none.
  func propose(
    _ name: SourceName, from answer: HTTPResponse, to url: String, _ auth: SourceDefinition.Authentication?
  ) throws(Failure) -> ProposedDefinition

  /// Proposes a definition from a file: a recording (HAR), or an OpenAPI document in JSON.
  func propose(_ name: SourceName, fromFile path: String) throws(Failure) -> ProposedDefinition

  /// Makes a definition from a manifest of another program.
  ///
  /// - Parameters:
  ///   - streams: the streams that are wanted; all of them if it is empty.
  ///   - defaults: what settings of the definition have where the user gives nothing.
  func imported(
    _ path: String, as name: SourceName, streams: [String], defaults: [(name: String, value: String)]
  ) throws(Failure) -> ImportedDefinition

  /// Writes an imported definition into the folder. Its server gets a key when the user trusts it.
  ///
  /// - Throws: as `install` does.
  func installImported(_ text: String, as name: SourceName) throws(Failure) -> String

  func check(_ text: String, as name: SourceName) -> CheckedDefinition

  /// Writes a definition into the folder.
  ///
  /// - Returns: the file, and where it is kept; `nil` where the gallery has the same.
  /// - Throws: `Failure` where it has mistakes, there is one of that name, or it cannot be written.
  func install(_ text: String, as name: SourceName) throws(Failure) -> String

  /// The definitions that come with the program, by name. Each is without mistakes.
  func gallery() -> [SourceDefinition]

  func isInGallery(_ name: SourceName) -> Bool

  /// Adds a definition of the gallery, or a file, to the folder.
  ///
  /// - Parameter text: a name of the gallery, or the path of a file.
  /// - Throws: `Failure` where there is no such definition, it has mistakes, or there is a source of that name already.
  func add(_ text: String) throws(Failure) -> CheckedDefinition

  /// Removes a definition, and the tokens of its source. The records stay.
  ///
  /// - Returns: the file, and where it is kept; `nil` where the gallery has the same.
  func remove(_ name: SourceName) throws(Failure) -> (file: String, kept: String?)

  /// The JSON Schema of definitions, for editors.
  var schema: String { get }

  /// Lets the server of a definition have the source's key, after the definition was changed to ask another one.
  func trust(_ name: SourceName, _ server: Settings.Server?) throws(Failure) -> String
}

public struct CheckedDefinition: Sendable {
  public var path: String
  public var name: SourceName
  public var result: Result<SourceDefinition, SettingsProblems>
  /// How users see all mistakes; `nil` where there is no command for it.
  public var suggestion: Advice?
  /// Whether there is no such file, though a follow needs it.
  public var isMissing = false

  public init(
    path: String, name: SourceName, result: Result<SourceDefinition, SettingsProblems>, suggestion: Advice? = nil
  ) { (self.path, self.name, self.result, self.suggestion) = (path, name, result, suggestion) }

  public var definition: SourceDefinition? { try? result.get() }

  /// Every mistake, in the order of the file.
  public var problems: [SettingsProblem] { if case .failure(let error) = result { error.problems } else { [] } }

  /// What may be a mistake, in the order of the file; nothing where there are mistakes.
  public var warnings: [SettingsProblem] { definition?.warnings ?? [] }

  public var failure: Failure? {
    guard case .failure(let error) = result else { return nil }
    if isMissing {
      return Failure(
        .config, .config, "there is no definition \(path)", hint: suggestion, code: .own(.noDefinition), path: path)
    }
    let count = error.problems.count
    return Failure(
      .config, .config, "the definition \(path) has \(count == 1 ? "a mistake" : "\(count) mistakes")",
      hint: (error.problems.map { Advice($0.text(in: path)) } + [suggestion].compactMap(\.self)).joined(
        separator: "\n"), code: .own(.definition), path: path)
  }
}
