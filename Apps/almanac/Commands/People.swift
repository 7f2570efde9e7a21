import ArgumentParser
import Models
import Ports

/// `almanac people …`
struct PeopleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "people", abstract: "Keep people and their birthdays.",
    subcommands: [Add.self, ImportCards.self, Edit.self, Remove.self, Send.self, Fetch.self])

  static let columns: [Answer.Column] = CollectionColumns.table(.people)

  /// `almanac people add`
  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a person here; 'people send' sends it to the server.")

    @Option(help: "The given name.") var first = ""
    @Option(help: "The family name.") var last = ""
    @Option(parsing: .unconditional, help: "YYYY-MM-DD, or --MM-DD where the year is not known.")
    var birthday: String
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let person = try await services.people().add(
        firstName: first, lastName: last, birthday: BirthdayArgument.parse(birthday))
      Answer(terminal: services.terminal).one(person.fields)
      return .done
    }
  }

  /// `almanac people import FILE.vcf…`
  struct ImportCards: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Add everybody of vCard files, and nobody twice.",
      discussion: "Reads vCard 2.1, 3.0 and 4.0. A card without a usable birthday is skipped and named.")

    @Argument(help: "vCard files; - is standard input.") var files: [String]
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let people = try services.people()
      var added = 0, known = 0
      var skipped: [JSONValue] = []
      var contents: [(String, [UInt8])] = []
      for file in files { contents.append((file, try InputFile(path: file).read())) }
      for (file, bytes) in contents {
        let result = try await people.importContacts(bytes, file: file)
        added += result.added.count
        known += result.known
        for card in result.skipped {
          let name = Printable.text(card.name ?? "a card without a name")
          services.terminal.note("\(file), line \(card.line): skipped \(name): \(Printable.text(card.reason))")
          var fields: JSONObject = ["file": .string(file), "line": .int(card.line)]
          fields.append("name", card.name)
          fields.append("reason", card.reason)
          skipped.append(.object(fields))
        }
      }
      let counts: JSONObject = ["added": .int(added), "known": .int(known), "skipped": .array(skipped)]
      Answer(terminal: services.terminal).value(counts) {
        services.terminal.line("\(added) added, \(known) known already, \(skipped.count) skipped")
      }
      return .done
    }
  }

  /// `almanac people edit ID`
  struct Edit: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change a person here.")

    @Argument(help: "The person's id.") var id: String
    @Option(help: "The new given name.") var first: String?
    @Option(help: "The new family name.") var last: String?
    @Option(parsing: .unconditional, help: "YYYY-MM-DD, or --MM-DD where the year is not known.")
    var birthday: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard first != nil || last != nil || birthday != nil else {
        throw ValidationError("say what changes: --first, --last or --birthday")
      }
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      var change = PersonChange(firstName: first, lastName: last)
      if let birthday { change.birthday = try BirthdayArgument.parse(birthday) }
      Answer(terminal: services.terminal).one(try await services.people().edit(id, change).fields)
      return .done
    }
  }

  /// `almanac people remove ID`
  struct Remove: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a person here; a sync does not bring it back.")

    @Argument(help: "The person's id.") var id: String
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let person = try await services.people().remove(id)
      services.terminal.note("removed \(Printable.text(person.fullName))")
      return .done
    }
  }

  /// `almanac people send [ID…]`
  struct Send: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: "Send people whom the server does not have; all of them where none is named.")

    @Argument(help: "Ids of people.") var ids: [String] = []
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let entries = try await services.people().queue(ids)
      guard !entries.isEmpty else {
        services.terminal.note("the server has everybody already")
        OutboxAnswer(terminal: services.terminal).print(OutboxCounts())
        return .done
      }
      let counts = try await services.sync().flush(only: Set(entries))
      OutboxAnswer(terminal: services.terminal).print(counts)
      return try OutboxAnswer.status(of: entries, services)
    }
  }

  /// `almanac people fetch`
  struct Fetch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Fetch the people of the server: 'sync people'.")

    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let follow = try services.loadSettings().follows.first { $0.path == "people" } ?? Follow(path: "people")
      let report = try await services.sync().sync([follow], SyncOptions())
      services.terminal.status([])
      SyncAnswer(terminal: services.terminal).print(report)
      return ExitStatus(report, strict: false)
    }
  }
}

/// Reads a birthday.
enum BirthdayArgument {
  /// The birthday, or how one is written.
  static func parse(_ text: String) throws(Failure) -> Birthday {
    guard let birthday = Birthday(text) else {
      throw Failure(
        .config, .usage, "'\(text)' is no birthday", hint: "write YYYY-MM-DD, or --MM-DD where the year is not known")
    }
    return birthday
  }
}
