import Models
public import Persistence
public import Ports

/// What errors advise, as commands of `almanac`: the only place where failures of modules get their names.
public enum CommandRemedies {
  /// For the features.
  public static let features = Remedies { remedy in
    switch remedy {
    case .fetch(let follow): "'almanac sync \(follow)' fetches it"
    case .followUser(let id): "follow it first: 'almanac follow users/\(id)', then 'almanac sync'"
    case .listPeople: "'almanac list people' shows names and ids; the id on the server is remoteID"
    case .listOwners: "'almanac list owners'"
    case .listEdits: "'almanac outbox' lists the pending edits"
    case .listRejects: "'almanac list rejects' shows the path and the reason of each"
    case .discardEdit(let target): "'almanac outbox discard \(target)' removes the edit from the outbox"
    case .resolveConflict: "decide on the page or with 'almanac outbox resolve'"
    case .setBirthday(let person): "set the birthday with 'almanac people edit \(person) --birthday YYYY-MM-DD'"
    case .sendPerson(let person, let book):
      "'almanac people send \(person) --to \(book)' adds the person who is here to the address book"
    case .syncToSend(let path?): "'almanac sync \(path)' sends it; 'almanac source try \(path)' does and stores nothing"
    case .syncToSend(path: nil): "'almanac sync' sends it"
    case .askEarly(let path): "'almanac sync \(path) --now' asks now"
    case .applyList: "use --force to apply the list anyway"
    case .forceCalendar(let follow): "'almanac birthdays --to \(argument(follow)) --force' does it nevertheless"
    case .addAccount(let source, let name): "'almanac account add \(source) URL --name \(argument(name))' adds it"
    case .importSingerRecords:
      "jq -c 'select(.type == \"RECORD\") | .record' FILE | almanac import - --collection COLLECTION"
    }
  }

  /// How users propose a definition of an API that wants a key.
  static let proposalNeedsKey =
    "if the API wants a key, 'almanac source new URL --auth bearer' asks for it and sends it; "
    + "'almanac source new --from FILE.har' reads a recording of a browser instead"

  /// What to do about a key that a proposal was refused with.
  static let proposalRefusedKey =
    "check the key, and how the API wants it: --auth takes bearer, basic, \"header NAME\" and \"query NAME\""

  /// How users see the mistakes of all definitions.
  static let checkDefinitions = "'almanac source check' checks all definitions"

  /// What users do about a follow whose definition is not there.
  static func missingDefinition(_ name: SourceName, isInGallery: Bool) -> String {
    "add it again with 'almanac source add \(isInGallery ? name.rawValue : "FILE")', or end its follows with "
      + "'almanac unfollow PATH'; 'almanac following' lists them"
  }

  /// How users make a recording in place of one that cannot be used.
  static let newRecording = "record a new one with --record FILE.har"

  /// For the store.
  public static let store = StoreRemedies(
    repair: "run 'almanac doctor --repair'", load: { "run 'almanac import \(argument($0))'" },
    delete: { deletion(of: $0) },
    moved: "run the command again: it opens the folder that is there now",
    replaceBackup: "choose another folder, or give --replace to replace the backup that is there",
    changeBackup: { "restore it in the place of a store, or 'almanac store copy \(argument($0)) NEW' makes one of it" })

  /// What to do about a damaged image.
  public static let media = "'almanac doctor --repair' puts it aside, 'almanac media fetch' downloads it again"

  /// A path in a command that is between single quotes itself.
  private static func argument(_ path: String) -> String {
    path.allSatisfy { $0.isLetter || $0.isNumber || "-_./:@".contains($0) } ? path : "\"\(path)\""
  }

  /// How users delete a record.
  public static func deletion(of collection: String) -> String {
    switch CollectionName(rawValue: collection) {
    case .people: "'almanac people remove NAME' removes a person"
    case .outbox: "'almanac outbox discard NAME' removes an edit"
    default: "records of \(collection) are removed when their server no longer has them"
    }
  }
}
