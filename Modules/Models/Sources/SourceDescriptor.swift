/// Describes a source. The programs derive help, completion, tables, the checks of the config file and the API
/// description from it, so that a source is registered in one place.
public struct SourceDescriptor: Sendable {
  public var name: SourceName
  /// The data of the source, in a few words for help texts: `charts of the App Store`.
  public var summary: String
  /// The forms of its follows; the first one that matches a path is used.
  public var forms: [FollowForm]
  /// A hint for writing a path: `an NSID looks like 12345678@N00`.
  public var pathNote: String?
  public var options: [FollowOption]
  public var collections: [CollectionDescriptor]
  /// The base URL of a public API, without a trailing `/`; `nil` if each user has to configure a server.
  public var defaultURL: String?
  /// Whether a program has the records, so that there is no server.
  public var isProgram: Bool
  /// The API key; `nil` if the API needs none.
  public var key: Key?
  public var budget: RateBudget?
  /// The names of query parameters and header fields with secrets, in lower case, in addition to those that are
  /// redacted for every source.
  public var secretNames: [String]
  /// Whether each follow names an account, whose URL, user and password are settings.
  public var hasAccounts = false
  /// Whether each pull tells which of the edits that were accepted since the last one the remote still has.
  public var confirmsEdits = false
  /// Whether its definition has mistakes, so that nobody knows which paths, limits and options it takes: any are accepted.
  public var isUnreadable = false

  /// What the user chooses in `servers.NAME.with`.
  public var settings: [SourceDefinition.Setting]

  public init(
    name: SourceName, summary: String, forms: [FollowForm], pathNote: String? = nil, options: [FollowOption] = [],
    collections: [CollectionDescriptor], defaultURL: String? = nil, isProgram: Bool = false, key: Key? = nil,
    budget: RateBudget? = nil, secretNames: [String] = [], settings: [SourceDefinition.Setting] = []
  ) {
    (self.name, self.summary, self.forms, self.pathNote) = (name, summary, forms, pathNote)
    (self.options, self.collections, self.defaultURL, self.isProgram) = (options, collections, defaultURL, isProgram)
    (self.key, self.budget, self.secretNames, self.settings) = (key, budget, secretNames, settings)
  }

  /// The name of the server that a follow asks: that of the source, and of the account where there are several.
  public func server(of follow: Follow) -> String {
    hasAccounts ? "\(name)/\(follow.parameters.first ?? "")" : name.rawValue
  }

  /// The collections that the source may write to: its own, and those with data that belongs to their records.
  public var writtenCollections: [CollectionName] {
    collections.flatMap { [$0.name] + ($0.companion.map { [$0] } ?? []) }
  }

  public struct Key: Hashable, Sendable {
    /// The environment variable with the key, used if the config file names no other place.
    public var variable: String
    /// Instructions to obtain a key: `a key comes from https://www.flickr.com/services/apps/create/`.
    public var help: String
    /// Whether the API also answers without a key.
    public var isOptional: Bool
    /// The parts of a key that has several, as they are joined: `ID:SECRET`; `nil` for one part.
    public var form: String?

    public init(variable: String, help: String, isOptional: Bool = false, form: String? = nil) {
      (self.form, self.variable, self.help, self.isOptional) = (form, variable, help, isOptional)
    }
  }
}

/// The number of calls that an API allows in a rolling window.
public struct RateBudget: Hashable, Sendable {
  /// Identifies the counter, such as `flickr-` and the hash of a key: calls under the same name share the budget. It must not
  /// contain a secret; empty in the description of a source.
  public var name: String
  public var calls: Int
  public var window: Interval
  public var spacingMilliseconds: Int

  public init(name: String = "", calls: Int, window: Interval, spacingMilliseconds: Int = 0) {
    (self.name, self.calls, self.window, self.spacingMilliseconds) = (name, calls, window, spacingMilliseconds)
  }

  public func named(_ name: String) -> RateBudget {
    var budget = self
    budget.name = name
    return budget
  }
}

/// What the path of a follow says by the descriptor of its source.
public struct FollowMatch: Hashable, Sendable {
  public var form: FollowForm
  /// The parameters of the path, in the order of the form, as written.
  public var parameters: [String]
  /// The limit of the follow or the default of the form; `nil` if a limit is not supported.
  public var limit: Int?
}

/// A follow that its source accepts, in its canonical form, and what its path says. `Source.check` makes it.
public struct CheckedFollow: Hashable, Sendable {
  public var follow: Follow
  public var match: FollowMatch

  package init(_ follow: Follow, _ match: FollowMatch) { (self.follow, self.match) = (follow, match) }
}

extension SourceDescriptor {
  /// Checks a follow's path, limit and options; sources do more in `Source.check`.
  ///
  /// - Throws: `FollowError` with the invalid member and the allowed values.
  public func match(_ follow: Follow) throws(FollowError) -> FollowMatch {
    let match = try form(of: follow)
    guard !isUnreadable else { return match }
    try checkLimit(follow, match.form)
    for member in follow.options.members { try check(member, of: follow) }
    return match
  }

  private func form(of follow: Follow) throws(FollowError) -> FollowMatch {
    for form in forms {
      guard let parameters = form.parameters(of: follow.path) else { continue }
      return FollowMatch(form: form, parameters: parameters, limit: follow.limit ?? form.limit?.standard)
    }
    let texts = forms.map(\.text)
    let kinds = forms.compactMap { form in form.prefix.split(separator: "/").dropFirst().first.map(String.init) }
    let nearest = follow.parameters.first.flatMap { NearestName.of($0, among: kinds) }
    let suggestion = nearest.flatMap { $0.exact == follow.parameters.first?.exact ? nil : "; did you mean '\($0)'?" }
    throw FollowError(
      follow: follow.path, message: "the path does not match" + (suggestion ?? ""),
      allowed: "expected \(Self.list(texts, "or"))" + (pathNote.map { "; \($0)" } ?? ""))
  }

  private func checkLimit(_ follow: Follow, _ form: FollowForm) throws(FollowError) {
    guard let limit = follow.limit else { return }
    guard let range = form.limit else {
      throw FollowError(
        follow: follow.path, member: "limit", message: "\(form.text) takes no limit", allowed: "leave the limit out")
    }
    guard (1...range.largest).contains(limit) else {
      throw FollowError(
        follow: follow.path, member: "limit", message: "the limit \(limit) is out of range",
        allowed: "a limit of 1 to \(range.largest); \(range.standard) by default")
    }
  }

  private func check(_ member: JSONObject.Member, of follow: Follow) throws(FollowError) {
    guard let option = options.first(where: { $0.name.exact == member.key.exact }) else {
      let nearest = NearestName.question(member.key, among: options.map(\.name))
      throw FollowError(
        follow: follow.path, member: member.key, message: "unknown option '\(member.key)'",
        allowed: nearest + optionList)
    }
    guard option.accepts(member.value) else {
      let shown = member.value.string.map { "'\($0)'" } ?? member.value.kind
      throw FollowError(
        follow: follow.path, member: option.name, message: "the option \(option.name) cannot be \(shown)",
        allowed: "expected \(option.expected)")
    }
  }

  /// A sentence that lists the options: `app-store takes the options genre and feed`.
  public var optionList: String {
    let names = options.map(\.name)
    return names.isEmpty
      ? "\(name) takes no options" : "\(name) takes the option\(names.count == 1 ? "" : "s") \(Self.list(names, "and"))"
  }

  private static func list(_ words: [String], _ last: String) -> String {
    guard words.count > 1, let end = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
  }
}
