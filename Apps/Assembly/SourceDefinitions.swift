import Declared
public import Models
import Networking
import Parsing
import Persistence
public import Ports
import Synchronization
import YAMLDocuments

/// The definitions of sources beside a config file.
public struct SourceDefinitions: SourceService {
  private let files: DefinitionFolder
  private let compiled: SourceList

  public init(beside config: String) {
    files = DefinitionFolder(beside: config)
    compiled = SourceList.compiled
  }

  var tokens: TokenFolder { TokenFolder(in: files, time: SystemTimeSource()) }

  public var folder: String { files.path }

  var names: [SourceName] { files.names() }

  public func paths() -> [String] { files.names().map(files.file) }

  /// The definitions in the folder. A name of a collection belongs to the first source that fills it.
  public func installed() -> [CheckedDefinition] { read(files.names()) }

  private func read(_ names: [SourceName]) -> [CheckedDefinition] {
    var taken = takenCollections
    return names.map { name in
      let checked = check(files.file(of: name), name, isNamed: true, taken)
      taken += checked.definition?.collections.map(\.name) ?? []
      return checked
    }
  }

  /// The definition of a followed source that has no file.
  func missing(_ name: SourceName) -> CheckedDefinition {
    let path = files.file(of: name)
    let problem = SettingsProblem(line: 1, column: 1, path: "", message: "there is no definition \(path)")
    let suggestion = CommandWording.missingDefinition(name, isInGallery: Gallery.bytes(of: name) != nil)
    var checked = CheckedDefinition(
      path: path, name: name, result: .failure(SettingsProblems([problem])), suggestion: suggestion)
    checked.isMissing = true
    return checked
  }

  public func check(_ text: String) throws(Failure) -> CheckedDefinition {
    let path = try path(of: text)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = SourceName(rawValue: file.hasSuffix(".json") ? String(file.dropLast(5)) : file)
    let bytes = try DefinitionFolder.bytes(of: path)
    let isInstalled = path.exact == files.file(of: name).exact
    // A file of another name may be what the installed one was copied from.
    let source = isInstalled ? nil : (try? JSONDefinitionFormat().read(bytes, named: nil))?.name
    return check(path, name, isNamed: isInstalled, taken(besides: source ?? name))
  }

  /// The file that is meant: the definition of that name, or a path.
  private func path(of text: String) throws(Failure) -> String {
    guard !text.contains("/"), !text.hasSuffix(".json") else { return text }
    let name = SourceName(rawValue: text)
    if files.names().contains(name) { return files.file(of: name) }
    do throws(Failure) { _ = try DefinitionFolder.bytes(of: text) } catch { throw noDefinition(name) }
    return text
  }

  func noDefinition(_ name: SourceName) -> Failure {
    let nearest = NearestName.question(name.rawValue, among: files.names().map(\.rawValue))
    return Failure(
      .config, .notFound, "there is no definition \(files.file(of: name))",
      hint: "\(nearest)\(command: "source", "list") names them", code: .own(.noDefinition))
  }

  public func renew(_ path: String) throws(Failure) -> [String] {
    let bytes = try DefinitionFolder.bytes(of: path)
    let renewed: (text: [UInt8], places: [String])
    do throws(ParsingError) { renewed = try JSONDefinitionFormat().renewed(bytes) } catch {
      throw Self.failure(error, in: path)
    }
    if !renewed.places.isEmpty { try files.replace(path, renewed.text) }
    return renewed.places
  }

  public func propose(
    _ name: SourceName, from answer: HTTPResponse, to url: String, _ auth: SourceDefinition.Authentication?
  ) throws(Failure) -> ProposedDefinition {
    guard answer.isSuccess else {
      var failure = SourceError.status(answer, url: url).failure
      if failure.reason == .denied {
        failure.hint = auth == nil ? CommandWording.proposalNeedsKey : CommandWording.proposalRefusedKey
      }
      throw failure
    }
    let format = proposalFormat
    return try Failure.from { () throws(ParsingError) in
      try format.proposal(for: answer, to: url, named: name, auth)
    }
  }

  /// A request with a key, to an API that has no definition yet.
  ///
  /// - Throws: `Failure` where the key would not be encrypted.
  public static func request(
    _ url: String, _ auth: SourceDefinition.Authentication, key: String
  ) throws(Failure) -> HTTPRequest {
    do throws(SourceError) { return try auth.request(url, key: key) } catch { throw error.failure }
  }

