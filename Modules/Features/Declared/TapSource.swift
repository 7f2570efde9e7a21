public import Models
public import Ports
import Synchronization

/// A source in another process: a program that prints messages of the Singer protocol, a tap.
///
/// A pull is one run of the program. Its pages are runs of its records, each with the state that the program printed
/// last: a state covers records that came before it, so it is committed with them or after them.
/// https://github.com/singer-io/getting-started/blob/master/docs/SPEC.md
public struct TapSource: Source {
  public let descriptor: SourceDescriptor

  let definition: SourceDefinition
  let coder: any RecordCoder
  let follows: [CompiledFollow]
  let merged: Set<CollectionName>
  public let abilities = SourceAbilities()
  private let programs: (any ProgramRunner)?
  private let events: (any EventSink)?

  struct CompiledFollow: Sendable {
    let definition: SourceDefinition.FollowDefinition
    let streams: [Stream]
  }

  struct Stream: Sendable {
    let name: String
    let reader: any AnswerReader
  }

  /// A source.
  ///
  /// - Parameters:
  ///   - definition: what describes it; it has a command.
  ///   - compiler: makes what reads records.
  ///   - coder: reads messages.
  ///   - programs: starts the program; `nil` where the answers are recorded.
  ///   - events: gets what the program prints on standard error.
  public init(
    _ definition: SourceDefinition, compiler: any AnswerReaderCompiler, coder: any RecordCoder,
    programs: (any ProgramRunner)? = nil, events: (any EventSink)? = nil
  ) {
    self.definition = definition
    descriptor = definition.descriptor
    self.coder = coder
    self.programs = programs
    self.events = events
    merged = definition.mergedCollections
    follows = definition.follows.map { follow in
      CompiledFollow(
        definition: follow,
        streams: follow.request.selections.map { selection in
          let request = SourceDefinition.Request(follow.request.address, selections: [selection])
          return Stream(name: selection.stream ?? "", reader: LazyReader { compiler.reader(of: request) })
        })
    }
  }

  /// The definition's text: with another one, states are of no use.
  public var fingerprint: String? { definition.fingerprint }

  public func areas(of follow: Follow) -> [RecordArea]? {
    (try? compiled(check(follow)))?.definition.request.selections.compactMap { $0.collection.map { RecordArea($0) } }
  }

  /// Checks what the descriptor says; gives the definition's `every` where the follow has none.
  public func canonical(_ follow: CheckedFollow) throws(FollowError) -> CheckedFollow {
    let compiled = try compiled(follow)
    var follow = follow
    follow.follow.every = follow.follow.every ?? compiled.definition.every
    return follow
  }

  fileprivate func compiled(_ follow: CheckedFollow) throws(FollowError) -> CompiledFollow {
    guard let compiled = follows.first(where: { $0.definition.form == follow.match.form }) else {
      throw FollowError(
        follow: follow.follow.path, message: "the path does not match", allowed: "expected another path")
    }
    return compiled
  }

  /// Starts the program, and ends it after its first page.
  public func pull(_ follow: CheckedFollow, _ context: PullContext) async throws(SourceError) -> PullPage {
    let pull = open(follow)
    let page: PullPage
    do throws(SourceError) { page = try await pull.page(context) } catch {
      await pull.end()
      throw error
    }
    await pull.end()
    return page
  }

  /// Begins a pull, which is one run of the program.
  public func open(_ follow: CheckedFollow) -> any SourcePull { TapPull(source: self, follow: follow) }

  fileprivate func start(
    _ compiled: CompiledFollow, _ sourceState: TapState, _ context: PullContext
  ) throws(SourceError) -> TapRun {
    let name = definition.command.first ?? ""
    guard let programs else {
      throw .transport(
        TransportError(
          .recordingMissing, "a recording has no output of the program '\(name)', which was not started", requests: 0))
    }
    let isComplete: Bool
    switch compiled.definition.request.complete {
    case nil: isComplete = false
    case .always?: isComplete = true
    case .every(let interval)?:
      isComplete = sourceState.completedAt.map { context.now < $0 || context.now - $0 >= interval.seconds } ?? true
    }
    var words = definition.command
    var file: [UInt8]?
    if !isComplete, let state = sourceState.state {
      words.append("--state")
      file = Array(coder.encode(state))
    }
    let secrets = TapSecrets(words, programs, coder)
    let program: any RunningProgram
    do throws(Failure) { program = try programs.start(words, file: file) } catch {
      throw .configuration(message: error.message, hint: error.hint ?? "change \"command\" of \(descriptor.name)")
    }
    return TapRun(
      program, name: name, timeout: .seconds(definition.timeout?.seconds ?? 600),
      streams: compiled.streams.map(\.name), records: context.cursor?["records"]?.count ?? 0,
      // Where a pull goes on in another process, the records before are not listed.
      isComplete: isComplete && context.cursor == nil, coder: coder, secrets: secrets
    ) { [events, source = descriptor.name] line in events?.report(.program(source: source.rawValue, line: line)) }
  }

