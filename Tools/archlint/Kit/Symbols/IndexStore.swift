import Foundation

/// Reads the index that a build leaves behind.
struct IndexStore {
  private let library: IndexLibrary
  private let store: OpaquePointer

  /// - Throws: `ArchlintError.environment` when there is no index at the path, or no library to read it.
  init(path: String) throws(ArchlintError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .environment("there is no index at \(path): build first (swift build), or name one with --index-store")
    }
    library = try IndexLibrary()
    guard let store = library.createStore(path, nil) else { throw .environment("cannot open the index at \(path)") }
    self.store = store
  }

  func close() { library.disposeStore(store) }

  /// - Parameter isWanted: Which files, by the path that they were compiled at.
  /// - Returns: The newest that is known of each.
  func files(where isWanted: (String) -> Bool) -> [String: IndexedFile] {
    var newest: [String: (time: Int64, records: [String])] = [:]
    for unit in unitNames() {
      guard let reader = library.createUnit(store, unit, nil) else { continue }
      defer { library.disposeUnit(reader) }
      guard library.unitHasMainFile(reader) else { continue }
      let path = IndexLibrary.text(library.unitMainFile(reader))
      guard isWanted(path) else { continue }
      var seconds: Int64 = 0
      var nanoseconds: Int64 = 0
      library.unitTime(reader, &seconds, &nanoseconds)
      let time = seconds * 1_000_000_000 + nanoseconds
      if let known = newest[path], known.time >= time { continue }
      newest[path] = (time, records(of: reader, path: path))
    }
    return Dictionary(
      uniqueKeysWithValues: newest.map { path, unit in
        (path, IndexedFile(path: path, compiledAt: unit.time, occurrences: unit.records.flatMap(occurrences)))
      })
  }

  /// Collects what a C function hands to its callback.
  private final class Bag<Element> {
    var items: [Element] = []
    let library: IndexLibrary
    init(_ library: IndexLibrary) { self.library = library }
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
    static func from(_ context: UnsafeMutableRawPointer?) -> Bag? {
      context.map { Unmanaged<Bag>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private func unitNames() -> [String] {
    let bag = Bag<String>(library)
    _ = library.forEachUnit(store, 1, bag.context) { context, name in
      Bag<String>.from(context)?.items.append(IndexLibrary.text(name))
      return true
    }
    return bag.items
  }

  private func records(of unit: OpaquePointer, path: String) -> [String] {
    let bag = Bag<(name: String, path: String)>(library)
    _ = library.forEachDependency(unit, bag.context) { context, dependency in
      let recordKind: UInt32 = 2
      guard let bag = Bag<(name: String, path: String)>.from(context), let dependency,
        bag.library.dependencyKind(dependency) == recordKind
      else { return true }
      let library = bag.library
      bag.items.append(
        (IndexLibrary.text(library.dependencyName(dependency)), IndexLibrary.text(library.dependencyPath(dependency))))
      return true
    }
    return bag.items.filter { $0.path == path }.map(\.name)
  }

  private func occurrences(inRecord name: String) -> [IndexedFile.Occurrence] {
    guard let reader = library.createRecord(store, name, nil) else { return [] }
    defer { library.disposeRecord(reader) }
    let bag = Bag<IndexedFile.Occurrence>(library)
    _ = library.forEachOccurrence(reader, bag.context) { context, occurrence in
      guard let bag = Bag<IndexedFile.Occurrence>.from(context), let occurrence else { return true }
      if let found = IndexStore.concreteType(occurrence, bag.library) { bag.items.append(found) }
      return true
    }
    return bag.items
  }

  /// Structs, classes, actors and enums, defined or named; not what the compiler adds by itself.
  private static func concreteType(_ occurrence: OpaquePointer, _ library: IndexLibrary) -> IndexedFile.Occurrence? {
    let definition: UInt64 = 1 << 1
    let reference: UInt64 = 1 << 2
    let implicit: UInt64 = 1 << 8
    let roles = library.occurrenceRoles(occurrence)
    guard roles & (definition | reference) != 0, roles & implicit == 0,
      let symbol = library.occurrenceSymbol(occurrence), (5...7).contains(library.symbolKind(symbol))
    else { return nil }
    var line: UInt32 = 0
    var column: UInt32 = 0
    library.occurrencePlace(occurrence, &line, &column)
    return IndexedFile.Occurrence(
      symbol: IndexLibrary.text(library.symbolIdentity(symbol)), name: IndexLibrary.text(library.symbolName(symbol)),
      line: Int(line), column: Int(column), isDefinition: roles & definition != 0)
  }
}
