import Frontend
import Hummingbird
import Models
import Ports

/// Gives a source what it needs, as `almanac source add`, `config set` and `account add` do: its definition, its key, its
/// settings, and accounts. Keys and passwords are tried first, kept in files beside the config file, and shown nowhere.
struct SourceSetup: Sendable {
  private let definitions: any SourceService
  private let settings: any SettingsStore
  private let keys: KeyFolder
  private let editor: FollowEditor

  init(
    definitions: any SourceService, settings: any SettingsStore, keys: KeyFolder, editor: FollowEditor
  ) {
    (self.definitions, self.settings, self.keys, self.editor) = (definitions, settings, keys, editor)
  }

  /// A source that is installed, or that the gallery has.
  func source(_ name: String) -> SourceDescriptor? {
    editor.sources.first { $0.name.rawValue.exact == name.exact }
      ?? editor.gallery.first { $0.name.rawValue.exact == name.exact }?.descriptor
  }

  /// Installs a source of the gallery before something of it is followed.
  ///
  /// - Throws: `Problem` where it has no key and needs one; `Failure` where the definition cannot be written.
  func prepare(_ name: SourceName, _ services: DaemonServices) async throws {
    guard let source = source(name.rawValue) else { return }
    if Self.needsKey(source, services) {
      throw Problem(
        .unprocessableContent, "\(name) needs a key first", hint: "give it on the page /add/\(name.rawValue)",
        code: "missing-key")
    }
    try await install(name)
  }

  /// Whether nothing can be followed before a key is known.
  static func needsKey(_ source: SourceDescriptor, _ services: DaemonServices) -> Bool {
    source.key.map { !$0.isOptional } ?? false && !services.keyed.contains(source.name)
  }

  private func install(_ name: SourceName) async throws(Failure) {
    guard !editor.sources.contains(where: { $0.name == name }) else { return }
    try editor.checkConfig()
    _ = try definitions.add(name.rawValue)
    await editor.changedSettings()
  }

  /// Adds the definition of a file. One that runs a program or reads files of this machine is refused, because access to the
  /// page must not become access to the machine.
  ///
  /// - Throws: `Problem` about the file; `Failure` where the config is gone.
  func add(definition bytes: [UInt8], _ coder: any RecordCoder) async throws -> SourceName {
    let text = String(decoding: bytes, as: UTF8.self)
    let fields: JSONObject
    do throws(ParsingError) { fields = try coder.decode(bytes) } catch {
      throw Problem(.unprocessableContent, "the file is not a definition: \(error)").about("definition")
    }
    let checked = definitions.check(text, as: SourceName(rawValue: fields["source"]?.string ?? ""))
    guard let definition = checked.definition else {
      throw (checked.failure.map { Problem($0) } ?? Problem(.unprocessableContent, "the definition has mistakes"))
        .about("definition")
    }
    guard definition.command.isEmpty, definition.folder == nil else {
      throw Problem(
        .unprocessableContent, "the source \(definition.name) runs a program or reads files of this machine",
        hint: "\(command: "source", "add", "FILE") adds it in a terminal of this machine"
      ).about("definition")
    }
    guard !definitions.isInGallery(definition.name) || editor.sources.contains(where: { $0.name == definition.name })
    else {
      throw Problem(
        .unprocessableContent, "almanac has a source \(definition.name) of its own, which this one would replace",
        hint: "add that one from the list, or write another name into the file: \"source\": \"my-\(definition.name)\""
      ).about("definition")
    }
    try editor.checkConfig()
    do throws(Failure) { _ = try definitions.install(text, as: definition.name) } catch {
      throw Problem(error).about("definition")
    }
    await editor.changedSettings()
    return definition.name
  }