  fileprivate func page(
    of part: TapRun.Part, _ compiled: CompiledFollow, _ run: TapRun, _ filled: FilledFields
  ) throws(SourceError) -> PullPage {
    var page = PullPage(url: definition.command.first ?? "")
    // A program may print a record again when it changes.
    page.repeatsRecords = true
    page.countsRejects = true
    var inventory: [RecordName] = []
    var isKnown = true
    for (index, body) in part.bodies.enumerated() where !body.isEmpty {
      let parsed = try compiled.streams[index].reader.parsed([0x5B] + body + [0x5D], [:], url: page.url)
      filled.note(parsed.value.records)
      page.rejects.append(contentsOf: parsed.rejects)
      isKnown = isKnown && !parsed.value.hasUnknownID
      for record in parsed.value.records {
        guard let id = record.id else { continue }
        let rule: PulledChange.Rule =
          record.isGone ? .remove : merged.contains(id.collection) ? .merge : .replace
        page.changes.append(PulledChange(collection: id.collection, id: id.text, fields: record.fields, rule))
        if !record.isGone { inventory.append(.init(id.collection, id.text)) }
      }
      inventory += parsed.value.rejectedIDs.map { .init($0.collection, $0.text) }
    }
    let doubts: [ListDoubt] = (run.isComplete ? [] : [.part]) + (isKnown ? [] : [.unreadableID])
    page.coverage = .page(ListPage(inventory, doubts: doubts))
    return page
  }
}

/// A run of the program, and what its pages have in common.
private final class TapPull: SourcePull {
  private let source: TapSource
  private let follow: CheckedFollow
  private let filled = FilledFields()
  private let run = Mutex<TapRun?>(nil)

  init(source: TapSource, follow: CheckedFollow) {
    self.source = source
    self.follow = follow
  }

  /// Starts the program, or goes on reading what it prints.
  func page(_ context: PullContext) async throws(SourceError) -> PullPage {
    let compiled: TapSource.CompiledFollow
    do throws(FollowError) { compiled = try source.compiled(follow) } catch { throw .follow(error) }
    var sourceState = TapState(fields: context.sourceState)
    let run: TapRun
    if context.cursor != nil, let known = self.run.withLock({ $0 }) {
      run = known
    } else {
      run = try source.start(compiled, sourceState, context)
      self.run.withLock { $0 = run }
    }
    let part = try await run.next()
    if part.end != nil { await run.end() }
    var page = try source.page(of: part, compiled, run, filled)
    if run.isComplete, compiled.definition.request.complete == .always {
      sourceState.state = nil
    } else {
      sourceState.state = part.state ?? sourceState.state
    }
    if let end = part.end {
      page.notes.append("the program ended after \(part.records.counted("record"))" + end)
      page.notes += filled.notes(of: source.definition)
    } else {
      page.next = ["records": .int(part.records)]
    }
    if sourceState != TapState(fields: context.sourceState) { page.sourceState = sourceState.fields }
    if part.end != nil, run.isComplete {
      sourceState.completedAt = context.now
      page.judgedSourceState = sourceState.fields
    }
    page.progress = .init(done: part.records)
    return page
  }

  func end() async { await run.withLock { $0 }?.end() }
}

/// What a source remembers of a follow whose records a program prints.
private struct TapState: Hashable {
  /// The state that the program printed last.
  var state: JSONObject?
  /// When the last complete run began.
  var completedAt: Timestamp?

  init(fields: JSONObject) {
    state = fields["state"]?.object
    completedAt = fields["completedAt"]?.timestamp
  }

  var fields: JSONObject {
    ["state": .of(state.map { .object($0) }), "completedAt": .of(completedAt?.description)]
  }
}

/// The secrets that a program may repeat on standard error: values of its config file and of its variables whose names
/// say so.
struct TapSecrets: Sendable {
  private var values: [String] = []

  private static let words = ["key", "token", "secret", "password", "passwd", "credential", "cookie"]
  /// Words of names that only look like those of secrets: `replication_key`, `next_page_token_path`.
  private static let others = [
    "primary", "replication", "index", "sort", "column", "field", "path", "url", "method", "type",
  ]

  init(_ words: [String], _ programs: any ProgramRunner, _ coder: any RecordCoder) {
    for (index, word) in words.enumerated() {
      let path =
        word.hasPrefix("--config=")
        ? String(word.dropFirst("--config=".count))
        : (word == "--config" || word == "-c") && index + 1 < words.count ? words[index + 1] : nil
      guard let path, let bytes = programs.contents(of: path), let config = try? coder.decode(bytes) else { continue }
      collect(.object(config), isSecret: false)
    }
    for variable in programs.variables where Self.isSecret(variable.name) { add(variable.value) }
    values.sort { $0.utf8.count > $1.utf8.count }
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return words.contains { name.contains($0) } && !others.contains { name.contains($0) }
  }

  private mutating func collect(_ value: JSONValue, isSecret: Bool) {
    switch value {
    case .object(let object):
      for member in object.members { collect(member.value, isSecret: isSecret || Self.isSecret(member.key)) }
    case .array(let array): for element in array { collect(element, isSecret: isSecret) }
    case .string(let text): if isSecret { add(text) }
    case .number(let digits): if isSecret { add(digits) }
    case .bool, .null: break
    }
  }

  private mutating func add(_ text: String) { if text.utf8.count >= 4 { values.append(text) } }

  func masked(_ text: String) -> String { values.reduce(text) { $0.replacing($1, with: "REDACTED") } }
}
