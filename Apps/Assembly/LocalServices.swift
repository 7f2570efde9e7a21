import AppStore
import Flickr
import Library
public import Models
import Parsing
import People
public import Persistence
public import Ports
import Sync
import Users

/// The services that need a store and no network.
public struct LocalServices: Sendable {
  /// The store.
  public let store: JSONFileStore
  /// The program's sources.
  public let sources: SourceList
  /// Reads and writes records.
  public let coder: any RecordCoder
  /// The clock.
  public let time: any TimeSource
  /// The source of random numbers.
  public let random: any RandomSource
  /// Takes reports.
  public let events: any EventSink

  /// Services over a store.
  public init(
    store: JSONFileStore, sources: SourceList, coder: any RecordCoder, time: any TimeSource,
    random: any RandomSource, events: any EventSink
  ) {
    self.store = store
    self.sources = sources
    self.coder = coder
    self.time = time
    self.random = random
    self.events = events
  }

  /// The store in a folder.
  ///
  /// - Throws: `Failure` where it cannot be opened.
  public static func store(
    _ folder: String, time: any TimeSource, events: (any EventSink)? = nil
  ) throws(Failure) -> JSONFileStore {
    try Failure.from { () throws(StoreError) in
      try JSONFileStore(
        folder: folder, time: time,
        remedies: StoreRemedies(repair: "run 'almanac doctor --repair'", load: { "run 'almanac import \($0)'" }),
        events: events)
    }
  }

  /// Edits that wait.
  public var outbox: any OutboxService { Outbox(store: store, coder: coder, catalog: sources.catalog, events: events) }

  private var edits: OutboxEdits {
    OutboxEdits(coder: coder, catalog: sources.catalog, time: time, random: random)
  }

  /// Any records.
  public var library: any LibraryService {
    Library(store: store, coder: coder, filters: JSONRecordFilterCompiler(), catalog: sources.catalog)
  }

  /// Charts.
  public var charts: any ChartService { Charts(store: store, coder: coder, time: time) }

  /// The genres that charts are followed by.
  public static var genres: [ChartGenre] { AppStoreSource.genres }

  /// People.
  public var people: any PeopleService {
    People(
      store: store, coder: coder, edits: edits, contacts: VCardFormat(), calendar: ICalendarFormat(), time: time,
      random: random)
  }

  /// Profiles.
  public var profiles: any ProfileService { Profiles(store: store, coder: coder, edits: edits) }

  /// Photos.
  public var photos: any PhotoService { Photos(store: store, coder: coder) }

  /// What became of the fields of the sources' answers.
  public var drift: any DriftService { DriftReport(store: store, coder: coder) }
}