  public func propose(_ name: SourceName, fromFile path: String) throws(Failure) -> ProposedDefinition {
    let bytes = try DefinitionFolder.bytes(of: path)
    do throws(ParsingError) { return try proposalFormat.proposal(from: bytes, named: name) } catch {
      throw Self.failure(error, in: path)
    }
  }

  /// A document that is of no use, with its file.
  private static func failure(_ error: ParsingError, in file: String) -> Failure {
    var failure = error.failure
    failure.message = "\(file):\(error.line):\(error.column): expected \(error.expected), found \(error.found)"
    failure.path = file
    return failure
  }

  public func imported(
    _ path: String, as name: SourceName, streams: [String], defaults: [(name: String, value: String)]
  ) throws(Failure) -> ImportedDefinition {
    let bytes = try DefinitionFolder.bytes(of: path)
    let imported: ImportedDefinition
    do throws(ParsingError) {
      let manifest = try YAMLDocumentReader().read(bytes)
      imported = try format(taken()).imported(manifest, named: name, streams: streams, defaults: defaults)
    } catch { throw Self.failure(error, in: path) }
    guard let unknown = imported.unknown.first else { return imported }
    let names = imported.settings
    throw Failure(
      .config, .usage, "--set \(unknown): the manifest has no setting of that name",
      hint: names.isEmpty
        ? "it has none at all"
        : "\(NearestName.question(unknown, among: names))its settings are \(names.joined(separator: ", "))",
      code: .own(.usage))
  }

  public func installImported(_ text: String, as name: SourceName) throws(Failure) -> String {
    let file = try install(text, as: name)
    try files.trust(Self.importedOrigin, for: name)
    return file
  }

  /// In place of a server that has the key: nobody has said yet that the definition is right.
  private static let importedOrigin = "imported"

  private var proposalFormat: JSONDefinitionFormat {
    let names = compiled.secretNames
    return JSONDefinitionFormat(collections: taken()) { field in
      switch field {
      case .parameter(let name): names.isParameter(name)
      case .header(let name): names.isHeader(name)
      }
    }
  }

  public func install(_ text: String, as name: SourceName) throws(Failure) -> String {
    try checkIsFree(name)
    if let failure = check(text, as: name).failure { throw failure }
    try files.install(Array(text.utf8), as: name)
    return files.file(of: name)
  }

  public func check(_ text: String, as name: SourceName) -> CheckedDefinition {
    let format = format(taken(besides: name))
    let result = Result { () throws(SettingsProblems) in try format.read(Array(text.utf8), named: name) }
    return CheckedDefinition(path: "of \(name)", name: name, result: result)
  }

  private func checkIsFree(_ name: SourceName) throws(Failure) {
    let isInstalled = files.names().contains(name)
    guard isInstalled || compiled.descriptors.contains(where: { $0.name == name }) else { return }
    let isOther = isInstalled && (try? DefinitionFolder.bytes(of: files.file(of: name))) != Gallery.bytes(of: name)
    throw Failure(
      .config, .usage, "there is a source \(name) already",
      hint: isOther
        ? "choose another name, or put the definition aside that is there: \(command: "source", "remove", name.rawValue)"
        : "choose another name", code: .own(.taken))
  }

  public func isInGallery(_ name: SourceName) -> Bool { Gallery.bytes(of: name) != nil }

  public func gallery() -> [SourceDefinition] {
    Gallery.definitions.compactMap { try? JSONDefinitionFormat().read($0.bytes, named: $0.name) }
  }

  public func add(_ text: String) throws(Failure) -> CheckedDefinition {
    let isPath = text.contains("/") || text.hasSuffix(".json")
    let bytes: [UInt8]
    if let known = isPath ? nil : Gallery.bytes(of: SourceName(rawValue: text)) {
      bytes = known
    } else if isPath {
      bytes = try DefinitionFolder.bytes(of: text)
    } else {
      let names = Gallery.definitions.map(\.name.rawValue)
      let nearest = NearestName.question(text, among: names)
      throw Failure(
        .config, .notFound, "the gallery has no definition '\(text)'",
        hint:
          "\(nearest)\(command: "source", "list", "--gallery") lists them; a file is named by its path, './\(text).json'",
        code: .own(.noDefinition))
    }
    // Its own collections are taken if it is there already.
    if let name = (try? JSONDefinitionFormat().read(bytes, named: nil))?.name { try checkIsFree(name) }
    let definition: SourceDefinition
    do throws(SettingsProblems) {
      definition = try JSONDefinitionFormat(collections: taken()).read(bytes, named: nil)
    } catch {
      let name = SourceName(rawValue: text)
      throw CheckedDefinition(path: text, name: name, result: .failure(error)).failure
        ?? Failure(.config, .config, "the definition \(text) has mistakes")
    }
    let file = try install(String(decoding: bytes, as: UTF8.self), as: definition.name)
    return try check(file)
  }

