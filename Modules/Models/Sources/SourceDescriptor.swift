/// What a source says about itself. The programs derive help, completion, tables, the checks of the config file and the
/// description of the API from it; a source needs no entry elsewhere.
///
/// It is plain data, but for the record types of its collections.
public struct SourceDescriptor: Sendable {
  /// The first part of its follows' paths.
  public var name: SourceName
  /// What it reads, in a few words for help texts: `charts of the App Store`.
  public var summary: String
  /// The forms of its follows; the first one that matches a path counts.
  public var forms: [FollowForm]
  /// What a reader has to know to write a path: `an NSID looks like 12345678@N00`.
  public var pathNote: String?
  /// The options of its follows.
  public var options: [FollowOption]
  /// The collections that it fills, in the order in which they are listed.
  public var collections: [CollectionDescriptor]
  /// Where the API is for everybody, without a trailing `/`; `nil` where each user names a server.
  public var defaultURL: String?
  /// The key that the API asks for.
  public var key: Key?
  /// How many calls the API allows.
  public var budget: Budget?
  /// The names of query parameters and header fields that hold secrets, in lower case, beside those that are redacted
  /// for every source.
  public var secretNames: [String]

  /// Makes a descriptor.
  public init(
    name: SourceName, summary: String, forms: [FollowForm], pathNote: String? = nil, options: [FollowOption] = [],
    collections: [CollectionDescriptor], defaultURL: String? = nil, key: Key? = nil, budget: Budget? = nil,
    secretNames: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.forms = forms
    self.pathNote = pathNote
    self.options = options
    self.collections = collections
    self.defaultURL = defaultURL
    self.key = key
    self.budget = budget
    self.secretNames = secretNames
  }

  /// A key that an API asks for.
  public struct Key: Hashable, Sendable {
    /// The environment variable that holds it where the config file names none.
    public var variable: String
    /// How to get one: `a key comes from https://www.flickr.com/services/apps/create/`.
    public var help: String

    /// Makes a key's description.
    public init(variable: String, help: String) {
      self.variable = variable
      self.help = help
    }
  }

  /// How many calls an API allows in a rolling window.
  public struct Budget: Hashable, Sendable {
    /// Calls in any window.
    public var calls: Int
    /// The window's length.
    public var window: Interval
    /// Milliseconds between two calls.
    public var spacingMilliseconds: Int

    /// Makes a budget.
    public init(calls: Int, window: Interval, spacingMilliseconds: Int = 0) {
      self.calls = calls
      self.window = window
      self.spacingMilliseconds = spacingMilliseconds
    }
  }
}

/// A follow as its source's descriptor understands it.
public struct FollowMatch: Hashable, Sendable {
  /// The form of its path.
  public var form: FollowForm
  /// The parameters of the path, in the order of the form, as they are written.
  public var parameters: [String]
  /// The follow's limit, or the form's own; `nil` where a limit has no meaning.
  public var limit: Int?
}

extension SourceDescriptor {
  /// Checks a follow's path, limit and options.
  ///
  /// - Throws: `FollowError`, which names the member at fault and says what is allowed.
  public func match(_ follow: Follow) throws(FollowError) -> FollowMatch {
    let match = try form(of: follow)
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
        allowed: "a limit of 1 to \(range.largest); \(range.standard) where none is given")
    }
  }

  private func check(_ member: JSONObject.Member, of follow: Follow) throws(FollowError) {
    guard let option = options.first(where: { $0.name.exact == member.key.exact }) else {
      let nearest = NearestName.of(member.key, among: options.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
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

  /// The options there are, in a sentence: `app-store takes the options genre and feed`.
  public var optionList: String {
    let names = options.map(\.name)
    return names.isEmpty
      ? "\(name) takes no options" : "\(name) takes the option\(names.count == 1 ? "" : "s") \(Self.list(names, "and"))"
  }

  /// `a, b or c`
  private static func list(_ words: [String], _ last: String) -> String {
    guard words.count > 1, let end = words.last else { return words.first ?? "" }
    return "\(words.dropLast().joined(separator: ", ")) \(last) \(end)"
  }
}
