import Models
import Ports

/// A run of a program that prints messages of the Singer protocol.
actor TapRun {
  /// What came since the part before.
  struct Part: Sendable {
    /// The messages with records of each selection, joined by commas.
    var bodies: [[UInt8]]
    var state: JSONObject?
    var records = 0
    /// Why there is nothing more, for the author of a definition; `nil` if the program goes on.
    var end: String?
  }

  /// A page: so many records, or so many bytes.
  private static let pageRecords = 1000
  private static let pageBytes = 4 << 20
  private static let longestLine = 32 << 20

  private let program: any RunningProgram
  private let name: String
  private let timeout: Duration
  private let streams: [String]
  private let coder: any RecordCoder
  private let secrets: TapSecrets
  private let complain: @Sendable (String) -> Void
  /// Whether this run lists every record.
  nonisolated let isComplete: Bool

  private var rest: [UInt8] = []
  /// Where the next line begins in `rest`.
  private var place = 0
  private var errors: [UInt8] = []
  private var lastComplaint: String?
  private var line = 0
  private var known: Set<ExactString> = []
  private var ignored: Set<ExactString> = []
  private var state: JSONObject?
  private var count: Int

  /// - Parameter records: the records that came before, in another process.
  init(
    _ program: any RunningProgram, name: String, timeout: Duration, streams: [String], records: Int,
    isComplete: Bool, coder: any RecordCoder, secrets: TapSecrets, complain: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.name = name
    self.timeout = timeout
    self.streams = streams
    count = records
    self.isComplete = isComplete
    self.coder = coder
    self.secrets = secrets
    self.complain = complain
  }

  func end() async { await program.end() }

  /// The next part.
  ///
  /// - Throws: `SourceError` if the program fails, is silent, or prints something else than messages.
  func next() async throws(SourceError) -> Part {
    var part = Part(bodies: Array(repeating: [], count: streams.count))
    let start = count
    while count - start < Self.pageRecords, part.bodies.reduce(0, { $0 + $1.count }) < Self.pageBytes {
      if let end = rest[place...].firstIndex(of: 0x0A) {
        let message = Array(rest[place..<end])
        place = end + 1
        try take(message, &part)
        continue
      }
      rest.removeFirst(place)
      place = 0
      switch await program.next(within: timeout) {
      case .output(let bytes):
        rest += bytes
        guard rest.count <= Self.longestLine else {
          throw failure("line", "its line \(line + 1) is longer than 32 MiB")
        }
      case .complaint(let bytes): note(bytes)
      case .silent:
        throw failure(
          "silent", "it printed nothing for \(timeout.components.seconds) s and was ended; \"timeout\" sets the time",
          .later)
      case .ended(let status):
        note([0x0A])
        if Task.isCancelled { throw .transport(TransportError(.cancelled, "the pull was stopped", requests: 0)) }
        guard status == 0 else {
          throw failure("exit-\(status)", "it ended with \(status)\(lastComplaint.map { ": \($0)" } ?? "")")
        }
        if !rest.isEmpty { try take(rest, &part) }
        rest = []
        try checkStreams()
        part.end = ignored.isEmpty ? "" : "; no follow takes \(ignored.map(\.text).sorted().joined(separator: ", "))"
        (part.state, part.records) = (state, count)
        return part
      }
    }
    (part.state, part.records) = (state, count)
    return part
  }

  /// A stream without a schema was not selected, or has another name: that its records are missing says nothing.
  private func checkStreams() throws(SourceError) {
    guard let missing = streams.first(where: { !known.contains($0.exact) }) else { return }
    let others = known.union(ignored).map(\.text).sorted()
    throw failure(
      "no-stream",
      "it printed no schema of the stream \(missing)"
        + (others.isEmpty ? "" : "; there are \(others.joined(separator: ", "))"))
  }

  private func take(_ message: [UInt8], _ part: inout Part) throws(SourceError) {
    line += 1
    guard message.contains(where: { $0 > 0x20 }) else { return }
    let object: JSONObject
    do throws(ParsingError) { object = try coder.decode(message) } catch {
      throw failure("message", "its line \(line) is not a message: expected \(error.expected), found \(error.found)")
    }
    let stream = object["stream"]?.string ?? ""
    let places = streams.indices.filter { streams[$0].exact == stream.exact }
    switch object["type"]?.string {
    case "SCHEMA"?: if places.isEmpty { ignored.insert(stream.exact) } else { known.insert(stream.exact) }
    case "RECORD"?:
      guard object["record"]?.object != nil else {
        throw failure("message", "its line \(line) is a RECORD without \"record\"")
      }
      if places.isEmpty { ignored.insert(stream.exact) } else { count += 1 }
      for place in places {
        if !part.bodies[place].isEmpty { part.bodies[place].append(0x2C) }
        part.bodies[place] += message
      }
    case "STATE"?:
      guard let value = object["value"]?.object else {
        throw failure("message", "its line \(line) is a STATE without an object \"value\"")
      }
      state = value
    // The records of a batch are in files.
    case "BATCH"?: throw failure("batch", "its line \(line) is a BATCH: turn batches off in its configuration")
    case let type?: if type.isEmpty { throw failure("message", "its line \(line) has no type") }
    case nil: throw failure("message", "its line \(line) has no type")
    }
  }

  private func note(_ bytes: [UInt8]) {
    errors += bytes
    while let end = errors.firstIndex(of: 0x0A) {
      let text = secrets.masked(String(decoding: errors[..<end].prefix(1000), as: UTF8.self))
      errors.removeSubrange(...end)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      lastComplaint = text
      complain(text)
    }
    if errors.count > 1 << 16 { errors.removeFirst(errors.count - 1000) }
  }

  private func failure(_ code: String, _ message: String, _ meaning: SourceError.Meaning = .refused) -> SourceError {
    .meant(
      meaning, said: APIFailure(code: "tap-\(code)", message: "the program '\(name)': \(message)", isReported: false),
      url: name)
  }
}
