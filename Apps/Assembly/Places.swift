import CLibrary
public import Models
import Ports
import PostgreSQLStore

/// The locations of the store and the config file, from the arguments, the environment, or the XDG Base Directory
/// Specification, in this order.
public struct Places: Sendable {
  /// The store's folder, or its address on a server.
  public let store: String
  /// The folder of what a daemon keeps for itself: its token, its socket, and where it can be reached. It is the store's
  /// folder, except for a store on a server.
  public let state: String
  /// The folder in which the calls under rate budgets are counted, for all stores of the user.
  public let budgets: String
  /// The folder for copies of what can be fetched again.
  public let cache: String
  public let config: String
  /// Whether `--config` names the config file, so that its absence is an error. One that the environment names may be made
  /// later: a new volume has none.
  public let isConfigNamed: Bool
  /// Whether the store is in the user's home folder, and nothing says which that is.
  private let isHomeless: Bool
  /// The store that `--store` or `ALMANAC_STORE` names.
  let namedStore: String?
  /// The folder that `--state` or `ALMANAC_STATE` names, for a store on a server.
  let namedState: String?
  /// The config file that `--config` or `ALMANAC_CONFIG` names.
  let namedConfig: String?
  /// Whether an option or the environment names the config file.
  public var namesConfig: Bool { namedConfig != nil }

  /// The locations by the values of `--store`, `--config`, and `--state` for a store on a server.
  public init(store: String?, config: String?, state: String? = nil, environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let knownHome = value("HOME") ?? getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
    // Nothing can be read or made there. The working folder is not the user's own.
    let home = knownHome ?? "/dev/null"
    isHomeless = knownHome == nil && store ?? value("ALMANAC_STORE") ?? value("XDG_DATA_HOME") == nil
    cache = "\(value("XDG_CACHE_HOME") ?? "\(home)/.cache")/almanac"
    self.store = store ?? value("ALMANAC_STORE") ?? "\(value("XDG_DATA_HOME") ?? "\(home)/.local/share")/almanac"
    let userState = "\(value("XDG_STATE_HOME") ?? "\(home)/.local/state")/almanac"
    budgets = "\(userState)/budgets"
    let isOnServer = StoreAddress.isAddress(self.store)
    let givenState = isOnServer ? state ?? value("ALMANAC_STATE") : nil
    self.state = givenState ?? (isOnServer ? userState : self.store)
    namedState = givenState.map(Self.absolute)
    let named = config ?? value("ALMANAC_CONFIG")
    self.config = named ?? "\(value("XDG_CONFIG_HOME") ?? "\(home)/.config")/almanac/config.json"
    isConfigNamed = config != nil
    namedStore = (store ?? value("ALMANAC_STORE")).map { StoreAddress.isAddress($0) ? $0 : Self.absolute($0) }
    namedConfig = named.map(Self.absolute)
  }

  /// The path for a program with another working folder.
  public static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Whether the store is on a server, so that `store` is an address.
  public var isStoreOnServer: Bool { StoreAddress.isAddress(store) }

  /// Why the store cannot be used by its name: there is none, or it is not an address; `nil` for a folder. It does not
  /// contain the address.
  public var storeProblem: Failure? {
    if isHomeless {
      return Failure(
        .config, .usage, "the store's folder is not known: HOME is not set, and the user has no entry in passwd",
        hint: "name the folder with --store DIR, or set HOME", code: .own(.usage))
    }
    if let beginning = StoreAddress.mistake(in: store) {
      return Failure(
        .config, .usage, "the store is named by \(beginning)…, which is no address of a store",
        hint: "did you mean postgres://HOST/DATABASE? a folder of such a name is written ./\(beginning)…",
        code: .store(.invalidAddress))
    }
    guard isStoreOnServer else { return nil }
    do throws(StoreError) {
      _ = try StoreAddress(store)
      return nil
    } catch {
      return Failure(.config, .usage, error.message, hint: error.hint, code: .store(error.code))
    }
  }

  /// Why a text cannot name the folder of a backup; `nil` where it can. It does not contain the text.
  public static func problem(ofBackup folder: String) -> Failure? {
    guard StoreAddress.isAddress(folder) || StoreAddress.mistake(in: folder) != nil else { return nil }
    return Failure(
      .config, .usage, "a backup is a folder, and not on a server",
      hint:
        "name a folder; \(command: "store", "copy", "FROM", "TO") copies between folders and servers: did you mean postgres://?",
      code: .store(.unsuitablePlace))
  }
}
