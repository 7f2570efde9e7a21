public import Models
public import Ports
import Synchronization

/// Settings that are read once, for a program that does one thing. Its own changes are known without another reading.
public final class CachedSettings: SettingsStore {
  private let store: any SettingsStore
  private let known = Mutex<LoadedSettings?>(nil)

  /// Reads `store` when the settings are needed first.
  public init(_ store: any SettingsStore) { self.store = store }

  public var path: String { store.path }

  public func load() -> LoadedSettings {
    if let known = known.withLock({ $0 }) { return known }
    let loaded = store.load()
    known.withLock { $0 = loaded }
    return loaded
  }

  /// Forgets what was read, after another program has changed the file.
  public func forget() { known.withLock { $0 = nil } }

  public func change(
    of known: LoadedSettings, _ change: (LoadedSettings) throws(Failure) -> SettingChange?
  ) throws(Failure) -> LoadedSettings? {
    guard let changed = try store.change(of: known, change) else { return nil }
    self.known.withLock { $0 = changed }
    return changed
  }

  public func keys(of sources: [SourceDescriptor], in settings: Settings) -> [SourceName: SourceKey] {
    store.keys(of: sources, in: settings)
  }

  public func value(of secret: Settings.Secret, at place: String) throws(Failure) -> String {
    try store.value(of: secret, at: place)
  }
}
