import Models
import Ports

extension Writer {
  /// Brings the files that people read up to date, as far as that is cheap: those of small collections, and those of
  /// which this process has just written a good part.
  ///
  /// - Parameter written: how many bytes were committed to each collection since the last time.
  /// - Throws: the first error; the other files are renewed all the same, and no commit is touched.
  func publishViews(written: [String: Int] = [:]) throws(StoreError) {
    let limits = store.limits
    var failure: StoreError?
    do throws(StoreError) { try publishNames() } catch { failure = error }
    for view in View.all(in: state, on: disk) where !view.table.runs.isEmpty {
      let share = min((written[view.collection] ?? 0) * limits.viewShare, limits.viewMost)
      do throws(StoreError) { try view.renew(upTo: max(limits.viewAlways, share)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Gives the collection files the names under which people know them: `people.jsonl`. A collection that has changed
  /// since keeps the file that it has there: a view, which may be newer.
  func publishNames() throws(StoreError) {
    let names = Set(try disk.names())
    var isChanged = false
    for part in state.manifest.parts where try !isPublished(part, among: names) {
      let temporary = part.publishedName + ".new"
      try disk.remove(temporary)
      try disk.link(part.fileName, to: temporary)
      try disk.rename(temporary, to: part.publishedName)
      isChanged = true
    }
    for name in names where name.hasSuffix(".jsonl.new") { try disk.remove(name) }
    if isChanged { try store.syncingFolder() }
  }

  private func isPublished(_ part: Manifest.Part, among names: Set<String>) throws(StoreError) -> Bool {
    if state.tables[part.collection]?.runs.isEmpty == false { return names.contains(part.publishedName) }
    guard let file = try disk.open(part.fileName), let named = try? disk.open(part.publishedName) else { return false }
    return try file.information().identity == named.information().identity
  }
}
