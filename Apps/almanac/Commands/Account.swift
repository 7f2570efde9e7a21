import ArgumentParser
import CLibrary
import Models
import Ports

struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Add, show and remove accounts at servers of address books and calendars.",
    subcommands: [Add.self, ListAccounts.self, ShowAccount.self, Password.self, RemoveAccount.self])

  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add an account, and list what can be followed there.",
      discussion: """
        The source is carddav for address books, whose people are followed, or caldav for calendars, into which \
        \(help: "birthdays --to") writes. The address can be that of the server, or the one that the server shows for CardDAV or \
        CalDAV; the address books or calendars are found from there. The user and the password are tried at once, and an account that the server refuses is not added. The \
        password is sent only to the scheme, host and port of the address.

        Without one of the options for it, the password is asked for in a terminal, and what is typed is not shown; \
        elsewhere it is the first line of standard input. It is then kept in a file that only you can read, in the folder \
        keys beside the config file.
        """)

    @Argument(help: "The source: carddav or caldav.", completion: Completions.accountSources) var source: String
    @Argument(help: "The address of the server.") var url: String
    @Option(help: "The name in paths of follows: letters, digits, - and _.") var name = "home"
    @Option(help: "The user name.") var user: String?
    @Option(help: ArgumentHelp("The environment variable with the password.", valueName: "variable"))
    var passwordEnv: String?
    @Option(help: ArgumentHelp("The file whose first line is the password.", valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(
      help: ArgumentHelp(
        "The command whose first line of output is the password, words separated by spaces.", valueName: "command"))
    var passwordCommand: String?
    @Option(
      help: ArgumentHelp(
        "The file with the certificates of authorities that are trusted for the server of the account.",
        valueName: "file"), completion: .file())
    var caFile: String?
    @Option(
      help: ArgumentHelp(
        "How to log in: basic, also with a digest where the server asks for it; digest, which never sends the password; "
          + "or bearer, where the password is a token.",
        valueName: "way"),
      completion: .list(Settings.Account.Login.allCases.map(\.rawValue)))
    var login = Settings.Account.Login.basic.rawValue
    @OptionGroup(title: "Common options") var global: GlobalOptions

    /// The config file is made.
    var needsConfig: Bool { false }

    func validate() throws {
      let places = [passwordEnv, passwordFile, passwordCommand].compactMap(\.self)
      try require(places.count <= 1, "--password-env, --password-file and --password-command exclude each other")
      guard let login = Settings.Account.Login(rawValue: login) else {
        throw ValidationError("--login is basic, digest or bearer")
      }
      try require(places.isEmpty || user != nil || login == .bearer, "a password needs --user")
      try require(Settings.Account.isName(name), "the name of an account consists of ASCII letters, digits, - and _")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let source = SourceName(rawValue: source)
      let way = Settings.Account.Login(rawValue: login) ?? .basic
      let place = "servers.\(source).accounts.\(name)"
      let settings = try services.settings.strict()
      guard services.sources.first(where: { $0.name == source })?.hasAccounts == true else {
        throw .usage("\(source) has no accounts", hint: "write carddav or caldav")
      }
      guard settings.servers[source]?.accounts.contains(where: { $0.name == name }) != true else {
        throw .usage(
          "there is an account '\(name)' of \(source) already",
          hint: "give another --name, or remove it: \(command: "account", "remove", name)", code: .accountExists)
      }
      let caFile = caFile.map(Self.absolute)
      let (password, typed) = try self.password(at: "\(place).password", services)
      let account = SourceAccount(name: name, url: url, user: user, password: password, login: way)
      let offers = try await self.offers(of: account, at: source, caFile, services)
      services.terminal.status([])
      let known = source == .calDAV ? [] : settings.servers[source]?.accounts ?? []
      if let same = known.first(where: { $0.url == url && $0.user == user }) {
        services.terminal.complain(
          "warning: the account \(same.name) has the same address and user; the people of an address book that is followed "
            + "through both are in the store twice. To rename it: \(command: "account", "remove", same.name)")
      }
      var fields: JSONObject = ["url": .string(url), "user": .of(user)]
      if let typed {
        fields["password"] = try TypedKey(account: name, of: source, services).keepInFile(typed)
      } else {
        fields.append("password", self.place?.setting)
      }
      fields.append("login", way == .basic ? nil : login)
      fields.append("caFile", caFile)
      try services.change(.set(place, .object(fields)))
      let next: Advice =
        source == .calDAV
        ? "\(command: "birthdays", "--to", "PATH") writes the birthdays into a calendar:"
        : "\(command: "follow", "PATH") follows an address book:"
      services.terminal.note(offers.isEmpty ? "the account \(name) is added" : "the account \(name) is added; \(next)")
      if offers.isEmpty || services.terminal.format != .table || !services.terminal.isQuiet {
        offers.print(source, name, services.terminal)
      }
      return .done
    }

    /// What the account offers. A refusal is not about the config file, which has no such account yet.
    private func offers(
      of account: SourceAccount, at source: SourceName, _ caFile: String?, _ services: CompositionRoot
    ) async throws(Failure) -> [AccountOffer] {
      var failure: Failure
      do throws(Failure) { return try await services.offers(of: account, at: source, caFile: caFile) } catch {
        failure = error
      }
      switch failure.reason {
      case .cancelled: break
      case .denied:
        failure.hint =
          user == nil
          ? "the account was not added; give the user name with --user"
          : "the account was not added; check the user name and the password; a server with two-factor authentication "
            + "needs an app password, which its settings create"
      case .config:
        failure.hint = "the account was not added; write the address as https://HOST or https://HOST:PORT/PATH"
      default:
        let service = source == .calDAV ? "CalDAV" : "CardDAV"
        let isOtherServer = [.missing, .unsupported].contains(failure.status?.meaning)
        let reason: Advice? =
          isOtherServer
          ? "the server does not offer \(service) at this address; give the one that it shows for \(service)" : nil
        failure.hint = ["the account was not added", reason ?? failure.hint].compactMap(\.self).joined(separator: "; ")
      }
      throw failure
    }

    /// Where the password is, and the setting that says so; `nil` where it is typed, or there is no user.
    private var place: (secret: Settings.Secret, setting: JSONValue)? {
      if let passwordEnv { return (.environment(passwordEnv), ["env": .string(passwordEnv)]) }
      if let path = passwordFile.map(Self.absolute) { return (.file(path), ["file": .string(path)]) }
      return (passwordCommand?.split(separator: " ").map(String.init)).map { (.command($0), ["command": .texts($0)]) }
    }

    /// The path from the root, where the working folder of a later command does not matter; `~/` is kept.
    private static func absolute(_ path: String) -> String {
      if path.hasPrefix("/") || path == "~" || path.hasPrefix("~/") { return path }
      guard let folder = getcwd(nil, 0) else { return path }
      defer { free(folder) }
      return "\(String(cString: folder))/\(path)"
    }

    private func password(
      at place: String, _ services: CompositionRoot
    ) throws(Failure) -> (SourceKey, typed: String?) {
      if let secret = self.place?.secret {
        do throws(Failure) {
          return (.given(try services.settingsFile.value(of: secret, at: place), from: place), nil)
        } catch {
          // The setting does not exist yet.
          throw error.advising(
            "the account was not added; correct it, or give another place of the password: --password-env, "
              + "--password-file or --password-command")
        }
      }
      guard user != nil || login == Settings.Account.Login.bearer.rawValue else { return (.absent, nil) }
      let text = try AccountCommand.typed(user, services)
      return (.given(text, from: "the input"), text)
    }
  }

  private static func typed(_ user: String?, _ services: CompositionRoot) throws(Failure) -> String {
    let question = user.map { "password of \($0): " } ?? "token: "
    guard let text = services.terminal.askHidden(question), !text.isEmpty else {
      throw .usage("there is no password", hint: "nothing was changed", code: .noValue)
    }
    return text
  }

  struct Password: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "password", abstract: "Give an account another password.",
      discussion: """
        It is asked for in a terminal; elsewhere it is the first line of standard input. The server is asked whether it takes \
        the password; if not, nothing changes. It is kept where the old one was: in the keyring, in a file or in the config \
        file. A password in an environment variable, or of a command, is changed there.
        """)

    @Argument(help: "The name of the account.", completion: Completions.accounts) var name: String
    @Option(help: "The source of the account.", completion: Completions.accountSources) var source: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let settings = try services.settings.strict()
      let source = try AccountCommand.source(source, of: name, services)
      guard let known = settings.servers[source]?.accounts.first(where: { $0.$name == name.exact }) else {
        throw AccountCommand.notFound(name, of: source, among: settings)
      }
      let place = "servers.\(source).accounts.\(name).password"
      switch known.password {
      case .environment(let variable): throw Self.isElsewhere("in the environment variable \(variable)", place)
      case .command(let words) where !words.starts(with: ["secret-tool", "lookup"]):
        throw Self.isElsewhere("printed by '\(words.joined(separator: " "))'", place)
      default: break
      }
      let text = try AccountCommand.typed(known.user, services)
      let account = SourceAccount(
        name: "\(name)-new", url: known.url, user: known.user, password: .given(text, from: "the input"),
        login: known.login)
      do throws(Failure) { _ = try await services.offers(of: account, at: source, caFile: known.caFile) } catch {
        throw error.reason == .denied ? error.advising("the account keeps its old password") : error
      }
      services.terminal.status([])
      let key = TypedKey(account: name, of: source, services)
      let kept = KeptKey.all(services)
      switch known.password {
      case .literal: try services.change(.set(place, .string(text)))
      case .file(let path) where !kept.contains(where: { $0.source == key.file }): try key.write(text, to: path)
      default: try services.change(.set(place, try key.keep(text, inKeyring: false, old: kept)))
      }
      return services.answer.done(
        ["account": .string(name), "outcome": "changed"],
        note: "\(source) takes the password of \(name), which is kept where the old one was")
    }

    private static func isElsewhere(_ where: String, _ place: String) -> Failure {
      .usage("the password is \(`where`)", hint: "change it there, or name another place: \(place)", code: .notWritable)
    }
  }

  struct ListAccounts: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the accounts in the config file, without their passwords.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let servers = try services.settings.strict().servers.sorted { $0.key < $1.key }
      let accounts = servers.flatMap { source, server in
        server.accounts.map { account -> JSONObject in
          [
            "source": .of(source.rawValue), "name": .of(account.name), "url": .of(account.url),
            "user": .of(account.user),
          ]
        }
      }
      return services.answer.list(
        accounts, columns: ["source", "name", "url", "user"],
        empty: "there are no accounts; \(command: "account", "add", "carddav", "URL") adds one")
    }
  }

  struct ShowAccount: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Ask the server of an account what can be followed there.")

    @Argument(help: "The name of the account.", completion: Completions.accounts) var name: String
    @Option(help: "The source of the account.", completion: Completions.accountSources) var source: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let settings = try services.settings.strict()
      let source = try AccountCommand.source(source, of: name, services)
      guard let account = services.settingsFile.accounts(in: settings)[source]?.first(where: { $0.name == name }) else {
        throw AccountCommand.notFound(name, of: source, among: settings)
      }
      let offers = try await services.offers(of: account, at: source, caFile: nil)
      services.terminal.status([])
      offers.print(source, name, services.terminal)
      return .done
    }
  }
}