  /// Removes a definition.
  ///
  /// - Returns: the file that was removed, and where it is kept; `nil` where the gallery has the same.
  public func remove(_ name: SourceName) throws(Failure) -> (file: String, kept: String?) {
    guard files.names().contains(name) else { throw noDefinition(name) }
    let isInGallery = (try? DefinitionFolder.bytes(of: files.file(of: name))) == Gallery.bytes(of: name)
    return (files.file(of: name), try files.remove(name, keepsFile: !isInGallery))
  }

  private func format(_ taken: [CollectionName]) -> JSONDefinitionFormat {
    JSONDefinitionFormat(sources: compiled.descriptors.map(\.name), collections: taken)
  }

  public var schema: String { JSONDefinitionFormat().schema }

  private var takenCollections: [CollectionName] { compiled.catalog.names + [.state] }

  /// The collections that a definition cannot fill: those of the program, and of the other definitions.
  private func taken(besides name: SourceName? = nil) -> [CollectionName] {
    takenCollections
      + read(files.names().filter { $0 != name }).compactMap(\.definition).flatMap { $0.collections.map(\.name) }
  }

  private func check(
    _ path: String, _ name: SourceName, isNamed: Bool, _ taken: [CollectionName]
  ) -> CheckedDefinition {
    let format = format(taken)
    let result: Result<SourceDefinition, SettingsProblems>
    do throws(Failure) {
      let bytes = try DefinitionFolder.bytes(of: path)
      result = Result { () throws(SettingsProblems) in try format.read(bytes, named: isNamed ? name : nil) }
    } catch {
      result = .failure(SettingsProblems([SettingsProblem(line: 1, column: 1, path: "", message: error.message)]))
    }
    return CheckedDefinition(
      path: path, name: name, result: result, suggestion: isNamed ? CommandWording.checkDefinitions : nil)
  }
}

// MARK: Keys

extension SourceDefinitions {
  /// The keys, without those of sources whose definition asks another server than the one that got the key first: a file
  /// that was replaced cannot send a key elsewhere. A server that the settings name is the user's own choice.
  ///
  /// - Parameter remembers: whether the servers that get a key for the first time are remembered.
  func trusted(
    _ keys: [SourceName: SourceKey], of sources: SourceList, servers: [SourceName: Settings.Server], remembers: Bool
  ) -> [SourceName: SourceKey] {
    var keys = keys
    for written in sources.definitions.compactMap(\.definition) where !written.auths.isEmpty {
      let name = written.name
      // Without its settings, nothing is asked.
      guard let definition = try? written.bound(by: servers[name]), case .given? = keys[name] else { continue }
      let origin = Self.origin(of: definition, servers[name])
      let isChosen = servers[name]?.url != nil
      func others(_ origins: String) -> [ExactString] {
        origins.split(separator: " ").dropFirst().map { String($0).exact }
      }
      if isChosen, others(origin).isEmpty { continue }
      switch files.trustedOrigin(of: name) {
      case nil: if remembers { try? files.trust(origin, for: name) }
      case let known? where isChosen ? others(known) != others(origin) : known.exact != origin.exact:
        keys[name] = .missing(
          Failure(
            .config, .denied,
            known == Self.importedOrigin
              ? "the definition was imported, and asks \(origin)"
              : "the key was given for \(known), and the definition asks \(origin) now",
            hint: "if that is right: almanac source trust \(name)", code: .own(.otherServer), path: files.file(of: name)
          ))
      default: break
      }
    }
    return keys
  }

  /// Lets the server of a definition have the source's key.
  ///
  /// - Parameter server: what the config file says of it: another address, or settings that are a part of it.
  public func trust(_ name: SourceName, _ server: Settings.Server?) throws(Failure) -> String {
    guard let checked = installed().first(where: { $0.name == name }) else { throw noDefinition(name) }
    if let failure = checked.failure { throw failure }
    let definition: SourceDefinition?
    do throws(SourceDefinition.SettingProblem) { definition = try checked.definition?.bound(by: server) } catch {
      throw Failure(
        .config, .config, error.message,
        hint: "\(command: "config", "set", "servers.\(name).with.\(error.name)", "…")", code: .own(.missingSetting))
    }
    let origin = definition.map { Self.origin(of: $0, server) } ?? ""
    try files.trust(origin, for: name)
    return origin
  }

