public import Models
public import Ports

/// Definitions of sources: strict JSON (RFC 8259), read with every mistake named.
public struct JSONDefinitionFormat: Sendable {
  private let sources: [SourceName]
  let collections: [CollectionName]
  private let isSecret: SecretCheck

  public enum RequestField: Hashable, Sendable {
    case parameter(String)
    case header(String)
  }

  /// Whether a part of a request holds a secret.
  public typealias SecretCheck = @Sendable (RequestField) -> Bool

  /// Makes the format.
  ///
  /// - Parameters:
  ///   - sources: names of sources that are taken.
  ///   - collections: names of collections that are taken.
  ///   - isSecret: which parts of the requests that proposals are made from hold secrets; definitions have none.
  public init(
    sources: [SourceName] = [], collections: [CollectionName] = [], isSecret: @escaping SecretCheck = { _ in false }
  ) {
    self.sources = sources
    self.collections = collections
    self.isSecret = isSecret
  }

  /// Reads a definition, whose words of earlier versions are renewed before. O(bytes), and O(bytes) more per mistake.
  ///
  /// - Throws: `SettingsProblems` with every mistake in the order of the text; one alone where it is not JSON.
  public func read(_ bytes: [UInt8], named name: SourceName?) throws(SettingsProblems) -> SourceDefinition {
    var reader = DefinitionReader(name: name, takenSources: sources, takenCollections: collections)
    let definition: SourceDefinition?
    do throws(ParsingError) {
      definition = try JSONDocument.read(bytes, depthLimit: 64) { (root) throws(ParsingError) in
        let renewal = DefinitionRenewal(root)
        if renewal.edits.isEmpty { return reader.read(root) }
        return try JSONDocument.read(renewal.applied(to: bytes), depthLimit: 64) { reader.read($0) }
      }
    } catch {
      throw SettingsProblems([SettingsProblem(error)])
    }
    guard reader.problems.isEmpty, var definition else {
      throw SettingsProblems(reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
    definition.warnings = reader.warnings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    definition.fingerprint = String(SHA256.digest(bytes).prefix(16))
    return definition
  }

  /// Proposes a definition from one answer, and reads the answer with it.
  ///
  /// - Throws: `ParsingError` where the answer is not JSON, or holds no object.
  public func proposal(
    for answer: HTTPResponse, to url: String, named name: SourceName,
    _ auth: SourceDefinition.Authentication? = nil
  ) throws(ParsingError) -> ProposedDefinition {
    let answer = answer.withLinesAsList
    var (object, notes) = try ResponseBody.read(answer.body) {
      (root) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note]) in
      var proposal = DefinitionProposal(
        url: url, headers: answer.headers, name: name, takenCollections: collections, isSecret: isSecret)
      return try proposal.propose(root)
    }
    if let auth { DefinitionProposal.add("auth", auth.value, to: &object) }
    return try proposed(object, notes, checkedWith: answer.body)
  }

  public func proposal(from document: [UInt8], named name: SourceName) throws(ParsingError) -> ProposedDefinition {
    let object = try JSONText.value(of: document).object ?? [:]
    if RecordingProposal.isRecording(object) {
      let found = RecordingProposal.propose(object, isSecret) { (answer) throws(ParsingError) in
        try ResponseBody.read(answer.withLinesAsList.body) {
          (root) throws(ParsingError) -> (JSONObject, [ProposedDefinition.Note]) in
          var proposal = DefinitionProposal(
            url: answer.url, headers: answer.headers, name: name, takenCollections: collections, isSecret: isSecret)
          return try proposal.propose(root)
        }
      }
      guard let found else {
        var error = Self.nothing("an answer of a GET request with records", "none in this recording")
        if let url = RecordingProposal.posts(in: object).first {
          error.hint =
            "it has a POST request to \(url), and a proposal cannot tell which parts of a body are fixed: write the follow "
            + "with \"post\" and \"body\""
        }
        throw error
      }
      return try proposed(found.definition, found.notes, checkedWith: found.answer.withLinesAsList.body)
    }
    guard OpenAPIProposal.isDocument(object) else {
      throw Self.nothing("a recording (HAR) or an OpenAPI document in JSON", "another document")
    }
    var proposal = OpenAPIProposal(object, name: name, taken: collections)
    guard let definition = proposal.propose() else {
      throw Self.nothing("a GET request that answers with a list of objects", "none in this document")
    }
    return try proposed(definition, proposal.notes, checkedWith: nil)
  }

  private static func nothing(_ expected: String, _ found: String) -> ParsingError {
    ParsingError(.shape, path: "$", expected: expected, found: found)
  }

  /// The proposal, with the number of records that it reads of an answer.
  private func proposed(
    _ object: JSONObject, _ notes: [ProposedDefinition.Note], checkedWith body: [UInt8]?
  ) throws(ParsingError) -> ProposedDefinition {
    let text = JSONText.pretty(.object(object)) + "\n"
    var proposed = ProposedDefinition(text: text, notes: notes, records: 0, rejected: 0)
    if let body, let definition = try? JSONDefinitionFormat().read(Array(text.utf8), named: nil) {
      let request = definition.follows[0].request
      let parsed = try JSONAnswerReaderCompiler().reader(of: request).read(body, variables: [:])
      (proposed.records, proposed.rejected) = (parsed.value.records.count, parsed.rejects.total)
    }
    return proposed
  }

  public var schema: String { JSONText.pretty(.object(DefinitionSchema.document)) + "\n" }
}

extension SourceDefinition.Authentication {
  /// The member `auth` of a definition, of a key that is sent in one place.
  fileprivate var value: JSONValue {
    guard let placement = placements.first, self != .bearer() else { return "bearer" }
    let text: JSONValue = .string(placement.value.description)
    return switch placement.place {
    case .basic: ["basic": text]
    case .address: ["address": ["key"]]
    case .header(let name): ["headers": .object([.init(stringLiteral: name): text])]
    case .query(let name): ["query": .object([.init(stringLiteral: name): text])]
    case .body(let name): ["body": .object([.init(stringLiteral: name): text])]
    }
  }
}
