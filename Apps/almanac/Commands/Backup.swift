import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

struct Backup: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the whole store, also while the daemon writes.",
    discussion: """
      The folder is made in one that exists, or an earlier backup in it is replaced once the new one is complete and verified; files that \
      it has already are not copied again. It contains the state of one moment: the records, edits that wait, the \
      change feed, pictures, the daemon's tokens, and in 'config' the config file with the definitions of sources. \
      Files with keys and certificates that the config names are not in it. A store on a server is backed up with pg_dump.

      A backup is a store that is read and not changed: \(help: "list people --store DIR") reads it, and so do other \
      programs that read its 'people.jsonl'. \(help: "restore DIR") puts it back. Because it \
      contains tokens and perhaps keys, keep it where only you can read it.
      """)

  @Argument(
    help: ArgumentHelp("The folder: missing, empty, or an earlier backup.", valueName: "dir"), completion: .directory)
  var folder: String
  @Flag(help: "Replace also the backup of another store, or one with files that another program changed.") var replace =
    false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var renewsFiles: Bool { false }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let copy = try await services.backUp(to: folder, replaces: replace)
    if let problem = copy.noteProblem {
      services.terminal.complain(
        "warning: the backup is complete, but its time could not be noted in the store: \(problem.message)",
        hint: problem.hint)
    }
    return services.answer.done(
      copy.fields,
      line: "\(copy.records.counted("record")), \(copy.bytes.counted("byte")) in \(copy.folder), records verified; "
        + "\(copy.copied.counted("byte was", "bytes were")) copied")
  }
}

struct Restore: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the store, or make a record what it was.",
    discussion: """
      The backup is verified first. The store that is there now is kept beside it under a new name, which is printed; you \
      are asked before it is replaced. Edits that wait in it and are not in the backup are named. A running daemon opens the restored store by itself. The config file \
      is taken from the backup only if there is none. Files with keys and certificates that it names are in no backup: those that \
      are missing are named.

      Edits that waited when the backup was made wait again, even if they were sent later: \(help: "outbox") lists them. \
      Cursors of \(help: "changes") expire.

      With --at, a record gets back the values that it had, or comes back if it was removed: an edit as others are, which \
      the next sync sends, and \(help: "undo") takes back.
      """)

  @Argument(
    help: ArgumentHelp("The folder of the backup; with --at, COLLECTION/RECORD.", valueName: "what"),
    completion: .directory)
  var folder: String
  @Argument(
    help: ArgumentHelp("With --at, the record's id or name after its collection.", valueName: "name"),
    completion: Completions.records)
  var second: String?
  @Option(
    help: ArgumentHelp("Restore a record as of a time: \(WrittenTime.examples), or commit:N.", valueName: "time"))
  var at: String?
  @Flag(help: "With --at: print the values that it would get, and change nothing.") var dryRun = false
  @Flag(name: .shortAndLong, help: "Do not ask; needed without a terminal.") var yes = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var readsStore: Bool { at != nil }
  var changes: ChangeCause.Kind { .restore }

  func validate() throws {
    try require(at != nil || !dryRun, "--dry-run needs --at")
    try require(at != nil || second == nil, "a record needs --at")
  }

  private func restore(at time: String, _ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let (terminal, history, past) = (services.terminal, try services.history(), try services.past(time))
    let record = try RecordPath(folder, second, past) { (text, name) throws(Failure) in
      try RecordArgument.id(text, in: name, past)
    }
    let moment = try history.moment(time)
    let restoration = try history.restoration(of: record.collection, record.id, at: moment)
    let answer = terminal.answer
    if dryRun {
      let rows = restoration.edit.members.map { member -> JSONObject in
        ["field": .string(member.key), "from": restoration.base[member.key] ?? .null, "to": member.value]
      }
      answer.list(rows, columns: ["field", "from", "to"].map { .init($0, isLong: $0 != "field") })
    } else {
      let names = Printable.list(restoration.edit.keys)
      let question = "restore \(names) of \(record.text) as of \(moment.at)?"
      guard try terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
      var fields = restoration.fields
      let restored = try await history.restore(restoration, in: services.books())
      fields["id"] = .string(restored.id)
      answer.done(fields, line: "restored: \(names) of \(record.text)")
      if let book = restored.formerBook {
        terminal.complain(
          """
          \(book), to which the person belonged, is not followed or may only be read: \
          \(command: "people", "send", restored.id, "--to", "BOOK") adds a card to another address book
          """)
      }
      if restored.hasNewCard {
        terminal.complain(
          "the card that the person had is not kept any more: the new one has another UID, and only what the person's fields say"
        )
      }
      if restored.waits { services.noteWaiting() } else { terminal.note("stored locally; nothing is sent") }
    }
    if !restoration.leftOut.isEmpty {
      terminal.complain(
        "not restored, because it cannot be edited here or is not kept any more: \(Printable.list(restoration.leftOut))"
      )
    }
    return .done
  }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    if let at { return try await restore(at: at, services) }
    let (terminal, store) = (services.terminal, services.storePath)
    let leftBehind = services.edits(missingIn: folder)
    let targets = Printable.list(leftBehind.prefix(5).map(\.target)) + (leftBehind.count > 5 ? " and others" : "")
    let edits = leftBehind.count.counted("edit that waits there is", "edits that wait there are")
    // Without a backup or a store there is nothing to ask.
    if access("\(folder)/manifest", F_OK) == 0, access(store, F_OK) == 0 {
      let loss = leftBehind.isEmpty ? "" : "; \(edits) not in the backup: \(targets)"
      let question =
        "replace the store in \(store) with the backup in \(folder)? (it is kept under another name\(loss))"
      guard try terminal.confirms(Printable.text(question), unless: yes) else { return .mixed }
    }
    let copy = try await services.restore(folder)
    let waiting = try services.outbox().entries().count
    var fields = copy.fields
    fields["outbox"] = .int(waiting)
    let restored = services.anew()
    let missing = ConfigCheck(services: restored, settings: restored.settings.settings).unreadableFiles()
    fields["missing"] = .array(missing.map { ["setting": .string($0.place), "message": .string($0.message)] })
    fields["leftBehind"] = .array(leftBehind.map { ["id": .string($0.id), "target": .string($0.target)] })
    terminal.answer.done(fields) {
      terminal.line("\(copy.records.counted("record")), \(copy.bytes.counted("byte")) are in \(copy.folder)")
      if let previous = copy.previous { terminal.line("the store that was there is kept as \(previous)") }
      if let config = copy.config { terminal.line("the config file is \(config)") }
    }
    if let changed = copy.changed {
      terminal.complain("warning: \(changed.message); \(command: "import", changed.path ?? "") takes its records over")
    }
    if !leftBehind.isEmpty, let previous = copy.previous {
      terminal.complain(
        "\(edits) not in the backup, and will not be sent: \(targets); they are in \(previous): "
          + "almanac outbox --store '\(previous)' lists them")
    }
    for problem in missing { terminal.complain("warning: \(Printable.text(problem.message))") }
    if let first = missing.first {
      let isKey = restored.sources.contains { first.place == "servers.\($0.name).apiKey" }
      let ask: Advice = isKey ? ", or give the key anew: \(command: "config", "set", first.place) asks for it" : ""
      terminal.complain(
        "  no backup has files with keys and certificates: copy them from where the backup was made" + ask)
    }
    if waiting > 0 {
      terminal.note(
        "\(waiting.counted("edit of the backup waits", "edits of the backup wait")) to be sent; \(command: "outbox") shows what waits"
      )
    }
    return .done
  }
}

