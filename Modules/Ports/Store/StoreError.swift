public import Models

/// An error of the store.
public struct StoreError: FailureRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Code: String, Sendable, CaseIterable {
    /// Another writer held the lock for too long.
    case busy
    /// The folder or a file could not be made.
    case cannotCreate
    /// A file could not be read.
    case cannotRead
    /// A file could not be written.
    case cannotWrite
    /// The disk or the quota is full.
    case full
    /// Bytes are not what was written; see `path` and `offset`.
    case damaged
    /// The store has a format that this program does not know.
    case newerFormat
    /// An earlier write failed and its outcome is unknown; reopen the store.
    case poisoned
    /// An id or a record that the store does not take.
    case invalidRecord
    /// A store cannot be kept there: on a network file system, or behind a link.
    case unsuitablePlace
    /// The changes after this cursor are not kept any more.
    case cursorExpired
    /// The body of a transaction refused to go on.
    case aborted
  }

  /// What happened.
  public var code: Code
  /// What happened, in one line.
  public var message: String
  /// What to do about it.
  public var hint: String?
  /// The file or folder.
  public var path: String?
  /// The place in the file, in bytes.
  public var offset: Int?

  /// Makes an error.
  public init(_ code: Code, _ message: String, hint: String? = nil, path: String? = nil, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.offset = offset
  }

  /// The error in one line.
  public var description: String {
    message + (path.map { " (\($0)\(offset.map { ", byte \($0)" } ?? ""))" } ?? "")
  }

  /// The error as users see it.
  public var failure: Failure {
    let reason: Failure.Reason =
      switch code {
      case .busy: .tryLater
      case .cannotCreate, .unsuitablePlace: .cannotCreate
      case .cannotRead, .cannotWrite, .full, .damaged, .newerFormat, .poisoned: .inputOutput
      case .invalidRecord: .unparsable
      case .cursorExpired: .usage
      case .aborted: .internalFault
      }
    return Failure(
      .store, reason, description, hint: hint, code: code.rawValue, path: path, retryable: code == .busy)
  }
}
