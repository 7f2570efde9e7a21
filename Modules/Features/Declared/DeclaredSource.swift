public import Models
public import Ports
import Synchronization

/// A source that a definition describes.
///
/// A pull is the pages of the follow's list, and after each page the requests that its records make. What a request, a
/// record and a next page are is said by the definition; the engine does everything else as for any source.
public struct DeclaredSource: Source {
  public let descriptor: SourceDescriptor

  let definition: SourceDefinition
  let settings: Settings.Server?
  /// Why the settings are of no use: then nothing is asked.
  let settingProblem: SourceDefinition.SettingProblem?
  let key: SourceKey
  let compiler: any AnswerReaderCompiler
  let coder: any RecordCoder
  let follows: [CompiledFollow]
  /// The collections that several requests fill in different ways: what one leaves out, another one may know.
  let merged: Set<CollectionName>
  /// What reads one record of each collection whose records can be edited.
  let records: [CollectionName: any AnswerReader]
  /// What reads the lists in which new records are found.
  let found: [CollectionName: any AnswerReader]
  /// What reads the answers to new records.
  let created: [CollectionName: any AnswerReader]
  let tokens = AccessTokens()
  let keeper: (any TokenKeeper)?
  let suggestions: Suggestions
  let files: (any HTTPTransport)?

  /// A follow with what reads its answers.
  struct CompiledFollow: Sendable {
    let definition: SourceDefinition.FollowDefinition
    let list: CompiledRequest
    /// The requests of records, each before those that its own records make.
    let children: [CompiledRequest]

    fileprivate init(_ definition: SourceDefinition.FollowDefinition, _ compiler: any AnswerReaderCompiler) {
      self.definition = definition
      let all = CompiledRequest.all(definition.request, nil, within: nil, at: -1, compiler)
      (list, children) = (all[0], Array(all.dropFirst()))
    }
  }

  /// A request with what reads its answers.
  struct CompiledRequest: Sendable {
    let request: SourceDefinition.Request
    let reader: any AnswerReader
    /// How records make it; `nil` for the follow's own.
    let child: SourceDefinition.Child?
    /// The index of the request whose records make it; `nil` for the follow's own.
    let parent: Int?
    /// The indexes of the requests that its records make.
    let children: [Int]
    /// What the names of its lists begin with: with another address, the values are those of other lists.
    let kind: String

    /// The request and those of records, each before those that its own records make.
    fileprivate static func all(
      _ request: SourceDefinition.Request, _ child: SourceDefinition.Child?, within parent: Int?, at index: Int,
      _ compiler: any AnswerReaderCompiler
    ) -> [CompiledRequest] {
      var rest: [CompiledRequest] = []
      var children: [Int] = []
      for child in request.children {
        children.append(index + 1 + rest.count)
        rest += all(child.request, child, within: index < 0 ? nil : index, at: index + 1 + rest.count, compiler)
      }
      var hash = StableHash()
      hash.combine(request.address.description)
      let own = CompiledRequest(
        request: request, reader: LazyReader { compiler.reader(of: request) }, child: child, parent: parent,
        children: children, kind: hash.hex)
      return [own] + rest
    }
  }

  /// A source.
  ///
  /// - Parameters:
  ///   - definition: what describes it.
  ///   - compiler: makes what reads answers.
  ///   - coder: writes bodies, and reads stored records.
  ///   - settings: the server's address, where it is not the definition's; its `apiKey` is not looked at.
  ///   - apiKey: the key, wherever it came from; any text where the answers are recorded.
  ///   - keeper: keeps tokens, of which some change with each use; `nil` where the answers are recorded.
  ///   - files: answers in place of the network, where the definition names a folder.
  public init(
    _ definition: SourceDefinition, compiler: any AnswerReaderCompiler, coder: any RecordCoder,
    settings: Settings.Server? = nil, apiKey: SourceKey = .absent, keeper: (any TokenKeeper)? = nil,
    files: (any HTTPTransport)? = nil, suggestions: Suggestions = Suggestions()
  ) {
    var definition = definition
    let settable = definition.descriptor.settings
    do throws(SourceDefinition.SettingProblem) {
      definition = try definition.bound(by: settings)
      settingProblem = nil
    } catch {
      settingProblem = error
    }
    self.definition = definition
    var descriptor = definition.descriptor
    // The definition has the values in their place.
    descriptor.settings = settable
    self.descriptor = descriptor
    self.settings = settings
    key = apiKey.value == "" ? .absent : apiKey
    self.compiler = compiler
    self.coder = coder
    self.keeper = keeper
    (self.files, self.suggestions) = (files, suggestions)
    merged = definition.mergedCollections
    func readers(_ place: (SourceDefinition.Edits) -> ValuePath?) -> [CollectionName: any AnswerReader] {
      let readers = definition.edits.compactMap { edits -> (CollectionName, any AnswerReader)? in
        guard let mapping = definition[edits.collection]?.mapping, let place = place(edits) else { return nil }
        let selection = SourceDefinition.Selection(records: place, collection: edits.collection, mapping: mapping)
        let request = SourceDefinition.Request(edits.read.address, selections: [selection])
        return (edits.collection, LazyReader { compiler.reader(of: request) })
      }
      return Dictionary(readers) { first, _ in first }
    }
    records = readers(\.record)
    found = readers { $0.create?.found }
    created = readers { $0.create?.record ?? $0.record }
    follows = definition.follows.map { CompiledFollow($0, compiler) }
  }

  public var abilities: SourceAbilities { SourceAbilities(edits: self, purge: self) }

  /// The definition's text: with another one, cursors and validators are of no use.
  public var fingerprint: String? { definition.fingerprint }

