import CLibrary
import Models
import Ports

/// One connection to a server. It is used by one thread at a time, and waits for the server with a time limit: a server
/// that is stopped or unreachable must not hold its caller for ever.
final class Connection: @unchecked Sendable {
  private let pq: LibPQ
  private let raw: OpaquePointer
  private var prepared: Set<ExactString> = []

  /// The SQLSTATE of the last call if it failed: five characters of PostgreSQL's appendix A.
  private(set) var lastState = ""
  /// Whether the connection ended, or the server was silent for too long. It cannot be used any more.
  private(set) var isBroken = false
  /// Whether the caller did not wait for the server any longer. It says nothing about the server.
  private(set) var isGivenUp = false
  /// Whether the schema was there before the caller took the connection.
  var isSchemaKnown = false

  /// How long the server may be silent, in milliseconds.
  static let timeout = 5_000
  /// The same for statements that write or read a lot.
  static let longTimeout = 30_000
  /// How long a program may be paused within a transaction, in seconds, before the server ends it.
  static let longestPause = 15
  /// The same for the lock of the store, for which the server lets a statement wait 7.5 s at most.
  static let lockTimeout = 15_000
  /// How often who waits for the lock looks whether the server is known to be silent, in milliseconds.
  private static let look = 500

  /// - Parameter pause: how long this program may be paused within a transaction, in seconds.
  init(_ address: StoreAddress, pause: Int = Connection.longestPause) throws(StoreError) {
    let pq = try LibPQ.shared()
    let settings = [
      ("connect_timeout", "5"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("application_name", "almanac"), ("dbname", address.connection), ("client_encoding", "UTF8"),
    ]
    let raw = Self.withTexts(settings.map(\.0)) { names in
      Self.withTexts(settings.map(\.1)) { values in pq.connect(names, values, 1) }
    }
    guard let raw else { throw StoreError(.unreachable, "there is no memory for a connection", path: address.text) }
    (self.pq, self.raw) = (pq, raw)
    guard pq.status(raw) == 0 else { throw Self.refusal(pq, raw, address) }
    _ = pq.setNonblocking(raw, 1)
    // Without this, libpq prints the server's notices on standard error.
    _ = pq.setNoticeProcessor(raw, { _, _ in }, nil)
    let encoding = "server_encoding".withCString { pq.parameterStatus(raw, $0) }.map { String(cString: $0) } ?? ""
    guard encoding == "UTF8" else {
      throw StoreError(
        .unsuitablePlace, "the database's encoding is \(encoding), not UTF8",
        hint: "create the database with the encoding UTF8", path: address.text)
    }
    // A program that is paused within a transaction must not hold the lock of the store for ever. Its other connections give
    // up waiting for the lock before that time, or one of them would get it next, and hold it for as long again. An
    // acknowledged commit must survive a crash of the server. Every query reads in the order of an index; before the server
    // has looked at a new table, it would sort all of the table for each page of a scan. A plan that has to sort all the same
    // counts as expensive then, and the server would compile it (JIT), which takes 20 ms of its processor for a query of
    // 0.1 ms.
    try run(
      """
      set lock_timeout = '\(pause * 500)ms'; set idle_in_transaction_session_timeout = '\(pause)s';
      set client_min_messages = warning;
      select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
      select set_config(name, 'off', false) from pg_settings where name in ('enable_sort', 'jit')
      """)
  }

  deinit { pq.finish(raw) }

  /// Why there is no connection, and whether waiting helps.
  private static func refusal(_ pq: LibPQ, _ raw: OpaquePointer, _ address: StoreAddress) -> StoreError {
    let text = line(pq.errorMessage(raw))
    // libpq's own words about the address; it speaks English, because the programs set no locale.
    let mistakes = ["invalid ", "definition of service ", "missing ", "unexpected ", "forbidden ", "extra "]
    if mistakes.contains(where: { text.hasPrefix($0) }) {
      return StoreError(
        .invalidAddress, "the address of the store is not valid: \(text)",
        hint: "write postgres://USER@HOST/DATABASE?schema=NAME; the other parameters are libpq's", path: address.text)
    }
    // libpq says so where `sslmode` requires it.
    if text.contains("server does not support SSL") {
      return StoreError(
        .invalidAddress, "the address requires TLS, and the server does not have it: \(text)",
        hint: "switch TLS on in the server (ssl = on), or leave sslmode out of the address", path: address.text)
    }
    if text.contains("certificate") {
      return StoreError(
        .invalidAddress, "the certificate of the server is not accepted: \(text)",
        hint: "sslrootcert in the address names the file of the authority that signed it", path: address.text)
    }
    var error = StoreError(
      .unreachable, "the server does not accept a connection: \(text)",
      hint: "check the address, and that the server is running", path: address.text)
    if pq.needsPassword(raw) != 0 {
      error.code = .denied
      error.hint =
        "put the password into the variable PGPASSWORD, or into ~/.pgpass or the file that PGPASSFILE names; such a file "
        + "counts only if nobody but its owner may read it (chmod 600)"
    } else if text.contains("FATAL") {
      // The server answered. Only a second attempt tells the SQLSTATE, because there is no connection to set this on.
      _ = pq.setErrorVerbosity(raw, 3 /* PQERRORS_SQLSTATE */)
      pq.reset(raw)
      let state = line(pq.errorMessage(raw)).firstMatch(of: /FATAL: +([0-9A-Z]{5})/).map { String($0.1) } ?? ""
      if state == "3D000" {
        error.code = .notFound
        error.hint = "check the name of the database, or create it: createdb NAME"
      } else if state.hasPrefix("28") || state == "42501" {
        error.code = .denied
        error.hint = "check the user and the password in PGPASSWORD or ~/.pgpass, and the server's pg_hba.conf"
      }
    }
    return error
  }

  /// Runs statements without parameters, in one round trip.
  ///
  /// - Parameter isSilent: whether the server is known to be silent, so that nobody waits for it.
  /// - Returns: the rows of the last statement, as text.
  @discardableResult
  func run(
    _ script: String, timeout: Int = Connection.timeout, unless isSilent: (() -> Bool)? = nil
  ) throws(StoreError) -> Rows {
    lastState = ""
    try sent(script.withCString { pq.sendQuery(raw, $0) })
    if let isSilent { try wait(timeout, unless: isSilent) }
    return try rows(timeout)
  }

  /// Waits for the first bytes of an answer, as long as the server is not known to be silent.
  private func wait(_ timeout: Int, unless isSilent: () -> Bool) throws(StoreError) {
    try flush(timeout)
    var descriptor = pollfd(fd: pq.socket(raw), events: Int16(POLLIN), revents: 0)
    for _ in 0..<(timeout / Self.look) {
      if poll(&descriptor, 1, CInt(Self.look)) > 0 { return }
      guard !isSilent() else {
        (isBroken, isGivenUp) = (true, true)
        throw StoreError(.unreachable, "the server does not answer")
      }
    }
    isBroken = true
    throw StoreError(.unreachable, "the server has not answered for \(timeout / 1000) s")
  }

  /// Runs a statement, in one round trip after the first time.
  ///
  /// - Parameter name: names the prepared statement; one name always has the same text.
  /// - Returns: the rows, in binary.
  @discardableResult
  func query(
    _ name: String, _ statement: String, _ parameters: [Parameter] = [], timeout: Int = Connection.timeout
  ) throws(StoreError) -> Rows {
    lastState = ""
    if !prepared.contains(name.exact) {
      let types = parameters.map(\.type)
      try sent(
        types.withUnsafeBufferPointer { types in
          pq.sendPrepare(raw, name, statement, CInt(parameters.count), types.baseAddress)
        })
      _ = try rows(timeout)
      prepared.insert(name.exact)
    }
    try sent(
      with(parameters) { values, lengths, formats, _, count in
        pq.sendPrepared(raw, name, count, values, lengths, formats, 1)
      })
    return try rows(timeout)
  }

  /// Sends all statements and reads all results then: one round trip. The server skips what follows a failure.
  func pipeline(_ statements: [(text: String, parameters: [Parameter])]) throws(StoreError) {
    lastState = ""
    try sent(pq.enterPipeline(raw))
    for statement in statements {
      try sent(
        with(statement.parameters) { values, lengths, formats, types, count in
          pq.sendParameters(raw, statement.text, count, types, values, lengths, formats, 1)
        })
    }
    try sent(pq.sync(raw))
    try flush(Self.longTimeout)
    var failure: StoreError?
    reading: while true {
      // A null between the results of two statements.
      guard let result = try next(Self.longTimeout) else { continue }
      let rows = Rows(pq: pq, result: result)
      switch pq.resultStatus(result) {
      case Status.pipelineSync: break reading
      case Status.pipelineAborted: continue
      default: do throws(StoreError) { try check(rows) } catch { failure = failure ?? error }
      }
      // After the end of the connection there is no other result.
      if isBroken { break }
    }
    _ = pq.exitPipeline(raw)
    if let failure { throw failure }
  }

  private enum Status {
    static let good: ClosedRange<CInt> = 0...2
    static let pipelineSync: CInt = 10
    static let pipelineAborted: CInt = 11
  }

  private func sent(_ isSent: CInt) throws(StoreError) { if isSent != 1 { throw lost() } }

  private func flush(_ timeout: Int) throws(StoreError) {
    while true {
      let rest = pq.flush(raw)
      if rest == 0 { return }
      if rest < 0 { throw lost() }
      try wait(for: POLLIN | POLLOUT, timeout)
      // The server may not read on before its own messages are taken.
      if pq.consumeInput(raw) == 0 { throw lost() }
    }
  }

  private func next(_ timeout: Int) throws(StoreError) -> OpaquePointer? {
    while pq.isBusy(raw) != 0 {
      try wait(for: POLLIN, timeout)
      if pq.consumeInput(raw) == 0 { throw lost() }
    }
    return pq.result(raw)
  }

  private func wait(for events: CInt, _ timeout: Int) throws(StoreError) {
    var descriptor = pollfd(fd: pq.socket(raw), events: Int16(events), revents: 0)
    while true {
      let ready = poll(&descriptor, 1, CInt(timeout))
      if ready > 0 { return }
      if ready < 0, errno == EINTR { continue }
      isBroken = true
      throw StoreError(.unreachable, "the server has not answered for \(timeout / 1000) s")
    }
  }

  private func rows(_ timeout: Int) throws(StoreError) -> Rows {
    try flush(timeout)
    var last: Rows?
    var failure: StoreError?
    while let result = try next(timeout) {
      let rows = Rows(pq: pq, result: result)
      do throws(StoreError) {
        try check(rows)
        last = rows
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    guard let last else { throw lost() }
    return last
  }

  private func check(_ rows: Rows) throws(StoreError) {
    guard !Status.good.contains(pq.resultStatus(rows.result)) else { return }
    if pq.status(raw) != 0 { isBroken = true }
    guard let state = pq.errorField(rows.result, 67 /* SQLSTATE */) else { throw lost() }
    lastState = String(cString: state)
    let text =
      pq.errorField(rows.result, 77 /* the message */).map { Self.line($0) } ?? Self.line(pq.errorMessage(raw))
    throw Self.error(lastState, text)
  }

  private static func error(_ state: String, _ text: String) -> StoreError {
    switch state {
    case "55P03", "40001", "40P01": StoreError(.busy, "another writer held the store for too long", hint: "try again")
    case "53100": StoreError(.full, "the server's disk is full: \(text)", hint: "make room on the server")
    case "25006": readOnly
    case "42501": lacking(text)
    case _ where state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300":
      StoreError(.unreachable, "the server ended the connection: \(text)", hint: "try again")
    default: StoreError(.cannotRead, "the server refused a statement: \(text) (SQLSTATE \(state))")
    }
  }

  static let readOnly = StoreError(
    .denied, "the server is read-only",
    hint: "connect to the primary, not to a standby, with default_transaction_read_only = off")

  /// The error for a user that may not do what is named.
  static func lacking(_ what: String) -> StoreError {
    StoreError(
      .denied, "the user of the connection lacks a privilege: \(what)",
      hint: """
        let it own the schema: create schema NAME authorization USER, or grant create on database DATABASE to USER
        in a schema of another owner: grant usage on schema NAME to USER; \
        grant select, insert, update, delete on all tables in schema NAME to USER
        """)
  }

  private func lost() -> StoreError {
    isBroken = true
    return StoreError(.unreachable, "the connection to the server ended: \(Self.line(pq.errorMessage(raw)))")
  }

  /// A message of libpq in one line.
  private static func line(_ text: UnsafePointer<CChar>) -> String {
    String(cString: text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func withTexts<Value>(_ texts: [String], _ body: (LibPQ.Texts) -> Value) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  private func with(
    _ parameters: [Parameter], _ body: (LibPQ.Texts?, LibPQ.Numbers?, LibPQ.Numbers?, LibPQ.Types?, CInt) -> CInt
  ) -> CInt {
    var bytes: [UInt8] = []
    var places: [Int] = []
    var lengths: [CInt] = []
    for parameter in parameters {
      let binary = parameter.binary
      places.append(bytes.count)
      lengths.append(CInt(binary.count))
      bytes += binary
    }
    // An empty value needs an address, too: a null pointer is NULL.
    bytes.append(0)
    let formats = [CInt](repeating: 1, count: parameters.count)
    let types = parameters.map(\.type)
    return bytes.withUnsafeBytes { bytes in
      let values = places.map { Optional(bytes.baseAddress!.advanced(by: $0).assumingMemoryBound(to: CChar.self)) }
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            types.withUnsafeBufferPointer { types in
              body(
                values.baseAddress, lengths.baseAddress, formats.baseAddress, types.baseAddress, CInt(parameters.count))
            }
          }
        }
      }
    }
  }
}

final class Rows {
  private let pq: LibPQ
  fileprivate let result: OpaquePointer

  init(pq: LibPQ, result: OpaquePointer) { (self.pq, self.result) = (pq, result) }

  deinit { pq.clear(result) }

  var count: Int { Int(pq.rows(result)) }

  /// The bytes of a value, valid as long as the rows; `nil` for NULL.
  func raw(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    if pq.isNull(result, CInt(row), CInt(column)) != 0 { return nil }
    return UnsafeRawBufferPointer(
      start: pq.value(result, CInt(row), CInt(column)), count: Int(pq.length(result, CInt(row), CInt(column))))
  }

  func bytes(_ row: Int, _ column: Int) -> [UInt8]? { raw(row, column).map { Array($0) } }

  func text(_ row: Int, _ column: Int) -> String { raw(row, column).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// A number in binary, of any width; 0 for NULL.
  func number(_ row: Int, _ column: Int) -> Int64 {
    guard let bytes = raw(row, column), let first = bytes.first else { return 0 }
    return bytes.reduce(first & 0x80 != 0 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  func timestamp(_ row: Int, _ column: Int) -> Timestamp { Timestamp(secondsSinceEpoch: Int(number(row, column))) }

  /// The number and the time of a commit, in two columns.
  func moment(_ row: Int, _ column: Int) -> Moment {
    Moment(commit: UInt64(clamping: number(row, column)), at: timestamp(row, column + 1))
  }

  /// An array of texts without nulls: dimensions, nulls, the type, the count and the first index, then lengths and bytes.
  func texts(_ row: Int, _ column: Int) -> [String] {
    var rest = bytes(row, column).map { $0[...] } ?? []
    func number() -> Int {
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number() == 1 else { return [] }
    let count = (number(), number(), number()).2
    _ = number()
    return (0..<count).map { _ in
      let length = number()
      defer { rest = rest.dropFirst(length) }
      return String(decoding: rest.prefix(length), as: UTF8.self)
    }
  }

  func collection(_ row: Int, _ column: Int) -> CollectionName { CollectionName(rawValue: text(row, column)) }
}