extension AccountCommand {
  struct RemoveAccount: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove an account, and stop following its address books and calendars.",
      discussion: """
        The people of its address books stay in the store, and nothing changes at the server. Edits that wait cannot be \
        sent any more: \(help: "outbox") lists them, and \(help: "outbox discard") gives them up. After the same account is added \
        again, also under another name, and its address book is followed, the people are the same, and edits and removals of \
        them are sent; new people are sent only under the same name. A password that 'account add' kept in a file is removed.
        """)

    @Argument(help: "The name of the account.", completion: Completions.accounts) var name: String
    @Option(help: "The source of the account.", completion: Completions.accountSources) var source: String?
    @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      let settings = try services.settings.partial()
      let source = try AccountCommand.source(source, of: name, services)
      let place = "servers.\(source).accounts"
      // One with a mistake can be removed, too.
      guard Settings.Account.isName(name), ConfigText.stored("\(place).\(name)", services) != nil else {
        throw AccountCommand.notFound(name, of: source, among: settings)
      }
      let isOfAccount: (Follow) -> Bool = { $0.path.hasPrefix("\(source)/\(name)/") }
      let follows = settings.follows.filter(isOfAccount).map(\.path)
      // Other machines may have the account.
      let stored = try services.completed(settings).storeFollows ?? []
      let shared = stored.filter(isOfAccount).map(\.path)
      let what = follows.isEmpty ? "" : " and stop following \(Printable.list(follows))"
      guard try terminal.confirms(Printable.text("remove the account \(name) of \(source)\(what)?"), unless: yes) else {
        return .mixed
      }
      let kept = KeptKey.all(services)
      for follow in follows { _ = try await services.follows().unfollow(follow) }
      try ConfigText.remove("\(place).\(name)", services)
      let waiting = try edits(of: follows, at: source, services)
      let answer: JSONObject = [
        "account": .string(name), "outcome": "removed", "unfollowed": .texts(follows),
        "edits": .int(waiting),
      ]
      terminal.answer.done(
        answer,
        note:
          "the account \(name) of \(source) is removed; \(follows.isEmpty ? "nothing of it was followed" : "the people of \(Printable.list(follows)) stay in the store")"
      )
      for path in shared {
        terminal.note(
          "the store still follows \(path), which fails on this machine; \(command: "unfollow", path) ends it for all")
      }
      if waiting > 0 {
        let edits = waiting.counted("edit of its people waits", "edits of its people wait")
        terminal.complain(
          "warning: \(edits) and cannot be sent; \(command: "outbox") lists them, \(command: "outbox", "discard", "NAME") gives one up, "
            + "and they are sent after \(command: "account", "add", "\(source)", "URL", "--name", name) and \(command: "follow")"
        )
      }
      KeptKey.removeUnused(kept, services)
      ConfigText.complainOfMistakes(services)
      return .done
    }

    /// The number of pending edits of people whose card is in one of the address books.
    private func edits(of follows: [String], at source: SourceName, _ services: CompositionRoot) throws(Failure) -> Int
    {
      guard !follows.isEmpty, services.missingStore == nil else { return 0 }
      return try services.outbox().entries().count { entry in
        guard entry.targetCollection == .people, entry.source == source else { return false }
        // A removal has the fields of the person.
        let origin = ((try? services.fields(.people, entry.targetID)) ?? entry.base)["origin"]?.string ?? ""
        return follows.contains { $0.exact == origin.exact }
      }
    }
  }
}