  /// The servers that see the key: the API, and what gives tokens. The API's own is the one of the settings, if they name one.
  private static func origin(of definition: SourceDefinition, _ server: Settings.Server?) -> String {
    func origin(_ url: String) -> String {
      let end = url.utf8.indices.filter { url.utf8[$0] == 0x2F }.dropFirst(2).first ?? url.endIndex
      return url[..<end].lowercased()
    }
    let own = origin(definition.url)
    let login = (definition.auth?.login?.address.description).map { $0.contains("://") ? $0 : "" } ?? ""
    let oauth = definition.auth?.oauth2
    let others = [oauth?.token, login, oauth?.authorize, oauth?.device].map { origin($0 ?? "") }
    let chosen = server?.url.map(origin)
    var known = [chosen ?? own]
    for (index, other) in others.enumerated() where !other.isEmpty {
      if let chosen, other.exact == own.exact || other.exact == chosen.exact { continue }
      // The page and the address for codes are usually on the server that gives tokens.
      if index < 2 || !known.contains(where: { $0.exact == other.exact }) { known.append(other) }
    }
    return known.joined(separator: " ")
  }
}

/// The sources of a program that runs, with the definitions that were read last. They are read when they are needed: a
/// command that asks only for compiled sources does not wait for them. All of them are read at once, because a name of a
/// collection belongs to the first definition that has it.
final class LoadedSources: Sendable {
  private struct Loaded {
    let list: SourceList
    let wrong: [CheckedDefinition]

    init(_ definitions: [CheckedDefinition], wrong: [CheckedDefinition]) {
      (list, self.wrong) = (SourceList(definitions: definitions), wrong)
    }
  }

  let definitions: SourceDefinitions
  private let state = Mutex<Loaded?>(nil)

  init(_ definitions: SourceDefinitions) { self.definitions = definitions }

  var current: SourceList { loaded.list }
  /// The definitions that had mistakes when they were read last.
  var mistakes: [CheckedDefinition] { loaded.wrong }

  /// The sources for the config file. The names of definitions are those of their files.
  var known: KnownSources {
    let compiled = SourceList.compiled.descriptors
    let names = state.withLock { $0?.list.descriptors.map(\.name) } ?? compiled.map(\.name) + definitions.names
    return KnownSources(names: names) { [self] name in
      compiled.first { $0.name == name }
        ?? (names.contains(name) ? current.descriptors.first { $0.name == name } : missing(name))
    }
  }

  /// A source that is followed and has no definition: its follows fail, and nothing else. A name that is near that of a
  /// compiled source is mistyped.
  private func missing(_ name: SourceName) -> SourceDescriptor? {
    let compiled = SourceList.compiled.descriptors.map(\.name.rawValue)
    let text = name.rawValue
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }),
      NearestName.of(text, among: compiled) == nil
    else { return nil }
    var found = loaded
    if !found.list.descriptors.contains(where: { $0.name == name }) {
      let checked = definitions.missing(name)
      found = Loaded(found.list.definitions + [checked], wrong: found.wrong + [checked])
      state.withLock { [found] in $0 = found }
    }
    return found.list.descriptors.first { $0.name == name }
  }

  @Sendable
  func check(_ follow: Follow) throws(FollowError) -> Follow {
    let isCompiled = SourceList.compiled.descriptors.contains { $0.name == follow.source }
    return try (isCompiled ? SourceList.compiled : current).check(follow)
  }

  private var loaded: Loaded {
    state.withLock { state in
      if let state { return state }
      let read = definitions.installed()
      let loaded = Loaded(read, wrong: read.filter { $0.failure != nil })
      state = loaded
      return loaded
    }
  }

  /// Reads the definitions again; one with mistakes leaves the one before. Those that are missing are known again once the
  /// follows are read.
  func reload() {
    let known = current.definitions
    let read = definitions.installed()
    let kept = read.map { checked in
      checked.definition == nil ? known.first { $0.name == checked.name && $0.definition != nil } ?? checked : checked
    }
    let loaded = Loaded(kept, wrong: read.filter { $0.failure != nil })
    state.withLock { $0 = loaded }
  }
}
