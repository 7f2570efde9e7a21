import ArgumentParser
import Frontend
import Models
import Ports

struct Import: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import records as one commit.",
    discussion: """
      Reads JSON Lines, and a JSON array of records: what \(help: "export") writes as jsonl and json comes back with every \
      field. Contact cards and CSV files of people are for \(help: "people import").

      The file's name or --collection says which collection: people.jsonl, people.json, and what a repair kept of it, such as \
      people.0000000000000002.records.damaged. Records of the file take the place of those with the same id; the others stay. \
      A person keeps the id on the server, remoteID, if the file does not have it.

      Of a file in the store's folder that was edited there, and of what is kept of it as people.jsonl.changed, only what \
      was changed in it is imported, as edits: the file is compared with the state of the collection that it was made of. \
      What changed in the store since is kept; a field that was changed in both is a conflict, and is shown. Deleting a \
      line deletes no record. Ends with 1 if there are conflicts, or an edit was refused.

      A member that is not a field of the collection is stored with the record: it can be listed, searched and exported, and a \
      warning names its first line and the field that may be meant. Such a member of an object, as in the items of emails, is \
      left out.

      --dry-run lists what would be added and changed, field by field, and changes nothing.
      """)

  @Argument(help: "A file of JSON Lines or a JSON array; - is standard input.", completion: .file()) var file: String
  @Option(help: "The collection.", completion: Completions.collections) var collection: String?
  @Flag(help: "Only print what would be added and changed.") var dryRun = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  var changes: ChangeCause.Kind { .import }

  private typealias Plan = () throws(Failure) -> [HistoryEntry]

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    let named =
      collection
      ?? Self.collection(of: file).flatMap {
        services.catalog.contains(CollectionName(rawValue: $0)) ? $0 : nil
      }
    guard let named else {
      throw .usage(
        "the name of \(file) does not say which collection it holds",
        hint: Self.otherFormat(file)
          ?? """
          \(command: "import", file, "--collection", "people") says so, and so does a name like people.jsonl
          the collections are \(services.catalog.names.map(\.rawValue).joined(separator: ", "))
          """)
    }
    let name = try CollectionArgument.parse(named, services)
    guard dryRun else { return try await load(name, nil, services) }
    let (trial, changes) = try services.trial()
    return try await load(name, { () throws(Failure) in try changes(name) }, trial)
  }

  /// - Parameter plan: gives what would be changed, for a trial; `nil` to change it.
  private func load(
    _ name: CollectionName, _ plan: Plan?, _ services: CompositionRoot
  ) async throws(Failure) -> ExitStatus {
    let input = try InputFile(path: file).open()
    if let own = services.ownFile(file), own.hasSuffix(".jsonl") || own.hasSuffix(".changed") {
      return try await importChanges(of: name, input, own, plan, services)
    }
    let library = try services.library()
    let result: ImportedRecords
    do throws(Failure) {
      result = try await library.importLines(into: name) { () throws(Failure) in try input.read() }
    } catch {
      throw naming(error)
    }
    complain(of: result.unread, name, services.terminal)
    let changes =
      result.changed.isEmpty ? FileChanges(base: 0) : try services.history().edits(to: result.changed, of: name)
    let status = try await apply(changes, over: result, to: name, plan, services)
    if name == .people { try PeoplePictures(services: services).complainOfMissing() }
    return status
  }

  /// Makes the edits that somebody made in a file that the store wrote.
  ///
  /// - Parameter own: the name of the file in the store's folder.
  private func importChanges(
    of name: CollectionName, _ input: InputFile.Pieces, _ own: String, _ plan: Plan?, _ services: CompositionRoot
  ) async throws(Failure) -> ExitStatus {
    let history = try services.history()
    let store = try services.store()
    let bases = try Failure.from { () throws(StoreError) in try store.bases(ofFile: own) }
    guard !bases.isEmpty else {
      throw .usage(
        "it is not known what was changed in \(file): the store did not write it, or too long ago",
        hint:
          "leave the lines in it that were changed, and copy it out of the store's folder: \(command: "import") takes all lines of the copy",
        code: .usage, path: file)
    }
    var changes: FileChanges
    do throws(Failure) {
      changes = try history.changes(inFile: name, madeOf: bases) { () throws(Failure) in try input.read() }
    } catch {
      throw naming(error)
    }
    return try await apply(
      changes, over: ImportedRecords(added: 0, updated: 0, unchanged: 0), to: name, plan, services)
  }

  /// Makes edits, and says what was done.
  ///
  /// - Parameter loaded: what was stored already.
  private func apply(
    _ changes: FileChanges, over loaded: ImportedRecords, to name: CollectionName, _ plan: Plan?,
    _ services: CompositionRoot
  ) async throws(Failure) -> ExitStatus {
    let (terminal, history) = (services.terminal, try services.history())
    let books = try changes.edits.isEmpty ? [] : services.books()
    let unchanged = loaded.unchanged + changes.unchanged
    var (added, updated, waits) = (loaded.added, loaded.updated, false)
    var refused: [JSONValue] = []
    var leftOut: [JSONValue] = []
    for edit in changes.edits {
      let record = "\(name)/\(edit.id)"
      if !edit.leftOut.isEmpty {
        leftOut.append(["id": .string(edit.id), "fields": .texts(edit.leftOut)])
        terminal.complain("\(record): not imported, because it cannot be edited here: \(Printable.list(edit.leftOut))")
      }
      guard !edit.edit.isEmpty else { continue }
      do throws(Failure) {
        waits = try await history.restore(edit, in: books).waits || waits
        if edit.kind == .post { added += 1 } else { updated += 1 }
      } catch {
        refused.append(["id": .string(edit.id), "message": .string(error.message)])
        terminal.complain("\(record): \(error.message)", hint: error.hint)
      }
    }
    var fields: JSONObject = [
      "collection": .string(name.rawValue), "added": .int(added), "updated": .int(updated),
      "unchanged": .int(unchanged), "conflicts": .objects(changes.conflicts.map(\.fields)),
      "refused": .array(refused), "leftOut": .array(leftOut),
      "missing": .texts(changes.missing.map(\.text)), "unread": .objects(loaded.unread.map(\.fields)),
    ]
    if let plan {
      terminal.answer.plan(try plan(), in: &fields)
      terminal.answer.value(fields) {
        terminal.line("\(name): \(added) to add, \(updated) to update, \(unchanged) unchanged; nothing was changed")
      }
    } else {
      terminal.answer.done(fields, line: "\(name): \(added) added, \(updated) updated, \(unchanged) unchanged")
    }
    for conflict in changes.conflicts {
      let answer = terminal.answer
      func shown(_ value: JSONValue?) -> String { value == nil ? "nothing" : answer.shown(value, in: conflict.field) }
      terminal.complain(
        """
        conflict: \(name)/\(conflict.id), \(conflict.field): '\(shown(conflict.file))' in the file, \
        '\(shown(conflict.stored))' in the store, '\(shown(conflict.base))' before; the store keeps its value
        """)
    }
    if !changes.missing.isEmpty {
      terminal.note(
        """
        \(changes.missing.count.counted("record of the store has", "records of the store have")) no line in the file: \
        \(services.deletion(of: name))
        """)
    }
    if waits, plan == nil { services.noteWaiting() }
    return changes.conflicts.isEmpty && refused.isEmpty ? .done : .mixed
  }

  /// Says which members of the lines are not read as fields.
  private func complain(of unread: [UnreadMember], _ name: CollectionName, _ terminal: Terminal) {
    for member in unread {
      let place = "\(file == "-" ? "standard input" : file), line \(member.line)"
      let others = member.count > 1 ? " (in \(member.count) lines)" : ""
      let what = member.expected.map { "is not \($0)" } ?? "is not a field of \(name)"
      let meant = member.meant.map { "; did you mean '\($0)'?" } ?? ""
      let outcome = member.isKept ? "it is stored as it is, beside the fields" : "it is left out"
      terminal.complain(Advice(Printable.text("\(place): '\(member.name)' \(what)\(others): \(outcome)\(meant)")))
    }
  }

  /// The collection that a file's name begins with: `people.jsonl`, `people.jsonl.damaged`, `people.json`, and
  /// `people.0000000000000002.records.damaged`.
  private static func collection(of file: String) -> String? {
    let words = (file.split(separator: "/").last ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let isOwn = words.count >= 2 && (words[1] == "jsonl" || words.suffix(2) == ["records", "damaged"])
    return isOwn || words.count == 2 && words[1] == "json" ? String(words[0]) : nil
  }

  /// A mistake in a line, with the file that the line is in, and what to do where that is another kind of file.
  private func naming(_ failure: Failure) -> Failure {
    guard case .own(let code)? = failure.code, [.badLine, .badID, .badText, .badValue].contains(code) else {
      return failure
    }
    var failure = failure
    failure.message = "\(file == "-" ? "standard input" : file), \(failure.message)"
    let lines = ShellWord.quoted(file == "-" ? "FILE" : file)
    if let hint = Self.otherFormat(file) {
      failure.hint = "nothing was imported; \(hint)"
    } else if code == .badID {
      failure.hint = """
        nothing was imported: each record has an "id", a text of its own; of another member, here KEY: \
        jq -c '.id = (.KEY | tostring)' \(lines) | \(command: Self.piped, isQuoted: false)
        """
    } else if code == .badText {
      failure.hint = """
        nothing was imported; iconv converts a file of Windows, or one in UTF-16 with -f UTF-16: \
        iconv -f CP1252 -t UTF-8 \(lines) | \(command: Self.piped, isQuoted: false)
        """
    } else if code == .badLine {
      failure.hint = """
        nothing was imported: each line, or each item of an array, is one JSON object; of objects in several lines: \
        jq -c . \(lines) | \(command: Self.piped, isQuoted: false)
        """
    }
    return failure
  }

  private static let piped = ["import", "-", "--collection", "COLLECTION"]

  /// What to do with a file whose name says that it is not JSON Lines.
  private static func otherFormat(_ file: String) -> Advice? {
    let name = file.lowercased()
    func has(_ endings: String...) -> Bool { endings.contains { name.hasSuffix(".\($0)") } }
    if has("vcf", "vcard") { return "\(command: "people", "import", file) reads contact cards" }
    if has("csv", "tsv") {
      let input = has("csv") ? "--icsv" : "--itsv"
      return """
        \(command: "people", "import", file) reads tables of contacts
        \(command: "import") reads JSON, each record an object with an "id"; Miller converts a table whose first line \
        names the fields:
        mlr \(input) --ojsonl cat \(ShellWord.quoted(file)) | \(command: Self.piped, isQuoted: false)
        """
    }
    if has("xlsx", "html", "ics", "pdf", "png", "jpg", "jpeg", "gif", "webp", "zip") {
      return
        "\(command: "import") reads JSON only, as \(command: "export", "COLLECTION", "--to", "jsonl") writes it"
    }
    return nil
  }
}