  /// Tries the key and the settings of a form, and keeps them.
  ///
  /// - Returns: whether the server was asked, and takes the key.
  /// - Throws: `Problem` about the field that is wrong; `Failure` where the config cannot be written.
  func keep(_ form: SentForm, of source: SourceDescriptor, _ live: LiveServices) async throws -> Bool {
    let name = source.name
    let key = form["key"]?.trimmed ?? ""
    var server = live.current.settings.servers[name] ?? Settings.Server()
    var changes: [SettingChange] = []
    if let url = form["url"]?.trimmed, !url.isEmpty {
      guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
        throw Problem(.unprocessableContent, "The address begins with https://", field: "url")
      }
      server.url = url
      changes.append(.set("servers.\(name).url", .string(url)))
    }
    for setting in source.settings {
      guard let text = form["with.\(setting.name)"]?.trimmed, !text.isEmpty else { continue }
      server.with[setting.name.exact] = text
      changes.append(.set("servers.\(name).with.\(setting.name)", .string(text)))
    }
    guard !key.isEmpty || !changes.isEmpty else {
      guard source.key == nil else { throw Problem(.unprocessableContent, "Type or paste the key", field: "key") }
      throw Problem(.unprocessableContent, "Type the address of the server", field: "url")
    }
    try await install(name)
    var isProved = false
    if !key.isEmpty {
      do throws(Failure) { isProved = try await live.current.proveKey(name, key, server) } catch {
        guard error.reason == .denied else { throw Problem(error).about(changes.isEmpty ? "key" : "url") }
        throw Problem(
          .unprocessableContent, "The server refuses this key. Nothing was saved.", hint: error.hint, field: "key")
      }
      changes.append(.set("servers.\(name).apiKey", try keys.keep(key, as: KeyFolder.name(of: name))))
    }
    try await write(changes)
    return isProved
  }

  /// Tries an account, and keeps it.
  ///
  /// - Throws: `Problem` about the field that is wrong; `Failure` where the config cannot be written.
  func add(_ form: SentForm, to source: SourceDescriptor, _ services: DaemonServices) async throws -> String {
    func text(_ field: String, _ what: String) throws(Problem) -> String {
      guard let text = form[field]?.trimmed, !text.isEmpty else {
        throw Problem(.unprocessableContent, "The account needs \(what)", field: field)
      }
      return text
    }
    let (url, user) = (try text("url", "an address"), try text("user", "a user name"))
    let (password, name) = (try text("password", "a password"), try text("name", "a name"))
    guard Settings.Account.isName(name) else {
      throw Problem(.unprocessableContent, "The name has letters, digits, - and _ only", field: "name")
    }
    guard services.accounts[source.name]?.contains(where: { $0.name.exact == name.exact }) != true else {
      throw Problem(.unprocessableContent, "There is an account of this name already", field: "name")
    }
    let account = SourceAccount(name: name, url: url, user: user, password: .given(password, from: "the form"))
    do throws(Failure) { _ = try await services.offers(account, source.name) } catch {
      guard error.reason == .denied else { throw Problem(error).about("url") }
      throw Problem(
        .unprocessableContent, "The server refuses the user name or the password",
        hint: "a server with two-factor authentication needs an app password, which its settings create",
        field: "password")
    }
    let file = try keys.keep(password, as: KeyFolder.name(of: source.name, account: name), kind: "password")
    let fields: JSONObject = ["url": .string(url), "user": .string(user), "password": file]
    try await write([.set("servers.\(source.name).accounts.\(name)", .object(fields))])
    return name
  }

  private func write(_ changes: [SettingChange]) async throws(Failure) {
    try editor.checkConfig()
    for change in changes { _ = try settings.change(change, of: settings.load()) }
    await editor.changedSettings()
  }
}

extension API {
  /// The forms that give a source what it needs. Only who may do everything may send them.
  var setupForms: [Route] {
    [
      Route(.post, "/do/setup/{source}", .owner, content: .form) { [parts] call in
        let source = try Self.settable(call, parts)
        do {
          let isProved = try await parts.setup.keep(call.form, of: source, parts.live)
          let outcome = isProved ? "The server takes the key." : "It is saved; the first sync tries it."
          return Self.back(to: "/add/\(source.name)", saying: "\(outcome) Choose what to follow.", call, parts)
        } catch { return try Self.refusedSetup(error, source, call, parts) }
      },
      Route(.post, "/do/definition", .owner, content: .fileForm) { [parts] call in
        do {
          guard let bytes = call.form.file("definition") else {
            throw Problem(.unprocessableContent, "choose a file that is not empty").about("definition")
          }
          let name = try await parts.setup.add(definition: bytes, call.services.coder)
          let text = "The source \(Shown.heading(name.rawValue)) is added. Choose what to follow."
          return Self.back(to: "/add/\(name)", saying: text, call, parts)
        } catch {
          let refused = try RefusedForm(call, error)
          return refused.response(AddPage(call, parts, refused).page, at: "/add", call, parts)
        }
      },
      Route(.post, "/do/account/{source}", .owner, content: .form) { [parts] call in
        let source = try Self.settable(call, parts)
        do {
          let name = try await parts.setup.add(call.form, to: source, call.services)
          return Self.back(
            to: "/add/\(source.name)/\(percentEncoded(name))",
            saying: "The account \(name) is added. Tick what to follow.",
            call, parts)
        } catch { return try Self.refusedSetup(error, source, call, parts) }
      },
      Route(.post, "/do/books", .page, content: .form) { [parts] call in
        let paths = call.form.all("follow")
        guard !paths.isEmpty else {
          throw Problem(.unprocessableContent, "Nothing is ticked", hint: "tick what is to be followed")
        }
        try await parts.editor.change(paths.map { FollowChange($0) })
        let places = paths.count == 1 ? Shown.place("follows", paths[0]) : "/follows"
        return Self.back(
          to: places,
          saying:
            "\(paths.count == 1 ? Self.title(paths[0], call) : "\(paths.count) follows") \(paths.count == 1 ? "is" : "are") followed now.",
          outcome: paths.count == 1 ? Outcome.address(ofFollow: paths[0]) : nil, call, parts)
      },
    ]
  }

  static func settable(_ call: APIRequest, _ parts: Parts) throws(Problem) -> SourceDescriptor {
    guard let source = parts.setup.source(call.part("source")) else {
      throw Problem(.notFound, "there is no source '\(call.part("source"))'")
    }
    return source
  }

  /// The page of the source with the form that was refused; what is secret in it is not there again.
  private static func refusedSetup(
    _ error: any Error, _ source: SourceDescriptor, _ call: APIRequest, _ parts: Parts
  ) throws -> Response {
    let refused = try RefusedForm(call, error)
    let shown = RefusedForm(values: refused.values.without("key").without("password"), problem: refused.problem)
    return shown.response(AddPage(call, parts, shown).page(of: source), at: "/add/\(source.name)", call, parts)
  }
}
