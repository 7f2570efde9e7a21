public import Models
public import Persistence
public import Ports
public import PostgreSQLStore

public enum OpenedStore: Sendable {
  case folder(JSONFileStore)
  case server(PostgreSQLStore)

  /// Opens the store in a folder or on a server.
  ///
  /// - Parameters:
  ///   - catalog: the collections, which say what a new store keeps of their past.
  ///   - timeout: how long a write waits for a server that is away.
  ///   - pause: how many seconds this program may be paused within a commit, on a server; `nil` for what is usual.
  ///   - moved: what to do where the folder is moved while a program runs that goes on.
  /// - Throws: `Failure` if the store cannot be opened, or if its folder is missing and a daemon keeps it.
  public init(
    at place: String, _ catalog: @escaping @Sendable () -> CollectionCatalog, time: any TimeSource,
    events: (any EventSink)? = nil, timeout: Duration = .seconds(10), pause: Int? = nil, moved: Advice? = nil
  ) throws(Failure) {
    let history = Self.history(catalog)
    guard !StoreAddress.isAddress(place) else {
      self = .server(
        try Failure.from { () throws(StoreError) in
          let store = try PostgreSQLStore(StoreAddress(place), history: history, time: time, timeout: timeout)
          if let pause { store.limitPauses(to: pause) }
          return store
        })
      return
    }
    if let problem = StoreClaim.problem(at: place) { throw problem }
    self = .folder(
      try Failure.from { () throws(StoreError) in
        var suggestions = CommandWording.store
        if let moved { suggestions.moved = moved }
        return try JSONFileStore(
          folder: place, history: history, time: time,
          suggestions: suggestions, program: StoreFiles.all, events: events)
      })
  }

  /// What a store keeps of its past, as the descriptions of its collections say. A restoration needs the former cards of people.
  public static func history(_ catalog: @escaping @Sendable () -> CollectionCatalog) -> HistorySetting {
    .policies {
      switch $0 {
      case .cards: HistoryPolicy(.days(30))
      case .state: .none
      default: catalog()[$0]?.history ?? .forever
      }
    }
  }

  public var records: any RecordStore & StoreMaintenance {
    switch self {
    case .folder(let store): store
    case .server(let store): store
    }
  }

  /// Makes a store on a server if it is not there; whether this process made it.
  ///
  /// - Throws: `StoreError` if the server cannot be asked, or refuses it.
  public func create() throws(StoreError) -> Bool {
    if case .server(let store) = self { try store.create() } else { false }
  }

  /// The images of the store.
  ///
  /// - Parameter place: the folder of a store in a folder.
  /// - Throws: `Failure` if the folder cannot be opened.
  public func images(at place: String, readOnly: Bool = false) throws(Failure) -> any MediaStore {
    if case .server(let store) = self { return PostgreSQLMedia(store) }
    return try Self.images(inFolder: place, readOnly: readOnly)
  }

  /// The images of a store in a folder, which need not be opened for them.
  ///
  /// - Throws: `Failure` if the folder cannot be opened.
  public static func images(inFolder folder: String, readOnly: Bool) throws(Failure) -> any MediaStore {
    try Failure.from { () throws(StoreError) in
      try MediaFolder(folder: folder + "/media", readOnly: readOnly, suggestion: CommandWording.media)
    }
  }

  /// The leases that a command takes, which are renewed by themselves; `nil` for a store in a folder, which one program at
  /// a time writes.
  public func leases(time: any TimeSource) -> StoreLeases? {
    if case .server(let store) = self { StoreLeases(store, seconds: StoreLease.seconds, renewing: time) } else { nil }
  }
}
