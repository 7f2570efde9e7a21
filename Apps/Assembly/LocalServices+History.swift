import Library
public import Models
public import Ports
import Sync

extension LocalServices {
  /// What records were, and what changed them.
  ///
  /// - Throws: `Failure` if the store keeps no history.
  public func history() throws(Failure) -> any HistoryService {
    RecordHistory(
      store: try kept(), personal: personal, coder: coder, catalog: catalog,
      restoring: .init(edits: edits, outbox: outbox, editor: editor, people: contacts), time: time,
      endOfDay: LocalTime.end)
  }

  /// The services as of a moment. Charts are those of the present store that were seen until then: each of them is a
  /// record of its own.
  ///
  /// - Throws: `Failure` if the store keeps no history, or not that of the moment.
  public func past(at moment: Moment) throws(Failure) -> LocalServices {
    let history = try kept()
    let past = PastStore(try Failure.from { () throws(StoreError) in try history.snapshot(at: moment.commit) })
    return LocalServices(
      store: past, charts: store, sources: sources, coder: coder,
      time: ShiftedTime(base: time, seconds: moment.at - time.now), random: random, events: events)
  }

  /// Decides what is kept.
  ///
  /// - Throws: `Failure` if the store keeps no history.
  public func historyMaintenance() throws(Failure) -> any HistoryMaintenance {
    guard let maintenance = store as? any HistoryMaintenance else { throw Self.noHistory }
    return maintenance
  }

  /// Erases a record with all that the store ever kept of it, and the images that no other record of the collection names.
  ///
  /// - Throws: `Failure` if the store keeps no history, or cannot be written.
  public func forget(
    _ collection: CollectionName, _ id: String, images: any MediaStore
  ) async throws(Failure) -> ErasedRecords {
    let (maintenance, forgetting) = (try historyMaintenance(), Forgetting(coder: coder, catalog: sources.catalog))
    let history = try kept()
    let last = try Failure.from { () throws(StoreError) in
      var bytes = try store.snapshot().record(collection, id)
      // Of one that was removed; what is not known of its past does not stand in the way.
      if bytes == nil { bytes = (try? history.history(collection, id, before: nil, limit: 1))?.first?.before }
      return try bytes.map { (bytes) throws(StoreError) in
        try coder.object(bytes, collection, id)
      }
    }
    let (remoteID, media) = (last?["remoteID"]?.string, sources.catalog[collection]?.media ?? [])
    let erased = try await Failure.from { () async throws(StoreError) in
      let erased = try await maintenance.erase { (reader) throws(StoreError) in
        try forgetting.names(of: collection, id, remoteID: remoteID, in: reader)
      }
      var urls = Set(media.compactMap { last?[$0]?.string?.exact })
      if !urls.isEmpty {
        try store.snapshot().eachObject(collection, .all, coder) { fields in
          for name in media { if let url = fields[name]?.string { urls.remove(url.exact) } }
          return .next
        }
      }
      for url in urls { try images.remove(url.text) }
      return erased
    }
    try await rememberErasure()
    return erased
  }

  private func kept() throws(Failure) -> any HistoricalStore {
    guard let history = store as? any HistoricalStore else { throw Self.noHistory }
    return history
  }

  private static var noHistory: Failure {
    Failure(.store, .usage, "this store keeps no history", code: .own(.noHistory))
  }
}

/// A clock that is ahead of another one, or behind it.
public struct ShiftedTime: TimeSource {
  let base: any TimeSource
  /// How far ahead; negative for behind.
  let seconds: Int

  public init(base: any TimeSource, seconds: Int) { (self.base, self.seconds) = (base, seconds) }

  public var now: Timestamp { base.now + seconds }
  public var milliseconds: Int { base.milliseconds + seconds * 1000 }
  public var uptime: Duration { base.uptime }

  public func sleep(for duration: Duration) async throws(CancellationError) { try await base.sleep(for: duration) }
}
