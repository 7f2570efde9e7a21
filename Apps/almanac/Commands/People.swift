import ArgumentParser
import Frontend
import Models
import Ports

struct PeopleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "people", abstract: "List, add, import, edit and send people.",
    subcommands: [
      ListPeople.self, ShowPerson.self, Add.self, ImportCards.self, Edit.self, Remove.self, Move.self, Copy.self,
      GroupPeople.self, Duplicates.self, Merge.self, Send.self, Fetch.self,
    ])

  struct Add: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a person; 'people send' sends the person to the server.",
      discussion: """
        The last word of a name is the family name; --first and --last say otherwise. With --to, the next sync adds a card \
        of the person to that address book.

        A person with the names and the birthday of a stored one, or with a common mail address or number where one of both \
        has no birthday, is not added again, also where the names differ only in case or accents. --new adds one who is \
        another person all the same.
        """)

    @Argument(help: "The full name, in place of --first and --last.") var name: String?
    @OptionGroup(title: "Person") var person: PersonOptions
    @Flag(help: "Add another person of the same names, whom nothing tells apart.") var new = false
    @OptionGroup(title: "Details") var details: DetailOptions
    @OptionGroup var book: BookOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(
        name == nil || person.first == nil && person.last == nil && person.fullName == nil,
        "a name cannot be combined with --first, --last and --full-name")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let book = try book.book(services)
      var input = PersonInput()
      try details.fill(&input, of: ContactDetails(), person)
      try person.fill(&input)
      let person = try await services.people().add(
        firstName: person.first ?? "", lastName: person.last ?? "", birthday: PersonChange(input).birthday,
        fullName: name ?? person.fullName, details: PersonChange(input).details, to: book, isNew: new, alongside: nil)
      services.answer.done(person.fields)
      if let book { book.note(services) }
      BirthdayArgument.note(of: person, services)
      let isOnServer = services.settings.settings.servers[.people]?.url != nil
      if person.birthday == nil, book == nil, isOnServer {
        services.terminal.note(
          """
          the server of people takes nobody without a birthday: \(person.fullName) stays here until \
          \(command: "people", "edit", person.id, "--birthday", "YYYY-MM-DD")
          """)
      }
      return .done
    }
  }

  struct ImportCards: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import people from vCard, CSV and ZIP files, without duplicates.",
      discussion: """
        Of a folder, all files named *.vcf and *.csv are read, in the order of their names, and so they are of a ZIP archive. \
        Of several files, those that cannot be read are named, and the command ends with 1; the others are imported.

        A CSV file has the columns of Google, Outlook, LinkedIn or of 'list people --format csv', or --map says which field a \
        column fills: 'Mobil=phones:cell', 'Ort=addresses:home.city', 'Notes=note'; 'Notes=' leaves it out. What became of \
        each column is listed. A CSV file only adds what is missing; but where its column 'id' names a stored person with a \
        common name, address or number, names, birthday and other single values take the place of those that are there.

        Text has to be UTF-8, or to declare its character set as cards of version 2.1 do; a card with other text, or with control \
        characters, is left out and named. --charset latin1 reads what is not UTF-8 as \
        files of Windows have it.

        Reads vCard 2.1, 3.0 and 4.0. A card that is not taken, and a birthday that is not understood, is named with file \
        and line. A person without a birthday is taken as well. Two cards of one name in a file are two people if their UIDs \
        or birthdays differ, and one with a common UID, mail address or number: then their details are united. With nothing \
        of that, they are two if each has a mail address or a number, or another title, picture or other single value. A \
        note says so. From a changed card with the same UID, its changes are taken; another \
        card of a person only adds what is missing. The cards are kept, and 'export people --to vcf' writes them with all their properties.

        --dry-run lists whom it would add, what it would change of whom, and what became of each column and card, and changes \
        nothing.

        With --to, the next sync adds the cards of people who are not in that address book to it, with all their \
        properties. Who is here already, and on no server, is the one who is added. A card of version 2.1, which servers do not accept, is written anew.
        """)

    @Argument(help: "vCard, CSV or ZIP files, or folders; - is standard input.", completion: .file())
    var files: [String]
    @Option(help: "The character set of files that are not UTF-8: latin1, which includes windows-1252.")
    var charset: CharsetArgument?
    @Option(parsing: .singleValue, help: "The field of a column: 'COLUMN=FIELD'; repeatable.") var map:
      [ColumnArgument] = []
    @Flag(help: "Only print what would be added and changed.") var dryRun = false
    @OptionGroup var book: BookOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var changes: ChangeCause.Kind { .import }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let trial = dryRun ? try services.trial() : nil
      let people = try (trial?.root ?? services).people()
      let book = try book.book(services)
      var added = 0, updated = 0, known = 0
      var skipped: [JSONValue] = []
      var notes: [JSONValue] = []
      var mayBeOthers = false
      var columns: [ReadColumn] = []
      let reading = ContactReading(charset: charset == .latin1 ? .latin1 : nil, columns: map.map(\.column))
      let files = try Self.expanded(files)
      var failed: [Failure] = []
      for file in files {
        let (bytes, result): ([UInt8], ImportedContacts)
        do throws(Failure) {
          bytes = try InputFile(path: file).read()
          do throws(Failure) { result = try await people.importContacts(bytes, file: file, reading, to: book) } catch {
            throw Self.advised(error, file, bytes, reading)
          }
        } catch {
          // Whatever is wrong with one of several files, the others are imported; no file can be where the store fails.
          guard files.count > 1, error.path?.exact == file.exact || error.path?.hasPrefix("\(file)/") == true else {
            throw error
          }
          failed.append(error)
          services.terminal.complain(Advice(Printable.text(error.message)), hint: error.hint)
          continue
        }
        added += result.added.count
        updated += result.updated.count
        known += result.known
        columns += result.columns
        let unnamed = result.columns.isEmpty ? "a card without a name" : "a line without a name"
        for card in result.skipped {
          services.terminal.complain("\(Self.place(card, file)): skipped \(Self.words(card, unnamed))")
          skipped.append(Self.fields(card, file))
        }
        if !result.skipped.isEmpty, Self.isForeign(bytes, reading) {
          services.terminal.complain("  " + Self.charsetHint)
        }
        for card in result.notes {
          // Also with --quiet: something of the card was left out, or is doubtful.
          services.terminal.complain("\(Self.place(card, file)): \(Self.words(card, card.name))")
          notes.append(Self.fields(card, file))
          mayBeOthers = mayBeOthers || !card.people.isEmpty
        }
      }
      if mayBeOthers { services.terminal.complain(Self.othersHint) }
      var counts: JSONObject = [
        "added": .int(added), "updated": .int(updated), "known": .int(known), "skipped": .array(skipped),
        "notes": .array(notes),
      ]
      if !failed.isEmpty {
        counts["failed"] = .array(failed.map { ["file": .of($0.path), "message": .string($0.message)] })
      }
      if !columns.isEmpty { report(columns, in: &counts, services.terminal) }
      let rest =
        "\(known) known already, \(skipped.count) skipped"
        + (failed.isEmpty ? "" : ", \(failed.count.counted("file")) not read")
      if let trial {
        services.answer.plan(try trial.changes(.people), in: &counts, hasIDs: false)
        services.answer.value(counts) {
          services.terminal.line("\(added) to add, \(updated) to update, \(rest); nothing was changed")
        }
      } else {
        let changed = updated == 0 ? "" : "\(updated) updated, "
        services.answer.done(counts, line: "\(added) added, \(changed)\(rest)")
        if let book, added + updated > 0 { book.note(services) }
      }
      if let first = failed.first { return failed.count < files.count ? .mixed : ExitStatus(first.reason) }
      // Nothing of what was there could be read.
      return added + updated + known == 0 && !skipped.isEmpty ? .data : .done
    }

    private static let charsetHint: Advice =
      "--charset latin1 reads files of Windows and ISO 8859-1; iconv converts others: iconv -f CP1251 -t UTF-8 FILE"

    private static let othersHint: Advice =
      """
        \(command: "people", "duplicates") shows who may be one; \(command: "people", "merge", "A", "B") makes one of two, \
      and with --different notes that they are two; a column 'id' of a CSV file says who is meant
      """

    /// Whether a file is neither in UTF-8 or UTF-16 nor an archive, and no character set was named.
    private static func isForeign(_ bytes: [UInt8], _ reading: ContactReading) -> Bool {
      reading.charset == nil && !bytes.starts(with: "PK".utf8) && !bytes.contains(0)
        && String(validating: bytes, as: UTF8.self) == nil
    }

    /// What to do with a file of which nothing can be read.
    private static func advised(
      _ failure: Failure, _ file: String, _ bytes: [UInt8], _ reading: ContactReading
    ) -> Failure {
      var failure = failure
      if failure.code == .parsing(.shape), !reading.columns.isEmpty {
        (failure.kind, failure.reason, failure.message) = (.config, .usage, "--map: \(failure.message)")
      } else if failure.code != .parsing(.foreign) {
        if isForeign(bytes, reading) { failure.hint = charsetHint }
      } else if ContactPhoto(bytes) != nil {
        failure.hint = "\(command: "people", "edit", "NAME", "--photo", file) gives the picture to a person"
      } else if file.lowercased().hasSuffix(".jsonl") {
        failure.hint = "\(command: "import", file, "--collection", "people") reads JSON Lines"
      } else if isForeign(bytes, reading) {
        failure.hint = charsetHint
      } else if [".json", ".html", ".ics"].contains(where: { file.lowercased().hasSuffix($0) }) {
        failure.hint = "contact cards and CSV are read: \(command: "export", "people", "--to", "vcf") writes cards"
      } else if bytes.contains(where: { $0 > 0x20 }), !file.lowercased().hasSuffix(".vcf") {
        failure.hint = "--map 'COLUMN=FIELD' says which field a column of a CSV file fills: --map 'Mobil=phones:cell'"
      }
      return failure
    }

    /// Lists what became of each column. Values that are left out are named also with --quiet.
    private func report(_ columns: [ReadColumn], in counts: inout JSONObject, _ terminal: Terminal) {
      let rows = columns.map { column -> JSONObject in
        [
          "column": .of(column.name), "values": .of(column.values), "field": .of(column.field),
          "meant": .of(column.meant), "meantField": .of(column.meantField),
        ]
      }
      counts["columns"] = .array(rows.map { .object($0) })
      if terminal.format == .table, !terminal.isQuiet {
        let filled = rows.filter { $0["values"] != 0 }
        terminal.answer.list(filled, columns: ["column", .init("values", number: true), "field"])
        let empty = rows.count - filled.count
        if empty > 0 { terminal.line("\(empty.counted("column is", "columns are")) empty") }
      }
      let own = CollectionColumns.csv(.people)
      for column in columns where column.field == nil && column.values > 0 {
        let name = Printable.text(column.name)
        let question: Advice =
          column.meant.map { "; did you mean '\($0)'? --map '\(name)=\(column.meantField ?? "FIELD")' reads it" }
          ?? (own.contains { $0.exact == column.name.exact }
            ? ": a table cannot change it" : "; --map '\(name)=FIELD' reads it")
        terminal.complain("the column '\(name)' is left out (\(column.values.counted("value")))" + question)
      }
    }

    /// The files, with those of folders in place of these.
    private static func expanded(_ paths: [String]) throws(Failure) -> [String] {
      var files: [String] = []
      for path in paths {
        guard let names = FolderNames.all(in: path) else {
          files.append(path)
          continue
        }
        let inside = names.filter { name in [".vcf", ".csv"].contains { name.lowercased().hasSuffix($0) } }.sorted()
        if inside.isEmpty {
          throw Failure(.config, .notFound, "the folder '\(path)' has no file named *.vcf or *.csv", path: path)
        }
        files += inside.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
      }
      return files
    }

    private static func place(_ card: ContactCards.Note, _ file: String) -> String {
      "\(path(card, file)), line \(card.line)"
    }

    private static func path(_ card: ContactCards.Note, _ file: String) -> String {
      card.file.map { "\(file)/\($0)" } ?? file
    }

    private static func words(_ card: ContactCards.Note, _ unnamed: String?) -> String {
      Printable.text([card.name ?? unnamed, card.reason].compactMap(\.self).joined(separator: ": "))
    }

    private static func fields(_ card: ContactCards.Note, _ file: String) -> JSONValue {
      var fields: JSONObject = [
        "file": .of(path(card, file)), "line": .of(card.line), "name": .of(card.name), "reason": .of(card.reason),
      ]
      if !card.people.isEmpty { fields["people"] = .texts(card.people) }
      return .object(fields)
    }
  }

  struct Edit: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change a person locally.",
      discussion: """
        A person who waits to be sent is sent as changed. The change of a person of an address book is sent by the next \
        sync. A person whom a server of people has is changed here only: that server takes no changes, and a sync keeps \
        what was changed here.

        A mail address, a number or another item that is there gets the type and the preference that are given: \
        --email 'home: ada@example.org (preferred)'. With --editor, the person is opened as text in the program of \
        VISUAL or EDITOR; lines that cannot be read are shown there again. --from reads such a text from a file, also one \
        that was kept because an editor failed.
        """)

    @Argument(help: "The person: a name, or the id or its beginning.", completion: Completions.people) var id: String
    @OptionGroup(title: "Person") var person: PersonOptions
    @Flag(help: "Open the person as text in your editor.") var editor = false
    @Option(help: "Read the text of the person from this file; - is standard input.", completion: .file())
    var from: String?
    @Flag(help: "Remove the birthday.") var clearBirthday = false
    @Flag(help: "Change the person only here: the address book is not told.") var here = false
    @Flag(help: "The person is another one than a namesake, whom nothing tells apart.") var different = false
    @OptionGroup(title: "Details") var details: DetailOptions
    @OptionGroup(title: "Details to remove") var removed: RemovedDetailOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(
        editor || from != nil || clearBirthday || !person.isEmpty || !details.isEmpty || !removed.isEmpty,
        "nothing changes: pass --editor, --first, --last, --full-name, --birthday, --clear-birthday or a detail such as --email"
      )
      try require(person.birthday == nil || !clearBirthday, "--birthday and --clear-birthday cannot be combined")
      try require(!editor || from == nil, "--editor and --from cannot be combined")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let id = try RecordArgument.id(id, in: .people, as: .words, services)
      // The lists are changed as they are stored now.
      let needsStored =
        editor || from != nil || !person.lists.allSatisfy(\.lines.isEmpty) || !details.isEmpty || !removed.isEmpty
      let stored = needsStored ? try services.library().record(.people, id) : nil
      let fields = try Failure.from { () throws(ParsingError) in
        try stored.map { (record) throws(ParsingError) in try services.coder.decode(record) } ?? [:]
      }
      var input = PersonInput()
      try person.fill(&input)
      if clearBirthday { try Failure.from { () throws(PersonInput.Mistake) in try input.set("birthday", to: .null) } }
      try details.fill(&input, of: ContactDetails(fields: fields), person, without: removed)
      if editor || from != nil {
        let editor = PersonEditor(terminal: services.terminal, id: id)
        input = if let from { try editor.read(from, input, of: fields) } else { try editor.edit(input, of: fields) }
      }
      var change = PersonChange(input)
      change.staysHere = here
      change.isDistinct = different
      let changed = try await services.people().edit(id, change, ifStored: stored)
      services.answer.done(changed.person.fields)
      if person.birthday != nil { BirthdayArgument.note(of: changed.person, services) }
      let gone = input.patch.members.filter { $0.value == .null && fields[$0.key] != nil }.map(\.key)
      if editor || from != nil, changed.isChanged, !gone.isEmpty {
        services.terminal.note(
          "removed, because the text has no value: \(Printable.list(gone)); \(command: "undo") takes the change back")
      }
      if !changed.isChanged {
        let waits = changed.waits ? "; the edit that was made before waits for the next sync" : ""
        services.terminal.note("nothing changed: \(changed.person.fullName) is so already\(waits)")
      } else if changed.isSent {
        services.noteWaiting()
      } else if changed.isOnServer {
        let reason: Advice = here ? "" : ": the server does not support changes of people"
        services.terminal.note("\(changed.person.fullName) is changed only locally" + reason)
      }
      return .done
    }
  }

  struct Remove: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove people; a sync does not add them again.",
      discussion: """
        The next sync removes the card of a person of an address book. A server of people keeps the person, and 'sync \
        people --full' does not restore the person either. To do so, add one with the same names and birthday; the next \
        'sync people' or 'people send' links it to the server's record.
        """)

    @Argument(help: "People: their names or ids.", completion: Completions.people) var ids: [String]
    @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let terminal = services.terminal
      // A word of a name is enough where a person sees who is meant. All are found before the first is removed.
      var meant: [(id: String, name: String)] = []
      for text in ids {
        let id = try RecordArgument.id(text, in: .people, as: terminal.canAsk && !yes ? .words : .whole, services)
        guard !meant.contains(where: { $0.id.exact == id.exact }) else { continue }
        guard let fields = try? services.fields(.people, id) else {
          // Says why there is nothing to remove.
          _ = try await services.people().remove(id)
          continue
        }
        meant.append((id, fields["fullName"]?.string ?? id))
      }
      let question = "remove \(Printable.list(meant.map { Printable.text($0.name) }))?"
      guard try terminal.confirms(question, unless: yes) else { return .mixed }
      let people = try services.people()
      var rows: [JSONObject] = []
      for one in meant {
        let removed = try await people.remove(one.id)
        rows.append(removed.person.fields)
        note(removed, terminal)
      }
      if terminal.format != .table {
        if ids.count == 1 {
          terminal.answer.one(rows[0])
        } else {
          terminal.answer.list(rows, columns: [], csvFields: CollectionColumns.csv(.people))
        }
      }
      return .done
    }

    private func note(_ removed: ChangedPerson, _ terminal: Terminal) {
      if terminal.format == .table { terminal.note("removed \(removed.person.fullName) locally") }
      if removed.isSent { return terminal.note("\(command: "sync") removes the card from the address book") }
      guard removed.isOnServer else { return }
      terminal.note(
        """
        the server keeps the person, and a sync does not add the person again; \
        \(command: "undo") takes this back
        """)
    }
  }

  struct Send: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: "Send people that the server does not have; by default those who were added by hand.",
      discussion: """
        The server takes first name, last name and birthday; people without a birthday stay here. People who were \
        imported from cards and tables are sent only if they are named. Without names, those who would be sent are listed, \
        and in a terminal asked for.

        With --to, cards of the named people are added to that address book, with all that is known here. The people \
        belong to the address book then.
        """)

    @Argument(help: "People: their names or ids.", completion: Completions.people) var ids: [String] = []
    @Flag(help: "Only print who would be sent.") var dryRun = false
    @Flag(name: .shortAndLong, help: "Do not ask who is sent.") var yes = false
    @OptionGroup var book: BookOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(book.to == nil || !ids.isEmpty, "--to needs the people to send")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let book = try book.book(services)
      var people: [String] = []
      // What was sent cannot be taken back.
      for id in ids { people.append(try RecordArgument.id(id, in: .people, as: .whole, services)) }
      if book == nil, let missing = try services.missingSetting(of: .people) { throw missing }
      if dryRun || ids.isEmpty {
        let plan = try await services.trial().root.people().queue(people, to: book)
        if dryRun {
          note(plan.leftOut, services.terminal)
          return services.answer.list(
            plan.people.map(\.fields), columns: ["fullName", "birthday", "id"],
            csvFields: CollectionColumns.csv(.people), empty: "nobody would be sent")
        }
        let names = Printable.list(plan.people.map(\.fullName))
        if !plan.people.isEmpty {
          let isAsked = services.terminal.canAsk && !yes
          if isAsked, !(try services.terminal.confirms("send \(names) to the server?", unless: false)) { return .mixed }
          if !isAsked { services.terminal.note("sending \(names)") }
        }
      }
      let queued = try await services.people().queue(people, to: book)
      let entries = queued.entries
      note(queued.leftOut, services.terminal)
      guard !entries.isEmpty else {
        let named = people.isEmpty ? "everybody who was added by hand" : Printable.list(ids)
        if queued.leftOut.isEmpty { services.terminal.note("the server already has \(named)") }
        OutboxAnswer(terminal: services.terminal).print(OutboxCounts())
        return .done
      }
      let counts = try await services.sync().flush(only: Set(entries.map(\.exact)))
      OutboxAnswer(terminal: services.terminal).print(counts)
      return try OutboxAnswer.status(of: entries, counts, services)
    }

    /// How many of those who cannot be sent are named one by one.
    private static let mostNamed = 5

    private func note(_ leftOut: [QueuedPeople.LeftOut], _ terminal: Terminal) {
      for one in leftOut.prefix(Self.mostNamed) {
        terminal.note("\(one.person.fullName) (\(one.person.id)) cannot be sent: \(one.reason)")
      }
      let others = leftOut.count - Self.mostNamed
      if others > 0 { terminal.note("\(others) more cannot be sent; \(command: "people", "send", "NAME") says why") }
    }
  }

  struct Fetch: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Fetch the people of the server: 'sync people'.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let follow = try services.followed().first { $0.path == "people" } ?? Follow(path: "people")
      let sendsEdits = services.sendsEdits()
      let report = try await services.sync().sync([follow], SyncOptions(sendsEdits: sendsEdits))
      services.terminal.status([])
      SyncAnswer(terminal: services.terminal).print(report)
      if !sendsEdits { services.noteHeldEdits(report.outbox.pending) }
      return ExitStatus(report, strict: false)
    }
  }
}

struct BookOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The followed address book that gets the card: carddav/ACCOUNT/BOOK.", valueName: "follow"),
    completion: Completions.books)
  var to: String?

  /// The address book; `nil` without the option.
  func book(_ services: CompositionRoot) throws(Failure) -> FollowedBook? {
    guard let to else { return nil }
    do throws(Failure) { return try FollowedBook(to, among: services.books()) } catch {
      guard error.code == .own(.noBook) else { throw error }
      throw error.advising("\(error.hint ?? ""); \(command: "follow", "PATH") follows one")
    }
  }
}

extension FollowedBook {
  func note(_ services: CompositionRoot) {
    services.noteWaiting("adds the card to \(follow)")
  }
}

enum BirthdayArgument {
  static func parse(_ text: String) throws(Failure) -> Birthday {
    try Failure.from { () throws(PersonInput.Mistake) in try PersonInput.birthday(text) }
  }

  /// Says that a birthday is in the future; it is kept.
  static func note(of person: Person, _ services: CompositionRoot) {
    let isOfBook = person.origin.map { $0 != Person.imported } ?? false
    let note = person.birthday?.futureNote(today: services.time.now.date, isOfBook: isOfBook)
    if let note { services.terminal.note("\(note)") }
  }
}
