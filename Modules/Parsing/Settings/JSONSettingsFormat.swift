public import Models
public import Ports

/// Checks a follow with its source and gives it in its usual spelling.
public typealias FollowCheck = @Sendable (Follow) throws(FollowError) -> Follow

/// The sources that a config file may name. What a source says about itself is asked for only if the file needs it: it may
/// be in a file that has not been read yet.
public struct KnownSources: Sendable {
  public let names: [SourceName]
  private let find: @Sendable (SourceName) -> SourceDescriptor?

  /// Makes the sources of a program that runs.
  public init(names: [SourceName], descriptor: @escaping @Sendable (SourceName) -> SourceDescriptor?) {
    self.names = names
    find = descriptor
  }

  /// Sources that are known already.
  public init(_ descriptors: [SourceDescriptor]) {
    self.init(names: descriptors.map(\.name)) { name in descriptors.first { $0.name == name } }
  }

  var descriptors: [SourceDescriptor] { names.compactMap(find) }

  /// What a source says about itself; `nil` if there is no such source.
  public subscript(name: SourceName) -> SourceDescriptor? { find(name) }
}

/// Looks at a file that the settings name: the name of the setting and the path, as they are written. What is wrong with
/// it; `nil` where it can be used.
public typealias FileCheck = @Sendable (_ setting: String, _ path: String) -> String?

/// The config file, `config.json`: strict JSON (RFC 8259), read with every mistake named, and edited as text.
public struct JSONSettingsFormat: SettingsFormat {
  private let sources: KnownSources?
  private let check: FollowCheck?
  private let fileCheck: FileCheck?

  /// Makes the format.
  ///
  /// - Parameters:
  ///   - sources: the sources that exist, to report servers, follows and options of others as mistakes; where absent,
  ///     every source is accepted, with follows that have no options.
  ///   - check: checks a follow with its source; what the source does not accept is reported with its place in the
  ///     file. Follows with the same path in its usual spelling are the same.
  ///   - fileCheck: looks at the certificates that servers name; one that cannot be used is an `unusableFile`.
  public init(sources: KnownSources? = nil, check: FollowCheck? = nil, fileCheck: FileCheck? = nil) {
    self.sources = sources
    self.check = check
    self.fileCheck = fileCheck
  }

  /// Reads the settings; a file with nothing in it holds empty ones. O(bytes), and O(bytes) more per mistake.
  ///
  /// - Throws: `SettingsProblems` with every mistake in the order of the file; one alone where it is no JSON.
  public func read(_ bytes: [UInt8]) throws(SettingsProblems) -> Settings {
    if Self.isBlank(bytes) { return Settings() }
    return try Self.inspect(bytes) { (root) throws(SettingsProblems) in try settings(root) }
  }

  /// The text with one follow more, after the others and laid out as they are; one with the same path is replaced in
  /// its place. Only members that the follow has are written. All other bytes stay.
  ///
  /// - Throws: `SettingsProblems` if the text is no JSON, or with the mistakes of the list or of the entry with this path; one
  ///   is a misspelled `follows`.
  public func adding(_ follows: [Follow], to bytes: [UInt8]) throws(SettingsProblems) -> [UInt8] {
    let bytes = Self.orEmptyObject(bytes)
    return try Self.inspect(bytes) { (root) throws(SettingsProblems) in
      let (settings, reader) = reading(root)
      let known = Set(settings.follows)
      var edits: [SettingsEdit] = []
      var new: [Follow] = []
      for follow in follows {
        let index = reader.places[follow.$path]
        let place = index.map { "follows[\($0)]" } ?? "follows"
        let mistakes = reader.problems.filter {
          $0.path.isEmpty || $0.path == place || index != nil && $0.path.hasPrefix("\(place).")
        }
        if !mistakes.isEmpty { throw SettingsProblems(mistakes) }
        if let index {
          guard !known.contains(follow), let entry = root["follows"]?[index] else { continue }
          edits.append(.replacing(entry, with: follow))
        } else {
          new.append(follow)
        }
      }
      if !new.isEmpty { try Self.checkSpelling("follows", in: root, reader.problems) }
      if let edit = SettingsEdit.inserting(new, root: root) { edits.append(edit) }
      edits.sort { $0.range.lowerBound > $1.range.lowerBound }
      return edits.reduce(bytes) { $1.applied(to: $0) }
    }
  }

  /// The text without the follow of that path, also if it is there twice, all other bytes as they were; `nil` if there is none.
  ///
  /// - Throws: `SettingsProblems` if the text is no JSON.
  public func removing(path: String, from bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]? {
    guard !Self.isBlank(bytes) else { return nil }
    let rest = try Self.inspect(bytes) { (root) throws(SettingsProblems) -> [UInt8]? in
      guard let index = reading(root).reader.places[path.exact], let list = root["follows"], let entry = list[index]
      else { return nil }
      return SettingsEdit.removing(entry, from: list).applied(to: bytes)
    }
    guard let rest else { return nil }
    return try removing(path: path, from: rest) ?? rest
  }

