public import Models
public import Ports

/// What is needed to find the collections and records that a person or an assistant names.
public protocol StoreServices {
  var catalog: CollectionCatalog { get }
  var sources: [SourceDescriptor] { get }
  /// The definitions with mistakes, whose collections are not known.
  var definitionFailures: [Failure] { get }
  var coder: any RecordCoder { get }

  func library() throws(Failure) -> any LibraryService

  /// Asks which of several records a name means, each described in a line.
  ///
  /// - Returns: the index of the chosen one; `nil` where nobody is asked, or none was chosen.
  func choose(_ question: String, among choices: [String]) -> Int?
}

extension StoreServices {
  public func choose(_ question: String, among choices: [String]) -> Int? { nil }
}

/// What assistants use of a store: made anew for each message, with the settings of then.
public struct AssistantServices: StoreServices, Sendable {
  /// The collections without those that are hidden.
  public let catalog: CollectionCatalog
  public let sources: [SourceDescriptor]
  public let definitionFailures: [Failure]
  public let coder: any RecordCoder
  let view: AssistantView
  let status: @Sendable () throws(Failure) -> SyncStatus
  let checkChangeable: @Sendable () throws(Failure) -> Void
  let rules: Settings.Assistants
  let wording: Wording
  let time: any TimeSource
  let log: AssistantLog?

  /// - Parameters:
  ///   - catalog: all collections.
  ///   - view: the store without what the rules hide.
  ///   - status: gives the state of what is followed.
  ///   - checkChangeable: throws if the store cannot be changed.
  /// - Throws: `Failure`, `config`, if the rules hide something that is not there: a mistyped name would hide nothing.
  public init(
    catalog: CollectionCatalog, sources: [SourceDescriptor], definitionFailures: [Failure], coder: any RecordCoder,
    rules: Settings.Assistants, wording: Wording, time: any TimeSource, log: AssistantLog?, view: AssistantView,
    status: @escaping @Sendable () throws(Failure) -> SyncStatus,
    checkChangeable: @escaping @Sendable () throws(Failure) -> Void
  ) throws(Failure) {
    for name in rules.hide {
      let known = name.contains("/") ? sources.map(\.name.rawValue) : catalog.names.map(\.rawValue)
      if known.contains(where: { $0.exact == name.firstPart.exact }) { continue }
      throw Failure(
        .config, .config, "mcp.hide names '\(name)', which is neither a collection nor a path of a known source",
        hint: "assistants are refused until the setting is corrected or removed",
        code: .own(.noCollection))
    }
    self.catalog = catalog.removing(view.hidden.hides)
    (self.sources, self.definitionFailures, self.coder, self.rules) = (sources, definitionFailures, coder, rules)
    (self.wording, self.time, self.log, self.view) = (wording, time, log, view)
    (self.status, self.checkChangeable) = (status, checkChangeable)
  }

  public func library() -> any LibraryService { view.library }

  /// Refuses what needs a collection that is hidden.
  func check(_ collection: CollectionName) throws(Failure) {
    guard view.hidden.hides(collection) else { return }
    throw Failure(.config, .usage, "the collection '\(collection)' is hidden", code: .own(.noCollection))
  }

  func check(follow: String) throws(Failure) {
    guard view.hidden.hides(follow: follow) else { return }
    throw Failure(.config, .usage, "'\(follow)' is hidden", code: .own(.notFound))
  }
}
