public import Models
public import Ports

/// Definitions of sources: strict JSON (RFC 8259), read with every mistake named.
public struct JSONDefinitionFormat: DefinitionFormat {
  private let sources: [SourceName]
  private let collections: [CollectionName]

  /// Makes the format.
  ///
  /// - Parameters:
  ///   - sources: names of sources that are taken.
  ///   - collections: names of collections that are taken.
  public init(sources: [SourceName] = [], collections: [CollectionName] = []) {
    self.sources = sources
    self.collections = collections
  }

  /// Reads a definition. O(bytes), and O(bytes) more per mistake.
  ///
  /// - Throws: `SettingsProblems` with every mistake in the order of the text; one alone where it is not JSON.
  public func read(_ bytes: [UInt8], named name: SourceName?) throws(SettingsProblems) -> SourceDefinition {
    var reader = DefinitionReader(name: name, takenSources: sources, takenCollections: collections)
    let definition: SourceDefinition?
    do throws(ParsingError) {
      definition = try JSONDocument.read(bytes, depthLimit: 64) { reader.read($0) }
    } catch {
      throw SettingsProblems([
        SettingsProblem(
          line: error.line, column: error.column, path: DefinitionReader.path(error.path),
          message: "expected \(error.expected), found \(error.found)")
      ])
    }
    guard reader.problems.isEmpty, var definition else {
      throw SettingsProblems(reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
    definition.fingerprint = String(SHA256.digest(bytes).prefix(16))
    return definition
  }

  /// Proposes a definition from one answer, and reads the answer with it.
  ///
  /// - Throws: `ParsingError` where the answer is not JSON, or holds no object.
  public func proposal(
    for answer: HTTPResponse, to url: String, named name: SourceName
  ) throws(ParsingError) -> ProposedDefinition {
    let (object, notes) = try ResponseBody.read(answer.body) {
      (root) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note]) in
      var proposal = DefinitionProposal(url: url, headers: answer.headers, name: name, takenCollections: collections)
      return try proposal.propose(root)
    }
    let text = JSONText.pretty(.object(object)) + "\n"
    var proposed = ProposedDefinition(text: text, notes: notes, records: 0, rejected: 0)
    if let definition = try? JSONDefinitionFormat().read(Array(text.utf8), named: nil) {
      let request = definition.follows[0].request
      let parsed = try JSONAnswerReaderCompiler().reader(of: request, since: nil).read(answer.body, variables: [:])
      (proposed.records, proposed.rejected) = (parsed.value.records.count, parsed.rejects.total)
    }
    return proposed
  }

  /// The JSON Schema of definitions, for editors.
  public var schema: String { JSONText.pretty(.object(DefinitionSchema.document)) + "\n" }
}
