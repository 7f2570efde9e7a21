import Foundation

/// The toolchain's `libIndexStore`, which reads what the compiler writes about symbols (`indexstore/indexstore.h`).
///
/// It is loaded when it is needed and no sooner: the rest of archlint works without a toolchain that has it.
struct IndexLibrary {
  /// `indexstore_string_ref_t` is a pointer and a length; so is the one C struct that every C library shows to Swift.
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

  /// - Throws: `ArchlintError.environment` when the toolchain has no such library, or another one.
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

  /// Beside the runtime of the `swift` in PATH.
  private static func location() throws(ArchlintError) -> String {
    let outcome = try Subprocess.run(["swiftc", "-print-target-info"])
    guard outcome.status == 0, let info = try? JSONSerialization.jsonObject(with: outcome.output) as? [String: Any],
      let paths = info["paths"] as? [String: Any], let resources = paths["runtimeResourcePath"] as? String
    else { throw .environment("swiftc -print-target-info does not say where the toolchain is") }
    let folder = (resources as NSString).deletingLastPathComponent
    for name in ["libIndexStore.so", "libIndexStore.dylib"]
    where FileManager.default.fileExists(atPath: folder + "/" + name) {
      return folder + "/" + name
    }
    throw .environment("there is no libIndexStore in \(folder): 'archlint symbols' needs a full toolchain")
  }
}
