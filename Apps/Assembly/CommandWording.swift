public import Models
public import Persistence
public import Ports

extension Advice.StringInterpolation {
  mutating func appendInterpolation(command words: String...) { appendInterpolation(commandLine: ["almanac"] + words) }
}

/// The words of the commands of `almanac` that failures of modules advise.
public enum CommandWording {
  /// Words for users whose commands do not find the store or the config file without options.
  ///
  /// - Parameters:
  ///   - store: what `--store` must be, a folder or the address of a server; `nil` where commands find the store without it.
  ///   - config: what `--config` must be; `nil` where commands find the file without it.
  ///   - state: what `--state` of `dashboard` must be; `nil` where it finds the daemon without it.
  public static func wording(store: String?, config: String?, state: String? = nil) -> Wording {
    // A store on a server keeps what is followed; with a folder, the config file does.
    let follows = store?.contains("://") == true ? [] : ["follow", "following", "unfollow"]
    let places = [
      ("--store", store, withoutOptions + follows + ["config", "source", "store"]),
      ("--config", config, withoutOptions),
    ]
    return Wording { command in
      let found = command.starts(with: ["almanac", "dashboard"]) ? state.map { ["--state", $0] } ?? [] : []
      return found
        + places.flatMap { option, value, others -> [String] in
          guard let value, command.count > 1, !others.contains(command[1]), !command.contains(option) else { return [] }
          return [option, value]
        }
    }
  }

  /// The commands that use neither the store nor the config file.
  private static let withoutOptions = ["completion", "genre", "help", "manual"]

  public static let features = Suggestions { words($0) }

  private static func words(_ suggestion: Suggestion) -> Advice {
    switch suggestion {
    case .fetch(let follow): "\(command: "sync", follow) fetches it"
    case .followUser(let id): "follow it first: \(command: "follow", "users/\(id)"), then \(command: "sync")"
    case .addNamesake(let person):
      "\(command: "show", "people", person) shows who that is; --new adds another person of these names"
    case .keepNamesake(let person, let other):
      """
      --different changes the person all the same, if they are two; if they are one, \
      \(command: "people", "merge", other, person) unites them
      """
    case .mergeDuplicates(let person, let other):
      "\(command: "people", "merge", person, other) makes one person of both"
    case .chooseSide(let a, let b):
      "\(command: "people", "merge", a, b, "--prefer", "a") takes the values of the first one, and --prefer b those of the other"
    case .editHere(_, let book):
      "--here makes the change only here; \(command: "sync", book, "--full") asks again what may be changed"
    case .listPeople: "\(command: "list", "people") shows names and ids; the id on the server is remoteID"
    case .listFields(let name): "\(command: "list", name.rawValue, "--limit", "1", "--format", "json") shows a record"
    case .listOwners: "\(command: "list", "owners")"
    case .listEdits: "\(command: "outbox") lists the pending edits"
    case .listRejects: "\(command: "list", "rejects") shows the path and the reason of each"
    case .discardEdit(let target): "\(command: "outbox", "discard", target) removes the edit from the outbox"
    case .resolveConflict: "decide on the page or with \(command: "outbox", "resolve")"
    case .setBirthday(let person):
      "set the birthday with \(command: "people", "edit", person, "--birthday", "YYYY-MM-DD")"
    case .sendPerson(let person, let book):
      "\(command: "people", "send", person, "--to", book) adds the person who is here to the address book"
    case .syncToSend(let path?):
      "\(command: "sync", path) sends it; \(command: "source", "try", path) does and stores nothing"
    case .syncToSend(path: nil): "\(command: "sync") sends it"
    case .askEarly(let path): "\(command: "sync", path, "--now") asks now"
    case .applyList(let follow, false): "\(command: "sync", follow, "--force") applies the list anyway"
    case .applyList(let follow, true): "\(command: "sync", follow, "--full", "--force") applies the list anyway"
    case .forceCalendar(let follow): "\(command: "birthdays", "--to", follow, "--force") does it nevertheless"
    case .addAccount(let source, let name): "\(command: "account", "add", source, "URL", "--name", name) adds it"
    case .logIn(let source): "\(command: "source", "login", source) logs in"
    case .importSingerRecords:
      """
      jq -c 'select(.type == \"RECORD\") | .record' FILE | \
      \(commandLine: ["almanac", "import", "-", "--collection", "COLLECTION"], isQuoted: false)
      """
    }
  }

  /// How users propose a definition of an API that wants a key.
  static let proposalNeedsKey: Advice =
    """
    if the API wants a key, \(command: "source", "new", "URL", "--auth", "bearer") asks for it and sends it; \
    \(command: "source", "new", "--from", "FILE.har", "--name", "NAME") reads a recording of a browser instead
    """

  static let proposalRefusedKey: Advice =
    "check the key, and how the API wants it: --auth takes bearer, basic, \"header NAME\" and \"query NAME\""

  /// How users see the mistakes of all definitions.
  static let checkDefinitions: Advice = "\(command: "source", "check") checks all definitions"

  /// What users do about a follow whose definition is not there.
  static func missingDefinition(_ name: SourceName, isInGallery: Bool) -> Advice {
    """
    add it again with \(command: "source", "add", isInGallery ? name.rawValue : "FILE"), or end its follows with \
    \(command: "unfollow", "PATH"); \(command: "following") lists them
    """
  }

  /// How users make a recording in place of one that cannot be used.
  static let newRecording: Advice = "record a new one with --record FILE.har"

  public static let store = StoreSuggestions(
    repair: "run \(command: "doctor", "--repair")", load: { "run \(command: "import", $0)" },
    takeChanges: { "run \(command: "import", $0) to take over what was changed in it" },
    delete: { deletion(of: $0) },
    moved: "run the command again: it opens the folder that is there now",
    replaceBackup: "choose another folder, or give --replace to replace the backup that is there",
    changeBackup: { "restore it in the place of a store, or \(command: "store", "copy", $0, "NEW") makes one of it" })

  /// What to do about a damaged image.
  public static let media: Advice =
    "\(command: "doctor", "--repair") puts it aside, \(command: "media", "fetch") downloads it again"

  /// How users delete a record.
  public static func deletion(of collection: String) -> Advice {
    switch CollectionName(rawValue: collection) {
    case .people: "\(command: "people", "remove", "NAME") removes a person"
    case .outbox: "\(command: "outbox", "discard", "NAME") removes an edit"
    default: "records of \(collection) are removed when their server no longer has them"
    }
  }
}