extension AccountCommand {
  /// The source of an account: the given one, or the only one that has an account of the name.
  ///
  /// - Throws: `Failure` `usage` where an address book's and a calendar's account have it.
  static func source(_ given: String?, of name: String, _ services: CompositionRoot) throws(Failure) -> SourceName {
    if let given { return SourceName(rawValue: given) }
    let named = sources.filter {
      Settings.Account.isName(name) && ConfigText.stored("servers.\($0).accounts.\(name)", services) != nil
    }
    guard named.count < 2 else {
      throw .usage(
        "carddav and caldav have an account '\(name)'",
        hint: "say which one: --source carddav or --source caldav", code: .required)
    }
    return named.first ?? .cardDAV
  }

  /// The sources that have accounts of this command.
  static let sources: [SourceName] = [.cardDAV, .calDAV]

  static func notFound(_ name: String, of source: SourceName, among settings: Settings) -> Failure {
    let names = settings.servers[source]?.accounts.map(\.name) ?? []
    let nearest = NearestName.question(name, among: names)
    return Failure(
      .config, .notFound, "there is no account '\(name)' of \(source)",
      hint: "\(nearest)\(command: "account", "list") lists the accounts", code: .own(.noAccount))
  }
}

extension [AccountOffer] {
  fileprivate func print(_ source: SourceName, _ name: String, _ terminal: Terminal) {
    let rows = map { offer -> JSONObject in
      ["follow": .string(offer.path), "title": .of(offer.title), "readOnly": .of(offer.isReadOnly)]
    }
    terminal.answer.list(
      rows, columns: ["follow", "title", "readOnly"],
      empty: source == .calDAV
        ? "the account has no calendar: make one with the server's page or an app for calendars, "
          + "and \(command: "account", "show", name, "--source", "caldav") lists it"
        : "the account has no address book: make one with the server's page or an app for contacts, "
          + "and \(command: "account", "show", name) lists it")
  }
}
