/// What a program ends with: the codes of sysexits(3).
public enum ExitStatus: Int32, Sendable {
  /// Done, also when nothing changed.
  case done = 0
  /// Several things failed in different ways.
  case mixed = 1
  /// The command was used wrongly.
  case usage = 64
  /// An answer could not be parsed.
  case data = 65
  /// No such record or file.
  case noInput = 66
  /// The server could not be reached or kept failing.
  case unavailable = 69
  /// A fault of ours.
  case software = 70
  /// The store cannot be made.
  case cannotCreate = 73
  /// The store cannot be read or written.
  case inputOutput = 74
  /// Try later.
  case tryLater = 75
  /// Key or permission refused.
  case denied = 77
  /// The config is wrong.
  case config = 78
  /// Stopped by Ctrl-C.
  case interrupted = 130

  /// The code for a failure.
  public init(_ reason: Failure.Reason) {
    self =
      switch reason {
      case .usage: .usage
      case .unparsable: .data
      case .notFound: .noInput
      case .unavailable: .unavailable
      case .internalFault: .software
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .tryLater: .tryLater
      case .denied: .denied
      case .config: .config
      case .cancelled: .interrupted
      }
  }

  /// The code for a sync: the failure's where all follows and edits that failed did so in the same way, 1 where they did
  /// not.
  public init(_ report: SyncReport, strict: Bool = false) {
    let failures = report.follows.compactMap(\.error) + [report.outbox.unsent].compactMap(\.self)
    let codes = Set(failures.map { ExitStatus($0.reason) })
    if codes.count > 1 {
      self = .mixed
    } else if let code = codes.first {
      self = code
    } else {
      self = strict && report.totals.rejected > 0 ? .data : .done
    }
  }
}