  /// The text with one value changed, all other bytes as they were; `nil` where there is nothing to remove.
  ///
  /// - Throws: `SettingsProblems` as `read` where the text is no JSON; the mistakes that the change would make; one without
  ///   a line where the place is not the path of a value. Mistakes that are there already do not count.
  public func setting(_ place: String, to value: JSONValue?, in bytes: [UInt8]) throws(SettingsProblems) -> [UInt8]? {
    let wrong = SettingsProblems([
      SettingsProblem(
        line: 1, column: 1, path: place, message: "is not the place of a value, such as servers.people.url")
    ])
    guard let steps = SettingsEdit.steps(place) else { throw wrong }
    let bytes = Self.orEmptyObject(bytes)
    let edit = try Self.inspect(bytes) { (root) throws(SettingsProblems) in
      if value != nil { try Self.checkSpelling(place, in: root, reading(root).reader.problems) }
      return SettingsEdit.setting(steps, to: value, root: root)
    }
    guard let edit else {
      if value == nil { return nil }
      throw wrong
    }
    let changed = edit.applied(to: bytes)
    var known = problems(of: bytes).map(Self.words)
    let new = problems(of: changed).filter { problem in
      guard let index = known.firstIndex(of: Self.words(problem)) else { return true }
      known.remove(at: index)
      return false
    }
    if !new.isEmpty { throw SettingsProblems(new) }
    return changed
  }

  /// Checks that no misspelled key means what would be added: there would be two of it then.
  private static func checkSpelling(
    _ place: String, in root: JSONNode, _ problems: [SettingsProblem]
  ) throws(SettingsProblems) {
    let meant = problems.filter { problem in
      guard let meant = problem.meant, "\(place).".hasPrefix("\(meant).") || place.hasPrefix("\(meant)[") else {
        return false
      }
      return SettingsEdit.steps(meant).map { SettingsEdit.node(at: $0, of: root) == nil } ?? false
    }
    if !meant.isEmpty { throw SettingsProblems(meant) }
  }

  private func problems(of bytes: [UInt8]) -> [SettingsProblem] {
    do throws(SettingsProblems) { _ = try read(bytes) } catch {
      return error.problems.filter { $0.severity == .mistake }
    }
    return []
  }

  /// A mistake without its place in the text and in lists: another change moves it.
  private static func words(_ problem: SettingsProblem) -> ExactString {
    "\(problem.path) \(problem.message)".filter { !("0"..."9").contains($0) }.exact
  }

  public func position(of place: String, in bytes: [UInt8]) -> TextPlace? {
    guard let steps = SettingsEdit.steps(place), !Self.isBlank(bytes) else { return nil }
    return try? Self.inspect(bytes) { (root) throws(SettingsProblems) -> TextPlace? in
      SettingsEdit.node(at: steps, of: root)?.place
    }
  }

  private func settings(_ root: JSONNode) throws(SettingsProblems) -> Settings {
    let (settings, reader) = reading(root)
    guard reader.problems.isEmpty else {
      throw SettingsProblems(reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }, readable: settings)
    }
    return settings
  }

  /// The settings without what has a mistake, and the mistakes.
  private func reading(_ root: JSONNode) -> (settings: Settings, reader: SettingsReader) {
    var reader = SettingsReader(sources: sources, check: check, fileCheck: fileCheck)
    let settings = reader.read(root)
    return (settings, reader)
  }

  /// Hands the root to `body`, whose error passes through a closure that may only throw another.
  private static func inspect<Output>(
    _ bytes: [UInt8], _ body: (JSONNode) throws(SettingsProblems) -> Output
  ) throws(SettingsProblems) -> Output {
    let result: Result<Output, SettingsProblems>
    do {
      result = try JSONDocument.read(bytes) { (root) throws(ParsingError) in
        do throws(SettingsProblems) { return .success(try body(root)) } catch { return .failure(error) }
      }
    } catch {
      throw SettingsProblems([noObject(bytes) ?? SettingsProblem(error)])
    }
    return try result.get()
  }

  /// Why a text is no JSON at all: it does not begin as an object. What JSON expects in the middle of its first word says
  /// nothing about YAML or TOML.
  private static func noObject(_ bytes: [UInt8]) -> SettingsProblem? {
    let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard let first = text.firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      (0x61...0x7A).contains(text[first] | 0x20) || text[first] == 0x23 || text[first] == 0x2D
    else { return nil }
    let before = text[..<first]
    let column = first - (before.lastIndex(of: 0x0A) ?? text.startIndex - 1)
    return SettingsProblem(
      line: before.count { $0 == 0x0A } + 1, column: column, path: "",
      message: #"expected an object in JSON, such as {"follows": []}"#)
  }

  /// The text, or that of an empty object where there is none.
  private static func orEmptyObject(_ bytes: [UInt8]) -> [UInt8] { isBlank(bytes) ? Array("{}\n".utf8) : bytes }

  /// Whether there is nothing but white space, after the mark that some editors begin with.
  private static func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).allSatisfy {
      $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D
    }
  }
}