  /// Checks what the descriptor says, the values of parameters, and that each option belongs to the form; gives the
  /// definition's `every` where the follow has none.
  public func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow {
    let (compiled, _) = try match(follow)
    var follow = follow
    follow.follow.every = follow.follow.every ?? compiled.definition.every
    return follow
  }

  func match(_ checked: CheckedFollow) throws(FollowError) -> (follow: CompiledFollow, variables: Variables) {
    let (follow, match) = (checked.follow, checked.match)
    guard let compiled = follows.first(where: { $0.definition.form == match.form }) else {
      throw FollowError(follow: follow.path, message: "the path does not match", allowed: "expected another path")
    }
    var variables = Variables()
    let options = compiled.definition.options
    for (name, value) in zip(compiled.definition.parameters, match.parameters) {
      if value.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == "." || $0 == ".." }) {
        throw FollowError(
          follow: follow.path, message: "a part of the path is . or ..", allowed: "expected \(match.form.text)")
      }
      if let option = options.first(where: { $0.option.name.exact == name.exact })?.option,
        option.value(text: value).map({ option.accepts($0) }) != true
      {
        throw FollowError(
          follow: follow.path, message: "\(name) cannot be '\(value)'", allowed: "expected \(option.expected)")
      }
      variables[name] = value
    }
    for option in options where variables[option.option.name] == nil { variables[option.option.name] = option.standard }
    for member in follow.options.members {
      guard options.contains(where: { $0.option.name.exact == member.key.exact }) else {
        throw FollowError(
          follow: follow.path, member: member.key, message: "\(match.form.text) does not take the option \(member.key)",
          allowed: options.isEmpty
            ? "it takes no options" : "it takes \(options.map(\.option.name).joined(separator: ", "))")
      }
      variables[member.key] =
        member.value.string ?? member.value.int.map(String.init) ?? member.value.bool.map(String.init)
    }
    if compiled.definition.form.limit != nil, let limit = match.limit { variables["limit"] = String(limit) }
    return (compiled, variables)
  }

  /// Pulls a page of the list, or the requests that records of the page before make.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    try await open(follow).page(context)
  }

  public func open(_ follow: CheckedFollow) -> any SourcePull { DeclaredPages(source: self, follow: follow) }
}

final class DeclaredPages: SourcePull {
  let filled = FilledFields()
  private let source: DeclaredSource
  private let follow: CheckedFollow
  private let asked = Mutex<Set<ExactString>>([])

  init(source: DeclaredSource, follow: CheckedFollow) {
    self.source = source
    self.follow = follow
  }

  func page(_ context: PullContext) async throws(SourceError) -> PullPage {
    let compiled: DeclaredSource.CompiledFollow
    let variables: Variables
    do throws(FollowError) { (compiled, variables) = try source.match(follow) } catch { throw .follow(error) }
    let client = try DeclaredClient(source, source.files ?? context.transport, now: context.now)
    let pull = DeclaredPull(
      source: source, pages: self, compiled: compiled, variables: variables, client: client,
      context: context)
    return try await pull()
  }

  /// Whether records of the pull did not ask for the values before, so that two that do cause one request.
  func isNew(_ values: String) -> Bool { asked.withLock { $0.insert(values.exact).inserted } }

  func end() async {}
}

extension AnswerReader {
  func parsed(
    _ body: [UInt8], _ variables: [ExactString: String], url: String
  ) throws(SourceError) -> Parsed<DeclaredAnswer> {
    do throws(ParsingError) { return try read(body, variables: variables) } catch { throw .parsing(error, url: url) }
  }
}

/// A reader that is made when it is used: most commands pull no follow, and a pull needs the readers of one.
final class LazyReader: AnswerReader {
  private let make: @Sendable () -> any AnswerReader
  private let made = Mutex<(any AnswerReader)?>(nil)

  init(_ make: @escaping @Sendable () -> any AnswerReader) { self.make = make }

  func read(_ body: [UInt8], variables: [ExactString: String]) throws(ParsingError) -> Parsed<DeclaredAnswer> {
    let reader = made.withLock { made in
      let reader = made ?? make()
      made = reader
      return reader
    }
    return try reader.read(body, variables: variables)
  }
}

/// The values of a request's variables, by name.
struct Variables: Hashable, Sendable {
  private(set) var values: [ExactString: String] = [:]

  init(_ values: [ExactString: String] = [:]) { self.values = values }

  subscript(name: String) -> String? {
    get { values[name.exact] }
    set { values[name.exact] = newValue }
  }

  /// The value of a name in a template; `nil` for paths.
  func value(_ name: URLTemplate.Name) -> String? {
    if case .variable(let name) = name { self[name] } else { nil }
  }

  /// The values with others added, which count where both have one.
  func adding(_ object: JSONObject) -> Variables {
    var all = self
    for member in object.members { all[member.key] = member.value.string }
    return all
  }
}

/// A source whose definition has mistakes. It takes every follow, and each pull fails with the mistakes.
public struct InvalidSource: Source {
  /// A name that takes every follow.
  public let descriptor: SourceDescriptor
  public let abilities = SourceAbilities()
  private let failure: Failure?

  public init(_ definition: CheckedDefinition) {
    failure = definition.failure
    let name = definition.name
    var descriptor = SourceDescriptor(
      name: name, summary: "a definition with mistakes",
      forms: [FollowForm(name.rawValue, "nothing"), FollowForm("\(name)/{+path}", "nothing")], collections: [])
    descriptor.isUnreadable = true
    self.descriptor = descriptor
  }

  /// Fails.
  ///
  /// - Throws: `SourceError.configuration` with every mistake.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    throw .configuration(
      message: failure?.message ?? "the definition of \(name) has mistakes",
      hint: failure?.hint ?? "correct the definition")
  }
}
