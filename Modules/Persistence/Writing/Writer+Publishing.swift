import Models
import Ports

extension Writer {
  /// Brings the files that people read up to date, as far as the effort allows.
  ///
  /// - Parameter mayRenew: whether a file that is behind is renewed.
  /// - Returns: the collections that were passed over.
  /// - Throws: the first error; the other files are renewed all the same, and no commit is touched.
  func publishViews(_ mayRenew: (View) -> Bool) throws(StoreError) -> Set<String> {
    var failure: StoreError?
    var passedOver: Set<String> = []
    do throws(StoreError) { try publishNames(isSure: false) } catch { failure = error }
    for view in View.all(in: state, on: disk) where !view.table.runs.isEmpty {
      guard mayRenew(view) else {
        passedOver.insert(view.collection)
        continue
      }
      do throws(StoreError) { try view.renew() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return passedOver
  }

  /// Publishes the collection files: `people.jsonl`. A collection that has changed since keeps the file that it has
  /// there, which may be newer.
  ///
  /// - Parameter isSure: whether files that are there already are compared with the collection files.
  func publishNames(isSure: Bool = true) throws(StoreError) {
    let copyMost = store.limits.viewCopied
    let names = Set(try disk.names())
    var isChanged = false
    for part in state.manifest.parts {
      if state.tables[part.collection]?.runs.isEmpty == false {
        if names.contains(part.publishedName), try !isOldLink(part) { continue }
      } else if try View.isPublished(part, copyMost: copyMost, isSure: isSure, on: disk) {
        continue
      }
      try View.publish(part, copyMost: copyMost, on: disk)
      isChanged = true
    }
    for name in names where name.hasSuffix(".jsonl.new") { try disk.remove(name) }
    if isChanged { try store.syncingFolder() }
  }

  /// Whether the published file is a name of the collection file under which somebody could change it.
  private func isOldLink(_ part: Manifest.Part) throws(StoreError) -> Bool {
    guard let file = try disk.open(part.fileName), let named = try? disk.open(part.publishedName) else { return false }
    let found = try named.information()
    return try file.information().identity == found.identity && !found.isReadOnly
  }
}
