import ArgumentParser
import Models
import Ports

/// `almanac account …`
struct AccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Add and show accounts at servers of address books.",
    subcommands: [Add.self, ListAccounts.self, ShowAccount.self])

  /// `almanac account add SOURCE URL`
  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add an account, and list what can be followed there.",
      discussion: """
        The address can be that of the server, or the one that the server shows for CardDAV; the address books are found \
        from there. The user and the password are tried at once, and an account that the server refuses is not added. The \
        password is sent only to the scheme, host and port of the address.

        Without one of the options for it, the password is asked for in a terminal, and what is typed is not shown; \
        elsewhere it is the first line of standard input. It is then kept in a file that only you can read, in the folder \
        keys beside the config file.
        """)

    @Argument(help: "The source: carddav.") var source: String
    @Argument(help: "The address of the server.") var url: String
    @Option(help: "The name in paths of follows: letters, digits, - and _.") var name = "home"
    @Option(help: "The user name.") var user: String?
    @Option(help: ArgumentHelp("The environment variable with the password.", valueName: "variable"))
    var passwordEnv: String?
    @Option(
      help: ArgumentHelp("The file whose first line is the password.", valueName: "file"), completion: .file())
    var passwordFile: String?
    @Option(
      help: ArgumentHelp(
        "The command whose first line of output is the password, words separated by spaces.", valueName: "command"))
    var passwordCommand: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      let places = [passwordEnv, passwordFile, passwordCommand].compactMap(\.self)
      guard places.count <= 1 else {
        throw ValidationError("--password-env, --password-file and --password-command exclude each other")
      }
      guard places.isEmpty || user != nil else { throw ValidationError("a password needs --user") }
      guard Settings.Account.isName(name) else {
        throw ValidationError("the name of an account consists of ASCII letters, digits, - and _")
      }
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let source = SourceName(rawValue: source)
      let place = "servers.\(source).accounts.\(name)"
      let settings = try services.loadSettings()
      guard services.sources.first(where: { $0.name == source })?.hasAccounts == true else {
        throw Failure(.config, .usage, "\(source) has no accounts", hint: "write carddav")
      }
      guard settings.servers[source]?.accounts.contains(where: { $0.name == name }) != true else {
        throw Failure(
          .config, .usage, "there is an account '\(name)' of \(source) already",
          hint: "give another --name, or remove it: almanac config unset \(place)", code: "account-exists")
      }
      let (password, typed) = try self.password(at: "\(place).password", services)
      let account = SourceAccount(name: name, url: url, user: user, password: password)
      let offers = try await services.offers(of: account, at: source)
      services.terminal.status([])
      var fields: JSONObject = ["url": .string(url)]
      fields.append("user", user)
      if let typed {
        fields["password"] = try TypedKey(account: name, of: source, services).keepInFile(typed)
      } else {
        fields.append("password", setting)
      }
      _ = try Failure.from { () throws(SettingsFailure) in try services.settings.set(place, to: .object(fields)) }
      services.terminal.note("the account \(name) is added; 'almanac follow PATH' follows an address book:")
      AccountOffers(terminal: services.terminal).print(offers)
      return .done
    }

    /// The setting that names the place of the password; `nil` where it is typed, or there is no user.
    private var setting: JSONValue? {
      if let passwordEnv { return .object(["env": .string(passwordEnv)]) }
      if let passwordFile { return .object(["file": .string(passwordFile)]) }
      guard let passwordCommand else { return nil }
      return .object(["command": .array(passwordCommand.split(separator: " ").map { .string(String($0)) })])
    }

    private func password(
      at place: String, _ services: any AlmanacServices
    ) throws(Failure) -> (SourceKey, typed: String?) {
      let secret: Settings.Secret? =
        if let passwordEnv {
          .environment(passwordEnv)
        } else if let passwordFile {
          .file(passwordFile)
        } else {
          passwordCommand.map { .command($0.split(separator: " ").map(String.init)) }
        }
      if let secret { return (.given(try services.settings.value(of: secret, at: place), from: place), nil) }
      guard let user else { return (.absent, nil) }
      guard let text = services.terminal.askHidden("password of \(user): "), !text.isEmpty else {
        throw Failure(.config, .usage, "there is no password", hint: "nothing was changed", code: "no-value")
      }
      return (.given(text, from: "the input"), text)
    }
  }

  /// `almanac account list`
  struct ListAccounts: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the accounts in the config file, without their passwords.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let servers = try services.loadSettings().servers.sorted { $0.key < $1.key }
      let accounts = servers.flatMap { source, server in
        server.accounts.map { account in
          var fields: JSONObject = [
            "source": .string(source.rawValue), "name": .string(account.name), "url": .string(account.url),
          ]
          fields.append("user", account.user)
          return fields
        }
      }
      Answer(terminal: services.terminal).list(
        accounts, columns: ["source", "name", "url", "user"].map { Answer.Column($0) },
        empty: "there are no accounts; 'almanac account add carddav URL' adds one")
      return .done
    }
  }

  /// `almanac account show NAME`
  struct ShowAccount: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Ask the server of an account what can be followed there.")

    @Argument(help: "The name of the account.") var name: String
    @Option(help: "The source of the account.") var source = "carddav"
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let source = SourceName(rawValue: source)
      let settings = try services.loadSettings()
      guard let account = services.settings.accounts(in: settings)[source]?.first(where: { $0.name == name }) else {
        throw Failure(
          .config, .notFound, "there is no account '\(name)' of \(source)",
          hint: "'almanac account list' lists the accounts", code: "no-account")
      }
      let offers = try await services.offers(of: account, at: source)
      services.terminal.status([])
      AccountOffers(terminal: services.terminal).print(offers)
      return .done
    }
  }
}

/// Prints what an account offers to follow.
private struct AccountOffers {
  let terminal: Terminal

  func print(_ offers: [AccountOffer]) {
    let rows = offers.map { offer in
      var fields: JSONObject = ["follow": .string(offer.path)]
      fields.append("title", offer.title)
      fields.append("readOnly", offer.isReadOnly)
      return fields
    }
    Answer(terminal: terminal).list(
      rows, columns: ["follow", "title", "readOnly"].map { Answer.Column($0) },
      empty: "the account has no address books")
  }
}
