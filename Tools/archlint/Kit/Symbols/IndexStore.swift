import Foundation

/// Reads the index of a build.
struct IndexStore {
  private let library: IndexLibrary
  private let store: OpaquePointer

  /// - Throws: `ArchlintError.environment` if the path has no index, or if the toolchain has no library to read it.
  init(path: String) throws(ArchlintError) {
    guard FileManager.default.fileExists(atPath: path) else {
      throw .environment("no index at \(path): build first (swift build), or name one with --index-store")
    }
    library = try IndexLibrary()
    guard let store = library.createStore(path, nil) else { throw .environment("cannot open the index at \(path)") }
    self.store = store
  }

  func close() { library.disposeStore(store) }

  /// - Parameter isWanted: Selects files by the path at which they were compiled.
  /// - Returns: The latest data of each file.
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

  /// Collects the values that a C function passes to its callback.
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

  /// Structs, classes, actors and enums that are defined or named, except those that the compiler synthesizes.
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

/// The concrete types that are defined and named in one file.
struct IndexedFile: Sendable {
  struct Occurrence: Sendable, Hashable {
    /// The identity of the symbol across modules (its USR).
    var symbol: String
    var name: String
    var line: Int
    var column: Int
    var isDefinition: Bool
  }

  /// The absolute path at which the file was compiled.
  var path: String
  /// The time of compilation, in nanoseconds since 1970.
  var compiledAt: Int64
  var occurrences: [Occurrence]
}

/// The toolchain's `libIndexStore`, which reads what the compiler writes about symbols (`indexstore/indexstore.h`).
///
/// It is loaded on demand, because the rest of archlint works without a toolchain that has it.
struct IndexLibrary {
  /// `indexstore_string_ref_t` is a pointer and a length, like `iovec`, the only such struct that all C libraries
  /// export.
  typealias StringRef = iovec
  typealias Handle = OpaquePointer
  typealias Visit = @convention(c) (UnsafeMutableRawPointer?, Handle?) -> Bool
  typealias VisitName = @convention(c) (UnsafeMutableRawPointer?, StringRef) -> Bool
  typealias Create = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>?) -> Handle?
  typealias CreateReader = @convention(c) (Handle, UnsafePointer<CChar>, UnsafeMutablePointer<Handle?>?) -> Handle?
  typealias Dispose = @convention(c) (Handle) -> Void
  typealias GetText = @convention(c) (Handle) -> StringRef
  typealias GetKind = @convention(c) (Handle) -> UInt32
  typealias GetRoles = @convention(c) (Handle) -> UInt64
  typealias GetFlag = @convention(c) (Handle) -> Bool
  typealias GetSymbol = @convention(c) (Handle) -> Handle?
  typealias GetPlace = @convention(c) (Handle, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
  typealias GetTime = @convention(c) (Handle, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>) -> Void
  typealias ForEach = @convention(c) (Handle, UnsafeMutableRawPointer?, Visit) -> Bool
  typealias ForEachUnit = @convention(c) (Handle, UInt32, UnsafeMutableRawPointer?, VisitName) -> Bool

  let createStore: Create
  let disposeStore: Dispose
  let forEachUnit: ForEachUnit
  let createUnit: CreateReader
  let disposeUnit: Dispose
  let unitHasMainFile: GetFlag
  let unitMainFile: GetText
  let unitTime: GetTime
  let forEachDependency: ForEach
  let dependencyKind: GetKind
  let dependencyName: GetText
  let dependencyPath: GetText
  let createRecord: CreateReader
  let disposeRecord: Dispose
  let forEachOccurrence: ForEach
  let occurrenceSymbol: GetSymbol
  let occurrenceRoles: GetRoles
  let occurrencePlace: GetPlace
  let symbolKind: GetKind
  let symbolName: GetText
  let symbolIdentity: GetText

  /// - Throws: `ArchlintError.environment` if the toolchain has no such library, or an incompatible one.
  init() throws(ArchlintError) {
    let path = try Self.location()
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw .environment("cannot load \(path): \(dlerror().map { String(cString: $0) } ?? "unknown reason")")
    }
    func find<Function>(_ name: String, _: Function.Type) throws(ArchlintError) -> Function {
      guard let symbol = dlsym(library, "indexstore_" + name) else {
        throw .environment("\(path) has no indexstore_\(name)")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    createStore = try find("store_create", Create.self)
    disposeStore = try find("store_dispose", Dispose.self)
    forEachUnit = try find("store_units_apply_f", ForEachUnit.self)
    createUnit = try find("unit_reader_create", CreateReader.self)
    disposeUnit = try find("unit_reader_dispose", Dispose.self)
    unitHasMainFile = try find("unit_reader_has_main_file", GetFlag.self)
    unitMainFile = try find("unit_reader_get_main_file", GetText.self)
    unitTime = try find("unit_reader_get_modification_time", GetTime.self)
    forEachDependency = try find("unit_reader_dependencies_apply_f", ForEach.self)
    dependencyKind = try find("unit_dependency_get_kind", GetKind.self)
    dependencyName = try find("unit_dependency_get_name", GetText.self)
    dependencyPath = try find("unit_dependency_get_filepath", GetText.self)
    createRecord = try find("record_reader_create", CreateReader.self)
    disposeRecord = try find("record_reader_dispose", Dispose.self)
    forEachOccurrence = try find("record_reader_occurrences_apply_f", ForEach.self)
    occurrenceSymbol = try find("occurrence_get_symbol", GetSymbol.self)
    occurrenceRoles = try find("occurrence_get_roles", GetRoles.self)
    occurrencePlace = try find("occurrence_get_line_col", GetPlace.self)
    symbolKind = try find("symbol_get_kind", GetKind.self)
    symbolName = try find("symbol_get_name", GetText.self)
    symbolIdentity = try find("symbol_get_usr", GetText.self)
  }

  static func text(_ reference: StringRef) -> String {
    guard let base = reference.iov_base else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: base, count: Int(reference.iov_len)), as: UTF8.self)
  }

  /// The folder beside the runtime of the `swift` in PATH.
  private static func location() throws(ArchlintError) -> String {
    let outcome = try Subprocess.run(["swiftc", "-print-target-info"])
    guard outcome.status == 0, let info = try? JSONSerialization.jsonObject(with: outcome.output) as? [String: Any],
      let paths = info["paths"] as? [String: Any], let resources = paths["runtimeResourcePath"] as? String
    else { throw .environment("swiftc -print-target-info does not say where the toolchain is") }
    let folder = (resources as NSString).deletingLastPathComponent
    for name in ["libIndexStore.so", "libIndexStore.dylib"]
    where FileManager.default.fileExists(atPath: folder + "/" + name) { return folder + "/" + name }
    throw .environment("no libIndexStore in \(folder): 'archlint symbols' needs a full toolchain")
  }
}
