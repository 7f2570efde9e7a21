import ArgumentParser
import CLibrary
import Models
import Ports

struct Doctor: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the config, the permissions, the store and the servers.",
    discussion: """
      Ends with 0 when all is well, 74 when the store or a downloaded image is damaged, 75 when the server of the store does not \
      answer, 78 when the config is wrong. \
      --repair puts damaged images aside, so that \(help: "media fetch") downloads them again, makes the store \
      whole again, says what it did and keeps the damaged files; it ends with 0 when nothing was lost, and with 74 when \
      records or commits were, whatever else is found.

      A key is proved by one call that changes nothing, and it is said where it came from.

      Also tells which fields of the servers' answers changed their type or vanished since a follow was first synced: \
      a field that every record had and none has now, judged by as many records as there were first, or by ten. \
      \(help: "sync PATH --full") takes the answers as they are from then on.
      """)

  @Flag(help: "Repair the store; damaged files are kept beside it.") var repair = false
  @OptionGroup(title: "Common options") var global: GlobalOptions

  /// A file that was changed from outside stays as it is, so that what doctor says about it can be done.
  var renewsFiles: Bool { repair }

  func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
    var findings: [Finding] = []
    var settings = Settings()
    do throws(Failure) { settings = try services.settings.strict() } catch {
      findings.append(Finding(.config, .config, error.message, error.hint))
    }
    // A store that cannot be read is a finding of its own.
    if let complete = try? services.completed(services.settings.strict()) { settings = complete }
    findings += settings.followsInBoth.map {
      Finding(.follow, nil, $0.inBoth, "\(command: "unfollow", $0.path) ends that of the config file")
    }
    findings += displacement(services)
    let store = await checkStore(services)
    findings += store
    // Images of a store on a server are in it: what is wrong with it was said.
    if !services.isStoreOnServer || store.allSatisfy({ $0.status == nil }) { findings += checkImages(services) }
    if !repair { findings += StorePermissions(folder: services.storePath).keptFiles() }
    if let refusal = services.storeRefusal {
      findings.append(Finding(.store, .inputOutput, refusal.message, refusal.hint))
    }
    findings += StorePermissions(folder: services.storePath).findings()
    findings += ConfigPermissions(path: services.settingsFile.path, settings: settings).findings()
    if let refusal = services.configRefusal {
      findings.append(Finding(.permissions, nil, refusal.message, refusal.hint))
    }
    findings += certificateVariables()
    findings += ServerFiles(services: services, settings: settings).findings()
    let wrong = services.definitions.installed().filter { $0.failure != nil }
    findings += wrong.compactMap(\.failure).map { Finding(.config, .config, $0.message, $0.hint) }
    // The mistakes are the finding; such a source has no server that could be asked.
    let readable = settings.follows.filter { follow in !wrong.contains { $0.name == follow.source } }
    let isStoreDamaged = findings.contains { $0.part == .store && $0.status != nil }
    let (servers, keys, unanswered, reached) = await checkServers(readable, services, isStoreDamaged: isStoreDamaged)
    findings += servers
    findings += checkFollows(
      settings, readable, besides: unanswered, reached: reached, isStoreDamaged: isStoreDamaged && !repair, services)
    print(findings, keys, drifts(services), services)
    // What a store that cannot be read follows is not known.
    if settings.follows.isEmpty, !isStoreDamaged, !findings.contains(where: { $0.status == .config }) {
      services.terminal.complain(services.nothingFollowed)
    }
    let decisive = repair ? findings.filter { $0.part == .store } : findings
    return decisive.compactMap(\.status).max { rank($0) < rank($1) } ?? .done
  }

  struct Finding {
    enum Part: String {
      case config, store, permissions, server, follow, outbox, notifications
    }

    var part: Part
    /// The exit code that it asks for; none for a note.
    var status: ExitStatus?
    var message: String
    var mend: Advice?

    init(_ part: Part, _ status: ExitStatus?, _ message: String, _ mend: Advice?) {
      self.part = part
      self.status = status
      self.message = message
      self.mend = mend
    }

    var fields: JSONObject {
      [
        "part": .string(part.rawValue), "severity": status == nil ? "note" : "error", "message": .string(message),
        "mend": .of(mend?.description),
      ]
    }
  }

  private func rank(_ status: ExitStatus) -> Int {
    switch status {
    case .inputOutput, .cannotCreate: 3
    case .config: 2
    default: 1
    }
  }

  /// A store that was moved while a daemon keeps it.
  private func displacement(_ services: CompositionRoot) -> [Finding] {
    guard !services.isStoreOnServer, let daemon = services.displacedDaemon else { return [] }
    return [
      Finding(
        .store, .tryLater, "it was moved here from \(daemon.path) while almanacd (process \(daemon.process)) keeps it",
        Self.suggestion(services.storePath, daemon.path))
    ]
  }

  /// What to do about a store that was moved away from a running daemon.
  static func suggestion(_ path: String, _ earlier: String) -> Advice {
    "the daemon writes nothing: move the store back to \(earlier), or start the daemon again with --store \(path)"
  }

  private func checkStore(_ services: CompositionRoot) async -> [Finding] {
    if let missing = services.missingStore {
      // A first start has no store yet; --store names one that there is.
      let status: ExitStatus? = services.options.store == nil ? nil : ExitStatus(missing.reason)
      return [Finding(.store, status, missing.message, missing.hint)]
    }
    do throws(StoreError) {
      let store: any RecordStore & StoreMaintenance
      do throws(Failure) { store = try services.store() } catch {
        return [Finding(.store, ExitStatus(error.reason), error.message, error.hint)]
      }
      guard repair else {
        let found = try store.verify()
        do throws(StoreError) {
          return found.map { finding($0) } + (try behind(store, services, besides: found))
        } catch {
          // Every damaged file was found, and not only the first one that is met here.
          if found.allSatisfy({ $0.severity == .note }) { throw error }
          return found.map { finding($0) }
        }
      }
      let done = try await store.repair()
      let unread = await readLossesAgain(done, services)
      let left = try store.verify().filter { $0.severity != .note && !done.contains($0) }
      return done.map { finding($0) } + outboxNote(done) + unread + left.map { finding($0) }
        + (left.isEmpty ? try behind(store, services, besides: []) : [])
    } catch {
      return [Finding(.store, ExitStatus(error.failure.reason), error.description, error.hint)]
    }
  }

  /// The downloaded images that are not what was downloaded. They are copies: putting one aside is not a loss.
  private func checkImages(_ services: CompositionRoot) -> [Finding] {
    if services.missingStore != nil { return [] }
    do throws(Failure) {
      let images = try services.images(readOnly: !repair)
      return try Failure.from { () throws(StoreError) in try repair ? images.repair() : images.verify() }.map {
        finding($0)
      }
    } catch {
      return [Finding(.store, ExitStatus(error.reason), error.message, error.hint)]
    }
  }

  /// The published files that do not hold the newest commits, except those of which something else is said.
  private func behind(
    _ store: any StoreMaintenance, _ services: CompositionRoot, besides found: [StoreFinding]
  ) throws(StoreError) -> [Finding] {
    let changed = try store.changedFiles()
    let needed = try store.statistics().bytes
    let room: Advice = services.hasRoom(for: needed) ? "" : "free some space first, because the disk is nearly full: "
    return try store.behind().compactMap { name in
      let path = PublishedFile.path(of: name, services)
      if found.contains(where: { $0.path == path }) { return nil }
      if changed.contains(name) { return Self.changed(name, services) }
      let isMissing = PublishedFile.isMissing(name, services)
      return Finding(
        .store, nil,
        isMissing
          ? "\(path) is missing; the store has its records"
          : "\(path) does not contain the latest commits; the store does",
        "\(room)\(command: "compact") \(isMissing ? "writes" : "updates") it, \(command: "export", "\(name)", "--to", "jsonl") reads the store itself"
      )
    }
  }

  /// A file whose lines are all records, but not all the records: lines were deleted, or older ones put back.
  private static func changed(_ name: CollectionName, _ services: CompositionRoot) -> Finding {
    Finding(
      .store, nil, "\(services.storePath)/\(name).jsonl was changed from outside; it lacks records of the store",
      """
      deleting a line does not delete its record: \(services.deletion(of: name))
      \(command: "compact") writes the store's own file again and keeps the changed one beside it
      """)
  }

  private func finding(_ found: StoreFinding) -> Finding {
    let place = found.offset.map { "\(found.path), byte \($0)" } ?? found.path
    let suggestions = [found.suggestion, found.collection.flatMap(Self.meaning)].compactMap(\.self)
    return Finding(
      .store, found.severity == .note ? nil : .inputOutput, "\(place): \(found.message)",
      suggestions.isEmpty ? nil : suggestions.joined(separator: "\n"))
  }

  /// What a collection is that people do not fill themselves.
  private static func meaning(of collection: CollectionName) -> Advice? {
    switch collection {
    case .runs: "'runs' is the history of syncs: nothing else depends on it"
    case .state: "'state' is what syncs remember: \(command: "sync", "--full") fetches everything once more"
    case .cards:
      "'cards' are the cards of people as they came: \(command: "sync", "--full") and the import of their files bring them again"
    default: nil
    }
  }

  /// Lets the next sync read everything where records were lost.
  ///
  /// - Returns: why it will not.
  private func readLossesAgain(_ done: [StoreFinding], _ services: CompositionRoot) async -> [Finding] {
    guard done.contains(where: { $0.severity == .loss }) else { return [] }
    do throws(Failure) { try await services.readFollowsAgain() } catch {
      return [Finding(.store, ExitStatus(error.reason), error.message, error.hint)]
    }
    return []
  }

  /// A lost commit may have been the one that took a sent edit out of the outbox.
  private func outboxNote(_ done: [StoreFinding]) -> [Finding] {
    guard done.contains(where: { $0.severity == .loss && ($0.collection ?? .outbox) == .outbox }) else { return [] }
    return [
      Finding(
        .store, nil, "what was lost may have been the record that an edit was sent, so the edit may wait once more",
        "\(command: "outbox") lists the pending edits, \(command: "outbox", "discard", "NAME") removes one")
    ]
  }

  /// What drifted; a store that cannot be read was already reported.
  private func drifts(_ services: CompositionRoot) -> [SourceDrift] {
    do throws(Failure) { return try services.drift().drifts() } catch { return [] }
  }

  private func print(
    _ findings: [Finding], _ keys: [AcceptedKey], _ drifts: [SourceDrift], _ services: CompositionRoot
  ) {
    let terminal = services.terminal
    let findings = findings.map { finding in
      var finding = finding
      finding.mend = finding.mend.map { Advice(terminal.words($0)) }
      return finding
    }
    let fields: JSONObject = [
      "ok": .bool(!findings.contains { $0.status != nil }), "findings": .objects(findings.map(\.fields)),
      "keys": .objects(keys.map(\.fields)), "drift": .objects(drifts.map(\.fields)),
    ]
    let answer = terminal.answer
    if terminal.format == .csv {
      answer.list(findings.map(\.fields), columns: [], csvFields: ["part", "severity", "message", "mend"])
      return
    }
    answer.value(fields) {
      if findings.isEmpty, !terminal.isQuiet {
        terminal.line("no problems found: config, permissions, store and servers")
      }
      for finding in findings {
        let word = finding.status == nil ? "note" : "error"
        let color: Terminal.Color = finding.status == nil ? .yellow : .red
        let text = Printable.text("\(word): \(finding.part.rawValue): \(finding.message)")
        terminal.paragraph(text, first: (word, color))
        for advice in (finding.mend?.description ?? "").split(separator: "\n") {
          terminal.paragraph("  " + Printable.text(String(advice)))
        }
      }
      for key in keys where !terminal.isQuiet {
        let what = key.place.hasSuffix(".password") ? "password" : "key"
        terminal.paragraph(Printable.text("\(key.source) takes the \(what) from \(key.place)"))
      }
      write(drifts, services)
    }
  }

  private func write(_ drifts: [SourceDrift], _ services: CompositionRoot) {
    guard !drifts.isEmpty else { return }
    let terminal = services.terminal
    let fields =
      drifts.count.counted(
        "field of the servers' answers is not what it was", "fields of the servers' answers are not what they were")
    terminal.line("\(terminal.colored("note", .yellow)): drift: \(fields) at the first sync")
    let rows = drifts.map { drift in
      var fields = drift.fields
      if drift.drift.now.isEmpty { fields["is"] = "(gone)" }
      return fields
    }
    var table = TableWriter(terminal: terminal, columns: ["follow", "field", "was", "is", "firstSeen", "at"])
    for row in rows { table.append(row) }
    table.finish()
    let rejects: Advice = hasRejects(of: drifts, services) ? "look at \(command: "list", "rejects"); " : ""
    terminal.line(
      terminal.words("  \(rejects)\(command: "sync", "PATH", "--full") takes the answers as they are now"))
  }

  /// Whether a record of one of the follows was rejected.
  private func hasRejects(of drifts: [SourceDrift], _ services: CompositionRoot) -> Bool {
    drifts.contains { drift in
      var isRejected = false
      let ofFollow = RecordCondition(field: "follow", comparison: .equal, value: drift.follow)
      try? services.library().list(.rejects, LibraryQuery(conditions: [ofFollow], limit: 1)) { _ in
        isRejected = true
        return .stop
      }
      return isRejected
    }
  }
}
