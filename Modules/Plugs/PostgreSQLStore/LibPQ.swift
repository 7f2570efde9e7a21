import CLibrary
import Models
import Ports

/// The functions of libpq, PostgreSQL's client library, which is loaded when the first store is opened.
///
/// Nothing links it: a program that can use a server starts as fast as one that cannot, and runs where the library is
/// missing. https://www.postgresql.org/docs/current/libpq.html
struct LibPQ: @unchecked Sendable {
  // Pointers to functions of a library that is never unloaded, hence the unchecked sendability.
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
  typealias Numbers = UnsafePointer<CInt>
  typealias Types = UnsafePointer<UInt32>

  let connect: @convention(c) (Texts, Texts, CInt) -> OpaquePointer?
  let status: @convention(c) (OpaquePointer?) -> CInt
  let errorMessage: @convention(c) (OpaquePointer?) -> Text
  let setErrorVerbosity: @convention(c) (OpaquePointer?, CInt) -> CInt
  let reset: @convention(c) (OpaquePointer?) -> Void
  let needsPassword: @convention(c) (OpaquePointer?) -> CInt
  let parameterStatus: @convention(c) (OpaquePointer?, Text) -> Text?
  let finish: @convention(c) (OpaquePointer?) -> Void
  let setNoticeProcessor:
    @convention(c) (
      OpaquePointer?, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?
  let socket: @convention(c) (OpaquePointer?) -> CInt
  let setNonblocking: @convention(c) (OpaquePointer?, CInt) -> CInt
  let flush: @convention(c) (OpaquePointer?) -> CInt
  let consumeInput: @convention(c) (OpaquePointer?) -> CInt
  let isBusy: @convention(c) (OpaquePointer?) -> CInt
  let sendQuery: @convention(c) (OpaquePointer?, Text) -> CInt
  let sendParameters: @convention(c) (OpaquePointer?, Text, CInt, Types?, Texts?, Numbers?, Numbers?, CInt) -> CInt
  let sendPrepare: @convention(c) (OpaquePointer?, Text, Text, CInt, Types?) -> CInt
  let sendPrepared: @convention(c) (OpaquePointer?, Text, CInt, Texts?, Numbers?, Numbers?, CInt) -> CInt
  let enterPipeline: @convention(c) (OpaquePointer?) -> CInt
  let exitPipeline: @convention(c) (OpaquePointer?) -> CInt
  let sync: @convention(c) (OpaquePointer?) -> CInt
  let result: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let resultStatus: @convention(c) (OpaquePointer?) -> CInt
  let errorField: @convention(c) (OpaquePointer?, CInt) -> Text?
  let rows: @convention(c) (OpaquePointer?) -> CInt
  let value: @convention(c) (OpaquePointer?, CInt, CInt) -> Text
  let length: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt
  let isNull: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt
  let clear: @convention(c) (OpaquePointer?) -> Void

  #if canImport(Darwin)
    private static let fileName = "libpq.5.dylib"
  #else
    private static let fileName = "libpq.so.5"
  #endif

  private static let loaded: Result<LibPQ, StoreError> = load(fileName)

  /// - Throws: `StoreError`: `cannotRead` if it is not installed, or too old.
  static func shared() throws(StoreError) -> LibPQ { try loaded.get() }

  static func load(_ fileName: String) -> Result<LibPQ, StoreError> {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
      return .failure(
        StoreError(
          .cannotRead, "the client library of PostgreSQL, \(fileName), is not installed",
          hint: "install it: the package is libpq5 on Debian and Ubuntu, libpq on Fedora, Arch and Homebrew"))
    }
    do throws(MissingFunction) { return .success(try LibPQ(Functions(handle: handle))) } catch {
      return .failure(
        StoreError(.cannotRead, "\(fileName) has no function \(error.name)", hint: "install libpq 14 or newer"))
    }
  }

  private init(_ function: Functions) throws(MissingFunction) {
    connect = try function("PQconnectdbParams")
    status = try function("PQstatus")
    errorMessage = try function("PQerrorMessage")
    setErrorVerbosity = try function("PQsetErrorVerbosity")
    reset = try function("PQreset")
    needsPassword = try function("PQconnectionNeedsPassword")
    parameterStatus = try function("PQparameterStatus")
    finish = try function("PQfinish")
    setNoticeProcessor = try function("PQsetNoticeProcessor")
    socket = try function("PQsocket")
    setNonblocking = try function("PQsetnonblocking")
    flush = try function("PQflush")
    consumeInput = try function("PQconsumeInput")
    isBusy = try function("PQisBusy")
    sendQuery = try function("PQsendQuery")
    sendParameters = try function("PQsendQueryParams")
    sendPrepare = try function("PQsendPrepare")
    sendPrepared = try function("PQsendQueryPrepared")
    enterPipeline = try function("PQenterPipelineMode")
    exitPipeline = try function("PQexitPipelineMode")
    sync = try function("PQpipelineSync")
    result = try function("PQgetResult")
    resultStatus = try function("PQresultStatus")
    errorField = try function("PQresultErrorField")
    rows = try function("PQntuples")
    value = try function("PQgetvalue")
    length = try function("PQgetlength")
    isNull = try function("PQgetisnull")
    clear = try function("PQclear")
  }

  private struct MissingFunction: Error { var name: String }

  private struct Functions {
    let handle: UnsafeMutableRawPointer

    func callAsFunction<Function>(_ name: String) throws(MissingFunction) -> Function {
      guard let address = dlsym(handle, name) else { throw MissingFunction(name: name) }
      return unsafeBitCast(address, to: Function.self)
    }
  }
}