struct CopiedStore: Sendable {
  var folder: String
  /// The number of its last commit.
  var commit: UInt64
  var records: Int
  var bytes: Int
  /// The bytes that an earlier backup did not have already.
  var copied: Int
  /// The folder with the store that was replaced.
  var previous: String?
  var config: String?
  /// The file of the backup that another program changed.
  var changed: Failure?
  /// Why the time of the backup could not be noted in the store.
  var noteProblem: Failure?

  var fields: JSONObject {
    [
      "folder": .string(folder), "commit": .int(Int(commit)), "records": .int(records), "bytes": .int(bytes),
      "copied": .int(copied), "previous": .of(previous), "config": .of(config),
    ]
  }
}

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Copy a store between folders and servers.", subcommands: [CopyStore.self])

  struct CopyStore: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "copy", abstract: "Copy a store into a new folder, or a new schema of a server.",
      discussion: """
        Each is a folder, or postgres://HOST/DATABASE?schema=NAME. The store may be in use meanwhile: what is committed \
        during the copy is copied, too. Both are compared at the end. The target must be empty.

        Records with their history, edits that wait, what syncs remember, and images are copied. Commits keep their times and \
        causes and get new numbers: cursors of \(help: "changes") are not valid in the copy, and commit:N is another one.
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "from"), completion: .directory) var source: String
    @Argument(help: ArgumentHelp("The new store.", valueName: "to"), completion: .directory) var target: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var renewsFiles: Bool { false }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let report = try await services.copyStore(from: source, to: target)
      var fields: JSONObject = [
        "records": .int(report.records), "images": .int(report.images), "commits": .int(report.commits),
        "digest": .string(report.digest),
      ]
      let damaged = report.damagedImages
      fields.append("damaged", damaged.isEmpty ? nil : JSONValue.texts(damaged))
      services.answer.done(
        fields,
        line: "\(report.records.counted("record")) and \(report.images.counted("image")) were copied, and compared; "
          + "their history has \(report.commits.counted("commit"))")
      for url in damaged {
        services.terminal.note(
          "the image of \(url) is damaged and was left out; \(command: "media", "fetch") fetches it again")
      }
      return damaged.isEmpty ? .done : .inputOutput
    }
  }
}
